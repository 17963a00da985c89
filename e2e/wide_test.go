// Package e2e tests hexcc as a whole: programs in C, translated for every target and run.
package e2e_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/randc"
)

var (
	wideCount = flag.Int("programs", 0, "random programs to try; 0: a few, more in CI")
	wideFirst = flag.Uint64("first", 1, "the seed of the first of them")
	wideJobs  = flag.Int("jobs", 2, "batches that run at once")
	wideOnly  = flag.String("targets", "", "targets to run, separated by commas; default all")
)

// chunk is how many programs are made at a time, full how many stand in one file.
const (
	chunk = 500
	full  = 20
)

// TestWide translates random programs of many styles for every target, and compares what each
// leaves in all arrays with what gcc makes of the original, bit for bit. It prints for each
// feature of the programs how many with it are taken. Of a program that fails it prints a small part that does.
func TestWide(t *testing.T) {
	t.Setenv("OMP_WAIT_POLICY", "passive") // threads that wait leave their processor to others
	count := *wideCount
	if count == 0 {
		count = 16 // make random tries more
	}
	all, missing := targets()
	if *wideOnly != "" {
		all = slices.DeleteFunc(all, func(x target) bool { return !slices.Contains(strings.Split(*wideOnly, ","), x.name) })
	} else if missing != nil && os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	s := &survey{t: t, targets: all, made: map[string]int{}, taken: map[string]int{}, ran: map[string]int{}, codes: map[string]int{}}
	from := processorSeconds()
	for done := 0; done < count; done += chunk {
		s.chunk(*wideFirst+uint64(done), min(chunk, count-done))
		if *wideCount > 0 {
			fmt.Fprintf(os.Stderr, "%d of %d programs, %.2f seconds of processor time each\n%s", s.total, count,
				(processorSeconds()-from)/float64(s.total), s)
		}
	}
	t.Logf("missing: %v\n%s", missing, s)
	for _, f := range randc.Features {
		if s.made[f] >= 20 {
			require.GreaterOrEqual(t, 5*s.taken[f], s.made[f], "%s: less than a fifth of the programs are taken", f)
		}
	}
}

// processorSeconds returns the time that this process and those that it ran have taken.
func processorSeconds() (total float64) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err == nil {
			total += float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
		}
	}
	return total
}

// A survey counts programs, by feature, and those that are equal on a target.
type survey struct {
	t           *testing.T
	targets     []target
	lock        sync.Mutex
	made, taken map[string]int // by feature
	ran         map[string]int // by target
	codes       map[string]int // refusals by code
	total, wide int
}

func (s *survey) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s %6s %6s\n", "feature", "made", "taken")
	for _, f := range randc.Features {
		fmt.Fprintf(&b, "%-18s %6d %6d  %3.0f %%\n", f, s.made[f], s.taken[f], 100*float64(s.taken[f])/float64(max(1, s.made[f])))
	}
	fmt.Fprintf(&b, "%-18s %6d %6d\nequal to gcc:", "all", s.total, s.wide)
	for _, x := range s.targets {
		fmt.Fprintf(&b, " %s %d", x.name, s.ran[x.name])
	}
	return b.String() + fmt.Sprintf("\nrefused with: %v\n", s.codes)
}

// chunk tries count programs.
func (s *survey) chunk(first uint64, count int) {
	files := map[string][]*subject{} // by name
	for i := range count {
		p := &subject{Program: randc.Wide(first+uint64(i), fmt.Sprintf("f%d", i)), seed: first + uint64(i)}
		s.total++
		for _, f := range p.Features {
			s.made[f]++
		}
		files[p.File] = append(files[p.File], p)
	}
	// A file of a name has few programs of its own: others, which may have any, fill it.
	for name, ps := range files {
		for name != "" && len(ps) < full && len(files[""]) > 0 && ctext.Includable(name) == nil {
			p := files[""][0]
			files[""], p.File = files[""][1:], name
			ps = append(ps, p)
		}
		files[name] = ps
	}
	var wait sync.WaitGroup
	slots := make(chan bool, *wideJobs)
	number := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for ps := range slices.Chunk(files[name], full) {
			// Every twelfth file is translated for each target anew.
			b := &batch{survey: s, subjects: ps, anew: number%12 == 0}
			number++
			slots <- true
			wait.Go(func() {
				defer func() { <-slots }()
				b.run()
			})
		}
	}
	wait.Wait()
}

func (s *survey) count(m map[string]int, by int, keys ...string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, key := range keys {
		m[key] += by
	}
}

// fail reports that a program is bad, and a small one that is bad in the same way.
func (s *survey) fail(p *subject, why string, again func(*subject) string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	kind := kindOf(why)
	small := *p
	small.Program = p.Shrink(40, func(q *randc.Program) bool {
		return kindOf(again(&subject{Program: q, seed: p.seed})) == kind
	})
	s.say("seed %d: %.1500s\n%s\nfile %q, %s", p.seed, why, small.text(), p.File, p.clause)
}

// say reports what is wrong, at once.
func (s *survey) say(format string, args ...any) {
	s.t.Errorf(format, args...)
	fmt.Fprintf(os.Stderr, "FAIL "+format+"\n", args...)
}

// kindOf returns what is wrong without what is particular to a run.
func kindOf(why string) string {
	target, why, _ := strings.Cut(why, ":")
	kind, _, _ := strings.Cut(strings.TrimSpace(why), ":")
	return target + ":" + kind
}
