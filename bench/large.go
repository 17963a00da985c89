package main

import (
	"fmt"
	"strings"
)

// largeLines is how long the large file is.
const largeLines = 3000

// largeFile returns a C file of ordinary functions with one region, at its end.
func largeFile() []byte {
	var b strings.Builder
	b.WriteString("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n")
	region := fmt.Sprintf(largeRegion, 0)
	lines := strings.Count(b.String()+region, "\n")
	each := strings.Count(largeFunction, "\n")
	for i := 0; lines+each <= largeLines; i++ {
		fmt.Fprintf(&b, largeFunction, i, i%7+1)
		lines += each
	}
	b.WriteString(strings.Repeat("\n", largeLines-lines) + region)
	return []byte(b.String())
}

const largeFunction = `
struct record%[1]d { int id; double weight[%[2]d]; char name[32]; };
static double total%[1]d(const struct record%[1]d *r, int count)
{
  double sum = 0;
  for (int k = 0; k < count; k++) {
    for (int j = 0; j < %[2]d; j++)
      sum += r[k].weight[j] * (j + %[1]d);
    if (r[k].id %% 3 == 0)
      sum = sqrt(fabs(sum)) + strlen(r[k].name);
  }
  return sum;
}
`

const largeRegion = `
void step(int T, int n, float A[restrict 2][n][n])
{
#pragma scop
  for (int t = %d; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) %% 2][i][j] = 0.25f * (A[t %% 2][i - 1][j] + A[t %% 2][i + 1][j] + A[t %% 2][i][j - 1] + A[t %% 2][i][j + 1]);
#pragma endscop
}
`
