package schedule

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file says what went wrong in a proof, on one concrete case.

// instance returns a point of set, which has one, as an instance of st and the
// values of the parameters, and notes its place.
func (p prover) instance(st *scop.Stmt, set poly.Set) string {
	p.Places = []diag.Note{{At: st.Pos, Msg: st.Name + " is here"}}
	params, point, ok := set.Sample()
	if !ok {
		panic(fmt.Sprintf("schedule: no sample of %v", set))
	}
	return fmt.Sprintf("%s (line %d)%s", named(st, point), st.Pos.Line, given(set.Params(), params))
}

// reversal returns how a dependence is broken by the pairs of bad, of which there is one.
func (p prover) reversal(d Dependence, bad poly.Map) string {
	s := p.s
	text, places := Reversal(d, bad)
	p.Places = places
	params, in, out, _ := bad.Sample()
	return fmt.Sprintf("%s, but they run at %s and %s of [%s]", text, s.at(d.Src, in, bad.Params(), params), s.at(d.Dst, out, bad.Params(), params), s.dimNames())
}

// Reversal returns in words which instances of bad, pairs of d of which there is one, must run one after the other, and their places in the source.
func Reversal(d Dependence, bad poly.Map) (text string, places []diag.Note) {
	params, in, out, ok := bad.Sample()
	if !ok {
		panic(fmt.Sprintf("schedule: no sample of %v", bad))
	}
	places = []diag.Note{
		{At: d.SrcAccess.Pos, Msg: fmt.Sprintf("%s %ss %s here, and must run first", named(d.Src, in), verb(d.SrcAccess), d.SrcAccess.Text)},
		{At: d.DstAccess.Pos, Msg: fmt.Sprintf("%s %ss %s here, the same element, and must run later", named(d.Dst, out), verb(d.DstAccess), d.DstAccess.Text)},
	}
	return fmt.Sprintf("%v dependence%s: %s %ss %s (line %d), %s %ss the same element by %s (line %d) and must run later",
		d.Kind, given(bad.Params(), params),
		named(d.Src, in), verb(d.SrcAccess), d.SrcAccess.Text, d.SrcAccess.Pos.Line,
		named(d.Dst, out), verb(d.DstAccess), d.DstAccess.Text, d.DstAccess.Pos.Line), places
}

// at returns the images of an instance.
func (s *Schedule) at(st *scop.Stmt, iters []int64, names []string, params []int64) string {
	m := s.Part(st)
	for i, name := range names {
		m = m.FixParam(name, params[i])
	}
	_, vector, ok := m.Apply(poly.NewPoint(st.Name, iters...)).Sample()
	if !ok {
		return "no place"
	}
	return fmt.Sprint(vector)
}

// named returns an instance as in S0[t=1, i=5].
func named(st *scop.Stmt, iters []int64) string {
	texts := make([]string, len(iters))
	for i, x := range iters {
		texts[i] = fmt.Sprintf("%s=%d", st.Iters[i], x)
	}
	return fmt.Sprintf("%s[%s]", st.Name, strings.Join(texts, ", "))
}

// given returns the values of parameters as in " for N=5, T=2".
func given(names []string, values []int64) string {
	if len(names) == 0 {
		return ""
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprintf("%s=%d", name, values[i])
	}
	return " for " + strings.Join(texts, ", ")
}

func verb(a *scop.Access) string {
	if a.Write {
		return "write"
	}
	return "read"
}
