package e2e_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file tries programs that stand in one file.

// A subject is a program, with what is said of its translation.
type subject struct {
	*randc.Program
	seed   uint64
	clause string // #pragma hexcc, or ""
}

// text returns the program, with its clause.
func (p *subject) text() string {
	if p.clause == "" {
		return p.String()
	}
	return strings.Replace(p.String(), "#pragma scop\n", "#pragma hexcc "+p.clause+"\n#pragma scop\n", 1)
}

// prelude is what each file begins with.
const prelude = "#include <stdint.h>\n" + randc.Prelude

// together returns the source of programs in one file.
func together(ps []*subject) string {
	text := prelude
	for _, p := range ps {
		text += p.text()
	}
	return text
}

// translate translates programs in one file. Where hexagons do not apply, space is tiled alone.
// What panics is an error.
func translate(ps []*subject, target hexcc.Target, stop string) (res *hexcc.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %.300s", fmt.Sprint(r))
		}
	}()
	o := hexcc.Options{Base: base(ps), Target: target, Stop: stop, Fallback: hexcc.Space}
	return hexcc.Compile(hexcc.Source{Name: o.Base + ".c", Text: []byte(together(ps))}, o)
}

func base(ps []*subject) string {
	if ps[0].File == "" {
		return "wide"
	}
	return ps[0].File
}

// small are widths of tiles whose code is short.
var small = pipeline.Widths{{2}, {1, 4}, {1, 2, 4}, {1, 1, 2, 2}}

// choose gives p a clause for narrow tiles, of which small grids have many. A few programs, and
// those for which there is none, get none. It returns what take does of passes that come before tiles.
func (p *subject) choose() string {
	p.clause = ""
	if err := ctext.Includable(p.File); err != nil {
		return p.why(diag.List{{Code: "HX015", Msg: err.Error()}})
	}
	res, err := translate([]*subject{p}, "", "cone")
	if err != nil || p.seed%64 == 0 || res.Region.Cone.String() == "" || len(res.Region.Space.Space) > len(small) {
		return p.why(err)
	}
	sizes := small.Of(res.Space, res.Cone)
	if p.seed%4 != 1 { // low tiles, whose code is shorter still
		for _, h := range slices.Backward(schedule.LegalH(res.Space.K)) {
			if h >= 1 {
				sizes.H = h
			}
		}
		sizes.W[0] = max(small[len(sizes.W)-1][0], schedule.MinW0(res.Cone, sizes.H))
	}
	p.clause = fmt.Sprintf("tile(h=%d", sizes.H)
	for i, w := range sizes.W {
		p.clause += fmt.Sprintf(",w%d=%d", i, w)
	}
	p.clause += ")"
	return ""
}

// take translates p alone, with its clause or, if that fails, without. It returns "" if that
// is possible, "refused CODE" if hexcc says why it is not, with a code that it may say, and else what is wrong.
func (p *subject) take() string {
	_, err := translate([]*subject{p}, hexcc.CUDA, "")
	if err != nil && p.clause != "" {
		p.clause = ""
		_, err = translate([]*subject{p}, hexcc.CUDA, "")
	}
	return p.why(err)
}

// why returns "" if there is no error, "refused CODE" if it is a refusal with a code that p may have, and else what is wrong.
func (p *subject) why(err error) string {
	code := refusal(err)
	switch {
	case err == nil:
		return ""
	case code == "":
		return "error: " + err.Error()
	case !p.MayRefuse(code):
		return fmt.Sprintf("unexpected %s: %v", code, err)
	}
	return "refused " + code
}

// refusal returns the code of the first diagnostic of an error, "" if it is none.
func refusal(err error) string {
	var list diag.List
	if errors.As(err, &list) {
		for _, d := range list {
			if d.Severity == diag.Error {
				return string(d.Code)
			}
		}
	}
	return ""
}

// fails chooses a clause for q, translates it and runs it on x, if that is not nil. It returns what is wrong, "" if nothing is.
func fails(t *testing.T, q *subject, x *target) string {
	if why := cmp.Or(q.choose(), q.take()); why != "" {
		return why
	}
	b := &batch{survey: &survey{t: t}, subjects: []*subject{q}, anew: true}
	want, why := newOriginal(t, b.subjects)
	name := "original"
	if why == "" && x != nil {
		name, why = x.name, b.try(want, *x)
	}
	if why != "" {
		why = name + ": " + why
	}
	return why
}

// A batch is programs in one file.
type batch struct {
	*survey
	subjects []*subject
	anew     bool // each target is translated for, also where its passes are those of another
	made     map[hexcc.Target]*hexcc.Result
}

// run runs programs together on every target; where one fails, one by one.
func (b *batch) run() {
	b.keep((*subject).choose)
	if b.sieve(); len(b.subjects) == 0 {
		return
	}
	s := b.survey
	for _, p := range b.subjects {
		s.count(s.taken, 1, p.Features...)
	}
	s.lock.Lock()
	s.wide += len(b.subjects)
	s.lock.Unlock()
	want, why := newOriginal(s.t, b.subjects)
	if why != "" {
		b.each("original", why, func(p *subject, _ int) string { return second(newOriginal(s.t, []*subject{p})) }, nil)
		return
	}
	for _, x := range s.targets {
		why := b.try(want, x)
		ran := len(b.subjects)
		if why != "" {
			ran = b.alone(want, x, why)
		}
		s.count(s.ran, ran, x.name)
	}
}

// keep removes the programs that are not taken, as take says.
func (b *batch) keep(take func(*subject) string) {
	b.subjects = slices.DeleteFunc(b.subjects, func(p *subject) bool {
		why := take(p)
		if code, refused := strings.CutPrefix(why, "refused "); refused {
			b.count(b.codes, 1, code)
		} else if why != "" {
			b.fail(p, why, func(q *subject) string { return cmp.Or(q.choose(), q.take()) })
		}
		return why != ""
	})
}

// sieve removes the programs that are not taken, and translates the others for CUDA.
func (b *batch) sieve() {
	for len(b.subjects) > 0 {
		res, err := translate(b.subjects, hexcc.CUDA, "")
		if err == nil {
			b.made = map[hexcc.Target]*hexcc.Result{hexcc.CUDA: res}
			return
		}
		before := together(b.subjects)
		suspects := b.suspects(err)
		b.keep(func(p *subject) string {
			if slices.Contains(suspects, p) {
				return p.take()
			}
			return ""
		})
		if together(b.subjects) == before {
			b.lock.Lock()
			b.say("seeds %v are taken one by one, and not together: %v\n%s", seeds(b.subjects), err, before)
			b.lock.Unlock()
			b.subjects = nil
		}
	}
}

// suspects returns the programs that an error may be about: by its lines, or all of them.
func (b *batch) suspects(err error) (some []*subject) {
	var list diag.List
	if !errors.As(err, &list) {
		return b.subjects
	}
	for _, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		line, found := strings.Count(prelude, "\n"), false
		for _, p := range b.subjects {
			first := line + 1
			line += strings.Count(p.text(), "\n")
			if d.At.Line >= first && d.At.Line <= line {
				some, found = append(some, p), true
			}
		}
		if !found {
			return b.subjects
		}
	}
	return some
}

// alone tries each program alone on a target on which they fail together, and returns how many are equal.
func (b *batch) alone(want *original, x target, together string) (ran int) {
	return b.each(x.name, together, func(p *subject, i int) string {
		one := &batch{survey: b.survey, subjects: []*subject{p}, anew: true}
		return one.try(want.of(i), x)
	}, &x)
}

// each tries programs one by one that fail together, says what is wrong with each, or that nothing is, and returns
// with how many nothing is. What they fail on is x; nil: before that.
func (b *batch) each(name, together string, try func(p *subject, i int) string, x *target) (ran int) {
	bad := false
	for i, p := range b.subjects {
		why := try(p, i)
		code, refused := strings.CutPrefix(why, "refused ")
		switch {
		case why == "":
			ran++
			continue
		case refused:
			b.count(b.codes, 1, name+" "+code)
		default:
			b.fail(p, name+": "+why, func(q *subject) string { return fails(b.t, q, x) })
		}
		bad = true
	}
	if !bad {
		b.lock.Lock()
		defer b.lock.Unlock()
		b.say("%s: seeds %v pass one by one, and not together: %.1500s", name, seeds(b.subjects), together)
		return 0
	}
	return ran
}

func second[A, B any](_ A, b B) B { return b }

func seeds(ps []*subject) (all []uint64) {
	for _, p := range ps {
		all = append(all, p.seed)
	}
	return all
}

// translated returns the translation to build x of.
func (b *batch) translated(x target) (*hexcc.Result, error) {
	if b.anew {
		return translate(b.subjects, x.to, "")
	}
	if b.made[x.like] == nil {
		res, err := translate(b.subjects, x.like, "")
		if err != nil {
			return nil, err
		}
		b.made[x.like] = res
	}
	return b.made[x.like], nil
}

// try compares the translation of programs for a target with the original. It returns
// "" if all elements are equal, "refused CODE" if the target is not for them, and else what is wrong.
func (b *batch) try(want *original, x target) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %.300s", fmt.Sprint(r))
		}
	}()
	res, err := b.translated(x)
	if code := refusal(err); code != "" {
		return "refused " + code
	}
	if err != nil {
		return "error: " + err.Error()
	}
	run, err := x.build(b.t.TempDir(), base(b.subjects), res, b.anew)
	if err != nil {
		return "build: " + err.Error()
	}
	for k := range trials {
		mems, err := memories(res, want.params[k], k)
		if err == nil {
			err = run(mems)
		}
		if err != nil {
			return "run: " + err.Error()
		}
		for i, mem := range want.left[k] {
			if text := oracle.Different(mem, mems[i]); text != "" {
				return fmt.Sprintf("differs: %s: %s", mem.Sizes(), text)
			}
		}
	}
	return ""
}

// An original is what programs, as gcc compiles them, leave in their arrays.
type original struct {
	params [][][]int64      // by trial and program
	left   [][]*scop.Memory // likewise
}

// newOriginal runs the originals of programs, all in one file. It returns why that is not possible.
func newOriginal(t *testing.T, ps []*subject) (o *original, why string) {
	res, err := translate(ps, "", "scop")
	if err != nil {
		return nil, "together: " + err.Error()
	}
	run, err := compiled(t.TempDir(), programs(res), programs(res)[0].Source)
	if err != nil {
		return nil, err.Error()
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
			return nil, err.Error()
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

// trials are the sizes at which programs run: steps, and extents.
var trials = [][2]int64{{6, 17}, {0, 9}, {3, 1}, {5, 4}}

// parameters returns those of trial k: extents that the program does not allow are made larger.
func parameters(p *scop.Program, s *subject, k int) ([]int64, error) {
	extent, four := trials[k][1], slices.Contains(s.Features, randc.FourD)
	largest := randc.LargestWide(four)
	switch {
	case slices.Contains(s.Features, randc.ThreeD):
		extent = min(extent, 12)
	case four:
		extent = min(extent, 8)
	}
	for ; extent <= largest; extent++ {
		params := make([]int64, len(p.Params))
		for n, q := range p.Params {
			if params[n] = min(extent+int64(n%2), largest); q.Name == "T" {
				params[n] = trials[k][0]
			}
		}
		if p.Allows(params) {
			return params, nil
		}
	}
	return nil, fmt.Errorf("no size is allowed")
}

// memories returns the input of trial k for the regions of res: integers of all values that their types have.
func memories(res *hexcc.Result, params [][]int64, k int) (mems []*scop.Memory, err error) {
	for i, r := range res.Regions {
		mem, err := scop.NewMemory(r.Scop, params[i], uint64(k))
		if err != nil {
			return nil, err
		}
		for a, s := range mem.Arrays {
			if s.Array.Elem.IsFloat() {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(k), uint64(a))) // whatever other regions there are
			for c := range s.Cells {
				s.Cells[c] = rng.Uint64() >> (64 - 8*s.Array.Elem.Size())
			}
		}
		mems = append(mems, mem)
	}
	return mems, nil
}
