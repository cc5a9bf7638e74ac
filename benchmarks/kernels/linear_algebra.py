"""Linear algebra: products, decompositions, solvers."""

from __future__ import annotations

import numpy as np
from kernel import kernel


def positive_definite(rng, n):
    """A symmetric positive definite matrix."""
    a = rng.random((n, n))
    return a @ a.T + n * np.eye(n)


@kernel(lambda rng: (1.5, 1.2, rng.random((150, 150)), rng.random((150, 150)), rng.random((150, 150))))
def gemm(alpha, beta, c, a, b):
    return alpha * a @ b + beta * c


@kernel(
    lambda rng: (rng.random((80, 90)), rng.random((90, 100)), rng.random((100, 70)), rng.random((70, 80)))
)
def chain_of_products(a, b, c, d):
    return (a @ b) @ (c @ d)


@kernel(lambda rng: (rng.random((300, 400)), rng.random(400)))
def normal_product(a, x):
    return a.T @ (a @ x)


@kernel(lambda rng: (rng.random((300, 200)), rng.random(200), rng.random(300)))
def two_products(a, p, r):
    return r @ a, a @ p


@kernel(lambda rng: (rng.random((60, 40)),))
def gram_schmidt(a):
    a = a.copy()
    q = np.zeros_like(a)
    r = np.zeros((a.shape[1], a.shape[1]))
    for k in range(a.shape[1]):
        r[k, k] = np.sqrt(np.dot(a[:, k], a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


@kernel(lambda rng: (positive_definite(rng, 40),))
def cholesky(a):
    n = a.shape[0]
    lower = np.zeros_like(a)
    for j in range(n):
        lower[j, j] = np.sqrt(a[j, j] - np.dot(lower[j, :j], lower[j, :j]))
        lower[j + 1 :, j] = (a[j + 1 :, j] - lower[j + 1 :, :j] @ lower[j, :j]) / lower[j, j]
    return lower


@kernel(lambda rng: (positive_definite(rng, 60),))
def lu(a):
    a = a.copy()
    for k in range(a.shape[0] - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


@kernel(lambda rng: (np.tril(positive_definite(rng, 100)), rng.random(100)))
def forward_substitution(lower, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


@kernel(lambda rng: (positive_definite(rng, 200), rng.random(200), 25))
def conjugate_gradient(a, b, steps):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rr = r @ r
    for _ in range(steps):
        ap = a @ p
        alpha = rr / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + (new / rr) * p
        rr = new
    return x


@kernel(lambda rng: (positive_definite(rng, 200), rng.random(200), 30))
def power_iteration(a, v, steps):
    for _ in range(steps):
        v = a @ v
        v = v / np.linalg.norm(v)
    return v @ (a @ v), v


@kernel(lambda rng: (rng.random((200, 60)),))
def correlation(data):
    centred = data - data.mean(axis=0)
    scaled = centred / (data.std(axis=0) * np.sqrt(data.shape[0]))
    return scaled.T @ scaled


@kernel(lambda rng: (positive_definite(rng, 60), rng.random(60), 40))
def jacobi_solver(a, b, steps):
    diagonal = np.diag(a)
    rest = a - np.diag(diagonal)
    x = np.zeros_like(b)
    for _ in range(steps):
        x = (b - rest @ x) / diagonal
    return x
