package main

import (
	"errors"
	"fmt"
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
// renamed. Readers and parallel runs never see half a file.
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
	for i, f := range files {
		if err := os.Rename(temps[i], f.path); err != nil {
			return err
		}
	}
	return nil
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
		return "", fmt.Errorf("cannot write %s: %w", f.path, err)
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if _, err := t.Write(f.text); err != nil {
		return t.Name(), err
	}
	return t.Name(), t.Chmod(0o644)
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
