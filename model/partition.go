package model

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// This file chooses which statements of an iteration share a launch. What has run after some launches is an ideal: a set of statements with all
// that must run before each of them. The least time to each ideal is the least one to a smaller ideal and that of a launch of what lies between, so
// that the best partition is found without looking at all of them (dynamic programming), though in any order that dependences allow:
//
//	least(I) = min over ideals J inside of I of least(J) + cost(I \ J)
//
// MODESTO does so for intervals of each topological order in turn. For each ideal the best few partitions are kept, and the best few for all of them.

// Bounds of what is looked at.
const (
	maxIdeals  = 512 // of more, only statements that follow each other in the source share launches
	keptFusion = 8   // partitions of each ideal
)

// Fusions are partitions of the statements of an iteration into launches.
type Fusions struct {
	// Best are the best few, the best first.
	Best []*Fusion
	// One has all statements in one launch, Each has one launch for each: they may be among Best, or not possible.
	One, Each *Fusion
	// Intervals: the statements have too many sets that may run first, so that only those share launches that follow each other in the source.
	Intervals bool
}

// choose returns the best partitions in tiles of some widths, each with those of them that are best for it. The error says that no partition can be.
func (k *coster) choose(widths [][]int64) (*Fusions, error) {
	out := &Fusions{}
	ideals, ok := k.al.ideals()
	if !ok {
		out.Intervals = true
		ideals = k.al.prefixes()
	}
	steps := stepsOf(ideals)
	for _, w := range widths {
		for _, groups := range k.best(ideals, steps, w) {
			f := k.fusion(groups, w)
			at := slices.IndexFunc(out.Best, func(x *Fusion) bool { return samePartition(x.Groups, f.Groups) })
			switch {
			case at < 0:
				out.Best = append(out.Best, f)
			case f.Seconds < out.Best[at].Seconds:
				out.Best[at] = f
			}
		}
	}
	slices.SortStableFunc(out.Best, func(x, y *Fusion) int { return cmp.Compare(x.Seconds, y.Seconds) })
	out.Best = out.Best[:min(keptFusion, len(out.Best))]
	var each []set
	for i := range k.al.stmts {
		each = append(each, 1<<i)
	}
	out.One, out.Each = k.least([]set{k.al.all}, widths), k.least(each, widths)
	if len(out.Best) == 0 {
		return nil, fmt.Errorf("no launches can be: %s", out.Each.Why())
	}
	return out, nil
}

// least returns what launches of groups take with those of the widths with which they take the least, or, where they cannot be, need the least.
func (k *coster) least(groups []set, widths [][]int64) (best *Fusion) {
	for _, w := range widths {
		f := k.fusion(groups, w)
		if best == nil || best.Why() != "" && f.Why() == "" || (best.Why() == "") == (f.Why() == "") && f.order() < best.order() {
			best = f
		}
	}
	return best
}

// order is less for what is better among partitions that can be, or cannot.
func (f *Fusion) order() (x float64) {
	if f.Why() == "" {
		return f.Seconds
	}
	for _, p := range f.Parts {
		x = max(x, p.Holds)
	}
	return x
}

// samePartition reports whether groups are the same, in any order.
func samePartition(x, y schedule.Groups) bool {
	return len(x) == len(y) && !slices.ContainsFunc(x, func(g []int) bool {
		return !slices.ContainsFunc(y, func(h []int) bool { return slices.Equal(g, h) })
	})
}

// ideals returns all of them, smaller ones first; ok is false if they are too many.
func (al *algebra) ideals() (all []set, ok bool) {
	all = []set{0}
	for at := 0; at < len(all); at++ {
		for i, st := range al.stmts {
			if bit := set(1) << i; all[at]&bit == 0 && st.before&^all[at] == 0 && !slices.Contains(all, all[at]|bit) {
				if all = append(all, all[at]|bit); len(all) > maxIdeals {
					return nil, false
				}
			}
		}
	}
	return all, true
}

// prefixes returns the ideals of the order of the source.
func (al *algebra) prefixes() (all []set) {
	for i := range len(al.stmts) + 1 {
		all = append(all, 1<<i-1)
	}
	return all
}

// stepsOf returns, by ideal, the indices of those inside of it.
func stepsOf(ideals []set) [][]int32 {
	steps := make([][]int32, len(ideals))
	for to, x := range ideals {
		for from, y := range ideals[:to] {
			if y&^x == 0 {
				steps[to] = append(steps[to], int32(from))
			}
		}
	}
	return steps
}

// A path is the launches to an ideal: the last one, and those before.
type path struct {
	seconds float64
	group   set
	before  *path
	hash    uint64 // of the groups, in any order
}

// best returns the best partitions for tiles of widths w.
func (k *coster) best(ideals []set, steps [][]int32, w []int64) (all [][]set) {
	paths := make([][]*path, len(ideals))
	paths[0] = []*path{{}}
	costs := map[set]float64{}
	for to := 1; to < len(ideals); to++ {
		for _, from := range steps[to] {
			if len(paths[from]) == 0 {
				continue
			}
			group := ideals[to] &^ ideals[from]
			cost, known := costs[group]
			if !known {
				f := k.cost(group, w)
				if cost = f.Seconds; f.Why != "" {
					cost = math.Inf(1)
				}
				costs[group] = cost
			}
			if math.IsInf(cost, 1) {
				continue
			}
			for _, p := range paths[from] {
				if kept := paths[to]; len(kept) == keptFusion && kept[keptFusion-1].seconds <= p.seconds+cost {
					break // those behind it take longer
				}
				paths[to] = insert(paths[to], &path{p.seconds + cost, group, p, p.hash + scramble(group)})
			}
		}
	}
	for _, p := range paths[len(ideals)-1] {
		all = append(all, p.groups())
	}
	return all
}

// insert adds x to paths, the best first, unless they have the same launches in another order; at most keptFusion are kept.
func insert(paths []*path, x *path) []*path {
	for _, p := range paths {
		if p.hash == x.hash && p.same(x) {
			return paths
		}
	}
	at, _ := slices.BinarySearchFunc(paths, x, func(p, x *path) int {
		if p.seconds <= x.seconds {
			return -1
		}
		return 1
	})
	paths = slices.Insert(paths, at, x)
	return paths[:min(keptFusion, len(paths))]
}

// same reports whether p and x have the same launches, in any order.
func (p *path) same(x *path) bool {
	a, b := p.groups(), x.groups()
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// groups returns the launches of p in turn.
func (p *path) groups() (all []set) {
	for ; p.group != 0; p = p.before {
		all = append(all, p.group)
	}
	slices.Reverse(all)
	return all
}

// scramble returns a number in which the bits of x are spread.
func scramble(x uint64) uint64 {
	x = (x ^ x>>31) * 0x9e3779b97f4a7c15
	return bits.RotateLeft64(x, 29) * 0xbf58476d1ce4e5b9
}
