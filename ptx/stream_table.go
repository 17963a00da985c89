package ptx

import (
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file keeps in shared memory what each thread computes once in a chain: of what beats and columns conditions hold.

// A table is numbers in shared memory, which each thread computes at the start of a chain and only reads itself.
type table struct {
	entries map[string]address
	fill    []func()
}

// entry returns where the thread has the entry of a key, so many bytes for each lane of the stage. If it is new, fill stores it. ok: there is room for it.
func (g *stage) entry(key string, bytes int64, fill func(at address)) (at address, ok bool) {
	return g.entryOf(key, bytes, bytes*gpu.WarpLanes, fill)
}

// warpEntry is entry for what is the same in all lanes of a warp, each of which stores it.
func (g *stage) warpEntry(key string, bytes int64, fill func(at address)) (at address, ok bool) {
	return g.entryOf(key, 0, bytes, fill)
}

// entryOf is entry for so many bytes from lane to lane, and from warp to warp.
func (g *stage) entryOf(key string, lane, warp int64, fill func(at address)) (at address, ok bool) {
	if at, ok := g.table.entries[key]; ok {
		return at, true
	}
	bytes := gpu.Aligned(warp * int64(g.Count))
	if g.places.bytes+bytes > g.room {
		return at, false
	}
	at = address{g.begins(lane, warp), g.places.bytes - int64(g.First)*warp}
	g.places.bytes += bytes
	g.table.entries[key] = at
	g.table.fill = append(g.table.fill, func() { fill(at) })
	return at, true
}

// fillTable computes the entries, ahead of the loop of turns.
func (g *stage) fillTable() {
	here := g.block
	g.block = g.fixed
	for i := 0; i < len(g.table.fill); i++ {
		g.table.fill[i]()
	}
	g.block = here
}

// beats are the least and the greatest of which something holds.
type beats struct{ lo, hi value.Value }

// always are bounds of no beats.
const always = 1 << 62

// beatsOf returns the beats of which rows hold, whose other variables are bound.
func (g *stage) beatsOf(rows []affine.Expr) (b beats) {
	b = beats{g.num(-always), g.num(always)}
	if g.index.BitSize < 64 {
		b = beats{g.num(-(1 << 30)), g.num(1 << 30)}
	}
	var fixed []affine.Expr
	for _, r := range rows {
		if !uses(r, g.pipe.Vars.Beat) {
			fixed = append(fixed, r)
			continue
		}
		lo, hi := affine.Solve(r.(affine.Sum), g.pipe.Vars.Beat)
		if lo != nil {
			b.lo = g.greatest(b.lo, g.expr(lo))
		}
		if hi != nil {
			b.hi = g.least(b.hi, g.expr(hi))
		}
	}
	if len(fixed) > 0 {
		b.hi = g.block.NewSelect(g.cond(astgen.Cond{fixed}), b.hi, g.num(-always>>(64-g.index.BitSize)))
	}
	return b
}

// uses reports whether a variable occurs in e.
func uses(e affine.Expr, name string) (found bool) {
	affine.Vars(e, func(v string) { found = found || v == name })
	return found
}

// bounded reports whether alternatives of c are bounds of beats, as far as they are about them.
func (g *stage) bounded(c astgen.Cond) bool {
	for _, rows := range c {
		for _, r := range rows {
			if _, ok := r.(affine.Sum); !ok && uses(r, g.pipe.Vars.Beat) {
				return false
			}
		}
	}
	return c != nil
}

// A part is the rows of an alternative of a condition: those that are not about At, and those that are.
type part struct{ beat, column []affine.Expr }

// parted returns the alternatives of c; ok: no row is about Beat and At.
func (g *stage) parted(c astgen.Cond) (all []part, ok bool) {
	if !g.bounded(c) {
		return nil, false
	}
	for _, rows := range c {
		var x part
		for _, r := range rows {
			switch {
			case !uses(r, g.pipe.Vars.At):
				x.beat = append(x.beat, r)
			case uses(r, g.pipe.Vars.Beat):
				return nil, false
			default:
				x.column = append(x.column, r)
			}
		}
		all = append(all, x)
	}
	return all, true
}

func (g *stage) storeBeats(at address, b beats) { g.storeVector(at, []value.Value{b.lo, b.hi}) }

// during returns whether the beat is one of those at an address.
func (g *stage) during(at address) value.Value {
	b, beat := g.loadVector(at, g.index, 2), g.variable(g.pipe.Vars.Beat)
	return g.block.NewAnd(g.block.NewICmp(atMost, b[0], beat), g.block.NewICmp(atMost, beat, b[1]))
}

// beatBytes is the size of beats.
func (g *stage) beatBytes() int64 { return 2 * int64(g.index.BitSize) / 8 }

// duringRows returns whether rows hold, which are not about At.
func (g *stage) duringRows(rows []affine.Expr) (holds value.Value) {
	if len(rows) == 0 {
		return constant.True
	}
	at, ok := g.warpEntry("beats "+astgen.Cond{rows}.String(), g.beatBytes(), func(at address) { g.storeBeats(at, g.beatsOf(rows)) })
	if ok {
		return g.during(at)
	}
	g.anew(func() { holds = g.cond(astgen.Cond{rows}) })
	return holds
}
