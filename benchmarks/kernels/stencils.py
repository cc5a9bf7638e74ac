"""Stencils: each point from its neighbours, time step by time step."""

from __future__ import annotations

import numpy as np
from kernel import kernel


@kernel(lambda rng: (20, rng.random(20_000), rng.random(20_000)))
def jacobi_1d(steps, a, b):
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3.0
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3.0


@kernel(lambda rng: (10, rng.random((120, 120)), rng.random((120, 120))))
def jacobi_2d(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


@kernel(lambda rng: (5, 0.1, rng.random((24, 24, 24))))
def heat_3d(steps, r, u):
    for _ in range(steps):
        middle = u[1:-1, 1:-1, 1:-1]
        change = (
            (u[2:, 1:-1, 1:-1] - 2.0 * middle + u[:-2, 1:-1, 1:-1])
            + (u[1:-1, 2:, 1:-1] - 2.0 * middle + u[1:-1, :-2, 1:-1])
            + (u[1:-1, 1:-1, 2:] - 2.0 * middle + u[1:-1, 1:-1, :-2])
        )
        u = u.copy()
        u[1:-1, 1:-1, 1:-1] += r * change
    return u


@kernel(lambda rng: (30, 0.4, rng.random(20_000)))
def upwind_advection(steps, courant, u):
    for _ in range(steps):
        u = u - courant * (u - np.roll(u, 1))
    return u


@kernel(lambda rng: (10, rng.integers(0, 2, (100, 100))))
def game_of_life(steps, cells):
    for _ in range(steps):
        neighbours = sum(
            np.roll(np.roll(cells, i, axis=0), j, axis=1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j
        )
        cells = ((neighbours == 3) | ((cells == 1) & (neighbours == 2))).astype(cells.dtype)
    return cells


@kernel(lambda rng: (10, 0.001, 0.1, 1 + 0.1 * rng.random((80, 80)), np.zeros((80, 80)), np.zeros((80, 80))))
def shallow_water(steps, dt, dx, h, u, v):
    g = 9.81
    for _ in range(steps):
        h_x = (np.roll(h, -1, 1) - np.roll(h, 1, 1)) / (2 * dx)
        h_y = (np.roll(h, -1, 0) - np.roll(h, 1, 0)) / (2 * dx)
        u = u - dt * g * h_x
        v = v - dt * g * h_y
        flow = (
            np.roll(h * u, -1, 1) - np.roll(h * u, 1, 1) + np.roll(h * v, -1, 0) - np.roll(h * v, 1, 0)
        ) / (2 * dx)
        h = h - dt * flow
    return h, u, v


@kernel(lambda rng: (10, 0.05, 0.06, 0.02, 0.01, np.ones((64, 64)), rng.random((64, 64))))
def reaction_diffusion(steps, feed, kill, spread_u, spread_v, u, v):
    def laplacian(a):
        return np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4 * a

    for _ in range(steps):
        reaction = u * v * v
        u = u + spread_u * laplacian(u) - reaction + feed * (1 - u)
        v = v + spread_v * laplacian(v) + reaction - (feed + kill) * v
    return u, v
