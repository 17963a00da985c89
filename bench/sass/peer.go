package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// This file reads what is to be known of kernels that others wrote, to replay them beside those of hexcc. Their sources are not here: a file that says where they lie, how blocks divide a grid and
// what the loop does in which they spend their time is all that is read.

// A peer is such a kernel. Its blocks take overlapped tiles: each loads the cells of a row (or plane) with a halo, computes several time steps of it while it moves along the outermost dimension, its
// stream, and stores the cells within the halo.
type peer struct {
	name, file, kernel string
	flags              []string
	threads            int
	shared             int64 // bytes that a launch asks for, beside those that the kernel says
	loop               int   // the number of the loop, of those that compute, the one with the most operations first
	branches           []way // where warps go at the loop's branches; none: on
	rows               int64 // that a block moves in the loop
	steps              int64 // of time
	columns, halo      []int64
	loads              int64 // elements in a row; 0: all columns
	element            int64 // bytes
	stream             int64 // rows of a block; 0: as many as leave one block for each place that there is on the device
	lead               int64 // rows that a block moves beside its own, until the first time steps and the last ones are in step
	runs               []peerRun
}

// A peerRun is a run of time steps on a grid, whose first dimension is that of the stream.
type peerRun struct {
	grid  []int64
	steps int64
}

func (r peerRun) String() string {
	var sizes []string
	for _, n := range r.grid {
		sizes = append(sizes, strconv.FormatInt(n, 10))
	}
	return fmt.Sprintf("%s, %d steps", strings.Join(sizes, " x "), r.steps)
}

// points returns how many cells are computed.
func (r peerRun) points() float64 {
	n := float64(r.steps)
	for _, size := range r.grid {
		n *= float64(size)
	}
	return n
}

// A way says which warps take a branch: all, or all but those from first to last.
type way struct {
	all         bool
	first, last int
}

// onward is the way of a branch that no warp takes.
var onward = way{last: 1 << 30}

func (w way) taken(warp int) bool { return w.all || warp < w.first || warp > w.last }

// A key is a line of a description: a word, a colon and what it says.
type key struct {
	word     string
	required bool
	set      func(p *peer, value string) error
}

var keys = []key{
	{"name", true, func(p *peer, v string) error { p.name = v; return nil }},
	{"file", true, func(p *peer, v string) error { p.file = v; return nil }},
	{"flags", false, func(p *peer, v string) error { p.flags = strings.Fields(v); return nil }},
	{"kernel", true, func(p *peer, v string) error { p.kernel = v; return nil }},
	{"threads", true, func(p *peer, v string) (err error) { p.threads, err = strconv.Atoi(v); return err }},
	{"shared", false, func(p *peer, v string) error { return number(&p.shared, v) }},
	{"loop", false, func(p *peer, v string) (err error) { p.loop, err = strconv.Atoi(v); return err }},
	{"branches", false, func(p *peer, v string) (err error) { p.branches, err = ways(v); return err }},
	{"rows", true, func(p *peer, v string) error { return number(&p.rows, v) }},
	{"steps", true, func(p *peer, v string) error { return number(&p.steps, v) }},
	{"columns", true, func(p *peer, v string) (err error) { p.columns, err = sizes(v); return err }},
	{"halo", true, func(p *peer, v string) (err error) { p.halo, err = sizes(v); return err }},
	{"loads", false, func(p *peer, v string) error { return number(&p.loads, v) }},
	{"element", true, func(p *peer, v string) error { return number(&p.element, v) }},
	{"stream", false, func(p *peer, v string) error { return number(&p.stream, v) }},
	{"lead", true, func(p *peer, v string) error { return number(&p.lead, v) }},
	{"run", true, (*peer).addRun},
}

func (p *peer) addRun(text string) (err error) {
	grid, steps, ok := strings.Cut(text, ",")
	if !ok {
		return fmt.Errorf("a run is sizes, a comma and how many steps")
	}
	var r peerRun
	if r.grid, err = sizes(grid); err == nil {
		err = number(&r.steps, strings.TrimSpace(steps))
	}
	p.runs = append(p.runs, r)
	return err
}

func number(to *int64, text string) (err error) {
	*to, err = strconv.ParseInt(text, 10, 64)
	if err == nil && *to < 0 {
		return fmt.Errorf("%d is negative", *to)
	}
	return err
}

// sizes reads numbers with an x between them.
func sizes(text string) (all []int64, err error) {
	for s := range strings.SplitSeq(text, "x") {
		var n int64
		if err := number(&n, strings.TrimSpace(s)); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// ways reads a word for each branch: on, taken, or the warps that go on, as 0-3.
func ways(text string) (all []way, err error) {
	for _, s := range strings.Fields(text) {
		w := onward
		first, last, ok := strings.Cut(s, "-")
		switch {
		case s == "on":
		case s == "taken":
			w = way{all: true}
		case !ok:
			return nil, fmt.Errorf("%q is neither on nor taken nor some warps, as 0-3", s)
		default:
			if w.first, err = strconv.Atoi(first); err == nil {
				w.last, err = strconv.Atoi(last)
			}
			if err != nil {
				return nil, err
			}
		}
		all = append(all, w)
	}
	return all, nil
}

// readPeers reads a file of descriptions, with empty lines between them.
func readPeers(path string) (all []peer, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var p peer
	seen := map[string]bool{}
	end := func(line int) error {
		if len(seen) == 0 {
			return nil
		}
		for _, k := range keys {
			if k.required && !seen[k.word] {
				return fmt.Errorf("%s:%d: the description before says no %s", path, line, k.word)
			}
		}
		if err := p.check(); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", path, line, p.name, err)
		}
		all, p, seen = append(all, p), peer{}, map[string]bool{}
		return nil
	}
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "#") {
			continue
		}
		if l == "" {
			if err := end(i + 1); err != nil {
				return nil, err
			}
			continue
		}
		word, value, _ := strings.Cut(l, ":")
		at := slices.IndexFunc(keys, func(k key) bool { return k.word == word })
		if at < 0 {
			return nil, fmt.Errorf("%s:%d: %q is not known of kernels", path, i+1, word)
		}
		if seen[word] && word != "run" {
			return nil, fmt.Errorf("%s:%d: %s is said twice", path, i+1, word)
		}
		seen[word] = true
		if err := keys[at].set(&p, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", path, i+1, word, err)
		}
	}
	return all, end(len(lines))
}

// check reports what cannot be.
func (p peer) check() error {
	if len(p.columns) != len(p.halo) {
		return fmt.Errorf("%d sizes of a row, but %d halos", len(p.columns), len(p.halo))
	}
	if p.useful() <= 0 || slices.Min(p.inner()) <= 0 {
		return fmt.Errorf("nothing is left within the halo")
	}
	for _, n := range []int64{int64(p.threads), p.rows, p.steps, p.element} {
		if n <= 0 {
			return fmt.Errorf("threads, rows, steps and element are more than 0")
		}
	}
	for _, r := range p.runs {
		if len(r.grid) != 1+len(p.columns) {
			return fmt.Errorf("a run is on a grid of %d sizes: that along the stream, and those of a row", 1+len(p.columns))
		}
		if slices.Min(r.grid) <= 0 || r.steps <= 0 {
			return fmt.Errorf("a run of nothing: %v", r)
		}
	}
	return nil
}

// inner returns the sizes of a row without its halo.
func (p peer) inner() (all []int64) {
	for i, n := range p.columns {
		all = append(all, n-2*p.halo[i])
	}
	return all
}

// computed returns how many cells of a row a block computes, and useful how many of those another one does not.
func (p peer) computed() int64 { return product(p.columns) }
func (p peer) useful() int64   { return product(p.inner()) }

func product(all []int64) int64 {
	n := int64(1)
	for _, x := range all {
		n *= x
	}
	return n
}

// bytes returns what a block moves between global memory and the chip in the loop: each element of its rows in, those within the halo out.
func (p peer) bytes() int64 {
	in := p.loads
	if in == 0 {
		in = p.computed()
	}
	return p.rows * (in + p.useful()) * p.element
}
