// Package programs reads what benchmarks translate: C programs of the repository, in the type of their elements or in the other one.
package programs

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Text returns the program of a file: the first one in C of an archive of testdata, nil if there is none, or all of any other file.
func Text(path string, text []byte) []byte {
	if filepath.Ext(path) != ".txtar" {
		return text
	}
	for _, f := range txtar.Parse(text).Files {
		if strings.HasSuffix(f.Name, ".c") {
			return f.Data
		}
	}
	return nil
}

var floats = regexp.MustCompile(`\bfloat\b|(\d\.\d*(?:e[-+]?\d+)?)f\b`)

// HasFloats reports whether a program has elements or constants of type float.
func HasFloats(text []byte) bool { return floats.Match(text) }

// InDouble returns a program in double in place of float.
func InDouble(text []byte) []byte {
	return floats.ReplaceAllFunc(text, func(m []byte) []byte {
		if string(m) == "float" {
			return []byte("double")
		}
		return m[:len(m)-1]
	})
}
