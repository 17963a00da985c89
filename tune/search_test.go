package tune

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A fake makes programs of names: what they take, or why they fail. It counts what it builds and runs.
type fake struct {
	t        *testing.T
	times    map[string]float64
	rejected map[string]*Rejection
	hangs    map[string]bool
	kill     int // the run at which ctx is cancelled, as if the process were killed; 0: none
	cancel   func()
	removed  int
	later    map[string]float64    // what programs take that have run before
	spoilt   map[string]*Rejection // why they fail that have run before

	mu      sync.Mutex
	ran     map[string]bool
	built   []string
	run     []string
	running int
}

func (f *fake) Build(ctx context.Context, c Candidate) (Program, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running > 0 {
		f.t.Error("built while a program runs")
	}
	f.built = append(f.built, c.Name)
	if r := f.rejected[c.Name]; r != nil && (r.Kind == Refused || r.Kind == Uncompile) {
		return nil, r
	}
	return &fakeProgram{f, c.Name}, nil
}

type fakeProgram struct {
	*fake
	name string
}

func (p *fakeProgram) Run(ctx context.Context) ([]float64, error) {
	p.mu.Lock()
	p.running++
	p.fake.run = append(p.fake.run, p.name)
	n := len(p.fake.run)
	if p.running > 1 {
		p.t.Error("two run at once")
	}
	p.mu.Unlock()
	defer func() { p.mu.Lock(); p.running--; p.mu.Unlock() }()
	if n == p.kill {
		p.cancel()
		return nil, ctx.Err()
	}
	if p.hangs[p.name] {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if r := p.rejected[p.name]; r != nil {
		return nil, r
	}
	x, ok := p.times[p.name]
	if p.ran[p.name] {
		if r := p.spoilt[p.name]; r != nil {
			return nil, r
		}
		if y, again := p.later[p.name]; again {
			x = y
		}
	}
	p.ran[p.name] = true
	if !ok {
		return nil, errors.New("no such program " + p.name)
	}
	return []float64{x + 1, x}, nil
}

func (p *fakeProgram) Remove() { p.mu.Lock(); p.removed++; p.mu.Unlock() }

func named(names ...string) (all []Candidate) {
	for _, n := range names {
		all = append(all, Candidate{Name: n, Reference: n == "plain"})
	}
	return all
}

// levels are references, three ways, and three near the fastest of these.
func levels() []Level {
	return []Level{
		{"references", func([]Outcome) []Candidate { return named("plain") }},
		{"strategies", func([]Outcome) []Candidate { return named("a", "b", "c") }},
		{"near", func(done []Outcome) []Candidate {
			fastest := best(done).Name
			return named(fastest, fastest+"1", fastest+"2", fastest+"3") // the first is done
		}},
	}
}

func newFake(t *testing.T) *fake {
	return &fake{t: t, ran: map[string]bool{}, times: map[string]float64{"plain": 10, "a": 5, "b": 3, "c": 4, "b1": 6, "b2": 2, "b3": 9, "a1": 1, "c1": 1}}
}

var key = Key{Program: "p", Target: "openmp", Compiler: "gcc 12", Device: "this", Sizes: "n=5", Made: "1"}

func search(f *fake, log *Log) *Search {
	return &Search{Runner: f, Levels: levels(), Log: log, Budget: time.Minute, Jobs: 2, Limit: 50 * time.Millisecond, Least: 50 * time.Millisecond}
}

// TestSearch checks that later levels follow from earlier ones, that nothing is measured twice, and what is told.
func TestSearch(t *testing.T) {
	f := newFake(t)
	s := search(f, nil)
	var told []Progress
	s.Told = func(p Progress) { told = append(told, p) }
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Empty(t, r.Ended)
	require.Equal(t, []string{"plain", "a", "b", "c", "b1", "b2", "b3"}, f.run)
	require.Equal(t, "b2", r.Best().Name)
	require.Equal(t, 2.0, r.Best().Best(), "the fastest repetition counts")
	require.Equal(t, 7, r.Total)
	require.Equal(t, len(f.built), f.removed)
	last := told[len(told)-1]
	require.Equal(t, "b2", last.Best.Name)
	require.Equal(t, "b3", last.Last.Name)
	require.Equal(t, []int{7, 7}, []int{last.Done, last.Total})
	require.True(t, last.Left > 0 && last.Left <= time.Minute)
	require.Equal(t, "b2", r.Ranked()[0].Name)
	require.Nil(t, r.Of("nothing"))

	f = newFake(t) // a reference is never chosen, however fast it is
	f.times["plain"] = 1
	r, err = search(f, nil).Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, "b2", r.Best().Name)
	require.Equal(t, "plain", r.Ranked()[0].Name)
}

// TestRejected checks that candidates that fail in any way are told with the reason, and that the search goes on; an error that is about no candidate ends it.
func TestRejected(t *testing.T) {
	f := newFake(t)
	f.rejected = map[string]*Rejection{"a": {Refused, "not proved"}, "b": {Wrong, "at element A[1]"}, "c1": {Crashed, "signal: segmentation fault"}, "c2": {Uncompile, "no"}}
	f.hangs = map[string]bool{"c3": true}
	r, err := search(f, nil).Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, "c", r.Best().Name)
	for name, want := range map[string]string{"a": "refused: not proved", "b": "wrong: at element A[1]", "c1": "crashed: signal: segmentation fault", "c2": "does not compile: no", "c3": "timed out: it ran longer than 50ms"} {
		require.EqualError(t, r.Of(name).Rejected, want)
	}
	require.Equal(t, "c", r.Ranked()[0].Name)

	f = newFake(t)
	delete(f.times, "b")
	_, err = search(f, nil).Run(t.Context())
	require.EqualError(t, err, "no such program b")
}

// TestBudget checks that a search ends when its budget is used up, in the middle of a run, and that what ran is not taken for measured.
func TestBudget(t *testing.T) {
	f := newFake(t)
	f.hangs = map[string]bool{"b": true}
	s := search(f, nil)
	s.Budget, s.Limit, s.Least = 100*time.Millisecond, time.Hour, time.Hour
	start := time.Now()
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Less(t, time.Since(start), 5*time.Second)
	require.Equal(t, OutOfBudget, r.Ended)
	require.Equal(t, "a", r.Best().Name)
	require.Nil(t, r.Of("b"))
	require.Equal(t, len(f.built), f.removed)
}

// TestResume ends a search at each run in turn, as if the process were killed there, and goes on with the log that it left: the same is found, and nothing
// that has ended is measured again. The last line of the log may be torn at any byte.
func TestResume(t *testing.T) {
	whole := newFake(t)
	whole.rejected = map[string]*Rejection{"a": {Wrong, "x"}, "b1": {Refused, "y"}}
	want, err := search(whole, nil).Run(t.Context())
	require.NoError(t, err)
	for kill := 1; kill <= len(whole.run); kill++ {
		path := filepath.Join(t.TempDir(), "log")
		ctx, cancel := context.WithCancel(t.Context())
		first := newFake(t)
		first.rejected, first.kill, first.cancel = whole.rejected, kill, cancel
		log, err := Open(path, key, false)
		require.NoError(t, err)
		r, err := search(first, log).Run(ctx)
		require.NoError(t, err)
		require.Equal(t, Interrupted, r.Ended)
		require.NoError(t, log.Close())
		cancel()

		text, err := os.ReadFile(path)
		require.NoError(t, err)
		torn := fmt.Sprintf(`{"candidate":"never","seconds":[1e-%d`, kill)
		require.NoError(t, os.WriteFile(path, append(text, torn[:1+kill*3]...), 0o666))

		log, err = Open(path, key, false)
		require.NoError(t, err)
		require.True(t, log.Dropped)
		require.Equal(t, len(r.Outcomes), log.Len())
		second := newFake(t)
		second.rejected = whole.rejected
		got, err := search(second, log).Run(t.Context())
		require.NoError(t, err)
		require.NoError(t, log.Close())
		require.Equal(t, want.Best().Name, got.Best().Name)
		require.Len(t, got.Outcomes, len(want.Outcomes))
		for i, o := range got.Outcomes {
			require.Equal(t, o.Logged, i < len(r.Outcomes))
			o.Logged = false
			require.Equal(t, want.Outcomes[i], o)
		}
		require.Equal(t, whole.run, append(first.run[:kill-1:kill-1], second.run...), "nothing runs twice but what was interrupted")

		log, err = Open(path, key, false) // all is known now: nothing runs
		require.NoError(t, err)
		third := newFake(t)
		third.rejected = whole.rejected
		_, err = search(third, log).Run(t.Context())
		require.NoError(t, err)
		require.Empty(t, third.built)
		require.NoError(t, log.Close())
	}
}

// TestForeignLogs checks that a log of something else is told, and stays as it is, and so does a file that is none.
func TestForeignLogs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := Open(path, key, false)
	require.NoError(t, err)
	require.NoError(t, log.append(Outcome{Candidate: Candidate{Name: "x"}, Seconds: []float64{1}}))
	require.NoError(t, log.Close())
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, change := range []func(*Key){
		func(k *Key) { k.Program = "q" }, func(k *Key) { k.Region = "2" }, func(k *Key) { k.Flags = "--fma" }, func(k *Key) { k.Target = "c" },
		func(k *Key) { k.Compiler = "gcc 13" }, func(k *Key) { k.Device = "other" }, func(k *Key) { k.Sizes = "n=6" }, func(k *Key) { k.Made = "2" },
	} {
		other := key
		change(&other)
		_, err := Open(path, other, false)
		var mismatch *MismatchError
		require.ErrorAs(t, err, &mismatch)
		require.NotEqual(t, mismatch.Logged, mismatch.Is)
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))

	for _, text := range []string{"int main;\n", "int main;", string(before) + "{}\n", string(before) + `{"candidate":"y"}` + "\n", strings.Replace(string(before), "openmp", `c","x":"`, 1)} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := Open(path, key, false)
		require.Error(t, err, text)
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(now))
	}
	log, err = Open(path, key, true) // but it may be asked for
	require.NoError(t, err)
	require.Zero(t, log.Len())
	require.NoError(t, log.Close())
	for n := range len(keyStart) { // killed while the first line was written
		require.NoError(t, os.WriteFile(path, []byte(keyStart[:n]), 0o666))
		log, err := Open(path, key, false)
		require.NoError(t, err)
		require.NoError(t, log.Close())
	}
}

// TestHeights compares with all ways to add up heights, and with the example of Rawat et al. (ARTEMIS, IPDPS 2019), section VI-A: of 13 iterations, with tiles of up
// to four steps, the versions (4x3 + 1x1) and (3x4 + 1x1) are among those weighed. The paper prints no times; with 9.2/3 for four steps and 0.9 for one, fewer
// steps paying less, opt(12) is 9.2 and opt(13) is 10.1.
func TestHeights(t *testing.T) {
	f := map[int64]float64{1: 0.9, 2: 1.7, 3: 2.4, 4: 9.2 / 3}
	plan, least := Heights(12, f)
	require.Equal(t, []Share{{4, 3}}, plan)
	require.InDelta(t, 9.2, least, 1e-12)
	plan, least = Heights(13, f)
	require.Equal(t, []Share{{4, 3}, {1, 1}}, plan)
	require.InDelta(t, 10.1, least, 1e-12)

	plan, least = Heights(7, map[int64]float64{2: 1, 4: 1})
	require.Nil(t, plan)
	require.Equal(t, fmt.Sprint(least), "+Inf")
	plan, least = Heights(0, f)
	require.Empty(t, plan)
	require.Zero(t, least)

	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		f := map[int64]float64{}
		for x := int64(1); x <= 6; x++ {
			if rng.IntN(3) > 0 {
				f[x] = 1 + 9*rng.Float64()
			}
		}
		T := int64(rng.IntN(14))
		plan, least := Heights(T, f)
		want := all(T, f)
		if want > 1e9 {
			require.Greater(t, least, 1e9)
			continue
		}
		require.InDelta(t, want, least, 1e-9)
		sum, steps := 0.0, int64(0)
		for _, s := range plan {
			sum, steps = sum+float64(s.Times)*f[s.Height], steps+s.Times*s.Height
		}
		require.InDelta(t, least, sum, 1e-9)
		require.Equal(t, T, steps)
	}
}

// all is the least sum, by trying all.
func all(T int64, f map[int64]float64) float64 {
	if T == 0 {
		return 0
	}
	least := 1e10
	for x, seconds := range f {
		if x <= T {
			least = min(least, seconds+all(T-x, f))
		}
	}
	return least
}

// TestNearest checks which result is taken, on which device, and that a file comes back as it was.
func TestNearest(t *testing.T) {
	at := func(device string, n, T int64, flags string) Choice {
		return Choice{Program: "p", Target: "openmp", Device: device, Sizes: map[string]int64{"n": n, "T": T}, Flags: flags, Seconds: 1}
	}
	var c Choices
	for _, x := range []Choice{at("this", 100, 10, "small"), at("this", 4000, 10, "large"), at("that", 2000, 10, "other"), at("this", 100, 10, "small again")} {
		c = c.With(x)
	}
	require.Len(t, c.Choices, 3, "a result takes the place of the one before")
	read, err := ParseChoices(c.Text())
	require.NoError(t, err)
	require.Equal(t, c, read)
	for n, want := range map[int64]string{1: "small again", 600: "small again", 650: "large", 1 << 40: "large"} { // 632 is as far from both
		got, _, ok := c.Nearest("p", "openmp", "this", map[string]int64{"n": n})
		require.True(t, ok)
		require.Equal(t, want, got.Flags, n)
	}
	_, others, ok := c.Nearest("p", "openmp", "third", nil)
	require.False(t, ok)
	require.Equal(t, []string{"this", "that"}, others)
	for _, x := range [][2]string{{"q", "openmp"}, {"p", "c"}} {
		_, others, ok = c.Nearest(x[0], x[1], "this", nil)
		require.False(t, ok)
		require.Nil(t, others)
	}
	for _, text := range []string{"", "{}", `{"hexcc-tuned":"9","choices":[]}`, `{"hexcc-tuned":"1","choices":[{"x":1}]}`} {
		_, err := ParseChoices([]byte(text))
		require.Error(t, err, text)
	}
}

// TestFinal checks that the fastest run again by turns, that their rounds decide whatever one of them took before, and that rounds are taken from the log, but only those of the same
// candidates.
func TestFinal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	final := func(f *fake, cancelled context.Context) *Result {
		log, err := Open(path, key, false)
		require.NoError(t, err)
		defer log.Close()
		s := search(f, log)
		s.Finalists, s.Rounds = 3, 2
		r, err := s.Run(cancelled)
		require.NoError(t, err)
		require.Equal(t, len(f.built), f.removed)
		return r
	}
	f := newFake(t)
	f.times["b"], f.times["b2"], f.times["b1"] = 2.1, 2, 2.2
	f.later = map[string]float64{"b2": 2.4, "b": 2.3, "b1": 2.35} // b2 had luck
	ctx, cancel := context.WithCancel(t.Context())
	f.kill, f.cancel = 12, cancel // in the second round
	r := final(f, ctx)
	levels := []string{"plain", "a", "b", "c", "b1", "b2", "b3"}
	require.Equal(t, append(levels, "b2", "b", "b1", "b1", "b"), f.run, "every second round runs in the other order")
	require.Equal(t, Interrupted, r.Ended)
	require.Equal(t, "b", r.Best().Name)
	require.Equal(t, 2.3, r.Best().Best())
	require.Len(t, r.Best().Final, 1)

	second := newFake(t)
	second.times = f.later
	second.later = map[string]float64{"b2": 2.2, "b": 2.3, "b1": 2.35}
	second.ran = f.ran
	r = final(second, t.Context())
	require.Equal(t, []string{"b1", "b", "b2"}, second.run, "the log has the rest")
	require.Equal(t, "b2", r.Best().Name)
	require.Equal(t, []float64{2.4, 2.2}, r.Best().Final)
	require.Empty(t, r.Ended)
	third := newFake(t)
	require.Equal(t, "b2", final(third, t.Context()).Best().Name)
	require.Empty(t, third.built)

	// One that fails in the final is out, and those that are left run again.
	path = filepath.Join(t.TempDir(), "log")
	f = newFake(t)
	f.times["b"], f.times["b2"], f.times["b1"] = 2.1, 2, 2.2
	f.spoilt = map[string]*Rejection{"b2": {Wrong, "a race"}}
	r = final(f, t.Context())
	require.Equal(t, append(levels, "b2", "b", "b1", "b1", "b"), f.run)
	require.Equal(t, "b", r.Best().Name)
	require.Equal(t, Wrong, r.Of("b2").Rejected.Kind)
	r = final(newFake(t), t.Context())
	require.Equal(t, Wrong, r.Of("b2").Rejected.Kind, "the log has it")
	require.Equal(t, "b", r.Best().Name)

	// Nothing is about as fast as the fastest: it runs against the next one.
	path = filepath.Join(t.TempDir(), "log")
	f = newFake(t)
	require.Equal(t, []float64{2, 2}, final(f, t.Context()).Best().Final)
	require.Equal(t, append(levels, "b2", "b", "b", "b2"), f.run)
	for _, text := range []string{`{"round":["a","b"],"seconds":[1]}`, `{"candidate":"a","round":["a"],"seconds":[1]}`} {
		require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "%s}\n%s\n", `{"hexcc-tune":"1","program":"p","region":"","flags":"","target":"openmp","compiler":"gcc 12","device":"this","sizes":"n=5","made":"1"`, text), 0o666))
		_, err := Open(path, key, false)
		require.ErrorContains(t, err, "no outcome", text)
	}
}

// TestLock opens a log twice: while another process has it, it is refused and stays as it is, however it is asked for; when that process is killed, it is free.
func TestLock(t *testing.T) {
	path := os.Getenv("HEXCC_TUNE_TEST_LOCK")
	if path != "" { // the other process
		_, err := Open(path, key, false)
		fmt.Println("opened", err)
		time.Sleep(time.Minute)
		return
	}
	path = filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(os.Args[0], "-test.run=^TestLock$")
	cmd.Env = append(os.Environ(), "HEXCC_TUNE_TEST_LOCK="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "opened <nil>\n", said)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, anew := range []bool{false, true} {
		_, err = Open(path, key, anew)
		require.ErrorIs(t, err, ErrLocked)
		require.ErrorContains(t, err, path)
	}
	other := key
	other.Program = "q"
	_, err = Open(path, other, false)
	require.ErrorIs(t, err, ErrLocked)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	log, err := Open(path, key, false)
	require.NoError(t, err)
	_, err = Open(path, key, false) // a second search of this process
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, log.Close())
	log, err = Open(path, key, false)
	require.NoError(t, err)
	require.NoError(t, log.Close())
}
