"""hexcc from Python: C stencils as functions that take arrays.

    import hexcc, numpy as np

    heat = hexcc.compile('''
    void heat(int steps, int n, float A[2][n][n])
    {
    #pragma scop
      for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
          for (int j = 1; j < n - 1; j++)
            A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]
                                            + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
    #pragma endscop
    }
    ''')
    A = np.zeros((2, 1000, 1000), np.float32)
    heat(steps=100, A=A)            # n is the extent of A

The functions work on the memory of their arguments: NumPy arrays on CPUs, and on GPUs (target="cuda") also CuPy
arrays and whatever has __cuda_array_interface__, where that memory is on the device. Nothing is copied in Python.
"""

from ._call import Function
from ._program import Program, compile
from ._run import CompileError, HexccError, VerifyError, binary, version

__all__ = ["CompileError", "Function", "HexccError", "Program", "VerifyError", "binary", "compile", "version"]


def load_ipython_extension(shell):
    """%load_ext hexcc: then a cell that begins with %%hexcc is C, and its functions are there in the notebook."""
    from ._magic import Magics

    shell.register_magics(Magics)
