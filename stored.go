package hexcc

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"regexp"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/scop"
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
	Remarks  []diag.List // of each pass
	Shares   diag.List
	Text     openmp.Stored
	// Fixed: something that was said names lines in words.
	Fixed bool
}

// namesLines are words that are about lines.
var namesLines = regexp.MustCompile(`\blines? [0-9]`)

// recall looks for what was kept of u, of which the front end has made p: by all that the passes read of it, and by the options.
func (u *unit) recall(f *file, p *scop.Program) {
	o := u.opts
	if o.Store == nil || !o.FilesOnly || !o.Target.isCPU() || o.Target.isMPI() || o.Dump != nil || o.hard != nil || o.Check || o.Ranked || o.Places || o.FMA || o.Tuned != nil || o.Stop != "" {
		return
	}
	o.Store, o.Began, o.Host, o.Printed = nil, nil, nil, nil // the front end has read the headers
	u.source, u.key = p, newDigest(p.File, p.Region.StartLine).of(o, *u.Region, *p)
	if u.key == "" {
		return
	}
	var kept storedRegion
	if data := u.opts.Store.Get(u.key); data == nil || gob.NewDecoder(bytes.NewReader(data)).Decode(&kept) != nil || len(kept.Remarks) != f.eachRegion {
		return
	}
	lines := p.Region.StartLine - kept.Line
	if kept.Fixed && lines != 0 {
		return
	}
	for _, d := range slices.Concat(append(kept.Remarks, kept.Shares)...) {
		d.At = below(p, d.At, lines)
		for k := range d.Notes {
			d.Notes[k].At = below(p, d.Notes[k].At, lines)
		}
	}
	u.stored, u.shares = &kept, kept.Shares
}

// restored returns what came of passes on the region of u, so many, and of its release.
func (u *unit) restored(f *file, passes int) []run {
	runs := make([]run, passes+1)
	for i, said := range u.stored.Remarks {
		runs[i].remarks = said
	}
	u.sweeps, *u.Region = u.stored.Sweeps, Region{Scop: u.Scop, Strategy: u.stored.Strategy}
	p := u.stored.Text.Printed(u.Scop, f.namesInC(u))
	u.printed.c = &p
	return runs
}

// below returns a place so many lines below s in the file of p; others stay.
func below(p *scop.Program, s diag.Span, lines int) diag.Span {
	if s.Line > 0 && s.File == p.File {
		s.Line += lines
	}
	return s
}

// store keeps what came of passes on the region of u, which is printed, without errors.
func (u *unit) store(runs []run) {
	if u.key == "" || u.printed.c == nil {
		return
	}
	text, same := u.printed.c.Stored(u.source)
	if !same {
		return
	}
	kept := storedRegion{Line: u.source.Region.StartLine, Strategy: u.Strategy, Sweeps: u.sweeps, Text: text, Shares: u.shares, Fixed: text.NamesLines(namesLines.MatchString)}
	for _, r := range runs {
		kept.Remarks = append(kept.Remarks, r.remarks)
	}
	for _, d := range slices.Concat(append(kept.Remarks, kept.Shares)...) {
		words := []string{d.Msg, d.Help}
		for _, n := range d.Notes {
			words = append(words, n.Msg)
		}
		kept.Fixed = kept.Fixed || slices.ContainsFunc(words, namesLines.MatchString)
	}
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(kept); err != nil {
		panic(fmt.Sprintf("hexcc: what became of a region cannot be kept: %v", err))
	}
	u.opts.Store.Put(u.key, data.Bytes())
}
