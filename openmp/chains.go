package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
)

// This file prints chains that wait for each other: one parallel region around the whole time loop, in which threads take the next
// chain, wait for what it needs as they come to it, and tell others how far they are. No thread waits for all.
//
// A chain that was taken first of those that have not ended waits for none, as what it waits for was taken before it. So it does not
// matter how many threads there are, or whether they run at the same time.

// chainHead declares what chains are made of. How far a chain is counts from a number so low that none of its places is lower. The
// chains that others look at lie on cache lines of their own.
const chainHead = `
struct hexcc_chain {
  long long place; // how far it is: 0 before its first tile
  char apart[56];
};
#define HEXCC_PLACE(at) ((1LL << 61) + (at))
#define HEXCC_ENDED (1LL << 62)
#define HEXCC_MOST_CHAINS (1 << 17) // at the same time: 8 MiB

// Waits until chains are at a place, or have ended.
static void hexcc_await(const struct hexcc_chain *const *before, int count, long long place)
{
  for (int i = 0; i < count; i++)
    for (unsigned look = 0; __atomic_load_n(&before[i]->place, __ATOMIC_ACQUIRE) < place; look++)
      hexcc_rest(look);
}

// Says that a chain is at a place, or has ended.
static __inline void hexcc_signal(struct hexcc_chain *chain, long long place)
{
  __atomic_store_n(&chain->place, place, __ATOMIC_RELEASE);
}
`

// chainTail ends what chainHead begins.
const chainTail = `
#undef HEXCC_PLACE
#undef HEXCC_ENDED
#undef HEXCC_MOST_CHAINS
`

// await prints a wait. Where there is one thread, all that a chain waits for has run before it.
func (r *region) await(n cpu.Await) {
	if r.names.Sequential {
		return
	}
	r.Uses[r.before] = true
	switch {
	case n.Var == "":
		r.Line("hexcc_await(%s, %s, HEXCC_ENDED);", r.before, r.waits)
	case n.Beside != n.Lag:
		r.Line("hexcc_await(%s, %s, HEXCC_PLACE(%s%s));", r.before, r.beside, n.Var, ctext.Plus(n.Beside))
		r.Line("hexcc_await(%s + %s, %s - %s, HEXCC_PLACE(%s%s));", r.before, r.beside, r.waits, r.beside, n.Var, ctext.Plus(n.Lag))
		r.Uses[r.beside] = true
	default:
		r.Line("hexcc_await(%s, %s, HEXCC_PLACE(%s%s));", r.before, r.waits, n.Var, ctext.Plus(n.Lag))
	}
}

// signal prints that the chain is at a place.
func (r *region) signal(n cpu.Signal) {
	if r.names.Sequential {
		return
	}
	r.Line("hexcc_signal(%s, HEXCC_PLACE(%s));", r.mine, n.Var)
	r.Uses[r.mine] = true
}

// chains prints the loop over chains, of time tiles lo to hi.
func (r *region) chains(tiles []tileFunction, lo, hi string) {
	t, tile := r.prog.Names.T, tiles[0].phase.Tile
	first, last, width := r.Fresh(tile+"_first"), r.Fresh(tile+"_last"), r.Fresh("width")
	all, most, begin, taken, k := r.Fresh("chains"), r.Fresh("most"), r.Fresh(t+"_first"), r.Fresh("taken"), r.Fresh("k")
	least, greatest, count, alone, d := r.Fresh("least"), r.Fresh("greatest"), r.Fresh("count"), r.Fresh("alone"), r.Fresh("d")
	phases := len(tiles)
	r.Line("long long %s = HEXCC_ENDED, %s = -HEXCC_ENDED; // places of tiles in all time tiles and phases", first, last)
	r.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", r.Index, t, lo, t, hi, t), func() {
		for _, f := range tiles {
			r.Braces("", func() {
				r.Line("const %v %s = %s, %s = %s;", r.Index, least, r.Expr(f.phase.Lo), greatest, r.Expr(f.phase.Hi))
				r.Line("%s = %s <= %s && %s < %s ? %s : %s;", first, least, greatest, least, first, least, first)
				r.Line("%s = %s <= %s && %s > %s ? %s : %s;", last, least, greatest, greatest, last, greatest, last)
			})
		}
	})
	r.Line("const long long %s = %s - %s + 1;", width, last, first)
	r.Line("if (%s < 1)", width)
	r.Line("  return;")
	r.Line("long long %s = HEXCC_MOST_CHAINS / (%d * %s); // time tiles", most, phases, width)
	r.Line("%s = %s < 1 ? 1 : %s > %s - %s ? %s - %s + 1LL : %s;", most, most, most, hi, lo, hi, lo, most)
	memory := fmt.Sprintf("(struct hexcc_chain *)__builtin_calloc(%s * %d * %s, sizeof *%s)", most, phases, width, all)
	if where := r.enough(r.prog.Grain); where != "" {
		enough := r.Fresh("enough")
		r.Line("const int %s = %s;", enough, where)
		memory = enough + " ? " + memory + " : 0"
	}
	r.Line("struct hexcc_chain *const %s = %s; // without memory, one thread", all, memory)
	r.Line("long long %s = 0;", taken)
	r.pragma(fmt.Sprintf("omp parallel if(%s != 0)", all))
	r.Braces(fmt.Sprintf("for (long long %s = %s; %s <= %s; %s += %s)", begin, lo, begin, hi, begin, most), func() {
		r.Line("const long long %s = (%s - %s < %s ? %s - %s + 1 : %s) * %d * %s;", count, hi, begin, most, hi, begin, most, phases, width)
		r.Braces(fmt.Sprintf("for (long long %s; (%s = __atomic_fetch_add(&%s, 1, __ATOMIC_RELAXED)) < %s;)", k, k, taken, count), func() {
			r.Line("const %v %s = (%v)(%s + %s / (%d * %s)), %s = (%v)(%s + %s %% %s);", r.Index, t, r.Index, begin, k, phases, width, tile, r.Index, first, k, width)
			r.Line("struct hexcc_chain %s, *const %s = %s ? %s + %s : &%s;", alone, r.mine, all, all, k, alone)
			r.Line("const struct hexcc_chain *%s[%d];", r.before, r.mostBefore())
			r.Line("int %s = 0;", r.waits)
			besides := slices.ContainsFunc(tiles, func(f tileFunction) bool { return slices.Contains(f.args, r.beside) })
			if besides {
				r.Line("int %s = 0; // whether the first of these is the one beside it", r.beside)
			}
			r.Line("switch (%s / %s %% %d) {", k, width, phases)
			for i, f := range tiles {
				w := r.prog.Chains.Steps[i]
				r.Line("case %d:", i)
				r.Depth++
				since := begin
				if w.Time > 0 {
					since += ctext.Plus(w.Time)
				}
				if r.prog.Chains.Along {
					r.Line("if (%s && %s > %s)", all, tile, first)
					r.Line("  %s[%s++] = %s - 1;", r.before, r.waits, r.mine)
					if besides {
						r.Line("%s = %s;", r.beside, r.waits)
					}
				}
				r.Line("for (int %s = %d; %s <= %d; %s++)", d, w.Lo[0], d, w.Hi[0], d)
				r.Line("  if (%s && %s >= %s && %s - %s >= %s && %s - %s <= %s)", all, t, since, tile, d, first, tile, d, last)
				r.Line("    %s[%s++] = %s - %s - %s;", r.before, r.waits, r.mine, width, d)
				r.chainOf(f)
				r.Line("break;")
				r.Depth--
			}
			r.Line("}")
			r.Line("hexcc_await(%s, %s, HEXCC_ENDED);", r.before, r.waits)
			r.Line("hexcc_signal(%s, HEXCC_ENDED);", r.mine)
		})
		r.Braces(fmt.Sprintf("if (%s <= %s - %s)", most, hi, lo), func() {
			r.pragma("omp barrier")
			r.pragma("omp single")
			r.Braces("", func() {
				r.Line("for (long long %s = 0; %s < %s * %d * %s; %s++)", k, k, most, phases, width, k)
				r.Line("  %s[%s].place = 0;", all, k)
				r.Line("%s = 0;", taken)
			})
		})
	})
	r.Line("__builtin_free(%s);", all)
}

// mostBefore returns how many chains one waits for at most.
func (r *region) mostBefore() (most int64) {
	for _, w := range r.prog.Chains.Steps {
		most = max(most, w.Hi[0]-w.Lo[0]+1)
	}
	if r.prog.Chains.Along {
		most++
	}
	return most
}

// chainOf prints the call of the tiles of a chain, or, if it has none, how it tells others how far what it waits for is.
func (r *region) chainOf(f tileFunction) {
	for _, name := range f.args {
		r.Uses[name] = true
	}
	r.Line("if (%s <= %s && %s <= %s)", r.Expr(f.phase.Lo), f.phase.Tile, f.phase.Tile, r.Expr(f.phase.Hi))
	r.Line("  %s(%s);", f.name, strings.Join(f.args, ", "))
	if pass := f.phase.PassOn(); pass != nil && !r.names.Sequential {
		r.Braces("else", func() { r.nodes(pass) })
	}
}
