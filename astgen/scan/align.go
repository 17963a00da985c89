package scan

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file lets statements that run at different remainders of a dimension share a loop: of S at 0, 3, 6, .. and T at 1, 4, 7, .. T is
// moved by one, so that a loop with step 3 runs both without a condition.

// A lag is how much later than the value of the variable some statements run.
type lag struct {
	by    int64
	stmts poly.Set // all of their instances
}

// aligned returns b with the times of statements moved so that they run at the same remainder of the next dimension, if they run at
// different ones.
func (b band) aligned(name string, at place) band {
	stmts := b.times.ByTuple()
	if len(stmts) < 2 {
		return b
	}
	if _, isolated := b.isolation(name, at); isolated {
		return b
	}
	left := b.Dims - b.next
	ranges := make([]*valueRange, len(stmts))
	for i, m := range stmts {
		v := &valueRange{name: name, all: values(m, left, name).Intersect(at.known), step: 1, base: affine.Num(0)}
		ranges[i] = v
		if v.equalities(); v.only != nil || v.step == 1 || v.step != ranges[0].step {
			return b
		}
	}
	first := ranges[earliest(ranges)]
	lags := make([]int64, len(stmts))
	moved := false
	for i, v := range ranges {
		d, ok := affine.Total(v.base, -1, first.base).(affine.Sum)
		if !ok || !d.IsNum() {
			return b
		}
		lags[i] = affine.Remainder(d.Const, v.step)
		moved = moved || lags[i] != 0
	}
	if !moved {
		return b
	}
	b.times, b.lags = poly.Map{}, nil
	for i, m := range stmts {
		x := sums(poly.Ins(left))
		x[0] = poly.In(0).Add(-lags[i])
		b.times = b.times.Union(m.ApplyRange(poly.NewFunction(nil, poly.Tuple{Dims: poly.Dims(left)}, poly.Tuple{}, x)))
		b.lagging(lags[i], m.Domain())
	}
	return b
}

// lagging adds statements that run later, in the order of how much.
func (b *band) lagging(by int64, domain poly.Set) {
	at := 0
	for at < len(b.lags) && b.lags[at].by < by {
		at++
	}
	all := domain.Basics()
	if len(all) == 0 { // the statement has no instance here
		return
	}
	stmts := poly.UniverseSet(nil, all[0].Space().Out)
	if at < len(b.lags) && b.lags[at].by == by {
		b.lags[at].stmts = b.lags[at].stmts.Union(stmts)
		return
	}
	b.lags = append(b.lags[:at:at], append([]lag{{by, stmts}}, b.lags[at:]...)...)
}

// earliest returns which of ranges starts first, wherever that can be told.
func earliest(ranges []*valueRange) int {
	best := 0
	for i := 1; i < len(ranges); i++ {
		x, y := ranges[best].least(), ranges[i].least()
		if mayFollow(x, y, ranges[i].name) && !mayFollow(y, x, ranges[i].name) {
			best = i
		}
	}
	return best
}

// least returns the least values.
func (v *valueRange) least() poly.Set {
	return v.all.ParamToDim(v.name, 0).LexMin().DimToParam(0, v.name).ParamDomain()
}

// inside writes what runs for one value of the next dimension of b: at in it has the value.
func (w *writer) inside(b band, in place, params []string, value func(x affine.Sum) poly.Formula) (list []graft) {
	lags := b.lags
	if len(lags) == 0 {
		lags = []lag{{}}
	}
	times := in.times
	in.depth++
	for _, l := range lags {
		part := b
		if len(b.lags) > 0 {
			part = b.of(b.times.IntersectDomain(l.stmts))
		}
		in.times = times.FlatProduct(poly.NewSet(params, poly.Tuple{Dims: poly.Dims(1)}, value(poly.Out(0).Add(-l.by))))
		list = append(list, w.member(part.passed(params, value(poly.In(0))), in)...)
	}
	return list
}
