package main

import (
	"fmt"
	"strings"
)

// A stencil is what is measured, in either type. Its text has AT(a, b) or AT(a, b, c)
// for the value of the step before at that distance, R after constants, and SQRT.
type stencil struct {
	name  string
	dims  int
	flops int // of an update: sums, differences, products and quotients
	// point is the new value where one array in two planes is all there is.
	point string
	// Otherwise: the region, the parameters of its function that are arrays, and the
	// kernels of the untiled program with their launches.
	arrays  []string
	region  string
	kernels string
	steps   string
}

// stencils are those of "Hybrid hexagonal/classical tiling for GPUs", Table 1.
var stencils = []stencil{
	{name: "laplacian-2d", dims: 2, flops: 5, point: "0.2R * (AT(0, 0) + AT(-1, 0) + AT(1, 0) + AT(0, -1) + AT(0, 1))"},
	{name: "heat-2d", dims: 2, flops: 11, point: `0.25R * AT(0, 0) + 0.125R * (AT(-1, 0) + AT(1, 0) + AT(0, -1) + AT(0, 1)) +
          0.0625R * (AT(-1, -1) + AT(-1, 1) + AT(1, -1) + AT(1, 1))`},
	{name: "gradient-2d", dims: 2, flops: 15, point: `AT(0, 0) + 1.0R / SQRT(0.0001R + (AT(0, 0) - AT(-1, 0)) * (AT(0, 0) - AT(-1, 0)) +
          (AT(0, 0) - AT(1, 0)) * (AT(0, 0) - AT(1, 0)) + (AT(0, 0) - AT(0, -1)) * (AT(0, 0) - AT(0, -1)) +
          (AT(0, 0) - AT(0, 1)) * (AT(0, 0) - AT(0, 1)))`},
	fdtd,
	{name: "laplacian-3d", dims: 3, flops: 8, point: `0.4R * AT(0, 0, 0) + 0.1R * (AT(-1, 0, 0) + AT(1, 0, 0) + AT(0, -1, 0) +
          AT(0, 1, 0) + AT(0, 0, -1) + AT(0, 0, 1))`},
	{name: "heat-3d", dims: 3, flops: 30, point: heat27()},
	{name: "gradient-3d", dims: 3, flops: 21, point: `AT(0, 0, 0) + 1.0R / SQRT(0.0001R + (AT(0, 0, 0) - AT(-1, 0, 0)) * (AT(0, 0, 0) - AT(-1, 0, 0)) +
          (AT(0, 0, 0) - AT(1, 0, 0)) * (AT(0, 0, 0) - AT(1, 0, 0)) + (AT(0, 0, 0) - AT(0, -1, 0)) * (AT(0, 0, 0) - AT(0, -1, 0)) +
          (AT(0, 0, 0) - AT(0, 1, 0)) * (AT(0, 0, 0) - AT(0, 1, 0)) + (AT(0, 0, 0) - AT(0, 0, -1)) * (AT(0, 0, 0) - AT(0, 0, -1)) +
          (AT(0, 0, 0) - AT(0, 0, 1)) * (AT(0, 0, 0) - AT(0, 0, 1)))`},
}

// heat27 returns the sum over a cube of 27 points, one coefficient by distance.
func heat27() string {
	var classes [4][]string
	for a := -1; a <= 1; a++ {
		for b := -1; b <= 1; b++ {
			for c := -1; c <= 1; c++ {
				d := a*a + b*b + c*c
				classes[d] = append(classes[d], fmt.Sprintf("AT(%d, %d, %d)", a, b, c))
			}
		}
	}
	var sums []string
	for d, weight := range []string{"0.25R", "0.05R", "0.025R", "0.0125R"} {
		sums = append(sums, weight+" * ("+strings.Join(classes[d], " + ")+")")
	}
	return strings.Join(sums, " +\n          ")
}

var fdtd = stencil{
	name: "fdtd-2d", dims: 2, flops: 11, arrays: []string{"ex", "ey", "hz"},
	region: `  for (int t = 0; t < T; t++) {
    for (int j = 0; j < n; j++)
      ey[0][j] = t;
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++)
        ey[i][j] = ey[i][j] - 0.5R * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        ex[i][j] = ex[i][j] - 0.5R * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1; j++)
        hz[i][j] = hz[i][j] - 0.7R * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
`,
	kernels: `
template <int U> __global__ void electric(real *__restrict__ ex, real *__restrict__ ey, const real *__restrict__ hz, int n, int t, unsigned across)
{
  int j = blockIdx.x % across * blockDim.x + threadIdx.x, i = (blockIdx.x / across * blockDim.y + threadIdx.y) * U;
  if (j >= n)
    return;
#pragma unroll
  for (int u = 0; u < U; u++, i++)
    if (i < n) {
      size_t k = (size_t)i * n + j;
      real h = hz[k];
      ey[k] = i == 0 ? (real)t : ey[k] - 0.5R * (h - hz[k - n]);
      if (j > 0)
        ex[k] = ex[k] - 0.5R * (h - hz[k - 1]);
    }
}
template <int U> __global__ void magnetic(const real *__restrict__ ex, const real *__restrict__ ey, real *__restrict__ hz, int n, unsigned across)
{
  int j = blockIdx.x % across * blockDim.x + threadIdx.x, i = (blockIdx.x / across * blockDim.y + threadIdx.y) * U;
  if (j >= n - 1)
    return;
#pragma unroll
  for (int u = 0; u < U; u++, i++)
    if (i < n - 1) {
      size_t k = (size_t)i * n + j;
      hz[k] = hz[k] - 0.7R * (ex[k + 1] - ex[k] + ey[k + n] - ey[k]);
    }
}
`,
	steps: `  real *ex = (real *)a[0], *ey = (real *)a[1], *hz = (real *)a[2];
  size_t across = ceiling(n, BX), down = ceiling(n, BY * U);
  for (int t = 0; t < T; t++) {
    if (int e = start(electric<U>, across * down, dim3(BX, BY), s, ex, ey, hz, n, t, (unsigned)across))
      return e;
    if (int e = start(magnetic<U>, across * down, dim3(BX, BY), s, ex, ey, hz, n, (unsigned)across))
      return e;
  }
  return 0;
`,
}

// A realType is float or double.
type realType struct {
	name, suffix, sqrt string
	bytes              int
}

var realTypes = []realType{{"float", "f", "sqrtf", 4}, {"double", "", "sqrt", 8}}

// text puts r in place of what stands for it in text of a stencil.
func (r realType) text(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 'R' && i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
			b.WriteString(r.suffix)
		} else {
			b.WriteByte(s[i])
		}
	}
	return strings.NewReplacer("SQRT", r.sqrt, "real", r.name).Replace(b.String())
}

func (s stencil) count() int { return max(1, len(s.arrays)) }

// planes returns the planes of each array.
func (s stencil) planes() int {
	if s.point == "" {
		return 1
	}
	return 2
}

var loopNames = []string{"i", "j", "k"}

// source returns the C function of s.
func (s stencil) source(r realType, function string) string {
	if s.point == "" {
		params := ""
		for _, a := range s.arrays {
			params += fmt.Sprintf(", real %s[restrict n][n]", a)
		}
		return r.text(fmt.Sprintf("void %s(int T, int n%s)\n{\n#pragma scop\n%s#pragma endscop\n}\n", function, params, s.region))
	}
	loops, next := "", ""
	at := []string{"a", "b", "c"}[:s.dims]
	from := ""
	for d, name := range loopNames[:s.dims] {
		loops += fmt.Sprintf("%*sfor (int %s = 1; %s < n - 1; %s++)\n", 4+2*d, "", name, name, name)
		next += "[" + name + "]"
		from += fmt.Sprintf("[%s + (%s)]", name, at[d])
	}
	return r.text(fmt.Sprintf("#include <math.h>\n#define AT(%s) A[t %% 2]%s\nvoid %s(int T, int n, real A[2]%s)\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n%s%*sA[(t + 1) %% 2]%s =\n          %s;\n#pragma endscop\n}\n",
		strings.Join(at, ", "), from, function, strings.Repeat("[n]", s.dims), loops, 4+2*s.dims, "", next, s.point))
}

// untiled returns CUDA: a function template run<BX, BY, U> that computes s without tiles.
func (s stencil) untiled(r realType) string {
	kernels, steps := s.kernels, s.steps
	if s.point != "" {
		kernels, steps = s.plain()
	}
	return r.text("#include \"untiled.cuh\"\n\nnamespace {\n" + kernels +
		"\ntemplate <int BX, int BY, int U> int run(int T, int n, void *const *a, cudaStream_t s)\n{\n" + steps + "}\n\n} // namespace\n")
}

// plain returns the kernel and the launches for one array in two planes.
func (s stencil) plain() (kernels, steps string) {
	if s.dims == 2 {
		return fmt.Sprintf(`#define AT(x, y) in[k + (long)(x) * n + (y)]
template <int U> __global__ void step(const real *__restrict__ in, real *__restrict__ out, int n, unsigned across)
{
  int j = 1 + blockIdx.x %% across * blockDim.x + threadIdx.x, i = 1 + (blockIdx.x / across * blockDim.y + threadIdx.y) * U;
  if (j >= n - 1)
    return;
  size_t k = (size_t)i * n + j;
#pragma unroll
  for (int u = 0; u < U; u++, i++, k += n)
    if (i < n - 1)
      out[k] = %s;
}
#undef AT
`, s.point), `  real *plane[2] = {(real *)a[0], (real *)a[0] + (size_t)n * n};
  size_t across = ceiling(n - 2, BX), down = ceiling(n - 2, BY * U);
  for (int t = 0; t < T; t++)
    if (int e = start(step<U>, across * down, dim3(BX, BY), s, plane[t % 2], plane[(t + 1) % 2], n, (unsigned)across))
      return e;
  return 0;
`
	}
	return fmt.Sprintf(`#define AT(x, y, z) in[at + ((long)(x) * n + (y)) * n + (z)]
template <int U> __global__ void step(const real *__restrict__ in, real *__restrict__ out, int n, unsigned across, unsigned down)
{
  int k = 1 + blockIdx.x %% across * blockDim.x + threadIdx.x, j = 1 + blockIdx.x / across %% down * blockDim.y + threadIdx.y;
  int i = 1 + blockIdx.x / across / down * U;
  if (k >= n - 1 || j >= n - 1)
    return;
  size_t at = ((size_t)i * n + j) * n + k;
#pragma unroll
  for (int u = 0; u < U; u++, i++, at += (size_t)n * n)
    if (i < n - 1)
      out[at] = %s;
}
#undef AT
`, s.point), `  real *plane[2] = {(real *)a[0], (real *)a[0] + (size_t)n * n * n};
  size_t across = ceiling(n - 2, BX), down = ceiling(n - 2, BY), deep = ceiling(n - 2, U);
  for (int t = 0; t < T; t++)
    if (int e = start(step<U>, across * down * deep, dim3(BX, BY), s, plane[t % 2], plane[(t + 1) % 2], n, (unsigned)across, (unsigned)down))
      return e;
  return 0;
`
}
