// Package e2e tests hexcc as a whole: programs in C, translated for every target and run.
package e2e_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

var (
	wideCount = flag.Int("programs", 0, "random programs to try; 0: a few, more in CI")
	wideFirst = flag.Uint64("first", 1, "the seed of the first of them")
	wideJobs  = flag.Int("jobs", 2, "batches that run at once")
	wideOnly  = flag.String("targets", "", "targets to run, separated by commas; default all")
)

// chunk is how many programs are made at a time, batch how many stand in one file.
const (
	chunk = 240
	batch = 12
)

// TestWide translates random programs of many styles for every target, and compares what each
// leaves in all arrays with what gcc makes of the original, bit for bit. It prints for each
// feature of the programs how many with it are taken. Of a program that fails it prints a small part that does.
func TestWide(t *testing.T) {
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
	for from := 0; from < count; from += chunk {
		s.chunk(*wideFirst+uint64(from), min(chunk, count-from))
		if *wideCount > 0 {
			fmt.Fprintf(os.Stderr, "%d of %d programs\n%s", min(from+chunk, count), count, s)
		}
	}
	t.Logf("missing: %v\n%s", missing, s)
	for _, f := range randc.Features {
		if s.made[f] >= 20 {
			require.GreaterOrEqual(t, 5*s.taken[f], s.made[f], "%s: less than a fifth of the programs are taken", f)
		}
	}
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

// A subject is a program that is taken, with what is said of its translation.
type subject struct {
	*randc.Program
	seed   uint64
	clause string // #pragma hexcc, or ""
	space  bool   // hexagons do not apply
}

// text returns the program, with its clause.
func (p *subject) text() string {
	if p.clause == "" {
		return p.String()
	}
	return strings.Replace(p.String(), "#pragma scop\n", "#pragma hexcc "+p.clause+"\n#pragma scop\n", 1)
}

// chunk tries count programs.
func (s *survey) chunk(first uint64, count int) {
	groups := map[string][]*subject{} // by file
	for i := range count {
		p := &subject{Program: randc.Wide(first+uint64(i), fmt.Sprintf("f%d", i)), seed: first + uint64(i)}
		why := p.take()
		s.total++
		for _, f := range p.Features {
			s.made[f]++
		}
		if code, refused := strings.CutPrefix(why, "refused "); refused {
			s.codes[code]++
			continue
		}
		if why != "" {
			s.fail(p, why, func(q *subject) string { return q.take() })
			continue
		}
		s.wide++
		for _, f := range p.Features {
			s.taken[f]++
		}
		key := fmt.Sprint(p.File, p.space)
		groups[key] = append(groups[key], p)
	}
	var wait sync.WaitGroup
	slots := make(chan bool, *wideJobs)
	for _, group := range groups {
		for ps := range slices.Chunk(group, batch) {
			slots <- true
			wait.Go(func() {
				defer func() { <-slots }()
				s.batch(ps)
			})
		}
	}
	wait.Wait()
}

// take translates p alone, for CUDA. It returns "" if that is possible, "refused CODE" if hexcc
// says why it is not, with a code that it may say, and else what is wrong.
func (p *subject) take() (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %.200s", fmt.Sprint(r))
		}
	}()
	p.clause, p.space = "", false
	res, err := translate([]*subject{p}, hexcc.Options{Stop: "cone"})
	if err == nil && res.Region.Cone.String() != "" && p.seed%8 > 0 && len(res.Region.Space.Space) <= 4 {
		p.clause = clause(res, p.seed)
	}
	_, err = translate([]*subject{p}, hexcc.Options{})
	if err != nil && p.clause != "" {
		p.clause = ""
		_, err = translate([]*subject{p}, hexcc.Options{})
	}
	if err != nil {
		p.space = true
		_, again := translate([]*subject{p}, hexcc.Options{Fallback: hexcc.Space})
		if again == nil {
			return ""
		}
	}
	var list diag.List
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &list):
		return "error: " + err.Error()
	}
	code := ""
	for _, d := range list {
		if d.Severity == diag.Error {
			if code = string(d.Code); !p.MayRefuse(code) {
				return fmt.Sprintf("unexpected %s: %v", d.Code, d)
			}
		}
	}
	return "refused " + code
}

// small are widths of tiles whose code is short.
var small = pipeline.Widths{{2}, {1, 4}, {1, 2, 4}, {1, 1, 2, 2}}

// clause returns a clause for narrow tiles, of which small grids have many.
func clause(res *hexcc.Result, seed uint64) string {
	sizes := small.Of(res.Space, res.Cone)
	if legal := schedule.LegalH(res.Space.K); seed%2 == 0 && legal[0] > 0 {
		sizes.H = legal[0]
		sizes.W[0] = max(small[len(sizes.W)-1][0], schedule.MinW0(res.Cone, sizes.H))
	}
	text := fmt.Sprintf("tile(h=%d", sizes.H)
	for i, w := range sizes.W {
		text += fmt.Sprintf(",w%d=%d", i, w)
	}
	return text + ")"
}

// prelude is what each file begins with.
const prelude = "#include <stdint.h>\n" + randc.Prelude

func translate(ps []*subject, o hexcc.Options) (*hexcc.Result, error) {
	text := prelude
	for _, p := range ps {
		text += p.text()
	}
	if o.Base = base(ps); ps[0].space {
		o.Fallback = hexcc.Space
	}
	return hexcc.Compile(hexcc.Source{Name: o.Base + ".c", Text: []byte(text)}, o)
}

func base(ps []*subject) string {
	if ps[0].File == "" {
		return "wide"
	}
	return ps[0].File
}

// batch runs programs together on every target; where one fails, one by one.
func (s *survey) batch(ps []*subject) {
	want, why := newOriginal(s.t, ps)
	if why != "" {
		for _, p := range ps {
			if _, why := newOriginal(s.t, []*subject{p}); why != "" {
				s.fail(p, why, func(q *subject) string { return cmp.Or(q.take(), second(newOriginal(s.t, []*subject{q}))) })
			}
		}
		return
	}
	for _, x := range s.targets {
		ran := len(ps)
		if why := want.try(s.t, x, ps); why != "" {
			ran = 0
			for i, p := range ps {
				switch why := want.of(i).try(s.t, x, []*subject{p}); {
				case why == "":
					ran++
				case strings.HasPrefix(why, "refused "):
					s.count(s.codes, x.name+" "+strings.TrimPrefix(why, "refused "), 1)
				default:
					s.fail(p, x.name+": "+why, func(q *subject) string {
						if why := q.take(); why != "" {
							return why
						}
						want, why := newOriginal(s.t, []*subject{q})
						if why != "" {
							return why
						}
						return x.name + ": " + want.try(s.t, x, []*subject{q})
					})
				}
			}
		}
		s.count(s.ran, x.name, ran)
	}
}

func second[A, B any](_ A, b B) B { return b }

func (s *survey) count(m map[string]int, key string, by int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	m[key] += by
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
	s.t.Errorf("seed %d: %s\n%s\nfile %q, %s", p.seed, why, small.text(), p.File, p.clause)
	fmt.Fprintf(os.Stderr, "FAIL seed %d: %.1500s\n%s\nfile %q, %s\n", p.seed, why, small.text(), p.File, p.clause)
}

// kindOf returns what is wrong without what is particular to a run.
func kindOf(why string) string {
	target, why, _ := strings.Cut(why, ":")
	kind, _, _ := strings.Cut(strings.TrimSpace(why), ":")
	return target + ":" + kind
}

// An original is what programs, as gcc compiles them, leave in their arrays.
type original struct {
	params [][][]int64      // by trial and program
	left   [][]*scop.Memory // likewise
}

// newOriginal runs the originals of programs, all in one file. It returns why that is not possible.
func newOriginal(t *testing.T, ps []*subject) (o *original, why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %.300s", fmt.Sprint(r))
		}
	}()
	res, err := translate(ps, hexcc.Options{Stop: "scop"})
	if err != nil {
		return nil, "together: " + err.Error()
	}
	run, err := compiled(t.TempDir(), programs(res), programs(res)[0].Source)
	if err != nil {
		return nil, "original: " + err.Error()
	}
	o = &original{}
	for k := range trials {
		var params [][]int64
		for i, r := range res.Regions {
			values, err := parameters(r.Scop, ps[i], k)
			if err != nil {
				return nil, err.Error()
			}
			params = append(params, values)
		}
		mems, err := memories(res, params, k)
		if err == nil {
			err = run(mems)
		}
		if err != nil {
			return nil, "original: " + err.Error()
		}
		o.params, o.left = append(o.params, params), append(o.left, mems)
	}
	return o, ""
}

// of returns the original of program i alone.
func (o *original) of(i int) *original {
	one := &original{}
	for k := range o.params {
		one.params = append(one.params, o.params[k][i:i+1])
		one.left = append(one.left, o.left[k][i:i+1])
	}
	return one
}

// try compares the translation of programs for a target with the original. It returns
// "" if all elements are equal, "refused CODE" if the target is not for them, and else what is wrong.
func (o *original) try(t *testing.T, x target, ps []*subject) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %.300s", fmt.Sprint(r))
		}
	}()
	res, err := translate(ps, hexcc.Options{Target: x.to})
	var list diag.List
	if errors.As(err, &list) {
		for _, d := range list {
			if d.Severity == diag.Error {
				return "refused " + string(d.Code)
			}
		}
	}
	if err != nil {
		return "error: " + err.Error()
	}
	run, err := x.build(t.TempDir(), base(ps), res)
	if err != nil {
		return "build: " + err.Error()
	}
	for k := range trials {
		mems, err := memories(res, o.params[k], k)
		if err == nil {
			err = run(mems)
		}
		if err != nil {
			return "run: " + err.Error()
		}
		for i, mem := range o.left[k] {
			if text := oracle.Different(mem, mems[i]); text != "" {
				return fmt.Sprintf("differs: %s: %s", mem.Sizes(), text)
			}
		}
	}
	return ""
}

// trials are the sizes at which programs run: steps, and extents.
var trials = [][2]int64{{7, 23}, {0, 9}, {3, 1}, {5, 4}}

// parameters returns those of trial k: extents that the program does not allow are made larger.
func parameters(p *scop.Program, s *subject, k int) ([]int64, error) {
	extent := trials[k][1]
	if slices.Contains(s.Features, randc.FourD) {
		extent = min(extent, 8)
	}
	for ; extent <= randc.LargestWide; extent++ {
		params, values := make([]int64, len(p.Params)), map[string]int64{}
		for n, q := range p.Params {
			if params[n] = min(extent+int64(n%2), randc.LargestWide); q.Name == "T" {
				params[n] = trials[k][0]
			}
			values[q.Name] = params[n]
		}
		if p.Context.Contains(values) {
			return params, nil
		}
	}
	return nil, fmt.Errorf("no size is allowed")
}

// memories returns the input of trial k for the regions of res.
func memories(res *hexcc.Result, params [][]int64, k int) (mems []*scop.Memory, err error) {
	for i, r := range res.Regions {
		mem, err := scop.NewMemory(r.Scop, params[i], uint64(k))
		if err != nil {
			return nil, err
		}
		mems = append(mems, mem)
	}
	return mems, nil
}
