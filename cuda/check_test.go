package cuda_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// checked builds the program that compares C text with its translation, whose
// kernels run on the CPU; change edits the text of the kernels.
func checked(t *testing.T, base, text string, change func(kernel string) string) (program string) {
	return checkedWith(t, base, text, hexcc.Options{}, change)
}

// checkedWith is checked with further options.
func checkedWith(t *testing.T, base, text string, o hexcc.Options, change func(kernel string) string) (program string) {
	o.NoAlias, o.Base, o.Check, o.Arch = true, base, true, "sm_80"
	res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, o)
	require.NoError(t, err)
	res.Files.Kernel = change(res.Files.Kernel)
	tr := translation{scop: res.Scop, names: cuda.Names{Base: base}, files: res.Files}
	dir := tr.write(t)
	source := filepath.Join(dir, ctext.CheckFile(tr.names.Base))
	require.NoError(t, os.WriteFile(source, []byte(res.Check), 0o666))
	program = filepath.Join(dir, "check")
	tool.Run(t, "gcc", "-std=gnu11", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function",
		"-I", dir, source, tr.buildOnCPU(t, dir), "-lstdc++", "-lm", "-o", program)
	return program
}

// run returns what a program prints and its exit status.
func run(t *testing.T, program string, args ...string) (out string, status int) {
	stdout, stderr, status := tool.Output(t, program, args...)
	return stdout + stderr, status
}

// TestCheck runs the programs of --check: what is equal is told so, at sizes of
// their own and at given ones; a kernel with a wrong constant is found out.
func TestCheck(t *testing.T) {
	same := func(kernel string) string { return kernel }
	text := cases.Input(t, "jacobi-1d")
	program := checked(t, "jacobi-1d", text, same)
	out, status := run(t, program)
	require.Zero(t, status, out)
	require.Greater(t, strings.Count(out, " elements equal; original "), 4)
	require.Contains(t, out, "\nall equal\n")
	require.Contains(t, out, "T=0 ")

	out, status = run(t, program, "n=100", "T=12")
	require.Zero(t, status, out)
	require.Equal(t, 1, strings.Count(out, "T=12 n=100: 200 elements equal"))

	out, status = run(t, program, "n=100", "T=0")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "nothing was compared: no iteration runs")
	require.NotContains(t, out, "all equal")

	out, status = run(t, program, "100")
	require.Equal(t, 2, status)
	require.Contains(t, out, "usage: ")

	for arg, says := range map[string]string{
		"n=3000000000": "n=3000000000: the type of n is int", "n=-2147483649": "the type of n is int", "n=12x": "'12x' is no integer",
		"n=9223372036854775808": "is no integer of 64 bits", "N=5": "N=5: no region has a parameter of that name",
		"n=-5": "no memory has room for A, of which an extent is -5",
	} {
		out, status = run(t, program, arg)
		require.Equal(t, 2, status, arg)
		require.Contains(t, out, says)
	}

	t.Setenv("SHIM_NO_DEVICE", "1")
	out, status = run(t, program)
	require.Equal(t, 2, status)
	require.Contains(t, out, "cudaErrorNoDevice")
	t.Setenv("SHIM_NO_DEVICE", "0")

	wrong := checked(t, "jacobi-1d", text, func(kernel string) string {
		require.Contains(t, kernel, "0.33333f")
		return strings.ReplaceAll(kernel, "0.33333f", "0.33334f")
	})
	out, status = run(t, wrong)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, " elements DIFFER\n")
	require.NotContains(t, out, "all equal")
}

// TestCheckKinds does so for coefficients, pointers that rotate, variables of the
// file, integers, scratch arrays and several regions.
func TestCheckKinds(t *testing.T) {
	for base, text := range map[string]string{"turn": turning, "kinds": kinds} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			program := checked(t, base, text, func(kernel string) string { return kernel })
			out, status := run(t, program)
			require.Zero(t, status, out)
			require.Contains(t, out, "all equal\n")
			if base == "kinds" {
				out, status = run(t, program, "n=4611686018427387904")
				require.Equal(t, 2, status, out)
				require.Contains(t, out, "no memory has room for u, of which an extent is 4611686018427387904\n")
			}
		})
	}
}

const kinds = `
#define N 90
static int A[2][N];
static int steps;
void whole(void)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < N - 1; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1] == 1 ? 1 : A[t % 2][i];
#pragma endscop
}
void coefficients(int T, long n, double c, float *restrict u, const unsigned char *text)
{
  (void)text;
  float scratch[2000];
#pragma scop
  for (int t = 0; t < T; t++) {
    for (long i = 1; i < n - 1; i++)
      scratch[i] = c * (u[i - 1] + u[i + 1]);
    for (long i = 1; i < n - 1; i++)
      u[i] = scratch[i];
  }
#pragma endscop
}
`

// TestCheckRefused checks that regions which a program of our own cannot reach are refused.
func TestCheckRefused(t *testing.T) {
	for _, text := range []string{
		"int main(void) {\n static float A[2][50];\n#pragma scop\n for (int t = 0; t < 9; t++) for (int i = 1; i < 49; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n return 0; }\n",
		"void f(int T) {\n static float A[2][50];\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < 49; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n",
		"float A[2][50];\nvoid f(int n) {\n int T = n * n;\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < 49; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n",
		"void f(int T, int n, float A[2][60]) {\n n -= 2;\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n",
		"void f(int T, int n, float *restrict A, float *restrict B) {\n A += 10;\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) A[i] += B[i];\n#pragma endscop\n}\n",
		"void g(int *);\nvoid f(int T, int n, float A[2][n]) {\n g(&T);\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n",
		"void f(int T, int n, float A[2][n]) {\n {\n int T = 7;\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n}\n",
		"#define TWICE n *= 2\nint n = 5;\nvoid f(int T, float A[2][60]) {\n TWICE;\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n",
		"void f(int T, int n, struct { int x; } s, float A[2][n]) {\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n",
		"struct g { float a[100]; };\nvoid f(int T, struct g *g) {\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < 49; i++) g->a[t % 2 * 50 + i] = 1;\n#pragma endscop\n}\n",
		"void f(int T, int n, double **A, double **B) {\n#pragma scop\n for (int t = 0; t < T; t++) for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) A[i][j] += B[i][j - 1];\n#pragma endscop\n}\n",
	} {
		_, err := hexcc.Compile(hexcc.Source{Name: "x.c", Text: []byte(text)}, hexcc.Options{NoAlias: true, Check: true})
		require.ErrorContains(t, err, "HX310", text)
	}
}

// TestCheckSignatures compares functions whose signature is not found by looking for their name and a parenthesis, and
// one that writes to what its region does not use.
func TestCheckSignatures(t *testing.T) {
	t.Parallel()
	program := checked(t, "signatures", signatures, func(kernel string) string { return kernel })
	out, status := run(t, program)
	require.Zero(t, status, out)
	require.Contains(t, out, "all equal\n")
	for _, name := range []string{"jacobi", "first", "made", "old", "lines", "wide", "elsewhere", "constants", "shadow"} {
		require.Contains(t, "\n"+out, "\n"+name+": ")
	}
}

const signatures = `
// jacobi(int k) { is how it begins
/* and here: jacobi(double wrong, int k, float *A) { } */
static const char *usage = "jacobi(int k) { runs first(int k, int n) {";
static void first(int T, int n, float A[2][n]);
struct pair { double x, y; };
struct triple { int x, y, z; };
typedef struct { int n; } size;
#define SIGNATURE(name, type) void name(int T, int n, type A[2][n])
#define STEPS for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];
#define EACH(call) if (call) {
static int count(int n) { return n + (usage[0] == 'j'); }
static int jacobi_(int n) { EACH(count(n)) return 1; } return 0; }

void jacobi(int T, int n, float A[2][n])
{
  (void)usage; /* int T = 5; A = 0 */
#pragma scop
  STEPS
#pragma endscop
}
void caller(int n, float A[2][n]) { if (jacobi_(n)) first(1, n, A); }
static void first(int T, int n, float A[2][n])
{
#pragma scop
  STEPS
#pragma endscop
}
SIGNATURE(made, double)
{
#pragma scop
  STEPS
#pragma endscop
}
void old(T, n, c, A)
  int n, T;
  float c, *A;
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[i] = c * A[i];
#pragma endscop
}
void
lines /* (int k) { */
  (
   int T, // n, A) {
   int n,
   float A[2]
          [n]
  )
{
#pragma scop
  STEPS
#pragma endscop
}
void wide(int T, struct pair p, void (*f)(int, int), size s, int n, struct triple *unused[3], int (*g(int, int))[3], float A[2][n], ...)
{
  (void)p; (void)f; (void)s; (void)unused; (void)g;
#pragma scop
  STEPS
#pragma endscop
}
void elsewhere(int T, int n, float A[2][n], float *norm, float **newest, struct triple *seen)
{
  seen->x++;
#pragma scop
  STEPS
#pragma endscop
  *norm = n > 0 ? A[0][0] : 0;
  newest[1] = A[T % 2];
}
static const float weight[3] = {0.25f, -0.5};
const double scale = 0.5, shift = 0.1f / 3;
void constants(int T, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = scale * (weight[0] * A[t % 2][i - 1] + weight[1] * A[t % 2][i + 1] + weight[i % 3]) + shift;
#pragma endscop
}
void shadow(int T, int n, float A[2][n])
{
  {
    int T = 3;
    (void)T;
  }
#pragma scop
  STEPS
#pragma endscop
}
`
