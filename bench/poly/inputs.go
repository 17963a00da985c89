package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// This file makes operations of what isl is tested with: the sets and relations in the sources of isl, and what a compiler asks of
// such sets. They are written like those that are recorded, with the number of times that compiling asks for each kind.

// Inputs are at most so long, and so many are kept of each kind of operation.
const (
	maxInputText   = 600
	inputsOfOneSet = 40
)

// An input is a set or relation of a file.
type input struct {
	file, text string
	isMap      bool
	set        poly.Set
	mapping    poly.Map
}

// extractInputs writes operations on the sets and relations in the files of isl's sources below dir.
func extractInputs(path, dir, compiled string) error {
	inputs, err := readInputs(dir)
	if err != nil {
		return err
	}
	asked, err := readCalls(compiled, "")
	if err != nil {
		return err
	}
	calls := map[string][]string{}
	add := func(name string, operands ...string) {
		line := name + "|" + strings.Join(append(operands, "")[:2], "|")
		if !slices.Contains(calls[name], line) {
			calls[name] = append(calls[name], line)
		}
	}
	for i, x := range inputs {
		addUnary(add, x)
		for _, y := range inputs[i+1 : min(i+4, len(inputs))] {
			if x.file == y.file {
				addBinary(add, x, y)
			}
		}
	}
	var lines strings.Builder
	for name, list := range calls {
		list = evenly(list, inputsOfOneSet)
		// the times that compiling asks for this, over the inputs
		for i := range max(weightOf(asked, name), len(list)) {
			fmt.Fprintln(&lines, list[i%len(list)])
		}
	}
	text := "# Sets and relations of the tests of isl (https://libisl.sourceforge.io), which is\n" +
		"# distributed under the MIT license, copyright its authors. Written by bench/poly -extract.\n" + counted(lines.String())
	return os.WriteFile(path, []byte(text), 0o644)
}

// weightOf returns how often the recorded calls ask for an operation.
func weightOf(asked []call, name string) (n int) {
	for _, c := range asked {
		if c.name == name {
			n += c.count
		}
	}
	return n
}

// evenly returns at most n of list, evenly chosen.
func evenly(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	kept := make([]string, n)
	for i := range kept {
		kept[i] = list[i*len(list)/n]
	}
	return kept
}

// addUnary adds what is asked of one set or relation.
func addUnary(add func(name string, operands ...string), x input) {
	if !x.isMap {
		add("MustSet", x.text)
		for _, op := range []string{"IsEmpty", "Simplify", "RemoveRedundant", "Coalesce", "Sample"} {
			add("Set."+op, x.text)
		}
		if crowded(x.set.Basics()) {
			add("Set.SimpleHull", x.text)
		}
		one := single(x.set.Basics())
		if one {
			add("Set.Complement", x.text)
		}
		if one && holds(func() bool { return x.set.LexMin().ParamDomain().IsEqual(x.set.ParamDomain()) }) {
			add("Set.LexMin", x.text)
		}
		if one && holds(func() bool { return x.set.LexMax().ParamDomain().IsEqual(x.set.ParamDomain()) }) {
			add("Set.LexMax", x.text)
		}
		if n, err := x.set.Card(); one && err == nil && len(x.set.Params()) == 0 && n.String() != "{ infty }" {
			add("Set.Card", x.text)
		}
		space := x.set.Basics()[0].Space()
		if dims := space.Out.Dims; one && len(dims) > 1 && dims[0] != "" && !space.Out.IsPair() && !slices.Contains(space.Params, dims[0]) {
			add("Set.ProjectOut", x.text, "["+dims[0]+"]")
		}
		return
	}
	add("MustMap", x.text)
	for _, op := range []string{"IsEmpty", "Simplify", "RemoveRedundant", "Coalesce", "Inverse", "Domain", "Range", "Wrap"} {
		add("Map."+op, x.text)
	}
	if crowded(x.mapping.Basics()) {
		add("Map.SimpleHull", x.text)
	}
	if single(x.mapping.Basics()) && holds(func() bool { return x.mapping.LexMin().Domain().IsEqual(x.mapping.Domain()) }) {
		add("Map.LexMin", x.text)
	}
	if square(x.mapping) {
		add("Map.Deltas", x.text)
	}
}

// holds reports whether f is true, and found so within the bounds of package poly: isl refuses to look for the least
// of points without bounds.
func holds(f func() bool) (ok bool) {
	err := poly.Limited(func() error { ok = f(); return nil })
	return err == nil && ok
}

// square reports whether both points of all pairs of m are of the same tuple.
func square(m poly.Map) bool {
	return !slices.ContainsFunc(m.Basics(), func(b poly.Basic) bool { return !sameTuple(b.Space().In, b.Space().Out) })
}

// crowded reports whether two parts are of one tuple, or pair of tuples.
func crowded(parts []poly.Basic) bool {
	for i := range parts {
		if i > 0 && single(parts[i-1:i+1]) {
			return true
		}
	}
	return false
}

// single reports whether all parts are of one tuple, or pair of tuples.
func single(parts []poly.Basic) bool {
	return !slices.ContainsFunc(parts, func(b poly.Basic) bool {
		return !sameTuple(b.Space().In, parts[0].Space().In) || !sameTuple(b.Space().Out, parts[0].Space().Out)
	})
}

func sameTuple(t, u poly.Tuple) bool {
	return poly.UniverseSet(nil, t).IsEqual(poly.UniverseSet(nil, u))
}

// addBinary adds what is asked of two inputs of one file, whose tuples meet.
func addBinary(add func(name string, operands ...string), x, y input) {
	switch {
	case x.isMap && !y.isMap:
		if meets(x.mapping.Domain(), y.set) {
			add("Map.IntersectDomain", x.text, y.text)
			add("Map.Apply", x.text, y.text)
		}
	case !x.isMap && y.isMap:
		addBinary(add, y, x)
	case x.isMap:
		if meets(x.mapping.Wrap(), y.mapping.Wrap()) {
			for _, op := range []string{"Intersect", "Subtract", "IsSubset", "IsEqual", "Gist", "Union"} {
				add("Map."+op, x.text, y.text)
			}
		}
		if meets(x.mapping.Range(), y.mapping.Domain()) {
			add("Map.ApplyRange", x.text, y.text)
		}
	case meets(x.set, y.set):
		for _, op := range []string{"Intersect", "Subtract", "IsSubset", "IsEqual", "Gist", "Union"} {
			add("Set."+op, x.text, y.text)
		}
	}
}

// meets reports whether s and t have points of the same tuple.
func meets(s, t poly.Set) bool {
	for _, a := range s.Basics() {
		for _, b := range t.Basics() {
			if sameTuple(a.Space().Out, b.Space().Out) {
				return true
			}
		}
	}
	return false
}

var (
	literals = regexp.MustCompile(`("(?:[^"\\\n]|\\.)*"\s*)+`)
	between  = regexp.MustCompile(`"\s*"`)
	bare     = regexp.MustCompile(`(?m)^(?:\[[^\]{}]*\]\s*->\s*)?\{.*\}\s*$`)
)

// readInputs returns the sets and relations in the files below dir, in the order of names: those in quotes, those that are lines, and
// those in the matrices of PolyLib.
func readInputs(dir string) (list []input, err error) {
	seen := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var found []string
		switch filepath.Ext(path) {
		case ".polylib":
			found = matrices(string(text))
		default:
			for _, s := range literals.FindAllString(string(text), -1) {
				found = append(found, strings.Trim(between.ReplaceAllString(strings.TrimSpace(s), ""), `"`))
			}
			found = append(found, bare.FindAllString(string(text), -1)...)
		}
		for _, s := range found {
			s = strings.Join(strings.Fields(s), " ")
			if x, ok := readInput(path, s); ok && !seen[s] && len(s) <= maxInputText {
				seen[s] = true
				list = append(list, x)
			}
		}
		return nil
	})
	return list, err
}

// readInput reads a set or relation that has points for some values of its parameters, or says that it has none.
func readInput(file, text string) (x input, ok bool) {
	x = input{file: file, text: text}
	if strings.ContainsAny(text, "|\\") || strings.Contains(text, "NaN") { // which is no name in isl
		return x, false
	}
	limit := poly.Limited(func() (err error) {
		if x.set, err = poly.ParseSet(text); err == nil {
			ok = len(x.set.Basics()) > 0
			return nil
		}
		x.mapping, err = poly.ParseMap(text)
		x.isMap, ok = err == nil, err == nil && len(x.mapping.Basics()) > 0
		return nil
	})
	return x, ok && limit == nil
}

// matrices returns the sets that PolyLib's matrices say: rows of 0 for = or 1 for >=, coefficients, and a constant.
func matrices(text string) (sets []string) {
	var rows [][]string
	flush := func() {
		if len(rows) > 0 {
			sets = append(sets, matrixSet(rows))
		}
		rows = nil
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "#" || len(f) == 2:
			flush()
		case len(rows) > 0 && len(rows[0]) != len(f):
			flush()
		default:
			rows = append(rows, f)
		}
	}
	flush()
	return sets
}

// matrixSet returns the text of a matrix, or of no set where it is none.
func matrixSet(rows [][]string) string {
	n := len(rows[0]) - 2
	dims := make([]string, n)
	for i := range dims {
		dims[i] = fmt.Sprintf("x%d", i)
	}
	var conditions []string
	for _, r := range rows {
		var sum []string
		for i, k := range r[1:] {
			if v, err := strconv.ParseInt(k, 10, 64); err != nil || v == 0 {
				continue
			}
			if i < n {
				k += "*" + dims[i]
			}
			sum = append(sum, k)
		}
		if len(sum) > 0 {
			conditions = append(conditions, strings.Join(sum, " + ")+map[string]string{"0": " = 0", "1": " >= 0"}[r[0]])
		}
	}
	return "{ [" + strings.Join(dims, ", ") + "] : " + strings.Join(conditions, " and ") + " }"
}
