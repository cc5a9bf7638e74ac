"""torch: captured programs agree with the plain library: values, gradients, errors, random state."""

from __future__ import annotations

import operator
import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

import translator
from translator.errors import BackendFailed, NotExported

UNARY = [
    operator.neg, abs, torch.sin, torch.exp, torch.relu, torch.sigmoid, F.gelu, F.silu, torch.square,
    lambda x: x.t(), lambda x: x.sum(), lambda x: x.mean(dim=0), lambda x: x.reshape(-1), lambda x: x[0],
    lambda x: x[..., 1:], lambda x: x.unsqueeze(0), lambda x: x.flatten(), lambda x: x.clone(),
    lambda x: torch.softmax(x, dim=-1), lambda x: F.log_softmax(x, dim=0), lambda x: x.T, lambda x: x.detach(),
    lambda x: x.max(dim=0).values, lambda x: x.sort(dim=-1)[0], lambda x: torch.cat([x, x * 2]),
    lambda x: torch.stack((x, x)), lambda x: x.std(), lambda x: x.to(torch.float64), lambda x: x.cumsum(0),
    lambda x: x * x.shape[0], lambda x: sum(row.sum() for row in x), lambda x: x.chunk(2)[0],
    lambda x: x.view(x.size()), lambda x: x.expand(2, *x.shape), lambda x: torch.where(x > 0, x, -x),
    lambda x: x.masked_fill(x > 0, 1.5), lambda x: torch.einsum("...i->...", x), lambda x: x.float().norm(),
    lambda x: x + torch.zeros(x.shape[-1], dtype=x.dtype), lambda x: F.layer_norm(x, x.shape[-1:]),
    lambda x: F.pad(x, (1, 1)), lambda x: x.new_ones(2) * x.numel(), lambda x: x.item(), lambda x: x[x > 0],
    lambda x: torch.topk(x, 1)[1], lambda x: F.dropout(x, 0.5), lambda x: x.requires_grad,
]  # fmt: skip
BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.matmul, operator.pow, operator.lt,
    torch.add, torch.maximum, torch.atan2, F.mse_loss, F.linear, lambda x, y: torch.lerp(x, y, 0.25),
    lambda x, y: x.where(y > 0, y), operator.iadd, operator.imul, lambda x, y: x.eq(y), operator.mod,
]  # fmt: skip
CONSTANTS = [0, 1, 2, -1, 0.5, True]


@st.composite
def programs(draw):
    """(steps, result): each step is an operation on what was there before, by index."""
    steps = []
    for index in range(draw(st.integers(1, 6))):
        places = st.integers(0, index + 1)
        if draw(st.booleans()):
            steps.append((draw(st.sampled_from(UNARY)), (draw(places),)))
        else:
            other = st.one_of(places, st.sampled_from(CONSTANTS).map(lambda value: ("constant", value)))
            steps.append((draw(st.sampled_from(BINARY)), (draw(places), draw(other))))
    return steps


def carried_out(steps, x, y):
    values = [x, y]
    for function, operands in steps:
        values.append(function(*(each[1] if type(each) is tuple else values[each] for each in operands)))
    return values[-1], values[len(values) // 2]


# what torch warns of once a process, the first of two runs would show and the second not
torch.set_warn_always(True)

tensors = st.builds(
    lambda seed, shape, dtype, grad: (seed, shape, dtype, grad and dtype.is_floating_point),
    st.integers(0, 5),
    st.sampled_from([(3, 3), (2, 3), (3,), (), (1, 3), (0, 3)]),
    st.sampled_from([torch.float32, torch.float32, torch.float64, torch.int64, torch.bool]),
    st.booleans(),
)


def made(seed, shape, dtype, grad):
    values = np.random.default_rng(seed).normal(size=shape) * 2
    return torch.tensor(values).to(dtype).requires_grad_(grad)


def outcome(function, *descriptions):
    """What a call gives, and the gradients, the state of random numbers and the warnings after it."""
    arguments = [made(*each) for each in descriptions]
    torch.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*arguments)
        except Exception as error:
            found = [type(error), str(error)]
        else:
            found = [facts(each) for each in result]
            total = [each.sum() for each in result if isinstance(each, torch.Tensor) and each.requires_grad]
            if total:
                sum(total).backward()
    found += [facts(each.grad) for each in arguments if each.is_leaf] + [facts(each) for each in arguments]
    return found, torch.get_rng_state().numpy().tobytes(), [str(each.message) for each in caught]


def facts(value):
    if not isinstance(value, torch.Tensor):
        return type(value), repr(value)
    bits = value.detach().contiguous().numpy().tobytes()
    name = type(value.grad_fn).__name__
    return type(value), value.dtype, value.shape, value.stride(), value.requires_grad, name, bits


@settings(max_examples=60)
@given(programs(), tensors, tensors, tensors)
def test_programs_agree(steps, x, y, z):
    def function(x, y):
        return carried_out(steps, x, y)

    compiled = translator.compile(function)
    for arguments in ((x, y), (x, y), (z, y), (x, z)):
        assert outcome(function, *arguments) == outcome(compiled, *arguments)


X = torch.linspace(-1, 1, 12).reshape(3, 4)
W = torch.linspace(0, 1, 16).reshape(4, 4).requires_grad_()


@pytest.mark.parametrize("function", [
    lambda x, w: torch.relu(x @ w + 1).sum(dim=1) * 2,
    lambda x, w: (x.view(x.shape[0], -1) if x.dim() == 2 else x).mean(-1, keepdim=True),
    lambda x, w: [row * 2 for row in x],
    lambda x, w: torch.topk(x.t(), 2).indices,
    lambda x, w: (x.shape, x.dtype, x.size(0), x.shape[1:], x.shape.numel(), len(x), (x @ w).shape),
    lambda x, w: F.cross_entropy(x @ w, torch.zeros(3, dtype=torch.int64)),
    lambda x, w: F.scaled_dot_product_attention(x[None], w[None], w[None]),
    lambda x, w: isinstance(x, torch.Tensor) and x.is_floating_point() and (x * 2, w.requires_grad),
    lambda x, w: torch.linalg.eigh(w @ w.T)[0] + x.amax(),
])  # fmt: skip
def test_these_are_one_graph(function):
    result = translator.compile(function, fullgraph=True)(X, W)
    assert repr(result) == repr(function(X, W))


def test_a_torch_size_stays_one():
    got = translator.compile(lambda x: (x * 1, x.shape, x.shape[:1], x.shape + (2,)), fullgraph=True)(X)
    assert [type(each) for each in got[1:]] == [torch.Size] * 3 and got[1:] == ((3, 4), (3,), (3, 4, 2))


def test_what_is_guarded_is_what_is_used():
    guards = translator.export(lambda x: x * 2, X).guards
    assert guards == ["type(L['x']) is Tensor", "L['x'].dtype is torch.float32"]
    asked = translator.export(lambda x: x * x.shape[0] if x.device.type == "cpu" else x, X).guards
    assert any("L['x'].shape == torch.Size([3, 4])" in each for each in asked)
    assert any(".device == " in each for each in asked)
    assert (
        "L['x'].requires_grad is False"
        in translator.export(lambda x: x * 2 if not x.requires_grad else x, X).guards
    )


def test_inputs_are_not_changed_by_a_region_that_is_dropped():
    def function(x):
        y = x * 2
        x += 1
        return y.sum().item()

    x, other = X.clone(), X.clone()
    assert translator.compile(function)(x) == function(other) and torch.equal(x, other)
    with pytest.raises(NotExported, match="changes of torch's arrays that came in are not replayed"):
        translator.export(lambda x: x.mul_(2), X)


def test_settings_that_dtypes_depend_on():
    def function(x, y):
        z = x @ x
        return (z * 2 if z.dtype is torch.float32 else z), (y / 2).dtype, torch.zeros(2).dtype

    compiled = translator.compile(function)
    y = torch.arange(3)
    for _ in range(2):
        with torch.autocast("cpu"):
            assert repr(compiled(W, y)) == repr(function(W, y))
        assert repr(compiled(W, y)) == repr(function(W, y))
        torch.set_default_dtype(torch.float64)
        try:
            assert repr(compiled(W, y)) == repr(function(W, y))
        finally:
            torch.set_default_dtype(torch.float32)


# -- modules


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(7, 4)
        self.body = torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Dropout(0.5), torch.nn.LayerNorm(8)
        )
        self.norm = torch.nn.BatchNorm1d(8)
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, tokens):
        return self.norm(self.body(self.embed(tokens))) * self.scale


def call(net, tokens):
    return net(tokens)


def test_a_module_is_inlined_and_its_parameters_are_read_each_time():
    torch.manual_seed(1)
    net, tokens = Net().eval(), torch.tensor([1, 2, 3])
    compiled = translator.compile(call, fullgraph=True)
    assert torch.equal(compiled(net, tokens), net(tokens))
    with torch.no_grad():
        net.body[0].weight.mul_(3)
    assert torch.equal(compiled(net, tokens), net(tokens)) and len(compiled.__opshift__.entries) == 1
    net.body[0].weight = torch.nn.Parameter(torch.ones(8, 4))
    assert torch.equal(compiled(net, tokens), net(tokens))
    assert torch.equal(translator.export(net.forward, tokens)(tokens), net(tokens))
    found = translator.explain(call)(net, tokens)
    assert len(found.graphs) == 1 and not found.breaks
    assert any("F.linear" in str(node.target) or "linear" in node.name for node in found.graphs[0])


def test_modes_and_hooks_of_a_module_count():
    net, tokens = Net(), torch.tensor([1, 2, 3])
    compiled = translator.compile(call)
    for mode in (False, True, False):
        net.train(mode)
        state = {name: value.clone() for name, value in net.state_dict().items()}
        torch.manual_seed(0)
        expected = net(tokens)
        after = {name: value.clone() for name, value in net.state_dict().items()}
        net.load_state_dict(state)
        torch.manual_seed(0)
        assert torch.equal(compiled(net, tokens), expected)
        assert all(torch.equal(value, after[name]) for name, value in net.state_dict().items())
    net.body[1].register_forward_hook(lambda module, arguments, result: result * 0)
    assert torch.equal(compiled(net, tokens), net(tokens))


def test_gradients_of_a_module():
    net, tokens = Net().eval(), torch.tensor([1, 2, 3])
    net(tokens).sum().backward()
    expected = {name: value.grad.clone() for name, value in net.named_parameters()}
    net.zero_grad()
    translator.compile(call)(net, tokens).sum().backward()
    assert all(torch.equal(value.grad, expected[name]) for name, value in net.named_parameters())
    with torch.no_grad():
        assert not translator.compile(call)(net, tokens).requires_grad


# -- graphs and backends


def formula(x, w):
    y = F.gelu(x @ w)
    return {"mean": y.mean(dim=-1), "rows": [y[0], y[1:]], "x": x}


def test_a_graph_is_a_graph_of_fx():
    exported = translator.export(formula, X, W)
    module = exported.graph.to_fx()
    assert isinstance(module, torch.fx.GraphModule)
    assert [node.op for node in module.graph.nodes] == [node.op for node in exported.graph]
    assert [node.name for node in module.graph.nodes][:2] == exported.graph.python()[10:14].split(", ")
    module.graph.lint()
    results = module(X, W)
    expected = formula(X, W)
    assert torch.equal(results[0], expected["mean"]) and torch.equal(results[2], expected["rows"][1])
    line = formula.__code__.co_firstlineno + 1
    assert any(f"line {line}, in formula" in node.meta.get("stack_trace", "") for node in module.graph.nodes)


@pytest.mark.parametrize("backend", ["inductor", "aot_eager"])
def test_backends_that_torch_knows(backend):
    compiled = translator.compile(formula, backend=backend, fullgraph=True)
    w = W.detach().clone().requires_grad_()
    for x in (X, X + 1, X[:2]):
        got, expected = compiled(x, w), formula(x, w)
        assert got["x"] is x and torch.allclose(got["mean"], expected["mean"])
    got["mean"].sum().backward()
    gradient, w.grad = w.grad, None
    formula(X[:2], w)["mean"].sum().backward()
    assert torch.allclose(gradient, w.grad)


def test_torchs_backends_are_not_for_numpy():
    compiled = translator.compile(lambda x: x * 2, backend="aot_eager", fullgraph=True)
    with pytest.raises(BackendFailed, match="the input x is a ndarray: torch would compute with it by other"):
        compiled(np.ones(3))


def test_a_reproducer_holds_the_tensors(tmp_path, monkeypatch):
    monkeypatch.setenv("OPSHIFT_REPRODUCERS", str(tmp_path))

    def backend(graph, examples):
        raise RuntimeError("not today")

    with pytest.warns(RuntimeWarning, match="not today"):
        translator.compile(formula, backend=backend)(X, W)
    (path,) = tmp_path.iterdir()
    text = path.read_text().replace("translator.compile(graph, backend=backend, fullgraph=True)", "graph")
    printed = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert printed.split() == str((formula(X, W)["mean"], *formula(X, W)["rows"])).split()


def test_torch_is_not_imported_before_the_program_does():
    code = (
        "import sys, numpy as np, translator\n"
        "compiled = translator.compile(lambda x: np.sin(x) * 2)\n"
        "compiled(np.ones(3))\n"
        "assert 'torch' not in sys.modules\n"
        "import torch\n"
        "assert compiled.__opshift__.entries\n"
        "assert translator.compile(lambda x: torch.sin(x) * 2, fullgraph=True)(torch.ones(3)).shape == (3,)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)
