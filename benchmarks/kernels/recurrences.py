"""Recurrences and dynamic programming: each step needs the one before."""

from __future__ import annotations

import numpy as np
from kernel import kernel


@kernel(lambda rng: (rng.integers(1, 100, (60, 60)).astype(float),))
def floyd_warshall(distance):
    distance = distance.copy()
    for k in range(len(distance)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k, :])
    return distance


@kernel(lambda rng: (0.3 * rng.random(60),))
def levinson_durbin(r):
    y = np.zeros_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, len(r)):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@kernel(lambda rng: (rng.integers(0, 4, 60), rng.integers(0, 4, 50)))
def edit_distance_by_rows(one, other):
    row = np.arange(len(other) + 1)
    for i in range(len(one)):
        changed = np.minimum(row[1:] + 1, row[:-1] + (other != one[i]))
        new = np.concatenate([row[:1] + 1, changed])
        row = np.minimum.accumulate(new - np.arange(len(new))) + np.arange(len(new))
    return row[-1]


@kernel(lambda rng: (200, 2.5 + 1.5 * rng.random(2_000), rng.random(2_000)))
def logistic_maps(steps, r, x):
    for _ in range(steps):
        x = r * x * (1.0 - x)
    return x


@kernel(lambda rng: (rng.standard_normal((40, 2)), np.eye(4), 0.01))
def kalman_filter(measured, covariance, noise):
    move = np.eye(4) + np.eye(4, k=2)
    see = np.eye(2, 4)
    state = np.zeros(4)
    for row in measured:
        state = move @ state
        covariance = move @ covariance @ move.T + noise * np.eye(4)
        gain = covariance @ see.T @ np.linalg.inv(see @ covariance @ see.T + np.eye(2))
        state = state + gain @ (row - see @ state)
        covariance = (np.eye(4) - gain @ see) @ covariance
    return state, covariance


@kernel(lambda rng: (rng.random((30, 1_000)), 0.2))
def exponential_smoothing(series, weight):
    level = series[0]
    for row in series[1:]:
        level = weight * row + (1.0 - weight) * level
    return level


@kernel(lambda rng: (np.cumsum(rng.integers(0, 5, 301)), rng.random(1_500), rng.random(300)))
def sparse_product_by_rows(starts, data, x):
    out = np.zeros(len(starts) - 1)
    columns = np.arange(len(data)) % len(x)
    for row in range(len(starts) - 1):
        part = slice(starts[row], starts[row + 1])
        out[row] = data[part] @ x[columns[part]]
    return out
