package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
)

// This file builds programs that compare what a GPU computes with the original: those of --check, one for each program, way and target.

// A test is a program to run, as the list has it that testrun reads.
type test struct {
	Name    string `json:"name"`              // GROUP/NAME/WAY/TARGET
	Program string `json:"program"`           // its path
	Inexact string `json:"inexact,omitempty"` // functions whose last bits the device chooses: results are compared within a tolerance
	// Runs are those of a whole program; nil: it is one of --check, and compares by itself.
	Runs []wholeRun `json:"runs,omitempty"`
}

// A wholeRun is a run of a whole program.
type wholeRun struct {
	Args []string `json:"args"`
	Want string   `json:"want"` // the path of what the original prints
}

// A trial is what became of a test that was to be built: it, or why there is none.
type trial struct {
	test
	Why string `json:"why,omitempty"` // there is none
	Bad bool   `json:"bad,omitempty"` // since a compiler failed, be it ours
	// Same is the test that has the same kernels, so that this one is not needed.
	Same string `json:"same,omitempty"`
	// Sum is that of the text.
	Sum [sha256.Size]byte `json:"sum"`
}

// A tester builds tests. Each leaves a record beside its sources, by which a later call knows it.
type tester struct {
	*builder
	mu    sync.Mutex
	tried int
}

// buildTests builds the tests, what runs them, and the list of both those and of what there is none of.
func (o order) buildTests(root string) error {
	b, err := newBuilder(o)
	if err != nil {
		return err
	}
	all, err := inputs(root)
	if err != nil {
		return err
	}
	t := &tester{builder: b}
	number := map[string]int{}
	var names []string
	for _, target := range []hexcc.Target{hexcc.PTX, hexcc.OpenCL, hexcc.CUDA} { // nvcc takes longest
		clear(number)
		for _, x := range all {
			i := number[x.group]
			number[x.group]++
			var todo []testWay
			for k, w := range testWays {
				if o.tries(x, i, w, k) && slices.Contains(o.targets(x, w, i), target) && o.only.MatchString(testName(x, w, target)) {
					todo = append(todo, w)
				}
			}
			if len(todo) > 0 {
				b.later(func() error { return t.each(x, todo, target) })
			}
		}
	}
	for _, w := range testWays { // cases in all ways come first, then other programs
		for _, x := range all {
			for _, target := range []hexcc.Target{hexcc.PTX, hexcc.CUDA, hexcc.OpenCL} {
				names = append(names, testName(x, w, target))
			}
		}
	}
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(groupOf(x), groupOf(y)) })
	return errors.Join(b.end(), t.write(names), b.runner())
}

func testName(x input, w testWay, target hexcc.Target) string {
	return x.group + "/" + x.name + "/" + w.name + "/" + string(target)
}

// groupOf returns the number of the group of a test.
func groupOf(name string) int {
	return slices.IndexFunc(groups, func(g struct{ name, globs string }) bool { return strings.HasPrefix(name, g.name+"/") })
}

// record returns the path of what became of a test.
func (t *tester) record(name string) string { return t.path("sources/" + name + ".json") }

// load reads what became of a test; known is false if it was never tried.
func (t *tester) load(name string) (x trial, known bool, err error) {
	text, err := os.ReadFile(t.record(name))
	if errors.Is(err, fs.ErrNotExist) {
		return x, false, nil
	}
	if err != nil {
		return x, false, err
	}
	return x, true, json.Unmarshal(text, &x)
}

// write writes the list of tests, in the order of names, and that of those that are missing. It fails if a compiler did.
func (t *tester) write(names []string) error {
	var list, without strings.Builder
	tests, same, refused := 0, 0, 0
	var bad []error
	for _, name := range names {
		x, known, err := t.load(name)
		switch {
		case err != nil:
			return err
		case !known:
		case x.Same != "":
			same++
			fmt.Fprintf(&without, "%s: the same text as %s\n", name, x.Same)
		case x.Why != "":
			refused++
			fmt.Fprintf(&without, "%s: %s\n", name, strings.ReplaceAll(x.Why, "\n", "\n  "))
			if x.Bad {
				bad = append(bad, fmt.Errorf("%s: %s", name, x.Why))
			}
		default:
			line, err := json.Marshal(x.test)
			if err != nil {
				return err
			}
			fmt.Fprintf(&list, "%s\n", line)
			tests++
		}
	}
	fmt.Printf("%d tests; %d are the same as others, and of %d there is none: %s\n", tests, same, refused, t.path("tests/missing.txt"))
	return errors.Join(append(bad, t.builder.write("tests/tests.jsonl", list.String()), t.builder.write("tests/missing.txt", without.String()))...)
}

// each builds the tests of one program for one target. Of ways that give the same text only the first is built.
func (t *tester) each(x input, todo []testWay, target hexcc.Target) error {
	seen := map[[sha256.Size]byte]string{}
	for _, w := range todo {
		name := testName(x, w, target)
		made, known, err := t.load(name)
		if err != nil {
			return err
		}
		if !known || made.Bad || !t.keep {
			made = t.one(x, w, target, seen)
			text, err := json.Marshal(made)
			if err = errors.Join(err, t.builder.write("sources/"+name+".json", string(text))); err != nil {
				return err
			}
		}
		if made.Why == "" && made.Same == "" {
			seen[made.Sum] = name
		}
		t.mu.Lock()
		if t.tried++; t.tried%50 == 0 {
			fmt.Println(t.tried, "tests tried")
		}
		t.mu.Unlock()
	}
	return nil
}

// one builds a test. What hexcc refuses, and what it gives up on with a panic, there is no test of.
func (t *tester) one(x input, w testWay, target hexcc.Target, seen map[[sha256.Size]byte]string) (made trial) {
	name := testName(x, w, target)
	defer func() {
		if p := recover(); p != nil {
			text, _, _ := strings.Cut(fmt.Sprint(p), "\n")
			made = trial{test: test{Name: name}, Why: "panic: " + text, Bad: true}
		}
	}()
	made, err := t.build(x, w, target, seen)
	made.Name = name
	switch refused := (diag.List)(nil); {
	case errors.As(err, &refused):
		made.Why = fmt.Sprintf("%s: %s", refused[0].Code, refused[0].Msg)
	case err != nil:
		made.Why, made.Bad = err.Error(), !errors.Is(err, errSkipped)
	}
	return made
}

// build translates a program and compiles the test, unless one that was seen has the same text. Where the region is in main, so that there is no program of --check,
// the test is the whole program.
func (t *tester) build(x input, w testWay, target hexcc.Target, seen map[[sha256.Size]byte]string) (made trial, err error) {
	base, name := x.name, testName(x, w, target)
	o := w.options
	o.NoAlias, o.Base, o.Arch, o.Target, o.Check, o.Defines = true, base, t.arch, target, true, x.defines
	o.IncludeDirs = []string{filepath.Dir(x.path)}
	source := hexcc.Source{Name: x.path, Text: x.text}
	res, err := hexcc.Compile(source, o)
	whole := false
	if refused := (diag.List)(nil); errors.As(err, &refused) && refused[0].Code == "HX310" && x.runs != nil {
		whole, o.Check, o.Refuse, o.NoAlias = true, false, true, false // what does not hold ends the program
		res, err = hexcc.Compile(source, o)
	}
	if err != nil {
		return made, err
	}
	files := map[string]string{}
	for _, f := range filesOf(res, target, base) {
		files[f.Name] = f.Text
	}
	main := filesOf(res, target, base)[0].Name
	made.Inexact = inexact(res)
	switch {
	case whole && made.Inexact != "" && !t.shim:
		return made, fmt.Errorf("%w: last bits of %s are the device's to choose, and it is a whole program", errSkipped, made.Inexact)
	case whole && o.FMA:
		return made, fmt.Errorf("%w: products are fused, and it is a whole program", errSkipped)
	case !whole:
		if main = ctext.CheckFile(base); made.Inexact != "" && !t.shim { // the shim calls the C library
			if err := tolerate(res, base); err != nil {
				return made, err
			}
		}
		files[main] = res.Check
	}
	sum := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s\x00%s\x00", file, files[file])
	}
	made.Sum = [sha256.Size]byte(sum.Sum(nil))
	if made.Same = seen[made.Sum]; made.Same != "" {
		return made, nil
	}
	folder := "sources/" + name
	for file, text := range files {
		if err := t.builder.write(folder+"/"+file, text); err != nil {
			return made, err
		}
	}
	made.Program = "programs/" + strings.ReplaceAll(name, "/", ".")
	if err := os.MkdirAll(t.path("tests/programs"), 0o777); err != nil {
		return made, err
	}
	if whole {
		if made.Runs, err = t.originals(x); err != nil {
			return made, err
		}
	}
	return made, t.program(x, target, res, main, folder, t.path("tests/"+made.Program))
}

// errSkipped says that there can be no test.
var errSkipped = errors.New("not tested")

// filesOf returns the files of a translation.
func filesOf(res *hexcc.Result, target hexcc.Target, base string) []ctext.File {
	switch target {
	case hexcc.PTX:
		return res.PTX.Named(base)
	case hexcc.OpenCL:
		return res.OpenCL.Named(base)
	}
	return res.Files.Named(base)
}

// inexact returns the functions whose last bits the device chooses.
func inexact(res *hexcc.Result) string {
	var programs []*gpu.Program
	for _, r := range res.Regions {
		programs = append(programs, r.GPU)
	}
	return strings.Join(kerneltext.Inexact(programs...), " ")
}

// tolerate has the comparison of a translation be one within the tolerance that there is for fused products.
func tolerate(res *hexcc.Result, base string) (err error) {
	var regions []ctext.Checked
	for _, r := range res.Regions {
		near := *r.Scop
		near.Unfused = cmp.Or(near.Unfused, r.Scop)
		request := emulate.Request{Program: r.GPU, Schedule: r.Schedule}
		regions = append(regions, ctext.Checked{
			Scop: &near, Functions: ctext.Functions{Base: base, Region: r.Scop.Region.Index}, Sizes: request.Several(),
		})
	}
	res.Check, err = ctext.Check(ctext.InLanguage(ctext.CheckFile(base), res.Scop), ctext.HeaderFile(base), "", regions)
	return err
}
