"""Names of NumPy's functions and methods that only compute, by what their result's memory is."""

from __future__ import annotations

#: their result shares no memory with an argument
FRESH = """
sum prod mean std var min max amin amax ptp cumsum cumprod nansum nanprod nanmean nanstd nanvar nanmin nanmax
nancumsum nancumprod nanargmin nanargmax argmin argmax any all count_nonzero cumulative_sum cumulative_prod
dot vdot inner outer tensordot kron cross where clip   concatenate concat stack vstack hstack
dstack column_stack zeros ones empty full arange linspace logspace geomspace eye identity zeros_like ones_like
full_like empty_like tri tril triu vander tile repeat roll sort argsort lexsort partition argpartition
searchsorted digitize bincount histogram interp  ediff1d gradient trapezoid convolve correlate pad copy
array isclose unique median percentile quantile nanmedian nanpercentile nanquantile average cov corrcoef
select choose take compress extract meshgrid indices nan_to_num angle unwrap sinc i0 isin take_along_axis
polyval polyadd polymul polysub   roots tril_indices triu_indices ravel_multi_index unravel_index
trace append insert delete argwhere flatnonzero nonzero allclose array_equal array_equiv astype
isneginf isposinf iscomplex isreal union1d intersect1d setdiff1d setxor1d hamming hanning blackman bartlett
block  size shape ndim
fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfft2 fft.irfft2 fft.rfftn
fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift
linalg.norm linalg.det linalg.inv linalg.solve linalg.pinv  linalg.matrix_rank linalg.trace
linalg.cholesky linalg.eigvals linalg.eigvalsh linalg.eig linalg.eigh linalg.svd linalg.qr linalg.slogdet
linalg.lstsq linalg.cond linalg.multi_dot linalg.matrix_norm linalg.vector_norm linalg.vecdot linalg.outer
linalg.cross linalg.tensordot linalg.svdvals linalg.matmul
"""

#: their result may share memory with an argument
ALIASES = """
around round diff linalg.matrix_power asarray ascontiguousarray asfortranarray atleast_1d atleast_2d
atleast_3d reshape ravel transpose swapaxes
moveaxis rollaxis squeeze expand_dims broadcast_to broadcast_arrays diagonal diag real imag flip fliplr flipud
rot90 permute_dims matrix_transpose einsum split array_split hsplit vsplit dsplit ix_ real_if_close trim_zeros
unstack linalg.diagonal linalg.matrix_transpose
"""

#: the shape (or the number) of what they give depends on data
DATA_DEPENDENT = frozenset(
    """
    unique compress extract argwhere flatnonzero nonzero union1d intersect1d setdiff1d setxor1d bincount
    repeat trim_zeros roots histogram insert delete linalg.lstsq real_if_close polyadd polymul polysub
    """.split()
)

METHODS_FRESH = frozenset(
    """
    sum prod mean std var min max argmin argmax cumsum cumprod any all dot clip copy astype
    repeat take trace argsort argpartition searchsorted compress nonzero flatten item choose
    """.split()
)

METHODS_ALIAS = frozenset(
    "round conj conjugate reshape ravel transpose swapaxes squeeze diagonal view".split()
)

METHODS_IN_PLACE = frozenset("sort fill partition put".split())

#: where `out` stands among the positional arguments of a function (of a method, one less)
OUT_POSITION = {
    "dot": 2, "clip": 3, "around": 2, "round": 2, "take": 3, "concatenate": 2, "concat": 2, "stack": 2,
    "sum": 3,
    "prod": 3, "mean": 3, "std": 3, "var": 3, "cumsum": 3, "cumprod": 3, "any": 2, "all": 2, "min": 2,
    "max": 2,
    "amin": 2, "amax": 2, "argmin": 2, "argmax": 2, "compress": 3, "choose": 2, "trace": 5, "ptp": 2,
    "median": 2,
    "percentile": 3, "quantile": 3, "outer": 2, "nansum": 3, "nanprod": 3, "nanmean": 3, "nanstd": 3,
    "nanvar": 3,
    "nanmin": 2, "nanmax": 2, "nanargmin": 2, "nanargmax": 2, "nancumsum": 3, "nancumprod": 3, "nanmedian": 2,
    "nanpercentile": 3, "nanquantile": 3, "einsum": 99, "reduce": 3, "accumulate": 3, "reduceat": 4,
}  # fmt: skip

#: these warn of empty arrays
WARNS_OF_EMPTY = frozenset(
    """
    mean std var median average nanmean nanstd nanvar nanmedian nanmin nanmax percentile quantile
    nanpercentile nanquantile cov corrcoef
    """.split()
)
#: these warn of more than floating-point errors: of complex numbers made real, of empty arrays
WARNS_OTHERWISE = WARNS_OF_EMPTY | frozenset("astype setitem fill array asarray full full_like put".split())
