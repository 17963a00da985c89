package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBashCompletion completes words in bash.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on PATH")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stencil.c"), nil, 0o666))
	script := filepath.Join(dir, "completion")
	require.NoError(t, os.WriteFile(script, []byte(says(t, "completion", "bash")), 0o666))
	for _, x := range []struct{ words, want string }{ // a last word that ends with | is complete: the next one begins
		{"hexcc ver", "verify version"},
		{"hexcc st", "stencil.c"},
		{"hexcc --tar", "--target="},
		{"hexcc --target = ", "cuda opencl ptx openmp c mpi mpi+cuda"},
		{"hexcc --target = op", "opencl openmp"},
		{"hexcc --launch = r", "ready"},
		{"hexcc inspect --format = ", "text json isl dot"},
		{"hexcc verify --dev", "--device="},
		{"hexcc plot --dev", ""},
		{"hexcc verify st", "stencil.c"},
		{"hexcc explain --fo", ""},
		{"hexcc doctor --format = j", "json"},
		{"hexcc completion ", "bash zsh fish"},
		{"hexcc help strat", "strategies"},
		{"hexcc cc --or", "--or-plain"},
		{"hexcc cc gcc -c st", "stencil.c"},
		{"hexcc plot -o st", "stencil.c"},
	} {
		cmd := exec.Command(bash, "--norc", "-c", `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hexcc; echo "${COMPREPLY[@]}"`, "bash", script)
		cmd.Args = append(cmd.Args, strings.Split(x.words, " ")...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", x.words, out)
		require.Equal(t, x.want, strings.Join(strings.Fields(string(out)), " "), x.words)
	}
}

// TestCompletionScripts: shells that are here take the scripts, and all have each command and flag of --help.
func TestCompletionScripts(t *testing.T) {
	flag := regexp.MustCompile(`--([a-zA-Z0-9-]+)`)
	for _, shell := range shells {
		text := says(t, "completion", shell)
		for command := range commands {
			require.Regexp(t, `\b`+command+`\b`, text, shell)
			for _, m := range flag.FindAllStringSubmatch(flagLines(says(t, command, "--help")), -1) {
				if m[1] != "version" && m[1] != "help" {
					require.Regexp(t, `(--|-l )`+m[1]+`\b`, text, "%s of %s", shell, command)
				}
			}
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		script := filepath.Join(t.TempDir(), "script")
		require.NoError(t, os.WriteFile(script, []byte(text), 0o666))
		out, err := exec.Command(path, "-n", script).CombinedOutput()
		require.NoError(t, err, "%s: %s", shell, out)
	}
	var stdout, stderr strings.Builder
	require.Equal(t, exitUsage, run([]string{"completion", "tcsh"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "bash")
}

// flagLines returns the lines of a help text that begin with a flag.
func flagLines(help string) string {
	return strings.Join(regexp.MustCompile(`(?m)^  (-., |    )--[a-zA-Z0-9-]+`).FindAllString(help, -1), "\n")
}

// TestManPage: hexcc(1) has all commands and flags, and formatters take it.
func TestManPage(t *testing.T) {
	page := says(t, "help", "--man")
	shown := strings.NewReplacer(`\-`, "-", `\(dq`, `"`, `\(aq`, "'", `\&`, "").Replace(page)
	for command := range commands {
		require.Contains(t, shown, "hexcc "+command, command)
		for _, m := range regexp.MustCompile(`--[a-zA-Z0-9-]+`).FindAllString(flagLines(says(t, command, "--help")), -1) {
			if m != "--version" && m != "--help" {
				require.Regexp(t, `(?m)^\.B ".*`+m+`[="]`, shown, command)
			}
		}
	}
	for name := range topics {
		require.Contains(t, shown, `.B "`+name+`"`)
	}
	file := filepath.Join(t.TempDir(), "hexcc.1")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o666))
	for _, formatter := range [][]string{{"man", "--warnings", "-l", file}, {"mandoc", "-T", "lint", "-W", "error", file}} {
		path, err := exec.LookPath(formatter[0])
		if err != nil {
			continue
		}
		var out, errs strings.Builder
		cmd := exec.Command(path, formatter[1:]...)
		cmd.Env = append(os.Environ(), "MANWIDTH=80", "LC_ALL=C.UTF-8", "MANPAGER=cat")
		cmd.Stdout, cmd.Stderr = &out, &errs
		err = cmd.Run()
		if formatter[0] == "man" && err != nil { // a man that only says where pages would be
			continue
		}
		require.NoError(t, err, "%s: %s%s", formatter[0], out.String(), errs.String())
		require.Empty(t, errs.String(), formatter[0])
		if formatter[0] == "man" {
			require.Contains(t, strings.Join(strings.Fields(out.String()), " "), "hexcc verify [flags] FILE.c")
		}
	}
}
