package main

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/internal/ccline"
)

// This file takes the flags of C compilers, so that the flags of a project do for hexcc, too: those that say how to preprocess
// are kept, those about compiling, warning and linking are left out.

// readsC are the commands that do so.
var readsC = []string{"translate", "verify", "inspect", "plot", "report", "tune", "profile"}

// commandOf returns the command that words name, and where it stands; the default one is nowhere.
func commandOf(words []string) (name string, at int) {
	for i, w := range words {
		if w == "--" {
			break
		}
		if !strings.HasPrefix(w, "-") || w == "-" {
			if commands[w] || w == "help" {
				return w, i
			}
			break
		}
	}
	return "translate", -1
}

// withoutCompilerFlags returns words with flags of compilers in terms of ours, or left out, where the command reads C.
func withoutCompilerFlags(words []string) (rest []string) {
	command, at := commandOf(words)
	if !slices.Contains(readsC, command) {
		return words
	}
	for i := 0; i < len(words); {
		word := words[i]
		if word == "--" {
			return append(rest, words[i:]...)
		}
		if i == at || len(word) < 2 || word[0] != '-' || word[1] == '-' {
			rest = append(rest, word)
			i++
			continue
		}
		o := ccline.Split(words[i:])
		switch {
		case o.Name == "-MMD":
			rest = append(rest, "--MD")
		case o.Name == "-MQ":
			rest = append(rest, "--MT="+makeTarget(o.Value))
		case o.Name == "-isystem", o.Name == "-iquote", o.Name == "-idirafter":
			rest = append(rest, "-I"+o.Value)
		case o.Name == "-include":
			rest = append(rest, "--pre-include="+o.Value)
		case ccline.IsDialect(o.Name):
			for _, w := range words[i : i+o.Words] {
				rest = append(rest, "--host-flag="+w)
			}
		case compilesOnly(o.Name):
		default:
			rest = append(rest, words[i:i+1]...)
			o.Words = 1
		}
		i += o.Words
	}
	return rest
}

// compilesOnly reports whether a flag of compilers is about compiling, warning, debugging or linking.
func compilesOnly(name string) bool {
	switch name {
	case "-c", "-S", "-w", "-s", "-g", "-p", "-pg", "-pipe", "-shared", "-static", "-rdynamic", "-pie", "-no-pie", "-nostdlib", "-nostartfiles", "-l", "-L", "-T", "-u", "-z",
		"-Xlinker", "-Xassembler", "-Xclang", "-framework", "-save-temps", "-MG":
		return true
	}
	for _, start := range []string{"-W", "-g", "-l", "-L", "-pedantic", "-fdiagnostics-", "-fprofile", "-ftest-coverage", "-fdebug-prefix-map", "-ffile-prefix-map", "-fmacro-prefix-map", "-fplugin", "-frandom-seed", "-fmessage-length", "-ferror-limit", "-fopenmp-simd", "-fdump", "-static-", "-shared-"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// like returns the one of names that word most likely means, "" if it is like none.
func like(word string, names []string) (best string) {
	least := 3
	for _, n := range names {
		if d := distance(word, n); d < least && d < len(n)/2+1 {
			best, least = n, d
		}
	}
	return best
}

// distance returns how many letters are to be changed, added, left out or exchanged with the next to make b of a.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		next := rows[2]
		next[0] = i + 1
		for j := range len(b) {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			next[j+1] = min(rows[1][j]+same, rows[1][j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], rows[0][j-1]+1)
			}
		}
		rows[0], rows[1], rows[2] = rows[1], next, rows[0]
	}
	return rows[1][len(b)]
}
