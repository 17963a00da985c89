package mpitext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file prints which boxes of elements messages have, and what a rank does with them.

// tileRange prints the function that finds the least and the greatest tile that there is in any phase of any time tile.
func (m *Region) tileRange() string {
	return m.function(func() {
		t := m.Plan.T
		m.Line("*hexcc_lo = LLONG_MAX, *hexcc_hi = LLONG_MIN;")
		if cond := m.Cond(m.Plan.Busy); cond != "" {
			m.Line("if (!(%s))", cond)
			m.Line("  return; // no iteration")
		}
		m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, t, m.Expr(m.Plan.TLo), t, m.Expr(m.Plan.THi), t), func() {
			for _, ph := range m.Plan.Phases {
				m.Braces("", func() {
					m.Line("const %v hexcc_least = %s, hexcc_most = %s;", m.Index, m.Expr(ph.Lo), m.Expr(ph.Hi))
					m.Line("if (hexcc_least <= hexcc_most && hexcc_least < *hexcc_lo)")
					m.Line("  *hexcc_lo = hexcc_least;")
					m.Line("if (hexcc_least <= hexcc_most && hexcc_most > *hexcc_hi)")
					m.Line("  *hexcc_hi = hexcc_most;")
				})
			}
		})
	}, func(decls string) {
		m.Line("// The first and the last tile along %s of all phases and time tiles.", m.Plan.Phases[0].Tile)
		m.Line("static void %s_range(%slong long *hexcc_lo, long long *hexcc_hi)", m.Name, decls)
	})
}

// numbersOf declares a table of numbers.
func (m *Region) numbersOf(name string, values []int64) {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	m.Line("static const int %s[] = {%s};", name, strings.Join(texts, ", "))
}

// messages prints the function that goes through the boxes of a message.
func (m *Region) messages() string {
	return m.function(func() {
		m.Line("long long hexcc_bytes = 0;")
		if m.host != "" {
			m.Line("(void)hexcc_has;")
		}
		if m.host != "" && !slices.ContainsFunc(m.Plan.Messages(), func(s []ranks.Strip) bool { return len(s) > 0 }) {
			m.Line("(void)hexcc_mode, (void)%s, (void)%s, (void)hexcc_arrays, (void)hexcc_rows, (void)hexcc_buffer;", m.Plan.T, m.Plan.Border)
		}
		m.Line("switch (hexcc_which) {")
		for which, strips := range m.Plan.Messages() {
			if len(strips) == 0 {
				continue
			}
			m.Line("case %d:", which)
			m.Depth++
			for _, s := range strips {
				has := ""
				if m.host != "" && which < 2 {
					has = fmt.Sprintf("if (!hexcc_has[%d])", 2*m.number(s.Array)+which)
				}
				m.Braces(has, func() { m.strip(s) })
			}
			m.Line("break;")
			m.Depth--
		}
		m.Line("}")
		m.Line("return hexcc_bytes;")
	}, func(decls string) {
		m.Line("// The boxes of a message at a border of tiles: before the first phase up and down, 0 and 1; after phase 0 of a time tile, 2 and 3; and so on.")
		m.Line("static long long %s_message(%sint hexcc_mode, int hexcc_which, %slong long %s, long long %s, %schar *const *hexcc_arrays,", m.Name, m.gpu("struct hexcc_gpu *hexcc_gpu, "), m.inHost("const char *hexcc_has, "), m.Plan.T, m.Plan.Border, decls)
		m.Line("    const long long *hexcc_rows, char *hexcc_buffer)")
	})
}

// strip prints what a message does with one of its boxes.
func (m *Region) strip(s ranks.Strip) {
	dim := m.shared(s.Array)
	bound := func(name string, r ranks.Rows, by affine.Expr) {
		m.numbersOf(name+"_lo", r.Lo)
		m.numbersOf(name+"_hi", r.Hi)
		m.Line("const long long %s = hexcc_within(%s%s, %d);", name, m.Expr(by), ctext.Plus(-r.Start), len(r.Lo)-1)
	}
	bound("hexcc_since", s.Since, m.Plan.SinceFirst())
	bound("hexcc_until", s.Until, m.Plan.UntilLast())
	rows := func(of, side string) string { // the least or the most of what tables have
		text := fmt.Sprintf("hexcc_%s(hexcc_since_%s[hexcc_since], hexcc_until_%s[hexcc_until])", of, side, side)
		if len(s.Steps.Lo) > 0 {
			text = fmt.Sprintf("hexcc_%s(%s, hexcc_steps_%s[hexcc_steps])", of, text, side)
		}
		return "hexcc_first + " + text
	}
	if len(s.Steps.Lo) > 0 {
		bound("hexcc_steps", s.Steps, m.Plan.Steps())
	}
	m.Line("const long long hexcc_first = %s;", m.Expr(m.Plan.First(m.Plan.Arrays[m.number(s.Array)])))
	var lo, hi, extent []string
	object, steps := fmt.Sprint(m.Object(s.Array, 0)), map[int]int64{}
	for d := range s.Array.Extents {
		if d == 0 && len(s.Array.Planes) > 0 {
			if n, ok := s.Lo[0].(affine.Sum); ok && n.IsNum() {
				object = fmt.Sprint(m.Object(s.Array, int(n.Const)))
			} else {
				object += " + " + m.Expr(s.Lo[0])
			}
			continue
		}
		l, h := m.Expr(s.Lo[d]), m.Expr(s.Hi[d])
		if d == dim {
			least, most := rows("most", "lo"), rows("least", "hi")
			if s.Upper {
				sum := m.Expr(m.Plan.Arrays[m.number(s.Array)].Sum)
				least, most = fmt.Sprintf("%s - (%s)", sum, most), fmt.Sprintf("%s - (%s)", sum, least)
			}
			l = fmt.Sprintf("hexcc_most(%s, %s)", l, least)
			h = fmt.Sprintf("hexcc_least(%s, %s)", h, most)
		} else if k := len(m.Scop.Arrays); d == m.second(s.Array) {
			l = fmt.Sprintf("hexcc_most(%s, hexcc_rows[%d])", l, 2*k+m.number(s.Array))
			h = fmt.Sprintf("hexcc_least(%s, hexcc_rows[%d])", h, 3*k+m.number(s.Array))
		}
		if s.Every != nil && s.Every[d].Step > 1 {
			l = fmt.Sprintf("hexcc_from(%s, %s, %d)", l, m.Expr(s.Every[d].From), s.Every[d].Step)
			steps[len(lo)] = s.Every[d].Step
		}
		lo, hi, extent = append(lo, l), append(hi, h), append(extent, m.localExtent(m.number(s.Array), d))
	}
	m.callBox(s.Array, object, lo, hi, extent, steps)
}

// second returns the dimension of an array that columns of ranks share out, -1 if none do.
func (m *Region) second(a *scop.Array) int {
	if m.Plan.Grid == nil {
		return -1
	}
	return m.Plan.Grid.Arrays[m.number(a)].Dim
}

// localExtent returns how many elements a rank has of an array along a dimension.
func (m *Region) localExtent(array, d int) string {
	switch a := m.Plan.Arrays[array]; d {
	case a.Dim:
		return fmt.Sprintf("hexcc_rows[%d]", array)
	case m.second(a.Array):
		return fmt.Sprintf("hexcc_rows[%d]", len(m.Scop.Arrays)+array)
	default:
		return m.Expr(m.Affine(a.Array.Extents[d]))
	}
}

// callBox prints what is done with a box of an array, of which object is the number of the object among all. steps says by dimension of the box where subscripts are not all between the bounds.
func (m *Region) callBox(a *scop.Array, object string, lo, hi, extent []string, steps map[int]int64) {
	m.Line("const long long hexcc_lo[] = {%s};", strings.Join(lo, ", "))
	m.Line("const long long hexcc_hi[] = {%s};", strings.Join(hi, ", "))
	m.Line("const long long hexcc_extent[] = {%s};", strings.Join(extent, ", "))
	step := "0"
	if len(steps) > 0 {
		var texts []string
		for d := range lo {
			texts = append(texts, fmt.Sprint(max(1, steps[d])))
		}
		step = "hexcc_step"
		m.Line("static const long long %s[] = {%s};", step, strings.Join(texts, ", "))
	}
	m.Line("hexcc_bytes += hexcc_box(%shexcc_mode, hexcc_buffer + hexcc_bytes, hexcc_mode == HEXCC_COUNT ? 0 : hexcc_arrays[%s], %d, %d, hexcc_lo, hexcc_hi, %s, hexcc_extent);",
		m.gpu("hexcc_gpu, "), object, a.Elem.Size(), len(lo), step)
}

// number returns the number of an array, Object that of an object of one among all objects.
func (m *Region) number(a *scop.Array) int { return slices.Index(m.Scop.Arrays, a) }
func (m *Region) Object(a *scop.Array, k int) (n int) {
	for _, b := range m.Scop.Arrays {
		if a == b {
			return n + k
		}
		n += len(b.Objects())
	}
	panic("mpitext: Object: no such array")
}

// flag returns a condition as C has it.
func flag(holds bool) string {
	if holds {
		return "1"
	}
	return "0"
}

// state prints what a run knows of messages.
func (m *Region) state() string {
	messages := m.Plan.Messages()
	var used []string
	for _, strips := range messages {
		used = append(used, flag(len(strips) > 0))
	}
	progress := strings.ReplaceAll(progressText, "FN", m.Name)
	if m.Plan.Pipeline != nil {
		progress = "" // no tiles run between messages
	}
	var passed, fields string
	for _, q := range m.Scop.Params {
		passed += "r->at." + m.Outer[q.Name] + ", "
		fields += fmt.Sprintf("    %v %s;\n", m.Index, m.Outer[q.Name])
	}
	return strings.NewReplacer("FN", m.Name, "GPU_DECL", m.gpu("struct hexcc_gpu *hexcc_gpu, "), "GPU_ARG", m.gpu("hexcc_gpu, "), "NO_GPU", m.gpu("0, "), "FIELDS", fields, "PASSED", passed, "KINDS", fmt.Sprint(len(messages)), "USED", strings.Join(used, ", "),
		"ARRAYS", fmt.Sprint(m.rowsCount()), "OBJECTS", fmt.Sprint(m.Objects()),
		"GRID_TYPES", m.grid(strings.ReplaceAll(gridTypes, "FN", m.Name)), "PIPELINE_FIELDS", m.pipeline(pipelineFields), "GRID_FIELDS", m.grid(strings.ReplaceAll(gridFields, "FN", m.Name)),
		"HAS_FIELDS", m.inHost(fmt.Sprintf(hasFields, 2*len(m.Scop.Arrays))), "KEPT\n", m.inHost("static struct "+m.Name+"_state "+m.Name+"_kept; // from one run to the next\n"),
		"HAS(receives)", m.inHost("r->has[(which % 2 == 0) != receives], "), "HAS(0)", m.inHost("r->has[which % 2 == 0], "), "HAS(1)", m.inHost("r->has[which % 2 != 0], "), "TURNS\n", m.pipelineState(), "PROGRESS\n", progress, "CLOSE\n", m.inHost(strings.NewReplacer("END_TURNS", m.pipeline("  if ("+m.Name+"_kept.opened)\n    "+m.Name+"_turns_close(&"+m.Name+"_kept);\n"), "FN", m.Name, "KINDS", fmt.Sprint(len(messages))).Replace(closeText)),
		"RANK_OF(peer)", m.rankOf("peer")).Replace(`
GRID_TYPES// What a rank knows while it runs.
struct FN_state {
  struct {
FIELDS    char end;
  } at; // the sizes
  int rank, size;
  long long begin, end; // its tiles: begin <= S0 < end
  long long rows[ARRAYS];
  char *arrays[OBJECTS]; // where they would begin if the rank had all of them
  struct hexcc_message send[KINDS], receive[KINDS];
GRID_FIELDSPIPELINE_FIELDSHAS_FIELDS};
KEPT
// Of the kind of message with this number, even ones to the rank above, odd ones to the one below: whether there are any.
static const char FN_used[KINDS] = {USED};

// The neighbour that messages of a kind go to, or come from; -1: there is none.
static int FN_peer(const struct FN_state *r, int which, int receives)
{
  const int peer = (which % 2 == 0) != receives ? r->rank + 1 : r->rank - 1;
  return FN_used[which] && peer >= 0 && peer < r->size ? RANK_OF(peer) : -1;
}

// The border that they cross.
static long long FN_border(const struct FN_state *r, int which, int receives)
{
  return (which % 2 == 0) != receives ? r->end : r->begin;
}

static long long FN_bytes(const struct FN_state *r, int which, int receives, long long T)
{
  return FN_message(NO_GPUHEXCC_COUNT, which, HAS(receives)T, FN_border(r, which, receives), PASSEDr->arrays, r->rows, 0);
}

// Makes room for messages.
static int FN_open(GPU_DECLstruct FN_state *r, MPI_Comm comm, long long lo, long long hi)
{
  int wrong = 0;
  for (int which = 0; which < KINDS; which++)
    for (int receives = 0; receives < 2; receives++) {
      struct hexcc_message *m = receives ? &r->receive[which] : &r->send[which];
      long long room = 0, usual = 0;
      const int peer = FN_peer(r, which, receives);
      for (long long T = lo; peer >= 0 && T <= hi; T++) {
        const long long bytes = FN_bytes(r, which, receives, T);
        room = bytes > room ? bytes : room;
        usual = T == lo + (hi - lo) / 2 ? bytes : usual;
      }
      wrong |= hexcc_message_open(GPU_ARGm, comm, peer, which, receives, room, usual);
    }
  return wrong;
}

TURNS
CLOSE
// Begins to receive the messages after a phase, of both ways.
static void FN_expect(struct FN_state *r, int phase, long long T)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 1) >= 0)
      hexcc_message_start(&r->receive[which], FN_bytes(r, which, 1, T));
}

// Packs them: the tiles at the sides of the rank have run.
static void FN_pack(GPU_DECLstruct FN_state *r, int phase, long long T)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 0) >= 0) {
      struct hexcc_message *m = &r->send[which];
      hexcc_message_end(m); // the one of the time tile before
      m->bytes = FN_bytes(r, which, 0, T);
      if (m->bytes > 0)
        FN_message(GPU_ARGHEXCC_PACK, which, HAS(0)T, FN_border(r, which, 0), PASSEDr->arrays, r->rows, m->packed);
    }
}

// Sends what is packed.
static void FN_send(struct FN_state *r, int phase)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 0) >= 0)
      hexcc_message_start(&r->send[which], r->send[which].bytes);
}

PROGRESS
// Waits for what neighbours send.
static void FN_await(struct FN_state *r, int phase)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 1) >= 0)
      hexcc_message_end(&r->receive[which]);
}

// Puts it where it belongs.
static void FN_unpack(GPU_DECLstruct FN_state *r, int phase, long long T)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 1) >= 0) {
      struct hexcc_message *m = &r->receive[which];
      if (m->bytes > 0)
        FN_message(GPU_ARGHEXCC_UNPACK, which, HAS(1)T, FN_border(r, which, 1), PASSEDr->arrays, r->rows, m->packed);
    }
}

`)
}

// progressText is called while tiles run.
const progressText = `// Lets the library work on them.
static void FN_progress(struct FN_state *r, int phase)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++) {
    hexcc_message_test(&r->send[which]);
    hexcc_message_test(&r->receive[which]);
  }
}

`

// hasFields is what the nest of a loop knows besides.
const hasFields = `  char has[2][%d]; // of the border below, and of that above, by array and way: whether the receiver has what it reads there
  char opened;     // there are messages
`

// closeText frees the messages of such a nest.
const closeText = `static void FN_close(void)
{
END_TURNS  for (int which = 0; FN_kept.opened && which < KINDS; which++) {
    hexcc_message_close(&FN_kept.send[which]);
    hexcc_message_close(&FN_kept.receive[which]);
  }
  FN_kept.opened = 0;
}

`
