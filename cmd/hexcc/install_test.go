package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInstall: the family of a system says by what it installs, and every need has an answer on each.
func TestInstall(t *testing.T) {
	for release, want := range map[string]string{
		"ID=ubuntu\nID_LIKE=debian\n": "apt", "ID=debian\n": "apt", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n": "dnf",
		"ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n": "zypper", "ID=arch": "pacman", "ID=alpine\n": "apk", "ID=darwin\n": "brew", "ID=plan9\n": "", "": "", "noise": "",
	} {
		s := systemOf(release)
		require.Equal(t, want, s.manager, release)
		for need := range packages {
			require.NotEmpty(t, s.install(need), "%s %s", release, need)
		}
	}
	require.Contains(t, systemOf("ID=fedora").install("llvm"), "dnf install llvm")
	require.NotContains(t, systemOf("ID=fedora").install("nvcc"), "dnf")
	for need := range packages {
		require.NotEmpty(t, elsewhere[need], need)
	}
}
