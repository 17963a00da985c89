package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/gpu"
)

// This file lowers what differs between chains: numbers in a header of shared memory, which say where a chain is, and which ones it waits for.
//
// A chain waits for those of a phase before: one behind the other, as chains are numbered. In three dimensions they are several such rows, which
// lie as far apart as there are strips; and it waits for the strip before it, of its own phase:
//
//	[T, 1, S0, S1] waits for [T, 0, S0..S0 + 1, S1..S1 + 1], 3 ahead along S2    fromWord..toWord, and rowsWord rows behind them; lagWord
//	[T, 1, S0, S1] waits for [T, 1, S0, S1 - 1], 0 ahead along S2                beforeWord; behindWord

// The header of shared memory: numbers of 64 bits.
const (
	numberWord = iota // of the chain
	fromWord          // the first chain that it waits for
	toWord            // the last one, of the same row
	timeWord          // Stream.Time, Column, Lo, Hi and Lag
	columnWord
	loWord
	hiWord
	lagWord
	planeWords // in two dimensions these are all
)

// What the header has besides in three dimensions.
const (
	rowsWord = planeWords + iota // how many rows of chains that it waits for lie behind the first one
	lineWord                     // Stream.Line and Behind
	behindWord
	beforeWord // the strip before, -1: there is none
	volumeWords
)

// headerWords returns how many words the header has: an even number, since what lies behind begins at a multiple of 16 bytes.
func headerWords(p *gpu.Pipeline) int64 {
	if p.Vars.Line != "" {
		return volumeWords
	}
	return planeWords
}

// lined reports whether warps hold several lines of a row: in three dimensions.
func (s *stream) lined() bool { return s.pipe.Vars.Line != "" }

// head has the first thread put the numbers of a chain of k into the header.
func (s *stream) head(k *gpu.Kernel) {
	f := s.function
	if axes := len(k.Grid); axes != 1 && !s.lined() || axes != 2 && s.lined() {
		panic(fmt.Sprintf("ptx: chains of %d dimensions stream", axes))
	}
	f.branch(f.chain.first, func() {
		f.bindChain(k)
		body, _ := k.Stream()
		f.inLong(func() {
			var inside value.Value = constant.True
			for _, x := range k.Grid {
				at := f.variable(x.Var)
				from := f.block.NewICmp(enum.IPredSLE, f.expr(x.Lo), at)
				inside = f.block.NewAnd(inside, f.block.NewAnd(from, f.block.NewICmp(enum.IPredSLE, at, f.expr(x.Hi))))
			}
			s.setWord(timeWord, f.expr(body.Time))
			s.setWord(columnWord, f.expr(body.Column))
			s.setWord(loWord, f.block.NewSelect(inside, f.expr(body.Lo), f.num(1)))
			s.setWord(hiWord, f.block.NewSelect(inside, f.expr(body.Hi), f.num(0)))
			s.setWord(lagWord, f.num(body.Lag))
			s.headWaits(k)
			if s.lined() {
				s.setWord(lineWord, f.expr(body.Line))
				s.setWord(behindWord, f.num(body.Behind))
				s.headBefore(k)
			}
			f.branch(inside, func() {}, func() { s.passOn(body) })
		})
	}, nil)
}

// passOn has the first thread wait and signal for a chain that has no tiles.
func (s *stream) passOn(body gpu.Stream) {
	f, every := s.function, int64(s.pipe.Every)
	f.loop("pass.on", f.expr(body.Lo), f.expr(body.Hi), every, false, func() {
		here := f.add64(f.wide(f.variable("pass.on")), atPlace)
		s.awaitAll(func(ahead int) value.Value { return f.block.NewAdd(here, s.word(ahead)) })
		s.signalPlace(f.add64(here, every-1))
	})
}

// headWaits notes which chains of a phase before that of k a chain waits for: those of the launch.
func (s *stream) headWaits(k *gpu.Kernel) {
	f, w, axes := s.function, s.chain.waits[k.Phase], len(k.Grid)
	level := f.level(w.From, w.Time)
	none := f.block.NewICmp(enum.IPredSLT, level, f.num(0))
	from, to := make([]value.Value, axes), make([]value.Value, axes)
	for axis := range axes {
		i := axes - 1 - axis
		here, last := f.here(axis), f.sub(f.order(widthField+axis), f.num(1))
		from[axis] = f.greatest(f.sub(here, f.num(w.Hi[i])), f.num(0))
		to[axis] = f.least(f.sub(here, f.num(w.Lo[i])), last)
	}
	// more is how many chains, or rows, lie behind the first one along an axis.
	more := func(axis int) value.Value { return f.block.NewSelect(none, f.num(-1), f.sub(to[axis], from[axis])) }
	first := f.numbered(level, from)
	s.setWord(fromWord, first)
	s.setWord(toWord, f.add(first, more(0)))
	if s.lined() {
		s.setWord(rowsWord, more(1))
	}
}

// headBefore notes the strip before that of a chain of k, if it waits for that.
func (s *stream) headBefore(k *gpu.Kernel) {
	f := s.function
	before := value.Value(f.num(-1))
	if f.prog.Chains.Along {
		at := []value.Value{f.sub(f.here(0), f.num(1)), f.here(1)}
		some := f.block.NewICmp(enum.IPredSGE, at[0], f.num(0))
		before = f.block.NewSelect(some, f.numbered(f.level(k.Phase, 0), at), before)
	}
	s.setWord(beforeWord, before)
}

// chainVars binds what tells where the chain is.
func (s *stream) chainVars() map[string]value.Value {
	v := s.pipe.Vars
	vars := map[string]value.Value{v.Time: s.short(timeWord), v.Column: s.short(columnWord)}
	if s.lined() {
		vars[v.Line] = s.short(lineWord)
	}
	return vars
}

// word returns a number of the header.
func (s *stream) word(i int) value.Value {
	return s.block.NewLoad(types.I64, s.inShared(int64(8*i), types.I64))
}

func (s *stream) setWord(i int, v value.Value) {
	s.block.NewStore(v, s.inShared(int64(8*i), types.I64))
}

// short returns a number of the header with the type of indices.
func (s *stream) short(i int) value.Value {
	v := s.word(i)
	if s.index.BitSize == 64 {
		return v
	}
	return s.block.NewTrunc(v, s.index)
}

// awaitAll has the first thread wait until all chains that the chain waits for are at a place: by the word of the header that says how far ahead.
func (s *stream) awaitAll(place func(ahead int) value.Value) {
	f := s.function
	f.inLong(func() {
		row := func(apart value.Value) {
			from, to := f.add(s.word(fromWord), apart), f.add(s.word(toWord), apart)
			at := place(lagWord)
			f.loop("wait.x", from, to, 1, false, func() { f.poll(f.flag(f.variable("wait.x")), at) })
		}
		if !s.lined() {
			row(f.num(0))
			return
		}
		f.loop("wait.y", f.num(0), s.word(rowsWord), 1, false, func() { row(f.mul(f.variable("wait.y"), f.order(widthField))) })
		before := s.word(beforeWord)
		f.branch(f.block.NewICmp(enum.IPredSGE, before, f.num(0)), func() { f.poll(f.flag(before), place(behindWord)) }, nil)
	})
}

// signalPlace has the first thread say that the chain is at a place.
func (s *stream) signalPlace(place value.Value) {
	s.call("st.release.gpu.global.s64 [$0], $1;", "l,l", types.Void, s.flag(s.word(numberWord)), place)
}

// end ends a chain, once those have ended that it waits for.
func (s *stream) end() {
	s.barrier()
	s.branch(s.chain.first, func() {
		s.awaitAll(func(int) value.Value { return constant.NewInt(types.I64, ended) })
		s.signalPlace(constant.NewInt(types.I64, ended))
	}, nil)
}
