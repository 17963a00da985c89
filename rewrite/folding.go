package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file folds arrays whose elements are used in one combination, at several places, into that combination (ARTEMIS, section III-B4):
//
//	for i { b[i] = (u[i+1] - um[i+1]) - (u[i-1] - um[i-1]) }       =>      for i { u_um[i] = u[i] - um[i] }
//	                                                                       for i { b[i] = u_um[i+1] - u_um[i-1] }
//
// It is computed once for each element, by a nest of its own, into an array that the source does not have; tiles then hold one array in place of several. Each
// value is the result of the operations that it was the result of, so no result changes. combination.go finds combinations.

// codeFolding is that of arrays that cannot be folded.
const codeFolding diag.Code = "HX224"

// A Folding is what Fold made of a program.
type Folding struct {
	Program *scop.Program // has the other one as its Uninlined
	Folds   []Folded
}

// A Folded is a combination that a nest computes.
type Folded struct {
	Writer  *scop.Stmt    // of the Program
	Array   *scop.Array   // what it stores to
	Of      []*scop.Array // what it combines
	Readers []*scop.Stmt  // of the Program
	Places  int           // at how many places of it a point of a reader, of whichever has most, uses it
}

// Fold returns p with arrays folded that are used in one combination each, at several places: those with these names, whatever else they are used for, or, for no names, those that are used for
// nothing else, and those with which at most half of the operations are left. The Folding is nil where there are none of the latter. The error is a diag.List: why what is named is not folded; or a *poly.LimitError, where that cannot be decided.
func Fold(p *scop.Program, names []string) (f *Folding, err error) {
	err = poly.Limited(func() error {
		folder := folder{before: p, now: p, names: names}
		f, err = folder.fold()
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// A folder is a program that is being folded.
type folder struct {
	before, now *scop.Program
	names       []string
	made        []string // names of the arrays that were added
}

func (f *folder) fold() (*Folding, error) {
	for _, name := range f.names {
		if !slices.ContainsFunc(f.before.Arrays, func(a *scop.Array) bool { return a.Name == name }) {
			return nil, diag.List{f.refusal(f.before.Start(), fmt.Sprintf("'%s' is no array of the region", name))}
		}
	}
	var why *diag.Diagnostic
	for _, c := range combinations(f.before) {
		if !f.wanted(c) {
			continue
		}
		if d := f.together(c); d != nil && why == nil {
			why = d
		}
	}
	r := f.result()
	for _, name := range f.names {
		if !slices.ContainsFunc(r.Folds, func(x Folded) bool {
			return slices.ContainsFunc(x.Of, func(a *scop.Array) bool { return a.Name == name })
		}) {
			if why == nil {
				why = f.refusal(f.before.Start(), fmt.Sprintf("%s is in no combination with elements of %s that is used at several places", name, others(f.names, name)))
			}
			return nil, diag.List{why}
		}
	}
	if len(r.Folds) == 0 {
		return nil, nil
	}
	return r, nil
}

// others returns names but one, for a message; "other arrays" for none.
func others(names []string, but string) string {
	left := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == but })
	if left == nil {
		return "itself"
	}
	return strings.Join(left, ", ")
}

func (f *folder) refusal(at diag.Span, why string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: codeFolding, At: at, Msg: fmt.Sprintf("fold(%s): %s", cmp.Or(strings.Join(f.names, ","), "auto"), why),
		Help: "name arrays that are combined at several places, or leave fold out"}
}

// wanted reports whether c is to be folded.
func (f *folder) wanted(c combination) bool {
	arrays := c.arrays()
	if len(f.names) > 0 {
		named := !slices.ContainsFunc(arrays, func(a *scop.Array) bool { return !slices.Contains(f.names, a.Name) })
		return named && (len(arrays) > 1 || len(f.names) == 1)
	}
	return true
}

// together lets one nest compute c for all statements that use it, or one for each of them where that cannot be. It returns why none can.
func (f *folder) together(c combination) *diag.Diagnostic {
	uses := c.usesIn(f.now)
	if len(f.names) == 0 && (len(c.arrays()) == 1 || !alone(f.now, c, uses)) {
		f.tryIfItPays(c, uses)
		return nil
	}
	why := f.add(c, uses)
	if why == nil {
		return nil
	}
	for _, s := range f.now.Stmts {
		own := slices.DeleteFunc(slices.Clone(uses), func(u use) bool { return u.stmt != s })
		if len(own) < len(uses) && f.add(c, own) == nil {
			why = nil
			break // statements are others now
		}
	}
	return why
}

// tryIfItPays adds c, where tiles may hold one array more with it, if at most half of the operations are left.
func (f *folder) tryIfItPays(c combination, uses []use) {
	try := *f
	if try.add(c, uses) == nil && 2*operations(try.now) <= operations(f.now) {
		*f = try
	}
}

// operations returns those of an instance of each statement of p.
func operations(p *scop.Program) (sum int64) {
	for _, s := range p.Stmts {
		sum += s.Operations()
	}
	return sum
}

// alone reports whether arrays of c are used in it and nowhere else.
func alone(p *scop.Program, c combination, uses []use) bool {
	reads := map[*scop.Array]int{}
	for _, s := range p.Stmts {
		s.Visit(func(e scop.Expr) {
			if read, ok := e.(scop.Read); ok {
				reads[read.From.Array]++
			}
		})
	}
	for range uses {
		scop.Visit(c.value, func(e scop.Expr) {
			if read, ok := e.(scop.Read); ok {
				reads[read.From.Array]--
			}
		})
	}
	return !slices.ContainsFunc(c.arrays(), func(a *scop.Array) bool { return reads[a] != 0 })
}

// add lets a nest compute c, before the first of the statements that use it, or says why it cannot; nothing happens where it is used at one place only.
func (f *folder) add(c combination, uses []use) *diag.Diagnostic {
	if len(places(uses)) < 2 {
		return nil
	}
	first := uses[0].stmt
	for _, u := range uses {
		if u.stmt.Order < first.Order {
			first = u.stmt
		}
	}
	w, d := f.writer(c, uses, first)
	if d != nil {
		return d
	}
	q := *f.now
	q.Arrays = append(slices.Clone(q.Arrays), w.Accesses[len(w.Accesses)-1].Array)
	q.Stmts = nil
	for _, s := range f.now.Stmts {
		if s == first {
			q.Stmts = append(q.Stmts, w)
		}
		q.Stmts = append(q.Stmts, f.reader(c, uses, w, s))
	}
	q.Uninlined, q.Combinations = f.before, len(f.made)+1
	for i, s := range q.Stmts {
		s.Order = i // the copies are ours
	}
	next := q.Split(make([][][]scop.Affine, len(q.Stmts)))
	made := append(slices.Clone(f.made), q.Arrays[len(q.Arrays)-1].Name)
	if why := proveFolding(f.before, next, made); why != "" {
		return f.refusal(uses[0].at(c), why)
	}
	f.now, f.made = next, made
	return nil
}

// result returns what was made.
func (f *folder) result() *Folding {
	r := &Folding{Program: f.now}
	for _, name := range f.made {
		var x Folded
		for _, s := range f.now.Stmts {
			offsets := map[string]bool{}
			for _, a := range s.Accesses {
				switch {
				case a.Array.Name != name:
				case a.Write:
					x.Writer, x.Array = s, a.Array
				default:
					offsets[f.now.AccessText(s, a)] = true
				}
			}
			if len(offsets) > 0 {
				x.Readers, x.Places = append(x.Readers, s), max(x.Places, len(offsets))
			}
		}
		for _, a := range x.Writer.Accesses {
			if !a.Write && !slices.Contains(x.Of, a.Array) {
				x.Of = append(x.Of, a.Array)
			}
		}
		r.Folds = append(r.Folds, x)
	}
	return r
}

// Before returns the program that r is made of.
func (r *Folding) Before() *scop.Program { return r.Program.Uninlined }

// Cost says how many operations an instance of each statement takes before and now, all added up.
func (r *Folding) Cost() (before, now int64) { return (&Result{Program: r.Program}).Cost() }

// String says what is folded.
func (r *Folding) String() string {
	var lines []string
	for _, x := range r.Folds {
		var of, readers []string
		for _, a := range x.Of {
			of = append(of, a.Name)
		}
		for _, s := range x.Readers {
			readers = append(readers, s.Name)
		}
		verb := "use"
		if len(readers) == 1 {
			verb = "uses"
		}
		lines = append(lines, fmt.Sprintf("%s computes a combination of %s once, which %s %s at %d places", x.Writer.Name, strings.Join(of, ", "), strings.Join(readers, ", "), verb, x.Places))
	}
	return strings.Join(lines, "\n")
}

// Prove proves that each statement computes what it did.
func (r *Folding) Prove() schedule.Proof {
	p := schedule.Proof{Name: "folding", Claim: "each statement computes what it did", Holds: true, Unit: "statement", Tests: len(r.Before().Stmts)}
	var made []string
	for _, x := range r.Folds {
		made = append(made, x.Array.Name)
	}
	if err := poly.Limited(func() error {
		p.Violation = proveFolding(r.Before(), r.Program, made)
		return nil
	}); err != nil {
		p.Undecided = err.Error()
	}
	p.Holds = p.Violation == "" && p.Undecided == ""
	return p
}

// Verify checks that arrays are folded, into a program that is one.
func (r *Folding) Verify() error {
	if len(r.Folds) == 0 {
		return errors.New("no array is folded")
	}
	return r.Program.Verify()
}
