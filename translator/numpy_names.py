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
fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift
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
fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn
"""

#: of these it is known which arguments are only data: type, dtype and shape of the result follow from the
#: types, dtypes and shapes of the data and from the *values* of all other arguments. What is not listed, and
#: an array where a count, an axis or a shape stands, gives something that is not foreseen.
#: First word: the places of the data.
_DATA = """
- zeros ones empty arange eye identity indices tri hamming hanning blackman bartlett tril_indices triu_indices
- fft.fftfreq fft.rfftfreq
0 sum prod mean std var min max amin amax ptp cumsum cumprod nansum nanprod nanmean nanstd nanvar nanmin
0 nanmax
0 nancumsum nancumprod nanargmin nanargmax argmin argmax any all count_nonzero cumulative_sum cumulative_prod
0 zeros_like ones_like empty_like tril triu vander tile roll sort argsort partition argpartition ediff1d
0 gradient pad copy array median nanmedian average cov corrcoef nan_to_num angle unwrap sinc i0 trace astype
0 isneginf isposinf iscomplex isreal block concatenate concat stack vstack hstack dstack column_stack
0 ravel_multi_index unravel_index
0 fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfft2 fft.irfft2 fft.rfftn
0 fft.irfftn fft.hfft fft.ihfft fft.fftshift fft.ifftshift
0 linalg.norm linalg.det linalg.inv linalg.pinv linalg.matrix_rank linalg.trace linalg.cholesky
0 linalg.eigvalsh linalg.eigh linalg.svd linalg.qr linalg.slogdet linalg.cond linalg.multi_dot
0 linalg.matrix_norm
0 linalg.vector_norm linalg.svdvals linalg.matrix_power
0 around round diff asarray ascontiguousarray asfortranarray atleast_1d atleast_2d atleast_3d reshape ravel
0 transpose swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to diagonal diag real imag flip fliplr
0 flipud rot90 permute_dims matrix_transpose split array_split hsplit vsplit dsplit unstack
0 linalg.diagonal linalg.matrix_transpose
0,1 dot vdot inner outer tensordot kron cross searchsorted digitize trapezoid convolve correlate isclose
0,1 percentile quantile nanpercentile nanquantile isin take take_along_axis choose polyval append
0,1 allclose array_equal array_equiv linspace logspace full_like
0,1 linalg.solve linalg.vecdot linalg.outer linalg.cross linalg.tensordot linalg.matmul
1 full
0,1,2 where clip interp select
* meshgrid broadcast_arrays einsum ix_
"""

#: any place
ALL = frozenset(range(99))


def _places(text: str) -> dict[str, frozenset[int]]:
    found = {}
    for line in text.split("\n"):
        first, *names = line.split() or [""]
        places = (
            ALL if first == "*" else frozenset(map(int, first.split(","))) if first > "-" else frozenset()
        )
        found.update(dict.fromkeys(names, places))
    return found


#: by name, the places of arguments that are only data
DATA_ARGUMENTS = _places(_DATA)

#: the same for methods; the array itself is the first
DATA_OF_METHODS = _places("""
0 sum prod mean std var min max argmin argmax cumsum cumprod any all copy astype trace argsort argpartition
0 flatten item round conj conjugate reshape ravel transpose swapaxes squeeze diagonal view fill sort
0,1 dot take searchsorted choose
0,1,2 clip
""")

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
    "isposinf": 1, "isneginf": 1, "fft": 4, "ifft": 4, "rfft": 4, "irfft": 4, "hfft": 4, "ihfft": 4,
    "fft2": 4, "ifft2": 4, "fftn": 4, "ifftn": 4, "rfft2": 4, "irfft2": 4, "rfftn": 4, "irfftn": 4,
}  # fmt: skip

#: keywords whose strings name a way of doing it
WAYS = frozenset(
    "order mode ord method interpolation side kind indexing casting norm bins device UPLO optimize".split()
)
#: of these an argument may be None that is data
NONE_IS_ABSENT = frozenset({"clip", "trapezoid"})

#: these warn of more than floating-point errors: of complex numbers made real
CASTS = frozenset("astype setitem fill array asarray full full_like put".split())
#: these warn of empty arrays, or of complex numbers made real: no stand-ins of that kind for them
WARNS_OTHERWISE = CASTS | frozenset(
    """
    mean std var median average nanmean nanstd nanvar nanmedian nanmin nanmax percentile quantile
    nanpercentile nanquantile cov corrcoef
    """.split()
)
#: these never warn, whatever the data, with `axis`, `keepdims` and a numeric dtype at most
NEVER_WARNS = frozenset(
    """
    zeros ones empty zeros_like ones_like empty_like eye identity concatenate stack vstack hstack
    reshape ravel diag tril triu concat column_stack broadcast_arrays meshgrid
    transpose swapaxes copy squeeze expand_dims broadcast_to moveaxis where isnan isfinite isinf maximum
    minimum argmax argmin argsort sort atleast_1d flip roll tile any all diagonal split logical_and
    logical_or logical_not shape ndim size flatten
    """.split()
)
#: these warn of floating-point errors and nothing else, as operators and ufuncs do
FLOATING_POINT_ONLY = frozenset(
    """
    sum prod cumsum cumprod dot vdot inner outer matmul einsum clip min max amin amax ptp diff trace round
    around tensordot real imag conj conjugate fft ifft rfft irfft norm multi_dot interp
    """.split()
)
#: these too, or of nothing at all, but they raise because of data
FAILS_BY_DATA = frozenset("inv solve cholesky det eigvalsh eigh svd qr slogdet pinv svdvals".split())
#: the same, but of empty arrays they warn in words
NOT_IF_EMPTY = frozenset({"mean", "std", "var", "average"})
#: whether these raise follows from dtypes, shapes and constants: never from data
NEVER_FAILS = (
    NEVER_WARNS
    | FLOATING_POINT_ONLY
    | frozenset("mean std var cumulative_sum nansum nanprod nan_to_num full full_like astype fill".split())
)

#: these look at each element once, or only at shapes
CHEAP = frozenset(
    """
    getitem getattr transpose swapaxes moveaxis squeeze expand_dims diagonal reshape ravel copy astype
    sum prod mean std var min max any all argmin argmax cumsum cumprod where clip concatenate stack norm
    diff roll
    """.split()
)
