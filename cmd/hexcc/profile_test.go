package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/profile/advice"
)

// TestProfilePage runs the commands of docs/profile.md on the profile that it shows: what follows a command is among what hexcc prints, line by line.
func TestProfilePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/profile.md")
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```csv\n(.*?)```").FindSubmatch(page)
	require.NotNil(t, block)
	program, err := os.ReadFile("../../examples/jacobi-2d.c")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("jacobi.csv", block[1], 0o666))
	require.NoError(t, os.WriteFile("jacobi-2d.c", program, 0o666))
	said, commands := "", 0
	for _, line := range strings.Split(string(page), "\n") {
		line, indented := strings.CutPrefix(line, "    ")
		words, command := strings.CutPrefix(line, "$ hexcc ")
		switch {
		case command:
			var stdout, stderr strings.Builder
			run(strings.Fields(words), &stdout, &stderr)
			said = stdout.String() + stderr.String()
			commands++
		case !indented:
			said = ""
		case said != "":
			require.Contains(t, said, line+"\n")
		}
	}
	require.Equal(t, 3, commands)
}

// TestProfileLoops: what hexcc profile says of the loops of a CPU that hexcc takes, it takes, as a line of the source, too; and what it says that is refused is.
func TestProfileLoops(t *testing.T) {
	program, err := os.ReadFile("../../examples/fdtd-2d.c")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("s.c", program, 0o666))
	require.NoError(t, os.WriteFile("perf.csv", []byte("1000,msec,task-clock,1,100,1.000,CPUs utilized\n100,,cycles,1,1,,\n50,,instructions,1,1,,\n3,,cache-misses,1,1,,\n2,,branch-misses,1,1,,\n"), 0o666))
	var stdout, stderr strings.Builder
	require.Zero(t, run([]string{"profile", "--target=openmp", "--perf=perf.csv", "--format=json", "-Dnx=4000", "-Dny=4000", "-Dsteps=40", "s.c"}, &stdout, &stderr), stderr.String())
	var made advice.Processor
	require.NoError(t, json.Unmarshal([]byte(stdout.String()), &made))
	require.Len(t, made.Measured, 3)
	require.Len(t, made.Loops, 1)
	accepted := 0
	for _, trial := range made.Loops[0].Trials {
		flags := []string{"--target=openmp", "-o", "out"}
		stderr.Reset()
		status := run(append(append(flags, strings.Fields(trial.Flags)...), "s.c"), &stdout, &stderr)
		require.Equal(t, trial.Accepted, status == 0, "%s: %s", trial.Flags, stderr.String())
		if !trial.Accepted {
			require.Contains(t, stderr.String(), trial.Refused[strings.LastIndex(trial.Refused, "["):])
			continue
		}
		accepted++
		require.NotEmpty(t, trial.Pragma)
		require.NoError(t, os.WriteFile("p.c", []byte(strings.Replace(string(program), "#pragma scop", trial.Pragma+"\n#pragma scop", 1)), 0o666))
		stderr.Reset()
		require.Zero(t, run(append(flags, "p.c"), &stdout, &stderr), "%s: %s", trial.Pragma, stderr.String())
	}
	require.Less(t, 2, accepted)
}

// TestProfileTrials: what hexcc profile says that hexcc takes, it takes by the flags that are printed, and as a line of the source; and what it says that is refused is.
func TestProfileTrials(t *testing.T) {
	const program = `void f(int T, int n, const float c[restrict n][n], float A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = c[i][j] * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
`
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("s.c", []byte(program), 0o666))
	given := []string{"--strategy=hybrid", "--tile=h=3,w0=7,w1=64", "--launch=phases"}
	var stdout, stderr strings.Builder
	require.Zero(t, run(append([]string{"profile", "--format=json", "-Dn=500", "-DT=40"}, append(given, "s.c")...), &stdout, &stderr), stderr.String())
	var made advice.Result
	require.NoError(t, json.Unmarshal([]byte(stdout.String()), &made))
	require.Len(t, made.Regions, 1)
	require.NotEmpty(t, made.Regions[0].Trials)
	for _, trial := range made.Regions[0].Trials {
		flags := []string{"-o", "out"}
		for _, f := range given {
			name, _, _ := strings.Cut(f, "=")
			replaced := false
			for _, s := range trial.Settings {
				replaced = replaced || name == "--"+s.Name
			}
			for _, w := range trial.Without {
				replaced = replaced || name == w
			}
			if !replaced {
				flags = append(flags, f)
			}
		}
		stderr.Reset()
		status := run(append(append(flags, strings.Fields(trial.Flags)...), "s.c"), &stdout, &stderr)
		require.Equal(t, trial.Accepted, status == 0, "%s: %s", trial.Flags, stderr.String())
		if !trial.Accepted {
			require.Contains(t, stderr.String(), trial.Refused[strings.LastIndex(trial.Refused, "["):])
			continue
		}
		if trial.Pragma == "" {
			continue
		}
		require.NoError(t, os.WriteFile("p.c", []byte(strings.Replace(program, "#pragma scop", trial.Pragma+"\n#pragma scop", 1)), 0o666))
		stderr.Reset()
		require.Zero(t, run(append(flags, "p.c"), &stdout, &stderr), "%s: %s", trial.Pragma, stderr.String())
	}
}
