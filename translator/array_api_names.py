"""Names of the array API standard (2024.12) that are captured. All of them only compute."""

from __future__ import annotations

#: elementwise, reductions, products: their result shares no memory with an argument
FRESH = frozenset(
    """
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert
    bitwise_or bitwise_right_shift bitwise_xor ceil clip copysign cos cosh divide equal exp expm1 floor
    floor_divide greater greater_equal hypot isfinite isinf isnan less less_equal log log1p log2 log10
    logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply negative nextafter
    not_equal pow reciprocal remainder round sign signbit sin sinh square sqrt subtract tan tanh trunc
    max mean min prod std sum var all any diff count_nonzero cumulative_sum cumulative_prod argmax argmin
    searchsorted where argsort sort take take_along_axis concat stack roll tile repeat nonzero matmul
    tensordot vecdot arange empty empty_like eye full full_like linspace ones ones_like zeros zeros_like
    tril triu linalg.cholesky linalg.cross linalg.det linalg.eigvalsh linalg.inv linalg.matmul
    linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.outer linalg.pinv linalg.solve
    linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm fft.fft fft.ifft
    fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq
    fft.rfftfreq fft.fftshift fft.ifftshift
    """.split()
)

#: their result may share memory with an argument, or be one
ALIAS = frozenset(
    """
    positive real imag conj asarray astype broadcast_to expand_dims flip matrix_transpose moveaxis
    permute_dims reshape squeeze linalg.diagonal linalg.matrix_transpose
    """.split()
)

#: they give several arrays
SEVERAL = frozenset(
    """
    broadcast_arrays meshgrid unstack unique_all unique_counts unique_inverse linalg.eigh linalg.qr
    linalg.slogdet linalg.svd
    """.split()
)

#: how large their result is depends on data
BY_DATA = frozenset("nonzero unique_all unique_counts unique_inverse unique_values repeat".split())
