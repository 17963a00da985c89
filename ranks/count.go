package ranks

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file counts what ranks own and send at given sizes, by the boxes as they are printed.

// A Share is what a rank has at some sizes, and what it does.
type Share struct {
	First, Last int64      // its tiles along S0
	Messages    int64      // that it sends
	Bytes       int64      // in them
	Rows        [][2]int64 // by array: the first and the last element, along the dimension that is shared out, that it owns; of a ring, of its lower half
}

// Tiles returns the first and the last tile along S0, of all phases and time tiles, at some sizes; first > last: nothing runs.
func (p *Plan) Tiles(params []int64) (first, last int64) {
	env := p.environment(params)
	first, last = 1, 0
	if !p.Busy.Holds(env) {
		return first, last
	}
	for t := affine.Eval(p.TLo, env); t <= affine.Eval(p.THi, env); t++ {
		env[p.T] = t
		for _, ph := range p.Phases {
			lo, hi := affine.Eval(ph.Lo, env), affine.Eval(ph.Hi, env)
			if lo > hi {
				continue
			}
			if first > last {
				first, last = lo, hi
			}
			first, last = min(first, lo), max(last, hi)
		}
	}
	return first, last
}

func (p *Plan) environment(params []int64) map[string]int64 {
	env := map[string]int64{}
	for i, q := range p.Scop().Params {
		env[q.Name] = params[i]
	}
	return env
}

// Shares returns what each of so many ranks, all as fast, has and does at some sizes; nil where they are more than tiles. Where nothing runs there are no shares, but
// all is well.
func (p *Plan) Shares(params []int64, ranks int) (list []Share, ok bool) {
	first, last := p.Tiles(params)
	if first > last {
		return nil, true
	}
	all, n := last-first+1, int64(ranks)
	if n > all {
		return nil, false
	}
	begin := func(r int64) int64 { return first + all/n*r + min(all%n, r) }
	env := p.environment(params)
	lo, hi := affine.Eval(p.TLo, env), affine.Eval(p.THi, env)
	var turns *turnBoxes
	for r := range n {
		s := Share{First: begin(r), Last: begin(r+1) - 1}
		for which, strips := range p.Messages() {
			env[p.Border] = begin(r + 1)
			if which%2 == 1 {
				env[p.Border] = begin(r)
			}
			if which%2 == 0 && r == n-1 || which%2 == 1 && r == 0 {
				continue
			}
			end := hi
			if which < 2 {
				end = lo
			}
			for t := lo; t <= end; t++ {
				env[p.T] = t
				bytes := int64(0)
				for _, strip := range strips {
					bytes += p.box(strip, env).Bytes()
				}
				if bytes > 0 {
					s.Messages, s.Bytes = s.Messages+1, s.Bytes+bytes
				}
			}
		}
		if p.Pipeline != nil {
			if turns == nil {
				turns = p.turnBoxes(params)
			}
			p.turnsOf(&s, turns, r, n, lo, hi)
		}
		env[p.Border] = s.First
		for _, a := range p.Arrays {
			rows := [2]int64{0, -1}
			if a.Dim >= 0 {
				row := affine.Eval(p.First(a), env)
				rows = p.owned(a, env, row, row+s.width(p, a)-1, r > 0, r < n-1)
			}
			s.Rows = append(s.Rows, rows)
		}
		list = append(list, s)
	}
	return list, true
}

// width returns how many elements of an array, along the dimension that ranks share out, lie between the borders of s.
func (s Share) width(p *Plan, a Array) int64 { return (s.Last - s.First + 1) * p.Width() * a.Unit }

// owned returns the rows from first to last that there are, more of them where no rank is below or above.
func (p *Plan) owned(a Array, env map[string]int64, first, last int64, below, above bool) [2]int64 {
	end := affine.Eval(p.Scop().Sum(a.Array.Extents[a.Dim], nil), env) - 1
	if a.Ring {
		end = min(end, (affine.Eval(a.Sum, env)+1)/2-1)
	}
	if !below {
		first = 0
	}
	if !above {
		last = end
	}
	return [2]int64{max(first, 0), min(last, end)}
}

// Part returns the first and the last subscript, along the dimension that ranks share out, of what a rank with a share has in memory of an array: all of them
// where it is a ring, or not shared out.
func (s Share) Part(p *Plan, params []int64, array int, below, above bool) (lo, hi int64) {
	a, env := p.Arrays[array], p.environment(params)
	dim := max(a.Dim, 0)
	if len(a.Array.Extents) == 0 {
		return 0, 0
	}
	lo, hi = 0, affine.Eval(p.Scop().Sum(a.Array.Extents[dim], nil), env)-1
	if a.Dim < 0 || a.Ring {
		return lo, hi
	}
	env[p.Border] = s.First
	first := affine.Eval(p.First(a), env)
	if below {
		lo = max(lo, first+a.Lo)
	}
	if above {
		hi = min(hi, first+s.width(p, a)-1+a.Hi)
	}
	return lo, hi
}

// A Box is elements of an array, at some sizes: those with subscripts Lo, Lo + Step, .. up to Hi, or all of them where there is no Step.
type Box struct {
	Array        *scop.Array
	Lo, Hi, Step []int64
}

// Along returns the distance of subscripts that follow each other in a dimension.
func (b Box) Along(d int) int64 {
	if b.Step == nil {
		return 1
	}
	return b.Step[d]
}

// Bytes returns the size of the elements.
func (b Box) Bytes() int64 {
	bytes := int64(b.Array.Elem.Size())
	for d := range b.Lo {
		if b.Lo[d] > b.Hi[d] {
			return 0
		}
		bytes *= (b.Hi[d]-b.Lo[d])/b.Along(d) + 1
	}
	return bytes
}

// Boxes returns the boxes of a message of that number, after a phase of time tile t, at a border.
func (p *Plan) Boxes(which int, params []int64, t, border int64) (list []Box) {
	env := p.environment(params)
	env[p.T], env[p.Border] = t, border
	for _, s := range p.Messages()[which] {
		if b := p.box(s, env); b.Bytes() > 0 {
			list = append(list, b)
		}
	}
	return list
}

// Owns reports whether a rank that has a share owns the element of a that has such a subscript along the dimension that ranks share out.
func (s Share) Owns(p *Plan, params []int64, array int, x int64, below, above bool) bool {
	a := p.Arrays[array]
	if a.Dim < 0 {
		return true
	}
	env := p.environment(params)
	if sum := affine.Eval(a.Sum, env); a.Ring && 2*x >= sum {
		x = sum - x
	}
	env[p.Border] = s.First
	first := affine.Eval(p.First(a), env)
	return (!below || x >= first) && (!above || x < first+s.width(p, a))
}

// box returns what s is.
func (p *Plan) box(s Strip, env map[string]int64) Box {
	b := Box{Array: s.Array}
	var a Array
	for _, x := range p.Arrays {
		if x.Array == s.Array {
			a = x
		}
	}
	for d := range s.Lo {
		lo, hi := affine.Eval(s.Lo[d], env), affine.Eval(s.Hi[d], env)
		if d == a.Dim {
			from, to := s.Since.At(affine.Eval(p.SinceFirst(), env))
			l, h := s.Until.At(affine.Eval(p.UntilLast(), env))
			least, most := s.Steps.At(affine.Eval(p.Steps(), env))
			row := affine.Eval(p.First(a), env)
			from, to = row+max(from, l, least), row+min(to, h, most)
			if s.Upper {
				sum := affine.Eval(a.Sum, env)
				from, to = sum-to, sum-from
			}
			lo, hi = max(lo, from), min(hi, to)
		}
		step := int64(1)
		if s.Every != nil {
			step = s.Every[d].Step
			lo += affine.Remainder(affine.Eval(s.Every[d].From, env)-lo, step)
		}
		b.Lo, b.Hi, b.Step = append(b.Lo, lo), append(b.Hi, hi), append(b.Step, step)
	}
	return b
}
