package ranks

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file says how much of what is sent is read: of each value that crosses a border some tile of the receiver reads, and boxes may hold others beside them. It proves of
// some plans that they do not, and counts for all of them how much that is.

// ProveRead returns the proof that each element that is sent has a value that the receiver reads, or else that each row has one: at borders that are further than two tiles from the ends of
// an array, after time tiles that are not the first or of the last two. Where it does not hold a few rows between those that are read are sent with them.
func (p *Plan) ProveRead() schedule.Proof {
	return schedule.Prove("messages", "no row is sent of which nothing is read", func(q *schedule.Prover) {
		b := &border{planner: newPlanner(p), Prover: q}
		for _, a := range b.Arrays {
			if a.Dim < 0 || !b.scop.Writes(a.Array) {
				continue
			}
			all := false
			_ = poly.Limited(func() error {
				all = b.unreadElement(a) == ""
				return nil
			})
			if all {
				b.Ask(fmt.Sprintf("each element of %s that is sent is read", a.Array.Name), func() string { return "" })
				continue
			}
			b.Ask(fmt.Sprintf("each row of %s that is sent is read", a.Array.Name), func() string { return b.unreadRow(a) })
		}
	})
}

// far holds at borders that are further than two tiles from the ends of an array, after time tiles that are not the first or of the last two.
func (p *planner) far(a Array) poly.Formula {
	first, apart := p.First(a), affine.Num(2*p.Width()*a.Unit)
	behind := poly.AtMost(first.Plus(apart), p.scop.Sum(a.Array.Extents[a.Dim], nil))
	if a.Ring { // the ends of both halves
		behind = poly.AtMost(first.Plus(apart).Times(2), a.Sum)
	}
	n := p.perTile()
	return poly.And(poly.AtMost(apart, first), behind, poly.AtMost(affine.Num(n), p.SinceFirst()), poly.AtMost(affine.Num(2*n), p.UntilLast()))
}

// unreadElement looks for elements of boxes that are not read.
func (b *border) unreadElement(a Array) string {
	far := b.far(a)
	for i, strips := range b.Messages() {
		for _, s := range strips {
			if s.Array != a.Array || i < 2 {
				continue
			}
			box := b.inside(a, s).IntersectParams(b.scop.Context).Intersect(b.elements(a, far))
			if rest := box.Subtract(s.sent); !b.none(rest) {
				return fmt.Sprintf("message %d of %s has elements that are not read: %v", i, a.Array.Name, rest)
			}
		}
	}
	return ""
}

// unreadRow looks for rows of boxes of which nothing is read, at borders far from the ends of the array, after time tiles that the end of the time loop does not cut.
func (b *border) unreadRow(a Array) string {
	tuple := poly.Tuple{Dims: poly.Dims(3)}
	for i, strips := range b.Messages() {
		for _, s := range strips {
			if s.Array != a.Array || i < 2 {
				continue
			}
			x := make([]affine.Expr, len(a.Array.Extents))
			for d := range x {
				x[d] = poly.In(d)
			}
			to := poly.NewMap(b.planner.params, elements(a.Array), tuple, poly.Equal(poly.Out(0), b.offset(a, s, x)),
				poly.Equal(poly.Out(1), b.SinceFirst()), poly.Equal(poly.Out(2), b.UntilLast()))
			read := to.Apply(s.sent).ProjectOut(b.planner.params...)
			for _, since := range runsOf(s.Since, poly.Out(1)) {
				for _, until := range runsOf(s.Until, poly.Out(2)) {
					lo, hi := max(since.lo, until.lo), min(since.hi, until.hi)
					if lo > hi {
						continue
					}
					b.Tests++
					box := poly.NewSet(nil, tuple, since.where, until.where, poly.AtMost(affine.Num(lo), poly.Out(0)), poly.AtMost(poly.Out(0), affine.Num(hi)),
						b.steps(poly.Out(1).Plus(poly.Out(2))), b.begins(poly.Out(1)))
					n := affine.Num(b.perTile())
					box = box.Intersect(poly.NewSet(nil, tuple, poly.AtMost(n, poly.Out(2))))
					if rest := box.Subtract(read); !rest.IsEmpty() {
						return fmt.Sprintf("message %d of %s has rows %d .. %d, not all of which are read: %v", i, a.Array.Name, lo, hi, rest)
					}
				}
			}
		}
	}
	return ""
}

// steps holds where the time loop may have so many iterations beside the first.
func (b *border) steps(n affine.Sum) poly.Formula {
	if all := b.last.Minus(b.first); all.IsNum() {
		return poly.Equal(n, all)
	}
	return poly.NotNegative(n)
}

// begins holds where a time tile starts so many iterations behind the first one.
func (b *border) begins(since affine.Sum) poly.Formula {
	if !b.first.IsNum() {
		return poly.True()
	}
	return poly.Equal(affine.Modulo(since.Plus(b.first), b.perTile()), affine.Num(0))
}

// errUnknown: how much is read has not been counted.
var errUnknown = errors.New("elements that cannot be counted")

// Unread returns, by rank, how many of the bytes that each of so many ranks sends at some sizes have values that the receiver does not read. The error says that it could not be counted; p.Shares says whether
// there are enough tiles.
func (p *Plan) Unread(params []int64, ranks int) (list []int64, err error) {
	if p.Pipeline != nil {
		return nil, errUnknown // slabs are not counted
	}
	shares, _ := p.Shares(params, ranks)
	list = make([]int64, len(shares))
	err = poly.Limited(func() error {
		r := &reads{Plan: p, planner: newPlanner(p), params: params, known: map[[4]int64]int64{}}
		for rank := range shares {
			for which, strips := range p.Messages() {
				up := which%2 == 0
				if len(strips) == 0 || up && rank == len(shares)-1 || !up && rank == 0 {
					continue
				}
				border := shares[rank].First
				if up {
					border = shares[rank].Last + 1
				}
				n, err := r.unread(which, border)
				if err != nil {
					return err
				}
				list[rank] += n
			}
		}
		return nil
	})
	return list, err
}

// reads counts what is read of messages at some sizes.
type reads struct {
	*Plan
	*planner
	params []int64
	known  map[[4]int64]int64 // by message, border, and how far a time tile is from both ends of the time loop: as much as rows depend on
}

// unread returns how many bytes of all messages of a number, across a border, are not read.
func (r *reads) unread(which int, border int64) (bytes int64, err error) {
	env := r.environment(r.params)
	lo, hi := affine.Eval(r.Plan.TLo, env), affine.Eval(r.Plan.THi, env)
	if which < 2 {
		hi = lo
	}
	n := r.perTile()
	env[r.Border] = border
	for t := lo; t <= hi; t++ {
		env[r.T] = t
		since, until := affine.Eval(r.SinceFirst(), env), affine.Eval(r.UntilLast(), env)
		key := [4]int64{int64(which), border, min(max(since, -2*n), n), min(max(until, -2*n), 3*n)}
		if _, ok := r.known[key]; !ok {
			sent := int64(0)
			for _, s := range r.Messages()[which] {
				sent += r.box(s, env).Bytes()
			}
			read, err := r.read(which, env)
			if err != nil {
				return 0, err
			}
			r.known[key] = sent - read
		}
		bytes += r.known[key]
	}
	return bytes, nil
}

// read returns how many bytes of a message are read, in an environment of parameters, time tile and border.
func (r *reads) read(which int, env map[string]int64) (bytes int64, err error) {
	for _, a := range r.Arrays {
		set := r.sent[which][a.Array]
		for name, v := range env {
			set = set.FixParam(name, v)
		}
		if set.IsEmpty() {
			continue
		}
		count, err := set.Card()
		if err != nil {
			return 0, err
		}
		n, finite := count.At(nil)
		if !finite {
			return 0, errUnknown
		}
		bytes += n.Num().Int64() * int64(a.Array.Elem.Size())
	}
	return bytes, nil
}
