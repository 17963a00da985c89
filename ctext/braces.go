package ctext

import "strings"

// Braces returns how many braces open and close in text, those in comments and literals left out.
func Braces(text string) (open, closed int) {
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			i += end(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += 2 + end(rest[2:], "*/")
		case text[i] == '"' || text[i] == '\'':
			for i++; i < len(text) && text[i] != rest[0] && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case text[i] == '{':
			open++
		case text[i] == '}':
			closed++
		}
	}
	return open, closed
}

// end returns where in s the first mark ends, less 1, or the end of s.
func end(s, mark string) int {
	i := strings.Index(s, mark)
	if i < 0 {
		return len(s)
	}
	return i + len(mark) - 1
}
