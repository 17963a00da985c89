package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/tool"
	translated "github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/openmp"
)

// TestHeaders translates programs with headers of the machine, and code around regions that only its C compiler
// reads: what is printed is the same, and without those headers most are refused.
func TestHeaders(t *testing.T) {
	files, err := filepath.Glob("testdata/headers/*.c")
	require.NoError(t, err)
	require.Greater(t, len(files), 9)
	for _, compiler := range []string{"gcc", os.Getenv("HEXCC_CLANG")} {
		path, err := exec.LookPath(compiler)
		if err != nil {
			if compiler == "gcc" {
				tool.Missing(t, "no gcc: %v", err)
			}
			continue
		}
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		host, err := askHost([]string{path}, nil)
		if err != nil {
			tool.Missing(t, "%s is not for this: %v", path, err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			for _, file := range files {
				t.Run(filepath.Base(file), func(t *testing.T) {
					t.Parallel()
					sameWithHost(t, host, file)
				})
			}
		})
	}
}

// sameWithHost builds the program of a file as it is and translated, and compares what they print.
func sameWithHost(t *testing.T, host *hexcc.Host, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	base := strings.TrimSuffix(filepath.Base(file), ".c")
	flags := []string{"-w", "-O1", "-ffp-contract=off", "-fopenmp", "-DHEXCC_GRAIN=0", "-lm"}
	plain := filepath.Join(t.TempDir(), "plain")
	if out, err := exec.Command(host.Compiler, slices.Concat([]string{file, "-o", plain}, flags)...).CombinedOutput(); err != nil {
		require.NotEqual(t, "gcc", filepath.Base(host.Compiler), "%s", out)
		require.Contains(t, string(text), "gcc only", "%s", out)
		return
	}
	res := translated.Compile(t, base, string(text), hexcc.Options{Target: hexcc.OpenMP, Host: host})
	ours := filepath.Join(translated.Write(t, res.C.Named(base)...), openmp.CFile(base))
	tool.Run(t, host.Compiler, slices.Concat([]string{ours, "-o", ours + ".out"}, flags)...)
	tool.SameOutput(t, plain, ours+".out")
	if base == "unread" {
		require.NotEmpty(t, res.Warnings)
		require.EqualValues(t, "HX016", res.Warnings[0].Code)
	}
}

// TestBuiltinHeaders says which of the programs the headers that are built in are not enough for.
func TestBuiltinHeaders(t *testing.T) {
	for name, enough := range map[string]bool{"atomic": false, "intrinsics": false, "clock": false, "complex": true, "unread": false, "inside": true, "omp": true, "gnu": true} {
		text, err := os.ReadFile(filepath.Join("testdata/headers", name+".c"))
		require.NoError(t, err)
		_, err = hexcc.Compile(hexcc.Source{Name: name + ".c", Text: text}, hexcc.Options{Target: hexcc.OpenMP})
		require.Equal(t, enough, err == nil, "%s: %v", name, err)
	}
}

// TestUnreadable checks that what a region needs and cannot be read is an error with the reason, that what stands in
// regions is never left out, and that a file which the compiler refuses, too, is not taken.
func TestUnreadable(t *testing.T) {
	host := &hexcc.Host{}
	if path, err := exec.LookPath("gcc"); err != nil {
		tool.Missing(t, "no gcc: %v", err)
	} else if host, err = readHost([]string{path}); err != nil {
		tool.Missing(t, "%v", err)
	} else {
		host.Accepts = accepts([]string{path}, nil)
	}
	for _, x := range []struct{ name, text, want, note string }{
		{"an array of a type that is not read", `
__float80 A[2][100];
void f(int T) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < 99; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1];
#pragma endscop
}`, "'A' is not declared", "could not be read, and was left out: unexpected identifier"},
		{"in the region", `
double A[2][100];
void f(int T) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < 99; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - __builtin_types_compatible_p(int, int)];
#pragma endscop
}`, "unexpected", ""},
		{"beside the region", `
double A[2][100];
void f(int T) {
  T += __builtin_types_compatible_p(int, int);
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < 99; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1];
#pragma endscop
}`, "unexpected", ""},
		{"no C", `
int g(void) { return 1 +; }
double A[2][100];
void f(int T) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < 99; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1];
#pragma endscop
}`, "unexpected ';'", ""},
	} {
		_, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(x.text)}, hexcc.Options{Target: hexcc.OpenMP, Host: host})
		require.ErrorContains(t, err, x.want, x.name)
		var list diag.List
		require.True(t, errors.As(err, &list), x.name)
		if x.note != "" {
			require.Contains(t, fmt.Sprint(list[0].Notes), x.note)
		}
	}
}

// fake writes a compiler that runs a script of sh, and returns its path.
func fake(t *testing.T, script string) string {
	path := filepath.Join(t.TempDir(), "cc")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
	return path
}

// answer is what a compiler for x86-64 says, in short.
const answer = `cat <<E
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SHORT__ 2
#define __CHAR_BIT__ 8
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
E
cat >&2 <<E
#include "..." search starts here:
#include <...> search starts here:
 /opt/x/../include
End of search list.
E
`

// TestHostCache asks a compiler many times at once: the answer is kept, whole, until the compiler changes.
func TestHostCache(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	asked := filepath.Join(t.TempDir(), "asked")
	script := "echo >>" + asked + "\n" + answer
	compiler := fake(t, script)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			host, err := askHost([]string{compiler}, nil)
			if err != nil || !slices.Equal(host.Dirs, []string{"/opt/include"}) {
				t.Errorf("%v %v", host, err)
			}
		})
	}
	all.Wait()
	times := func() int {
		text, err := os.ReadFile(asked)
		require.NoError(t, err)
		return len(text)
	}
	before := times()
	_, err := askHost([]string{compiler}, nil)
	require.NoError(t, err)
	require.Equal(t, before, times(), "the answer is kept")
	files, err := filepath.Glob(filepath.Join(cache, "hexcc", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "and nothing else")

	require.NoError(t, os.WriteFile(files[0], []byte(`{"Compiler":"x`), 0o666)) // cut short
	_, err = askHost([]string{compiler}, nil)
	require.NoError(t, err)
	require.Equal(t, before+1, times())
	require.NoError(t, os.WriteFile(compiler, []byte("#!/bin/sh\n# another one\n"+script), 0o755))
	_, err = askHost([]string{compiler}, nil)
	require.NoError(t, err)
	require.Equal(t, before+2, times())
}

// TestPoorHosts asks compilers that are none, or are for other machines.
func TestPoorHosts(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/dev/null/none") // no cache can be written
	_, err := askHost([]string{fake(t, answer)}, nil)
	require.NoError(t, err)
	for _, x := range []struct{ script, want string }{
		{"exit 1", "exit status 1"},
		{"exit 0", "names no folders"},
		{strings.Replace(answer, "LONG__ 8", "LONG__ 4", 1), "__SIZEOF_LONG__ 8"},
		{strings.Replace(answer, "#define __CHAR_BIT__", "#define __CHAR_UNSIGNED__ 1\n#define __CHAR_BIT__", 1), "unsigned"},
		{"sleep 100", "no answer in"},
	} {
		_, err := askHost([]string{fake(t, x.script)}, nil)
		require.ErrorContains(t, err, x.want)
	}
}
