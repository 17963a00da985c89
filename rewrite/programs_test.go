package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file runs each rewrite on ten programs, and more. All that they become is printed as C, compiled together by one call of the C compiler, and run beside the interpreter on
// what they were.

// A rewritten is a program and what a rewrite made of it.
type rewritten struct {
	name          string
	before, after *scop.Program
}

// bitwise reports whether both leave the same bits.
func (x rewritten) bitwise() bool { return x.after.Unregrouped == nil }

var (
	defined  = regexp.MustCompile(`(?m)^\s*#\s*define\s+(\w+)`)
	constant = regexp.MustCompile(`(?m)^  (?:const )?(double|float) (\w+ = [^;{}]*);\n`)
	variable = regexp.MustCompile(`(\w+) = `)
	function = regexp.MustCompile(`(?m)^(?:static |inline |const )*(?:unsigned |struct )?\w+[ *]+(\w+)\(`)
)

// apart returns a file with names of its functions that file number i alone has, so that it may stand behind others in one file. Macros of files before it are forgotten. Numbers that a function
// keeps in variables are variables of the file, which drivers give values.
func apart(text string, i int) string {
	head := ""
	for _, m := range defined.FindAllStringSubmatch(text, -1) {
		head += "#undef " + m[1] + "\n"
	}
	head += constant.ReplaceAllString(strings.Join(constant.FindAllString(text, -1), ""), "static $1 $2;\n")
	text = head + constant.ReplaceAllString(text, "")
	for _, name := range slices.Concat(function.FindAllStringSubmatch(text, -1), variable.FindAllStringSubmatch(head, -1)) {
		text = regexp.MustCompile(`\b`+name[1]+`\b`).ReplaceAllString(text, fmt.Sprintf("%s_of_%d", name[1], i))
	}
	return text
}

// compiled returns the program of what all became, in C.
func compiled(t testing.TB, all []rewritten) *crun.Binary {
	t.Helper()
	cc, err := crun.Compiler()
	require.NoError(t, err)
	var text strings.Builder
	var regions []*scop.Program
	for _, x := range all {
		one, err := ctext.Rewritten(x.after)
		require.NoError(t, err, "%s: %v", x.name, x.after)
		text.WriteString(one)
		regions = append(regions, x.before)
	}
	b, err := crun.Compile(cc, t.TempDir(), regions, []byte(text.String()), "-O0", "-Wno-unused", "-ffp-contract=off", "-Werror=implicit-function-declaration")
	require.NoError(t, err)
	return b
}

// requireSame runs programs, as C, at some sizes, and compares with the interpreter on what they were bit for bit; and where rounding may differ bit for bit with that on what they became, whose
// distance from what they were is tolerated. It returns that distance, by program.
func requireSame(t testing.TB, all []rewritten, sizes int) []scop.Rounding {
	t.Helper()
	b := compiled(t, all)
	rng := rand.New(rand.NewPCG(21, 22))
	far, changed := make([]scop.Rounding, len(all)), make([]bool, len(all))
	for i := range sizes {
		var inputs []crun.Input
		for _, x := range all {
			mem, err := scop.NewMemory(x.before, oracle.RandomParams(x.before, rng, i), uint64(i))
			for try := 0; err != nil; try++ { // an array without elements
				require.Less(t, try, 100, "%s: %v", x.name, err)
				mem, err = scop.NewMemory(x.before, oracle.RandomParams(x.before, rng, i+try%3), uint64(i))
			}
			inputs = append(inputs, crun.Input{Memory: mem})
		}
		got, says, err := b.Run(inputs)
		require.NoError(t, err, says)
		for k, x := range all {
			mem := inputs[k].Memory
			was, now := mem.Clone(), mem.Clone()
			require.NoError(t, scop.Run(x.before, was), x.name)
			require.NoError(t, runOn(x.after, now), x.name)
			changed[k] = changed[k] || was.Compare(mem, local(x.before)...).Differ > 0
			if x.bitwise() {
				d := was.Compare(now, local(x.before)...)
				require.Zero(t, d.Differ, "%s: the interpreter at %s: first %s: want %s, got %s\n%v", x.name, mem.Sizes(), d.First, d.A, d.B, x.after)
			} else {
				r := now.CompareRounded(was, mem)
				require.True(t, r.OK(), "%s at %s: %v", x.name, mem.Sizes(), &r)
				far[k].Add(r)
			}
			d := now.Compare(got[k], local(x.before)...)
			require.Zero(t, d.Differ, "%s: in C at %s: first %s: want %s, got %s\n%v", x.name, mem.Sizes(), d.First, d.A, d.B, x.after)
		}
	}
	for k, x := range all {
		require.True(t, changed[k], "%s computes nothing at these sizes", x.name)
	}
	return far
}

// runOn runs p on a memory of the program that it was made of.
func runOn(p *scop.Program, mem *scop.Memory) error {
	own, err := scop.NewMemory(p, mem.Params, 1)
	if err != nil {
		return err
	}
	own.Scalars = mem.Scalars
	for i, s := range own.Arrays {
		if k := slices.IndexFunc(mem.Arrays, func(m *scop.Storage) bool { return m.Array == s.Array }); k >= 0 {
			own.Arrays[i] = mem.Arrays[k]
		}
	}
	return scop.Run(p, own)
}

// local returns the arrays whose values nobody sees.
func local(p *scop.Program) (all []*scop.Array) {
	for _, a := range p.Arrays {
		if a.Local {
			all = append(all, a)
		}
	}
	return all
}

// A trial is a program that is rewritten, and how.
type trial struct {
	name, text string
	rewrite    func(t testing.TB, p *scop.Program) *scop.Program
}

// fissionOf returns the rewrite that makes so many nests of statement order.
func fissionOf(order, parts int) func(t testing.TB, p *scop.Program) *scop.Program {
	return func(t testing.TB, p *scop.Program) *scop.Program {
		r := split(t, p, order)
		require.Equal(t, parts, len(r.Parts()[order]))
		return r.Program
	}
}

// inlineOf returns the rewrite that puts temporaries of a group in registers, and leaves so many statements.
func inlineOf(left int, group ...int) func(t testing.TB, p *scop.Program) *scop.Program {
	return func(t testing.TB, p *scop.Program) *scop.Program {
		r := inlined(t, p, group)
		require.Equal(t, left, len(r.Program.Stmts))
		return r.Program
	}
}

// regrouping is the rewrite of sums, which is proved.
func regrouping(t testing.TB, p *scop.Program) *scop.Program {
	r := rewrite.Reassociate(p, false, rewrite.AnyLoop)
	require.NotNil(t, r)
	require.True(t, r.Prove().Holds, "%v", r.Prove())
	return r.Program
}

// idiom returns the text of an idiom, in which some are replaced by others.
func idiom(t testing.TB, name string, replaced ...string) string {
	return strings.NewReplacer(replaced...).Replace(cases.ReadIdiom(t, name).Text)
}

// fissions are nests that write several arrays: of wave solvers, fluids, weather, pictures; and small ones in which the order of the parts matters.
func fissions(t testing.TB) []trial {
	return []trial{
		{"elastic-waves", idiom(t, "elastic-waves", "1 / (h * h)", "0.7"), fissionOf(0, 3)}, // as ARTEMIS has it (section VI-B, figure 3)
		{"hyperbolic-flux", idiom(t, "hyperbolic-flux"), fissionOf(0, 5)},
		{"electric field", cases.Input(t, "em-3d"), fissionOf(0, 3)},
		{"magnetic field", cases.Input(t, "em-3d"), fissionOf(1, 3)},
		{"advection", idiom(t, "advection-uv"), fissionOf(4, 2)},
		{"corners", idiom(t, "harris"), fissionOf(1, 3)},
		{"fast waves", idiom(t, "fast-waves"), fissionOf(4, 2)},
		{"vertical advection", idiom(t, "vertical-advection"), fissionOf(0, 2)},
		{"hydrostatic", idiom(t, "hydrostatic"), fissionOf(4, 2)},
		{"wind", idiom(t, "wind-divergence"), fissionOf(1, 2)},
		{"old value", distributable("double x = C[i]; C[i] = x + 1; D[i] = x * A[t % 2][i - 1];"), fissionOf(0, 2)},
		{"exchange", distributable("double x = C[i]; C[i] = D[i]; D[i] = x; A[0][i] = x;"), fissionOf(0, 2)},
		{"neighbour", distributable("C[i] += A[0][i]; D[i] = C[i + 1]; B[t % 2][i] = C[i - 1];"), fissionOf(0, 3)},
	}
}

// groups are chains of nests that hand on values in temporaries.
func groups(t testing.TB) []trial {
	return []trial{
		{"diffusion", diffusion, inlineOf(1, 0, 1, 2, 3)},
		{"some of diffusion", diffusion, inlineOf(4, 0, 2)},
		{"unsharp", idiom(t, "unsharp"), inlineOf(1, 0, 1, 2)},
		{"harris", idiom(t, "harris"), inlineOf(1, 0, 1, 2, 3)},
		{"strided", strided, inlineOf(1, 0, 1)},
		{"fused diffusion", idiom(t, "fused-diffusion"), inlineOf(1, 0, 1, 2, 3)},
		{"limited fluxes", idiom(t, "limited-fluxes"), inlineOf(1, 0, 1, 2, 3)},
		{"damping", idiom(t, "supergrid-damping"), inlineOf(1, 0, 1, 2, 3)},
		{"wind", idiom(t, "wind-divergence"), inlineOf(4, 0, 1, 5)},
		{"diffusion-2d", cases.Input(t, "diffusion-2d"), inlineOf(1, 0, 1)},
		{"vertical diffusion", idiom(t, "vertical-diffusion"), inlineOf(6, 0, 1)},
	}
}

// regroupings are sums with parts in common.
func regroupings(t testing.TB) (all []trial) {
	for _, x := range sums {
		all = append(all, trial{x.name, cases.Input(t, x.name), regrouping})
	}
	for _, x := range written {
		if x.before >= 0 {
			all = append(all, trial{x.name, writtenText(x.params, x.body), regrouping})
		}
	}
	return append(all, trial{"advection", idiom(t, "advection-uv"), regrouping}, trial{"damping", idiom(t, "supergrid-damping"), regrouping}, trial{"harris", idiom(t, "harris"), regrouping})
}

// TestPrograms runs each rewrite on at least ten programs. What they become is C that a compiler takes, and leaves what the interpreter does on the original, bit for bit; regrouped sums within the tolerance.
// And each is found out if something is wrong with it.
func TestPrograms(t *testing.T) {
	var all []rewritten
	for _, kind := range []struct {
		name   string
		trials []trial
	}{{"fission", fissions(t)}, {"groups", groups(t)}, {"folding", folds(t)}, {"sums", regroupings(t)}} {
		require.GreaterOrEqual(t, len(kind.trials), 10, kind.name)
		for _, x := range kind.trials {
			p := program(t, apart(x.text, len(all)))
			q := x.rewrite(t, p)
			require.NoError(t, q.Verify(), x.name)
			all = append(all, rewritten{kind.name + ": " + x.name, p, q})
		}
	}
	for k, far := range requireSame(t, all, 3) {
		if !all[k].bitwise() {
			t.Logf("%s: of the source: %v", all[k].name, &far)
		}
	}
	rng := rand.New(rand.NewPCG(23, 24))
	for _, x := range all {
		requireCaught(t, rng, x)
	}
}

// requireCaught changes what a program became: runs by the interpreter or, of sums, the proof tell of all changes, but for one that changes nothing, as the sign of what is squared.
func requireCaught(t testing.TB, rng *rand.Rand, x rewritten) {
	t.Helper()
	spoilt := spoiltOf(x)
	rng.Shuffle(len(spoilt), func(i, k int) { spoilt[i], spoilt[k] = spoilt[k], spoilt[i] })
	spoilt = spoilt[:min(len(spoilt), 12)]
	var missed []*scop.Program
	for _, q := range spoilt {
		if caught := x.bitwise() && leavesElse(t, x.before, q) || !x.bitwise() && !rewrite.ProveSums(x.before, q).Holds; !caught {
			missed = append(missed, q)
		}
	}
	t.Logf("%s: %d of %d mutants are caught", x.name, len(spoilt)-len(missed), len(spoilt))
	require.GreaterOrEqual(t, len(spoilt), 3, x.name)
	require.LessOrEqual(t, len(missed), 1, "%s: %v", x.name, missed)
}

// leavesElse reports whether q, which p became, leaves something else than p, or fails.
func leavesElse(t testing.TB, p, q *scop.Program) bool {
	t.Helper()
	params := make([]int64, len(p.Params))
	for i := range params {
		params[i] = 12
	}
	mem, err := scop.NewMemory(p, params, 5)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(p, want))
	return runOn(q, mem) != nil || want.Compare(mem, local(p)...).Differ > 0
}

// spoiltOf returns programs with one change each: of a value, or statements in another order that have to be in theirs.
func spoiltOf(x rewritten) (all []*scop.Program) {
	for i, s := range x.after.Stmts {
		for k, act := range s.Body {
			for _, value := range mutants(scop.Assigned(act)) {
				q, other := *x.after, *s
				q.Stmts, other.Body = slices.Clone(q.Stmts), slices.Clone(s.Body)
				other.Body[k] = scop.WithValues([]scop.Action{act}, func(scop.Expr) scop.Expr { return value })[0]
				other.Accesses = nil
				other.Visit(func(e scop.Expr) {
					if read, ok := e.(scop.Read); ok {
						other.Accesses = append(other.Accesses, read.From)
					}
				})
				for _, a := range s.Accesses {
					if a.Write {
						other.Accesses = append(other.Accesses, a)
					}
				}
				q.Stmts[i] = &other
				all = append(all, &q)
			}
		}
		for k, row := range s.Bounds { // without the elements at an end of an array that the source does not have
			if slices.ContainsFunc(s.Accesses, func(a *scop.Access) bool { return a.Write && a.Array.Scratch }) && slices.ContainsFunc(row.Iters[1:], func(c int64) bool { return c != 0 }) {
				row.Const--
				q := *x.after
				q.Stmts = slices.Clone(q.Stmts)
				other := *s
				other.Bounds = slices.Clone(s.Bounds)
				other.Bounds[k] = row
				q.Stmts[i] = &other
				q.Stmts[i].Domain = q.Part(s, row)
				all = append(all, &q)
			}
		}
		if i > 0 && x.bitwise() && meet(x.after.Stmts[i-1], s) {
			q := *x.after
			q.Stmts = slices.Clone(q.Stmts)
			q.Stmts[i-1], q.Stmts[i] = q.Stmts[i], q.Stmts[i-1]
			all = append(all, q.Split(make([][][]scop.Affine, len(q.Stmts))))
		}
	}
	return all
}

// meet reports whether one of two statements stores to an array that both access.
func meet(a, b *scop.Stmt) bool {
	return slices.ContainsFunc(a.Accesses, func(x *scop.Access) bool {
		return slices.ContainsFunc(b.Accesses, func(y *scop.Access) bool { return x.Array == y.Array && (x.Write || y.Write) })
	})
}
