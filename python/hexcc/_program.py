"""Programs: C that was translated, compiled and loaded."""

import ctypes
import hashlib
import html
import json
import os
import pathlib
import re
import shlex
import shutil
import tempfile

from . import _run
from ._call import Function

TARGETS = ("openmp", "c", "cuda")

# Results are those of the source only where compilers fuse no products and sums.
_FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fPIC", "-w"]


def compile(source, *, target="openmp", flags=(), name="kernel.c", cflags=(), include=(), shim=False):
    """Translates C with regions between #pragma scop and #pragma endscop, compiles what comes out, and returns a Program.

    source   C as a string, or the path of a file (pathlib.Path, or a str that ends in .c)
    target   "openmp": threads on the CPU; "c": one thread; "cuda": the first GPU, by nvcc
    flags    of hexcc: a list, or one string, such as "--strategy=hybrid --tile=h=2,w0=3,w1=64"; with cuda and without --arch, kernels are for this machine's GPU,
             or sm_80 where none is found
    name     what diagnostics call a source that is a string
    cflags   further flags of the C compiler, $CC, or cc (with cuda: of nvcc)
    include  folders in which hexcc and the compiler look for headers
    shim     with "cuda": kernels run on the CPU, as they are, for tests without a GPU

    What was built is kept in $HEXCC_CACHE, or hexcc in the user's cache folder, and taken from there as long as the source, the headers that it
    includes, flags and compilers are the same. Raises CompileError if hexcc refuses the source, HexccError if a compiler fails.
    """
    if target not in TARGETS:
        raise ValueError("target is one of %s, not %r" % (", ".join(TARGETS), target))
    flags = shlex.split(flags) if isinstance(flags, str) else [str(f) for f in flags]
    if target == "cuda" and not shim and _asked(flags) is None:
        flags = flags + ["--arch=" + (_run.architecture() or "sm_80")]
    cflags = shlex.split(cflags) if isinstance(cflags, str) else [str(f) for f in cflags]
    include = [os.path.abspath(d) for d in include]
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(".c") and "\n" not in source):
        path = pathlib.Path(source)
        name, text, include = path.name, path.read_text(), [str(path.resolve().parent)] + include
    else:
        text = source
    return Program(text, name, target, flags, cflags, include, shim)


def _asked(flags):
    """Returns what --arch=X or --arch X among flags asks for; None: there is none."""
    for flag, behind in zip(flags, [*flags[1:], ""]):
        if flag == "--arch":
            return behind
        if flag.startswith("--arch="):
            return flag.partition("=")[2]
    return None


class Program:
    """A translated program. Its functions are attributes, and one with a single function can be called itself.

    functions  names of the functions that hold regions, each a Function
    files      what hexcc wrote: a dict of texts by name
    folder     where that, and the library, are kept
    """

    def __init__(self, text, name, target, flags, cflags, include, shim):
        self.name, self.target, self.source, self._flags = name, target, text, flags
        self._include = ["-I" + d for d in include]
        key = [text, name, target, flags, cflags, include, shim, _run.identity(_run.binary()), self._compilers(target, shim)]
        digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:32]
        self.folder = _cache() / digest
        if not _current(self.folder):
            self._build(cflags, shim)
        self.files = {p.name: p.read_text() for p in sorted(self.folder.iterdir()) if ".hex" in p.name and p.suffix in (".c", ".cu", ".h")}
        self._library = ctypes.CDLL(str(self.folder / "library.so"))
        self.regions = json.loads((self.folder / "inspect.json").read_text())
        self.functions = {}
        for region in self.regions:
            if region["function"] not in self.functions:
                self.functions[region["function"]] = Function(self, region, self._library)

    def __getattr__(self, name):
        functions = self.__dict__.get("functions", {})
        if name in functions:
            return functions[name]
        raise AttributeError("%s has no function %s with a region; there are %s" % (self.__dict__.get("name"), name, ", ".join(functions) or "none"))

    def __call__(self, *args, **named):
        if len(self.functions) != 1:
            raise TypeError("%s has several functions: call one of %s" % (self.name, ", ".join(self.functions)))
        return next(iter(self.functions.values()))(*args, **named)

    def __repr__(self):
        return "<hexcc.Program %s, --target=%s: %s>" % (self.name, self.target, ", ".join(map(str, self.functions.values())))

    def inspect(self, *args):
        """Returns what hexcc inspect --format=json prints of the program, an object for each region: docs/inspect.md has the fields."""
        if not args:
            return self.regions
        return _regions(_run.hexcc(["inspect", "--format=json", *self._said(), *args]))

    def report(self):
        """Returns the page of hexcc report: shown as such in notebooks; .html is its text."""
        with tempfile.TemporaryDirectory() as dir:
            out = os.path.join(dir, "report.html")
            _run.hexcc(["report", "-o", out, *self._said()])
            return Report(pathlib.Path(out).read_text())

    def verify(self, *args):
        """Runs hexcc verify, which compares the translation with the source on random data bit for bit, and returns what it prints.

        args are further flags of it, such as "--sizes=n=50:steps=9". Raises VerifyError if results differ.
        """
        return _run.hexcc(["verify", *self._said(), *args], error=_run.VerifyError)

    def _said(self):
        """The arguments that a command is given to do what the translation did."""
        target = [] if self.target == "cuda" else ["--target=" + self.target]
        return [*target, *self._flags, *self._include, str(self.folder / self.name)]

    @staticmethod
    def _compilers(target, shim):
        cc = os.environ.get("CC") or "cc"
        if target != "cuda":
            return [_run.identity(shlex.split(cc)[0]), cc]
        return [cc, _run.identity("c++" if shim else "nvcc")]

    def _build(self, cflags, shim):
        """Builds in a folder of its own, which then takes its place at once: others may do the same."""
        cache = self.folder.parent
        cache.mkdir(parents=True, exist_ok=True)
        made = pathlib.Path(tempfile.mkdtemp(dir=cache))
        final, self.folder = self.folder, made
        try:
            (made / self.name).write_text(self.source)
            base = pathlib.Path(self.name).stem
            os.chmod(made, 0o755)  # as other folders of the cache: mkdtemp makes it private
            _run.hexcc(["--target=" + self.target, *self._flags, *self._include, "-MD", "-MF", made / "headers.d", "-o", made / base, made / self.name])
            regions = _regions(_run.hexcc(["inspect", "--format=json", *self._said()]))
            (made / "inspect.json").write_text(json.dumps(regions))
            self._compile(base, cflags, shim)
            headers = {h: _hash(h) for h in _headers(made / "headers.d") if pathlib.Path(h).parent != made}
            (made / "headers.json").write_text(json.dumps(headers))
            if final.exists():
                shutil.rmtree(final, ignore_errors=True)
            try:
                made.rename(final)
            except OSError:  # another process was faster
                if not _current(final):
                    raise
        except _run.CompileError as e:
            raise e.without(str(made) + os.sep) from None
        finally:
            self.folder = final
            shutil.rmtree(made, ignore_errors=True)

    def _compile(self, base, cflags, shim):
        cc, dir = shlex.split(os.environ.get("CC") or "cc"), self.folder
        if self.target != "cuda":
            threads = ["-fopenmp"] if self.target == "openmp" else []
            _run.compiler([*cc, *_FLAGS, *threads, *self._include, *cflags, "-shared", base + ".hex.c", "-lm", "-o", "library.so"], dir)
            return
        _run.compiler([*cc, *_FLAGS, *self._include, "-I.", "-x", "c", "-c", base + ".hex_host.cu", "-o", "host.o"], dir)
        if shim:
            _run.hexcc(["shim", "-o", dir / "shim"])
            _run.compiler(["c++", "-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-fPIC", "-w", *cflags, "-Ishim", "-x", "c++", "-c",
                           base + ".hex_kernel.cu", "-o", "kernel.o"], dir)
            _run.compiler(["c++", "-shared", "host.o", "kernel.o", "-o", "library.so", "-lpthread", "-lm"], dir)
            return
        _run.compiler(["nvcc", "-O3", "-arch=" + _asked(self._flags), "-Xcompiler", "-fPIC", *cflags, "-shared", base + ".hex_kernel.cu", "host.o", "-o", "library.so"], dir)


class Report:
    """A page of hexcc report."""

    def __init__(self, text):
        self.html = text

    def save(self, path):
        """Writes the page to a file."""
        pathlib.Path(path).write_text(self.html)

    def _repr_html_(self):
        return '<iframe srcdoc="%s" width="100%%" height="800" style="border: 0"></iframe>' % html.escape(self.html, quote=True)


def _regions(text):
    made = json.loads(text)
    return made if isinstance(made, list) else [made]


def _cache():
    given = os.environ.get("HEXCC_CACHE")
    if given:
        return pathlib.Path(given)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "hexcc" / "python"


def _headers(depfile):
    """Returns the headers that a file of make dependencies names."""
    text = pathlib.Path(depfile).read_text().replace("\\\n", " ")
    rule = text.split("\n", 1)[0].partition(":")[2]
    return [re.sub(r"\\(.)", r"\1", h).replace("$$", "$") for h in re.findall(r"(?:\\.|\S)+", rule)]


def _hash(path):
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _current(folder):
    """Says whether what a folder has was made of headers that are as they were."""
    try:
        headers = json.loads((folder / "headers.json").read_text())
    except OSError:
        return False
    return all(_hash(h) == was for h, was in headers.items())
