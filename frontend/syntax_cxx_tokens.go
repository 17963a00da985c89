package frontend

import (
	"bytes"
	"slices"
	"strings"
)

// This file cuts a C++ file into tokens, without preprocessing it.

// A cxxToken is text[from:to] of a file.
type cxxToken struct {
	kind     cxxKind
	from, to int
	s        string
}

type cxxKind uint8

const (
	cxxWord cxxKind = iota
	cxxNumber
	cxxString    // or a character
	cxxPunct     // :: is one, >> is two
	cxxDirective // a whole line, with those that continue it
)

// cxxTokens returns the tokens of text.
func cxxTokens(text []byte) (toks []cxxToken) {
	add := func(kind cxxKind, from, to int) { toks = append(toks, cxxToken{kind, from, to, string(text[from:to])}) }
	for i := 0; i < len(text); {
		c, n := text[i], notWordLen(text[i:])
		switch {
		case c == '#' && atLineStart(text, i):
			end := directiveEnd(text, i)
			add(cxxDirective, i, end)
			i = end
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\\':
			i++
		case n > 1 && c == '/':
			i += n
		case c == '"' || c == '\'':
			add(cxxString, i, i+n)
			i += n
		case isDigit(c) || c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			end := i + wordLen(text[i:])
			for end+1 < len(text) && text[end] == '\'' && inWord(text[end+1:]) > 0 { // 1'000
				end += 1 + wordLen(text[end+1:])
			}
			add(cxxNumber, i, end)
			i = end
		case inWord(text[i:]) > 0:
			end := i + wordLen(text[i:])
			if raw := rawStringEnd(text, i, end); raw > 0 {
				add(cxxString, i, raw)
				i = raw
				continue
			}
			add(cxxWord, i, end)
			i = end
		case bytes.HasPrefix(text[i:], []byte("::")):
			add(cxxPunct, i, i+2)
			i += 2
		case bytes.HasPrefix(text[i:], []byte(">>")) && !bytes.HasPrefix(text[i:], []byte(">>=")):
			add(cxxPunct, i, i+1)
			i++
		default:
			n := punctLen(text[i:])
			add(cxxPunct, i, i+n)
			i += n
		}
	}
	return toks
}

// rawStringEnd returns the end of the raw string whose prefix is text[i:end], 0 if there is none.
func rawStringEnd(text []byte, i, end int) int {
	if !slices.Contains([]string{"R", "u8R", "LR", "uR", "UR"}, string(text[i:end])) || end >= len(text) || text[end] != '"' {
		return 0
	}
	open := bytes.IndexByte(text[end:], '(')
	if open < 0 {
		return 0
	}
	mark := slices.Concat([]byte(")"), text[end+1:end+open], []byte(`"`))
	n := bytes.Index(text[end+open:], mark)
	if n < 0 {
		return 0
	}
	return end + open + n + len(mark)
}

// cxxOpen are what opens a bracket, with what closes it.
var cxxOpen = map[string]string{"(": ")", "[": "]", "{": "}"}

// unmatched returns the first bracket that none closes, or that closes none, nil if all match.
func unmatched(toks []cxxToken) *cxxToken {
	var open []int
	for i, t := range toks {
		if t.kind != cxxPunct || !strings.Contains("()[]{}", t.s) {
			continue
		}
		switch last := len(open) - 1; {
		case cxxOpen[t.s] != "":
			open = append(open, i)
		case last >= 0 && cxxOpen[toks[open[last]].s] == t.s:
			open = open[:last]
		case slices.ContainsFunc(open, func(j int) bool { return cxxOpen[toks[j].s] == t.s }): // it closes an outer one
			return &toks[open[last]]
		default:
			return &toks[i]
		}
	}
	if len(open) == 0 {
		return nil
	}
	return &toks[open[0]]
}

// cxxMatches returns for each token the index of the bracket that closes, or opens, the one that it is, else -1; ok is
// false if brackets do not match.
func cxxMatches(toks []cxxToken) (match []int, ok bool) {
	match = make([]int, len(toks))
	var open []int
	for i, t := range toks {
		match[i] = -1
		if t.kind != cxxPunct {
			continue
		}
		switch t.s {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) == 0 || cxxOpen[toks[open[len(open)-1]].s] != t.s {
				return match, false
			}
			j := open[len(open)-1]
			open = open[:len(open)-1]
			match[i], match[j] = j, i
		}
	}
	return match, len(open) == 0
}
