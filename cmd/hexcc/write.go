package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// A writer writes all that a run of hexcc writes.
type writer struct {
	inputs  []input           // files that are never written over
	force   bool              // replace also what hexcc did not make
	streams map[int]io.Writer // what is open, by number
}

// writeAll writes all files or, if something fails, none: each goes to a
// temporary name in its own folder first, and only when all are complete are they
// renamed. Readers and parallel runs never see half a file. What was there is kept by a
// second name until then. Devices and pipes come last: what went into them is gone.
func (w writer) writeAll(files []outFile) (err error) {
	var places []place
	for _, f := range files {
		p, err := w.place(f)
		if err != nil {
			return err
		}
		for _, q := range places {
			if p.same(q) {
				return fmt.Errorf("cannot write %s: it is the same as %s, another output of this run", p.path, q.path)
			}
		}
		places = append(places, p)
	}
	var made []string // removed in the end
	defer func() {
		for _, name := range made {
			err = errors.Join(err, ignoreMissing(os.Remove(name)))
		}
	}()
	temps, kept := make([]string, len(places)), make([]string, len(places))
	for i, p := range places {
		if !p.renamed() {
			continue
		}
		if temps[i], err = writeTemp(p); temps[i] != "" {
			made = append(made, temps[i])
		}
		if err != nil {
			return err
		}
	}
	for i, p := range places {
		if p.old == nil {
			continue
		}
		kept[i] = temps[i] + ".old"
		made = append(made, kept[i])
		if err := keep(p, kept[i]); err != nil {
			return unwritten(p.outFile, err)
		}
	}
	for i, p := range places {
		if !p.renamed() {
			continue
		}
		if err := rename(temps[i], p.target); err != nil {
			return errors.Join(unwritten(p.outFile, err), restore(places[:i], kept))
		}
	}
	for _, p := range places {
		if p.renamed() {
			continue
		}
		if err := w.pour(p); err != nil {
			return errors.Join(unwritten(p.outFile, err), restore(places, kept))
		}
	}
	return nil
}

// renamed reports whether p is a file, new or old.
func (p place) renamed() bool { return p.fd < 0 && !p.device }

// rename is os.Rename, which tests let fail.
var rename = os.Rename

// keep gives what is at p a second name or, in a file system that has no such names, copies it there.
func keep(p place, name string) error {
	if link(p.target, name) == nil {
		return nil
	}
	text, err := os.ReadFile(p.target)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(name, text, p.old.Mode().Perm()), os.Chtimes(name, p.old.ModTime(), p.old.ModTime()))
}

// link is os.Link, which tests let fail.
var link = os.Link

// restore puts back what was in the place of files, by the names that it is kept by.
func restore(places []place, kept []string) (err error) {
	for i, p := range places {
		switch {
		case !p.renamed():
		case kept[i] != "":
			err = errors.Join(err, os.Rename(kept[i], p.target))
		default:
			err = errors.Join(err, os.Remove(p.target))
		}
	}
	return err
}

// pour writes p into what is there.
func (w writer) pour(p place) error {
	if p.fd < 0 {
		file, err := os.OpenFile(p.target, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = file.Write(p.text)
		return errors.Join(err, file.Close())
	}
	stream := w.streams[p.fd]
	if stream == nil {
		stream = os.NewFile(uintptr(p.fd), p.path) // left open: it is not ours
	}
	_, err := stream.Write(p.text)
	return err
}

// writeTemp writes p to a new name beside its target, which it returns, with the mode and
// the owner of what is to be replaced.
func writeTemp(p place) (name string, err error) {
	var t *os.File
	for range 100 {
		name = filepath.Join(filepath.Dir(p.target), ".hexcc-"+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
		if t, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", unwritten(p.outFile, err)
	}
	_, err = t.Write(p.text)
	if p.old != nil {
		giveOwner(t, p.old)
		err = errors.Join(err, t.Chmod(p.old.Mode().Perm()))
	}
	if err := errors.Join(err, t.Close()); err != nil {
		return name, unwritten(p.outFile, err)
	}
	return name, nil
}

// unwritten says that f cannot be written, and why: not by what name it was tried.
func unwritten(f outFile, err error) error {
	folder := filepath.Dir(f.path)
	if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("cannot write %s: there is no folder %s; make it first", f.path, folder)
	}
	return fmt.Errorf("cannot write %s: %w", f.path, reason(err))
}

// reason returns what went wrong without the name of the file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
