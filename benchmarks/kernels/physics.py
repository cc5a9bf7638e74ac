"""Physics and finance: particles, oscillators, fractals, distances, prices."""

from __future__ import annotations

import numpy as np
from kernel import kernel


@kernel(lambda rng: (10, 0.01, rng.random(60), rng.standard_normal((60, 3)), rng.standard_normal((60, 3))))
def n_body(steps, dt, mass, position, velocity):
    for _ in range(steps):
        apart = position[None, :, :] - position[:, None, :]
        distance2 = (apart**2).sum(axis=2) + 0.01
        pull = mass[None, :, None] * apart / (distance2 * np.sqrt(distance2))[:, :, None]
        velocity = velocity + dt * pull.sum(axis=1)
        position = position + dt * velocity
    energy = 0.5 * (mass[:, None] * velocity**2).sum()
    return position, velocity, energy


@kernel(lambda rng: (rng.random((120, 3)) * 10.0,))
def lennard_jones(position):
    apart = position[:, None, :] - position[None, :, :]
    r2 = (apart * apart).sum(axis=-1) + np.eye(len(position)) * 1e9
    s6 = (1.0 / r2) ** 3
    energy = 2.0 * (s6 * s6 - s6).sum()
    force = (24.0 * (2.0 * s6 * s6 - s6) / r2)[:, :, None] * apart
    return energy, force.sum(axis=1)


@kernel(lambda rng: (60, 0.01, rng.random(2_000), rng.random(2_000)))
def pendulums_by_runge_kutta(steps, dt, angle, speed):
    def derivative(angle, speed):
        return speed, -9.81 * np.sin(angle)

    for _ in range(steps):
        a1, s1 = derivative(angle, speed)
        a2, s2 = derivative(angle + 0.5 * dt * a1, speed + 0.5 * dt * s1)
        a3, s3 = derivative(angle + 0.5 * dt * a2, speed + 0.5 * dt * s2)
        a4, s4 = derivative(angle + dt * a3, speed + dt * s3)
        angle = angle + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        speed = speed + dt / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4)
    return angle, speed


@kernel(lambda rng: (-2.0, 0.5, -1.25, 1.25, 120, 100, 30))
def mandelbrot(left, right, bottom, top, width, height, limit):
    c = np.linspace(left, right, width)[None, :] + 1j * np.linspace(bottom, top, height)[:, None]
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=np.int64)
    for _ in range(limit):
        inside = np.abs(z) < 2.0
        z = np.where(inside, z * z + c, z)
        count = count + inside
    return count


@kernel(lambda rng: (rng.random((100, 120)) + 1j * rng.random((100, 120)), 25))
def julia_with_masks(z, limit):
    z = z.copy()
    count = np.zeros(z.shape, dtype=int)
    for step in range(limit):
        inside = np.abs(z) < 2.0
        z[inside] = z[inside] ** 2 - (0.4 - 0.6j)
        count[inside] = step
    return count


@kernel(lambda rng: tuple(rng.random(20_000) for _ in range(4)))
def great_circle(lat1, lon1, lat2, lon2):
    part = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 6371.0 * 2 * np.arctan2(np.sqrt(part), np.sqrt(1 - part))


@kernel(
    lambda rng: (
        10 + 40 * rng.random(10_000),
        10 + 40 * rng.random(10_000),
        0.5 + rng.random(10_000),
        0.1,
        0.2,
    )
)
def black_scholes(price, strike, time, rate, volatility):
    def normal(x):
        """The cumulative normal distribution (Abramowitz and Stegun, 26.2.17)."""
        k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
        poly = k * (
            0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
        )
        tail = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) * poly
        return np.where(x >= 0, 1.0 - tail, tail)

    spread = volatility * np.sqrt(time)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * time) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * time)
    call = price * normal(d1) - discounted * normal(d2)
    return call, call - price + discounted


@kernel(lambda rng: (rng.standard_normal((50, 2_000)), 0.02, 0.3))
def price_paths(noise, drift, volatility):
    steps = noise.shape[0]
    dt = 1.0 / steps
    logs = (drift - 0.5 * volatility**2) * dt + volatility * np.sqrt(dt) * noise
    paths = 100.0 * np.exp(np.cumsum(logs, axis=0))
    payoff = np.maximum(paths.mean(axis=0) - 100.0, 0.0)
    return payoff.mean(), payoff.std() / np.sqrt(len(payoff))
