package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file keeps bounds of products of sizes, such as the number of elements that an index of 32 bits counts: they are tested at run
// time, and sets of parameters know nothing of them.

// A bound is that the product of factors is at most most, or one of them is not positive. It is to be tested at run time, also where facts are
// taken for granted.
type bound struct {
	factors []linear
	most    int64
	at      diag.Span
	remark  *diag.Diagnostic
}

// relyOnBound notes a bound to be tested.
func (fs *facts) relyOnBound(b bound) {
	for i, o := range fs.bounds {
		if slices.EqualFunc(o.factors, b.factors, linear.equal) {
			if b.most < o.most {
				fs.bounds[i] = b
			}
			return
		}
	}
	fs.bounds = append(fs.bounds, b)
}

// settleBounds returns the bounds as facts, and tells the user of them.
func (fs *facts) settleBounds(fr frame) (facts []scop.Fact) {
	for i, b := range fs.bounds {
		if slices.ContainsFunc(fs.bounds[i+1:], func(o bound) bool { return fs.follows(fr, b, o) }) ||
			slices.ContainsFunc(fs.bounds[:i], func(o bound) bool { return fs.follows(fr, b, o) && !fs.follows(fr, o, b) }) {
			continue
		}
		f := scop.Fact{Most: b.most, Pos: b.at}
		for _, x := range b.factors {
			f.Factors = append(f.Factors, fr.affine(x))
		}
		f.Text = fmt.Sprintf("%s <= %d", fr.product(b.factors), b.most)
		b.remark.Msg = fmt.Sprintf("%s only if %s; this is tested before the kernels run", b.remark.Msg, f.Text)
		b.remark.Fact = f.Text
		fs.note(b.remark)
		facts = append(facts, f)
	}
	return facts
}

// follows reports whether b holds where o does, factor by factor.
func (fs *facts) follows(fr frame, b, o bound) bool {
	if b.most < o.most || len(b.factors) != len(o.factors) {
		return false
	}
	for k := range b.factors {
		if !fr.proves(fs.known(), o.factors[k].sub(b.factors[k])) {
			return false
		}
	}
	return true
}
