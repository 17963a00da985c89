package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An outFile is a file to be written: its path and what it holds.
type outFile struct {
	path string
	text []byte
}

// writeAll writes all files or, if something fails, none: each goes to a
// temporary name in its own folder first, and only when all are complete are they
// renamed. Readers and parallel runs never see half a file. What was there is kept by a
// second name until then; a file system without such names cannot give it back.
func writeAll(files []outFile) (err error) {
	var temps []string
	defer func() {
		for _, t := range temps {
			err = errors.Join(err, ignoreMissing(os.Remove(t)))
		}
	}()
	for _, f := range files {
		t, err := writeTemp(f)
		if t != "" {
			temps = append(temps, t)
		}
		if err != nil {
			return err
		}
	}
	kept := make([]string, len(files))
	for i, f := range files {
		if name := temps[i] + ".old"; os.Link(f.path, name) == nil {
			kept[i] = name
			temps = append(temps, name)
		}
	}
	for i, f := range files {
		if err := rename(temps[i], f.path); err != nil {
			return errors.Join(unwritten(f, err), restore(files[:i], kept))
		}
	}
	return nil
}

// rename is os.Rename, which tests let fail.
var rename = os.Rename

// restore puts back what was in the place of files, by the names that it is kept by.
func restore(files []outFile, kept []string) (err error) {
	for i, f := range files {
		if kept[i] != "" {
			err = errors.Join(err, os.Rename(kept[i], f.path))
		} else {
			err = errors.Join(err, os.Remove(f.path))
		}
	}
	return err
}

// unwritten says that f cannot be written, and why: not by what name it was tried.
func unwritten(f outFile, err error) error {
	folder := filepath.Dir(f.path)
	if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("cannot write %s: there is no folder %s; make it first", f.path, folder)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return fmt.Errorf("cannot write %s: %w", f.path, err)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// writeTemp writes f to a temporary name beside f.path, which it returns.
func writeTemp(f outFile) (name string, err error) {
	if info, err := os.Stat(f.path); err == nil && info.IsDir() {
		return "", fmt.Errorf("cannot write %s: it is a folder", f.path)
	}
	t, err := os.CreateTemp(filepath.Dir(f.path), "."+filepath.Base(f.path)+".*.tmp")
	if err != nil {
		return "", unwritten(f, err)
	}
	_, written := t.Write(f.text)
	if err := errors.Join(written, t.Chmod(0o644), t.Close()); err != nil {
		return t.Name(), unwritten(f, err)
	}
	return t.Name(), nil
}

// outputBase returns what the names of a translation's files begin with: what -o says or, if that is "", base.
func outputBase(output, base string) (string, error) {
	switch name := filepath.Base(output); {
	case output == "":
		return base, nil
	case os.IsPathSeparator(output[len(output)-1]), name == ".", name == "..":
		return "", fmt.Errorf("-o %s names a folder, and what is written needs a name: -o %s", output, filepath.Join(output, base))
	}
	return output, nil
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

// depfile returns make rules: outputs depend on inputs, and with phony each
// input but the first is a target of its own, so that a deleted header is no error.
func depfile(target string, outputs, inputs []string, phony bool) []byte {
	var b strings.Builder
	if target == "" {
		escaped := make([]string, len(outputs))
		for i, o := range outputs {
			escaped[i] = escapeMake(o)
		}
		target = strings.Join(escaped, " ")
	}
	b.WriteString(target + ":")
	for _, in := range inputs {
		b.WriteString(" \\\n  " + escapeMake(in))
	}
	b.WriteString("\n")
	if phony {
		for _, in := range inputs[1:] {
			b.WriteString("\n" + escapeMake(in) + ":\n")
		}
	}
	return []byte(b.String())
}

func escapeMake(path string) string {
	return strings.NewReplacer(" ", `\ `, "#", `\#`, "$", "$$").Replace(path)
}
