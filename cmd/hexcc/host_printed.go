package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/hexcc/hexcc"
)

// This file asks the compiler of the machine what its preprocessor makes of a source: its own headers are most of the work of reading a short file, and it reads them in
// a tenth of the time. What it says replaces those headers alone (hexcc.Options.Printed).

// printed returns what the compiler whose headers are read prints of src, with the definitions of macros; nil where it is not asked, or has something to say against src.
func (f *sourceFlags) printed(src hexcc.Source, o hexcc.Options) []byte {
	if o.Host == nil || len(f.HostCompiler) > 0 || isStream(f.File) || !bytes.Contains(src.Text, []byte("#include <")) {
		return nil
	}
	if text, err := os.ReadFile(src.Name); err != nil || !bytes.Equal(text, src.Text) { // it reads a file of that name
		return nil
	}
	args := slices.Concat(f.HostFlag, []string{"-x", "c", "-E", "-dD"})
	for _, dir := range o.IncludeDirs {
		args = append(args, "-I", dir)
	}
	for _, d := range o.Defines {
		args = append(args, "-D"+d)
	}
	for _, u := range o.Undefines {
		args = append(args, "-U"+u)
	}
	for _, name := range o.Includes {
		args = append(args, "-include", name)
	}
	name := src.Name
	if !filepath.IsAbs(name) {
		name = "./" + name // which is no flag
	}
	out, _, err := runHost(o.Host.Compiler, nil, append(args, name)...)
	if err != nil {
		return nil
	}
	return out
}
