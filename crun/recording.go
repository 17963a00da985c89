package crun

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hexcc/hexcc/scop"
)

// This file compares what the regions of two programs find and leave in memory, as text/probe.c has written it.

// A record is what stands in front of the bytes of an array.
type record struct {
	Kind, Site, Run, Array, From, Bytes, Read uint64
	Extents                                   [8]uint64
}

// The kinds of records.
const (
	found, left = 1, 2 // an array where a region begins, or ends
	ran         = 3    // how often a region ran
)

// An Element is where two recordings differ.
type Element struct {
	Run  uint64
	Name string // A[1][3]
	A, B string // its values
}

// A Comparison is what two recordings have of one region.
type Comparison struct {
	Runs     [2]uint64 // how often it ran
	Compared uint64    // runs of which both have all arrays
	Elements int64     // of those, where the region ends
	// Differ is how many differ where the region ends and are not as both programs found them, First the first of them; Found and FirstFound
	// the same of all where it begins.
	Differ, Found     int64
	First, FirstFound Element
	Unread            int64 // arrays that are not where the probe takes them for
	Full              bool  // runs were left out, since they have too many bytes
}

// Names returns the C name and the type of the elements of an array that a probe tells of.
type Names func(site, array int) (name string, elem scop.Type)

// CompareRecordings compares two recordings, of sites regions. The error is that they are not about the same runs.
func CompareRecordings(a, b string, sites int, names Names) ([]Comparison, error) {
	var from [2]*bufio.Reader
	for i, name := range []string{a, b} {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from[i] = bufio.NewReaderSize(file, 1<<20)
	}
	c := &comparer{names: names, of: make([]Comparison, sites), before: map[[2]uint64][2][]byte{}}
	for {
		done, err := c.next(from)
		if done || err != nil {
			return c.of, err
		}
	}
}

type comparer struct {
	names  Names
	of     []Comparison
	before map[[2]uint64][2][]byte // what this run of the region found, by array and where it begins there, where that differs
	last   [2]uint64               // the site and run that were last compared
}

var errOtherRuns = errors.New("the programs do not run the same regions in the same order, with arrays of the same sizes")

// next compares a record of each.
func (c *comparer) next(from [2]*bufio.Reader) (done bool, err error) {
	var r [2]record
	var data [2][]byte
	for i := range r {
		err := binary.Read(from[i], binary.NativeEndian, &r[i])
		if errors.Is(err, io.EOF) && i == 1 && done {
			return true, nil
		}
		if errors.Is(err, io.EOF) && i == 0 {
			done = true
			continue
		}
		if err != nil || done {
			return false, errOtherRuns
		}
		if r[i].Kind == ran {
			continue
		}
		data[i] = make([]byte, r[i].Bytes)
		if _, err := io.ReadFull(from[i], data[i]); err != nil {
			return false, fmt.Errorf("what a program wrote of its memory ends too early: %w", err)
		}
	}
	x, y := r[0], r[1]
	if x.Site >= uint64(len(c.of)) {
		return false, errOtherRuns
	}
	at := &c.of[x.Site]
	if x.Kind == ran && y.Kind == ran && x.Site == y.Site {
		at.Runs, at.Full = [2]uint64{x.Run, y.Run}, x.Read == 0 || y.Read == 0
		return false, nil
	}
	if x != y {
		return false, errOtherRuns
	}
	if x.Read == 0 {
		at.Unread++
		return false, nil
	}
	if this := [2]uint64{x.Site, x.Run}; this != c.last {
		c.last = this
		clear(c.before)
		at.Compared++
	}
	c.array(at, x, data)
	return false, nil
}

// array compares the bytes of an array.
func (c *comparer) array(at *Comparison, r record, data [2][]byte) {
	name, t := c.names(int(r.Site), int(r.Array))
	size := t.Size()
	if r.Kind == left {
		at.Elements += int64(len(data[0]) / size)
	}
	if bytes.Equal(data[0], data[1]) {
		return
	}
	if r.Kind == found {
		c.before[[2]uint64{r.Array, r.From}] = data
	}
	before, differed := c.before[[2]uint64{r.Array, r.From}]
	for k := 0; k+size <= len(data[0]); k += size {
		a, b := data[0][k:k+size], data[1][k:k+size]
		if sameElement(t, a, b) {
			continue
		}
		first := Element{r.Run, r.element(name, t, k/size), text(t, a), text(t, b)}
		if r.Kind == found {
			if at.Found++; at.Found == 1 {
				at.FirstFound = first
			}
			continue
		}
		if differed && bytes.Equal(before[0][k:k+size], a) && bytes.Equal(before[1][k:k+size], b) {
			continue // no program sets it
		}
		if at.Differ++; at.Differ == 1 {
			at.First = first
		}
	}
}

// sameElement reports whether two elements of type t are equal bit for bit, or both no number.
func sameElement(t scop.Type, a, b []byte) bool {
	if t == scop.LongDouble { // what follows are no digits
		a, b = a[:10], b[:10]
	}
	if bytes.Equal(a, b) {
		return true
	}
	x, _ := TakeCell(t, padded(t, a))
	y, _ := TakeCell(t, padded(t, b))
	return t.BothNaN(x, y)
}

func text(t scop.Type, a []byte) string {
	x, _ := TakeCell(t, padded(t, a))
	return t.Format(x)
}

func padded(t scop.Type, a []byte) []byte {
	return append(a[:len(a):len(a)], make([]byte, t.Size()-len(a))...)
}

// element names element k of what a record has.
func (r record) element(name string, t scop.Type, k int) string {
	var extents []int64
	for _, e := range r.Extents {
		if e > 0 {
			extents = append(extents, int64(e))
		}
	}
	return scop.ElementName(name, extents, int64(r.From)/int64(t.Size())+int64(k))
}
