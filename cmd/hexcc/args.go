package main

import (
	"fmt"
	"strings"
)

// ccSpelled maps the flags that are spelled as in cc, with one dash and more
// than one letter, to the long flags that stand for them.
var ccSpelled = map[string]string{
	"-MD": "--MD", "-MP": "--MP", "-MF": "--MF", "-MT": "--MT",
	"-Werror": "--Werror", "-include": "--pre-include",
	"-fcolor-diagnostics": "--fdiagnostics-color=always", "-fno-color-diagnostics": "--fdiagnostics-color=never", "-fdiagnostics-color": "--fdiagnostics-color=always", "-fno-diagnostics-color": "--fdiagnostics-color=never",
}

// ccPrefixes are those that carry their value behind a '='.
var ccPrefixes = []string{"-fdiagnostics-format=", "-fdiagnostics-color=", "-fmax-errors="}

// expandArgs replaces each @FILE by the arguments in FILE and spells cc's flags
// so that the command-line parser knows them. @FILE may name further files.
// read reads them.
func expandArgs(args []string, read func(name string) ([]byte, error)) ([]string, error) {
	words, err := expand(args, read, 0)
	return withoutCompilerFlags(words), err
}

func expand(args []string, read func(name string) ([]byte, error), depth int) ([]string, error) {
	if depth > 8 {
		return nil, fmt.Errorf("response files nested more than 8 deep")
	}
	var out []string
	for i, arg := range args {
		if arg == "--" { // only names come after it
			return append(out, args[i:]...), nil
		}
		name, isFile := strings.CutPrefix(arg, "@")
		if !isFile || name == "" {
			out = append(out, spell(arg))
			continue
		}
		text, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("response file: %w", err)
		}
		words, err := splitWords(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		words, err = expand(words, read, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

func spell(arg string) string {
	if long, ok := ccSpelled[arg]; ok {
		return long
	}
	for _, prefix := range ccPrefixes {
		if strings.HasPrefix(arg, prefix) {
			return "-" + arg
		}
	}
	return arg
}

// splitWords splits text at white space; quotes and backslashes protect as in cc's response files.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped, inWord = true, true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("unfinished quote %c", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
