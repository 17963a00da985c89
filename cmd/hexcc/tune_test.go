package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestTuningPage runs the commands of docs/tuning.md as they are printed, with a compiler that takes little time.
func TestTuningPage(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	page, err := os.ReadFile("../../docs/tuning.md")
	require.NoError(t, err)
	block := regexp.MustCompile(`(?m)(^    hexcc .*\n)+`).FindString(string(page))
	require.Contains(t, block, "hexcc tune --dry-run")
	dir, bin := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")))
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "hexcc")))
	cc := filepath.Join(bin, "mycc")
	require.NoError(t, os.WriteFile(cc, []byte("#!/bin/sh\nexec "+gcc+" \"$@\" -O0 -lm\n"), 0o777))
	cmd := exec.Command("sh", "-ec", block)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HEXCC_CC="+cc, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, want := range []string{`(?m)^fastest +[0-9]+\.[0-9]+ s +--strategy=`, `(?m)^model's choice `, `remark: --strategy=.*, as measured on .* at n=500, steps=20 \[HX220\]`, `verified: bit for bit`} {
		require.Regexp(t, want, string(out))
	}
	for _, file := range []string{"tuned.json", "tuned.html", "jacobi-2d.tune.jsonl", "jacobi-2d.hex.c"} {
		_, err := os.Stat(filepath.Join(dir, file))
		require.NoError(t, err)
	}
}
