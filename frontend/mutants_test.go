package frontend_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/randc"
)

var (
	mutantTime  = flag.Duration("mutants", 0, "processor time for mutants of the sources; 0: a few mutants")
	meanings    = flag.Int("meanings", 0, "mutants to compare with C; 0: a few")
	firstMutant = flag.Uint64("mutant", 1, "the seed of the first of them")
)

// patience is the processor time that one mutant may take.
const patience = 20 * time.Second

// TestMutatedSources checks mutants of all sources of the tests: whatever the text, Parse
// neither panics nor hangs. The mutant in progress lies in a file, so that even one
// that ends the process is there to be looked at.
func TestMutatedSources(t *testing.T) {
	m := randc.NewMutator(sources(t))
	kept := filepath.Join(t.TempDir(), "mutant.c")
	if *mutantTime > 0 {
		kept = filepath.Join(os.TempDir(), "hexcc-mutant.c")
	}
	var began atomic.Int64 // processor time at the begin of the mutant in progress
	stop := make(chan bool)
	defer close(stop)
	go watch(stop, &began, kept)
	from, shown, taken, count := processorTime(), time.Duration(0), 0, uint64(0)
	for ; *mutantTime == 0 && count < 600 || processorTime()-from < *mutantTime; count++ {
		seed := *firstMutant + count
		rng := rand.New(rand.NewPCG(seed, 5))
		text := m.Mutate(rng)
		require.NoError(t, os.WriteFile(kept, fmt.Appendf(nil, "// mutant %d\n%s", seed, text), 0o644))
		began.Store(int64(processorTime()))
		if tryMutant(t, seed, text, mutantOptions(rng)) {
			taken++
		}
		if used := processorTime() - from; used-shown > time.Minute {
			shown = used
			t.Logf("%v of processor time: %d mutants, %d of them taken", used.Round(time.Second), count+1, taken)
		}
	}
	t.Logf("%v of processor time: %d mutants from %d on, %d of them taken", (processorTime() - from).Round(time.Second), count, *firstMutant, taken)
	require.Greater(t, taken, int(count/50))
}

// tryMutant checks one mutant and reports whether it is taken.
func tryMutant(t *testing.T, seed uint64, text string, o frontend.Options) bool {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("mutant %d: panic: %v\n%s", seed, r, text)
		}
	}()
	taken := checkParse(t, text, o)
	if t.Failed() {
		t.Fatalf("mutant %d\n%s", seed, text)
	}
	return taken
}

// mutantOptions returns the defaults mostly.
func mutantOptions(rng *rand.Rand) (o frontend.Options) {
	o.IncludeDirs = []string{"../testdata/polybench"}
	o.NoAlias = rng.IntN(4) == 0
	o.Unchecked = rng.IntN(8) == 0
	if rng.IntN(8) == 0 {
		o.Assume = []string{"n >= 4"}
	}
	if rng.IntN(16) == 0 {
		o.Region = "1"
	}
	return o
}

// watch ends the process when one mutant takes too long, and says where it is.
func watch(stop chan bool, began *atomic.Int64, kept string) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Second):
		}
		if start := began.Load(); start > 0 && processorTime()-time.Duration(start) > patience {
			text, _ := os.ReadFile(kept)
			fmt.Fprintf(os.Stderr, "a mutant takes more than %v of processor time:\n%s\n", patience, text)
			pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
			os.Exit(1)
		}
	}
}

// processorTime returns what this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// sources returns all C programs of the tests and some random ones, those that are taken four times.
func sources(t testing.TB) (texts []string) {
	all := inputs(t)
	for _, glob := range []string{"../testdata/idioms/*.c", "../testdata/polybench/*.c", "../examples/*.c"} {
		paths, err := filepath.Glob(glob)
		require.NoError(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			all = append(all, string(text))
		}
	}
	for seed := range uint64(20) {
		all = append(all, randc.Prelude+randc.Generate(seed+1, "f").String())
	}
	for _, text := range all {
		texts = append(texts, text)
		_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{IncludeDirs: []string{"../testdata/polybench"}})
		if err == nil {
			texts = append(texts, text, text, text)
		}
	}
	return texts
}
