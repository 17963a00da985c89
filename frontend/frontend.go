// Package frontend reads C. It turns each region between #pragma scop and
// #pragma endscop into a scop.Program, or says what is wrong with it, where,
// and what to do. It needs no compiler on the machine: the C front end and
// small system headers are built in.
package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// A Result is what a file holds.
type Result struct {
	Programs []*scop.Program // one for each region that was to be read, in source order; nil where it is wrong
	Clauses  [][]Clause      // what #pragma hexcc says of each of the Programs
	Headers  []string        // files read by #include, in order, none of them built in
	// Macros are the names that may be macros where the file begins, but for those of compilers: with Options.Includes only, else there are none but Options.Defines.
	Macros []string
	// Origin says where the places of the Programs are in the file: nil if they are those of the file itself.
	Origin *Origin
	// Hosts are what the host runs around Programs, where Options.Ranks asks for them.
	Hosts    []*scop.Host
	Sites    []Site // the regions that Programs were made of, in source order, where Options.Sites asks for them
	Source   []byte // the user's file, as its compiler takes it, where Sites are
	Warnings diag.List
}

// Parse reads src. Its error is a diag.List with everything that is wrong; where
// some of the regions are sound even so, the Result holds them.
// Equal arguments and equal headers give equal results.
func Parse(src Source, o Options) (*Result, error) {
	res, err := parseSource(src, o)
	if err != nil && callsOnBlocks(src.Text) {
		// The host can run such a call, whatever it copies, where a nest cannot.
		o.calls = true
		if again, err := parseSource(src, o); err == nil {
			return again, nil
		}
	}
	return res, err
}

func parseSource(src Source, o Options) (*Result, error) {
	t, copied, err := newTextOf(newFile(src), o)
	if err != nil {
		return nil, err
	}
	regions, wrong := choose(t.f, t.regions, o.Region)
	t.errs = append(t.errs, wrong...)
	t.read(regions, o)
	user := t
	t = t.writtenAnew(regions, o)
	if t.hasErrors() || t.gathersInElements() {
		if again := user.withSetters(regions, o); again != nil {
			t = again
		}
	}
	var sites []Site
	if o.Sites {
		if res, err := t.result(o); err == nil {
			sites = user.sites(regions, res)
		}
	}
	res, err := t.behindCopies(copied).result(o)
	if err == nil && o.Sites {
		res.Sites, res.Source = sites, user.f.text
	}
	if res != nil && len(o.Includes) > 0 {
		for _, name := range slices.Sorted(maps.Keys(t.f.macros)) {
			if !strings.HasPrefix(name, "_") {
				res.Macros = append(res.Macros, name)
			}
		}
	}
	return res, err
}

// writtenAnew returns the text that is read in place of t, where regions cannot be programs as they are.
func (t *text) writtenAnew(regions []region, o Options) *text {
	if kept, chosen := t.keepInCells(regions, o); kept != nil {
		if again := kept.writtenAnew(chosen, o); again != kept {
			return again.behind(kept)
		}
		return kept
	}
	tabled := t.tabulate(regions, o)
	if tabled == nil || o.Parts {
		if again := t.rewrite(regions, o); again != nil && (tabled == nil || !again.remarks.HasErrors() && !again.hasErrors() && !again.errs.HasErrors()) {
			return again
		}
	}
	if tabled != nil {
		return tabled
	}
	return t
}

// A text is a file and what becomes of its regions.
type text struct {
	f       *file
	u       *unit
	regions []region // all
	errs    diag.List
	made    []made  // of those that were to be read
	origin  *Origin // nil: the file is the user's
	inner   []innerRegion
	remarks diag.List // in places of the user's file
	ranks   bool      // it was written for several ranks
}

func newText(f *file, o Options) (*text, error) {
	u, errs := translate(f, o)
	if len(errs) > 0 {
		return nil, diag.Sorted(errs)
	}
	regions, errs := findRegions(f, u)
	for i := range regions {
		regions[i].Index = i
	}
	return &text{f: f, u: u, regions: regions, errs: append(errs, u.remarks(f)...)}, nil
}

// read reads regions.
func (t *text) read(regions []region, o Options) {
	for _, r := range regions {
		t.made = append(t.made, build(t.f, t.u, r, o))
	}
}

// wrong returns which of the regions that were read cannot be a program as they are.
func (t *text) wrong(regions []region) map[int]bool {
	wrong := map[int]bool{}
	for i, r := range regions {
		if t.made[i].p == nil && t.made[i].errs.HasErrors() {
			wrong[r.Index] = true
		}
	}
	return wrong
}

// readAnew reads what was written anew for regions, which has the regions inner, and returns those that were read.
func readAnew(origin *Origin, inner []innerRegion, remarks diag.List, regions []region, o Options) (t *text, chosen []region) {
	origin.text.copies = origin.copies()
	t, err := newText(origin.text, o)
	if err != nil || len(t.regions) != len(inner) || t.errs.HasErrors() {
		panic(fmt.Sprintf("frontend: a region that was written anew cannot be read: %v\n%s", err, origin.text.text))
	}
	t.origin, t.inner, t.remarks = origin, inner, remarks
	chosen = slices.DeleteFunc(slices.Clone(t.regions), func(r region) bool {
		return !slices.ContainsFunc(regions, func(q region) bool { return q.Index == inner[r.Index].of })
	})
	for i := range chosen {
		chosen[i].space = inner[chosen[i].Index].space
	}
	t.read(chosen, o)
	t.raiseWalls()
	return t, chosen
}

// keepInCells returns the text that is read in place of t, where regions cannot be read since scalars are computed of elements that nests change before the scalars are used,
// with those in arrays of one element, and the regions that are to be read; nil for t itself. Each region of which that is done is a program.
func (t *text) keepInCells(regions []region, o Options) (again *text, chosen []region) {
	write := t.wrong(regions)
	for len(write) > 0 && !t.errs.HasErrors() && !o.Ranks && !o.Parts {
		origin, inner, remarks, done := inCells(t.f, t.u, t.regions, o, func(i int) bool { return write[i] })
		if origin == nil {
			return nil, nil
		}
		if again, chosen = readAnew(origin, inner, remarks, regions, o); again.allGood(done, write) {
			return again, chosen
		}
	}
	return nil, nil
}

// allGood reports whether nothing is wrong with what was written for the user's regions of done; those with which something is are taken out of write.
func (t *text) allGood(done, write map[int]bool) bool {
	good := true
	for _, m := range t.made {
		if of := t.inner[m.r.Index].of; m.errs.HasErrors() && done[of] {
			delete(write, of)
			good = false
		}
	}
	return good
}

// tabulate returns the text that is read in place of t, where regions cannot be read since scalars pass from step to step, with those in
// tables; nil for t itself.
func (t *text) tabulate(regions []region, o Options) *text {
	write := t.wrong(regions)
	for len(write) > 0 && !t.errs.HasErrors() {
		origin, inner, remarks, done := tabulated(t.f, t.u, t.regions, o, func(i int) bool { return write[i] })
		if origin == nil {
			return nil
		}
		again, chosen := readAnew(origin, inner, remarks, regions, o)
		if last := again.rewrite(chosen, o); last != nil {
			again = last.behind(again)
		}
		if again.allGood(done, write) {
			return again
		}
	}
	return nil
}

// behind returns t, a text written anew for that of inner, which was written for the user's, in places of that.
func (t *text) behind(inner *text) *text {
	t.remarks = append(slices.Clone(inner.remarks), inner.origin.Moved(t.remarks)...)
	for i := range t.made {
		t.made[i].refused = inner.origin.Moved(t.made[i].refused)
	}
	for i := range t.inner {
		t.inner[i].written = t.inner[i].written || inner.inner[t.inner[i].of].written
	}
	t.origin = t.origin.behind(inner.origin)
	return t
}

// rewrite returns the text that is read in place of t, where regions are loops that end by a value, or nests that gather
// scalars; nil for t itself. Chunks that cannot be read are left out.
func (t *text) rewrite(regions []region, o Options) *text {
	if !o.Ranks {
		again := t.rewriteAs(regions, o)
		if again != nil && o.Parts && !again.hasErrors() && !again.remarks.HasErrors() {
			if wrong := again.around(); len(wrong) > 0 {
				again.errs = append(again.errs, wrong...)
				again.remarks = slices.DeleteFunc(again.remarks, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
			}
		}
		return again
	}
	alone := o
	alone.Ranks = false
	again := t.rewriteAs(regions, alone)
	if again != nil && (again.remarks.HasErrors() || !slices.ContainsFunc(again.inner, func(x innerRegion) bool { return x.hosted })) {
		return again
	}
	calls, chosen, refused := t.inlined(regions, o, (*inliner).list)
	again = calls.rewriteAs(chosen, o)
	last := again
	switch {
	case again == nil:
		last = calls
		if calls != t {
			again = calls
		}
	case calls != t:
		again = again.behind(calls)
	}
	for i, m := range last.made {
		if why := refused[last.userRegion(m.r)]; len(why) > 0 && m.p == nil {
			last.made[i].refused = why
		}
	}
	return again
}

// userRegion returns the number of the user's region that r is, or is part of.
func (t *text) userRegion(r region) int {
	if t.origin == nil || t.inner == nil {
		return r.Index
	}
	return t.inner[r.Index].of
}

// rewriteAs is rewrite, but for loops of ranks: time loops around time loops are loops of the host only where that is what it takes.
func (t *text) rewriteAs(regions []region, o Options) *text {
	again := t.rewriteOnce(regions, o)
	if o.Ranks || again != nil && !again.hasErrors() && !again.errs.HasErrors() {
		return again
	}
	o.nested = true
	if nested := t.rewriteOnce(regions, o); nested != nil && !nested.hasErrors() && !nested.errs.HasErrors() {
		return nested
	}
	return again
}

func (t *text) rewriteOnce(regions []region, o Options) *text {
	write, accumulating := t.wrong(regions), t.accumulating(regions, o)
	for i := range accumulating {
		write[i] = true
	}
	edges := func(i int) []edge {
		if k := slices.IndexFunc(regions, func(r region) bool { return r.Index == i }); k >= 0 {
			return t.made[k].edges
		}
		return nil
	}
	single := map[string]bool{} // loops that run one step at a time
	for len(write) > 0 && !t.errs.HasErrors() {
		origin, inner, remarks, refused := rewritten(t.f, t.u, t.origin, t.regions, o, func(i int) bool { return write[i] }, func(loop string) bool { return !single[loop] }, edges)
		if origin == nil {
			t.noteRefused(refused, func(r region) int { return r.Index }, o)
			return nil
		}
		again, chosen := readAnew(origin, inner, remarks, regions, o)
		changed := false
		for i, r := range chosen {
			if x := inner[r.Index]; x.chunk != "" && again.made[i].p == nil && !single[x.chunk] {
				single[x.chunk], changed = true, true
			}
		}
		if !changed && len(accumulating) > 0 && !again.allGood(accumulating, write) {
			clear(accumulating) // they stay as they are
			continue
		}
		if !changed {
			again.ranks = o.Ranks
			again.errs = append(again.errs, again.setTwice()...)
			again.noteRefused(refused, func(r region) int { return inner[r.Index].of }, o)
			if again.hasErrors() || again.errs.HasErrors() {
				again.remarks = nil
			}
			return again // where something is wrong with what is left, that is what stops the region
		}
	}
	return nil
}

// noteRefused notes why regions, by number, could not be written anew where that is what stops them: all that is wrong with them is how
// loops end, what they gather and what they call.
func (t *text) noteRefused(why map[int]diag.List, number func(region) int, o Options) {
	for i, m := range t.made {
		if o.Ranks && m.p == nil && len(why[number(m.r)]) > 0 { // the host can run it, but for that
			t.made[i].refused, t.made[i].onRanks = why[number(m.r)], true
		} else if m.p == nil && !slices.ContainsFunc(m.errs, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && !ofHost(d) && d.Code != "HX107" }) {
			t.made[i].refused = why[number(m.r)]
		}
	}
}

// ofHost reports whether d may be about what the host could do.
func ofHost(d *diag.Diagnostic) bool { return d.Code == "HX102" || d.Code == "HX103" }

// setTwice returns errors about regions in which no two iterations of a nest may set the same element, and do.
func (t *text) setTwice() (wrong diag.List) {
	for _, m := range t.made {
		if m.p != nil && t.inner[m.r.Index].apart && overwrites(m.p) {
			wrong = append(wrong, &diag.Diagnostic{Code: "HX107", At: m.p.Stmts[0].Pos, Msg: "iterations of this nest set the same element, so that what it gathers depends on their order",
				Notes: []diag.Note{{Msg: "allowed: sums and the like of elements that no other iteration of the nest sets"}},
				Help:  "gather in a nest of its own, before or after this one"})
		}
	}
	return wrong
}

// around returns errors about regions that would be several programs, or one in a loop of the host, where whoever runs these programs does not run what is around them.
func (t *text) around() (wrong diag.List) {
	seen := map[int]bool{}
	for _, m := range t.made {
		if x := t.inner[m.r.Index]; x.hosted && m.p != nil && !seen[x.of] {
			seen[x.of] = true
			wrong = append(wrong, &diag.Diagnostic{Code: "HX311", At: m.p.Start(), Msg: "ranks run the tiles of one time loop on GPUs, and this region has more than that", Help: "--target=mpi runs such loops on CPUs"})
		}
	}
	return wrong
}

// hasErrors reports whether something is wrong with a region.
func (t *text) hasErrors() bool {
	return slices.ContainsFunc(t.made, func(m made) bool { return m.errs.HasErrors() })
}

// result returns what t holds, in places of the user's file.
func (t *text) result(o Options) (*Result, error) {
	res := &Result{Headers: t.u.headers, Origin: t.origin}
	var frames []frame
	errs := slices.Concat(t.remarks, t.origin.Moved(t.errs))
	for _, m := range t.made {
		if m.r.every > 0 {
			errs = append(errs, lonelyCheck(m.r))
		}
		if t.origin != nil {
			x := t.inner[m.r.Index]
			if x.written {
				m.errs = slices.DeleteFunc(slices.Clone(m.errs), func(d *diag.Diagnostic) bool { return d.Code == "HX118" })
			}
			if m.p != nil {
				m.p.Lines, m.p.Instead, m.p.Within = t.origin.linesOf(), x.instead, x.written
			}
		}
		if len(m.refused) > 0 {
			errs = append(errs, m.refused...)
			m.errs = slices.DeleteFunc(slices.Clone(m.errs), func(d *diag.Diagnostic) bool { return m.onRanks || ofHost(d) })
		}
		errs = append(errs, t.origin.Moved(m.errs)...)
		res.Programs = append(res.Programs, m.p)
		res.Clauses = append(res.Clauses, m.r.clauses)
		frames = append(frames, m.frame())
	}
	if len(t.made) > 0 {
		errs = append(errs, checkFacts(o, frames)...)
	}
	if o.Ranks && t.ranks && !errs.HasErrors() {
		var wrong diag.List
		res.Hosts, wrong = t.hosts(res.Programs)
		errs = append(errs, t.origin.Moved(wrong)...)
	}
	errs = t.f.cxx.inMessages(errs)
	if errs.HasErrors() {
		return res, diag.Sorted(errs)
	}
	res.Warnings = diag.Sorted(errs)
	return res, nil
}
