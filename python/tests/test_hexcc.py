"""Tests of the package: unittest, with NumPy where it is there. HEXCC names the program."""

import ctypes
import os
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

import hexcc
from hexcc import _run
from hexcc._call import _Memory, evaluate

HEAT = """
#include "weight.h"
void heat(int steps, int n, int m, float A[2][n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = WEIGHT * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}

void wave(long n, int steps, double c, double u[3][n], int *count)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      u[(t + 2) % 3][i] = 2 * u[(t + 1) % 3][i] - u[t % 3][i] + c * (u[(t + 1) % 3][i - 1] - 2 * u[(t + 1) % 3][i] + u[(t + 1) % 3][i + 1]);
#pragma endscop
  if (count)
    *count += steps;
}
"""


def heat(steps, A):
    """heat() by NumPy, operation for operation."""
    for t in range(steps):
        a = A[t % 2]
        A[(t + 1) % 2, 1:-1, 1:-1] = np.float32(0.25) * (((a[:-2, 1:-1] + a[2:, 1:-1]) + a[1:-1, :-2]) + a[1:-1, 2:])


def wave(steps, c, u):
    """wave() by NumPy."""
    for t in range(steps):
        old, now = u[t % 3], u[(t + 1) % 3]
        u[(t + 2) % 3, 1:-1] = 2 * now[1:-1] - old[1:-1] + c * (now[:-2] - 2 * now[1:-1] + now[2:])


class Device:
    """An array that says that it is on a GPU; with shim=True that is where kernels run."""

    def __init__(self, array):
        self.array, self.__cuda_array_interface__ = array, {**array.__array_interface__, "version": 3}


class Exported:
    """An array with DLPack alone, which says that it is on such a device."""

    def __init__(self, array, kind=2, number=0):
        self.array, self.device, self.asked = array, (kind, number), []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **how):
        self.asked.append(how)
        return self.array.__dlpack__()


class TestHexcc(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["HEXCC_CACHE"] = os.path.join(cls.folder.name, "cache")
        cls.include = os.path.join(cls.folder.name, "include")
        os.mkdir(cls.include)
        cls.header = pathlib.Path(cls.include, "weight.h")
        cls.header.write_text("#define WEIGHT 0.25f\n")
        cls.programs = {target: hexcc.compile(HEAT, target=target, include=[cls.include], shim=target == "cuda") for target in ("openmp", "c", "cuda")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def arrays(self):
        r = np.random.default_rng(1)
        return r.random((2, 61, 47), np.float32), r.random((3, 200))

    def test_results(self):
        want_a, want_u = self.arrays()
        heat(13, want_a)
        wave(20, 0.3, want_u)
        for target, program in self.programs.items():
            with self.subTest(target):
                a, u = self.arrays()
                program.heat(13, 61, 47, a)
                program.wave(steps=20, c=0.3, u=u, count=None)
                np.testing.assert_array_equal(a, want_a)
                np.testing.assert_array_equal(u, want_u)

    def test_none_and_counts(self):
        count = np.zeros(1, np.intc)
        u = self.arrays()[1]
        self.programs["c"].wave(200, 7, 0.3, u.reshape(3, 200), count)
        self.assertEqual(count[0], 7)

    def test_device(self):
        want, a = self.arrays()[0], self.arrays()[0]
        heat(9, want)
        self.programs["cuda"].heat(steps=9, A=Device(a))
        np.testing.assert_array_equal(a, want)
        with self.assertRaisesRegex(TypeError, "target='cuda'"):
            self.programs["c"].heat(steps=9, A=Device(a))
        with self.assertRaisesRegex(TypeError, "stream= is for arrays on a GPU"):
            self.programs["cuda"].heat(steps=9, A=a, stream=1)

    def test_dlpack(self):
        want, a, b = self.arrays()[0], self.arrays()[0], self.arrays()[0]
        heat(9, want)
        x = Exported(a)
        self.programs["cuda"].heat(steps=9, A=x)
        np.testing.assert_array_equal(a, want)
        self.assertEqual(x.asked, [{"stream": 1}])
        self.programs["c"].heat(steps=9, A=Exported(b, kind=1))
        np.testing.assert_array_equal(b, want)
        f, a = self.programs["cuda"].heat, self.arrays()[0]
        for says, array in {
            "A is an array of float, and not of what was given .f8.": Exported(a.astype(float)),
            "A has the shape": Exported(a[:1].copy()),
            "not contiguous": Exported(a[:, :, ::2]),
            "on GPU 1, and functions run on GPU 0": Exported(a, number=1),
            "device of DLPack's kind 8": Exported(a, kind=8),
        }.items():
            with self.assertRaisesRegex(TypeError, says):
                f(A=array, steps=9, n=61, m=47)
        with self.assertRaisesRegex(TypeError, "target='cuda'"):
            self.programs["c"].heat(steps=9, A=Exported(a))
        self.assertEqual(a.tobytes(), self.arrays()[0].tobytes())

    def test_streams(self):
        arrays = {"one": [7], "none": [None, None], "alike": [7, None, 7], "several": [7, 8]}
        f = self.programs["cuda"].heat
        for name, want in {"one": 7, "none": 0, "alike": 7}.items():
            self.assertEqual(f._stream({i: _Memory({**self.arrays()[0].__array_interface__, "stream": s}, True) for i, s in enumerate(arrays[name])}), want)
        with self.assertRaisesRegex(TypeError, "several CUDA streams .7, 8.: .* pass stream="):
            f._stream({i: _Memory({**self.arrays()[0].__array_interface__, "stream": s}, True) for i, s in enumerate(arrays["several"])})

    def test_torch_stream(self):
        class Tensor(Device):
            device = "cuda:0"

        number = 9

        def current(device):
            self.assertEqual(device, "cuda:0")
            return types.SimpleNamespace(cuda_stream=number)

        a = self.arrays()[0]
        torch = types.SimpleNamespace(Tensor=Tensor, cuda=types.SimpleNamespace(current_stream=current))
        with mock.patch.dict(sys.modules, torch=torch):
            self.assertEqual(_Memory.of("A", Tensor(a)).stream, 9)
            self.assertIsNone(_Memory.of("A", Device(a)).stream)
            said = Tensor(a)
            said.__cuda_array_interface__["stream"] = 7
            self.assertEqual(_Memory.of("A", said).stream, 7)
            number = 0
            self.assertEqual(_Memory.of("A", Tensor(a)).stream, 1)
        with mock.patch.dict(sys.modules, torch=None):
            self.assertIsNone(_Memory.of("A", Tensor(a)).stream)

    def test_mistakes(self):
        a, u = self.arrays()
        f, g = self.programs["c"].heat, self.programs["c"].wave
        for says, call in {
            "A is an array of float, and not of what was given .f8.": lambda: f(steps=1, A=a.astype(float)),
            "A has the shape .2, 61, 47., and C has .2..n..m., here .2, 61, 48.": lambda: f(1, 61, 48, a),
            "not contiguous": lambda: f(steps=1, A=a[:, :, ::2]),
            "bytes in another order": lambda: f(steps=1, A=a.astype(">f4")),
            "A is an array of float, not None": lambda: f(1, 61, 47, None),
            "A is an array, and list is none": lambda: f(1, 61, 47, [1, 2]),
            "needs steps": lambda: f(A=a),
            "has no parameter k": lambda: f(A=a, k=1),
            "got n twice": lambda: f(1, 61, n=61),
            "takes 4 arguments, and got 5": lambda: f(1, 2, 3, a, 5),
            "read-only": lambda: f(steps=1, A=np.broadcast_to(a, a.shape)),
            "float": lambda: f(steps=1.5, A=a),
        }.items():
            with self.assertRaisesRegex(TypeError, says):
                call()
        with self.assertRaisesRegex(OverflowError, "steps = 2147483648 is no int"):
            f(steps=2**31, A=a)
        with self.assertRaisesRegex(AttributeError, "no function fire with a region; there are heat, wave"):
            self.programs["c"].fire
        with self.assertRaisesRegex(TypeError, "several functions"):
            self.programs["c"](1)
        self.assertEqual(a.tobytes(), self.arrays()[0].tobytes())

    def test_refused(self):
        with self.assertRaises(hexcc.CompileError) as caught:
            hexcc.compile("void f(int n, float *A, int *at)\n{\n#pragma scop\nfor (int t = 0; t < 9; t++)\n  for (int i = 0; i < n; i++)\n    A[i] = A[at[i]];\n#pragma endscop\n}\n", name="mine.c")
        self.assertIn("mine.c:6:", str(caught.exception))
        self.assertIn("[HX101]", str(caught.exception))
        self.assertIn("^~~", str(caught.exception))
        self.assertNotIn(self.folder.name, str(caught.exception))
        self.assertEqual([(d["code"], d["file"], d["line"]) for d in caught.exception.diagnostics], [("HX101", "mine.c", 6)])
        with self.assertRaisesRegex(hexcc.HexccError, "no-such-compiler"):
            os.environ["CC"] = "no-such-compiler"
            try:
                hexcc.compile(HEAT, target="c", include=[self.include], cflags="-O1")
            finally:
                del os.environ["CC"]
        with self.assertRaisesRegex(ValueError, "target is one of"):
            hexcc.compile(HEAT, target="fortran")

    def test_cache(self):
        def build():
            return hexcc.compile(HEAT, target="c", include=[self.include], cflags=["-O2"])

        first = build()
        made = os.stat(first.folder / "library.so").st_mtime_ns
        self.assertEqual(os.stat(build().folder / "library.so").st_mtime_ns, made)
        self.header.write_text("#define WEIGHT 0.5f\n")
        try:
            second = build()
            self.assertNotEqual(os.stat(second.folder / "library.so").st_mtime_ns, made)
            self.assertEqual([d for d in os.listdir(os.environ["HEXCC_CACHE"]) if d.startswith("tmp")], [])
        finally:
            self.header.write_text("#define WEIGHT 0.25f\n")

    @unittest.skipIf(os.name == "nt", "a script stands in for nvidia-smi")
    def test_architecture(self):
        with tempfile.TemporaryDirectory() as dir, mock.patch.dict(os.environ, PATH=dir + os.pathsep + os.environ["PATH"]):
            smi = pathlib.Path(dir, "nvidia-smi")
            for said, want in (("9.0", "sm_90"), ("9.0\\n9.0", "sm_90"), ("8.0\\n9.0", None), ("99.9", None), ("", None), ("9.0; exit 9", None)):
                text, _, then = said.partition(";")
                smi.write_text("#!/bin/sh\nprintf '%s\\n'\n%s\n" % (text, then))
                smi.chmod(0o755)
                _run.architecture.cache_clear()
                self.assertEqual(_run.architecture(), want, said)
            smi.write_text("#!/bin/sh\necho 8.6\n")
            _run.architecture.cache_clear()
            self.addCleanup(_run.architecture.cache_clear)
            with mock.patch("hexcc._program.Program") as program:
                hexcc.compile(HEAT, target="cuda")
                self.assertEqual(program.call_args[0][3], ["--arch=sm_86"])
                hexcc.compile(HEAT, target="cuda", flags="--arch=sm_70")
                self.assertEqual(program.call_args[0][3], ["--arch=sm_70"])
                hexcc.compile(HEAT, target="cuda", flags="--arch sm_70")
                self.assertEqual(program.call_args[0][3], ["--arch", "sm_70"])
                smi.write_text("#!/bin/sh\nexit 1\n")
                _run.architecture.cache_clear()
                hexcc.compile(HEAT, target="cuda")
                self.assertEqual(program.call_args[0][3], ["--arch=sm_80"])

    def test_looks(self):
        program = self.programs["cuda"]
        self.assertEqual([r["function"] for r in program.inspect()], ["heat", "wave"])
        self.assertIn("verified: bit for bit", program.verify("--sizes=n=20:m=20:steps=5"))
        self.assertIn("srcdoc=", program.report()._repr_html_())
        self.assertIn("heat(steps, n, m, A)", repr(program))
        self.assertTrue(hexcc.version().startswith("hexcc "))
        self.assertIn("kernel.hex.h", program.files)

    def test_evaluate(self):
        self.assertEqual(evaluate("2n + 3*(m - 1)", {"n": 5, "m": 2}), 13)
        for text in ("f(n)", "n if n else 1", "n +", "__import__('os')"):
            with self.assertRaises(ValueError):
                evaluate(text, {"n": 1})

    def test_notebook(self):
        try:
            from IPython.core.interactiveshell import InteractiveShell
        except ImportError:
            self.skipTest("no IPython")
        shell = InteractiveShell.instance()
        shell.run_line_magic("load_ext", "hexcc")
        shell.run_cell_magic("hexcc", "--target=c --strategy=space", HEAT.replace('#include "weight.h"', "#define WEIGHT 0.25f"))
        a, want = self.arrays()[0], self.arrays()[0]
        heat(3, want)
        shell.user_ns["heat"](steps=3, A=a)
        np.testing.assert_array_equal(a, want)


if __name__ == "__main__":
    assert ctypes.sizeof(ctypes.c_void_p) == 8
    unittest.main()
