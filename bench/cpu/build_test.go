package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDiamonds compares programs in diamond tiles with the original ones, of sizes and in tiles that fit nothing.
func TestDiamonds(t *testing.T) {
	found := 0
	for _, k := range kernels {
		if len(k.diamonds) == 0 {
			continue
		}
		found++
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in := func(name string) string { return filepath.Join(dir, name) }
			source := filepath.Join("kernels", k.name+".c")
			for _, entry := range []string{"original", "tiled"} {
				require.NoError(t, compile("gcc", "-O1", "-DENTRY="+entry, "-c", source, "-o", in(entry+".o")))
			}
			require.NoError(t, compile("gcc", "-O1", "-DPEER", filepath.Join("kernels", "driver.c"), filepath.Join("peers", k.name+".c"),
				in("original.o"), in("tiled.o"), "-lm", "-o", in("program")))
			for _, n := range []int64{3, 8, 9, 10, 13, 31} {
				k.n = n
				for _, steps := range []string{"0", "1", "2", "9", "20"} {
					_, err := command("env", "OMP_NUM_THREADS=3", "OMP_WAIT_POLICY=passive", in("program"), fmt.Sprint(n), steps, fmt.Sprint(k.planes*k.points()), "1", "1,1,1", "2,3,1", "5,3,7", "16,8,512")
					require.NoError(t, err)
				}
			}
		})
	}
	require.NotZero(t, found)
}

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
