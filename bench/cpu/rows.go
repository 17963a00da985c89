package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A row is one measurement.
type row struct {
	ID       string    `json:"id"` // of program, sizes, compiler, threads and machine
	Kernel   string    `json:"kernel"`
	Size     string    `json:"size"`
	Compiler string    `json:"compiler"`
	Version  string    `json:"version"`
	Tiles    string    `json:"tiles"`
	Threads  int       `json:"threads"`
	Machine  string    `json:"machine"`
	Copy     float64   `json:"copy"`     // bytes per second
	Original float64   `json:"original"` // seconds, the least of several runs
	Tiled    float64   `json:"tiled"`
	Diamond  float64   `json:"diamond,omitempty"`  // of the best sizes of diamond tiles,
	Diamonds string    `json:"diamonds,omitempty"` // which are these; 0: not there
	At       time.Time `json:"at"`
}

// rows are all that were measured.
type rows []row

// load reads rows; a file that is not there has none.
func load(path string) (all rows, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(text, &all)
}

func (rs rows) find(id string) (row, bool) {
	i := slices.IndexFunc(rs, func(r row) bool { return r.ID == id })
	if i < 0 {
		return row{}, false
	}
	return rs[i], true
}

// add keeps r, in place of an older row of the same ID, and writes all to path.
func (rs *rows) add(r row, path string) error {
	r.At = time.Now().UTC().Truncate(time.Second)
	*rs = append(slices.DeleteFunc(*rs, func(x row) bool { return x.ID == r.ID }), r)
	text, err := json.MarshalIndent(*rs, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
