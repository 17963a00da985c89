package mpi

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file checks which rows the nests of a loop that ranks run send, and which they do not, since the receiver has them.

// passed returns the arguments of a function of a header, by the names of its parameters.
func passed(t *testing.T, header, function string, instead map[string]string) string {
	found := regexp.MustCompile(`int ` + function + `\(([^)]*)\);`).FindStringSubmatch(header)
	require.NotNil(t, found, function)
	var args []string
	for _, p := range strings.Split(found[1], ", ") {
		name := p[strings.LastIndexAny(p, " *")+1:]
		switch {
		case name == "hexcc_comm":
			name = "MPI_COMM_WORLD"
		case instead[name] != "" && strings.Contains(p, "**"+name):
			name = "&" + instead[name]
		case instead[name] != "":
			name = instead[name]
		case strings.Contains(p, "*"):
			name = "&" + name
		}
		args = append(args, name)
	}
	return strings.Join(args, ", ")
}

// haloProgram is haloLoops, translated and compiled for an MPI.
type haloProgram struct {
	library mpirun.Library
	path    string
	loops   []*ranks.Loop // by function
}

// nestRun is where a nest has found that it runs, and on which arrays.
var nestRun = regexp.MustCompile(`(?s)(static int (\w+)_nest(\d+)_run\(([^)]*)\)\n\{.*?)(const int hexcc_slots\[\] = \{[^}]*\};)`)

// compileHalos translates haloLoops, with a change of what is printed.
func compileHalos(t *testing.T, l mpirun.Library, change func(string) string) haloProgram {
	parts := map[string]string{"A": "a", "B": "b", "C": "c", "D": "d"}
	pointers := map[string]string{"p": "a", "q": "b", "r": "c"}
	p := compileLoops(t, l, haloLoops, func(header string) string {
		return strings.NewReplacer("BRANCHES", passed(t, header, "branches_mpi_0", parts), "TURNS", strings.ReplaceAll(passed(t, header, "turns_mpi_1", pointers), "&most", "&top"),
			"COLUMNS", passed(t, header, "columns_mpi_2", parts)).Replace(haloMain)
	}, change)
	require.Len(t, p.loops, 3)
	return p
}

// compileLoops translates loops that ranks run, each a function, and compiles them with a program that main returns of their header. A change is made of what is printed, and rank 0 lets it say which nests run.
func compileLoops(t *testing.T, l mpirun.Library, source string, main func(header string) string, change func(string) string) haloProgram {
	return compileLoopsAs(t, l, source, hexcc.Options{}, main, change)
}

// compileLoopsAs does so with options.
func compileLoopsAs(t *testing.T, l mpirun.Library, source string, o hexcc.Options, main func(header string) string, change func(string) string) haloProgram {
	o.Base = "halos"
	res := translated(t, "halos.c", source, o)
	p := haloProgram{library: l}
	for _, r := range res.Regions {
		require.NotNil(t, r.Together)
		if len(p.loops) == 0 || p.loops[len(p.loops)-1] != r.Together {
			p.loops = append(p.loops, r.Together)
		}
	}
	text := nestRun.ReplaceAllStringFunc(change(res.C.Text), func(s string) string {
		x := nestRun.FindStringSubmatch(s)
		loop, _ := strconv.Atoi(x[2][strings.LastIndex(x[2], "_")+1:]) // the only one has no number
		nest, err := strconv.Atoi(x[3])
		require.NoError(t, err)
		plan := p.loops[loop].Plans[nest]
		format, values := "", ""
		for _, f := range strings.Split(x[4], ", ")[:len(plan.Scop().Params)] {
			format, values = format+" %ld", values+", (long)"+f[strings.LastIndex(f, " ")+1:]
		}
		for i := range plan.Arrays {
			format, values = format+" %d", values+fmt.Sprintf(", hexcc_slots[%d]", i)
		}
		return s + fmt.Sprintf(` if (%s_all.rank == 0) fprintf(stderr, "runs %d %d%s\n"%s);`, x[2], loop, nest, format, values)
	})
	dir := t.TempDir()
	files := map[string]string{"halos.hex.c": text, "halos.c": source}
	for _, f := range res.C.Named("halos") {
		if strings.HasSuffix(f.Name, ".h") {
			files[f.Name], files["main.c"] = f.Text, main(f.Text)
		}
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	p.path = filepath.Join(dir, "halos")
	cmd := exec.Command(l.Compiler, "-O0", "-w", "-fopenmp", "-ffp-contract=off", "-o", p.path, "main.c", "halos.c", "halos.hex.c", "-lm")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return p
}

// shouldSend returns what each rank sends, by function, in runs of nests that a program has told: by what inspect says of each nest, and of what is kept.
func (p haloProgram) shouldSend(said string, size int) [][][2]int64 {
	all := make([][][2]int64, len(p.loops))
	for of, loop := range p.loops {
		all[of] = make([][2]int64, size)
		var runs [][]int64
		for line := range strings.Lines(said) {
			if numbers, ok := strings.CutPrefix(strings.TrimSpace(line), fmt.Sprintf("runs %d ", of)); ok {
				var run []int64
				for _, x := range strings.Fields(numbers) {
					v, _ := strconv.ParseInt(x, 10, 64)
					run = append(run, v)
				}
				runs = append(runs, run)
			}
		}
		first, last := int64(1), int64(0) // tiles of all nests, as the widest one counts them
		for _, r := range runs {
			plan := loop.Plans[r[0]]
			lo, hi := plan.Tiles(r[1 : 1+len(plan.Scop().Params)])
			if lo > hi || slices.ContainsFunc(plan.Scop().Params, func(q scop.Param) bool { return !slices.Contains([]string{"n", "m", "steps"}, q.Source()) }) {
				continue // it does nothing, or sizes are set in the loop
			}
			times, plus, _ := plan.TileAt(loop.Plans[loop.Widest])
			if times < 0 { // the last tile is the first one
				lo, hi, times, plus = plus-1-hi, plus-1-lo, -times, 0
			}
			lo, hi = (lo-plus-affine.Remainder(lo-plus, times))/times, (hi-plus-affine.Remainder(hi-plus, times))/times
			if first > last {
				first, last = lo, hi
			}
			first, last = min(first, lo), max(last, hi)
		}
		for rank := 1; rank < size; rank++ {
			tiles, n := last-first+1, int64(size)
			border := first + tiles/n*int64(rank) + min(tiles%n, int64(rank))
			has := map[[2]int64]bool{}   // by array and halo
			sizes := map[int64][]int64{} // of the last run of a nest
			for _, r := range runs {
				plan := loop.Plans[r[0]]
				params, slots := r[1:1+len(plan.Scop().Params)], r[1+len(plan.Scop().Params):]
				env := map[string]int64{}
				for i, q := range plan.Scop().Params {
					env[q.Name] = params[i]
				}
				if !slices.Equal(sizes[r[0]], params) {
					maps.DeleteFunc(has, func(x [2]int64, _ bool) bool { return loop.Halos[x[1]].Plan == int(r[0]) && loop.Halos[x[1]].Sized })
				}
				sizes[r[0]] = params
				for which := range plan.Messages() {
					sender := rank - 1 + which%2
					if plan.Reversed() {
						sender = rank - which%2
					}
					for t := affine.Eval(plan.TLo, env); t <= affine.Eval(plan.THi, env) && (which > 1 || t == affine.Eval(plan.TLo, env)); t++ {
						bytes := int64(0)
						times, plus, _ := plan.TileAt(loop.Plans[loop.Widest])
						for _, box := range plan.Boxes(which, params, t, border*times+plus) {
							i := slices.IndexFunc(plan.Arrays, func(a ranks.Array) bool { return a.Array == box.Array })
							k := slices.IndexFunc(loop.Halos, func(h ranks.Halo) bool { return loop.Plans[h.Plan] == plan && h.Array == i && h.Up == (which == 0) })
							if which > 1 || !has[[2]int64{slots[i], int64(k)}] {
								bytes += box.Bytes()
							}
						}
						if bytes > 0 {
							all[of][sender][0]++
							all[of][sender][1] += bytes
						}
					}
				}
				if plan.Pipeline != nil {
					times, plus, _ := plan.TileAt(loop.Plans[loop.Widest])
					turned(plan, params, env, rank, border*times+plus, all[of])
				}
				var covered [][2]int64
				for k, h := range loop.Halos {
					if loop.Plans[h.Plan] != plan || slots[h.Array] < 0 || has[[2]int64{slots[h.Array], int64(k)}] {
						continue
					}
					if h.Sized {
						covered = append(covered, [2]int64{slots[h.Array], int64(k)})
					}
					for _, c := range h.Covers {
						covered = append(covered, [2]int64{slots[h.Array], int64(c)})
					}
				}
				for _, c := range covered {
					has[c] = true
				}
				for i, a := range plan.Arrays {
					if slots[i] == -1 && plan.Scop().Writes(a.Array) { // it may be any
						clear(has)
					}
				}
				for i, list := range loop.Stale[r[0]] {
					for _, s := range list {
						if s.From == nil || affine.Eval(s.From, env) <= border && border <= affine.Eval(s.To, env) {
							delete(has, [2]int64{slots[i], int64(s.Halo)})
						}
					}
				}
			}
		}
	}
	return all
}

// turned adds to all what is sent at the border below a rank, of tiles of the widest nest, in the turns of a nest that is a pipeline.
func turned(plan *ranks.Plan, params []int64, env map[string]int64, rank int, border int64, all [][2]int64) {
	first, last := plan.TurnsAt(params)
	for t := affine.Eval(plan.TLo, env); t <= affine.Eval(plan.THi, env); t++ {
		for turn := first; turn <= last; turn++ {
			for way := range 2 {
				bytes := int64(0)
				for _, box := range plan.TurnBoxes(way == 0, params, t, turn, border) {
					bytes += box.Bytes()
				}
				sender := rank - 1 + way
				if plan.Reversed() {
					sender = rank - way
				}
				if bytes > 0 {
					all[sender][0]++
					all[sender][1] += bytes
				}
			}
		}
	}
}

// didSend reads what ranks have told.
func didSend(said string, functions, size int) [][][2]int64 {
	all := make([][][2]int64, functions)
	for i := range all {
		all[i] = make([][2]int64, size)
	}
	for line := range strings.Lines(said) {
		var of, rank int
		var x [2]int64
		if n, _ := fmt.Sscanf(strings.TrimSpace(line), "sent %d %d %d %d", &of, &rank, &x[0], &x[1]); n == 4 {
			all[of][rank] = x
		}
	}
	return all
}

// run starts the program on ranks of so many threads, with messages of every second rank late.
func (p haloProgram) run(size, threads int, args ...string) (string, error) {
	return p.runFor("60", size, threads, args...)
}

// runFor ends it after so many seconds.
func (p haloProgram) runFor(seconds string, size, threads int, args ...string) (string, error) {
	cmd := exec.Command("timeout", append([]string{seconds, p.library.Starter, "-n", fmt.Sprint(size), p.path}, args...)...)
	cmd.Env = append(append(os.Environ(), mpirun.Environment()...), "HEXCC_DELAY=1", fmt.Sprint("OMP_NUM_THREADS=", threads))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// requireSame runs the program on ranks of so many threads, which compares with the originals, and requires that they send what follows from the plans.
func (p haloProgram) requireSame(t *testing.T, size, threads int, args ...string) {
	t.Helper()
	said, err := p.run(size, threads, args...)
	require.NoError(t, err, "%d ranks, %v: %s", size, args, said)
	require.Equal(t, p.shouldSend(said, size), didSend(said, len(p.loops), size), "%d ranks, %v", size, args)
}

// TestMPIHalos compares loops whose nests read what others have been sent with the originals, on 1, 2, 3, 4 and 7 ranks, of one thread and of two; messages and bytes between the program and MPI are those that inspect says.
func TestMPIHalos(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		p := compileHalos(t, l, asIs)
		for _, size := range [][]int{{1, 2, 7}, {3, 4}}[i] {
			for k, args := range [][]string{{"23", "9", "10"}, {"9", "6", "13"}, {"7", "5", "9"}} { // the last one with a row for each of 7 ranks
				p.requireSame(t, size, 1+k%2, args...)
			}
		}
	}
}

// sentByThree is what three ranks send of 23 x 9 elements in 10 steps, counted by hand: by function and rank, messages and bytes.
//
// branches: before its first nest C goes once, and A in iterations 1, 3, 6 and 9, the first one and those behind one that has written columns that are read: both ways, 7 columns of each. D goes up in iterations 2, 5 and 8, behind
// those that have written it, 9 columns. What the nest under k % 3 == 1 reads has come before. Iteration 9 is the last one.
//
// turns: p goes both ways, 8 columns, but in iterations 2 and 6, before which pointers stay where they were: that its last column is written is no matter. r goes up in the first one, and was p before in all others. At none of
// the two borders a row at an end is read.
//
// columns: A goes up, as many columns as the nest reads, but in iterations 1, 5 and 7, where that are as many as before and A has not been written: 5, 3, 3, 8, 6, 4 and 4 columns.
var sentByThree = [][][2]int64{
	{{7, 2*56 + 3*56 + 3*72}, {11, 4*56 + 6*56 + 3*72}, {4, 2*56 + 3*56}},
	{{8, 9 * 64}, {16, 17 * 64}, {8, 8 * 64}},
	{{7, 33 * 8}, {7, 33 * 8}, {0, 0}},
}

// TestMPIHaloCounts compares what ranks send with what was counted by hand.
func TestMPIHaloCounts(t *testing.T) {
	p := compileHalos(t, theMPIs(t)[0], asIs)
	said, err := p.run(3, 1, "23", "9", "10")
	require.NoError(t, err, said)
	require.Equal(t, sentByThree, didSend(said, len(p.loops), 3))
}

// TestMPIHaloMutants breaks what ranks know of rows of others, and when they wait for them: each must leave something else, or send something else.
func TestMPIHaloMutants(t *testing.T) {
	l := theMPIs(t)[0]
	many, few := []string{"7", "5", "9"}, []string{"23", "9", "10"}
	right := compileHalos(t, l, asIs)
	for i, m := range []struct {
		name, old, new string
		size           int
		args           []string
	}{
		{"never stale", `(?m)^( *)\*(branches_mpi_0_halo\(.*\)) = 0;`, `$1(void)$2;`, 3, few},
		{"never there", `= 1;\n`, "= 0;\n", 3, few},
		{"stale at no border", `if \(hexcc_border >= 1 && hexcc_border <= 1\)`, `if (0)`, 7, many},
		{"stale at all borders", `if \(hexcc_border >= 1 && hexcc_border <= 1\)`, ``, 3, few},
		{"the flags of the other way", `hexcc_has\[4\]`, `hexcc_has[5]`, 3, few},
		{"there with other sizes", `!hexcc_again; hexcc_slot`, `0; hexcc_slot`, 3, few},
		{"an array for another", `turns_mpi_1_slot\(r\)`, `turns_mpi_1_slot(q)`, 3, few},
		{"no wait", `branches_mpi_0_nest0_await\(&branches_mpi_0_nest0_kept, 0\);`, `;`, 3, few},
		{"the first tile before its message", `hexcc_first \+ 1 \+ hexcc_k`, `hexcc_first + hexcc_k`, 3, few},
		{"one row short", `hexcc_since_lo\[\] = \{-1\}`, `hexcc_since_lo[] = {0}`, 3, few},
		{"the other neighbour's row", `hexcc_since_hi\[\] = \{0\}`, `hexcc_since_hi[] = {-1}`, 3, few},
	} {
		if !cases.Due(i, cases.Rounds) {
			continue
		}
		p := compileHalos(t, l, mutated(t, m.name, m.old, m.new))
		said, err := right.run(m.size, 1, m.args...)
		require.NoError(t, err, said)
		want := didSend(said, 3, m.size)
		p.requireCaught(t, m.name, m.size, want, m.args...)
	}
}

// mutated returns what puts new in place of a pattern, which the text has to have.
func mutated(t *testing.T, name, pattern, new string) func(text string) string {
	old := regexp.MustCompile(pattern)
	return func(text string) string {
		require.Regexp(t, old, text, name)
		return old.ReplaceAllString(text, new)
	}
}

// A loopMutant breaks the text of loops that ranks run.
type loopMutant struct{ name, old, new string }

// loopMutantsCaught requires that each mutant, in CI each whose round it is, of a program that compile makes leaves something else on three ranks, or sends something else.
func loopMutantsCaught(t *testing.T, compile func(change func(string) string) haloProgram, mutants []loopMutant, args ...string) {
	right := compile(asIs)
	said, err := right.run(3, 1, args...)
	require.NoError(t, err, said)
	want := didSend(said, len(right.loops), 3)
	for i, m := range mutants {
		if cases.Due(i, cases.Rounds) {
			compile(mutated(t, m.name, m.old, m.new)).requireCaught(t, m.name, 3, want, args...)
		}
	}
}

// requireCaught requires that p, in which something is broken, ends with an error or sends something else than want: at once, or, where that depends on what comes first, in one of a few runs.
func (p haloProgram) requireCaught(t *testing.T, name string, size int, want [][][2]int64, args ...string) {
	for range 15 { // on a busy machine a message may come before it is missed
		said, err := p.runFor("6", size, 1, args...) // some wait for what is never sent
		if err != nil || fmt.Sprint(didSend(said, len(p.loops), size)) != fmt.Sprint(want) {
			return
		}
	}
	require.Fail(t, "it is not caught", name)
}
