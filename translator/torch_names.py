"""Names of torch's functions and methods that are captured, by what their result's memory is.

What is not listed is not captured: what draws random numbers, changes its arguments, or reads and sets modes.
"""

from __future__ import annotations

#: their result shares no memory with an argument; functions of `torch`, and methods where tensors have them
FRESH = frozenset(
    """
    absolute abs acos arccos acosh add addcdiv addcmul angle asin arcsin asinh atan arctan atan2 arctan2
    atanh bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift ceil
    clamp clip clamp_min clamp_max copysign cos cosh deg2rad div divide digamma erf erfc erfinv exp exp2
    expm1 fix floor floor_divide fmod frac float_power gcd lcm hypot heaviside i0 isclose isfinite isinf
    isnan isposinf isneginf isreal ldexp lerp lgamma log log10 log1p log2 logaddexp logaddexp2
    logical_and logical_or logical_xor logical_not logit maximum minimum fmax fmin mul multiply neg
    negative nextafter pow rad2deg reciprocal remainder round rsqrt rsub sigmoid sign sgn signbit sin
    sinc sinh softmax log_softmax sqrt square sub subtract tan tanh true_divide trunc xlogy eq ne lt le
    gt ge greater less greater_equal less_equal not_equal where nan_to_num relu selu sum prod mean std
    var amax amin argmax argmin all any logsumexp norm cumsum cumprod logcumsumexp count_nonzero nansum
    nanmean nanmedian quantile nanquantile dist trace matmul mm bmm mv dot vdot inner outer addmm addmv
    addbmm baddbmm addr tensordot kron cross det logdet inverse cholesky linalg.norm linalg.vector_norm
    linalg.matrix_norm linalg.inv linalg.solve linalg.det linalg.cholesky linalg.eigvalsh linalg.matmul
    linalg.multi_dot linalg.pinv linalg.cross linalg.vecdot linalg.svdvals fft.fft fft.ifft fft.rfft
    fft.irfft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq
    fft.fftshift fft.ifftshift index_select gather take take_along_dim scatter scatter_add index_add
    masked_fill masked_select nonzero repeat tile repeat_interleave roll rot90 flip fliplr flipud cat
    concat concatenate stack hstack vstack dstack column_stack diag_embed tril triu clone argsort
    searchsorted bucketize bincount histc zeros ones full eye arange linspace logspace zeros_like
    ones_like full_like tril_indices triu_indices cdist argwhere isin diff trapezoid cov corrcoef vander
    polygamma
    """.split()
)

#: their result may share memory with an argument, or be one
ALIAS = frozenset(
    """
    positive real imag conj reshape flatten unflatten ravel squeeze unsqueeze transpose swapaxes swapdims
    permute movedim moveaxis t narrow select broadcast_to diagonal diag atleast_1d atleast_2d atleast_3d
    detach einsum linalg.matrix_power linalg.diagonal view_as_real view_as_complex resolve_conj
    """.split()
)

#: methods alone
METHODS = frozenset(
    """
    view view_as reshape_as expand expand_as contiguous to float double half bfloat16 int long short bool
    cpu type_as new_zeros new_ones new_full
    """.split()
)

#: they give several tensors
SEVERAL = frozenset(
    """
    split chunk tensor_split unbind broadcast_tensors sort topk kthvalue cummax cummin aminmax mode
    var_mean std_mean unique linalg.slogdet linalg.eigh linalg.svd linalg.qr hsplit vsplit
    """.split()
)
#: they give several tensors, or one, by how they are called
SOMETIMES_SEVERAL = frozenset("max min median".split())

#: functions of torch.nn.functional
FUNCTIONAL = frozenset(
    """
    relu relu6 gelu silu elu leaky_relu softplus softsign softshrink hardshrink tanhshrink hardtanh
    hardswish hardsigmoid mish selu celu logsigmoid tanh sigmoid softmax log_softmax softmin glu
    threshold linear bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d max_pool1d
    max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d layer_norm rms_norm
    group_norm normalize embedding pad one_hot cross_entropy nll_loss binary_cross_entropy_with_logits
    kl_div cosine_similarity pairwise_distance scaled_dot_product_attention interpolate pixel_shuffle
    pixel_unshuffle unfold fold mse_loss l1_loss smooth_l1_loss huber_loss dropout batch_norm
    """.split()
)

#: methods that change their tensor in place, and give it
IN_PLACE = frozenset(
    """
    add_ sub_ mul_ div_ neg_ abs_ exp_ log_ sqrt_ square_ sin_ cos_ tanh_ sigmoid_ relu_ clamp_
    clamp_min_ clamp_max_ zero_ fill_ masked_fill_ pow_ floor_ ceil_ round_ reciprocal_
    """.split()
)

#: these may warn: of what is going away
WARN = frozenset("cross kl_div nll_loss interpolate cov corrcoef".split())
#: these warn if no dimension is given
WARN_WITHOUT_DIM = frozenset("softmax log_softmax softmin".split())
#: these warn of too few elements
WARN_OF_FEW = frozenset("std var std_mean var_mean".split())
#: these warn of tensors of different shapes
WARN_OF_SHAPES = frozenset("mse_loss l1_loss smooth_l1_loss huber_loss".split())
#: these warn of complex numbers made real
CASTS = frozenset("to float double half bfloat16 int long short bool type_as where scatter index_add".split())
#: of these an argument that is True says: in place
MAYBE_IN_PLACE = frozenset(
    """
    relu relu6 elu leaky_relu silu mish hardtanh hardswish hardsigmoid selu celu threshold normalize
    """.split()
)
#: they say something of a tensor's shape
FACTS = frozenset("size dim ndimension numel nelement".split())
