package randc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes a program whose variables, functions, members, macros and file have names that other
// languages, generated text or formulas use, or that only C compilers take.

// clashingNames are legal in C, most of them.
var clashingNames = strings.Fields(`
	é né $ $a a$b x\u00e9 \u00e9 \u03b1\u03b2 \U0001d6fc _u00e9 n_u00e9 _u0024a 名前 Δ ß _ __ ___ _A __x __N x__y a__ A_ _0 O0 l1 Il
	class new delete this template typename namespace operator public private virtual friend using try catch throw bool true false
	and or not xor bitand compl and_eq not_eq wchar_t char8_t nullptr constexpr decltype noexcept static_assert explicit mutable export
	kernel global local constant generic pipe half half2 float2 float4 double2 double4 int2 int4 uint uchar ushort ulong long4 dim3
	image2d_t sampler_t event_t read_only write_only complex imaginary quad vec_step as_int barrier get_group_id get_local_id
	threadIdx blockIdx blockDim gridDim warpSize __syncthreads cudaError_t cudaMalloc cudaStream_t cudaSuccess __global__ __shared__
	min max abs mod floord ceild floor ceil exp pow sqrt fma rint mix clamp sign dot cross step length distance
	exists implies and_ mod_ floor_ sum card e0 e1 T0 T S0 S1 s0 s1 S0_ block i0 i1 j0 t0 a0 b0 x0 x1 r0 r1 lo hi i_lo A_at a_at
	shared smem buffer buf start end stop first last at from to row rows next value lines least most turn share begin aligned vectors line
	n_arg T_arg c_arg size_t ptrdiff_t uint8_t stdout_ errno_ EOF_ free malloc memcpy printf fprintf abort exit main_ argc argv
	error done device context queue kernels blocks released items times events event stream timespec said violated linux unix i386
	hexcc hexcc_v hexcc_n hexcc_turns_A hexcc_say hexcc_floord hexcc_double8 hexcc_f_0 HEXCC_SIMD HEXCC_FETCH HEXCC_LOAD8 HEXCC_VECTORS
	inf nan NAN_ INFINITY_ major minor makedev y0 y1 j1 jn yn gamma signgam index rindex time clock select read write open close
	asm_ typeof_ restrict_ inline_ tid ntid ctaid laneid param_0 reg pred f32 f64 s32 b64 mad ld st ret bra entry func visible version target
	isnan signbit fabs_ __func __FILE __nv __cuda __OPENCL __LINE i_1 i_2 s_n s_k n_1 A_1 max_1 mod_1
`)

// A Named is such a program: it prints sums of what its region leaves.
type Named struct {
	Base string // of the file
	Text string
}

// Names returns the program of a seed. C compilers may refuse it: then it is no program.
func Names(seed uint64) Named {
	rng := rand.New(rand.NewPCG(seed, 14))
	taken := map[string]bool{}
	pick := func() string {
		for {
			name := clashingNames[rng.IntN(len(clashingNames))]
			if rng.IntN(40) == 0 {
				name = strings.Repeat("long_name_", 100)
			}
			if !taken[name] {
				taken[name] = true
				return name
			}
		}
	}
	var names []string // what to put in the place of what
	for i := range 20 {
		names = append(names, fmt.Sprintf("%%[%d]s", i+1), pick())
	}
	names = append(names, "%%", "%")
	bases := []string{"p", "p", "né", "a.b", "1st", "class", "x-y", "$x", "main", "kernel", "a b", "_"}
	return Named{bases[rng.IntN(len(bases))], strings.NewReplacer(names...).Replace(namedText)}
}

// namedText has a name for each kind of thing in a program.
const namedText = `#include <stdio.h>
#include <math.h>
struct %[1]s { int %[2]s; double %[3]s, *%[4]s; };
enum { %[5]s = 3 };
#define %[6]s 0.25
#define %[7]s(x) ((x) * 0.5)
static double %[8]s[2][70];
static int %[9]s = 61;
static double %[10]s(double %[11]s)
{
  double %[12]s = %[11]s * %[6]s;
  return %[12]s;
}
static void %[13]s(int %[14]s, int %[15]s, double %[16]s, double (*restrict %[17]s)[%[15]s], struct %[1]s *restrict %[18]s)
{
#pragma scop
  for (int %[19]s = 0; %[19]s < %[14]s; %[19]s++) {
    for (int %[20]s = 1; %[20]s < %[15]s - 1; %[20]s++) {
      double %[12]s = %[16]s * %[17]s[%[19]s %% 2][%[20]s - 1] + %[7]s(%[17]s[%[19]s %% 2][%[20]s + 1]);
      %[17]s[(%[19]s + 1) %% 2][%[20]s] = %[10]s(%[12]s) + %[5]s * %[18]s->%[3]s + %[18]s->%[4]s[%[20]s];
    }
    for (int %[11]s = 2; %[11]s < %[18]s->%[2]s && %[11]s < %[9]s && %[11]s < 70; %[11]s++)
      %[8]s[(%[19]s + 1) %% 2][%[11]s] = %[8]s[%[19]s %% 2][%[11]s] * %[16]s + %[8]s[%[19]s %% 2][%[11]s - 2] * %[6]s;
  }
#pragma endscop
}
int main(void)
{
  static double aa[2][90], bb[90];
  struct %[1]s ss = {57, 0.125, bb};
  double sum = 0;
  for (int k = 0; k < 90; k++)
    aa[0][k] = aa[1][k] = k %% 7, bb[k] = k %% 3;
  for (int k = 0; k < 70; k++)
    %[8]s[0][k] = %[8]s[1][k] = k %% 5;
  %[13]s(11, 90, 0.375, aa, &ss);
  for (int k = 0; k < 90; k++)
    sum = sum * 0.9 + aa[0][k] + aa[1][k];
  for (int k = 0; k < 70; k++)
    sum = sum * 0.9 + %[8]s[0][k] + %[8]s[1][k];
  printf("%%.17g\n", sum);
  return 0;
}
`
