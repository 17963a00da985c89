package e2e_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// typed uses every kind of thing whose type is taken for granted, in C that is C++, too. Types are macros.
const typed = `
#ifndef ELEM
#define ELEM double
#endif
#ifndef SIZE
#define SIZE int
#endif
#ifndef COEF
#define COEF float
#endif
#ifndef STEP
#define STEP int
#endif
#ifndef REAL
#define REAL double
#endif
#ifndef VALUE
#define VALUE double
#endif
#ifndef EXTENT
#define EXTENT 66
#endif
#ifndef PACKED
#define PACKED
#endif
#ifndef FIRST
#define FIRST float
#endif
typedef float v4 __attribute__((vector_size(16)));
typedef int di __attribute__((mode(DI)));
typedef int qi __attribute__((mode(QI)));
typedef REAL real;
struct cell { FIRST first; VALUE value; unsigned flags[3]; } PACKED;
struct grid { long n; struct cell *cells; };
enum kind { NONE, SOME = 5 };
static const SIZE last = 63;
static real half(real x) { return (real)(x / 2); }
void f(SIZE steps, const unsigned m, unsigned long k, ELEM A[][EXTENT], ELEM B[][EXTENT], ELEM *p, ELEM *q, const COEF c, struct grid *g)
{
  STEP t, i, j;
#pragma scop
  for (t = 0; t < steps; t++) {
    ELEM *tmp;
    for (i = 1; i < last; i++)
      for (j = 1; j < last; j++)
        B[i][j] = (ELEM)(half(A[i - 1][j] + A[i][j + 1]) * c);
    for (i = 1; i < last; i++)
      for (j = 1; j < last; j++)
        A[i][j] = B[i][j];
    for (i = 1; i < g->n; i++)
      g->cells[i].value = g->cells[i].value * 0.5 + g->cells[i].flags[1] + (m > 7) + (k > 7);
    for (i = 1; i < last; i++)
      q[i] = p[i - 1] + p[i];
    tmp = p;
    p = q;
    q = tmp;
  }
#pragma endscop
}
`

// syntax asks a compiler whether it takes the file, and returns what it says.
func syntax(path string, compiler ...string) (says string, ok bool) {
	args := append(compiler[1:len(compiler):len(compiler)], "-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Wno-unknown-pragmas", path)
	out, err := exec.Command(compiler[0], args...).CombinedOutput()
	return string(out), err == nil
}

// hosts translates typed and returns the files that hold the user's source, by target.
func hosts(t *testing.T, defines ...string) map[string]string {
	texts := map[string]string{}
	options := func(target hexcc.Target) hexcc.Options {
		return hexcc.Options{Base: "typed", Target: target, Defines: defines, NoAlias: true, Strategy: hexcc.Space}
	}
	src := hexcc.Source{Name: "typed.c", Text: []byte(typed)}
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenCL, hexcc.C} {
		res, err := hexcc.Compile(src, options(target))
		require.NoError(t, err)
		switch target {
		case hexcc.CUDA:
			texts["typed.hex.h"], texts["cuda.c"] = res.Files.Header, res.Files.Host
		case hexcc.OpenCL:
			texts["opencl.c"] = res.OpenCL.Host
		case hexcc.C:
			texts["c.c"] = res.C.Text
		}
	}
	return texts
}

// TestClaimsCompile compiles what is claimed of types in many languages, without a warning.
func TestClaimsCompile(t *testing.T) {
	dir := tool.Write(t, hosts(t))
	for _, language := range []string{"-std=gnu89", "-std=c99", "-std=gnu99", "-std=c11", "-std=gnu17", "-xc++"} {
		for _, name := range []string{"cuda.c", "opencl.c", "c.c"} {
			if name == "c.c" && language == "-xc++" || name == "c.c" && language == "-std=gnu89" {
				continue // the functions above it are C99
			}
			says, ok := syntax(filepath.Join(dir, name), "gcc", language, "-Werror", "-Wno-sign-compare")
			require.True(t, ok, "%s %s: %s", language, name, says)
		}
	}
}

// TestClaimsOfTargets checks that all targets claim the same.
func TestClaimsOfTargets(t *testing.T) {
	files := hosts(t)
	claims := regexp.MustCompile(`(?s)\(void\)\(void \(\*\)\(.*?\)\)0;`)
	for name, text := range files {
		if strings.HasSuffix(name, ".c") {
			require.NotEmpty(t, claims.FindString(text))
			require.Equal(t, claims.FindString(files["cuda.c"]), claims.FindString(text))
		}
	}
}

// TestMisreadTypes compiles a host file with other types than those that it was translated with: each
// must be refused, by name.
func TestMisreadTypes(t *testing.T) {
	numbers := []string{"int", "unsigned", "long", "unsigned long", "float", "double", "signed char", "unsigned char", "short", "unsigned short", "_Float16"}
	others := []string{"_Bool", "__int128", "long double", "_Float128",
		"v4", "di", "qi", "float _Complex", "void *"}
	is := func(t string) string {
		return "_is_" + strings.ReplaceAll(strings.Replace(t, "unsigned", "unsigned int", strings.Count(t, "unsigned")-strings.Count(t, "unsigned ")), " ", "_")
	}
	for _, c := range []struct {
		macro         string
		values, names []string
	}{
		{"ELEM", numbers, []string{"p", "A"}}, {"COEF", numbers[:6], []string{"c"}}, {"VALUE", numbers[5:6], []string{"g_cells_double_value"}},
		{"SIZE", numbers[:1], []string{"steps", "last"}}, {"STEP", numbers[:1], []string{"i"}}, {"REAL", numbers[4:6], []string{"real"}},
	} {
		if !testcases.Whole() {
			c.values = c.values[len(c.values)-1:]
		}
		for _, ours := range c.values {
			dir := tool.Write(t, hosts(t, c.macro+"="+ours))
			for _, theirs := range slices.Concat(numbers, others) {
				says, ok := syntax(filepath.Join(dir, "cuda.c"), "gcc", fmt.Sprintf("-D%s=%s", c.macro, theirs))
				same := ours == theirs || ours == "long" && theirs == "di" || ours == "signed char" && theirs == "qi"
				require.Equal(t, same, ok, "%s translated as %s, compiled as %s: %s", c.macro, ours, theirs, says)
				if !same && slices.Contains(numbers, theirs) {
					for _, name := range c.names {
						require.Contains(t, says, "hexcc_"+name+is(ours), "%s as %s", ours, theirs)
					}
				}
			}
		}
	}
	dir := tool.Write(t, hosts(t))
	for flag, name := range map[string]string{
		"-DEXTENT=67": "hexcc_A_has_528_bytes", "-DPACKED=__attribute__((packed))": "hexcc_g_cells_double_has_32_bytes",
		"-DFIRST=__int128": "hexcc_g_cells_double_value_is_at_8", "-DPACKED=__attribute__((aligned(64)))": "hexcc_g_cells_double_has_32_bytes",
		"-fpack-struct": "hexcc_g_cells_double_value_is_at_8",
	} {
		says, ok := syntax(filepath.Join(dir, "cuda.c"), "gcc", flag)
		require.False(t, ok, "%s: %s", flag, says)
		require.Contains(t, says, name)
	}
}
