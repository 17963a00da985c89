package main

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
)

// names is how many random names TestHostileNames tries, each for all targets.
var names = flag.Int("names", 3, "random file names to try")

// hostileNames are names of sources, as a file system takes them.
var hostileNames = []string{
	"plain", "with space", "new\nline", "new\n#error line", "quote\"s", "apostro'phe", "back\\slash", "back\\n", "\\", "x; * int x", "??>", "??=??(\n", "100%d%s%n",
	"tab\tbed", "return\r", "esc\x1b[31m", "\xff\xfe", "über", "漢字", "\u202eesrever", "a:b", "a;b", "a=b", "$HOME", "#define", "~", "-dash", "a&b", "a|b", "<b>", "x(y)", "`ls`", "{}", "@x", "[a-z]*", "%", "!", ".", "..x", "$(shell false)", "*",
}

var nameParts = []string{"a", "b.c", " ", "\n", "\"", "'", "\\", "*", "??>", "?", "%", "%s", "\t", "\r", "\x1b", "\xff", "é", "漢", "\u202e", "\u2028", ":", ";", "=", "$", "$$", "#", "~", "-", "&", "|", "<", ">", "(", ")", "`", "{", "@", "[", "*", "!", ".", ",", "+"}

// randomName returns a name of at most 6 parts.
func randomName(r *rand.Rand) string {
	for {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(nameParts[r.IntN(len(nameParts))])
		}
		if name := b.String(); name != "." && name != ".." {
			return name
		}
	}
}

// TestHostileNames translates a file with each name, in a folder with each name, for all targets, and compiles what
// comes out. A name is refused only with HX015, and then -o gives a way out.
func TestHostileNames(t *testing.T) {
	cc := "gcc"
	source := strings.ReplaceAll(functionText, "UPDATE", "a[t % 2][i - 1] + HALO")
	r := rand.New(rand.NewPCG(uint64(*names), 5))
	all := hostileNames
	for range *names {
		all = append(all, randomName(r))
	}
	old, err := os.Getwd()
	require.NoError(t, err)
	t.Cleanup(func() { os.Chdir(old) })
	refused := 0
	for i, name := range all {
		if i%3 > 0 && !cases.Whole() {
			continue
		}
		dir := filepath.Join(t.TempDir(), "d"+name)
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.Chdir(dir))
		file, header := name+".c", "h"+strings.NewReplacer("\"", "q", "\n", "n").Replace(name)
		text := source
		if !strings.ContainsAny(header, "\r\\\u202e") && !strings.Contains(header, "??") && i < len(hostileNames) {
			text = "#include \"" + header + "\"\n" + source
		} else {
			header = "plain.h"
			text = "#include \"plain.h\"\n" + source
		}
		require.NoError(t, os.WriteFile(header, []byte("#define HALO 1\n"), 0o666))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		absolute := filepath.Join(dir, file)
		hexcc := func(args ...string) (int, string) {
			var stdout, stderr strings.Builder
			status := run(args, &stdout, &stderr)
			for _, c := range stderr.String() {
				require.True(t, c >= ' ' && c != 0x7f || c == '\n' || c == '\t', "%q says %q", args, stderr.String())
			}
			return status, stderr.String()
		}
		targets := []string{"cuda", "opencl", "openmp", "c"}
		if i < len(hostileNames) {
			targets = []string{targets[i%2], targets[2+i/2%2]}
		}
		for k, target := range targets {
			path := []string{file, absolute}[(i+k)%2]
			args := []string{"--force", "--target=" + target, "--assume=n <= 1000", "--tile=h=1,w0=7"}
			if target == "cuda" || target == "opencl" {
				args = append(args, "--check", "--line-directives")
			}
			status, says := hexcc(append(args, "--", path)...)
			base := name
			if status != 0 {
				require.Equal(t, 1, status, "%q: %s", path, says)
				require.Contains(t, says, "[HX015]", "%q", path)
				require.NotContains(t, []string{"openmp", "c"}, target)
				base = "instead"
				refused++
				status, says = hexcc(append(args, "-o", base, "--", path)...)
				require.Zero(t, status, "%q: %s", path, says)
			}
			compiles(t, cc, target, base)
		}
		for _, command := range []string{"plot", "report"} {
			status, says := hexcc(command, "--tile=h=1,w0=7", "-o", "out", "--force", "--", file)
			require.Zero(t, status, "%q: %s", file, says)
			made, err := os.ReadFile("out")
			require.NoError(t, err)
			if command == "plot" {
				wellFormed(t, made)
			}
			require.NotContains(t, string(made), "\x1b")
		}
		for _, format := range []string{"text", "json", "isl"} {
			status, says := hexcc("inspect", "--tile=h=1,w0=7", "--format="+format, "--", file)
			require.Zero(t, status, "%q: %s", file, says)
		}
		status, says := hexcc("inspect", "--tile=h=1,w0=7", "--save-schedule=s.hs", "--", file)
		require.Zero(t, status, "%q: %s", file, says)
		status, says = hexcc("--load-schedule=s.hs", "--target=c", "--", file)
		require.Zero(t, status, "%q: %s", file, says)
		status, says = hexcc("verify", "--tile=h=1,w0=7", "--sizes=n=20:T=3", "--", file)
		require.Zero(t, status, "%q: %s", file, says)
		makes(t, hexcc, file, header)
	}
	t.Logf("%d names, %d translations refused", len(all), refused)
}

// compiles has gcc take what was written for a target, with all warnings, as C11 where trigraphs count and as GNU C.
func compiles(t *testing.T, cc, target, base string) {
	t.Helper()
	files := map[string][]string{
		"cuda": {".hex_host.cu", ".hex_check.c"}, "opencl": {".hex_host.c", ".hex_kernel.c", ".hex_check.c"}, "openmp": {".hex.c"}, "c": {".hex.c"},
	}[target]
	for _, end := range files {
		std := []string{"-std=c11", "-std=gnu17"}[len(base+end)%2]
		out, err := exec.Command(cc, std, "-x", "c", "-fsyntax-only", "-Wall", "-Wno-unknown-pragmas", "-Werror", "-D_GNU_SOURCE", "-fopenmp", "./"+base+end).CombinedOutput()
		if err != nil && strings.Contains(string(out), "CL/cl.h") {
			continue // there are no OpenCL headers here
		}
		require.NoError(t, err, "%q %s: %s", base+end, std, out)
	}
}

// wellFormed reads XML to its end.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(text)))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

// makes lets make read the dependencies of a file: it knows when each input is newer.
func makes(t *testing.T, hexcc func(args ...string) (int, string), inputs ...string) {
	t.Helper()
	file := inputs[0]
	status, says := hexcc("--target=c", "--tile=h=1,w0=7", "-MD", "-MP", "-MF", "deps", "--force", "--", file)
	if status != 0 {
		require.Contains(t, says, "rules of make cannot hold", "%q", file)
		return
	}
	output := strings.TrimSuffix(file, ".c") + ".hex.c"
	deps, err := os.ReadFile("deps")
	require.NoError(t, err)
	_, rule, _ := strings.Cut(string(deps), ":") // that of the output may have escaped colons
	require.NotEmpty(t, rule)
	makefile := "all: " + makeName(output) + "\n\t@echo done\n" + makeTarget(output) + ":\n\t@echo again\n\ninclude deps\n"
	require.NoError(t, os.WriteFile("makefile", []byte(makefile), 0o666))
	at := func(name string, seconds int64) { require.NoError(t, touch(name, seconds)) }
	build := func() string {
		out, err := exec.Command("make", "-rR", "-f", "makefile", "all").CombinedOutput()
		require.NoError(t, err, "%q: %s\n%s", file, out, deps)
		return string(out)
	}
	for _, newer := range append(inputs[:len(inputs):len(inputs)], "") {
		at(output, 1000)
		for _, in := range inputs {
			at(in, 500)
		}
		if newer != "" {
			at(newer, 2000)
		}
		require.Equal(t, newer != "", strings.Contains(build(), "again"), "%q: %s is newer\n%s", file, newer, deps)
	}
}

// touch sets when a file was written.
func touch(name string, seconds int64) error {
	at := time.Unix(seconds, 0)
	return os.Chtimes(name, at, at)
}
