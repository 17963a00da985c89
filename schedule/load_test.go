package schedule

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// saved returns a kernel's schedule, also as text.
func saved(t testing.TB, k kernel) ([]Dependence, *Schedule, string) {
	deps, c, cone := analyze(t, k.p)
	s, err := Hybrid(c, cone, k.sizes)
	require.NoError(t, err)
	return deps, s, Save(s)
}

// load makes the schedule of a file, with the given sizes if it has none.
func load(text string, p *scop.Program, deps []Dependence, sizes Sizes) (Plan, *Schedule, error) {
	plan, err := Load("edited.hs", []byte(text), p)
	if err != nil {
		return plan, nil, err
	}
	c, err := plan.Canonicalize(p, deps)
	if err != nil {
		return plan, nil, err
	}
	cone, err := plan.Cone(c, deps)
	if err != nil {
		return plan, nil, err
	}
	if plan.Sizes != nil {
		sizes = *plan.Sizes
	}
	tile := plan.Hybrid
	switch plan.Strategy {
	case "space":
		tile = func(c *Canonical, _ Cone, sizes Sizes) (*Schedule, error) { return plan.Space(c, sizes) }
	case "untiled":
		tile = func(c *Canonical, _ Cone, sizes Sizes) (*Schedule, error) { return plan.Untiled(c, sizes) }
	}
	s, err := tile(c, cone, sizes)
	return plan, s, err
}

func TestSavedSchedulesLoad(t *testing.T) {
	for _, k := range kernels() {
		deps, s, text := saved(t, k)
		plan, again, err := load(text, k.p, deps, Sizes{})
		require.NoError(t, err, "%s\n%s", k.name, text)
		require.NoError(t, plan.Verify(k.p))
		require.NoError(t, again.Verify())
		assert.Equal(t, s.String(), again.String())
		assert.Equal(t, text, Save(again))
		_, bare, err := load("hexcc schedule 1\n", k.p, deps, k.sizes)
		require.NoError(t, err)
		assert.Equal(t, s.String(), bare.String())
	}
}

// TestSavedSpaceLoads is TestSavedSchedulesLoad for tiles of space alone, with
// mistakes, and edits: places and widths are free there.
func TestSavedSpaceLoads(t *testing.T) {
	for _, k := range kernels() {
		deps, c, _ := analyze(t, k.p)
		s, err := Space(c, Sizes{W: []int64{3, 5, 7}[:len(c.Space)]})
		require.NoError(t, err)
		text := Save(s)
		plan, again, err := load(text, k.p, deps, Sizes{})
		require.NoError(t, err, "%s\n%s", k.name, text)
		require.NoError(t, plan.Verify(k.p))
		assert.Equal(t, s.String(), again.String())
		assert.Equal(t, text, Save(again))

		u, err := Untiled(c, s.Sizes)
		require.NoError(t, err)
		plan, again, err = load(Save(u), k.p, deps, Sizes{})
		require.NoError(t, err, Save(u))
		assert.Equal(t, "untiled", plan.Strategy)
		assert.Equal(t, u.String(), again.String())
		assert.Equal(t, Save(u), Save(again))

		edited := edit(t, edit(t, text, "w0=3", "w0=11"), "t, i", "t, i + 4")
		if k.name == "copy-back" {
			edited = edit(t, text, ", i]  # line 20", ", 2 - i]")
		}
		if plan, s, err = load(edited, k.p, deps, Sizes{}); err == nil { // i may be no space loop of its own
			assert.True(t, ProvePartition(s).Holds && ProveLegality(s, deps).Holds, edited)
			assert.True(t, s.Loaded && plan.Strategy == "space")
		}
		for _, x := range []struct{ old, new, want string }{
			{"tile w0", "tile h=3, w0", "tiles of space only have no height h"},
			{"strategy space", "strategy boxes", "'boxes' is none of hybrid, space, untiled, wavefront and overlapped"},
			{"strategy space", "strategy hybrid", "tile size h is missing"},
			{"strategy space", "strategy space\nslope s0 -1..1", "tiles of space only have no slopes"},
			{"strategy space", "strategy space\nphase 0 time = 0, s0 = 0", "no phases"},
			{"w0=3", "w0=0", "w0=0: a box is 1 to"},
		} {
			if len(c.Space) > 1 && x.want == "no phases" {
				continue
			}
			_, _, err := load(edit(t, text, x.old, x.new), k.p, deps, Sizes{})
			require.ErrorContains(t, err, x.want)
		}
	}
}

// TestSaveText pins the form of a schedule file.
func TestSaveText(t *testing.T) {
	k := find(t, "fdtd-2d")
	k.p.Region.StartLine, k.p.Region.EndLine = 8, 44
	_, _, text := saved(t, k)
	assert.Equal(t, `hexcc schedule 1
# of test.c, lines 8 to 44. After a change, everything is proved again.
# Lines left out, but for the first, are found from the program.

# Half height of a tile, width of its hexagon in s0, widths in the other dimensions.
tile h=3, w0=3, w1=32

# Where instances lie: their time, s0, s1, ..: the order of the space loops, and shifts.
place S0[t, j] -> [2*t, 0, j]  # line 10
place S1[t, i, j] -> [2*t, i, j]  # line 20
place S2[t, i, j] -> [2*t, i, j]  # line 30
place S3[t, i, j] -> [2*t + 1, i, j]  # line 40

# What a dependence moves by in each step of time, at least and at most.
slope s0 -1..1
slope s1 -1..1

# Where the tile with indices 0 begins; f0 and f1 are h times the slopes above and below of s0, rounded down.
phase 0 time = -h - 1, s0 = -f0 - w0 - 1, s1 = 0
phase 1 time = 0, s0 = 0, s1 = 0
`, text)
}

// edit replaces old by new in text, which must have it.
func edit(t testing.TB, text, old, new string) string {
	require.Contains(t, text, old)
	return strings.ReplaceAll(text, old, new)
}

func TestMistakesInFiles(t *testing.T) {
	k := find(t, "fdtd-2d")
	deps, _, text := saved(t, k)
	for _, x := range []struct{ old, new, want, marked string }{
		{"hexcc schedule 1", "hexcc schedule 2", "a schedule file begins with the line 'hexcc schedule 1'", "hexcc"},
		{"tile h", "tiles h", "'tiles': a line begins with strategy, tile, place, slope, phase, sweep, order, front, group, box, delay or clause", "tiles"},
		{"w1=32", "w1=32, w2=3", "'w2' is no tile size: they are h, w0, w1", "w2"},
		{"w1=32", "w1", "the line ends instead of '='", ""},
		{"w1=32", "w1=-5", "'-' is not a number from 0 to 1048576", "-"},
		{"w1=32", "w1=99999999999", "'99999999999' is not a number from 0 to 1048576", "99999999999"},
		{"w1=32", "h=3", "h is given twice", "h"},
		{", w1=32", "", "tile size w1 is missing", "tile"},
		{"w1=32", "w1=32\ntile h=3", "tile is given twice, first in line 6", "tile"},
		{"w1=32", "w1=32 too", "'too' behind the end of what belongs here", "too"},
		{"place S1", "place S7", "there is no statement 'S7': there are S0, S1, S2, S3", "S7"},
		{"S1[t, i, j]", "S1[t, j, i]", "'j' instead of 'i'", "j"},
		{"[2*t + 1", "[2*t + 2", "the time of S3 is 2*t + 2", "2"},
		{"[2*t + 1", "[2*t - 1", "the time of S3 is 2*t - 1", "2"},
		{"[2*t + 1", "[i + 1", "the time of S3 is i + 1, which is more than steps of the time loop", "i"},
		{"[2*t + 1", "[3*t + 1", "the time of S3 has 3 steps for an iteration of the time loop, and that of a statement before has 2", "3"},
		{"[2*t, 0", "[5*t, 0", "the time of S0 has 5 steps for an iteration of the time loop, which has 4 nests", "5"},
		{"+ 1, i, j]", "+ 1, i, i]", "loop i of S3 is two dimensions", "i"},
		{"+ 1, i, j]", "+ 1, i, 5]", "loop j of S3 is in none of the dimensions", "]"},
		{"+ 1, i, j]", "+ 1, i, i + j]", "i + j is not a place of S3: it is more than a shift of one space loop", "i"},
		{"+ 1, i, j]", "+ 1, i, 2*j]", "2*j is not a place of S3", "2"},
		{"+ 1, i, j]", "+ 1, i, j + t]", "j + t is not a place of S3", "j"},
		{"+ 1, i, j]", "+ 1, i, j + M]", "'M' is neither a number nor one of t, i, j, N, T", "M"},
		{"+ 1, i, j]", "+ 1, i]", "']' instead of ','", "]"},
		{"place S3", "place S2", "place S2 is given twice", "place"},
		{"place S1", "# place S1", "there is a place line for S0, but none for S1", "place"},
		{"slope s0", "slope s5", "there is no space dimension 's5': there are s0, s1", "s5"},
		{"s0 -1..1", "s0 1..1", "the slope below is -1 or 0", "1"},
		{"s0 -1..1", "s0 -1..inf", "the slope of hexagons, in s0, is a number", "inf"},
		{"s0 -1..1", "s0 -1/0..1", "'0' is not a number from 1 to", "0"},
		{"s0 -1..1", "s0 -1.1", "'.' instead of '..'", "."},
		{"slope s0", "# slope s0", "there is a slope line for s1, but none for s0", "slope"},
		{"phase 1", "phase 2", "'2' is not a number from 0 to 1", "2"},
		{"phase 1", "phase 0", "phase 0 is given twice", "phase"},
		{"time = 0", "time = ", "',' is neither a number nor one of h, w0, w1, f0, f1", ","},
		{"1 time = 0, s0 = 0", "1 time = 0, s0 = w2", "'w2' is neither a number", "w2"},
		{"1 time = 0, s0 = 0", "1 time = 0, s1 = 0", "'s1' instead of 's0'", "s1"},
		{"s1 = 0", "s1 = é", "'é' is neither", "é"},
	} {
		edited := edit(t, text, x.old, x.new)
		_, _, err := load(edited, k.p, deps, Sizes{})
		var list diag.List
		require.ErrorAs(t, err, &list, x.new)
		d := list[0]
		assert.Equal(t, diag.Code("HX011"), d.Code, x.new)
		assert.Contains(t, d.Msg, x.want)
		lines := strings.Split(edited, "\n")
		require.LessOrEqual(t, d.At.Line, len(lines))
		assert.True(t, strings.HasPrefix(lines[d.At.Line-1][d.At.Col-1:], x.marked), "%v marks %q", d, lines[d.At.Line-1][d.At.Col-1:])
		assert.Equal(t, max(1, len(x.marked)), d.At.Len, x.new)
	}
	_, err := Load("empty.hs", nil, k.p)
	require.ErrorContains(t, err, "a schedule file begins with the line")
	_, err = Load("many.hs", []byte(edit(t, edit(t, text, "w1=32", "w1=x"), "time = 0", "time = y")), k.p)
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Len(t, list, 2)
}

// TestEdits changes one thing of a schedule and expects it to be proved, or
// refused with instances and the lines that may be the cause.
func TestEdits(t *testing.T) {
	for _, x := range []struct{ name, kernel, old, new, refused, suspect string }{
		{"nothing", "fdtd-2d", "", "", "", ""},
		{"sizes", "fdtd-2d", "h=3, w0=3, w1=32", "h=7, w0=9, w1=5", "", ""},
		{"a steeper slope", "fdtd-2d", "s1 -1", "s1 -2", "", ""},
		{"a wider hexagon", "fdtd-2d", "s0 -1..1", "s0 -1..3/2", "", ""},
		{"no bound above", "fdtd-2d", "s1 -1..1", "s1 -1..inf", "", ""},
		{"all tiles moved", "fdtd-2d", "s1 = 0", "s1 = w1 - 5", "", ""},
		{"both phases moved in time", "fdtd-2d", "time = ", "time = 4 + ", "", ""},
		{"both phases moved in space", "fdtd-2d", "s0 = ", "s0 = 3 + ", "", ""},
		{"a step for each nest", "fdtd-2d", "[2*t, 0, j]  # line 10\nplace S1[t, i, j] -> [2*t, i, j]  # line 20\nplace S2[t, i, j] -> [2*t, i, j]  # line 30\nplace S3[t, i, j] -> [2*t + 1",
			"[4*t, 0, j]\nplace S1[t, i, j] -> [4*t + 1, i, j]\nplace S2[t, i, j] -> [4*t + 2, i, j]\nplace S3[t, i, j] -> [4*t + 3", "", ""},
		{"all statements moved", "copy-back", ", i]  #", ", i + 3]  #", "", ""},
		{"one statement moved, slopes found", "copy-back", "i]  # line 20\n\n# What a dependence moves by in each step of time, at least and at most.\nslope s0 -1..1", "i + 1]", "", ""},
		{"mirrored", "copy-back", ", i]  #", ", -i]  #", "", ""},
		{"a narrower hexagon that is legal for these distances", "copy-back", "w0=2", "w0=0", "", ""},
		{"one phase moved by a whole period", "jacobi-1d", "time = 0, s0 = 0", "time = 0, s0 = 2*w0 + 2 + f0 + f1", "", ""},

		{"one step for all", "copy-back", "[2*t + 1", "[2*t", "legality", ""},
		{"one statement moved", "copy-back", "i]  # line 20", "i + 2]", "legality", "slope"},
		{"one statement mirrored", "copy-back", "i]  # line 20", "-i]", "legality", ""},
		{"too upright", "jacobi-2d", "s1 -1..1", "s1 -1/2..1", "legality", "slope"},
		{"too narrow on the right", "jacobi-1d", "s0 -1..1", "s0 -1..2/3", "legality", "slope"},
		{"too narrow on the left", "jacobi-1d", "s0 -1..1", "s0 0..1", "legality", "slope"},
		{"w0 too small", "asymmetric", "w0=3", "w0=0", "legality", "tile"},
		{"one phase moved in space", "jacobi-1d", "s0 = -f0", "s0 = 1 - f0", "partition", "phase"},
		{"one phase moved in time", "jacobi-1d", "time = -h", "time = 1 - h", "partition", "phase"},
		{"the misprint of the report", "asymmetric", "-f0", "-f1", "partition", "phase"},
	} {
		deps, s, text := saved(t, find(t, x.kernel))
		p := s.Canonical.Scop
		if x.old != "" {
			text = edit(t, text, x.old, x.new)
		}
		plan, s, err := load(text, p, deps, Sizes{})
		require.NoError(t, err, x.name)
		require.NoError(t, s.Verify(), x.name)
		proofs := []Proof{ProvePartition(s), ProveLegality(s, deps)}
		if x.refused == "" {
			for _, proof := range proofs {
				require.True(t, proof.Holds, "%s: %v", x.name, proof)
			}
			continue
		}
		proof := proofs[0]
		if x.refused == "legality" {
			require.True(t, proof.Holds, x.name)
			proof = proofs[1]
		}
		require.False(t, proof.Holds, x.name)
		var list diag.List
		require.ErrorAs(t, plan.Refuse(proof, s, deps), &list)
		d := list[0]
		assert.Equal(t, diag.Code("HX207"), d.Code)
		assert.Equal(t, "test.c", d.At.File)
		assert.Contains(t, d.Msg, "S0[t=", x.name)
		assert.Contains(t, d.Msg, "line ")
		blamed := ""
		for _, n := range d.Notes {
			if n.At.File == "edited.hs" {
				blamed += strings.Split(text, "\n")[n.At.Line-1]
			}
		}
		if x.suspect != "" {
			assert.Contains(t, blamed, x.suspect, x.name)
		}
	}
}

// TestEditsThatCannotBeBuilt checks what is refused before any proof.
func TestEditsThatCannotBeBuilt(t *testing.T) {
	for _, x := range []struct {
		kernel, old, new string
		code             diag.Code
		line             string
	}{
		{"copy-back", "h=3", "h=2", "HX203", "tile"},
		{"jacobi-2d", "w1=32", "w1=0", "HX204", "tile"},
		{"copy-back", "time = 0", "time = 1", "HX207", "phase 1"},
		{"jacobi-2d", "[t, i, j]  #", "[t, j, i]  #", "HX206", "place"},
	} {
		deps, s, text := saved(t, find(t, x.kernel))
		text = edit(t, text, x.old, x.new)
		_, _, err := load(text, s.Canonical.Scop, deps, Sizes{})
		var list diag.List
		require.ErrorAs(t, err, &list, x.new)
		assert.Equal(t, x.code, list[0].Code)
		require.Equal(t, "edited.hs", list[0].At.File, "%v", list[0])
		assert.True(t, strings.HasPrefix(strings.Split(text, "\n")[list[0].At.Line-1], x.line), "%v", list[0])
	}
}

// TestRandomEdits compares what is proved of edited schedules with brute force.
func TestRandomEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	names := []string{"jacobi-1d", "asymmetric", "copy-back", "lean", "halves"}
	edits := []struct{ old, new string }{
		{"s0 = -f0", "s0 = 1 - f0"}, {"s0 = 0", "s0 = -2"}, {"time = 0", "time = 2"}, {"time = -h", "time = 2 - h"},
		{"w0=3", "w0=0"}, {"w0=2", "w0=0"}, {"w0=1", "w0=0"}, {"slope s0 -1.", "slope s0 0."}, {"slope s0 -2.", "slope s0 -1."},
		{"..1\n", "..1/2\n"}, {"..2\n", "..1\n"}, {"..1/2\n", "..1/3\n"}, {", i]  #", ", i + 1]  #"}, {"i]  # line 20", "i - 1]"},
		{"s0 = 0", "s0 = w0"}, {"s0 -1/3", "s0 0"}, {"h=3", "h=1"}, {"h=2", "h=5"},
	}
	held, broken := 0, 0
	for range 40 {
		k := find(t, names[rng.IntN(len(names))])
		deps, _, text := saved(t, k)
		for range 1 + rng.IntN(2) {
			e := edits[rng.IntN(len(edits))]
			text = strings.Replace(text, e.old, e.new, 1)
		}
		_, s, err := load(text, k.p, deps, Sizes{})
		if err != nil {
			continue
		}
		require.NoError(t, s.Verify(), text)
		holds := ProvePartition(s).Holds && ProveLegality(s, deps).Holds
		fault := brute(s, map[string]int64{"N": 40, "T": 12}, 40)
		if holds {
			held++
			require.Empty(t, fault, text)
		} else {
			broken++
		}
	}
	assert.Greater(t, held, 10)
	assert.Greater(t, broken, 10)
}

func FuzzLoad(f *testing.F) {
	k := kernels()[3]
	_, _, text := saved(f, k)
	f.Add(text)
	f.Add("hexcc schedule 1\nphase 0 time = -h - 1, s0 = 2*w0, s1 = f1\n\xff")
	f.Fuzz(func(t *testing.T, text string) {
		if plan, err := Load("fuzz.hs", []byte(text), k.p); err == nil {
			require.NoError(t, plan.Verify(k.p))
		}
	})
}
