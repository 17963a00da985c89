package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWriteAllOrNone lets the renaming of each file in turn fail: what was there before is there again,
// with the time that make looks at, and nothing else is.
func TestWriteAllOrNone(t *testing.T) {
	t.Cleanup(func() { rename = os.Rename })
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	for fails := range 3 {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name) }
		require.NoError(t, os.WriteFile(path("b"), []byte("old"), 0o600))
		require.NoError(t, os.Chtimes(path("b"), before, before))
		done := 0
		rename = func(from, to string) error {
			if done == fails {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: os.ErrPermission}
			}
			done++
			return os.Rename(from, to)
		}
		files := []outFile{{path: path("a"), text: []byte("1")}, {path: path("b"), text: []byte("2")}, {path: path("c"), text: []byte("3")}}
		err := writer{force: true}.writeAll(files)
		require.EqualError(t, err, "cannot write "+files[fails].path+": permission denied")
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1)
		text, err := os.ReadFile(path("b"))
		require.NoError(t, err)
		require.Equal(t, "old", string(text))
		info, err := os.Stat(path("b"))
		require.NoError(t, err)
		require.True(t, info.ModTime().Equal(before), "%v", info.ModTime())

		rename = os.Rename
		require.NoError(t, writer{force: true}.writeAll(files))
		left, err = os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 3)
	}
}

// TestOutputNames compares what -o says with what the files are called by.
func TestOutputNames(t *testing.T) {
	for output, want := range map[string]string{"": "s", "x": "x", "out/x": "out/x", "../x.y": "../x.y"} {
		got, err := outputBase(output, "s")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for output, instead := range map[string]string{"out/": "out/s", ".": "s", "..": "../s", "../..": "../../s", "/": "/s"} {
		_, err := outputBase(output, "s")
		require.ErrorContains(t, err, "-o "+output+" names a folder")
		require.True(t, strings.HasSuffix(err.Error(), ": -o "+filepath.FromSlash(instead)), "%v", err)
	}
}

// A full is a stream on a disk that is full from some byte on.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// TestFullOutput runs commands whose standard output cannot take all that they say.
func TestFullOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.c")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(functionText, "UPDATE", "a[t % 2][i - 1]")), 0o666))
	for _, args := range [][]string{{"--help"}, {"help", "tile"}, {"explain"}, {"version"}, {"inspect", file}, {"verify", "--sizes=n=20:T=3", file}} {
		var stderr strings.Builder
		require.Equal(t, exitUsage, run(args, &full{10}, &stderr), "%q", args)
		require.Contains(t, stderr.String(), "no space left", "%q", args)
		require.Zero(t, run(args, &full{1 << 20}, &stderr), "%q", args)
	}
}

// TestHangingCompiler runs an nvcc that does not end.
func TestHangingCompiler(t *testing.T) {
	long := patience
	t.Cleanup(func() { patience = long })
	patience = time.Second
	nvcc := filepath.Join(t.TempDir(), "nvcc")
	require.NoError(t, os.WriteFile(nvcc, []byte("#!/bin/sh\nsleep 300\n"), 0o777))
	t.Setenv("HEXCC_NVCC", nvcc)
	var stdout, stderr strings.Builder
	require.Equal(t, 5, run([]string{"tools"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "it ran longer than 1s [HX506]")
}
