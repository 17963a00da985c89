package schedule

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
)

// find returns the kernel of a name.
func find(t *testing.T, name string) kernel {
	for _, k := range kernels() {
		if k.name == name {
			return k
		}
	}
	t.Fatalf("no kernel %s", name)
	return kernel{}
}

// builder returns the hybrid tiling of a kernel before it becomes a schedule, for tests to spoil.
func builder(t *testing.T, k kernel) ([]Dependence, hybrid) {
	deps, c, cone := analyze(t, k.p)
	y, err := newHybrid(c, cone, k.sizes)
	require.NoError(t, err)
	return deps, y
}

// TestProofsFailOnMutants spoils one thing of a schedule at a time and expects
// the proof that is about it to fail, with a counterexample.
func TestProofsFailOnMutants(t *testing.T) {
	reshape := func(lo, hi slope, w0 int64) func(*hybrid) {
		return func(y *hybrid) { y.hex = newHexagon(hi, lo, y.hex.H, w0) }
	}
	swap2 := poly.MustMap("{ [T, p, S0, S1, t, i, j] -> [T, 1 - p, S0, S1, t, i, j] }")
	for _, m := range []struct {
		name, kernel        string
		spoil               func(*hybrid)
		after               func(*Schedule)
		partition, legality bool // whether the proof still holds
	}{
		{name: "nothing", kernel: "jacobi-2d", partition: true, legality: true},
		{name: "misprinted (3)", kernel: "asymmetric", spoil: func(y *hybrid) { y.hex = misprinted(y.hex) }},
		{name: "misprinted (3), symmetric", kernel: "jacobi-1d", spoil: func(y *hybrid) { y.hex = misprinted(y.hex) }, partition: true, legality: true},
		{name: "w0 below (1)", kernel: "asymmetric", spoil: reshape(slope{2, 1}, slope{1, 1}, 0), partition: true},
		{name: "w0 at (1)", kernel: "asymmetric", spoil: reshape(slope{2, 1}, slope{1, 1}, 1), partition: true, legality: true},
		{name: "slope not clamped", kernel: "lean", spoil: reshape(slope{-1, 1}, slope{2, 1}, 2), legality: true},
		{name: "no slope to the right", kernel: "jacobi-1d", spoil: reshape(slope{1, 1}, slope{0, 1}, 3), partition: true},
		{name: "no slope to the left", kernel: "jacobi-1d", spoil: reshape(slope{0, 1}, slope{1, 1}, 3), partition: true},
		{name: "upright classical tiles", kernel: "jacobi-2d", spoil: func(y *hybrid) { y.lo[1] = slope{0, 1} }, partition: true},
		{name: "phases swapped", kernel: "jacobi-2d", after: func(s *Schedule) { s.Map = s.Map.ApplyRange(swap2) }, partition: true},
		{name: "classical tiles in parallel", kernel: "jacobi-2d", after: func(s *Schedule) { s.Dims[3].Role = Block; s.Order = Launched(s.Dims[:s.tileDims()]) }, partition: true},
		{name: "phases in parallel", kernel: "jacobi-2d", after: func(s *Schedule) { s.Dims[1].Role = Block; s.Order = Launched(s.Dims[:s.tileDims()]) }, partition: true},
		{name: "time in parallel", kernel: "jacobi-2d", after: func(s *Schedule) { s.Dims[4].Role = Thread; s.Order = Launched(s.Dims[:s.tileDims()]) }, partition: true},
		{name: "blocks in order", kernel: "jacobi-2d", after: func(s *Schedule) { s.Dims[2].Role = Seq; s.Order = Launched(s.Dims[:s.tileDims()]) }, partition: true, legality: true},
		{name: "an instance lost", kernel: "jacobi-2d", after: func(s *Schedule) {
			s.Map = s.Map.Subtract(poly.MustMap("{ S0[t, i, j] -> [T, p, S0, S1, u, x, y] : t = 7 and i = 2 and j = 3 }"))
		}, legality: true},
		{name: "an instance too many", kernel: "jacobi-1d", after: func(s *Schedule) {
			s.Map = s.Map.Union(poly.MustMap("{ S0[-1, 0] -> [0, 0, 0, 0, 0] }"))
		}, legality: true},
		{name: "an instance twice", kernel: "jacobi-1d", after: func(s *Schedule) {
			s.Map = s.Map.Union(poly.MustMap("[T, N] -> { S0[0, 1] -> [9, 0, 0, 0, 1] : T > 0 and N > 2 }"))
		}},
		{name: "a cone too small", kernel: "jacobi-2d", after: func(s *Schedule) { s.Cone = zeroCone(2) }, partition: true, legality: true},
		{name: "a cone too small, and upright tiles", kernel: "jacobi-2d", spoil: func(y *hybrid) { y.lo[1] = slope{0, 1}; y.cone = zeroCone(2) }, partition: true},
	} {
		t.Run(m.name, func(t *testing.T) {
			deps, y := builder(t, find(t, m.kernel))
			if m.spoil != nil {
				m.spoil(&y)
			}
			s := y.schedule()
			if m.after != nil {
				before := s.Map.String()
				if m.after(s); s.Map.String() != before {
					s.points = poly.Map{} // the relation is no longer that of the phases
				}
			}
			for _, x := range []struct {
				proof Proof
				want  bool
			}{{ProvePartition(s), m.partition}, {ProveLegality(s, deps), m.legality}} {
				require.Equal(t, x.want, x.proof.Holds, "%v", x.proof)
				assert.Equal(t, x.want, x.proof.Violation == "")
				assert.Empty(t, x.proof.Undecided)
				assert.Positive(t, x.proof.Tests)
				checkQuestions(t, x.proof)
				if !x.want {
					t.Log(x.proof)
				}
			}
		})
	}
}

// checkQuestions checks that the questions of a proof add up to it.
func checkQuestions(t *testing.T, p Proof) {
	tests := 0
	for i, q := range p.Questions {
		assert.NotEmpty(t, q.Text)
		assert.Equal(t, p.Holds || i < len(p.Questions)-1, q.Holds, q.Text)
		assert.LessOrEqual(t, q.Took, p.Took) // but several may be asked at once
		tests += q.Tests
	}
	assert.Equal(t, p.Tests, tests)
	assert.Equal(t, p.Holds, len(p.Places) == 0)
}

// TestQuestions pins what is asked of a schedule.
func TestQuestions(t *testing.T) {
	deps, y := builder(t, find(t, "copy-back"))
	s := y.schedule()
	var asked []string
	for _, p := range []Proof{ProvePartition(s), ProveLegality(s, deps)} {
		for _, q := range p.Questions {
			asked = append(asked, q.Text)
		}
	}
	assert.Equal(t, []string{
		"every instance of S0 is in a tile",
		"tiles hold no instance of S0 outside of its domain",
		"no instance of S0 has two places in the schedule",
		"every instance of S1 is in a tile",
		"tiles hold no instance of S1 outside of its domain",
		"no instance of S1 has two places in the schedule",
		"dependence of S0 on S0: the later runs later (1 output)",
		"dependences of S1 on S0: the later runs later (1 flow, 3 anti)",
		"dependences of S0 on S1: the later runs later (3 flow, 1 anti)",
		"dependence of S1 on S1: the later runs later (1 output)",
	}, asked)
}

func zeroCone(dims int) (c Cone) {
	for range dims {
		c.Lo, c.Hi = append(c.Lo, new(big.Rat)), append(c.Hi, new(big.Rat))
	}
	return c
}
