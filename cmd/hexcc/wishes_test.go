package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWishesPage runs the commands of docs/wishes.md on the program that it shows: what follows a command is among what hexcc prints, line by line.
func TestWishesPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/wishes.md")
	require.NoError(t, err)
	program := regexp.MustCompile("(?s)```c\n(void smooth.*?)```").FindStringSubmatch(string(page))
	require.NotNil(t, program)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("smooth.c", []byte(program[1]), 0o666))
	said, commands := "", 0
	page = regexp.MustCompile("(?s)```c\n.*?```").ReplaceAll(page, nil)
	for _, line := range strings.Split(string(page), "\n") {
		line, indented := strings.CutPrefix(line, "    ")
		if !indented {
			continue
		}
		if words, ok := strings.CutPrefix(line, "$ hexcc "); ok {
			var stdout, stderr strings.Builder
			run(strings.Fields(words), &stdout, &stderr)
			said = stdout.String() + stderr.String()
			commands++
			continue
		}
		if file, ok := strings.CutPrefix(line, "$ grep clause "); ok {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			said = string(text)
			continue
		}
		require.Contains(t, said, line)
	}
	require.Equal(t, 10, commands)
}

// TestClausesAsFlags: each wish gives the same kernels by a flag, by a clause and by a line of a schedule file.
func TestClausesAsFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `void f(int T, int n, const float c[restrict n][n], float A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = c[i][j] * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
`
	translated := func(source string, flags ...string) string {
		require.NoError(t, os.WriteFile("s.c", []byte(source), 0o666))
		var stdout, stderr strings.Builder
		require.Zero(t, run(append(flags, "--force", "s.c"), &stdout, &stderr), "%s", stderr.String())
		kernels, err := os.ReadFile("s.hex_kernel.cu")
		require.NoError(t, err)
		kernels = kernels[strings.Index(string(kernels), "__global__"):]
		return string(kernels)
	}
	plain := translated(text, "--strategy=hybrid", "--launch=phases", "--tile=h=2,w0=6,w1=64")
	for _, wish := range []string{
		"place(c:global)", "place(c:shared)", "block(16,2)", "elements(4)", "registers(48)", "occupancy(0.75)", "prefetch(0)", "memory(staged)", "leave(A)", "unroll(2)",
	} {
		t.Run(wish, func(t *testing.T) {
			name, value, _ := strings.Cut(strings.TrimSuffix(wish, ")"), "(")
			flag := translated(text, "--strategy=hybrid", "--launch=phases", "--tile=h=2,w0=6,w1=64", "--"+name+"="+value, "--save-schedule=s.sched")
			clause := translated(strings.Replace(text, "#pragma scop", "#pragma hexcc "+wish+"\n#pragma scop", 1), "--strategy=hybrid", "--launch=phases", "--tile=h=2,w0=6,w1=64")
			require.True(t, flag == clause)
			file, err := os.ReadFile("s.sched")
			require.NoError(t, err)
			require.Contains(t, string(file), "\nclause "+name+"("+value)
			require.True(t, flag == translated(text, "--launch=phases", "--load-schedule=s.sched"))
			if wish != "place(c:shared)" && wish != "prefetch(0)" { // which is what hexcc does by itself
				require.False(t, plain == flag)
			}
		})
	}
}
