package proof_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// fronts calls f with each program whose space loops carry dependences, by fronts of tiles of a width along the first dimension.
func fronts(t *testing.T, width int64, o lower.Options, f func(t *testing.T, name string, s *schedule.Schedule, loops *astgen.Program, p *gpu.Program)) {
	cases.EachInPlace(t, func(t *testing.T, name, text string) {
		x := pipeline.InPlace(t, name, text)
		sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[1]}
		for p := range x.Space.Space {
			sizes.W = append(sizes.W, width+int64(p))
		}
		s, err := schedule.TileFronts(x.Space, x.Cone, x.Deps, sizes)
		require.NoError(t, err)
		loops := pipeline.Loops(t, s)
		p, err := lower.Lower(loops, pipeline.Device(t, "sm_80"), o)
		require.NoError(t, err)
		require.NoError(t, p.Verify())
		f(t, name, s, loops, p)
	})
}

// unproved returns the first proof of kernels by fronts that does not hold, "" if all do.
func unproved(loops *astgen.Program, p *gpu.Program) string {
	for _, x := range []schedule.Proof{proof.Emission(p, loops), proof.Staging(p, loops)} {
		if !x.Holds {
			return x.String()
		}
	}
	return ""
}

// TestFronts proves of kernels by fronts that they run the schedule, with and without shared memory, and that indices suffice, and runs them.
func TestFronts(t *testing.T) {
	for _, width := range []int64{1, 4, 16} {
		for _, o := range []lower.Options{{}, {Async: true}, {Strategy: lower.Global}} {
			if o.Strategy == lower.Global && width != 4 {
				continue
			}
			fronts(t, width, o, func(t *testing.T, name string, s *schedule.Schedule, loops *astgen.Program, p *gpu.Program) {
				require.Empty(t, unproved(loops, p))
				indices := proof.Indices(p, s)
				require.True(t, !p.Told || indices.Holds, indices.Text(false))
				if name != "box-3d" || width < 16 { // what that uses does not fit
					require.Equal(t, o.Strategy == lower.Global, len(p.Kernels[0].Shared) == 0)
					require.Equal(t, o.Async, p.CopiesAsync())
				}
				v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 8000, Jobs: 2})
				require.NoError(t, err, name)
				require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)
			})
		}
	}
}

// rewritten returns nodes as f makes them, from inside to outside; f returns what stands in place of a node.
func rewritten(nodes []gpu.Node, f func(gpu.Node) []gpu.Node) (out []gpu.Node) {
	for _, n := range nodes {
		switch x := n.(type) {
		case gpu.For:
			x.Body = rewritten(x.Body, f)
			n = x
		case gpu.If:
			x.Then, x.Else = rewritten(x.Then, f), rewritten(x.Else, f)
			n = x
		}
		out = append(out, f(n)...)
	}
	return out
}

// frontMutants are mistakes in kernels by fronts; each returns what stands in place of a node.
var frontMutants = map[string]func(gpu.Node) []gpu.Node{
	"no barrier between waves": func(n gpu.Node) []gpu.Node {
		if b, ok := n.(gpu.Barrier); ok && b.Role.Kind == gpu.BeforeNextWave {
			return nil
		}
		return []gpu.Node{n}
	},
	"no barrier after copies": func(n gpu.Node) []gpu.Node {
		if b, ok := n.(gpu.Barrier); ok && b.Role.Kind != gpu.BeforeNextWave {
			return nil
		}
		return []gpu.Node{n}
	},
	"no copies in": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.CopyIn {
			return nil
		}
		return []gpu.Node{n}
	},
	"a copy one element less": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.CopyIn {
			x.Loops = slices.Clone(x.Loops)
			last := &x.Loops[len(x.Loops)-1]
			last.Hi = affine.Offset(last.Hi, -1)
			return []gpu.Node{x}
		}
		return []gpu.Node{n}
	},
	"no stores": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.Store {
			return nil
		}
		return []gpu.Node{n}
	},
	"stores at the last step alone": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.Store {
			x.Guard = x.Guard[:1]
			return []gpu.Node{x}
		}
		return []gpu.Node{n}
	},
	"stores not at the last step": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.Store {
			x.Guard = x.Guard[1:]
			return []gpu.Node{x}
		}
		return []gpu.Node{n}
	},
	"a store of the element beside": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.Store {
			c := x.Body[0].(gpu.Copy)
			c.From.Index = slices.Clone(c.From.Index)
			c.From.Index[0] = affine.Offset(c.From.Index[0], 1)
			x.Body = []gpu.Op{c}
			return []gpu.Node{x}
		}
		return []gpu.Node{n}
	},
	"a store more, of the element beside": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.Threads); ok && x.Role.Kind == gpu.Store {
			c := x.Body[0].(gpu.Copy)
			c.To.Index, c.From.Index = slices.Clone(c.To.Index), slices.Clone(c.From.Index)
			c.To.Index[0], c.From.Index[0] = affine.Offset(c.To.Index[0], 1), affine.Offset(c.From.Index[0], 1)
			y := x
			y.Body = []gpu.Op{c}
			return []gpu.Node{x, y}
		}
		return []gpu.Node{n}
	},
	"a wave less": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.For); ok && x.Var == "wave" {
			x.Hi = affine.Offset(x.Hi, -1)
			return []gpu.Node{x}
		}
		return []gpu.Node{n}
	},
	"tiles of the next front, too": func(n gpu.Node) []gpu.Node {
		if x, ok := n.(gpu.For); ok && x.Var == "S0" {
			hi := x.Hi.(affine.Min)
			args := slices.Clone(hi.Args)
			for i, e := range args {
				if s, ok := e.(affine.Sum); ok && s.Coef("front") != 0 {
					args[i] = s.Add(1)
				}
			}
			x.Hi = affine.MinOf(args...)
			return []gpu.Node{x}
		}
		return []gpu.Node{n}
	},
	"points of a wave in another": func(n gpu.Node) []gpu.Node {
		x, ok := n.(gpu.Threads)
		if !ok || x.Role.Kind != gpu.WavePoints {
			return []gpu.Node{n}
		}
		by := map[string]affine.Sum{"wave": affine.Var("wave").Minus(affine.Var("q"))}
		c := x.Body[0].(gpu.Compute)
		at := gpu.Compute{Stmt: c.Stmt}
		for _, e := range c.Iters {
			at.Iters = append(at.Iters, affine.Subst(e, by))
		}
		for _, r := range c.Refs {
			index := r.Index
			r.Index = nil
			for _, e := range index {
				r.Index = append(r.Index, affine.Subst(e, by))
			}
			at.Refs = append(at.Refs, r)
		}
		x.Body = []gpu.Op{at}
		return []gpu.Node{x}
	},
}

// TestFrontMutants makes mistakes in kernels by fronts: the proofs find each of them in each program that has it, and the emulator most.
func TestFrontMutants(t *testing.T) {
	var counting sync.Mutex
	made, ran := map[string]int{}, map[string]int{}
	t.Run("all", func(t *testing.T) {
		fronts(t, 4, lower.Options{}, func(t *testing.T, name string, s *schedule.Schedule, loops *astgen.Program, p *gpu.Program) {
			for what, f := range frontMutants {
				bad, k := *p, *p.Kernels[0]
				k.Body = rewritten(k.Body, f)
				bad.Kernels = []*gpu.Kernel{&k}
				if bad.String() == p.String() {
					continue // no element is computed twice, say
				}
				why := unproved(loops, &bad)
				require.NotEmpty(t, why, what)
				found := bad.Verify() != nil
				if !found {
					v, err := emulate.Verify(emulate.Request{Program: &bad, Schedule: s, Points: 8000, First: true, Jobs: 1})
					require.NoError(t, err)
					found = !v.OK()
				}
				counting.Lock()
				made[what]++
				if found {
					ran[what]++
				} else {
					t.Logf("%s: running does not show it: %s", what, why)
				}
				counting.Unlock()
			}
		})
	})
	for what := range frontMutants {
		require.GreaterOrEqual(t, made[what], 10, what)
		require.Greater(t, ran[what], made[what]/2, what)
	}
}
