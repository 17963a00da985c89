package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/cpu"
)

// This file prints what a rank of a grid runs: of each phase batches of tiles, one after the other; before a batch it waits for the rank before it in its chain; it sends what lies
// at its lower border along S1 down as soon as the tiles that compute it have run, and behind the batch what lies at its upper border up. The tile at the side where rows of ranks send strips runs first: when what the rank behind sends down of it has come, strips are sent, while others run. What
// comes down of others is awaited where tiles of the next phase need it.

// limit lets tiles run the turns of the loop along S1 that a rank has.
func (m *mpi) limit() {
	m.from, m.to = m.Fresh("hexcc_from"), m.Fresh("hexcc_to")
	m.Vars[m.from], m.Vars[m.to] = true, true
	m.prog = cpu.Between(m.prog, m.from, m.to)
	m.common = m.prog.Common()
}

// second returns the dimension of array i that columns of ranks share out, -1 if none do.
func (m *mpi) second(i int) int {
	if g := m.ranks.Plan.Grid; g != nil {
		return g.Arrays[i].Dim
	}
	return -1
}

// ownRows prints what boxes need to know of array i: d and d1 are its dimensions that are shared out.
func (m *mpi) ownRows(i, d, d1 int) {
	n, side := len(m.Scop.Arrays), m.ranks.Plan.Grid.Arrays[i]
	m.Line("hexcc_r.rows[%d] = hexcc_part.count[%d];", n+i, d1)
	m.Line("hexcc_r.rows[%d] = hexcc_most(0, hexcc_part.own_first[%d] - (hexcc_r.column > 0 ? %d : 0));", 2*n+i, d1, -side.Lo)
	m.Line("hexcc_r.rows[%d] = hexcc_least(hexcc_part.extent[%d], hexcc_part.own_first[%d] + hexcc_part.own_count[%d] + (hexcc_r.column < hexcc_r.columns - 1 ? %d : 0)) - 1;", 3*n+i, d1, d1, d1, side.Hi)
	m.Line("hexcc_r.rows[%d] = hexcc_part.own_first[%d], hexcc_r.rows[%d] = hexcc_part.own_count[%d];", 4*n+i, d, 5*n+i, d)
}

// openChain prints what makes room for the messages of the chain, for time tiles from lo to hi, and exchanges what ranks of a row have.
func (m *mpi) openChain(lo, hi string) {
	name, t := m.ranks.Name, m.prog.Names.T
	m.Line("long long (*hexcc_room)[2][2] = 0; // by batch, way and whether it is received: the bytes that its messages have at most")
	m.Line("const %v %s = (%v)hexcc_r.begin1, %s = (%v)(hexcc_r.end1 - 1);", m.Index, m.from, m.Index, m.to, m.Index)
	m.Line("(void)%s, (void)%s;", m.from, m.to)
	m.Line("int hexcc_threads = 1;")
	m.Raw("#ifdef _OPENMP\n")
	m.Line("hexcc_threads = omp_get_max_threads();")
	m.Raw("#endif\n")
	m.Line("MPI_Allreduce(MPI_IN_PLACE, &hexcc_threads, 1, MPI_INT, MPI_MIN, hexcc_own);")
	m.Line("hexcc_r.batch = hexcc_threads, hexcc_r.batches = (int)((hexcc_r.end - hexcc_r.begin + hexcc_threads - 1) / hexcc_threads);")
	m.Line("hexcc_r.links = (struct hexcc_message (*)[2][2])calloc(2 * (size_t)hexcc_r.batches, sizeof *hexcc_r.links);")
	m.Line("hexcc_r.arrived = (char *)calloc(4 * (size_t)hexcc_r.batches, 1);")
	m.Line("hexcc_room = (long long (*)[2][2])calloc((size_t)hexcc_r.batches, sizeof *hexcc_room);")
	m.Line("hexcc_failed |= hexcc_any(hexcc_own, !hexcc_r.links || !hexcc_r.arrived || !hexcc_room);")
	m.Braces(fmt.Sprintf("for (%v %s = %s; !hexcc_failed && hexcc_r.columns > 1 && %s <= %s; %s++)", m.Index, t, lo, t, hi, t), func() {
		for i, ph := range m.prog.Phases {
			m.Braces("", func() {
				m.interval(tileFunction{phase: ph})
				m.Line("for (int hexcc_b = 0; hexcc_b * hexcc_r.batch < hexcc_count; hexcc_b++)")
				m.Line("  for (int hexcc_way = 0; hexcc_way < 2; hexcc_way++)")
				m.Line("    for (int hexcc_receives = 0; hexcc_receives < 2; hexcc_receives++)")
				m.Line("      hexcc_room[hexcc_b][hexcc_way][hexcc_receives] = hexcc_most(hexcc_room[hexcc_b][hexcc_way][hexcc_receives],")
				m.Line("          %s_batch_bytes(&hexcc_r, %d + hexcc_way, hexcc_receives, %s, hexcc_first, hexcc_last, hexcc_b, HEXCC_COUNT, 0));", name, 2*i, t)
			})
		}
	})
	m.Line("for (int hexcc_b = 0; !hexcc_failed && hexcc_b < hexcc_r.batches; hexcc_b++)")
	m.Line("  hexcc_failed |= %s_batch_open(&hexcc_r, hexcc_own, hexcc_b, (const long long (*)[2])hexcc_room[hexcc_b]);", name)
	m.Line("free(hexcc_room);")
	m.Line("hexcc_failed = hexcc_any(hexcc_own, hexcc_failed);")
	m.Line("if (!hexcc_failed && hexcc_r.columns > 1)")
	m.Line("  hexcc_failed = hexcc_any(hexcc_own, %s_exchange_row(&hexcc_r, hexcc_own));", name)
}

// closeChain prints what ends the messages of the chain.
func (m *mpi) closeChain() {
	m.Line("for (int hexcc_turn = 0; !hexcc_failed && hexcc_turn < 2; hexcc_turn++)")
	m.Line("  %s_arrive_all(&hexcc_r, hexcc_turn);", m.ranks.Name)
	m.Line("for (int hexcc_b = 0; hexcc_r.links && hexcc_b < 8 * hexcc_r.batches; hexcc_b++)")
	m.Line("  if (hexcc_r.links[hexcc_b / 4][hexcc_b / 2 %% 2][hexcc_b %% 2].buffer)")
	m.Line("    hexcc_message_close(&hexcc_r.links[hexcc_b / 4][hexcc_b / 2 %% 2][hexcc_b %% 2]);")
	m.Line("free(hexcc_r.links);")
	m.Line("free(hexcc_r.arrived);")
}

// phasesOfGrid prints the phases of a time tile: of a grid of one column as they are of ranks in a row.
func (m *mpi) phasesOfGrid(tiles []tileFunction) {
	m.Braces("if (hexcc_r.columns == 1)", func() {
		for i, f := range tiles {
			m.ofPhase(i+1, f, "")
		}
		m.Line("continue;")
	})
	for i, f := range tiles {
		m.ofChain(i+1, f)
	}
}

// ofChain prints a phase in which ranks are chains, after which come the messages of a number.
func (m *mpi) ofChain(number int, f tileFunction) {
	name, t, tile := m.ranks.Name, m.prog.Names.T, f.phase.Tile
	m.Line("// phase %d, in chains", f.phase.Number)
	m.Braces("", func() {
		m.interval(f)
		m.Line("%s_expect(&hexcc_r, %d, %s);", name, number, t)
		m.Line("%s_begin_phase(&hexcc_r, %d, %s, hexcc_first, hexcc_count);", name, number-1, t)
		m.Line("const %v hexcc_near = hexcc_r.column > 0 ? (%v)hexcc_least(%s, %s + %d) : %s; // what goes down is of the tiles up to there", m.Index, m.Index, m.to, m.from, m.ranks.Plan.Grid.Near-1, m.to)
		m.Line("int hexcc_sent = 0;")
		m.Braces("for (int hexcc_b = 0; hexcc_b * hexcc_r.batch < hexcc_count; hexcc_b++)", func() {
			m.Line("const long long hexcc_end = hexcc_least(hexcc_count, (hexcc_b + 1) * hexcc_r.batch);")
			m.Line("%s_need(&hexcc_r, hexcc_b);", name)
			run := func(from, to string) {
				args := strings.NewReplacer(m.from, from, m.to, to)
				m.pragma("omp parallel for schedule(dynamic, 1) if(hexcc_end - hexcc_b * hexcc_r.batch > 1)")
				m.Braces("for (long long hexcc_k = hexcc_b * hexcc_r.batch; hexcc_k < hexcc_end; hexcc_k++)", func() {
					m.Line("const %v %s = (%v)%s_tile(%d, hexcc_first, hexcc_last, hexcc_k);", m.Index, tile, m.Index, name, number-1)
					m.Line("%s(%s);", f.name, args.Replace(strings.Join(f.args, ", ")))
				})
			}
			run(m.from, "hexcc_near")
			m.Line("%s_link(&hexcc_r, hexcc_b, 1, 0);", name)
			m.Braces(fmt.Sprintf("if (hexcc_near < %s)", m.to), func() { run("hexcc_near + 1", m.to) })
			m.Line("%s_link(&hexcc_r, hexcc_b, 0, 0);", name)
			m.Braces(fmt.Sprintf("if (!hexcc_sent && %s_arrive(&hexcc_r, hexcc_r.turn, 0, 1, 0))", name), func() {
				m.send(number)
				m.Line("hexcc_sent = 1;")
			})
			m.Line("%s_progress(&hexcc_r, %d);", name, number)
		})
		m.Braces("if (!hexcc_sent)", func() {
			m.Line("if (hexcc_count > 0)")
			m.Line("  %s_arrive(&hexcc_r, hexcc_r.turn, 0, 1, 1);", name)
			m.send(number)
		})
		m.receive(number)
	})
}
