package mpitext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// This file prints what ranks have of arrays, and the functions on whole arrays.

// parts prints what the ranks have of the arrays.
func (m *Region) parts() string {
	numbers, names := m.Numbers()
	return m.sharedOut() + m.partOf() + entry(m.linkage(), m.Name, numbers, names, m.values(), m.gridTest(), m.grid("  long long hexcc_lo1, hexcc_hi1;\n  FN_range1(PASSED&hexcc_lo1, &hexcc_hi1);\n"), m.mostRanks())
}

// sharedOut returns the function that says how tiles are shared out.
func (m *Region) sharedOut() string {
	decls, passed := m.Internal()
	before := strings.NewReplacer("DECLS", decls, "PASSED", passed).Replace(beginText(m.Name, m.weights(), m.Plan.Grid != nil))
	if m.Plan.Grid != nil {
		before += m.setOut()
	}
	return before
}

// beginText returns the function that says how tiles are shared out, of a region or a host that declares its weights so; grid: rows and columns of ranks share them out.
func beginText(name, weights string, grid bool) string {
	comment, decls, weight, least, few := "", "", "FN_weights[r]", "1", "one"
	if grid {
		comment = "\n// In a grid rank is the number of a row, or column, whose weight is that of its ranks, of which there are others: they are rank * along + o * across."
		decls, weight, least, few = "int others, int along, int across, long long least, ", "FN_weight(r, others, along, across)", "least", "so many"
	}
	text := `DEFINED

`
	if grid {
		text += `static double FN_weight(int r, int others, int along, int across)
{
  double sum = 0;
  for (int o = 0; o < others; o++)
    sum += FN_weights[r * along + o * across];
  return sum;
}

`
	}
	text += `// The first tile of a rank: ranks have tiles in proportion to their weights, and each has FEW at least. That of a rank behind the last one is the one behind the last tile.COMMENT
static long long FN_begin(int rank, int size, DECLSlong long lo, long long hi)
{
  const long long all = hi - lo + 1;
  double total = 0, before = 0;
  long long at = 0;
  if (rank <= 0 || rank >= size || !FN_weights)
    return rank >= size ? hi + 1 : lo + (rank <= 0 ? 0 : all / size * rank + (all % size < rank ? all % size : rank));
  for (int r = 0; r < size; r++)
    total += SHARE;
  for (int r = 0; r < rank; r++) {
    before += SHARE;
    const long long share = (long long)((double)all * (before / total) + 0.5);
    at = share > at + LEAST ? share : at + LEAST;
  }
  return lo + (at > all - LEAST * (size - rank) ? all - LEAST * (size - rank) : at);
}

`
	text = strings.NewReplacer("COMMENT", comment, "DECLS", decls, "SHARE", weight, "FEW", few, "LEAST", least, "DEFINED", weights).Replace(text)
	return strings.ReplaceAll(text, "FN", name)
}

// partOf prints the function that says what a rank has of an array.
func (m *Region) partOf() string {
	m.Begin()
	decls, passed := m.Internal()
	if m.Plan.Grid != nil {
		m.gridPlace(passed)
	}
	m.Line("long long hexcc_lo, hexcc_hi;")
	m.Line("memset(hexcc_p, 0, sizeof *hexcc_p);")
	if m.host != "" {
		for _, q := range m.Scop.Params {
			m.Line("(void)%s;", m.Outer[q.Name])
		}
		m.Line("hexcc_lo = %s_all.lo, hexcc_hi = %s_all.hi;", m.host, m.host)
	} else {
		m.Line("%s_range(%s&hexcc_lo, &hexcc_hi);", m.Name, passed)
		m.Line("if (hexcc_lo > hexcc_hi)")
		m.Line("  hexcc_lo = 0, hexcc_hi = hexcc_size - 1; // no iteration: any part will do")
	}
	begin, behind := m.begin("hexcc_rank", "hexcc_size", "hexcc_columns", "hexcc_lo", "hexcc_hi"), m.begin("hexcc_rank + 1", "hexcc_size", "hexcc_columns", "hexcc_lo", "hexcc_hi")
	if m.host != "" {
		begin, behind = m.tile(begin), m.tile(behind)
	}
	m.Line("const long long %s = %s, hexcc_behind = %s;", m.Plan.Border, begin, behind)
	if backwards := m.host != "" && m.Plan.Reversed(); backwards {
		m.Line("const long long hexcc_first = -(%s), hexcc_last = hexcc_first + (%s - hexcc_behind) * %d - 1; // rows that the rank owns", m.Expr(m.Plan.FirstRow()), m.Plan.Border, m.Plan.Width())
	} else {
		m.Line("const long long hexcc_first = %s, hexcc_last = hexcc_first + (hexcc_behind - %s) * %d - 1; // rows that the rank owns", m.Expr(m.Plan.FirstRow()), m.Plan.Border, m.Plan.Width())
	}
	m.Line("(void)hexcc_first, (void)hexcc_last;")
	m.Line("switch (hexcc_array) {")
	for i, a := range m.Plan.Arrays {
		m.Line("case %d:", i)
		m.Depth++
		extents := a.Array.ObjectExtents()
		m.Line("hexcc_p->dims = %d;", len(extents))
		m.Line("hexcc_p->element = %d;", a.Array.Elem.Size())
		for d, e := range extents {
			m.Line("hexcc_p->extent[%d] = %s;", d, m.Expr(m.Affine(e)))
		}
		m.Line("memcpy(hexcc_p->count, hexcc_p->extent, sizeof hexcc_p->count);")
		m.Line("memcpy(hexcc_p->own_count, hexcc_p->extent, sizeof hexcc_p->own_count);")
		switch d := a.Dim - len(a.Array.Extents) + len(extents); {
		case a.Ring && !(m.host != "" && a.Reversed()):
			m.Line("hexcc_ring(hexcc_p, %d, hexcc_first, hexcc_last, %s, hexcc_rank > 0, hexcc_rank < hexcc_size - 1);", d, m.Expr(a.Sum))
		case a.Dim >= 0 && a.Unit > 1:
			m.Line("hexcc_rows(hexcc_p, %d, hexcc_first * %d, hexcc_last * %d + %d, %d, %d, hexcc_rank > 0, hexcc_rank < hexcc_size - 1);", d, a.Unit, a.Unit, a.Unit-1, a.Lo, a.Hi)
		case a.Dim >= 0:
			m.Line("hexcc_rows(hexcc_p, %d, hexcc_first, hexcc_last, %d, %d, hexcc_rank > 0, hexcc_rank < hexcc_size - 1);", d, a.Lo, a.Hi)
		}
		if d := m.second(a.Array); d >= 0 {
			side := m.Plan.Grid.Arrays[i]
			m.Line("hexcc_rows(hexcc_p, %d, hexcc_first1, hexcc_last1, %d, %d, hexcc_column > 0, hexcc_column < hexcc_columns - 1);", d-len(a.Array.Extents)+len(extents), side.Lo-side.Pad, side.Hi+side.Pad)
		}
		m.Line("break;")
		m.Depth--
	}
	m.Line("default:")
	m.Line("  return 1;")
	m.Line("}")
	m.Line("hexcc_p->bytes = hexcc_p->element;")
	m.Line("for (int hexcc_d = 0; hexcc_d < hexcc_p->dims; hexcc_d++)")
	m.Line("  hexcc_p->bytes *= (unsigned long long)hexcc_p->count[hexcc_d];")
	m.Line("return 0;")
	body := m.End()
	m.Line("// The part that a rank of so many has of an array.")
	m.Line("static int %s_part_of(int hexcc_rank, int hexcc_size, %sint hexcc_array, hexcc_mpi_part *hexcc_p)", m.Name, decls)
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	return m.Take()
}

// entry returns the functions that a program calls to know its parts: of a function of that name, whose integers are declared as numbers says, each followed by a comma, and have these names; passed is what
// functions of our own get of them.
func entry(linkage, name, numbers, names, passed, gridTest, columns, most string) string {
	values, quoted := "", ""
	add := func(number string) {
		values, quoted = values+"(long long)"+number+", ", quoted+fmt.Sprintf("%q, ", number)
	}
	for number := range strings.SplitSeq(strings.TrimSuffix(names, ", "), ", ") {
		if number != "" {
			add(number)
		}
	}
	if columns != "" { // a grid
		add(name + "_grid[0]")
		add(name + "_grid[1]")
	}
	return strings.NewReplacer("VALUES", values, "QUOTED", quoted, "COUNT", fmt.Sprint(strings.Count(quoted, ",")+1), "LINKAGE", linkage, "FN", name, "NUMBERS", numbers, "NAMES", names, "PASSED", passed).Replace(strings.NewReplacer("GRIDTEST", gridTest, "MOSTCOLUMNS", columns,
		"TIMES(hexcc_hi - hexcc_lo + 1)", most).Replace(`LINKAGElong long FN_most_ranks(NUMBERSint hexcc_unused)
{
  long long hexcc_lo, hexcc_hi;
  (void)hexcc_unused;
  FN_range(PASSED&hexcc_lo, &hexcc_hi);
MOSTCOLUMNS  return hexcc_lo > hexcc_hi ? INT_MAX : TIMES(hexcc_hi - hexcc_lo + 1);
}

// Says so where ranks do not agree on the numbers by which arrays are shared out.
static int FN_differ(MPI_Comm hexcc_comm, NUMBERSint hexcc_unused)
{
  static const char *const hexcc_names[] = {QUOTED"FN_weights"};
  long long hexcc_own[2 * COUNT] = {VALUEShexcc_bits(hexcc_comm, FN_weights)}, hexcc_all[2 * COUNT];
  (void)hexcc_unused;
  for (int hexcc_k = 0; hexcc_k < COUNT; hexcc_k++)
    hexcc_own[COUNT + hexcc_k] = ~hexcc_own[hexcc_k]; // the least one is the greatest of these
  MPI_Allreduce(hexcc_own, hexcc_all, 2 * COUNT, MPI_LONG_LONG, MPI_MAX, hexcc_comm);
  for (int hexcc_k = 0; hexcc_k < COUNT; hexcc_k++)
    if (hexcc_all[hexcc_k] != ~hexcc_all[COUNT + hexcc_k])
      return hexcc_wrong(hexcc_comm, "FN", "ranks have different %s", hexcc_names[hexcc_k]);
  return hexcc_unsound(hexcc_comm, "FN", FN_weights);
}

// Says so where there are more ranks than tiles.
static int FN_too_many(MPI_Comm hexcc_comm, NUMBERSint hexcc_unused)
{
  int hexcc_size;
  MPI_Comm_size(hexcc_comm, &hexcc_size);
GRIDTEST  return hexcc_wrong(hexcc_comm, "FN", "%d ranks are too many for arrays of this size: at most %lld have a tile each", hexcc_size, FN_most_ranks(NAMEShexcc_unused));
}

LINKAGEint FN_part(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, hexcc_mpi_part *hexcc_part)
{
  int hexcc_rank, hexcc_size;
  MPI_Comm_rank(hexcc_comm, &hexcc_rank);
  MPI_Comm_size(hexcc_comm, &hexcc_size);
  return FN_too_many(hexcc_comm, NAMES0) || FN_part_of(hexcc_rank, hexcc_size, PASSEDhexcc_array, hexcc_part);
}

`))
}

// weights prints the numbers by which tiles are shared out.
func (m *Region) weights() string {
	text := fmt.Sprintf("const double *%s_weights = 0;", m.Name)
	if m.Device {
		return "extern \"C\" { " + text + " }"
	}
	return text
}

// Whole prints the functions on whole arrays.
func (m *Region) Whole() string {
	numbers, names := m.Numbers()
	return whole(m.linkage(), m.Name, numbers, names, m.values())
}

// whole returns the functions on whole arrays, alike.
func whole(linkage, name, numbers, names, passed string) string {
	return strings.NewReplacer("LINKAGE", linkage, "FN", name, "NUMBERS", numbers, "NAMES", names, "PASSED", passed).Replace(`
// Moves an array between rank 0 and all.
static int FN_move(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, void *hexcc_whole, void *hexcc_part, int hexcc_gather)
{
  int hexcc_size;
  MPI_Comm_size(hexcc_comm, &hexcc_size);
  if (FN_differ(hexcc_comm, NAMES0) || FN_too_many(hexcc_comm, NAMES0))
    return 1;
  hexcc_mpi_part *hexcc_parts = (hexcc_mpi_part *)malloc((size_t)hexcc_size * sizeof *hexcc_parts);
  for (int hexcc_r = 0; hexcc_parts && hexcc_r < hexcc_size; hexcc_r++)
    FN_part_of(hexcc_r, hexcc_size, PASSEDhexcc_array, &hexcc_parts[hexcc_r]);
  if (hexcc_any(hexcc_comm, !hexcc_parts)) {
    free(hexcc_parts);
    return hexcc_wrong(hexcc_comm, "FN", "no memory");
  }
  const int hexcc_failed = hexcc_any(hexcc_comm, hexcc_move(hexcc_comm, hexcc_parts, hexcc_whole, hexcc_part, hexcc_gather));
  free(hexcc_parts);
  return hexcc_failed ? hexcc_wrong(hexcc_comm, "FN", "arrays of a device cannot be copied") : 0;
}

LINKAGEint FN_scatter(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const void *hexcc_whole, void *hexcc_part)
{
  return FN_move(hexcc_comm, NAMEShexcc_array, (void *)hexcc_whole, hexcc_part, 0);
}

LINKAGEint FN_gather(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const void *hexcc_part, void *hexcc_whole)
{
  return FN_move(hexcc_comm, NAMEShexcc_array, hexcc_whole, (void *)hexcc_part, 1);
}

LINKAGEint FN_read(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const char *hexcc_path, MPI_Offset hexcc_from, void *hexcc_part)
{
  hexcc_mpi_part hexcc_p;
  if (FN_differ(hexcc_comm, NAMES0) || FN_part(hexcc_comm, NAMEShexcc_array, &hexcc_p))
    return 1;
  if (hexcc_any(hexcc_comm, hexcc_file(hexcc_comm, &hexcc_p, hexcc_path, hexcc_from, hexcc_part, 0)))
    return hexcc_wrong(hexcc_comm, "FN_read", "cannot read the whole array from %s", hexcc_path);
  return 0;
}

LINKAGEint FN_write(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const char *hexcc_path, MPI_Offset hexcc_from, const void *hexcc_part)
{
  hexcc_mpi_part hexcc_p;
  if (FN_differ(hexcc_comm, NAMES0) || FN_part(hexcc_comm, NAMEShexcc_array, &hexcc_p))
    return 1;
  if (hexcc_any(hexcc_comm, hexcc_file(hexcc_comm, &hexcc_p, hexcc_path, hexcc_from, (void *)hexcc_part, 1)))
    return hexcc_wrong(hexcc_comm, "FN_write", "cannot write %s", hexcc_path);
  return 0;
}
`)
}

// facts prints what the function tests of its numbers: what the loops rely on.
func (m *Region) facts() string {
	out := ctext.Printer{Depth: 1}
	for _, f := range m.Scop.Facts {
		cond := fmt.Sprintf("%s >= 0", m.Expr(m.Scop.Sum(f.Row, nil)))
		if len(f.Factors) > 0 {
			var positive, factors []string
			for _, x := range f.Factors {
				sum := m.Scop.Sum(x, nil)
				positive, factors = append(positive, m.Expr(sum)+" <= 0"), append(factors, "(double)"+m.Factor(sum))
			}
			cond = fmt.Sprintf("%s || %s <= %d.0", strings.Join(positive, " || "), strings.Join(factors, " * "), f.Most)
		}
		out.Line("if (!(%s))", cond)
		out.Line("  return hexcc_wrong(hexcc_comm, \"%s\", \"the loops rely on %%s\", %s);", m.Name, ctext.Quote(f.Text))
	}
	return out.Buf.String()
}

// Start prints, in the function of the region, what it tests, and what it knows then: its tiles, in hexcc_r.
func (m *Region) Start() {
	_, names := m.Numbers()
	passed := m.Passed()
	m.Line("long long hexcc_lo, hexcc_hi;")
	if m.host == "" {
		m.Line("if (%s_differ(hexcc_comm, %s0))", m.Name, names)
		m.Line("  return 1;")
	}
	if facts := m.facts(); facts != "" {
		m.Raw(facts)
	}
	m.Line("if (%s_too_many(hexcc_comm, %s0))", m.Name, names)
	m.Line("  return 1;")
	m.Line("%s_range(%s&hexcc_lo, &hexcc_hi);", m.Name, passed)
	if len(m.Scop.Walls) == 0 {
		m.Line("if (hexcc_lo > hexcc_hi)")
		m.Line("  return 0; // no iteration")
	}
	m.Line("memset(&hexcc_r, 0, sizeof hexcc_r);")
	m.Line("MPI_Comm_rank(hexcc_comm, &hexcc_r.rank);")
	m.Line("MPI_Comm_size(hexcc_comm, &hexcc_r.size);")
	if m.Plan.Grid != nil {
		m.gridStart(passed)
	}
	m.Line("hexcc_r.begin = %s;", m.begin("hexcc_r.rank", "hexcc_r.size", "hexcc_r.columns", "hexcc_lo", "hexcc_hi"))
	m.Line("hexcc_r.end = %s;", m.begin("hexcc_r.rank + 1", "hexcc_r.size", "hexcc_r.columns", "hexcc_lo", "hexcc_hi"))
	for _, q := range m.Scop.Params {
		m.Line("hexcc_r.at.%s = %s;", m.Outer[q.Name], m.Outer[q.Name])
	}
}
