package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// This file makes folders for what is compiled in place of sources.

// A folder is one in that of temporary files, which no other process writes into.
type folder struct {
	path string
	lock *os.File // held while it is used; nil: its name is new
}

// newFolder makes an empty folder. The same key, in the same working directory, gives the same name again, unless a
// process uses it: caches of compilers, which look at names, then find what they have compiled.
func newFolder(key string) (folder, error) {
	here, err := os.Getwd()
	if err != nil {
		return folder{}, err
	}
	sum := sha256.Sum256([]byte(here + "\n" + key))
	path := filepath.Join(os.TempDir(), fmt.Sprintf("hexcc-%d-%x", os.Getuid(), sum[:12]))
	if err := os.Mkdir(path, 0o700); err == nil || os.IsExist(err) {
		if lock, err := lockFolder(path); err == nil {
			f := folder{path, lock}
			f.empty() // of what a process left that was killed
			return f, nil
		}
	}
	path, err = os.MkdirTemp("", "hexcc-")
	return folder{path: path}, err
}

func (f folder) empty() {
	entries, _ := os.ReadDir(f.path)
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(f.path, e.Name()))
	}
}

// remove removes the folder and what is in it. The zero folder is none.
func (f folder) remove() {
	if f.path == "" {
		return
	}
	_ = os.RemoveAll(f.path)
	if f.lock != nil {
		f.lock.Close()
	}
}
