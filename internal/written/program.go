// Package written makes random programs in C the way people write them: whole ones, with a main that takes sizes and
// prints what they computed, of the habits that stencil codes have. It knows nothing of what hexcc takes.
package written

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// A Program is a random program. It is C without undefined behaviour for all its Runs.
type Program struct {
	Seed     uint64
	Text     string
	Features []string   // "border: clamp", sorted
	Dims     int        // of the grid
	Runs     [][]string // arguments
	forced   map[string]bool
	choices  []choice
}

// A choice is one that was made: the first of its options is the plain one.
type choice struct {
	name   string
	option string
	plain  bool
}

// Make returns the program of a seed.
func Make(seed uint64) *Program { return made(seed, nil) }

func made(seed uint64, forced map[string]bool) *Program {
	m := &maker{seed: seed, forced: forced, asked: map[string]string{}}
	text := strings.ReplaceAll(m.program(), "\n\n\n", "\n\n")
	p := &Program{Seed: seed, Text: text, Dims: len(m.dims), Runs: m.runs(), forced: forced, choices: m.choices}
	for _, f := range m.features {
		if !slices.Contains(p.Features, f) {
			p.Features = append(p.Features, f)
		}
	}
	slices.Sort(p.Features)
	return p
}

// Shrink returns a program with as many plain choices as leave it bad.
func (p *Program) Shrink(bad func(*Program) bool) *Program {
	for again := true; again; {
		again = false
		for _, c := range p.choices {
			if c.plain || p.forced[c.name] {
				continue
			}
			forced := map[string]bool{c.name: true}
			for name := range p.forced {
				forced[name] = true
			}
			if q := made(p.Seed, forced); q.Text != p.Text && bad(q) {
				p, again = q, true
				break
			}
		}
	}
	return p
}

// Choices says what was chosen, but for what is plain.
func (p *Program) Choices() string {
	var all []string
	for _, c := range p.choices {
		if !c.plain {
			all = append(all, c.name+"="+strings.ReplaceAll(strings.TrimSpace(c.option), "\n", " "))
		}
	}
	return strings.Join(all, " ")
}

// A maker makes one program. What it picks depends on the seed and on the name of the choice only, so that
// one choice may be changed and the others stay.
type maker struct {
	seed     uint64
	forced   map[string]bool // choices that are to be plain
	asked    map[string]string
	choices  []choice
	features []string

	kind    string // of program
	elem    string
	dims    []dim
	radius  int
	box     bool // corners of the neighbourhood count
	storage string
	buffers string
	clock   string
	place   string // where the nests stand
	body    string
	fields  []string
	extras  []string   // arrays that are read only
	counter string     // of time
	steps   string     // how many there are
	static  bool       // sizes are constants
	locals  [][]string // statements that begin the bodies of the loops
	members bool       // sizes are members of a struct
	helpers []string   // functions, by name
	gathers string     // what is added to a body for a norm
}

// A dim is a dimension of the grid.
type dim struct {
	size   string // the variable that holds how many points there are
	loop   string
	border string
	value  int // of the size, where that is a constant
}

// pick chooses one of options; the first is the plain one, and may be named several times to be chosen more often.
func (m *maker) pick(name string, options ...string) string {
	if old, ok := m.asked[name]; ok && slices.Contains(options, old) {
		return old
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", m.seed, name)
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	option := options[x%uint64(len(options))]
	if m.forced[name] {
		option = options[0]
	}
	m.asked[name] = option
	m.choices = append(m.choices, choice{name, option, option == options[0]})
	return option
}

// one returns whether a choice falls on the less plain of two, once in n programs.
func (m *maker) one(name string, n int) bool {
	options := make([]string, n)
	for i := range options {
		options[i] = "no"
	}
	options[n-1] = "yes"
	return m.pick(name, options...) == "yes"
}

func (m *maker) feature(group, name string) { m.features = append(m.features, group+": "+name) }

// runs returns arguments: of sizes 0 and 1, small ones, a prime, and such that there is more than one tile.
func (m *maker) runs() (all [][]string) {
	shapes := [][3]int{{0, 0, 0}, {1, 1, 1}, {2, 3, 2}, {6, 5, 4}, {17, 13, 11}, {149, 96, 0}}
	steps := []int{2, 3, 0, 5, 7, 66}
	switch len(m.dims) {
	case 1:
		shapes[5] = [3]int{1201, 0, 0}
	case 3:
		shapes[5], steps[5] = [3]int{47, 18, 37}, 20
	}
	if m.static {
		for _, t := range []int{0, 1, 7, 40} {
			all = append(all, []string{fmt.Sprint(t)})
		}
		return all
	}
	for i, s := range shapes {
		var args []string
		for d := range m.sizes() {
			args = append(args, fmt.Sprint(s[d]))
		}
		all = append(all, append(args, fmt.Sprint(steps[i])))
	}
	return all
}

// sizes returns the names of the sizes, each once.
func (m *maker) sizes() (all []string) {
	for _, d := range m.dims {
		if !slices.Contains(all, d.size) {
			all = append(all, d.size)
		}
	}
	return all
}
