package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/machine"
)

// says returns what hexcc prints on standard output, and requires that it has nothing to complain of.
func says(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	require.Zero(t, run(args, &stdout, &stderr), "%q: %s", args, stderr.String())
	return stdout.String()
}

// TestCachesToldAlike: hexcc help cpu, hexcc --help and docs/cpu.md tell of the processor that tiles are chosen for.
func TestCachesToldAlike(t *testing.T) {
	cpu := machine.AnyCPU
	flag, found := reflect.TypeOf(translateCmd{}).FieldByName("CPU")
	require.True(t, found)
	m := regexp.MustCompile(`\(default: (.*)\)`).FindStringSubmatch(flag.Tag.Get("help"))
	require.NotNil(t, m)
	told, err := machine.ParseCPU(m[1])
	require.NoError(t, err)
	require.Equal(t, cpu, *told)

	page, err := os.ReadFile("../../docs/cpu.md")
	require.NoError(t, err)
	require.EqualValues(t, 4, cpu.Cores)
	require.Contains(t, string(page), fmt.Sprintf("caches of %d KiB and %d MiB a core, and %d MiB that four cores share",
		cpu.First>>10, cpu.Cache>>20, cpu.Last*cpu.Cores>>20))
	require.Contains(t, strings.ReplaceAll(says(t, "help", "cpu"), "\n", " "), fmt.Sprintf("caches of %d KiB and %d MiB, %d MiB of a last level to each of %d of them, and cache lines of %d bytes",
		cpu.First>>10, cpu.Cache>>20, cpu.Last>>20, cpu.Cores, cpu.Line))
}

// TestHelpListsNoRefusedTarget: what the help of a command offers for --target, the command takes.
func TestHelpListsNoRefusedTarget(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.c")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(functionText, "UPDATE", "a[t % 2][i - 1]")), 0o666))
	base := filepath.Join(t.TempDir(), "s")
	targets := []hexcc.Target{hexcc.CUDA, hexcc.OpenCL, hexcc.OpenMP, hexcc.C, hexcc.PTX}
	for _, command := range []string{"translate", "verify", "inspect", "plot", "report"} {
		help := strings.Join(strings.Fields(says(t, command, "--help")), " ")
		_, offers, _ := strings.Cut(help, "--target=")
		offers, _, _ = strings.Cut(offers, " --")
		for _, target := range targets {
			offered := regexp.MustCompile(`\b` + string(target) + `\b`).MatchString(offers)
			takes := command == "translate" || command != "verify" || target != hexcc.OpenCL && target != hexcc.PTX
			if command == "report" && target == hexcc.PTX {
				continue // for which threads.txtar has what is said
			}
			require.Equal(t, takes, offered, "%s: %s in %q", command, target, offers)
			args := []string{command, "--target=" + string(target), "--tile=h=1,w0=7", file}
			if command == "translate" {
				args = append(args, "-o", base)
			}
			var stdout, stderr strings.Builder
			switch status := run(args, &stdout, &stderr); {
			case takes && (target != hexcc.PTX || command != "translate"), target == hexcc.CUDA:
				require.Zero(t, status, "%q: %s", args, stderr.String())
			case !takes:
				require.Equal(t, exitUsage, status, "%q", args)
				require.Contains(t, stderr.String(), "leave out --target="+string(target))
			}
		}
		require.Contains(t, help, "--cpu", command)
	}
}

// TestInspectPage runs the commands of docs/inspect.md as they are printed.
func TestInspectPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/inspect.md")
	require.NoError(t, err)
	block := regexp.MustCompile(`(?m)(^    .*examples/.*\n)(^    .*\n)+`).FindString(string(page))
	require.NotEmpty(t, block)
	dir, bin := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")))
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "hexcc")))
	cmd := exec.Command("sh", "-ec", block)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `^\[.*\] -> \{ .* \}\n\{ \[T, phase, S0, S1\] : T = 2 and .* \}\n$`, string(out))
}
