package openmp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/scop"
)

// This file runs tiles that start when their data is ready.

var ready = hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Strategy: hexcc.Hybrid, Launch: hexcc.Ready}

// largeTrial is a run at a size of many tiles.
func largeTrial(t *testing.T, p *scop.Program) oracle.Trial {
	extent := []int64{0, 0, 300, 60, 20, 9}[len(p.Stmts[0].Iters)]
	params, ok := oracle.Sized(p, extent, 23)
	require.True(t, ok)
	mem, err := scop.NewMemory(p, params, 1)
	require.NoError(t, err)
	return oracle.Trial{Before: mem, After: oracle.CompileC(t, p).Run(t, mem)}
}

// calls are the waits and signals in the text of a translation.
var calls = regexp.MustCompile(`(?m)^( +)(hexcc_(?:await|signal)\()`)

// delay takes a random time, often none, before each wait and signal, so that threads overtake each other.
const delay = `
extern int usleep(unsigned);
static void test_delay(void)
{
  static __thread unsigned x;
  x = x * 1664525u + (unsigned)(unsigned long)&x + 1013904223u;
  if (x >> 29 == 0)
    usleep(x >> 8 & 63);
}
`

// delayed returns a translation with delays.
func delayed(text string) string { return delay + calls.ReplaceAllString(text, "${1}test_delay(); $2") }

// TestReady runs every case with tiles that wait for each other, of time and space or for some of space alone, by as many threads as there are processors, fewer and more, with random delays.
func TestReady(t *testing.T) {
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		res := compile(t, base, text, ready, false)
		if len(base)%4 == 0 {
			o := ready
			o.Strategy = hexcc.Space
			res = compile(t, base, text, o, true)
		}
		trials := append(oracle.Trials(t, res.Scop, 3), largeTrial(t, res.Scop))
		translated := *res.Scop
		translated.Source = []byte(delayed(res.C.Text))
		require.Contains(t, string(translated.Source), "test_delay(); hexcc_await(")
		ours := oracle.CompileWith(t, "gcc", &translated, cases.Level("-O2"), "-fopenmp", "-DHEXCC_GRAIN=0")
		for i, x := range trials {
			for j, threads := range []int{1, 2, 3, 7, 33} {
				if (i+j)%2 == 0 || cases.Whole() {
					runDelayed(t, ours, x, threads)
				}
			}
		}
	})
}

// runDelayed compares what threads with random delays leave with what is expected, in some rounds.
func runDelayed(t *testing.T, ours *oracle.Binary, x oracle.Trial, threads int) {
	for range *rounds {
		x.Check(t, fmt.Sprint(threads, " threads"), ours.Run(t, x.Before, fmt.Sprint("OMP_NUM_THREADS=", threads)))
	}
}

// threads is the part of libgomp that chains need, on threads that the race detector of compilers sees begin and end.
const threads = `
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t barrier;
static __thread int me;
static int team;
struct job { void (*run)(void *); void *data; int me; };
static void *start(void *p)
{
  struct job *j = p;
  me = j->me;
  j->run(j->data);
  return 0;
}
void GOMP_parallel(void (*run)(void *), void *data, unsigned count, unsigned flags)
{
  struct job jobs[64];
  pthread_t threads[64];
  (void)flags;
  if (count == 0)
    count = (unsigned)atoi(getenv("OMP_NUM_THREADS"));
  team = (int)count;
  pthread_barrier_init(&barrier, 0, count);
  for (unsigned i = 0; i < count; i++) {
    jobs[i] = (struct job){run, data, (int)i};
    pthread_create(&threads[i], 0, start, &jobs[i]);
  }
  for (unsigned i = 0; i < count; i++)
    pthread_join(threads[i], 0);
  pthread_barrier_destroy(&barrier);
}
int omp_get_num_threads(void) { return team; }
int omp_get_thread_num(void) { return me; }
void GOMP_barrier(void) { pthread_barrier_wait(&barrier); }
_Bool GOMP_single_start(void) { return me == 0; }
`

// raced runs a translation under the race detector of gcc, and returns whether the results are right, and what is said.
func raced(t *testing.T, p *scop.Program, text string, x oracle.Trial) (right bool, says string) {
	source := filepath.Join(tool.Write(t, map[string]string{"threads.c": threads}), "threads.c")
	b, err := crun.Compile("gcc", t.TempDir(), []*scop.Program{p}, []byte(delayed(text)),
		"-O1", "-g", "-fopenmp", "-DHEXCC_GRAIN=0", "-pthread", "-fsanitize=thread", "-DHEXCC_VECTORS=0", source)
	require.NoError(t, err)
	after, says, err := b.Run([]crun.Input{{Memory: x.Before}}, "OMP_NUM_THREADS=4", "TSAN_OPTIONS=halt_on_error=1 exitcode=66")
	if err != nil {
		return false, says
	}
	return oracle.Different(x.After, after[0]) == "", says
}

// isWrong reports whether the race detector, or a result, tells that a translation is wrong. Where threads happen to run one after the other there is no race.
func isWrong(t *testing.T, p *scop.Program, text string, x oracle.Trial) bool {
	for range 6 {
		if right, _ := raced(t, p, text, x); !right {
			return true
		}
	}
	return false
}

// TestReadyRaces runs chains under the race detector: nothing that waits and signals leave unordered is touched by two threads. It finds
// each mistake in how they wait.
func TestReadyRaces(t *testing.T) {
	for _, base := range []string{"jacobi-1d", "jacobi-2d", "fdtd-2d", "heat-3d"} {
		res := compile(t, base, cases.Input(t, base), ready, false)
		x := largeTrial(t, res.Scop)
		right, says := raced(t, res.Scop, res.C.Text, x)
		require.True(t, right, "%s\n%s", base, says)
		require.Empty(t, says)
		few := strings.Replace(res.C.Text, "(1 << 17)", "1", 1) // chains of one time tile at the same time
		require.NotEqual(t, res.C.Text, few)
		right, says = raced(t, res.Scop, few, x)
		require.True(t, right, "%s\n%s", base, says)
		if base != "jacobi-2d" {
			continue
		}
		for _, spoil := range [][2]string{
			{"__ATOMIC_RELEASE", "__ATOMIC_RELAXED"}, {"__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED"}, {`PLACE\(S1 \+ \d+\)`, "PLACE(S1)"},
			{"d <= 1;", "d <= 0;"}, {"d = -1;", "d = 0;"}, {`i < count; i\+\+\)`, "i < count - 1; i++)"}, {` < place; look\+\+\)`, " < place - 1; look++)"},
		} {
			bad := regexp.MustCompile(spoil[0]).ReplaceAllString(res.C.Text, spoil[1])
			require.NotEqual(t, res.C.Text, bad, spoil)
			require.True(t, isWrong(t, res.Scop, bad, x), spoil)
		}
	}
}

// TestReadyWithoutMemory runs chains where there is no memory for them: one thread runs them all.
func TestReadyWithoutMemory(t *testing.T) {
	res := compile(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), ready, false)
	text := strings.Replace(res.C.Text, "__builtin_calloc(", "0 * (", 1)
	require.NotEqual(t, res.C.Text, text)
	translated := *res.Scop
	translated.Source = []byte(regexp.MustCompile(`0 \* \(([^,]*),\s*sizeof \*\w+\)`).ReplaceAllString(text, "0"))
	for _, x := range oracle.Trials(t, res.Scop, 3) {
		x.Check(t, "no memory", oracle.CompileWith(t, "gcc", &translated, "-O1", "-fopenmp", "-DHEXCC_GRAIN=0").Run(t, x.Before, "OMP_NUM_THREADS=3"))
	}
}

// TestReadyIsRefused asks for what cannot wait.
func TestReadyIsRefused(t *testing.T) {
	_, err := exec.LookPath("gcc")
	require.NoError(t, err)
	for _, target := range []hexcc.Target{hexcc.C, hexcc.CUDA, hexcc.OpenCL} {
		o := ready
		if o.Target = target; target == hexcc.CUDA {
			o.Arch = "sm_61"
		}
		_, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(cases.Input(t, "jacobi-2d"))}, o)
		require.ErrorContains(t, err, "HX214")
	}
}

// TestReadyPage checks the waits that docs/cpu.md shows.
func TestReadyPage(t *testing.T) {
	page, err := os.ReadFile("../docs/cpu.md")
	require.NoError(t, err)
	s := compile(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), ready, true).Schedule
	for line := range strings.Lines(s.Waits.Text(s.Dims[:4])) {
		require.Contains(t, string(page), "\n    "+line)
	}
}
