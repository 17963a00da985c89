package cases

// Sizes has regions whose arrays have sizes of several types.
const Sizes = `#include <stddef.h>
void longs(long T, long n, long m, long lo, long hi, double A[2][n][m])
{
#pragma scop
  for (long t = 0; t < T; t++)
    for (long i = lo; i < hi; i++)
      for (long j = 1; j < 9; j++)
        A[(t + 1) % 2][i][j] = 0.5 * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
void ints(int T, int n, int m, double A[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.5 * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
void unsigneds(size_t T, size_t n, float A[2][n])
{
#pragma scop
  for (size_t t = 0; t < T; t++)
    for (size_t i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// SizeTrials are calls of functions of Sizes that fail, as C without the prefix of the function, and what is
// said, as a regular expression.
var SizeTrials = []struct{ Call, Says string }{
	{"0(1, 1L << 62, 4, 1, 9, p)", `: n is 4611686018427387904, and may be from -140737488355328 to 140737488355328: `},
	{"0(1, -1L - 0x7fffffffffffffffL, 4, 1, 9, p)", `: n is -9223372036854775808, and may be from -140737488355328 to 140737488355328: `},
	{"0(0x7fffffffffffffffL, 9, 9, 1, 9, p)", `: T is 9223372036854775807, and may be from -140737488355328 to 140737488355328: `},
	{"0(1, 1L << 31, 1L << 31, 1, 9, p)", `: A\[2\]\[2147483648\]\[2147483648\] has more than 9223372036854775807 bytes: `},
	{"0(1, 1L << 47, 1L << 47, 1, 9, p)", `: A\[2\]\[140737488355328\]\[140737488355328\] has more than 9223372036854775807 bytes: `},
	{"0(1, 1L << 30, 1L << 29, 1, 9, p)", `: A\[2\]\[1073741824\]\[536870912\] has more than 9223372036854775807 bytes: `}, // 2^63 bytes
	{"0(1, -5, 10, 1, 9, p)", `: A\[2\]\[-5\]\[10\] has a negative extent: `},
	{"1(1, 0x7fffffff, 0x7fffffff, p)", `: A\[2\]\[2147483647\]\[2147483647\] has more than 9223372036854775807 bytes: `},
	{"2(1, 0xffffffffffffffffUL, (float *)p)", `: n is 18446744073709551615, and may be from -140737488355328 to 140737488355328: `},
	{"2(0x8000000000000001UL, 9, (float *)p)", `: T is 9223372036854775809, and may be from -140737488355328 to 140737488355328: `},
}

// SizesMain returns a driver in C that makes the calls in turn, and prints what is said of each on a line, or
// "nothing is wrong".
func SizesMain() string {
	text := "#include <stdio.h>\n#include \"sizes.hex.h\"\nint main(void)\n{\n  static double p[1000];\n"
	for _, c := range SizeTrials {
		text += "  puts(hexcc_sizes_" + c.Call + " ? hexcc_sizes_error() : \"nothing is wrong\");\n"
	}
	return text + "  return 0;\n}\n"
}
