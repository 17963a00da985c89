package randc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes programs of many styles: each has some of the features below, so that
// whoever runs many of them can say for each feature how many programs with it are taken.

// The features that programs of Wide may have.
const (
	Narrow      = "narrow types"       // elements, locals, parameters or casts of 8 or 16 bits
	Attributed  = "attributed types"   // types with attributes that do, or do not, change what they are
	Wrapping    = "periodic"           // subscripts that wrap around in a space dimension
	Modulo      = "modulo subscripts"  // remainders by numbers in inner dimensions
	Split       = "splits"             // if and else on iterators
	Flat        = "flat arrays"        // a[i * m + j]
	Struct      = "structs"            // elements or members of structs
	Components  = "components"         // a few numbers for each point, and a loop over them
	ThreeD      = "3-D"                //
	FourD       = "4-D"                //
	Identifiers = "odd identifiers"    // letters beyond ASCII, $, words of other languages
	FileName    = "odd file names"     // spaces, quotes, letters beyond ASCII, signs
	Plain       = "none of the others" //
)

// Features are all of them, in the order in which tables show them.
var Features = []string{Narrow, Attributed, Wrapping, Modulo, Split, Flat, Struct, Components, ThreeD, FourD, Identifiers, FileName, Plain}

// Wide returns the program of a seed. It is valid C without undefined behaviour, given
// -fwrapv, for T >= 0, n >= 1 and m >= 1. Its Features and its File are set.
func Wide(seed uint64, name string) *Program {
	w := &wide{generator: generator{rng: rand.New(rand.NewPCG(seed, 13)), name: name}}
	return w.program()
}

// wide makes one program.
type wide struct {
	generator
	features map[string]bool
	names    map[string]string // odd names by plain ones
	decls    []string          // of types and objects before the function
	fields   []wideArray
	numeric  []int64  // by dimension: the extent, 0 where it is symbolic
	swapped  bool     // planes are arrays of their own, copied back at the end of a step
	helpers  []string // declarations of tables
	parts    components
}

// components are a dimension of arrays with a small extent, and the loop over it.
type components struct {
	count    int    // the extent; 0: there is none
	place    int    // before which other dimension it stands
	iterator string // of the loop
	around   bool   // the loop is one of the nest, and not around a store of the body
}

// A wideArray is an array with all dimensions of the grid.
type wideArray struct {
	name   string
	elem   string // in C, as it is declared
	whole  bool   // its elements are integers
	planes int    // copies in time; 0: none
	form   form
}

// A form is how an array is declared and its elements are named.
type form uint8

const (
	extents  form = iota // A[restrict n][m]
	flat                 // *restrict A, and A[i * m + j]
	member               // s.A[24][24]: of a global struct
	elements             // struct { ... } A[24][24], and A[i][j].v: global, too
)

// The sizes that programs are run at: no extent is larger.
const (
	numericExtent = 12
	largestTable  = 8
)

func (w *wide) has(feature string, in int) bool {
	if w.one(in) {
		w.features[feature] = true
	}
	return w.features[feature]
}

func (w *wide) program() *Program {
	w.features, w.names = map[string]bool{}, map[string]string{}
	dims := []int{1, 1, 2, 2, 2, 2, 2, 3, 3, 4}[w.rng.IntN(10)]
	if dims > 2 {
		w.features[[]string{ThreeD, FourD}[dims-3]] = true
	}
	for _, f := range []string{Narrow, Attributed, Wrapping, Modulo, Split, Flat, Struct, Components, Identifiers, FileName} {
		w.has(f, 6)
	}
	w.reach = 1 + w.rng.IntN(4)/3
	symbols := []string{w.id("n"), w.id("m")}
	for d := range dims {
		w.extents = append(w.extents, symbols[min(d, 1)])
		w.numeric = append(w.numeric, 0)
		if w.features[Wrapping] && w.rng.IntN(8) > 0 || w.one(12) {
			w.extents[d], w.numeric[d] = fmt.Sprint(numericExtent), numericExtent
		}
	}
	if w.features[Components] {
		w.parts = components{count: 2 + w.rng.IntN(3), place: w.rng.IntN(dims + 1), iterator: w.id("q")}
	}
	w.swapped = w.one(3)
	w.arrays()
	text := w.text(dims)
	p := &Program{Name: w.id(w.name), May: w.may, root: text, File: w.file()}
	for _, f := range Features {
		if w.features[f] {
			p.Features = append(p.Features, f)
		}
	}
	if w.features[FileName] {
		w.allow("HX015") // names that #include cannot spell
	}
	p.May = w.may
	if p.Features == nil {
		p.Features = []string{Plain}
	}
	return p
}

// arrays chooses the arrays of the program.
func (w *wide) arrays() {
	planes := 2
	if w.swapped {
		planes = 0
	} else if w.one(5) {
		planes = 3
	}
	for i := range 1 + w.rng.IntN(2) {
		f := extents
		switch {
		case w.features[Flat] && w.rng.IntN(4) > 0:
			f = flat
		case w.features[Struct]:
			f = []form{member, elements}[w.rng.IntN(2)]
		}
		a := wideArray{name: w.array(string(rune('A'+i)), f), planes: planes, form: f}
		a.elem, a.whole = w.element()
		w.fields = append(w.fields, a)
		if w.swapped {
			a.name = w.array(string(rune('A'+i))+"n", f)
			w.fields = append(w.fields, a)
		}
	}
}

// array returns the name of an array: global ones of several programs stand in one file.
func (w *wide) array(plain string, f form) string {
	if f == elements {
		return w.name + "_" + plain
	}
	return w.id(plain)
}

// element returns the type of elements, and whether they are integers.
func (w *wide) element() (text string, whole bool) {
	text = w.pick("float", "float", "double", "double", "int")
	whole = text == "int"
	if w.features[Narrow] && w.rng.IntN(3) > 0 {
		text, whole = w.pick("char", "signed char", "unsigned char", "short", "unsigned short", "int8_t", "uint8_t", "int16_t", "uint16_t", "_Float16"), true
		whole = text != "_Float16"
	}
	if w.features[Attributed] && w.rng.IntN(3) > 0 {
		text, whole = w.attributed(text, whole)
	}
	return text, whole
}

// attributed returns a name for a type with attributes. Those that make another type of it
// may be refused.
func (w *wide) attributed(text string, whole bool) (string, bool) {
	w.count++
	name := fmt.Sprintf("%s_t%d", w.name, w.count)
	decl := ""
	switch w.rng.IntN(8) {
	case 0:
		w.allow("HX106")
		whole = true
		decl = fmt.Sprintf("typedef int %s __attribute__((mode(%s)));", name, w.pick("DI", "HI", "QI", "SI"))
	case 1:
		w.allow("HX106")
		decl = fmt.Sprintf("typedef volatile %s %s;", text, name)
	case 2:
		w.allow("HX106")
		decl = fmt.Sprintf("typedef %s %s __attribute__((aligned(%d)));", text, name, w.size(text))
	case 3:
		decl = fmt.Sprintf("typedef %s %s __attribute__((unused));", text, name)
	default:
		decl = fmt.Sprintf("typedef %s %s __attribute__((may_alias));", text, name)
		w.allow("HX106")
		if w.one(2) {
			decl = fmt.Sprintf("typedef %[1]s %[2]s_u;\ntypedef %[2]s_u %[2]s;", text, name)
		}
	}
	w.decls = append(w.decls, decl)
	return name, whole
}

// size returns the bytes of a type of C.
func (w *wide) size(text string) int {
	switch text {
	case "double":
		return 8
	case "short", "unsigned short", "int16_t", "uint16_t", "_Float16":
		return 2
	case "float", "int":
		return 4
	}
	return 1
}

// text returns the program.
func (w *wide) text(dims int) *node {
	var nests []*node
	targets := w.fields
	if w.swapped {
		for i := 0; i < len(targets); i += 2 { // B of A, then A of B
			nests = append(nests, w.nest(dims, targets[i+1], targets[i], true))
		}
		for i := 0; i < len(targets); i += 2 {
			nests = append(nests, w.nest(dims, targets[i], targets[i+1], w.one(2)))
		}
	} else {
		for i := range targets {
			nests = append(nests, w.nest(dims, targets[i], targets[w.rng.IntN(len(targets))], true))
		}
	}
	head := leaf(fixed, "  for (int %[1]s = 0; %[1]s < T; %[1]s++) {\n", w.id("t"))
	region := &node{fixed, "#pragma scop\n%s%s  }\n#pragma endscop\n", []*node{head, {list, "", nests}}}
	params := []string{"int T", "int " + w.id("n"), "int " + w.id("m"), w.scalar("c"), "float " + w.id("alpha")}
	var globals []string
	for i, a := range w.fields {
		switch a.form {
		case member:
			globals = append(globals, fmt.Sprintf("  %s %s;\n", a.elem, w.declared(a, "", true)))
		case elements:
			w.decls = append(w.decls, fmt.Sprintf("static struct %s_%d { %s v; %s w; } %s;", w.name, i, a.elem,
				w.pick("int", "float", "double", a.elem), w.declared(a, "", true)))
		case flat:
			params = append(params, a.elem+" *restrict "+a.name)
		default:
			params = append(params, a.elem+" "+w.declared(a, "restrict ", false))
		}
	}
	params = append(params, w.helpers...)
	if globals != nil {
		w.decls = append(w.decls, fmt.Sprintf("static struct {\n%s} %s_s;", strings.Join(globals, ""), w.name))
	}
	text := strings.Join(append(w.decls, ""), "\n") + fmt.Sprintf("void %s(%s)\n{\n", w.id(w.name), strings.Join(params, ", "))
	return &node{fixed, escape(text) + "%s}\n", []*node{region}}
}

// scalar declares an integer parameter.
func (w *wide) scalar(name string) string {
	if w.features[Narrow] && w.one(2) {
		return w.pick("short ", "char ", "unsigned char ", "uint16_t ") + w.id(name)
	}
	return "int " + w.id(name)
}

// declared returns the declarator of a; a global one has extents that hold all sizes.
func (w *wide) declared(a wideArray, qualifier string, global bool) string {
	text := a.name
	add := func(extent string) {
		text += "[" + qualifier + extent + "]"
		qualifier = ""
	}
	if a.planes > 0 {
		add(fmt.Sprint(a.planes))
	}
	for d, e := range w.extents {
		if global {
			e = fmt.Sprint(max(w.numeric[d], LargestWide(w.features[FourD])))
		}
		if w.parts.count > 0 && w.parts.place == d {
			add(fmt.Sprint(w.parts.count))
		}
		add(e)
	}
	if w.parts.count > 0 && w.parts.place == len(w.extents) {
		add(fmt.Sprint(w.parts.count))
	}
	return text
}

// LargestWide returns the largest n and m that programs of Wide are made for: with four
// dimensions arrays of that size would take gigabytes, if it were not small.
func LargestWide(four bool) int64 {
	if four {
		return numericExtent
	}
	return 40
}
