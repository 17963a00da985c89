package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
)

// An outFile is a file to be written: its path, "-" for standard output, and what it holds.
type outFile struct {
	path string
	text []byte
	// rules: it holds make rules, which have no mark of hexcc.
	rules bool
}

// write writes files, and what was put off until now: all of them or, if something
// fails, none. Nothing that hexcc did not make is written over without force, and an input never.
func (s *session) write(force bool, files ...outFile) error {
	files = append(s.later, files...)
	s.later = nil
	w := writer{inputs: s.inputs, force: force, streams: map[int]io.Writer{1: s.stdout, 2: bare(s.stderr)}}
	return w.writeAll(files)
}

// outputBase returns what the names of a translation's files begin with: what -o says or, if that is "", base.
func outputBase(output, base string) (string, error) {
	switch name := filepath.Base(output); {
	case output == "" && base == "":
		return "", fmt.Errorf("what is written needs a name: -o BASE, or -o - for standard output")
	case output == "":
		return base, nil
	case os.IsPathSeparator(output[len(output)-1]), name == ".", name == "..":
		if base == "" {
			base = "BASE"
		}
		return "", fmt.Errorf("-o %s names a folder, and what is written needs a name: -o %s", output, filepath.Join(output, base))
	}
	return output, nil
}

// isStream reports whether path names something to write into that is no file: standard output, a device or a pipe.
func isStream(path string) bool {
	target, fd := follow(path)
	if path == "-" || fd >= 0 {
		return true
	}
	info, err := os.Lstat(target)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// translation returns the files of a translation, the user's first.
func translation(base string, t hexcc.Target, res *hexcc.Result) (files []outFile) {
	var named []ctext.File
	switch t {
	case hexcc.OpenMP, hexcc.C, hexcc.MPI:
		named = res.C.Named(base)
	case hexcc.MPICUDA:
		named = res.MPICUDA.Named(base)
	case hexcc.OpenCL:
		named = res.OpenCL.Named(base)
	case hexcc.PTX:
		named = res.PTX.Named(base)
	default:
		named = res.Files.Named(base)
	}
	for _, f := range named {
		files = append(files, outFile{path: f.Name, text: []byte(f.Text)})
	}
	return files
}

// regionsFile is what the functions are in that a unit includes, or that functionsFile does where they are compiled apart: then the unit
// includes callsFile.
const (
	regionsFile   = "hexcc-regions.h"
	callsFile     = "hexcc-region-calls.h"
	functionsFile = "hexcc-regions.c"
)

// unitFiles returns what is compiled in place of a source: at path the source with calls in place of regions, and beside it
// the functions that are called, as a header of the system, in which compilers see nothing to warn of. Where they are to be compiled
// apart, there is a source for them, too.
func unitFiles(path string, apart bool, res *hexcc.Result) []outFile {
	rest := strings.TrimPrefix(res.C.Text, res.C.Whole)
	beside := func(name, text string) outFile {
		return outFile{path: filepath.Join(filepath.Dir(path), name), text: []byte(text)}
	}
	header := func(name, text string) outFile { return beside(name, "#pragma GCC system_header\n"+text) }
	including := func(name string) string { return "#include \"" + name + "\" /* " + ctext.Made + " */" }
	if !apart {
		return []outFile{header(regionsFile, res.C.Whole), {path: path, text: []byte(including(regionsFile) + rest)}}
	}
	a := res.C.Apart()
	return []outFile{
		header(regionsFile, a.Functions), header(callsFile, a.Calls), beside(functionsFile, including(regionsFile)+"\n"),
		{path: path, text: []byte(including(callsFile) + rest)},
	}
}

// A sink is a stream that remembers the first error of writing to it.
type sink struct {
	io.Writer
	err error
}

func (s *sink) Write(p []byte) (n int, err error) {
	if n, err = s.Writer.Write(p); err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}
