package hexcc

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"regexp"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/openmp"
)

// This file keeps what the passes on regions make for CPUs, and takes it where a region is the same again: another function of the file may have
// changed, or the lines may have moved. What is kept is the text of a region, and what was said of it; the rest of the files is made anew.

// A Store keeps what became of regions. Its methods may be called at once.
type Store interface {
	Get(key string) []byte // nil: there is nothing
	Put(key string, data []byte)
}

// A storedRegion is what became of a region: places are those of the region that it was made of, whose first line is Line.
type storedRegion struct {
	Line     int
	Strategy Strategy
	Sweeps   bool
	Remarks  [][]*diag.Diagnostic // of each pass
	Text     openmp.Stored
	// Fixed: something that was said names lines in words.
	Fixed bool
}

// namesLines are words that are about lines.
var namesLines = regexp.MustCompile(`\blines? [0-9]`)

// storeKey returns by what the region of u is kept, "" where it is not: all that the passes read of it, of the options, and which passes they are.
func (f *file) storeKey(u *unit, todo, after []pass) string {
	o := u.opts
	if o.Store == nil || !o.FilesOnly || !o.Target.isCPU() || o.Target.isMPI() || o.Dump != nil || o.hard != nil || o.Check || o.Ranked || o.Places || len(after) == 0 {
		return ""
	}
	o.Store, o.Began, o.Host, o.Printed = nil, nil, nil, nil // the front end has read the headers
	d := newDigest(u.Scop.File, u.Scop.Region.StartLine)
	var names []string
	for _, p := range todo {
		names = append(names, p.name)
	}
	return d.of(names, o, *u.Region)
}

// restored returns what came of todo on the region of u, and its release, where that is kept; else nil.
func (u *unit) restored(f *file, key string, todo []pass) []run {
	if key == "" {
		return nil
	}
	var kept storedRegion
	if data := u.opts.Store.Get(key); data == nil || gob.NewDecoder(bytes.NewReader(data)).Decode(&kept) != nil || len(kept.Remarks) != len(todo) {
		return nil
	}
	lines := u.Scop.Region.StartLine - kept.Line
	if kept.Fixed && lines != 0 {
		return nil
	}
	runs := make([]run, len(todo)+1)
	for i, said := range kept.Remarks {
		for _, d := range said {
			d.At = u.below(d.At, lines)
			for k := range d.Notes {
				d.Notes[k].At = u.below(d.Notes[k].At, lines)
			}
		}
		runs[i].remarks = said
	}
	u.sweeps, *u.Region = kept.Sweeps, Region{Scop: u.Scop, Strategy: kept.Strategy}
	p := kept.Text.Printed(u.Scop, f.namesInC(u))
	u.printed.c = &p
	return runs
}

// below returns a place so many lines below s in the file of the region; others stay.
func (u *unit) below(s diag.Span, lines int) diag.Span {
	if s.Line > 0 && s.File == u.Scop.File {
		s.Line += lines
	}
	return s
}

// store keeps what came of todo on the region of u, and its release. Without errors, that is.
func (u *unit) store(key string, todo []pass, runs []run) {
	if key == "" || len(runs) != len(todo)+1 || u.printed.c == nil {
		return
	}
	text, same := u.printed.c.Stored(u.Scop)
	if !same {
		return
	}
	kept := storedRegion{Line: u.Scop.Region.StartLine, Strategy: u.Strategy, Sweeps: u.sweeps, Text: text, Fixed: text.NamesLines(namesLines.MatchString)}
	for _, r := range runs[:len(todo)] {
		kept.Remarks = append(kept.Remarks, r.remarks)
		for _, d := range r.remarks {
			words := []string{d.Msg, d.Help}
			for _, n := range d.Notes {
				words = append(words, n.Msg)
			}
			kept.Fixed = kept.Fixed || slices.ContainsFunc(words, namesLines.MatchString)
		}
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(kept); err != nil {
		panic(fmt.Sprintf("hexcc: what became of a region cannot be kept: %v", err))
	}
	u.opts.Store.Put(key, data.Bytes())
}
