"""Finding and running hexcc, and compilers."""

import functools
import json
import os
import pathlib
import shutil
import subprocess


class HexccError(Exception):
    """What went wrong, in the words of the program that said it."""


class CompileError(HexccError):
    """A source that hexcc refuses: str() is what it prints, with the place and a way out.

    diagnostics is the same as a list of objects, as hexcc -fdiagnostics-format=json prints it.
    """

    def __init__(self, text, diagnostics=()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)

    def without(self, prefix):
        """Returns the same of files whose names do not begin so."""
        return CompileError(str(self).replace(prefix, ""), json.loads(json.dumps(self.diagnostics).replace(json.dumps(prefix)[1:-1], "")))


class VerifyError(HexccError):
    """A program whose translation does not do what it does."""


def binary():
    """Returns the path of the hexcc that is used: $HEXCC, else that of the wheel, else the one on PATH."""
    name = "hexcc.exe" if os.name == "nt" else "hexcc"
    own = pathlib.Path(__file__).parent / "bin" / name
    found = os.environ.get("HEXCC") or (str(own) if own.exists() else shutil.which("hexcc"))
    if not found:
        raise HexccError("there is no hexcc on PATH: install the wheel, or set HEXCC to the program")
    return found


@functools.lru_cache(maxsize=None)  # asking takes a GPU's driver up to a second
def architecture():
    """Returns the architecture of the GPUs of this machine, as "sm_90"; None: there is none, they differ, or hexcc does not know it."""
    path = shutil.which("nvidia-smi")
    if not path:
        return None
    done = _run([path, "--query-gpu=compute_cap", "--format=csv,noheader"])
    found = {"sm_" + line.strip().replace(".", "") for line in done.stdout.splitlines() if line.strip()}
    if done.returncode or len(found) != 1:
        return None
    arch = found.pop()
    return arch if arch in hexcc(["help", "arch"]).split() else None


def version():
    """Returns what hexcc version prints, as "hexcc 0.1.0"."""
    return hexcc(["version"]).strip()


def _run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def hexcc(args, error=CompileError):
    """Runs hexcc, and returns what it prints; raises error with what it says if it fails."""
    command = [binary()] + [str(a) for a in args]
    done = _run(command)
    if done.returncode:
        text = (done.stderr or done.stdout).rstrip()
        if error is not CompileError:
            raise error(text)
        try:
            diagnostics = json.loads(_run(command[:1] + ["-fdiagnostics-format=json"] + command[1:]).stderr)
        except ValueError:
            diagnostics = []  # it has ended in another way than before
        raise CompileError(text, diagnostics)
    return done.stdout


def compiler(command, cwd):
    """Runs a compiler, and raises what it says if it fails."""
    try:
        done = _run(command, cwd=cwd)
    except OSError as e:
        raise HexccError("%s cannot be run: %s" % (command[0], e)) from e
    if done.returncode:
        raise HexccError("%s\n%s" % (" ".join(command), (done.stderr or done.stdout).rstrip()))


@functools.lru_cache(maxsize=None)
def identity(program):
    """Returns a text that changes when a program does: its path, size and time of change."""
    path = shutil.which(program) or program
    try:
        info = os.stat(path)
    except OSError:
        return path
    return "%s %d %d" % (os.path.realpath(path), info.st_size, info.st_mtime_ns)
