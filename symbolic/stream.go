package symbolic

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// ProveStreams returns the proof that full turns of the pipelines of p, which run the schedule s, do what the program does. Registers are undefined at first; full turns
// run until all rows come from such; of a turn behind them it shows that
//
//   - each instance gets the values that the program reads there: what rows hold, or elements of global memory loaded before,
//   - what is loaded has been stored, and is not stored again before, by the chains that have it, by what chains wait for,
//   - what is left in registers is written again later, by another instance,
//   - all elements that are loaded or stored are within arrays.
//
// All turns do so, whatever the sizes, since beats, time steps and columns are numbers away from those of the chain. Turns that are not full are
// left to package emulate, which runs samples.
func ProveStreams(p *gpu.Program, s *schedule.Schedule) schedule.Proof {
	const claim = "rows and copies of full turns give each read the value of the program, and chains wait long enough for what they load"
	return schedule.Prove("full turns", claim, func(proof *schedule.Prover) {
		proof.Unit = "check" // a read that gets the value of the program, or a set that must be empty
		var x *streams
		var run *streamRun
		ask := func(text string, f func()) {
			proof.Ask(text, func() string {
				err := decided(f)
				if x != nil {
					proof.Tests, x.tests = proof.Tests+x.tests, 0
				}
				var open undecided
				switch {
				case errors.As(err, &open):
					proof.Undecided = open.Error()
					return ""
				case err != nil:
					return err.Error()
				}
				return ""
			})
		}
		ask("each instance of a full turn reads what the program reads there", func() {
			x = newStreams(p, s)
			run = runTurns(x)
			proof.Tests += run.reads
		})
		for phase := range s.Phases {
			ask(fmt.Sprintf("phase %d: what is loaded has been stored, and is not stored to before", phase), func() {
				o := order{run, phase, map[[2]chain]int64{}}
				o.check()
			})
		}
		ask("what is not stored is written again", func() { x.EachRow(run.writtenAgain) })
		ask("elements lie within arrays", func() { x.inside() })
	})
}

// decided runs f, and returns what it panics with if that is what it is to say.
func decided(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case undecided:
			err = r
		case wrong:
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// The variables of sets about full turns: those of the pipeline.
var turnVars = struct{ time, column, first, last, beat, at, line affine.Sum }{poly.Out(0), poly.Out(1), poly.Out(2), poly.Out(3), poly.Out(4), poly.Out(5), poly.Out(6)}

// inTurns returns what variables of the pipeline are in sets about full turns, in a warp.
func (x *streams) inTurns(warp int) map[string]affine.Sum {
	at := map[string]affine.Sum{
		x.Vars.Time: turnVars.time, x.Vars.Column: turnVars.column, x.Vars.Beat: turnVars.beat, x.Vars.Warp: affine.Num(int64(warp)), x.Vars.At: turnVars.at,
	}
	if x.Vars.Line != "" {
		at[x.Vars.Line] = turnVars.line
	}
	return at
}

// never fails if there is a full turn with a beat where all of that holds.
func (x *streams) never(what string, where ...poly.Formula) {
	turn := x.inTurns(0)
	turn[x.Vars.Beat], turn[x.Vars.Last] = turnVars.first, turnVars.last
	var full []poly.Formula
	for _, all := range x.Full {
		var rows []poly.Formula
		for _, e := range all {
			sum, ok := e.(affine.Sum)
			if !ok {
				panic(undecided(fmt.Sprintf("a turn is full where %v >= 0", e)))
			}
			rows = append(rows, poly.NotNegative(sum.Subst(turn)))
		}
		full = append(full, poly.And(rows...))
	}
	where = append(where, poly.Or(full...), poly.AtMost(turnVars.first, turnVars.beat), poly.AtMost(turnVars.beat, turnVars.last),
		poly.Equal(turnVars.last, turnVars.first.Add(int64(x.Turn-1))))
	set := poly.NewSet(x.scop.ParamNames(), poly.Tuple{Dims: poly.Dims(7)}, where...).IntersectParams(x.scop.Context)
	x.tests++
	if !set.IsEmpty() {
		panic(wrong(what))
	}
}

// writtenAgain fails if the tile leaves a result in registers that no instance writes again.
func (x *streamRun) writtenAgain(st *gpu.Stage, op gpu.Evaluate, warp int) {
	lo, hi := x.Own(op, warp)
	x.warp = int64(warp)
	p := x.where(op)()
	for k, a := range op.Stmt.Accesses {
		if !a.Write || a.Array.Local {
			continue
		}
		all := true
		for c := lo; c <= hi; c++ {
			_, stored := x.stored[place{op.Stmt, k, x.step(op.Stmt, p), c, p.l}]
			all = all && stored
		}
		if all {
			continue
		}
		writers := x.writers(op.Stmt, a, true, nearest)
		if writers == nil {
			panic(wrong(fmt.Sprintf("what %s writes to %s is not stored, nor written again", op.Stmt.Name, a.Text)))
		}
		w := writers[len(writers)-1]
		later := x.streams.at(turnVars.time.Add(p.t-w.before.t), turnVars.at.Add(-w.before.c),
			turnVars.beat.Add(p.r-x.beat-w.before.r), turnVars.line.Add(p.l-w.before.l))
		x.never(fmt.Sprintf("what %s writes to %s in warp %d need not be written again, and is not stored", op.Stmt.Name, a.Text, warp),
			x.within(lo, hi), poly.Not(x.domain(w.stmt, later)))
	}
}

// within returns that the column is between two of the chain.
func (x *streams) within(lo, hi int64) poly.Formula {
	return poly.And(poly.AtMost(turnVars.column.Add(lo), turnVars.at), poly.AtMost(turnVars.at, turnVars.column.Add(hi)))
}

// inside fails if an element that a full turn touches may lie outside of its array.
func (x *streams) inside() {
	check := func(e gpu.Element, warp int, where poly.Formula) {
		var outside []poly.Formula
		for d, index := range e.Index {
			sum, ok := index.(affine.Sum)
			if !ok {
				if m, is := index.(affine.Mod); is && affine.Same(x.extent(e, d), affine.Num(m.D)) {
					continue
				}
				panic(undecided(fmt.Sprintf("a subscript %v of %s", index, e.Array.Name)))
			}
			sum = sum.Subst(x.inTurns(warp))
			outside = append(outside, poly.Less(sum, affine.Num(0)), poly.AtMost(x.extent(e, d), sum))
		}
		x.never(fmt.Sprintf("%s%v may lie outside of the array, in warp %d", e.Array.Name, e.Index, warp), where, poly.Or(outside...))
	}
	between := func(at affine.Sum, count int, warp int) poly.Formula {
		first := at.Subst(x.inTurns(warp))
		return poly.And(poly.AtMost(first, turnVars.at), poly.Less(turnVars.at, first.Add(int64(count))))
	}
	for _, c := range x.Copies {
		check(c.Element, 0, between(c.First, c.Count, 0))
	}
	for i := range x.Stages {
		st := &x.Stages[i]
		for q := st.First; q < st.First+st.Count; q++ {
			for _, c := range st.Cursors {
				for _, g := range c.Groups {
					if g.Warps.Has(q) {
						check(g.Element, q, between(g.At, g.Count, q))
					}
				}
			}
			for _, op := range st.Beats[0] {
				switch op := op.(type) {
				case gpu.StoreColumn:
					if op.Warps.Has(q) {
						check(op.Element, q, between(op.At, 1, q))
					}
				case gpu.Evaluate:
					for _, o := range op.Operands {
						if o.Element != nil && !op.Border { // all lanes load it
							check(*o.Element, q, between(st.Origin.Plus(affine.Var(x.Vars.Column)), gpu.WarpLanes*x.Columns, q))
						}
					}
				}
			}
		}
	}
}

// extent returns that of a dimension of the array of e.
func (x *streams) extent(e gpu.Element, d int) affine.Sum { return x.scop.Sum(e.Array.Extents[d], nil) }
