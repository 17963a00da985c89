package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompilers looks for compilers in a folder with few of them.
func TestCompilers(t *testing.T) {
	dir := t.TempDir()
	add := func(name string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o777))
		return path
	}
	b := builder{config: config{compilers: []string{"gcc", "clang"}}}
	t.Setenv("PATH", dir)
	t.Setenv("HEXCC_CLANG", "")
	_, err := b.compilers()
	require.EqualError(t, err, "there is no gcc")
	add("gcc")
	for _, want := range []string{"", "clang-14", "clang-19", "clang"} {
		if want != "" {
			add(want)
		}
		require.Equal(t, want, present("clang"))
	}
	own := add("mine")
	t.Setenv("HEXCC_CLANG", own)
	found, err := b.compilers()
	require.NoError(t, err)
	require.Equal(t, []string{"gcc", own}, found)
	t.Setenv("HEXCC_CLANG", own+"-not")
	require.Empty(t, present("clang"))
}
