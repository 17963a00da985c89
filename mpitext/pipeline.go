package mpitext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/ranks"
)

// This file prints what ranks have besides where they are a pipeline: what is sent in each turn of a time tile, a tile along S1 of each tile along S0, and what a run does with it.

// pipeline returns text where ranks are a pipeline, else none.
func (m *Region) pipeline(text string) string {
	if m.Plan.Pipeline != nil {
		return text
	}
	return ""
}

// rankOf returns the number that MPI knows a rank by, of its number among those that share out S0, as C. Tiles of a nest that run through arrays backwards are shared out from the last rank on.
func (m *Region) rankOf(number string) string {
	switch {
	case m.Plan.Grid != nil:
		return number + " * r->columns + r->column"
	case m.host != "" && m.Plan.Reversed():
		return "r->size - 1 - " + number
	}
	return number
}

// pipelineState prints what a run does in turns.
func (m *Region) pipelineState() string {
	if m.Plan.Pipeline == nil {
		return ""
	}
	passed := ""
	for _, q := range m.Scop.Params {
		passed += "r->at." + m.Outer[q.Name] + ", "
	}
	return strings.NewReplacer("FN", m.Name, "PASSED", passed, "RANK_ABOVE", m.rankOf("(r->rank + 1)"), "RANK_BELOW", m.rankOf("(r->rank - 1)")).Replace(pipelineText)
}

// pipelineFields is what a rank of a pipeline knows while it runs.
const pipelineFields = `  long long turn, last_turn;                   // of all time tiles: the first and the last tile along the next dimension
  struct hexcc_message (*links)[2][2];         // by turn and way, 0 is up, and whether it is received
  long long arrived[2];                        // the next turn to be put in place, of what comes up in this time tile, and of what comes down of the one before
  long long turn_room[2];                      // bytes that a message of a turn has at most, by way
`

// pipelineText sends and receives. There is a message for each turn and way, whose buffer is used in each time tile: when a rank sends of a turn again, its neighbour has received what it sent of it in the time tile before, or will without having to wait.
const pipelineText = `
// The rank above this one, or below; -1: there is none.
static int FN_beside_of(const struct FN_state *r, int above)
{
  return above ? (r->rank + 1 < r->size ? RANK_ABOVE : -1) : (r->rank > 0 ? RANK_BELOW : -1);
}

static long long FN_turn_bytes(const struct FN_state *r, int way, int receives, long long T, long long turn, int mode, char *buffer)
{
  return FN_slabs(mode, way, T, turn, (way == 0) != receives ? r->end : r->begin, PASSEDr->arrays, r->rows, buffer);
}

// Makes room for the messages of turns.
static int FN_turns_open(struct FN_state *r, MPI_Comm comm)
{
  int wrong = 0;
  FN_turns(PASSED&r->turn, &r->last_turn);
  FN_turn_room(PASSEDr->turn_room);
  if (r->turn > r->last_turn)
    r->turn = 0, r->last_turn = -1;
  r->arrived[0] = r->arrived[1] = r->turn;
  if (r->turn > r->last_turn)
    return 0;
  r->links = (struct hexcc_message (*)[2][2])calloc((size_t)(r->last_turn - r->turn + 1), sizeof *r->links);
  if (!r->links)
    return 1;
  for (long long turn = r->turn; turn <= r->last_turn; turn++)
    for (int way = 0; way < 2; way++)
      for (int receives = 0; receives < 2; receives++) {
        const int peer = FN_beside_of(r, (way == 0) != receives);
        wrong |= hexcc_message_open(&r->links[turn - r->turn][way][receives], comm, peer, 2 + way, receives, peer >= 0 ? r->turn_room[way] : 0, 0);
      }
  return wrong;
}

static void FN_turns_close(struct FN_state *r)
{
  for (long long turn = r->turn; r->links && turn <= r->last_turn; turn++)
    for (int k = 0; k < 4; k++)
      hexcc_message_close(&r->links[turn - r->turn][k / 2][k % 2]);
  free(r->links);
  r->links = 0;
}

// Begins to receive what comes one way of time tile T, all of which a rank has put in place of the time tile before.
static void FN_turns_expect(struct FN_state *r, int way, long long T)
{
  r->arrived[way] = r->turn;
  if (FN_beside_of(r, way == 1) < 0)
    return;
  for (long long turn = r->turn; turn <= r->last_turn; turn++)
    hexcc_message_start(&r->links[turn - r->turn][way][1], FN_turn_bytes(r, way, 1, T, turn, HEXCC_COUNT, 0));
}

// Waits for what comes one way of time tile T, up to a turn, and puts it in place.
static void FN_turns_arrive(struct FN_state *r, int way, long long T, long long turn)
{
  if (FN_beside_of(r, way == 1) < 0)
    return;
  for (; r->arrived[way] <= hexcc_least(turn, r->last_turn); r->arrived[way]++) {
    struct hexcc_message *m = &r->links[r->arrived[way] - r->turn][way][1];
    hexcc_message_end(m);
    if (m->bytes > 0)
      FN_turn_bytes(r, way, 1, T, r->arrived[way], HEXCC_UNPACK, m->packed);
  }
}

// Lets the library work on what comes next.
static void FN_turns_progress(struct FN_state *r)
{
  for (int way = 0; way < 2; way++)
    if (FN_beside_of(r, way == 1) >= 0 && r->arrived[way] >= r->turn && r->arrived[way] <= r->last_turn)
      hexcc_message_test(&r->links[r->arrived[way] - r->turn][way][1]);
}

// Sends what tiles of time tile T have written in a turn.
static void FN_turn_send(struct FN_state *r, int way, long long T, long long turn)
{
  if (turn < r->turn || turn > r->last_turn || FN_beside_of(r, way == 0) < 0)
    return;
  struct hexcc_message *m = &r->links[turn - r->turn][way][0];
  const long long bytes = FN_turn_bytes(r, way, 0, T, turn, HEXCC_COUNT, 0);
  hexcc_message_end(m); // that of the time tile before
  if (bytes > 0)
    FN_turn_bytes(r, way, 0, T, turn, HEXCC_PACK, m->packed);
  hexcc_message_start(m, bytes);
}

`

// pipelineBefore returns the functions on turns that those of the state call.
func (m *Region) pipelineBefore() string {
	if m.Plan.Pipeline == nil {
		return ""
	}
	return m.turns() + m.slabs() + m.turnRoom()
}

// turns prints the function that finds the first and the last tile along S1.
func (m *Region) turns() string {
	return m.function(func() {
		if !m.Plan.Turns() {
			m.Line("*hexcc_lo = *hexcc_hi = 0; // a time tile is one turn")
			return
		}
		t, ph := m.Plan.T, m.Plan.Phases[0]
		m.Line("*hexcc_lo = LLONG_MAX, *hexcc_hi = LLONG_MIN;")
		find := func() {
			m.Line("const %v hexcc_least = %s, hexcc_most = %s;", m.Index, m.Expr(ph.SecondLo), m.Expr(ph.SecondHi))
			m.Line("if (hexcc_least <= hexcc_most && hexcc_least < *hexcc_lo)")
			m.Line("  *hexcc_lo = hexcc_least;")
			m.Line("if (hexcc_least <= hexcc_most && hexcc_most > *hexcc_hi)")
			m.Line("  *hexcc_hi = hexcc_most;")
		}
		m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, t, m.Expr(m.Plan.TLo), t, m.Expr(m.Plan.THi), t), func() {
			if m.Plan.TurnsByTile() {
				m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, ph.Tile, m.Expr(ph.Lo), ph.Tile, m.Expr(ph.Hi), ph.Tile), find)
				return
			}
			m.Line("if (%s > %s)", m.Expr(ph.Lo), m.Expr(ph.Hi))
			m.Line("  continue;")
			find()
		})
	}, func(decls string) {
		m.Line("// The first and the last turn: a tile along the dimension next to %s, of all tiles and time tiles.", m.Plan.Phases[0].Tile)
		m.Line("static void %s_turns(%slong long *hexcc_lo, long long *hexcc_hi)", m.Name, decls)
	})
}

// slabs prints the function that goes through the boxes of the slabs of a turn.
func (m *Region) slabs() string {
	used := false
	for _, slabs := range [][]ranks.Slab{m.Plan.Pipeline.Up, m.Plan.Pipeline.Down} {
		used = used || len(slabs) > 0
	}
	return m.function(func() {
		m.Line("long long hexcc_bytes = 0;")
		m.Line("(void)hexcc_turn;")
		if !used {
			m.Line("(void)hexcc_mode, (void)hexcc_way, (void)%s, (void)%s, (void)hexcc_arrays, (void)hexcc_rows, (void)hexcc_buffer;", m.Plan.T, m.Plan.Border)
		}
		for way, slabs := range [][]ranks.Slab{m.Plan.Pipeline.Up, m.Plan.Pipeline.Down} {
			if len(slabs) == 0 {
				continue
			}
			m.Braces(fmt.Sprintf("if (hexcc_way == %d)", way), func() {
				for _, s := range slabs {
					m.Braces("", func() { m.turnSlab(s) })
				}
			})
		}
		m.Line("return hexcc_bytes;")
	}, func(decls string) {
		m.Line("// The boxes that go up, 0, or down, 1, in a turn of a time tile, at a border of tiles.")
		m.Line("static long long %s_slabs(int hexcc_mode, int hexcc_way, long long %s, long long hexcc_turn, long long %s, %schar *const *hexcc_arrays,", m.Name, m.Plan.T, m.Plan.Border, decls)
		m.Line("    const long long *hexcc_rows, char *hexcc_buffer)")
	})
}

// turnSlab prints what is done with the boxes of a slab: one for each step, and, where S1 is skewed, for each row.
func (m *Region) turnSlab(s ranks.Slab) {
	c, ph := m.Plan.Schedule.Canonical, m.Plan.Schedule.Phases[0]
	d, k, height, places := ph.Space[0], int64(c.K), m.Plan.Schedule.Height, c.Places[s.Stmt.Order]
	m.numbersOf("hexcc_lean", d.Lo)
	m.Line("const long long hexcc_step = %s; // step a is iteration (a + that) / %d", m.Expr(affine.Var(m.Plan.T).Times(height).Add(-ph.TimeShift-int64(c.Levels[s.Stmt.Order]))), k)
	m.Line("const long long hexcc_border_row = %s;", m.Expr(affine.Var(m.Plan.Border).Times(d.Stride).Add(d.Offset)))
	m.Line("const long long hexcc_last = hexcc_least(%s, hexcc_down_to(hexcc_step + %d, %d));", m.Expr(s.Hi[0]), height-1, k)
	m.Line("long long hexcc_t = hexcc_most(%s, hexcc_up_to(hexcc_step, %d));", m.Expr(s.Lo[0]), k)
	if s.Depth >= 0 {
		m.Line("hexcc_t = hexcc_most(hexcc_t, hexcc_last - %d);", s.Depth)
	}
	m.Braces("for (; hexcc_t <= hexcc_last; hexcc_t++)", func() {
		m.Line("const long long hexcc_a = hexcc_t * %d - hexcc_step, hexcc_first = hexcc_border_row + hexcc_lean[hexcc_a];", k)
		from, to := fmt.Sprintf("hexcc_first - %d", s.Ahead), "hexcc_first - 1"
		if !s.Up {
			from, to = "hexcc_first", fmt.Sprintf("hexcc_least(hexcc_first + %d, hexcc_border_row%s)", s.Near, ctext.Plus(s.Far))
		}
		var skew []int64
		if m.Plan.Turns() {
			skew = c.Skew(1)
		}
		skewed := skew != nil && skew[0] != 0
		body := func(row, from, to string) {
			los, his := []string{"hexcc_t"}, []string{"hexcc_t"}
			for i := range s.Stmt.Iters[1:] {
				l, h := m.Expr(s.Lo[i+1]), m.Expr(s.Hi[i+1])
				los, his = append(los, "(long long)("+l+")"), append(his, "(long long)("+h+")")
			}
			narrow := func(d int, from, to, add string) {
				shift := m.Expr(m.Scop.Sum(places[d].Shift, nil)) + add
				switch i := places[d].Iter; {
				case i < 0:
					m.Line("if (%s < %s || %s > %s)", shift, from, shift, to)
					m.Line("  continue;")
				case places[d].Down:
					los[i] = fmt.Sprintf("hexcc_most(%s, %s - (%s))", los[i], shift, to)
					his[i] = fmt.Sprintf("hexcc_least(%s, %s - (%s))", his[i], shift, from)
				default:
					los[i] = fmt.Sprintf("hexcc_most(%s, %s - (%s))", los[i], from, shift)
					his[i] = fmt.Sprintf("hexcc_least(%s, %s - (%s))", his[i], to, shift)
				}
			}
			narrow(0, from, to, "")
			if m.Plan.Turns() {
				d1, add := ph.Space[1], ""
				m.numbersOf("hexcc_left", d1.Lo)
				m.numbersOf("hexcc_right", d1.Hi)
				turn := fmt.Sprintf("hexcc_turn * %d%s", d1.Stride, ctext.Plus(d1.Offset))
				m.Line("const long long hexcc_from = %s + hexcc_left[hexcc_a], hexcc_to = %s + hexcc_right[hexcc_a];", turn, turn)
				if skewed {
					add = fmt.Sprintf(" + %d * %s", skew[0], row)
				}
				narrow(1, "hexcc_from", "hexcc_to", add)
			}
			m.Line("const long long hexcc_least_of[] = {%s}, hexcc_most_of[] = {%s};", strings.Join(los, ", "), strings.Join(his, ", "))
			m.Line("int hexcc_none = 0;")
			m.Line("for (int hexcc_i = 0; hexcc_i < %d; hexcc_i++)", len(los))
			m.Line("  hexcc_none |= hexcc_least_of[hexcc_i] > hexcc_most_of[hexcc_i];")
			m.Line("if (hexcc_none)")
			m.Line("  continue;")
			m.slabBox(s, m.heldRows(s))
		}
		if skewed {
			m.Braces(fmt.Sprintf("for (long long hexcc_row = %s; hexcc_row <= %s; hexcc_row++)", from, to), func() { body("hexcc_row", "hexcc_row", "hexcc_row") })
			return
		}
		body("", from, to)
	})
}

// heldRows returns the first and the last element of the array of a slab that the receiver has, along the dimension that ranks share out: one of them, as C.
func (m *Region) heldRows(s ranks.Slab) held {
	a := m.Plan.Arrays[m.number(s.Access.Array)]
	if a.Ring { // it has room for all
		return held{dim: -1}
	}
	if s.Up {
		return held{dim: a.Dim, least: m.Expr(m.Plan.First(a).Add(a.Lo))}
	}
	return held{dim: a.Dim, most: m.Expr(m.Plan.First(a).Add(a.Hi - 1))}
}

// turnRoom prints the function that finds how many bytes a message of a turn has at most: as many as all steps of a time tile fill, away from the ends of arrays.
func (m *Region) turnRoom() string {
	return m.function(func() {
		c, ph := m.Plan.Schedule.Canonical, m.Plan.Schedule.Phases[0]
		for way, slabs := range [][]ranks.Slab{m.Plan.Pipeline.Up, m.Plan.Pipeline.Down} {
			m.Line("hexcc_room[%d] = 0;", way)
			for _, s := range slabs {
				steps := (m.Plan.Schedule.Height + int64(c.K) - 1) / int64(c.K)
				if s.Depth >= 0 {
					steps = min(steps, s.Depth+1)
				}
				text := fmt.Sprintf("%dLL * %d", steps*int64(s.Access.Array.Elem.Size()), max(s.Ahead, s.Near+1))
				for i := range s.Stmt.Iters[1:] {
					places := c.Places[s.Stmt.Order]
					if places[0].Iter == i+1 {
						continue
					}
					all := fmt.Sprintf("((long long)(%s) - (%s) + 1)", m.Expr(s.Hi[i+1]), m.Expr(s.Lo[i+1]))
					if m.Plan.Turns() && places[1].Iter == i+1 {
						all = fmt.Sprintf("hexcc_least(%s, %d)", all, ph.Space[1].Stride)
					}
					text += fmt.Sprintf(" * hexcc_most(0, %s)", all)
				}
				m.Line("hexcc_room[%d] += %s;", way, text)
			}
		}
	}, func(decls string) {
		m.Line("// The bytes that messages of a turn have at most, by way.")
		m.Line("static void %s_turn_room(%slong long *hexcc_room)", m.Name, decls)
	})
}
