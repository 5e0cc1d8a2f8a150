"""The network as the package reads it: three ONNX files, and the settings beside them. `learned/network.py` runs them.

Linear maps and tables are kept as bytes with a scale for each row, under the names that torch gives them; ONNX Runtime
opens the maps when it loads a file, and of the tables the rows that are asked for. Every name of an input or output is
one of `learned/network.py`'s.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Arrays = Mapping[str, NDArray[Any]]
Shape = Sequence[Any]
SCALE = "#scale"
_OPSET, _IR = 20, 10
_FLOAT, _WHOLE = TensorProto.FLOAT, TensorProto.INT64
_PRETRAINED_EPSILON, _EPSILON = 1e-12, 1e-5


def write(arrays: Arrays, settings: Mapping[str, Any], folder: Path) -> int:
    """Write the parts and their settings into `folder`; returns the size of all in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in (("lower", _lower), ("reader", _reader), ("writer", _writer)):
        onnx.save(part(arrays, settings), folder / f"{name}.onnx")
    (folder / "settings.json").write_text(json.dumps(settings, ensure_ascii=False) + "\n", encoding="utf-8")
    return sum(each.stat().st_size for each in folder.glob("*.onnx"))


def arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """What `write` was given."""
    models = (onnx.load(path) for path in sorted(folder.glob("*.onnx")))
    every = (each for model in models for each in model.graph.initializer if not each.name.startswith("_"))
    return {each.name: numpy_helper.to_array(each) for each in every}


class Builder:
    """A graph that grows; every method adds nodes and returns the name of what they make."""

    def __init__(self, name: str, arrays: Arrays) -> None:
        self._name, self._arrays = name, arrays
        self._nodes: list[onnx.NodeProto] = []
        self._kept: dict[str, onnx.TensorProto] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._told: dict[str, str] = {}

    def model(self) -> onnx.ModelProto:
        for node in self._nodes:
            node.input[:] = [self._told.get(each, each) for each in node.input]
            node.output[:] = [self._told.get(each, each) for each in node.output]
        graph = helper.make_graph(self._nodes, self._name, self._inputs, self._outputs, list(self._kept.values()))
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
        onnx.checker.check_model(made, full_check=True)
        return made

    def given(self, name: str, shape: Shape, kind: int = _FLOAT) -> str:
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def told(self, name: str, value: str, shape: Shape) -> None:
        """`value`, which is told once and is no input, is an output of this name."""
        self._told[value] = name
        self._outputs.append(helper.make_tensor_value_info(name, _FLOAT, shape))

    def add(self, kind: str, *values: str, count: int = 1, **attributes: Any) -> str:
        return self.several(kind, *values, count=count, **attributes)[0]

    def several(self, kind: str, *values: str, count: int, **attributes: Any) -> list[str]:
        first = f"{len(self._nodes)}.{kind}"
        made = [f"{first}.{n}" for n in range(count)]
        self._nodes.append(helper.make_node(kind, list(values), made, **attributes))
        return made

    def constant(self, value: Any, kind: Any = np.float32) -> str:
        array = np.asarray(value, kind)
        name = f"_{array.dtype}{array.shape}{array.tobytes().hex()}"
        self._kept.setdefault(name, numpy_helper.from_array(array, name))
        return name

    def whole(self, *numbers: int) -> str:
        return self.constant(numbers, np.int64)

    def whole_scalar(self, number: int) -> str:
        return self.constant(number, np.int64)

    def width(self, name: str, of: int = 0) -> int:
        """What a linear map makes, or (1) takes."""
        return self._arrays[name + ".weight"].shape[of]

    def array(self, name: str) -> str:
        """As it was learned."""
        self._kept.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(self._arrays[name]), name))
        return name

    def opened(self, name: str) -> str:
        """As floats."""
        array = self.add("Cast", self.array(name), to=_FLOAT)
        if name + SCALE not in self._arrays:
            return array
        return self.add("Mul", array, self.add("Unsqueeze", self.array(name + SCALE), self.whole(1)))

    def rows(self, name: str, numbers: str) -> str:
        """Some rows of a table, which stays closed."""
        found = self.add("Cast", self.add("Gather", self.array(name), numbers, axis=0), to=_FLOAT)
        scale = self.add("Gather", self.array(name + SCALE), numbers, axis=0)
        return self.add("Mul", found, self.add("Unsqueeze", scale, self.whole(-1)))

    def linear(self, name: str, x: str) -> str:
        turned = self.add("Transpose", self.opened(name + ".weight"), perm=[1, 0])
        return self.add("Add", self.add("MatMul", x, turned), self.array(name + ".bias"))

    def norm(self, name: str, x: str, epsilon: float = _EPSILON) -> str:
        learned = self.array(name + ".weight"), self.array(name + ".bias")
        return self.add("LayerNormalization", x, *learned, axis=-1, epsilon=epsilon)

    def feed(self, name: str, x: str) -> str:
        """The feed-forward part of a layer."""
        return self.linear(name + ".down", self.add("Gelu", self.linear(name + ".up", x), approximate="tanh"))

    def heads(self, x: str, count: int, parts: int) -> list[str]:
        """(texts, n, parts · width) as so many (texts, heads, n, width / heads)."""
        return [self.headed(each, count) for each in self.several("Split", x, count=parts, axis=-1, num_outputs=parts)]

    def headed(self, x: str, count: int) -> str:
        """(texts, n, width) as (texts, heads, n, width / heads)."""
        return self.add("Transpose", self.add("Reshape", x, self.whole(0, 0, count, -1)), perm=[0, 2, 1, 3])

    def joined(self, x: str) -> str:
        """(texts, heads, n, width / heads) as (texts, n, width)."""
        return self.add("Reshape", self.add("Transpose", x, perm=[0, 2, 1, 3]), self.whole(0, 0, -1))

    def turned(self, keys: str) -> str:
        return self.add("Transpose", keys, perm=[0, 1, 3, 2])

    def attend(self, q: str, turned: str, v: str, size: int, bias: str | None = None) -> str:
        """Attention of each head to keys, which are turned already, and values; `size` is a head's width."""
        scores = self.add("MatMul", self.add("Mul", q, self.constant(1 / math.sqrt(size))), turned)
        if bias:
            scores = self.add("Add", scores, bias)
        return self.add("MatMul", self.add("Softmax", scores, axis=-1), v)


def _lower(arrays: Arrays, settings: Mapping[str, Any]) -> onnx.ModelProto:
    """Pieces of texts to states; to vectors of words and names, which are averages of states."""
    part, width = Builder("lower", arrays), len(arrays["mean"])
    pieces = part.given("pieces", ["texts", "pieces"], _WHOLE)
    averages = part.given("averages", ["words", "pieces"])
    places = part.add("Range", part.whole_scalar(0), _length(part, pieces), part.whole_scalar(1))
    x = part.add("Add", part.rows("lower.words.weight", pieces), part.rows("lower.places.weight", places))
    x = part.norm("lower.norm", x, _PRETRAINED_EPSILON)
    for n in range(settings["lower"]):
        x = _pretrained(part, f"lower.layers.{n}", x, settings)
    part.told("states", x, ["texts", "pieces", width])
    mean = part.add("Cast", part.array("mean"), to=_FLOAT)
    part.told("vectors", part.add("Sub", part.add("MatMul", averages, x), mean), ["texts", "words", width])
    return part.model()


def _length(part: Builder, pieces: str) -> str:
    return part.add("Squeeze", part.add("Shape", pieces, start=1, end=2), part.whole(0))


def _pretrained(part: Builder, name: str, x: str, settings: Mapping[str, Any]) -> str:
    """A layer of BERT: attention, then a feed-forward part, each followed by a norm."""
    heads = settings["pretrained_heads"]
    q, k, v = part.heads(part.linear(name + ".qkv", x), heads, 3)
    mixed = part.joined(part.attend(q, part.turned(k), v, part.width(name + ".out") // heads))
    x = part.norm(name + ".norm1", part.add("Add", x, part.linear(name + ".out", mixed)), _PRETRAINED_EPSILON)
    return part.norm(name + ".norm2", part.add("Add", x, part.feed(name, x)), _PRETRAINED_EPSILON)


def _reader(arrays: Arrays, settings: Mapping[str, Any]) -> onnx.ModelProto:
    """States of pieces and what is known of nodes to what the writer looks at."""
    part = Builder("reader", arrays)
    pretrained, wide = len(arrays["mean"]), part.width("answer")
    x = part.given("states", [1, "pieces", pretrained])
    spread = part.given("spread", ["nodes", "pieces"])
    static = part.given("static", ["nodes", pretrained])
    features = part.given("features", ["nodes", part.width("features", 1)])
    bias = _bias(part, static)
    for n in range(settings["upper"]):
        x = _pretrained(part, f"upper.{n}", x, settings)
    nodes = part.add("Add", part.linear("names", static), part.linear("features", features))
    nodes = part.add("Add", part.linear("words", part.add("MatMul", spread, x)), nodes)  # (1, nodes, width)
    own = part.several("Split", bias, count=settings["readers"], axis=0, num_outputs=settings["readers"])
    for n in range(settings["readers"]):
        nodes = _related(part, f"readers.{n}", nodes, own[n], settings["heads"])
    _told_by_reader(part, part.norm("read", nodes), wide, settings)
    return part.model()


def _bias(part: Builder, static: str) -> str:
    """What relations and likeness add to the attention: (heads of all layers, nodes, nodes)."""
    relations = part.given("relations", ["nodes", "nodes"], _WHOLE)
    likeness = part.add("Mul", _cosines(part, static), part.given("pairs", ["nodes", "nodes"]))
    weight = part.add("Unsqueeze", part.array("alike"), part.whole(1, 2))
    learned = part.add("Gather", part.opened("relations.weight"), relations, axis=0)  # rows are copied whole
    return part.add("Add", part.add("Transpose", learned, perm=[2, 0, 1]), part.add("Mul", weight, likeness))


def _cosines(part: Builder, static: str) -> str:
    length = part.add("ReduceL2", static, part.whole(1), keepdims=1)
    unit = part.add("Div", static, part.add("Add", length, part.constant(1e-6)))
    return part.add("MatMul", unit, part.add("Transpose", unit, perm=[1, 0]))


def _related(part: Builder, name: str, nodes: str, bias: str, heads: int) -> str:
    q, k, v = part.heads(part.linear(name + ".qkv", part.norm(name + ".norm1", nodes)), heads, 3)
    mixed = part.joined(part.attend(q, part.turned(k), v, part.width(name + ".out") // heads, bias))
    nodes = part.add("Add", nodes, part.linear(name + ".out", mixed))
    return part.add("Add", nodes, part.feed(name, part.norm(name + ".norm2", nodes)))


def _told_by_reader(part: Builder, nodes: str, wide: int, settings: Mapping[str, Any]) -> None:
    """The nodes as they can be written and pointed at, how likely each is used, keys and values for each writer."""
    heads, flat = settings["heads"], part.whole(0)
    known = part.whole(part.width("grammar") - 1, 1)
    words, start = part.several("Split", part.opened("grammar.weight"), known, count=2, axis=0)
    pointed = part.add("Squeeze", part.linear("pointed", nodes), flat)
    part.told("before", part.add("Concat", words, pointed, start, axis=0), ["words", wide])
    part.told("answers", part.add("Squeeze", part.linear("answer", nodes), flat), ["nodes", wide])
    part.told("uses", part.add("Squeeze", part.add("Sigmoid", part.linear("used", nodes)), part.whole(0, 2)), ["nodes"])
    for n in range(settings["writers"]):
        k, v = part.heads(part.linear(f"writers.{n}.kv", nodes), heads, 2)
        part.told(f"keys.{n}", part.turned(k), [1, heads, wide // heads, "nodes"])
        part.told(f"values.{n}", v, [1, heads, "nodes", wide // heads])


def _writer(arrays: Arrays, settings: Mapping[str, Any]) -> onnx.ModelProto:
    """One place more of every beginning: scores of what may follow, and the pasts with this place."""
    part = Builder("writer", arrays)
    wide, heads = part.width("answer"), settings["heads"]
    before = part.given("before", ["words", wide])
    last = part.given("last", ["rows"], _WHOLE)
    place = part.given("place", [1], _WHOLE)
    rows = part.given("rows", ["rows"], _WHOLE)
    answers = part.given("answers", ["nodes", wide])
    x = part.add("Add", part.add("Gather", before, last, axis=0), part.rows("places.weight", place))
    x = part.add("Unsqueeze", x, part.whole(0))
    for n in range(settings["writers"]):
        x = _written(part, n, x, rows, heads, wide // heads)
    x = part.add("Squeeze", part.norm("written", x), part.whole(0))
    asked = part.add("Mul", part.linear("ask", x), part.constant(1 / math.sqrt(wide)))
    points = part.add("MatMul", asked, part.add("Transpose", answers, perm=[1, 0]))
    part.told("scores", part.add("Concat", part.linear("choose", x), points, axis=1), ["rows", "follow"])
    return part.model()


def _written(part: Builder, n: int, x: str, rows: str, heads: int, size: int) -> str:
    """A layer: attention to what the beginning has so far, then to the nodes, and a feed-forward part."""
    name, shape = f"writers.{n}", ["rows", heads, "places", size]
    every = part.linear(name + ".qkv", part.norm(name + ".norm1", x))
    apart = part.add("Reshape", every, part.whole(-1, 3 * heads, 1, size))
    q, *new = part.several("Split", apart, count=3, axis=1, num_outputs=3)
    pasts = []
    for kind, made in zip(("past_keys", "past_values"), new, strict=True):
        before = part.add("Gather", part.given(f"{kind}.{n}", ["before", heads, "past", size]), rows, axis=0)
        pasts.append(part.add("Concat", before, made, axis=2))
        part.told(f"{kind}.{n}.next", pasts[-1], shape)
    own = part.add("Reshape", part.attend(q, part.turned(pasts[0]), pasts[1], size), part.whole(1, -1, heads * size))
    x = part.add("Add", x, part.linear(name + ".out1", own))
    keys = part.given(f"keys.{n}", [1, heads, size, "nodes"])
    values = part.given(f"values.{n}", [1, heads, "nodes", size])
    asked = part.headed(part.linear(name + ".q", part.norm(name + ".norm2", x)), heads)
    x = part.add("Add", x, part.linear(name + ".out2", part.joined(part.attend(asked, keys, values, size))))
    return part.add("Add", x, part.feed(name, part.norm(name + ".norm3", x)))
