package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBench runs the command on two schedules of a folder, of which one cannot be read, and on random ones, without isl.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "bench-scan")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	inputs := filepath.Join(dir, "inputs")
	for name, text := range map[string]string{
		"one.in":   "[n] -> { S[i] -> [i] : 0 <= i < n }\n{ : }\n{ }\n",
		"one.c":    "for (int c0 = 0; c0 < n; c0 += 1)\n  if (n >= 1)\n    S(c0);\n",
		"sub/a.st": "domain: \"{ S[i] : 0 <= i < n }\"\n",
		"big.in":   "{ S[i, j, k] -> [i, j, k] : 0 <= i, j, k < 1000 }\n{ : }\n{ }\n",
	} {
		path := filepath.Join(inputs, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	out, err = exec.Command(program, "-inputs", inputs, "-random", "3", "-v", "-runs", "1").CombinedOutput()
	require.Error(t, err)
	text := string(out)
	assert.Regexp(t, `one\.in +1 ops, isl +2 .*3 runs +ok`, text)
	assert.Regexp(t, `big\.in +3 ops, .*1 runs 1/\d+ +ok`, text)
	assert.Regexp(t, `a\.st +0 ops.*NO LOOPS: 1:28: n is not defined`, text)
	assert.Regexp(t, `sub +1 +0 +0 +0 +0 +-`, text)
	assert.Regexp(t, `random +3 +3 +3 +3`, text)
	assert.Regexp(t, `\. +2 +2 +2 +2 +1 +0\.50`, text)
	assert.Equal(t, 1, strings.Count(text, "NO LOOPS"))

	out, err = exec.Command(program, "-random", "9", "-run", "^4$").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "-- ours: ")
	_, err = exec.Command(program).CombinedOutput()
	require.Error(t, err)
}
