"""Signals, statistics and small networks."""

from __future__ import annotations

import numpy as np
from kernel import kernel


@kernel(lambda rng: (rng.standard_normal(1_024) + 0j,))
def fft_radix_2(x):
    n = len(x)
    if n <= 16:
        k = np.arange(n)
        return np.exp(-2j * np.pi * np.outer(k, k) / n) @ x
    even = fft_radix_2(x[::2])
    odd = fft_radix_2(x[1::2])
    turn = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turn, even - turn])


@kernel(lambda rng: (rng.standard_normal(8_192), 0.1))
def low_pass_filter(signal, cutoff):
    spectrum = np.fft.rfft(signal)
    frequency = np.fft.rfftfreq(len(signal))
    return np.fft.irfft(np.where(frequency <= cutoff, spectrum, 0.0), len(signal))


@kernel(lambda rng: (rng.random(50_000), 40))
def histogram_of_weights(data, bins):
    counts, edges = np.histogram(data, bins=bins, range=(0.0, 1.0))
    centres = 0.5 * (edges[1:] + edges[:-1])
    mean = (counts * centres).sum() / counts.sum()
    return counts, mean, np.sqrt((counts * (centres - mean) ** 2).sum() / counts.sum())


@kernel(lambda rng: (rng.standard_normal((64, 500)),))
def softmax(x):
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


@kernel(
    lambda rng: (
        rng.standard_normal((64, 100)),
        [(rng.standard_normal((100, 80)), rng.random(80)), (rng.standard_normal((80, 60)), rng.random(60))],
        (rng.standard_normal((60, 10)), rng.random(10)),
    )
)
def multilayer_perceptron(x, hidden, last):
    for weight, bias in hidden:
        x = np.maximum(x @ weight + bias, 0.0)
    weight, bias = last
    scores = x @ weight + bias
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


@kernel(lambda rng: tuple(rng.standard_normal((4, 60, 32)) for _ in range(3)))
def attention(query, key, value):
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
    weight = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weight /= weight.sum(axis=-1, keepdims=True)
    return weight @ value


@kernel(lambda rng: (rng.standard_normal((4, 20, 20, 3)), rng.standard_normal((3, 3, 3, 8))))
def convolution_2d(images, filters):
    size = filters.shape[0]
    rows, columns = images.shape[1] - size + 1, images.shape[2] - size + 1
    out = np.zeros((images.shape[0], rows, columns, filters.shape[3]))
    for i in range(size):
        for j in range(size):
            out += images[:, i : i + rows, j : j + columns, :] @ filters[i, j]
    return np.maximum(out, 0.0)


@kernel(lambda rng: (rng.standard_normal((128, 256)), rng.random(256), rng.random(256)))
def layer_norm(x, gain, bias):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) + bias


@kernel(lambda rng: (rng.random((400, 2)), rng.random((8, 2)), 5))
def k_means(points, centres, steps):
    for _ in range(steps):
        distance = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = distance.argmin(axis=1)
        member = (nearest[:, None] == np.arange(len(centres))[None, :]).astype(float)
        centres = (member.T @ points) / np.maximum(member.sum(axis=0)[:, None], 1.0)
    return centres, nearest
