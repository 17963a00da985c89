package frontend

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file knows the headers of a C++ file that are the user's: what they declare, and what could not be read of them.

// A cxxHeaders is what a C++ file includes.
type cxxHeaders struct {
	files   []*cxxFile
	words   map[string]map[string]bool  // by the name in the directive
	inner   map[string]bool             // paths of those that are included inside of functions
	forced  map[string]map[int]int      // by path: how often what begins at an offset could not be read
	read    map[string]*projection      // by path
	texts   map[string][]byte           // of those
	wrapped bool                        // see cxxFile
	unread  map[string]*diag.Diagnostic // by what a declaration declares that was left out, or the body of a function: why
}

// maxIncludedFiles bounds how many headers are looked at before the file is read.
const maxIncludedFiles = 200

var includedName = regexp.MustCompile(`^#[ \t]*include[ \t]*(["<])([^">]*)[">]`)

// newCxxHeaders looks at the headers that f includes, and those that they include, as far as they are the user's.
func newCxxHeaders(f *file, o Options) *cxxHeaders {
	h := &cxxHeaders{words: map[string]map[string]bool{}, inner: map[string]bool{}, forced: map[string]map[int]int{}, read: map[string]*projection{}, texts: map[string][]byte{}, unread: map[string]*diag.Diagnostic{}}
	seen := map[string]bool{}
	for _, name := range o.Includes {
		h.wrapped = h.wrapped || isWrapped(name)
		if path := o.included(name); path != "" && (o.Host == nil || !o.Host.isSystem(path)) {
			if text, err := os.ReadFile(path); err == nil {
				h.add(path, name, text, o, seen)
			}
		}
	}
	h.include(newCxxFile(f.text, nil, nil), filepath.Dir(f.name), o, seen)
	return h
}

// included returns the path of a file that -include names so, "" if it is none of the user's.
func (o Options) included(name string) string {
	for _, dir := range slices.Concat([]string{""}, o.IncludeDirs) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(name) {
			path = filepath.Clean(name)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// include looks at what c, a file of folder dir, includes.
func (h *cxxHeaders) include(c *cxxFile, dir string, o Options, seen map[string]bool) {
	for j, t := range c.toks {
		if t.kind != cxxDirective {
			continue
		}
		m := includedName.FindStringSubmatch(t.s)
		if m == nil {
			continue
		}
		h.wrapped = h.wrapped || isWrapped(m[2])
		dirs := o.IncludeDirs
		if m[1] == `"` {
			dirs = slices.Concat([]string{dir}, dirs)
		}
		for _, d := range dirs {
			path := filepath.Join(d, m[2])
			if filepath.IsAbs(m[2]) {
				path = filepath.Clean(m[2])
			}
			if o.Host != nil && o.Host.isSystem(path) {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			if c.failing || slices.ContainsFunc(c.items, func(it cxxItem) bool { return it.body > 0 && it.body < j && j < it.to }) {
				h.inner[path] = true
			}
			h.add(path, m[2], text, o, seen)
			break
		}
	}
}

// add takes account of the header at path, which a directive names so.
func (h *cxxHeaders) add(path, name string, text []byte, o Options, seen map[string]bool) {
	if seen[path] || len(seen) == maxIncludedFiles {
		return
	}
	seen[path] = true
	c := newCxxFile(text, nil, nil)
	h.include(c, filepath.Dir(path), o, seen) // what it includes is declared before
	words := map[string]bool{}
	c.words(0, len(c.toks), func(w string) { words[w] = true })
	for _, t := range c.toks {
		if m := includedName.FindStringSubmatch(t.s); t.kind == cxxDirective && m != nil {
			for w := range h.words[m[2]] {
				words[w] = true
			}
		}
	}
	h.words[name] = words
	if c = newCxxFile(text, nil, h); c.failing || h.inner[path] {
		return
	}
	for i, it := range c.items {
		c.findDefaults(it)
		if it.body > 0 && it.kind == cxxPlain {
			c.items[i].keep = cxxAll
			c.findReferences(c.items[i])
		}
	}
	h.files = append(h.files, c)
}

// declare tells c what headers declare.
func (h *cxxHeaders) declare(c *cxxFile) {
	if h == nil {
		return
	}
	c.included, c.wrapped, c.beside = h.words, h.wrapped, h.files
	for _, of := range h.files {
		for _, names := range [][2]map[string]bool{{c.spaces, of.spaces}, {c.opened, of.opened}, {c.types, of.types}, {c.records, of.records}, {c.classes, of.classes}, {c.functions, of.functions}} {
			for name := range names[1] {
				names[0][name] = true
			}
		}
		for name, p := range of.pairs {
			c.pairs[name], c.types[name], c.records[name] = p, true, true
		}
		maps.Copy(c.enums, of.enums)
		maps.Copy(c.enumerators, of.enumerators)
		for name, r := range of.references {
			c.references[name] = r
		}
		for name, d := range of.defaults {
			c.defaults[name] = d
		}
		for name, t := range of.templates {
			c.templates[name] = t
		}
		for sign, all := range of.operators {
			for _, t := range all {
				if !slices.Contains(c.operators[sign], t) {
					c.operators[sign] = append(c.operators[sign], t)
				}
			}
		}
		for name, k := range of.shapes {
			c.shapes[name] = k
		}
		for name, a := range of.vectorTypes {
			c.vectorTypes[name] = a
		}
		maps.Copy(c.classTypes, of.classTypes)
	}
}

// project returns the C of a header.
func (h *cxxHeaders) project(path string, text []byte) []byte {
	path = filepath.Clean(path)
	p := project(text, cxxRole{header: true, inner: h.inner[path]}, h.forced[path], h)
	h.read[path], h.texts[path] = p, text
	return p.text
}

// leaveOut notes that why is wrong with the C of a header; it reports whether less of it can be read.
func (h *cxxHeaders) leaveOut(why *diag.Diagnostic) bool {
	path := filepath.Clean(why.At.Pos.File)
	p := h.read[path]
	if p == nil {
		return false
	}
	at := p.around(p.sourceOf(why.At.Pos.Line, why.At.Pos.Col))
	if at < 0 || h.forced[path][at] > 1 {
		return false
	}
	h.note(p, at, h.placed(why))
	if h.forced[path] == nil {
		h.forced[path] = map[int]int{}
	}
	h.forced[path][at]++
	return true
}

// placed returns d, whose place is in the C of a header, with the place in the header.
func (h *cxxHeaders) placed(d *diag.Diagnostic) *diag.Diagnostic {
	path := filepath.Clean(d.At.Pos.File)
	p := h.read[path]
	if p == nil {
		return d
	}
	at := p.sourceOf(d.At.Pos.Line, d.At.Pos.Col)
	if at < 0 || at > len(h.texts[path]) {
		return d
	}
	moved := *d
	moved.At.Pos.Col = at - bytes.LastIndexByte(h.texts[path][:at], '\n')
	return &moved
}

// note notes why what begins at an offset of the source of p is left out.
func (h *cxxHeaders) note(p *projection, at int, why *diag.Diagnostic) {
	for _, name := range p.declares[at] {
		if h.unread[name] == nil {
			h.unread[name] = why
		}
	}
}

// includedBy returns the words of the file that token j includes.
func (c *cxxFile) includedBy(j int) map[string]bool {
	if c.toks[j].kind != cxxDirective || len(c.included) == 0 {
		return nil
	}
	m := includedName.FindStringSubmatch(c.toks[j].s)
	if m == nil {
		return nil
	}
	return c.included[m[2]]
}

// A cxxDefaults is what the last parameters of a function are where calls leave them out.
type cxxDefaults struct {
	count int // of all its parameters
	texts []string
}

// findDefaults notes what the parameters of the function that it declares are where calls leave them out.
func (c *cxxFile) findDefaults(it cxxItem) {
	open := c.headOf(it)
	if open == 0 {
		return
	}
	if d := c.defaultsOf(open); len(d.texts) > 0 {
		c.defaults[c.toks[open-1].s] = d
	}
}

// defaultsOf returns what the parameters between the parentheses at open are where calls leave them out.
func (c *cxxFile) defaultsOf(open int) (d cxxDefaults) {
	for _, p := range c.parameters(open) {
		if d.count++; p.value > 0 {
			d.texts = append(d.texts, c.rewritten(p.value+1, p.to))
		}
	}
	return d
}

// headOf returns where the parameters of the function that it declares open, 0 if it declares none.
func (c *cxxFile) headOf(it cxxItem) int {
	if it.kind != cxxPlain || c.isWord(it.from, "typedef") {
		return 0
	}
	if it.body > 0 {
		if open := c.parens(it); open < it.body {
			return open
		}
		return 0
	}
	for j := it.from; j < it.to; j++ {
		switch {
		case c.is(j, "=") || c.is(j, "{") || c.is(j, "[") && !c.is(j+1, "["):
			return 0
		case c.is(j, "(") && c.isWord(j-1) && !c.isWord(j-1, "__attribute__", "__declspec", "alignas", "decltype"):
			return j
		case c.is(j, "(") || c.is(j, "["):
			j = c.match[j]
		}
	}
	return 0
}

// withDefaults adds what a call, whose parentheses open there, leaves out of the arguments of the function called name.
func (c *cxxFile) withDefaults(name string, open int) {
	d, given := c.defaults[name], len(c.arguments(open))
	if missing := d.count - given; missing > 0 && missing <= len(d.texts) {
		text := strings.Join(d.texts[len(d.texts)-missing:], ", ")
		if given > 0 {
			text = ", " + text
		}
		c.before(c.match[open], text)
	}
}
