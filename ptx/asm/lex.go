package asm

import (
	"fmt"
	"strings"
)

// A token is a word, a string in quotes, or a character of punctuation.
type token struct {
	text string
	line int
}

// scan returns the tokens of text without comments. Names, numbers and names of
// operations with their dots are words.
func scan(text string) ([]token, error) {
	var tokens []token
	line := 1
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			line++
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i:], "*/")
			if end < 0 {
				return nil, fmt.Errorf("line %d: a comment without end", line)
			}
			line += strings.Count(text[i:i+end], "\n")
			i += end + 2
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return nil, fmt.Errorf("line %d: a string without end", line)
			}
			tokens = append(tokens, token{text[i : i+end+2], line})
			i += end + 2
		case isWord(c):
			j := i
			for j < len(text) && isWord(text[j]) {
				j++
			}
			tokens = append(tokens, token{text[i:j], line})
			i = j
		default:
			tokens = append(tokens, token{text[i : i+1], line})
			i++
		}
	}
	return tokens, nil
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '%' || c == '.'
}
