"""Calling a function of a program: what C expects of each argument, and where the memory of arrays is."""

import ast
import ctypes
import operator
import re
import sys

from . import _dlpack
from ._run import HexccError

_TYPES = {
    "_Bool": ctypes.c_bool, "bool": ctypes.c_bool, "char": ctypes.c_char, "signed char": ctypes.c_byte, "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short, "unsigned short": ctypes.c_ushort, "int": ctypes.c_int, "unsigned int": ctypes.c_uint, "unsigned": ctypes.c_uint,
    "long": ctypes.c_long, "unsigned long": ctypes.c_ulong, "long long": ctypes.c_longlong, "unsigned long long": ctypes.c_ulonglong,
    "size_t": ctypes.c_size_t, "float": ctypes.c_float, "double": ctypes.c_double, "long double": ctypes.c_longdouble,
}  # fmt: skip

# What the interfaces of arrays call the types of C: https://numpy.org/doc/stable/reference/arrays.interface.html
_CODES = {"_Float16": "f2", "float": "f4", "double": "f8", "long double": "f16", "float _Complex": "c8"}


def _code(c):
    if c in _CODES:
        return _CODES[c]
    kind = "b" if c in ("_Bool", "bool") else "u" if "unsigned" in c or c == "size_t" else "i"
    return kind + str(ctypes.sizeof(_TYPES[c]))


class Function:
    """A C function around regions. It is called with arguments in order, or by name.

    Arrays are C-contiguous, of the type and the extents that C says (an array of one dimension may have any shape of as many elements); integers that
    are extents of arrays need not be given. Where all arrays are on a GPU, stream= is the CUDA stream, a number; kernels then may still
    run when the call returns, as with CuPy.
    """

    def __init__(self, program, region, library):
        self.name, self.parameters = region["function"], region["signature"]
        self.arrays = {a["name"]: a for a in region["arrays"]}
        self._values = {v["name"]: v["type"] for v in region["parameters"] + region["scalars"]}
        self._library, self._program = library, program

    def __str__(self):
        return "%s(%s)" % (self.name, ", ".join(p["name"] for p in self.parameters))

    def __repr__(self):
        return "<hexcc.Function %s of %s>" % (self, self._program.name)

    def __call__(self, *args, stream=None, **named):
        names = [p["name"] for p in self.parameters]
        if len(args) > len(names):
            raise TypeError("%s takes %d arguments, and got %d" % (self, len(names), len(args)))
        given = dict(zip(names, args))
        for name, value in named.items():
            if name not in names:
                raise TypeError("%s has no parameter %s" % (self, name))
            if name in given:
                raise TypeError("%s got %s twice" % (self, name))
            given[name] = value
        memory = {p["name"]: _Memory.of(p["name"], given[p["name"]]) for p in self.parameters if p["pointer"] and p["name"] in given}
        self._extents(given, memory)
        for p in self.parameters:
            if p["name"] not in given:
                raise TypeError("%s needs %s" % (self, p["name"]))
        for name, m in memory.items():
            if name in self.arrays:
                self._check(self.arrays[name], m, given)
        on_device = [m.device for m in memory.values() if m.address]
        if on_device and all(on_device):
            return self._on_device(given, memory, self._stream(memory) if stream is None else stream)
        if any(on_device):
            raise TypeError("%s: some arrays are on a GPU, and some are not" % self)
        if stream is not None:
            raise TypeError("%s: stream= is for arrays on a GPU" % self)
        try:
            function = getattr(self._library, self.name)
        except AttributeError:
            raise TypeError("%s cannot be called from outside of its file: leave out static" % self.name) from None
        function.restype = None
        function(*[self._value(p, given, memory) for p in self.parameters])

    def _stream(self, memory):
        """Returns the stream on which arrays are computed, where they say so; 0 if none does: that of CUDA by default."""
        streams = {m.stream for m in memory.values() if m.stream is not None}
        if len(streams) > 1:
            raise TypeError("%s: arrays are computed on several CUDA streams (%s): synchronise them, and pass stream=" % (self, ", ".join(map(str, sorted(streams)))))
        return streams.pop() if streams else 0

    def _extents(self, given, memory):
        """Sets integers that are not given, and that are the extent of an array."""
        for name, m in memory.items():
            extents = self.arrays.get(name, {}).get("extents", [])
            if len(extents) == len(m.shape):
                for text, extent in zip(extents, m.shape):
                    if text in self._values and text not in given:
                        given[text] = extent

    def _check(self, array, m, given):
        if m.address == 0:
            raise TypeError("%s: %s is an array of %s, not None" % (self, array["name"], array["type"]))
        if m.code != _code(array["type"]):
            raise TypeError("%s: %s is an array of %s, and not of what was given (%s)" % (self, array["name"], array["type"], m.code))
        if m.read_only and not array["const"]:
            raise TypeError("%s: %s is written, and what was given is read-only" % (self, array["name"]))
        try:
            want = tuple(evaluate(e, given) for e in array["extents"])
        except (KeyError, ValueError):
            return  # what it is only C knows
        elements = 1
        for extent in want:
            elements *= max(extent, 0)
        same = m.shape == want if len(m.shape) == len(want) and len(want) > 1 else m.elements >= elements
        if not same:
            raise TypeError("%s: %s has the shape %s, and C has [%s], here %s" % (self, array["name"], m.shape, "][".join(array["extents"]), want))

    def _value(self, p, given, memory):
        if p["pointer"]:
            return ctypes.c_void_p(memory[p["name"]].address or None)
        kind = _TYPES.get(self._values.get(p["name"], p["type"]))
        if kind is None:
            raise TypeError("%s: %s is of type %s, which cannot be given from Python" % (self, p["name"], p["type"]))
        value = given[p["name"]]
        if kind in (ctypes.c_float, ctypes.c_double, ctypes.c_longdouble):
            return kind(value)
        value = operator.index(value)
        if kind(value).value != value:
            raise OverflowError("%s: %s = %d is no %s" % (self, p["name"], value, p["type"]))
        return kind(value)

    def _on_device(self, given, memory, stream):
        """Calls the functions of the header on device memory, region by region."""
        headers = [text for name, text in self._program.files.items() if name.endswith(".hex.h")]
        calls = re.findall(r"^int (hexcc_\w+_device)\(([^;]*)\);", headers[0] if headers else "", re.M)
        mine = [c for c, r in zip(calls, self._program.regions) if r["function"] == self.name]
        if not mine:
            raise TypeError("%s: the program is for CPUs: compile it with target='cuda'" % self)
        error = getattr(self._library, re.sub(r"_\d+_device$", "_error", mine[0][0]))
        error.restype = ctypes.c_char_p
        for call, formals in mine:
            values = []
            for formal in formals.split(",")[:-1]:
                name = re.search(r"(\w+)\s*$", formal).group(1)
                values.append(self._value({"name": name, "type": formal.strip(), "pointer": name in memory}, given, memory))
            if getattr(self._library, call)(*values, ctypes.c_void_p(stream)):
                raise HexccError(error().decode())


class _Memory:
    """Where an array is, and what it holds."""

    def __init__(self, interface, device):
        self.device = device
        self.stream = interface.get("stream")
        self.address, self.read_only = interface["data"]
        self.shape = tuple(interface["shape"])
        self.code = interface["typestr"][1:]
        self.elements = 1
        for extent in self.shape:
            self.elements *= extent

    @staticmethod
    def of(name, value):
        if value is None:
            return _Memory({"data": (0, False), "shape": (), "typestr": "|V0"}, False)
        interface, device = getattr(value, "__cuda_array_interface__", None), True
        if interface is None:
            interface, device = getattr(value, "__array_interface__", None), False
        if interface is None and hasattr(value, "__dlpack__"):
            interface, device = _dlpack.interface(value)
        if interface is None:
            raise TypeError("%s is an array, and %s is none" % (name, type(value).__name__))
        if interface["typestr"][0] == ">":
            raise TypeError("%s has its bytes in another order than the machine" % name)
        strides, expected = interface.get("strides"), int(re.sub(r"\D", "", interface["typestr"]))
        if strides is not None:
            for extent, stride in zip(reversed(interface["shape"]), reversed(strides)):
                if extent > 1 and stride != expected:
                    raise TypeError("%s is not contiguous in memory: pass numpy.ascontiguousarray(%s), or a copy" % (name, name))
                expected *= extent
        made = _Memory(interface, device)
        if device and made.stream is None:
            made.stream = _torch_stream(value)
        return made


def _torch_stream(value):
    """Returns the stream that PyTorch has chosen, where value is a tensor of it, which does not say that itself; else None."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    return torch.cuda.current_stream(value.device).cuda_stream or 1  # as arrays call the default stream


_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: lambda a, b: int(a / b), ast.USub: operator.neg}


def evaluate(text, values):
    """Returns the value of a sum or product of integers and names; ValueError if it is anything else."""

    def value(x):
        if isinstance(x, ast.Constant) and isinstance(x.value, int):
            return x.value
        if isinstance(x, ast.Name):
            return operator.index(values[x.id])
        if isinstance(x, ast.BinOp) and type(x.op) in _OPERATORS:
            return _OPERATORS[type(x.op)](value(x.left), value(x.right))
        if isinstance(x, ast.UnaryOp) and type(x.op) in _OPERATORS:
            return _OPERATORS[type(x.op)](value(x.operand))
        raise ValueError(text)

    try:
        return value(ast.parse(re.sub(r"(\d)\s*(?=[A-Za-z_(])", r"\1*", text.strip()), mode="eval").body)
    except SyntaxError:
        raise ValueError(text) from None
