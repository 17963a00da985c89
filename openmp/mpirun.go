package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints what a rank runs: the phases of time tiles, each with the tiles that it owns, those at its sides first; what these have computed is
// sent while the others run, and what neighbours send is awaited where the phase ends.

// run prints the function of the region.
func (m *mpi) run(tiles []tileFunction) string {
	var b strings.Builder
	b.WriteString(m.body(tiles))
	var decls []string
	for _, f := range m.ranks.Formals() {
		decls = append(decls, f.Decl)
	}
	fmt.Fprintf(&b, "int %s(MPI_Comm hexcc_comm, %s)\n{\n  return %s_run(hexcc_comm, %s);\n}\n", m.ranks.Name, strings.Join(decls, ", "), m.ranks.Name, strings.Join(m.ranks.InOrder(), ", "))
	return b.String()
}

// body prints the function that runs the phases.
func (m *mpi) body(tiles []tileFunction) string {
	m.begin()
	p := m.Scop
	passed := m.ranks.Passed()
	m.Line("struct %s_state hexcc_r;", m.ranks.Name)
	m.Line("MPI_Comm hexcc_own;")
	m.Line("int hexcc_level;")
	m.Raw("#ifdef _OPENMP\n")
	m.Line("MPI_Query_thread(&hexcc_level);")
	m.Line("if (hexcc_any(hexcc_comm, omp_get_max_threads() > 1 && hexcc_level < MPI_THREAD_FUNNELED))")
	m.Line(`  return hexcc_wrong(hexcc_comm, "%s", "several threads need MPI_Init_thread with MPI_THREAD_FUNNELED, or OMP_NUM_THREADS=1");`, m.ranks.Name)
	m.Raw("#endif\n")
	m.Line("(void)hexcc_level;")
	m.ranks.Start()
	given := func(a scop.Object) string { return m.Outer[a.Name()] }
	m.ranks.Given(given)
	m.ranks.Walls(given)
	m.Line("hexcc_mpi_part hexcc_part;")
	object := 0
	for i, a := range p.Arrays {
		dim := m.ranks.Plan.Arrays[i].Dim
		if dim >= 0 {
			d := dim - len(a.Extents) + len(a.ObjectExtents())
			m.Line("%s_part_of(%s, %s%d, &hexcc_part);", m.ranks.Name, m.ranks.RankAndSize(), passed, i)
			m.Line("hexcc_r.rows[%d] = hexcc_part.count[%d];", i, d)
			offset := fmt.Sprintf("hexcc_part.first[%d] * %s", d, m.stride(a, dim))
			if second := m.second(i); second >= 0 {
				d1 := second - len(a.Extents) + len(a.ObjectExtents())
				m.ownRows(i, d, d1)
				offset += fmt.Sprintf(" + hexcc_part.first[%d] * %s", d1, m.stride(a, second))
			}
			for _, l := range m.local[a] {
				m.Line("const %v %s = (%v)hexcc_part.count[%d];", m.Index, l.name, m.Index, l.dim-len(a.Extents)+len(a.ObjectExtents()))
				m.Line("(void)%s;", l.name)
			}
			for _, o := range a.Objects() {
				name := m.Outer[o.Name]
				m.Line("%s = (%s*)((uintptr_t)%s - (uintptr_t)(%s));", name, ctext.Pointed(a), name, offset) // a ring begins at 0
			}
		}
		for _, o := range a.Objects() {
			m.Line("hexcc_r.arrays[%d] = (char *)%s;", object, m.Outer[o.Name])
			object++
		}
	}
	lo, hi := m.timeTilesOfRanks()
	m.Line("MPI_Comm_dup(hexcc_comm, &hexcc_own);")
	m.Line("int hexcc_failed = hexcc_any(hexcc_own, %s_open(&hexcc_r, hexcc_own, %s, %s));", m.ranks.Name, lo, hi)
	if m.ranks.Plan.Grid != nil {
		m.openChain(lo, hi)
	}
	if m.ranks.Plan.Pipeline != nil {
		m.Line("hexcc_failed = hexcc_any(hexcc_own, hexcc_failed | %s_turns_open(&hexcc_r, hexcc_own));", m.ranks.Name)
	}
	m.onRanks(tiles, lo, hi)
	if m.ranks.Plan.Grid != nil {
		m.closeChain()
	}
	if m.ranks.Plan.Pipeline != nil {
		m.Line("%s_turns_close(&hexcc_r);", m.ranks.Name)
	}
	m.Line("MPI_Comm_free(&hexcc_own);")
	m.Line(`return hexcc_failed ? hexcc_wrong(hexcc_comm, "%s", "no memory for messages, or one of more than 2 GiB") : 0;`, m.ranks.Name)
	body := m.end()
	m.Line("static int %s_run(MPI_Comm hexcc_comm, %s)", m.ranks.Name, m.formals())
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	return m.Take()
}

// timeTilesOfRanks declares the first and the last time tile, and returns their names.
func (m *mpi) timeTilesOfRanks() (lo, hi string) {
	t := m.prog.Names.T
	lo, hi = m.Fresh(t+"_lo"), m.Fresh(t+"_hi")
	m.Line("const %v %s = %s, %s = %s; // time tiles", m.Index, lo, m.Expr(m.prog.TLo), hi, m.Expr(m.prog.THi))
	return lo, hi
}

// onRanks prints what a rank runs unless hexcc_failed, and ends its messages.
func (m *mpi) onRanks(tiles []tileFunction, lo, hi string) {
	t, host := m.prog.Names.T, m.ranks.InHost()
	m.Braces("if (!hexcc_failed)", func() {
		if host {
			m.ranks.Numbered()
			m.ranks.Has()
		}
		m.Line("%s_expect(&hexcc_r, 0, %s);", m.ranks.Name, lo)
		m.Line("%s_pack(&hexcc_r, 0, %s);", m.ranks.Name, lo)
		m.Line("%s_send(&hexcc_r, 0);", m.ranks.Name)
		if !m.ranks.Overlaps() {
			m.Line("%s_await(&hexcc_r, 0);", m.ranks.Name)
			m.Line("%s_unpack(&hexcc_r, 0, %s);", m.ranks.Name, lo)
		}
		m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, t, lo, t, hi, t), func() {
			if m.ranks.Plan.Pipeline != nil {
				m.inTurns(tiles[0], lo)
				return
			}
			if m.ranks.Plan.Grid != nil {
				m.phasesOfGrid(tiles)
				return
			}
			for i, f := range tiles {
				m.ofPhase(i+1, f, lo)
			}
		})
		if m.ranks.Plan.Pipeline != nil {
			m.lastDown(hi)
		}
		if host {
			m.ranks.Sent()
			m.ranks.Wrote()
		}
	})
	if host {
		return
	}
	m.Line("for (int hexcc_which = 0; hexcc_which < %d; hexcc_which++) {", len(m.ranks.Plan.Messages()))
	m.Line("  hexcc_message_close(&hexcc_r.send[hexcc_which]);")
	m.Line("  hexcc_message_close(&hexcc_r.receive[hexcc_which]);")
	m.Line("}")
}

// formals returns the declarations of what the function that runs is passed.
func (m *mpi) formals() string {
	p := m.Scop
	var decls []string
	for _, q := range p.Params {
		decls = append(decls, fmt.Sprintf("%v %s", m.Index, m.Outer[q.Name]))
	}
	for _, q := range p.Scalars {
		decls = append(decls, fmt.Sprintf("%v %s", q.Type, m.Outer[q.Name]))
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			decls = append(decls, fmt.Sprintf("%s*%s", ctext.Pointed(a), m.Outer[o.Name]))
		}
	}
	return strings.Join(decls, ", ")
}

// ofPhase prints a phase, after which come the messages of a number; lo is the first time tile.
func (m *mpi) ofPhase(number int, f tileFunction, lo string) {
	for _, name := range f.args {
		m.Uses[name] = true
	}
	t, tile := m.prog.Names.T, f.phase.Tile
	m.Line("// phase %d", f.phase.Number)
	m.Braces("", func() {
		m.interval(f)
		m.Line("long long hexcc_next = 0, hexcc_sides = 0; // the next tile; those at the sides that have run")
		m.Line("int hexcc_sent = 0;")
		m.Line("%s_expect(&hexcc_r, %d, %s);", m.ranks.Name, number, t)
		count := "hexcc_count"
		if number == 1 && m.ranks.Overlaps() {
			count = "hexcc_rest"
			m.meanwhile(f, lo)
		}
		m.pragma("omp parallel if(" + count + " > 1)")
		m.Braces("for (long long hexcc_k; (hexcc_k = __atomic_fetch_add(&hexcc_next, 1, __ATOMIC_RELAXED)) < "+count+";)", func() {
			m.Line("const %v %s = (%v)(hexcc_k == 0 ? hexcc_first : hexcc_k == 1 ? hexcc_last : hexcc_first + hexcc_k - 1);", m.Index, tile, m.Index)
			m.Line("%s(%s);", f.name, strings.Join(f.args, ", "))
			m.Line("if (hexcc_k < 2)")
			m.Line("  __atomic_fetch_add(&hexcc_sides, 1, __ATOMIC_RELEASE);")
			m.pragma("omp master")
			m.Braces("", func() {
				m.Braces("if (!hexcc_sent && __atomic_load_n(&hexcc_sides, __ATOMIC_ACQUIRE) == hexcc_least(2, hexcc_count))", func() {
					m.send(number)
					m.Line("hexcc_sent = 1;")
				})
				m.Line("%s_progress(&hexcc_r, %d);", m.ranks.Name, number)
			})
		})
		m.Braces("if (!hexcc_sent)", func() { m.send(number) })
		m.receive(number)
	})
}

// meanwhile prints what runs while the messages of before the first phase travel: the tiles that are neither the first nor the last one of the rank, which touch nothing of what arrives; hexcc_rest is how many are left.
func (m *mpi) meanwhile(f tileFunction, lo string) {
	t, tile := m.prog.Names.T, f.phase.Tile
	m.Line("long long hexcc_rest = hexcc_count;")
	m.Braces(fmt.Sprintf("if (%s == %s)", t, lo), func() {
		m.Line("long long hexcc_inside = 0;")
		m.Line("hexcc_rest = hexcc_least(2, hexcc_count);")
		m.pragma("omp parallel if(hexcc_count > 3)")
		m.Braces("for (long long hexcc_k; (hexcc_k = __atomic_fetch_add(&hexcc_inside, 1, __ATOMIC_RELAXED)) < hexcc_count - 2;)", func() {
			m.Line("const %v %s = (%v)(hexcc_first + 1 + hexcc_k);", m.Index, tile, m.Index)
			m.Line("%s(%s);", f.name, strings.Join(f.args, ", "))
			m.pragma("omp master")
			m.Line("%s_progress(&hexcc_r, 0);", m.ranks.Name)
		})
		m.Line("%s_await(&hexcc_r, 0);", m.ranks.Name)
		m.Line("%s_unpack(&hexcc_r, 0, %s);", m.ranks.Name, t)
	})
}

// send prints what sends the messages of a number, and receive what waits for those of others.
func (m *mpi) send(number int) {
	m.Line("%s_pack(&hexcc_r, %d, %s);", m.ranks.Name, number, m.prog.Names.T)
	m.Line("%s_send(&hexcc_r, %d);", m.ranks.Name, number)
}

func (m *mpi) receive(number int) {
	m.Line("%s_await(&hexcc_r, %d);", m.ranks.Name, number)
	m.Line("%s_unpack(&hexcc_r, %d, %s);", m.ranks.Name, number, m.prog.Names.T)
}

// interval prints which tiles of a phase a rank has, and how many.
func (m *mpi) interval(f tileFunction) {
	m.Line("const long long hexcc_first = hexcc_most(%s, hexcc_r.begin), hexcc_last = hexcc_least(%s, hexcc_r.end - 1);", m.Expr(f.phase.Lo), m.Expr(f.phase.Hi))
	work := "1"
	if f.phase.Work != nil {
		work = m.Work(f.phase.Work)
	}
	m.Line("const long long hexcc_count = hexcc_first <= hexcc_last && (%s) ? hexcc_last - hexcc_first + 1 : 0;", work)
}

// stride returns how many bytes lie from one index to the next one along a dimension of an array.
func (m *mpi) stride(a *scop.Array, dim int) string {
	text := fmt.Sprint(a.Elem.Size())
next:
	for d := dim + 1; d < len(a.Extents); d++ {
		for _, l := range m.local[a] {
			if l.dim == d {
				text += fmt.Sprintf(" * hexcc_part.count[%d]", d-len(a.Extents)+len(a.ObjectExtents()))
				continue next
			}
		}
		text += " * (long long)" + m.Factor(m.Affine(a.Extents[d]))
	}
	return text
}
