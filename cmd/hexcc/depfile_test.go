package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMakeReadsNames lets make read rules with names of all pairs of special characters: it finds
// what a rule is about, and what it depends on, by the name that the file has.
func TestMakeReadsNames(t *testing.T) {
	t.Chdir(t.TempDir())
	special := []string{" ", "#", "$", ":", "%", "*", "?", "[", "]", "~", "|", "=", "&", "!", "(", ")", "'", "\"", "\\", "+", "@", "<", "{", ",", "`", "\xff", "é"}
	var names []string
	for _, a := range special {
		for _, b := range special {
			names = append(names, a+b+".c", "x"+a+"y"+b+".h", a+"x"+b)
		}
	}
	var rules strings.Builder
	var all []string
	for _, name := range names {
		text, err := depfile("", []string{name + ".o"}, []string{"first", name}, true)
		if err != nil {
			continue
		}
		require.NoError(t, os.WriteFile(name, nil, 0o666))
		require.NoError(t, os.WriteFile(name+".o", nil, 0o666))
		require.NoError(t, touch(name+".o", 1000))
		require.NoError(t, touch(name, 500))
		rules.Write(text)
		rules.WriteString(makeTarget(name+".o") + ":\n\t@echo made '$(subst ',Q,$@)'\n")
		all = append(all, name)
	}
	require.NoError(t, os.WriteFile("first", nil, 0o666))
	require.NoError(t, touch("first", 500))
	var goals strings.Builder
	for _, name := range all {
		goals.WriteString(" " + makeName(name+".o"))
	}
	require.NoError(t, os.WriteFile("makefile", []byte("all:"+goals.String()+"\n"+rules.String()), 0o666))
	build := func() (int, string) {
		out, err := exec.Command("make", "-rRk", "all").CombinedOutput()
		require.NoError(t, err, "%s", out[:min(len(out), 2000)])
		return strings.Count(string(out), "made"), string(out)
	}
	made, out := build()
	require.Zero(t, made, out)
	for _, name := range all {
		require.NoError(t, touch(name, 2000))
	}
	made, out = build()
	require.Equal(t, len(all), made, out)
	t.Logf("%d of %d names", len(all), len(names))
}
