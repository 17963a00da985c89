package ctext

import "strings"

// A Span is lines of a printed file that run a statement, the last included; lines count from 1.
type Span struct {
	First, Last int
	Region      int    // of the file, from 0
	Stmt        string // its name: S0
	Also        string // the names of others that the lines run as well, separated by spaces: S1 S2
}

// Names returns the names of all statements that the lines of s run.
func (s Span) Names() []string { return append([]string{s.Stmt}, strings.Fields(s.Also)...) }
