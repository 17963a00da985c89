package openmp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/scop"
)

// vectorFlags make vectors of 64 bytes on every processor, and find loads and stores outside of arrays.
var vectorFlags = []string{cases.Level("-O1"), "-fopenmp", "-DHEXCC_GRAIN=0", "-DHEXCC_VECTORS=1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g0"}

// compilesVectors reports whether a compiler knows what vectors are made of, and the sanitizers. In CI it must.
func compilesVectors(t *testing.T, compiler string) bool {
	source := filepath.Join(t.TempDir(), "probe.c")
	require.NoError(t, os.WriteFile(source, []byte("#if !__has_builtin(__builtin_shufflevector)\n#error none\n#endif\nint main(void) { return 0; }\n"), 0o666))
	out, err := exec.Command(compiler, append(slices.Clone(vectorFlags), source, "-o", source+".out")...).CombinedOutput()
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "%s: %s", compiler, out)
	}
	return err == nil
}

// lengths are extents along rows: shorter than a vector, around one and two, odd and even ones.
var lengths = []int64{1, 3, 8, 9, 10, 11, 17, 18, 19, 25, 26, 34, 40, 67}

// TestVectors runs cases in vectors, in tiles whose rows end anywhere, and
// compares all arrays with what the original program makes of them: in CI every fourth one, and each compiler has tiles of one width, unless HEXCC_TESTS=all.
func TestVectors(t *testing.T) {
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true}
	cases.EachNth(t, 4, 1, func(t *testing.T, base, text string) {
		t.Parallel()
		if base == "heat-3d" && !cases.Whole() {
			t.Skip("gcc takes half a minute for it: with HEXCC_TESTS=all only")
		}
		for i, compiler := range compilers(t) {
			if compilesVectors(t, compiler) {
				compareVectors(t, compiler, base, text, o, cases.Turn(vectorWidths, i+len(base))...)
			}
		}
	})
}

// vectorWidths are two widths of tiles: rows end within a vector, or with one.
var vectorWidths = []int64{21, 48}

// compareVectors runs a translation with long rows, in tiles of some widths.
func compareVectors(t *testing.T, compiler, base, text string, o hexcc.Options, widths ...int64) {
	compareBy(t, compiler, base, text, o, vectorFlags, widths...)
}

// compareBy runs a translation with long rows that is compiled with flags, in tiles of some widths.
func compareBy(t *testing.T, compiler, base, text string, o hexcc.Options, flags []string, widths ...int64) {
	probe := o
	probe.Stop = "cone"
	first := whole.Compile(t, base, text, probe)
	original := oracle.Original(t, first.Scop)
	var trials []oracle.Trial
	for i, n := range lengths {
		params, ok := oracle.Sized(first.Scop, n, int64(2+i%5))
		if !ok || large(first.Scop, params) {
			continue
		}
		mem, err := scop.NewMemory(first.Scop, params, uint64(i))
		require.NoError(t, err)
		trials = append(trials, oracle.Trial{Before: mem, After: original(mem)})
	}
	require.NotEmpty(t, trials)
	for _, last := range widths {
		sizes := pipeline.Narrow.Of(first.Space, first.Cone)
		sizes.W[len(sizes.W)-1] = max(last, sizes.W[len(sizes.W)-1])
		o.Tile = &sizes
		res := whole.Compile(t, base, text, o)
		translated := *res.Scop
		translated.Source = []byte(res.C.Text)
		ours := oracle.CompileWith(t, compiler, &translated, flags...)
		for _, x := range trials {
			x.Check(t, fmt.Sprint("vectors by ", compiler, " w=", last), ours.Run(t, x.Before, "ASAN_OPTIONS=detect_leaks=0"))
		}
	}
}

// TestVectorText counts by hand what the loop over the vectors of a row does: it loads each line once.
func TestVectorText(t *testing.T) {
	want := map[string]struct{ loads, joins, stores int }{
		"jacobi-1d":    {1, 2, 1},
		"jacobi-2d":    {3, 2, 1},
		"heat-2d":      {5, 10, 3},  // three rows of a 3x3 box
		"laplacian-3d": {5, 2, 1},   // a star of 7 points
		"heat-3d-27":   {15, 30, 3}, // three rows of a box of 27 points
		"star-2d-2":    {5, 4, 1},
	}
	for base, w := range want {
		res := compile(t, base, cases.Input(t, base), hexcc.Options{Target: hexcc.OpenMP, NoAlias: true}, true)
		loop := regexp.MustCompile(`(?s)for \(; start <= vectors; start \+= \d+\) \{.*?\n *\}`).FindString(res.C.Text)
		count := func(name string) int { return len(regexp.MustCompile(name+`\d+\(`).FindAllString(loop, -1)) }
		require.Equal(t, w.loads, count("HEXCC_LOAD"), base)
		require.Equal(t, w.joins, count("HEXCC_JOIN"), base)
		require.Equal(t, w.stores, count("HEXCC_STORE"), base)
	}
}

// TestNoVectors translates bodies that no vector runs.
func TestNoVectors(t *testing.T) {
	body := `
void f(int T, int n, %[1]s A[2][n], double B[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) %% 2][i] = %[2]s;
#pragma endscop
}
`
	for _, x := range []struct {
		elem, value string
		vectors     bool
	}{
		{"double", "A[t % 2][i - 1] * 0.5 + A[t % 2][i + 1]", true},
		{"double", "2 * A[t % 2][i - 1] - n / (A[t % 2][i + 1] + t)", true},
		{"double", "B[0] * A[t % 2][i - 1] + (t > 1 ? 1.5 : B[1])", true},
		{"float", "A[t % 2][i - 1] * 0.5f", true},
		{"double", "7", true},
		{"float", "A[t % 2][i - 1] * 0.5", false},           // in double
		{"float", "(float)B[i] + A[t % 2][i]", false},       // converted
		{"int", "A[t % 2][i - 1] + 1", false},               // integers
		{"double", "A[t % 2][i - 1] + i", false},            // the iterator
		{"double", "sqrt(A[t % 2][i - 1])", false},          // a function
		{"double", "A[t % 2][i] > 0 ? 1 : 2", false},        // a choice
		{"double", "A[t % 2][i - 1] + A[t % 2][0]", true},   // an element of the row
		{"double", "A[t % 2][i - 1] + B[n - 1 - i]", false}, // backwards
	} {
		text := "double sqrt(double);\n" + fmt.Sprintf(body, x.elem, x.value)
		o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Assume: []string{"n >= 3"}}
		res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(text)}, o)
		require.NoError(t, err, x.value)
		require.Equal(t, x.vectors, strings.Contains(res.C.Text, "HEXCC_VECTORS"), x.value)
	}
}

// large reports whether the arrays of p would be too large for a test.
func large(p *scop.Program, params []int64) bool {
	total := int64(0)
	for _, a := range p.Arrays {
		n := int64(1)
		for _, e := range a.Extents {
			n *= e.At(nil, params)
		}
		total += n
	}
	return total > 1<<18
}
