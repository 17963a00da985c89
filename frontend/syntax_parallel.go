package frontend

import (
	"bytes"
	"regexp"
	"strings"

	"modernc.org/cc/v4"
)

// This file finds the constructs of OpenMP and OpenACC that a region stands in.

// parallelPragma matches a pragma after which all threads of a team run the next statement. A loop whose iterations
// the threads share is none: each region that stands in one is run by one thread.
var (
	parallelPragma = regexp.MustCompile(`^#\s*pragma\s+(omp|acc)\s+(target\s+)?(parallel|teams|kernels)\b`)
	sharedPragma   = regexp.MustCompile(`\b(for|sections|single|master|masked|loop|distribute|task)\b`)
	continuedLine  = regexp.MustCompile(`\\\r?\n`)
	onePragma      = regexp.MustCompile(`^#\s*pragma\s+omp\s+(single|master|masked|task|sections?)\b`)
)

// parallel returns the pragma that makes several threads run the whole of r, if there is one.
func (r region) parallel(f *file) (pragma string, found bool) {
	for _, s := range r.around {
		from, _, ok := f.bytes(s.at())
		if !ok {
			continue
		}
		for _, line := range pragmasBefore(string(f.text[:from])) {
			switch {
			case parallelPragma.MatchString(line):
				pragma, found = line, !sharedPragma.MatchString(line)
			case onePragma.MatchString(line) || found && sharedPragma.MatchString(line):
				found = false
			}
		}
	}
	return pragma, found
}

// teams are the pragmas that _Pragma writes, mostly in macros, after which all threads of a team run the next statement, by the number of
// the region that they stand before. Where that statement ends is not known: the region may stand in it.
type teams map[int]string

// see notes the pragma that consists of toks, if it is one of these. regions
// are the marks of regions so far.
func (ts teams) see(toks []cc.Token, regions []pragma) {
	line := "#pragma"
	for _, t := range toks {
		line += " " + t.SrcStr()
	}
	region := 0
	for _, p := range regions {
		if p.word == "scop" {
			region++
		}
	}
	if parallelPragma.MatchString(line) && !sharedPragma.MatchString(line) {
		ts[region] = line
	}
}

// ownHeader matches the inclusion of a header that is no header of the system.
var ownHeader = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[^< \t]`)

// mayMakeTeams reports whether text, or a header of the program, may have macros of _Pragma for compilers that know OpenMP.
func mayMakeTeams(text []byte) bool {
	return bytes.Contains(text, []byte("_Pragma")) || ownHeader.Match(text)
}

// pragmasBefore returns the pragmas at the end of text, with nothing but blanks between them, each on one line.
func pragmasBefore(text string) (all []string) {
	for {
		text = strings.TrimRight(text, " \t\r\n")
		at := len(text)
		for { // a line and those that it continues
			at = strings.LastIndexByte(text[:at], '\n')
			if at < 1 || !strings.HasSuffix(strings.TrimSuffix(text[:at], "\r"), "\\") {
				break
			}
		}
		line := strings.TrimSpace(continuedLine.ReplaceAllString(text[at+1:], " "))
		if !strings.HasPrefix(line, "#") {
			return all
		}
		all = append([]string{line}, all...)
		if text = text[:max(at, 0)]; text == "" {
			return all
		}
	}
}
