package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/scop"
)

// A made is what the runner has to know of a way that was translated. It is kept as JSON beside the kernels, so that -keep need not
// translate again.
type made struct {
	Way     string
	Refused string `json:",omitempty"` // why there is none
	Same    string `json:",omitempty"` // the way before it that has the same kernels
	Base    string
	Tile    string
	// Expected is what the model expects on the first grid, in instances of statements a second; 0: it does not say.
	Expected float64
	Moved    moved
	Params   []string
	Times    []bool // which of Params bound the time loop
	Scalars  []string
	Arrays   []array
	Grids    []grid
	Kernels  []kernel
	// Unchecked: no program can be made that compares it with the original one.
	Unchecked bool     `json:",omitempty"`
	Text      string   // the hash of the kernels, whatever their lines
	More      []string `json:",omitempty"` // of "streaming": further shapes to try
}

// An array is what the function on arrays of the device gets.
type array struct {
	Name, Elem string
	Number     int    // its first values follow from it
	Count      string // of elements: C, with p[i] for parameter i
	Plane      string // likewise: values begin alike in planes of so many
	Local      bool   // nothing but the region sees its values, or nothing but the device has it
	Const      bool   // never written
}

// A grid is values of parameters.
type grid struct {
	Name      string
	Values    []int64
	Instances int64 // of statements
}

// A kernel is what a launch takes of a multiprocessor, but for registers, which the assembler knows.
type kernel struct {
	Threads int
	Shared  int64
}

// translate translates a program one way and writes what it is made of; what keeps it from that is in the result.
func (b *builder) translate(p program, w way) (made, error) {
	m := made{Way: w.name, Base: ctext.Identifier(p.key() + " " + w.name)}
	file := wayFile(p, w)
	if text, err := os.ReadFile(b.path(file)); b.keep && err == nil {
		return m, json.Unmarshal(text, &m)
	}
	if err := b.translated(p, w, &m); err != nil {
		if list := (diag.List{}); !errors.As(err, &list) {
			return m, err
		}
		m.Refused = strings.SplitN(err.Error(), "\n", 2)[0]
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return m, err
	}
	return m, b.write(file, string(text))
}

// wayFile returns the file of the build that keeps what was made of a way.
func wayFile(p program, w way) string {
	return "ways/" + ctext.Identifier(p.key()+" "+w.name) + ".json"
}

// translated is translate without -keep. The error is a diag.List where the program cannot run so.
func (b *builder) translated(p program, w way, m *made) error {
	text, err := p.text(ctext.Identifier(p.name) + "_" + p.real.name)
	if err != nil {
		return err
	}
	typical, err := model.ParseTypical(p.grids[0])
	if err != nil {
		return err
	}
	o := w.options
	o.NoAlias, o.Base, o.Arch, o.Grid, o.FMA, o.Check = true, m.Base, b.arch, typical, p.fma, true
	if err := b.write("programs/"+ctext.Identifier(p.key())+".c", string(text)); err != nil {
		return err
	}
	res, err := hexcc.Compile(hexcc.Source{Name: p.name + ".c", Text: text}, o)
	if list := (diag.List{}); errors.As(err, &list) && list[0].Code == "HX310" { // its function gets what it uses from elsewhere
		m.Unchecked, o.Check = true, false
		res, err = hexcc.Compile(hexcc.Source{Name: p.name + ".c", Text: text}, o)
	}
	if err != nil {
		return err
	}
	if len(res.Regions) != 1 {
		return fmt.Errorf("%s has %d regions", p.name, len(res.Regions))
	}
	if !w.taken(res) {
		m.Refused = "it is run another way: " + string(res.Strategy)
		return nil
	}
	if err := m.describe(p, res); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	if w.name == "streaming" {
		d, ok := machine.LookupDevice(b.arch)
		if !ok {
			return fmt.Errorf("no device %s", b.arch)
		}
		for _, x := range moreStreams(res, d) {
			m.More = append(m.More, x.options.Pipeline.String())
		}
	}
	return errors.Join(
		b.write("ways/"+ctext.HeaderFile(m.Base), res.Files.Header), b.write("ways/"+cuda.KernelFile(m.Base), res.Files.Kernel),
		b.write("ways/"+ctext.CheckFile(m.Base), res.Check), b.write("ways/run_"+m.Base+".cu", m.wrapper(res)))
}

// describe sets what the runner has to know of a translation.
func (m *made) describe(p program, res *hexcc.Result) error {
	m.Tile, m.Expected, m.Moved = tileOf(res), expected(res), movedOf(res)
	if strings.HasPrefix(m.Way, "memory") {
		m.Expected = 0 // the model knows of no use of shared memory but that which is chosen
	}
	m.Text = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(strings.Fields(strings.ReplaceAll(res.Files.Kernel, m.Base, "")), ""))))
	for _, q := range res.Scop.Params {
		if q.Of != nil {
			return fmt.Errorf("parameter %s is a quotient of others", q.Name)
		}
		m.Params = append(m.Params, q.Name)
	}
	for i, q := range res.Scop.Scalars {
		if q.Of != nil || q.Fixed != nil {
			return fmt.Errorf("value %s is not free", q.Name)
		}
		if q.Type.IsFloat() {
			m.Scalars = append(m.Scalars, fmt.Sprintf("%g", 0.125+float64(i%4)/32)) // small, so that explicit schemes are stable
		} else {
			m.Scalars = append(m.Scalars, "1")
		}
	}
	for i, a := range res.GPU.Scop.Arrays {
		if a.Fixed != nil {
			return fmt.Errorf("values of array %s are not free", a.Name)
		}
		m.Arrays = append(m.Arrays, array{
			Name: a.Name, Elem: a.Elem.InMemory(), Number: i, Local: a.Local || a.Scratch, Const: a.Const,
			Count: product(a.Extents), Plane: product(ofPlane(a.Extents)),
		})
	}
	for _, k := range res.GPU.Kernels {
		m.Kernels = append(m.Kernels, kernel{k.Threads[0] * k.Threads[1] * k.Threads[2], k.SharedBytes()})
	}
	for _, text := range p.grids {
		typical, err := model.ParseTypical(text)
		if err != nil {
			return err
		}
		g, times, err := sizesOf(res, typical)
		if err != nil {
			return err
		}
		m.Times = times
		x := grid{Instances: g.Points}
		var names []string
		for _, v := range g.Values {
			x.Values = append(x.Values, v.Value)
			names = append(names, fmt.Sprintf("%s=%d", v.Name, v.Value))
		}
		x.Name = strings.Join(names, ",")
		m.Grids = append(m.Grids, x)
	}
	return nil
}

// product returns the C expression for the product of extents.
func product(extents []scop.Affine) string {
	text := "1"
	for _, e := range extents {
		term := fmt.Sprint(e.Const)
		for i, c := range e.Params {
			if c != 0 {
				term += fmt.Sprintf(" + %d * p[%d]", c, i)
			}
		}
		text += " * (" + term + ")"
	}
	return text
}

// ofPlane returns extents without the first ones, those that are constants: of planes of an array, as of two time levels.
func ofPlane(extents []scop.Affine) []scop.Affine {
	first := slices.IndexFunc(extents, func(e scop.Affine) bool {
		return slices.ContainsFunc(e.Params, func(c int64) bool { return c != 0 })
	})
	return extents[max(first, 0):]
}

// wrapper returns CUDA: the function with arguments that all ways have in common, which calls that on arrays of the device. Arrays are in
// the order of m.
func (m *made) wrapper(res *hexcc.Result) string {
	args := ""
	for i := range m.Params {
		args += fmt.Sprintf("p[%d], ", i)
	}
	for _, s := range m.Scalars {
		args += s + ", "
	}
	for i, a := range m.Arrays {
		args += fmt.Sprintf("(%s *)a[%d], ", a.Elem, i)
	}
	return fmt.Sprintf("#include %q\n\nint run_%s(const long *p, void *const *a, struct CUstream_st *s) { return %s(%ss); }\n",
		ctext.HeaderFile(m.Base), m.Base, ctext.Functions{Base: m.Base}.Device(), args)
}
