package hexcc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file reads what Options.Fuse says, and lets nests share registers.
//
//	[[lap,fli],flj],[out]     two launches: lap, fli and flj; out. fli computes itself what it reads of lap.

// A launch is nests of an iteration of the time loop: groups of statements, by Order, each of which shares registers.
type fusedLaunch [][]int

// parseFusion reads launches: lists of names, and of lists of names, each of a statement or of an array, which stands for all statements that write it.
// Each statement of p has to be in one of them.
func parseFusion(text string, p *scop.Program) (launches []fusedLaunch, err error) {
	r := fusionReader{text: text, rest: strings.Join(strings.Fields(text), ""), program: p}
	for {
		launch, err := r.launch()
		if err != nil {
			return nil, err
		}
		if launches = append(launches, launch); r.rest == "" {
			break
		}
		if !r.take(",") {
			return nil, r.wrong("a comma")
		}
	}
	seen := make([]int, len(p.Stmts))
	for _, launch := range launches {
		for _, i := range slices.Concat(launch...) {
			seen[i]++
		}
	}
	for i, n := range seen {
		switch {
		case n == 0:
			return nil, fmt.Errorf("%s is in no launch", said(p, i))
		case n > 1:
			return nil, fmt.Errorf("%s is named twice", said(p, i))
		}
	}
	return launches, nil
}

// said returns statement i as it may be named.
func said(p *scop.Program, i int) string {
	s := p.Stmts[i]
	for _, a := range s.Accesses {
		if a.Write {
			return fmt.Sprintf("%s (%s)", s.Name, a.Array.Name)
		}
	}
	return s.Name
}

// A fusionReader reads launches from the left.
type fusionReader struct {
	text, rest string
	program    *scop.Program
}

func (r *fusionReader) take(token string) (found bool) {
	r.rest, found = strings.CutPrefix(r.rest, token)
	return found
}

// wrong says what is missing where the reader stands.
func (r *fusionReader) wrong(what string) error {
	if r.rest == "" {
		return fmt.Errorf("'%s': %s is missing at the end", r.text, what)
	}
	return fmt.Errorf("'%s': %s is missing before '%s'", r.text, what, r.rest)
}

// launch reads a list of names and lists.
func (r *fusionReader) launch() (launch fusedLaunch, err error) {
	if !r.take("[") {
		return nil, r.wrong("[")
	}
	for {
		if r.take("[") {
			group, err := r.group()
			if err != nil {
				return nil, err
			}
			launch = append(launch, group)
		} else {
			all, err := r.name()
			if err != nil {
				return nil, err
			}
			alone := slices.DeleteFunc(slices.Clone(launch), func(g []int) bool { return len(g) > 1 })
			for _, i := range without(all, alone) {
				launch = append(launch, []int{i})
			}
		}
		switch {
		case r.take("]"):
			return launch, nil
		case !r.take(","):
			return nil, r.wrong("a comma or ]")
		}
	}
}

// group reads names up to the bracket that ends them.
func (r *fusionReader) group() (group []int, err error) {
	for {
		if strings.HasPrefix(r.rest, "[") {
			return nil, fmt.Errorf("'%s': brackets nest to two levels: launches, and in them nests that share registers", r.text)
		}
		all, err := r.name()
		if err != nil {
			return nil, err
		}
		group = append(group, without(all, [][]int{group})...)
		switch {
		case r.take("]"):
			return group, nil
		case !r.take(","):
			return nil, r.wrong("a comma or ]")
		}
	}
}

// without returns statements less those that are in groups before: one that writes several arrays may be named by each of them.
func without(all []int, before [][]int) []int {
	return slices.DeleteFunc(slices.Clone(all), func(i int) bool {
		return slices.ContainsFunc(before, func(g []int) bool { return slices.Contains(g, i) })
	})
}

// name reads a name, and returns the statements that it stands for.
func (r *fusionReader) name() (all []int, err error) {
	end := strings.IndexAny(r.rest+",", ",[]")
	name := r.rest[:end]
	if name == "" {
		return nil, r.wrong("a name")
	}
	r.rest = r.rest[end:]
	var candidates []string
	for i, s := range r.program.Stmts {
		if s.Name == name || slices.ContainsFunc(s.Accesses, func(a *scop.Access) bool { return a.Write && a.Array.Name == name }) {
			all = append(all, i)
		}
		candidates = append(candidates, said(r.program, i))
	}
	isStmt := func(i int) bool { return r.program.Stmts[i].Name == name }
	switch {
	case all == nil:
		return nil, fmt.Errorf("'%s' is no statement, and no array that one writes: there are %s", name, strings.Join(candidates, ", "))
	case len(all) > 1 && slices.ContainsFunc(all, isStmt):
		return nil, fmt.Errorf("'%s' is a statement, and an array that another one writes: there are %s", name, strings.Join(candidates, ", "))
	}
	return all, nil
}

// inline returns p with the temporaries in registers for which inner brackets of Options.Fuse ask, and leaves the launches of what remains in the options; where
// there are no such wishes, those that one nest reads at one place.
func (u *unit) inline(p *scop.Program) (*scop.Program, error) {
	if u.opts.Fission != nil {
		var err error
		if p, err = u.fission(p); err != nil {
			return p, err
		}
	}
	if u.opts.Fuse == "" { // else launches name statements as they are
		if u.Inlined = rewrite.Pointwise(p); u.Inlined != nil {
			return u.Inlined.Program, nil
		}
	}
	if !nested(u.opts.Fuse) {
		return p, nil
	}
	launches, err := parseFusion(u.opts.Fuse, p)
	if err != nil {
		return p, diag.List{{Code: "HX219", At: p.Start(), Msg: fmt.Sprintf("fuse(%s): %v", u.opts.Fuse, err),
			Help: "name each statement once, or what it writes, as in " + example(p)}}
	}
	var groups [][]int
	for _, launch := range launches {
		for _, group := range launch {
			if len(group) > 1 {
				groups = append(groups, group)
			}
		}
	}
	r, err := rewrite.Inline(p, groups)
	if err != nil {
		return p, err
	}
	u.Inlined, u.opts.Fuse = r, ""
	if len(r.Program.Stmts) > 1 {
		u.opts.Fuse = outer(launches, r)
	}
	return r.Program, nil
}

// nested reports whether there are brackets in brackets in the text of launches.
func nested(text string) bool {
	depth, most := 0, 0
	for _, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		most = max(most, depth)
	}
	return most > 1
}

// example returns launches as they may be written.
func example(p *scop.Program) string {
	var names []string
	for _, s := range p.Stmts {
		names = append(names, s.Name)
	}
	if len(names) > 1 {
		names = append([]string{"[" + strings.Join(names[:2], ",") + "]"}, names[2:]...)
	}
	return "[" + strings.Join(names, ",") + "]"
}

// outer returns the text of launches of the statements that are left, by their arrays where others do not write those.
func outer(launches []fusedLaunch, r *rewrite.Result) string {
	var texts []string
	for _, launch := range launches {
		var names []string
		for _, i := range slices.Concat(launch...) {
			if at := slices.Index(r.Orders, i); at >= 0 {
				names = append(names, nameOf(r.Program, at))
			}
		}
		if names != nil {
			texts = append(texts, "["+strings.Join(names, ",")+"]")
		}
	}
	return strings.Join(texts, ",")
}

// nameOf returns an array that only statement i writes, or the statement's name.
func nameOf(p *scop.Program, i int) string {
	for _, a := range p.Stmts[i].Accesses {
		writes := func(s *scop.Stmt) bool {
			return slices.ContainsFunc(s.Accesses, func(b *scop.Access) bool { return b.Write && b.Array == a.Array })
		}
		if a.Write && !slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool { return s.Order != i && writes(s) }) {
			return a.Array.Name
		}
	}
	return p.Stmts[i].Name
}
