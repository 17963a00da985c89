package mpitext

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ranks"
)

// This file prints what ranks have besides where they form a grid, and share out tiles along S1, too: how they are set out, and the boxes that go along chains of ranks.
// All functions that take hexcc_rows then get, by array, first how many elements the rank has along the dimension that rows of ranks share out, then how many along that which columns share
// out, the first and the last one of these that it uses, the first element that it owns along the former, and how many.

// grid returns text where ranks form a grid, else none.
func (m *Region) grid(text string) string {
	if m.Plan.Grid != nil {
		return text
	}
	return ""
}

// rowsCount returns how many numbers hexcc_rows has.
func (m *Region) rowsCount() int {
	if m.Plan.Grid != nil {
		return 6 * len(m.Scop.Arrays)
	}
	return len(m.Scop.Arrays)
}

// secondRange prints the function that finds the least and the greatest tile along S1.
func (m *Region) secondRange() string {
	return m.function(func() {
		t := m.Plan.T
		m.Line("*hexcc_lo = LLONG_MAX, *hexcc_hi = LLONG_MIN;")
		m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, t, m.Expr(m.Plan.TLo), t, m.Expr(m.Plan.THi), t), func() {
			for _, ph := range m.Plan.Phases {
				m.Line("*hexcc_lo = hexcc_least(*hexcc_lo, %s);", m.Expr(ph.SecondLo))
				m.Line("*hexcc_hi = hexcc_most(*hexcc_hi, %s);", m.Expr(ph.SecondHi))
			}
		})
	}, func(decls string) {
		m.Line("// The first and the last tile along %s of all phases and time tiles.", m.Plan.Phases[0].Second)
		m.Line("static void %s_range1(%slong long *hexcc_lo, long long *hexcc_hi)", m.Name, decls)
	})
}

// setOut prints how ranks are set out.
func (m *Region) setOut() string {
	decls, passed := m.Internal()
	c := m.Plan.Cost()
	return strings.NewReplacer("FN", m.Name, "DECLS", decls, "PASSED", passed, "REACH", fmt.Sprint(m.Plan.Grid.Reach),
		"POINTS", fmt.Sprint(c.Points), "ROWS", fmt.Sprint(c.Rows), "BESIDE", fmt.Sprint(c.Beside), "CHAIN", fmt.Sprint(c.Chain), "NEAR", fmt.Sprint(c.Near),
		"PHASES", fmt.Sprint(len(m.Plan.Phases)), "TLO", m.Expr(m.Plan.TLo), "THI", m.Expr(m.Plan.THi)).Replace(`int FN_grid[2] = {0, 0};

// How so many ranks are set out, in rows and columns; {0, 0} where they cannot be. Unless the program says it, so that a phase is expected to take least time: a rank
// has the points of its tiles, and where these are few waits for some of the rank behind it in the chain; it sends strips to the rows beside it, and slabs along the chain, and begins when the
// ranks before it in the chain have run a tile each.
static void FN_set_out(DECLSint size, int *of)
{
  long long lo, hi, lo1, hi1, best = -1;
  of[0] = FN_grid[0], of[1] = FN_grid[1];
  if (of[0] > 0 || of[1] > 0)
    return;
  FN_range(PASSED&lo, &hi);
  FN_range1(PASSED&lo1, &hi1);
  if (lo > hi) {
    of[0] = size, of[1] = 1;
    return;
  }
  const long long tiles = hi - lo + 1, tiles1 = hi1 - lo1 + 1, phases = PHASES * ((long long)(THI) - (TLO) + 1);
  for (int columns = 1; columns <= size; columns++) {
    const int rows = size / columns;
    if (size % columns != 0 || rows > tiles || (columns > 1 && columns > tiles1 / REACH))
      continue;
    const long long n = (tiles + rows - 1) / rows, n1 = (tiles1 + columns - 1) / columns;
    long long cost = n * n1 * POINTS + (rows > 1) * ROWS * (n1 + BESIDE);
    if (columns > 1)
      cost += n * CHAIN + (columns - 1) * (n1 * POINTS + CHAIN) / phases + (n < 3 ? hexcc_least(n1, NEAR) * POINTS + CHAIN : 0);
    if (best < 0 || cost < best)
      best = cost, of[0] = rows, of[1] = columns;
  }
}

`)
}

// begin returns the first tile along S0 of a row of ranks, which share out those from lo to hi; beginColumns that along S1 of a column.
func (m *Region) begin(row, rows, columns, lo, hi string) string {
	if m.Plan.Grid == nil {
		return fmt.Sprintf("%s_begin(%s, %s, %s, %s)", cmp.Or(m.host, m.Name), row, rows, lo, hi)
	}
	return fmt.Sprintf("%s_begin(%s, %s, %s, %s, 1, 1, %s, %s)", m.Name, row, rows, columns, columns, lo, hi)
}
func (m *Region) beginColumns(column, columns, rows, lo, hi string) string {
	return fmt.Sprintf("%s_begin(%s, %s, %s, 1, %s, %d, %s, %s)", m.Name, column, columns, rows, columns, m.Plan.Grid.Reach, lo, hi)
}

// gridPlace prints, in the function that says what a rank has of an array, where the rank is: then hexcc_rank and hexcc_size are those of its row and of rows.
func (m *Region) gridPlace(passed string) {
	m.findPlace(passed, "hexcc_size")
	m.Line("const int hexcc_columns = hexcc_of[1], hexcc_column = hexcc_rank %% hexcc_columns;")
	m.Line("hexcc_rank /= hexcc_columns, hexcc_size = hexcc_of[0];")
	first := func(tile string) string {
		d := m.Plan.RowsOf(1)
		return fmt.Sprintf("(%s) * %d + %d", tile, d.Stride1, d.First1)
	}
	m.Line("if (hexcc_lo1 > hexcc_hi1)")
	m.Line("  hexcc_lo1 = 0, hexcc_hi1 = hexcc_columns - 1; // no iteration: any part will do")
	m.Line("const long long hexcc_first1 = %s, hexcc_last1 = %s - 1;", first(m.beginColumns("hexcc_column", "hexcc_columns", "hexcc_size", "hexcc_lo1", "hexcc_hi1")), first(m.beginColumns("hexcc_column + 1", "hexcc_columns", "hexcc_size", "hexcc_lo1", "hexcc_hi1")))
	m.Line("(void)hexcc_first1, (void)hexcc_last1;")
}

// findPlace prints how so many ranks are set out, hexcc_of, and the tiles that columns share out.
func (m *Region) findPlace(passed, size string) {
	m.Line("int hexcc_of[2];")
	m.Line("long long hexcc_lo1, hexcc_hi1;")
	m.Line("%s_set_out(%s%s, hexcc_of);", m.Name, passed, size)
	m.Line("%s_range1(%s&hexcc_lo1, &hexcc_hi1);", m.Name, passed)
}

// gridStart prints, in the function of the region, the place of the rank.
func (m *Region) gridStart(passed string) {
	m.findPlace(passed, "hexcc_r.size")
	m.Line("hexcc_r.columns = hexcc_of[1], hexcc_r.column = hexcc_r.rank %% hexcc_of[1];")
	m.Line("hexcc_r.rank /= hexcc_of[1], hexcc_r.size = hexcc_of[0];")
	m.Line("hexcc_r.begin1 = %s;", m.beginColumns("hexcc_r.column", "hexcc_r.columns", "hexcc_r.size", "hexcc_lo1", "hexcc_hi1"))
	m.Line("hexcc_r.end1 = %s;", m.beginColumns("hexcc_r.column + 1", "hexcc_r.columns", "hexcc_r.size", "hexcc_lo1", "hexcc_hi1"))
}

// mostRanks returns how many ranks can share out arrays: a tile each, or where they form a grid some of those along S1.
func (m *Region) mostRanks() string {
	if m.Plan.Grid == nil {
		return "hexcc_hi - hexcc_lo + 1"
	}
	return fmt.Sprintf("(hexcc_hi - hexcc_lo + 1) * hexcc_most(1, (hexcc_hi1 - hexcc_lo1 + 1) / %d)", m.Plan.Grid.Reach)
}

// gridTest prints what is tested of a grid.
func (m *Region) gridTest() string {
	if m.Plan.Grid == nil {
		return "  if (hexcc_size <= FN_most_ranks(NAMEShexcc_unused))\n    return 0;\n"
	}
	return strings.NewReplacer("REACH", fmt.Sprint(m.Plan.Grid.Reach)).Replace(`  int hexcc_of[2];
  long long hexcc_lo, hexcc_hi, hexcc_lo1, hexcc_hi1;
  FN_set_out(PASSEDhexcc_size, hexcc_of);
  FN_range(PASSED&hexcc_lo, &hexcc_hi);
  if (hexcc_lo > hexcc_hi)
    return 0;
  FN_range1(PASSED&hexcc_lo1, &hexcc_hi1);
  const long long hexcc_rows = hexcc_hi - hexcc_lo + 1, hexcc_columns = hexcc_most(1, (hexcc_hi1 - hexcc_lo1 + 1) / REACH);
  if (hexcc_of[0] > 0 && hexcc_of[1] > 0 && (long long)hexcc_of[0] * hexcc_of[1] != hexcc_size)
    return hexcc_wrong(hexcc_comm, "FN", "FN_grid asks for %d x %d ranks, and there are %d", hexcc_of[0], hexcc_of[1], hexcc_size);
  if (hexcc_of[0] > hexcc_rows || hexcc_of[1] > hexcc_columns)
    return hexcc_wrong(hexcc_comm, "FN", "FN_grid asks for %d x %d ranks, and arrays of this size can be shared out in %lld rows and %lld columns", hexcc_of[0], hexcc_of[1], hexcc_rows, hexcc_columns);
  if (hexcc_of[0] > 0 && hexcc_of[1] > 0)
    return 0;
  if (hexcc_size <= FN_most_ranks(NAMEShexcc_unused))
    return hexcc_wrong(hexcc_comm, "FN", "%d ranks make no grid of at most %lld rows and %lld columns: take a product of two such numbers", hexcc_size, hexcc_rows, hexcc_columns);
`)
}

// beside prints the function that goes through the boxes that ranks of a row send each other before the first phase.
func (m *Region) beside() string {
	return m.function(func() {
		m.Line("long long hexcc_bytes = 0;")
		m.Line("const long long hexcc_first = %s;", m.Expr(m.Plan.FirstColumn()))
		for i, side := range m.Plan.Grid.Arrays {
			a := m.Plan.Arrays[i]
			if side.Dim < 0 || side.Lo == 0 && side.Hi == 0 {
				continue
			}
			objects := 1
			if len(a.Array.Planes) > 0 {
				objects = len(a.Array.Objects())
			}
			for object := range objects {
				var lo, hi, extent []string
				for d := range a.Array.Extents {
					if d == 0 && len(a.Array.Planes) > 0 {
						continue
					}
					n := m.Expr(m.Affine(a.Array.Extents[d]))
					l, h := "0", n+" - 1"
					switch d {
					case a.Dim:
						k := len(m.Scop.Arrays)
						l, h = fmt.Sprintf("hexcc_rows[%d]", 4*k+i), fmt.Sprintf("hexcc_rows[%d] + hexcc_rows[%d] - 1", 4*k+i, 5*k+i)
					case side.Dim:
						l = fmt.Sprintf("hexcc_most(0, hexcc_first + (hexcc_up ? %d : 0))", side.Lo)
						h = fmt.Sprintf("hexcc_least(%s - 1, hexcc_first + (hexcc_up ? 0 : %d) - 1)", n, side.Hi)
					}
					lo, hi, extent = append(lo, l), append(hi, h), append(extent, m.localExtent(i, d))
				}
				m.Braces("", func() { m.callBox(a.Array, fmt.Sprint(m.Object(a.Array, object)), lo, hi, extent, nil) })
			}
		}
		m.Line("return hexcc_bytes;")
	}, func(decls string) {
		m.Line("// The boxes at a border along %s that go up, or down, before the first phase.", m.Plan.Phases[0].Second)
		m.Line("static long long %s_beside(int hexcc_mode, int hexcc_up, long long %s, %schar *const *hexcc_arrays, const long long *hexcc_rows, char *hexcc_buffer)", m.Name, m.Plan.Grid.Border, decls)
	})
}

// chains prints the function that goes through the boxes of slabs.
func (m *Region) chains() string {
	return m.function(func() {
		m.Line("long long hexcc_bytes = 0;")
		m.Line("switch (hexcc_which) {")
		for phase, c := range m.Plan.Grid.Chain {
			for way, slabs := range [][]ranks.Slab{c.Up, c.Down} {
				if len(slabs) == 0 {
					continue
				}
				m.Line("case %d:", 2*phase+way)
				m.Depth++
				for _, s := range slabs {
					m.Braces("", func() { m.slab(phase, s) })
				}
				m.Line("break;")
				m.Depth--
			}
		}
		m.Line("}")
		m.Line("return hexcc_bytes;")
	}, func(decls string) {
		m.Line("// The boxes that go along the chain after a tile at S0, at a border along %s: after phase 0 up and down, 0 and 1; after phase 1, 2 and 3; and so on.", m.Plan.Phases[0].Second)
		m.Line("static long long %s_chain(int hexcc_mode, int hexcc_which, long long %s, long long hexcc_tile, long long %s, %schar *const *hexcc_arrays,", m.Name, m.Plan.T, m.Plan.Grid.Border, decls)
		m.Line("    const long long *hexcc_rows, char *hexcc_buffer)")
	})
}

// slab prints what is done with the boxes of a slab, of which each is of one row and one step.
func (m *Region) slab(phase int, s ranks.Slab) {
	rows := m.Plan.RowsOf(phase)
	m.numbersOf("hexcc_from", rows.From)
	m.numbersOf("hexcc_to", rows.To)
	m.numbersOf("hexcc_lean", rows.Lean)
	t := affine.Var(m.Plan.T)
	time, place := rows.Time(s.Stmt), m.Plan.Schedule.Canonical.Places[s.Stmt.Order]
	m.Braces(fmt.Sprintf("for (long long hexcc_row = 0; hexcc_row < %d; hexcc_row++)", len(rows.From)), func() {
		m.Line("if (hexcc_from[hexcc_row] > hexcc_to[hexcc_row])")
		m.Line("  continue;")
		m.Line("const long long hexcc_s0 = hexcc_tile * %d + hexcc_row + %d;", rows.Stride, rows.First)
		m.Line("const long long hexcc_step = %s; // step a is iteration (a + that) / %d", m.Expr(t.Times(rows.Height).Add(time)), rows.K)
		m.Line("long long hexcc_t = hexcc_most(%s, hexcc_up_to(hexcc_from[hexcc_row] + hexcc_step, %d));", m.Expr(s.Lo[0]), rows.K)
		m.Line("const long long hexcc_last = hexcc_least(%s, hexcc_down_to(hexcc_to[hexcc_row] + hexcc_step, %d));", m.Expr(s.Hi[0]), rows.K)
		if s.Depth >= 0 {
			m.Line("hexcc_t = hexcc_most(hexcc_t, hexcc_last - %d);", s.Depth)
		}
		m.Braces("for (; hexcc_t <= hexcc_last; hexcc_t++)", func() {
			m.Line("const long long hexcc_column = %s + hexcc_lean[hexcc_t * %d - hexcc_step];", m.Expr(affine.Var(m.Plan.Grid.Border).Times(rows.Stride1).Add(rows.First1)), rows.K)
			from, to := fmt.Sprintf("hexcc_column - %d", s.Ahead), "hexcc_column - 1"
			if !s.Up {
				from = "hexcc_column"
				to = fmt.Sprintf("hexcc_least(hexcc_column + %d, %s)", s.Near, m.Expr(affine.Var(m.Plan.Grid.Border).Times(rows.Stride1).Add(rows.First1+s.Far)))
			}
			los, his := []string{"hexcc_t"}, []string{"hexcc_t"}
			for i := range s.Stmt.Iters[1:] {
				l, h := m.Expr(s.Lo[i+1]), m.Expr(s.Hi[i+1])
				los, his = append(los, "(long long)("+l+")"), append(his, "(long long)("+h+")")
			}
			narrow := func(d int, from, to string) {
				shift := m.Expr(m.Scop.Sum(place[d].Shift, nil))
				if i := place[d].Iter; i >= 0 {
					los[i] = fmt.Sprintf("hexcc_most(%s, %s - (%s))", los[i], from, shift)
					his[i] = fmt.Sprintf("hexcc_least(%s, %s - (%s))", his[i], to, shift)
					return
				}
				m.Line("if (%s < %s || %s > %s)", shift, from, shift, to)
				m.Line("  continue;")
			}
			narrow(0, "hexcc_s0", "hexcc_s0")
			narrow(1, from, to)
			m.Line("const long long hexcc_least_of[] = {%s}, hexcc_most_of[] = {%s};", strings.Join(los, ", "), strings.Join(his, ", "))
			m.Line("int hexcc_none = 0;")
			m.Line("for (int hexcc_i = 0; hexcc_i < %d; hexcc_i++)", len(los))
			m.Line("  hexcc_none |= hexcc_least_of[hexcc_i] > hexcc_most_of[hexcc_i];")
			m.Line("if (hexcc_none)")
			m.Line("  continue;")
			side := m.Plan.Grid.Arrays[m.number(s.Access.Array)]
			has := held{dim: side.Dim, least: m.Expr(m.Plan.FirstColumn().Add(side.Lo))}
			if !s.Up {
				has = held{dim: side.Dim, most: m.Expr(m.Plan.FirstColumn().Add(side.Hi - 1))}
			}
			m.slabBox(s, has)
		})
	})
}

// held is what the receiver of a slab has in memory along a dimension of an array: elements from least on, or up to most, as C; "": it does not bound them.
type held struct {
	dim         int
	least, most string
}

// slabBox prints what is done with the elements that are written between hexcc_least_of and hexcc_most_of, of those that the receiver has.
func (m *Region) slabBox(s ranks.Slab, has held) {
	a := s.Access.Array
	object := fmt.Sprint(m.Object(a, 0))
	var lo, hi, extent []string
	for d, index := range s.Access.Index {
		at := func(up, down string) string { // of iterators by which the subscript grows, and by which it falls
			sum := m.Scop.Sum(index.Affine, nil0(index.Iters))
			text := fmt.Sprintf("(%s)", m.Expr(sum))
			for i, c := range index.Iters {
				if c > 0 {
					text += fmt.Sprintf(" + %s[%d] * %d", up, i, c)
				} else if c < 0 {
					text += fmt.Sprintf(" - %s[%d] * %d", down, i, -c)
				}
			}
			if index.Mod > 0 {
				text = fmt.Sprintf("hexcc_modulo(%s, %d)", text, index.Mod)
			}
			return text
		}
		if d == 0 && len(a.Planes) > 0 {
			object += " + " + at("hexcc_least_of", "hexcc_least_of")
			continue
		}
		l, h := at("hexcc_least_of", "hexcc_most_of"), at("hexcc_most_of", "hexcc_least_of")
		if d == has.dim && has.least != "" {
			l = fmt.Sprintf("hexcc_most(%s, %s)", l, has.least)
		} else if d == has.dim {
			h = fmt.Sprintf("hexcc_least(%s, %s)", h, has.most)
		}
		lo, hi, extent = append(lo, l), append(hi, h), append(extent, m.localExtent(m.number(a), d))
	}
	m.callBox(a, object, lo, hi, extent, nil)
}

func nil0(iters []int64) []affine.Sum { return make([]affine.Sum, len(iters)) }

// gridState prints what a run does with chains.
func (m *Region) gridState() string {
	if m.Plan.Grid == nil {
		return ""
	}
	passed := ""
	for _, q := range m.Scop.Params {
		passed += "r->at." + m.Outer[q.Name] + ", "
	}
	var up, apart []string
	for i, e := range m.Plan.After {
		up = append(up, flag(len(e.Up) > 0))
		apart = append(apart, fmt.Sprintf("{%d, %d}", m.Plan.Grid.Apart[i][0], m.Plan.Grid.Apart[i][1]))
	}
	return strings.NewReplacer("FN", m.Name, "{UP}", "{"+strings.Join(up, ", ")+"}", "{APART}", "{"+strings.Join(apart, ", ")+"}", "PHASES", fmt.Sprint(len(up)), "PASSED", passed, "KINDS", fmt.Sprint(len(m.Plan.Messages())), "CHAINS", fmt.Sprint(2*len(m.Plan.Phases))).Replace(chainText)
}
