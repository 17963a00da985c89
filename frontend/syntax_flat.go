package frontend

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strconv"
)

// This file takes headers of the system from what the compiler's own preprocessor has made of the file, where that is known: to read them as they
// are, with all that they include and all of their conditions, is most of the work on a short file.

// A flatHeader is a header that the file, or a header of the user, includes: once, and no header of the system does.
type flatHeader struct {
	text  []byte // what it declares and defines, with all that it includes
	count int    // how often it is entered
}

// flattened returns the headers of the system in what a preprocessor has printed of a text, with definitions of macros (-E -dD), by their paths. Functions
// that nothing but these headers names are left out. What asks for hexcc's own macro is another program for the preprocessor.
func flattened(host *Host, printed, text []byte) map[string][]byte {
	if host == nil || len(printed) == 0 || bytes.Contains(text, []byte(ownMacro)) {
		return nil
	}
	named := map[string]bool{}
	noteWords(named, text)
	all := map[string]*flatHeader{}
	var stack []string // of files, the innermost last
	open := 0          // how long the stack is in the header that is being taken, 0: in none
	for line := range bytes.Lines(printed) {
		name, entered, left, marks := lineMarker(line)
		switch {
		case !marks && open > 0:
			h := all[stack[open-1]]
			if h.text = append(h.text, line...); line[0] == '#' {
				noteWords(named, line)
			}
		case !marks:
			noteWords(named, line)
		case entered:
			stack = append(stack, name)
			if h := all[name]; h != nil {
				h.count++
			} else {
				all[name] = &flatHeader{count: 1}
			}
			switch {
			case open > 0:
				all[name].count++ // a header of the system includes it
			case host.isSystem(name):
				open = len(stack)
			}
		case left && len(stack) > 0:
			if stack = stack[:len(stack)-1]; len(stack) < open {
				open = 0
			}
		}
	}
	flat := map[string][]byte{}
	for name, h := range all {
		if h.count == 1 && host.isSystem(name) {
			flat[name] = guardedOnce(len(flat), withoutUnnamed(h.text, named))
		}
	}
	return flat
}

// ownMacro is defined where hexcc reads a file.
const ownMacro = "__HEXCC__"

// noteWords adds the words of a text.
func noteWords(words map[string]bool, text []byte) {
	for i := 0; i < len(text); {
		if inWord(text[i:]) == 0 {
			i++
			continue
		}
		n := wordLen(text[i:])
		words[string(text[i:i+n])] = true
		i += n
	}
}

// prototype matches a declaration of a function, up to the parenthesis of its parameters.
var prototype = regexp.MustCompile(`^extern[ \t\n][^(){}=;]*?([A-Za-z_]\w*)[ \t\n]*\([ \t\n]*[A-Za-z_)]`)

// withoutUnnamed returns the text of headers without functions that are in none of named.
func withoutUnnamed(text []byte, named map[string]bool) []byte {
	items, ok := itemsOf(text)
	if !ok {
		return text
	}
	var out []byte
	done := 0
	for _, it := range items {
		m := prototype.FindSubmatch(text[it.from:it.to])
		if m == nil || it.body > 0 || named[string(m[1])] || attaches[string(m[1])] {
			continue
		}
		out, done = append(out, text[done:it.from]...), it.to
	}
	return append(out, text[done:]...)
}

// attaches are words before a parenthesis that are no functions.
var attaches = map[string]bool{"__attribute__": true, "__attribute": true, "__asm__": true, "__asm": true, "asm": true, "__typeof__": true, "__typeof": true, "typeof": true, "_Alignas": true}

// guardedOnce returns the text of header n, which is there once.
func guardedOnce(n int, text []byte) []byte {
	guard := "__HEXCC_FLAT_" + strconv.Itoa(n)
	return append(append([]byte("#ifndef "+guard+"\n#define "+guard+"\n"), text...), "\n#endif\n"...)
}

// lineMarker reads a line such as `# 1 "/usr/include/stdio.h" 1 3 4`: whether it is one, of what file, and whether that is entered, or another one left for it.
func lineMarker(line []byte) (name string, entered, left, marks bool) {
	rest, is := bytes.CutPrefix(line, []byte("# "))
	if !is || len(rest) == 0 || !isDigit(rest[0]) {
		return "", false, false, false
	}
	from := bytes.IndexByte(rest, '"')
	to := bytes.LastIndexByte(rest, '"')
	if from < 0 || to <= from {
		return "", false, false, true
	}
	name, err := strconv.Unquote(string(rest[from : to+1]))
	if err != nil {
		name = string(rest[from+1 : to])
	}
	flags := bytes.Fields(rest[to+1:])
	return filepath.Clean(name), len(flags) > 0 && string(flags[0]) == "1", len(flags) > 0 && string(flags[0]) == "2", true
}
