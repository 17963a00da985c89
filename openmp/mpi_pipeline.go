package openmp

import (
	"strings"
)

// This file prints what a rank of a pipeline runs of a time tile: two tiles for each thread at once, or with one thread one after the other, each one turn behind the one before, from its first tile on to its last one. Before these it waits for what the
// first tile needs of the rank below, and the last one of the rank above; behind them, it sends what these have written (ranks/pipeline.go). Nothing else is waited for, so that the next rank begins when each tile of this one
// has had its first turn, and each goes on to the next time tile by itself.

// inTurns prints a time tile, the first of which is lo.
func (m *mpi) inTurns(f tileFunction, lo string) {
	for _, name := range f.args {
		m.Uses[name] = true
	}
	name, t, tile := m.ranks.Name, m.prog.Names.T, f.phase.Tile
	m.Line("const long long hexcc_begin = hexcc_r.rank > 0 ? hexcc_r.begin : hexcc_least(hexcc_lo, hexcc_r.end - 1); // in a loop that ranks run the first and the last one have all that lies beyond")
	m.Line("const long long hexcc_end = hexcc_r.rank < hexcc_r.size - 1 ? hexcc_r.end : hexcc_most(hexcc_hi + 1, hexcc_begin + 1);")
	m.Line("const long long hexcc_turns = hexcc_r.last_turn - hexcc_r.turn + 1, hexcc_tiles = hexcc_end - hexcc_begin;")
	m.Line("const long long hexcc_tile_lo = %s, hexcc_tile_hi = %s;", m.Expr(f.phase.Lo), m.Expr(f.phase.Hi))
	m.Line("long long hexcc_apart = hexcc_tiles; // so far apart are tiles that run at once: of several threads, two for each")
	m.Raw("#ifdef _OPENMP\n")
	m.Line("if (omp_get_max_threads() > 1)")
	m.Line("  hexcc_apart = (hexcc_tiles + 2 * omp_get_max_threads() - 1) / (2 * omp_get_max_threads());")
	m.Raw("#endif\n")
	m.Line("%s_turns_expect(&hexcc_r, 0, %s);", name, t)
	m.Line("if (%s > %s)", t, lo)
	m.Line("  %s_turns_expect(&hexcc_r, 1, %s - 1);", name, t)
	m.Braces("for (long long hexcc_d = 0; hexcc_d < hexcc_tiles + (hexcc_turns - 1) * hexcc_apart; hexcc_d++)", func() {
		m.Line("const long long hexcc_behind = hexcc_d - (hexcc_tiles - 1), hexcc_below = hexcc_r.turn + hexcc_d / hexcc_apart, hexcc_above = hexcc_r.turn + hexcc_behind / hexcc_apart; // turns of the first and the last tile")
		m.Line("%s_turns_arrive(&hexcc_r, 0, %s, hexcc_below);", name, t)
		m.Line("if (%s > %s && hexcc_behind >= 0)", t, lo)
		m.Line("  %s_turns_arrive(&hexcc_r, 1, %s - 1, hexcc_above + %d);", name, t, m.ranks.Plan.Pipeline.Lag)
		m.Line("const long long hexcc_first = hexcc_most(0, hexcc_below - hexcc_r.last_turn), hexcc_last = hexcc_least(hexcc_tiles - 1, hexcc_d) / hexcc_apart;")
		m.pragma("omp parallel for schedule(dynamic, 1) if(hexcc_first < hexcc_last)")
		m.Braces("for (long long hexcc_k = hexcc_first; hexcc_k <= hexcc_last; hexcc_k++)", func() {
			m.Line("const %v %s = (%v)(hexcc_begin + hexcc_d %% hexcc_apart + hexcc_k * hexcc_apart);", m.Index, tile, m.Index)
			if m.from != "" {
				m.Line("const %v %s = (%v)(hexcc_below - hexcc_k), %s = %s; // its turn", m.Index, m.from, m.Index, m.to, m.from)
			}
			m.Line("if (%[1]s >= hexcc_tile_lo && %[1]s <= hexcc_tile_hi && %[1]s < hexcc_end)", tile)
			m.Line("  %s(%s);", f.name, strings.Join(f.args, ", "))
		})
		m.Line("if (hexcc_d %% hexcc_apart == 0)")
		m.Line("  %s_turn_send(&hexcc_r, 1, %s, hexcc_below);", name, t)
		m.Line("if (hexcc_behind >= 0 && hexcc_behind %% hexcc_apart == 0)")
		m.Line("  %s_turn_send(&hexcc_r, 0, %s, hexcc_above);", name, t)
		m.Line("%s_turns_progress(&hexcc_r);", name)
	})
}

// lastDown prints what waits for what comes down of the last time tile, which is what the program leaves in elements of the rank.
func (m *mpi) lastDown(hi string) {
	m.Line("%s_turns_expect(&hexcc_r, 1, %s);", m.ranks.Name, hi)
	m.Line("%s_turns_arrive(&hexcc_r, 1, %s, hexcc_r.last_turn);", m.ranks.Name, hi)
}
