package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// This file keeps what was found, a line of JSON for each cell, so that a run that was broken off goes on.

// A Way is what is found of a way to run a program.
type Way struct {
	Way           string  `json:"way"`
	Sizes         string  `json:"sizes,omitempty"`
	Expected      float64 `json:"expected,omitempty"` // instances a second, by the model; 0: it does not say
	Replayed      float64 `json:"replayed,omitempty"` // likewise by the replay; 0: it was not replayed
	Seconds       float64 `json:"seconds,omitempty"`  // of a run that was measured, the least of several
	Ready, Planes bool    `json:",omitempty"`         // tiles start when those that they need have ended; they stream along a dimension
	Why           string  `json:"why,omitempty"`      // it was not replayed or measured, or what of it was not
}

// An Entry is what is found of a cell.
type Entry struct {
	Key     string    `json:"key"` // of the text of the program, the device and the grid
	Program string    `json:"program"`
	Device  string    `json:"device"` // an architecture, or a processor and how many threads
	Size    string    `json:"size"`
	Grid    string    `json:"grid"`
	Dims    int       `json:"dims,omitempty"`
	Took    string    `json:"took,omitempty"` // on a CPU: what --strategy=auto had taken
	Ways    []Way     `json:"ways,omitempty"`
	Why     string    `json:"why,omitempty"` // nothing was found
	At      time.Time `json:"at"`
	Work    float64   `json:"work"` // seconds that it took to find this
}

// keyOf returns the key of parts.
func keyOf(parts ...string) string {
	sum := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(sum, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:16]
}

// A log is a file of entries. Of two with one key the later one holds.
type log struct {
	path string
	all  map[string]Entry
}

// openLog reads a log; a file that is not there has no entries, and a last line that is not whole is none.
func openLog(path string) (l log, err error) {
	l = log{path, map[string]Entry{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, os.MkdirAll(filepath.Dir(path), 0o777)
	}
	if err != nil {
		return l, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	lines := bufio.NewScanner(bytes.NewReader(text[:whole]))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return l, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		l.all[e.Key] = e
	}
	if whole < len(text) {
		err = os.Truncate(path, int64(whole))
	}
	return l, errors.Join(lines.Err(), err)
}

// add adds an entry.
func (l log) add(e Entry) error {
	e.At = time.Now().UTC().Truncate(time.Second)
	l.all[e.Key] = e
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(file).Encode(e), file.Close())
}
