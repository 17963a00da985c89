package hexcc

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
	"github.com/hexcc/hexcc/symbolic"
)

// One function for each pass, in the order of the table in compile.go.

func parse(f *file) (Product, error) {
	res, err := frontend.Parse(f.src, frontend.Options{
		IncludeDirs: f.opts.IncludeDirs,
		Defines:     f.opts.Defines,
		Undefines:   f.opts.Undefines,
		Includes:    f.opts.Includes,
		Cxx:         f.opts.Cxx,
		Host:        f.opts.Host,
		Printed:     f.opts.Printed,
		NoAlias:     f.opts.NoAlias || f.opts.Target.isMPI(), // whose functions ask for that
		Assume:      f.opts.Assume,
		Unchecked:   f.opts.Unchecked,
		Region:      f.opts.Region,
		Ranks:       f.opts.Target == MPI,
		Parts:       f.opts.Target.isMPI(),
		InSteps:     f.opts.inSteps(),
		Sites:       f.opts.Probes,
	})
	if res == nil {
		return nil, err
	}
	if err != nil && !errors.As(err, &f.errs) {
		return nil, err
	}
	f.Headers, f.Warnings, f.origin, f.macros = res.Headers, res.Warnings, res.Origin, res.Macros
	if f.opts.Probes {
		f.probe(res)
	}
	var sound scop.Programs
	for i, p := range res.Programs {
		if p == nil { // the errors say what is wrong with it
			continue
		}
		u := &unit{src: f.src, opts: f.opts, Region: &Region{Target: cmp.Or(f.opts.Target, CUDA)}}
		if len(res.Programs) > 1 {
			u.opts.Fission = inRegion(u.opts.Fission, i, res.Programs, parts)
			u.opts.Fold = inRegion(u.opts.Fold, i, res.Programs, folds)
		}
		wrong := u.opts.override(res.Clauses[i])
		p = scop.WithCoefficients(p)
		if h := slices.IndexFunc(res.Hosts, func(h *scop.Host) bool { return slices.Contains(h.Programs, res.Programs[i]) }); wrong == nil && h >= 0 {
			if u.tiled = u.opts.tiles(res.Hosts[h], res.Programs[i]); !u.tiled { // tiles of time need no order of its nests
				if p, err = rewrite.Rows(p); err != nil {
					return nil, err
				}
			}
		}
		if wrong == nil {
			wrong = u.opts.unknown(p, res.Clauses[i])
		}
		if u.opts.Reassociate != "" && wrong == nil {
			var remark *diag.Diagnostic
			if p, remark, err = u.reassociate(p); errors.As(err, &wrong) {
				wrong = f.origin.Moved(wrong)
			} else if remark != nil {
				f.Warnings = append(f.Warnings, f.origin.Moved(diag.List{remark})...)
			}
		}
		if u.opts.Fold != nil && wrong == nil {
			var remark *diag.Diagnostic
			if p, remark, err = u.fold(p); errors.As(err, &wrong) {
				wrong = f.origin.Moved(wrong)
			} else if err != nil {
				return nil, err
			} else if remark != nil {
				f.Warnings = append(f.Warnings, f.origin.Moved(diag.List{remark})...)
			}
		}
		own := u.opts.mapped()
		if wrong == nil && !own {
			if p, err = u.inline(p); errors.As(err, &wrong) {
				wrong = f.origin.Moved(wrong)
			} else if err != nil {
				return nil, err
			}
		}
		if wrong == nil {
			u.recall(f, p)
		}
		if u.stored == nil && !own { // else the statements are those that the user's schedule names
			var facts []scop.Fact
			p, facts = schedule.Pieces(schedule.Fold(p))
			u.shares = sharing(facts)
		}
		f.Warnings = append(f.Warnings, f.origin.Moved(u.shares)...)
		if f.opts.FMA {
			p = scop.Fused(p)
		}
		if f.opts.Tuned != nil && wrong == nil && !slices.ContainsFunc(res.Clauses[i], func(c frontend.Clause) bool { return c.Name == "tile" || c.Name == "strategy" }) {
			remark, errs := u.takeTuned(p)
			if wrong = f.origin.Moved(errs); remark != nil {
				f.Warnings = append(f.Warnings, f.origin.Moved(diag.List{remark})...)
			}
		}
		sound, u.Scop = append(sound, p), p
		f.errs, u.failed = append(f.errs, wrong...), wrong != nil
		if len(res.Programs) > 1 {
			u.memo = &f.memo
		}
		f.units, f.Regions = append(f.units, u), append(f.Regions, u.Region)
	}
	if len(f.Regions) > 0 {
		f.Region = f.Regions[0]
	}
	f.hosted(res)
	f.checkTypes(res.Programs)
	f.checkGrid(res.Programs)
	f.checkLeave(res.Programs)
	return sound, nil
}

// sharing tells of sizes that were left out so that nests share steps.
func sharing(facts []scop.Fact) (remarks diag.List) {
	for _, x := range facts {
		remarks = append(remarks, &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX213", At: x.Pos,
			Msg:  fmt.Sprintf("nests of an iteration share a step only if %s; this is tested before the kernels run", x.Text),
			Help: fmt.Sprintf("where it may be smaller the original loops run in their place; --assume='%s' says that it is not", x.Text),
			Fact: x.Text,
		})
	}
	return remarks
}

// checkGrid notes typical sizes of what is no parameter of any region.
func (f *file) checkGrid(regions []*scop.Program) {
	var names []string
	for _, p := range regions {
		if p == nil {
			return // what its parameters are is not known
		}
		for _, param := range p.Params {
			names = append(names, param.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.opts.Grid)) {
		switch {
		case slices.Contains(names, name) || len(regions) == 0:
		case f.origin != nil && f.mentions(name): // such as the bound of a loop that the host runs
			d := model.NoParameter(regions[0], name, names)
			d.Severity, d.Help = diag.Remark, ""
			f.Warnings = append(f.Warnings, f.origin.Moved(diag.List{d})...)
		default:
			f.errs = append(f.errs, f.origin.Moved(diag.List{model.NoParameter(regions[0], name, names)})...)
		}
	}
}

// mentions reports whether name is an identifier of the source.
func (f *file) mentions(name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).Match(f.src.Text)
}

// checkLeave notes arrays that the command line has a place for, and no region has.
func (f *file) checkLeave(regions []*scop.Program) {
	var names []string
	for _, p := range regions {
		if p == nil {
			return // what its arrays are is not known
		}
		for _, a := range p.Arrays {
			if !a.Local && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	if len(regions) == 0 {
		return
	}
	for _, name := range f.opts.Leave {
		if !slices.Contains(names, name) {
			f.errs = append(f.errs, f.origin.Moved(noArray(regions[0].Start(), fmt.Sprintf("'%s', which is to stay in global memory, is no array of a region", name), names))...)
		}
	}
	for _, name := range f.opts.placed() {
		if !slices.Contains(names, name) {
			f.errs = append(f.errs, f.origin.Moved(noArray(regions[0].Start(), fmt.Sprintf("'%s', which --place has a place for, is no array of a region", name), names))...)
		}
	}
}

// noArray is the error that a name is none of those of arrays.
func noArray(at diag.Span, msg string, names []string) diag.List {
	return diag.List{{Code: "HX302", At: at, Msg: msg, Notes: []diag.Note{{Msg: "arrays are " + strings.Join(names, ", ")}}, Help: "name one of them, or leave it out"}}
}

// unknown returns the errors of clauses before p that have a place for what is no array of it.
func (o *Options) unknown(p *scop.Program, clauses []frontend.Clause) (errs diag.List) {
	var names []string
	for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
		names = append(names, a.Name)
	}
	for _, c := range clauses {
		asked := o.Leave
		if c.Name == "place" {
			asked = o.placed()
		} else if c.Name != "leave" {
			continue
		}
		for _, name := range asked {
			if !slices.Contains(names, name) {
				errs = append(errs, noArray(c.At, fmt.Sprintf("'%s' is no array of the region", name), names)...)
			}
		}
	}
	return errs
}

func depend(u *unit) (_ Product, err error) {
	if o := u.opts; o.Strategy.scheme().height && o.Fallback == "" && o.Load.Name == "" && !u.Scop.Timeless {
		if err := schedule.CheckNests(nests(u.Scop)); err != nil {
			return nil, err // before the work that many nests take
		}
	}
	u.Deps, err = schedule.Dependences(u.Scop)
	return u.Deps, err
}

// nests returns how many loop nests of the source the statements of p come from: parts of one share a level, mostly.
func nests(p *scop.Program) int {
	at := map[diag.Pos]bool{}
	for _, st := range p.Stmts {
		at[st.Pos.Pos] = true
	}
	return len(at)
}

func canonicalize(u *unit) (_ Product, err error) {
	u.Plan.Layout.Order, u.Plan.Layout.StrideOneFirst, u.Plan.Layout.Rows = u.opts.Order, u.streams(), u.host != nil
	if file := u.opts.Load; file.Name != "" {
		if u.Plan, err = schedule.Load(file.Name, file.Text, u.Scop); err != nil {
			return nil, err
		}
		if wrong := u.opts.loaded(u.Plan.Clauses); wrong != nil {
			return nil, wrong
		}
		u.follow()
	}
	if u.Space, err = u.Plan.Canonicalize(u.Scop, u.Deps); err != nil {
		err = u.inPlace(err)
	}
	return u.Space, err
}

// follow takes from the schedule file what options say otherwise.
func (u *unit) follow() {
	if s := Strategy(u.Plan.Strategy); s == Wavefront || s == Overlapped {
		u.opts.Strategy, u.opts.Tile = s, u.Plan.Sizes
	}
	u.Plan.Layout.StrideOneFirst = u.streams()
}

// bound leaves the cone empty where no slopes bound the distances and the scheme does without.
func bound(u *unit) (_ Product, err error) {
	u.decide()
	if u.opts.Fuse != "" && u.Strategy != Overlapped {
		return nil, diag.List{{Code: "HX218", At: u.Scop.Start(), Msg: fmt.Sprintf("fuse(%s) is about launches of boxes that overlap, and --strategy=%s has others", u.opts.Fuse, u.Strategy),
			Help: "leave fuse out, or take --strategy=overlapped"}}
	}
	if u.opts.streams() && u.Strategy != Overlapped {
		return nil, u.notStreamed(fmt.Sprintf("that is about boxes that overlap, and --strategy=%s has other tiles", u.Strategy), "leave stream out, or take --strategy=overlapped")
	}
	if u.Strategy == Wavefront {
		if u.streams() {
			return nil, u.notStreaming("--strategy=wavefront has kernels of its own", "leave --kernel=streaming out, or take another strategy")
		}
		u.Cone, err = u.Plan.Cone(u.Space, u.Deps)
		return u.Cone, err
	}
	if u.Space.Sweeps != nil || u.Space.Ways != nil {
		return u.Cone, nil
	}
	if u.Strategy == Untiled && u.opts.Target.isCPU() {
		return nil, u.noPlainLoops()
	}
	u.Cone, err = u.Plan.Cone(u.Space, u.Deps)
	if err != nil {
		err = u.fallBack(err)
	}
	if err == nil && u.opts.Target.isMPI() && u.Strategy == Hybrid {
		u.Cone = u.Cone.Balanced() // tiles that drift would go from rank to rank
	}
	if list := (diag.List{}); !u.Strategy.scheme().slopes && errors.As(err, &list) {
		err = nil
	}
	return u.Cone, err
}

func size(u *unit) (Product, error) {
	if err := u.blockFits(); err != nil {
		return nil, err
	}
	made, err := u.Strategy.scheme().size(u)
	if err != nil {
		if err = u.fallBack(err); err != nil {
			return nil, err
		}
		if made, err = u.Strategy.scheme().size(u); err != nil {
			return nil, err
		}
	}
	asked := u.Strategy
	if err = u.compare(); u.Strategy != asked || u.instead != nil {
		made = u.Sizes
	}
	return made, err
}

func arrange(u *unit) (_ Product, err error) {
	if u.Schedule, err = u.Strategy.scheme().arrange(u); err == nil {
		err = u.wait()
	}
	return u.Schedule, err
}

// prove fails unless all proofs hold: nothing is emitted on less.
func prove(u *unit) (Product, error) {
	proofs := []func() schedule.Proof{
		func() schedule.Proof { return schedule.ProvePartition(u.Schedule) },
		func() schedule.Proof { return schedule.ProveLegality(u.Schedule, u.Deps) },
	}
	if c := u.Schedule.Waits; c != nil {
		proofs = append(proofs, func() schedule.Proof { return schedule.ProveWaits(u.Schedule, *c) })
	}
	u.Proofs = parallel.Map(proofs, func(prove func() schedule.Proof) schedule.Proof { return prove() })
	if legality := u.Proofs[1]; legality.Holds && legality.Tests == 0 && len(u.Deps) > 0 {
		panic(fmt.Sprintf("hexcc: %d dependences hold without a test", len(u.Deps)))
	}
	for _, p := range u.Proofs {
		if !p.Holds && p.Undecided == "" && u.Schedule.Loaded {
			return nil, u.Plan.Refuse(p, u.Schedule, u.Deps)
		}
		if !p.Holds && p.Undecided == "" && u.Strategy == Overlapped {
			return nil, u.notOverlapped("a tile would store what another one, which runs at the same time, still reads: "+p.Violation,
				otherPlanes, p.Places...)
		}
		if err := decided(p, u.Schedule); err != nil {
			return nil, err
		}
	}
	if err := u.proveFolding(); err != nil {
		return nil, err
	}
	return u.Proofs, u.proveSums()
}

// decided returns the error that p could not be decided. That it does not hold, of what we made, is a bug.
func decided(p schedule.Proof, made Product) error {
	if p.Undecided != "" {
		return diag.List{{
			Code: "HX402",
			Msg:  fmt.Sprintf("the proof of %s could not be decided: %s", p.Name, p.Undecided),
			Help: "simplify bounds and subscripts, or fix parameters to numbers with -D",
		}}
	}
	if !p.Holds {
		panic(fmt.Sprintf("hexcc: the proof of %s fails: %s\n%v", p.Name, p.Violation, made))
	}
	return nil
}

// mapCPU decides how rows run.
func mapCPU(u *unit) (Product, error) {
	if u.CPU = cpu.Make(u.Loops); u.opts.Target == OpenMP {
		u.CPU = u.CPU.Grained()
		u.tooSmall()
	}
	return u.CPU, u.rank()
}

// tooSmall says that one thread runs the region, where that is known and nothing else says so.
func (u *unit) tooSmall() {
	covers := u.Strategy == Hybrid && u.Outlook != nil && u.Outlook.Covers()
	if ns, ok := u.CPU.Grain.Known(); ok && !covers {
		u.remarks = append(u.remarks, &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX211", At: u.Scop.Start(), Msg: "one thread runs this region: what others could take of it takes less time than threads take to meet",
			Notes: []diag.Note{{Msg: fmt.Sprintf("from barrier to barrier that is about %d ns, not measured, and %d are enough; compiled with -DHEXCC_GRAIN=0, threads run it all the same", ns, cpu.EnoughWork)}},
		})
	}
}

// proveLoops proves that the loops that are printed are the schedule, and that the steps that they run together may be.
func proveLoops(u *unit) (Product, error) {
	for _, pass := range u.CPU.Passes() {
		if made, err := u.proved(schedule.ProvePass(u.Schedule, u.Deps, pass), u.CPU); err != nil {
			return made, err
		}
	}
	return u.proved(astgen.ProveEmission(u.Schedule, u.CPU.Names, u.CPU.Read), u.CPU)
}

// proveKernels proves that the kernels that are printed are the schedule, and that their tiles, full or not, work on the values of the program.
// Where that cannot be decided of full tiles, they run the code of partial ones.
func proveKernels(u *unit) (Product, error) {
	if u.shape() != nil {
		return u.provePipeline()
	}
	var full []schedule.Proof
	if u.Schedule.Fronts == nil { // no tile that runs in waves has code of its own for full ones
		proof := symbolic.Prove(u.GPU, u.Loops)
		if proof.Undecided != "" {
			u.GPU = u.GPU.WithoutFullTiles(proof.Undecided)
			proof = symbolic.Prove(u.GPU, u.Loops)
		}
		full = append(full, proof)
	}
	if indices := proof.Indices(u.GPU, u.Schedule); u.GPU.Told && !indices.Holds {
		u.GPU = u.GPU.WithWideIndices(indices.String())
	}
	proofs := append([]schedule.Proof{proof.Emission(u.GPU, u.Loops), proof.Staging(u.GPU, u.Loops)}, full...)
	if u.GPU.Chains != nil {
		apart := proof.Apart(u.GPU, u.Loops)
		if !apart.Holds && apart.Undecided == "" {
			return nil, u.notReady(apart.Violation, "--launch=phases lets all of a phase end before the next")
		}
		proofs = append(proofs, apart)
	}
	for _, proof := range proofs {
		if _, err := u.proved(proof, u.GPU); err != nil {
			return nil, err
		}
	}
	return u.Proofs, nil
}

// proved adds a proof about what was made.
func (u *unit) proved(p schedule.Proof, made Product) (Product, error) {
	u.Proofs = append(u.Proofs[:len(u.Proofs):len(u.Proofs)], p)
	return u.Proofs, decided(p, made)
}

func generate(u *unit) (_ Product, err error) {
	if u.opts.Target.isCPU() {
		u.Loops, err = astgen.Roll(u.Schedule)
		return u.Loops, err
	}
	u.Loops, err = astgen.Generate(u.Schedule)
	return u.Loops, err
}

func mapGPU(u *unit) (_ Product, err error) {
	d := u.device()
	u.Clauses = u.opts.clauses()
	if u.shape() != nil {
		u.Clauses = append([]string{"kernel(streaming)", fmt.Sprintf("pipeline(%v)", *u.shape())}, u.Clauses...)
	}
	if err := u.checkWishes(); err != nil {
		return nil, err
	}
	if u.shape() != nil {
		if _, err := u.mapPipeline(d); err != nil {
			return nil, err
		}
		return u.opts.bounded(u.GPU), u.keep(d)
	}
	o := u.demoted(u.mapping(), d)
	u.GPU, err = lower.Lower(u.Loops, d, o)
	if u.Strategy.scheme().height {
		err = model.Advise(err, u.Space, u.Cone, d, u.Sizes, u.chosen())
	}
	if err != nil {
		return nil, err
	}
	return u.GPU, u.keep(d)
}

// base returns what the files written are called.
func (f *file) base() string {
	if f.opts.Base == "" {
		return strings.TrimSuffix(f.src.Name, ".c")
	}
	return f.opts.Base
}

// includable returns an error if the files written could not include one another.
func (f *file) includable() error {
	if err := ctext.Includable(f.base()); err != nil {
		return diag.List{{
			Code: "HX015", At: diag.Span{Pos: diag.Pos{File: f.src.Name}}, Msg: err.Error(),
			Help: "give the files written another name with -o BASE",
		}}
	}
	return nil
}

// parts returns the regions, to be printed as kernels.
func (f *file) parts() (parts []kerneltext.Part) {
	for _, u := range f.units {
		parts = append(parts, f.part(u))
	}
	return parts
}

// checked makes the program that compares the translation with the original, if that is asked for.
func (f *file) checked() (err error) {
	if !f.opts.Check {
		return nil
	}
	loops := ""
	if f.opts.Target.isCPU() {
		loops = f.C.Whole
	}
	var regions []ctext.Checked
	for _, u := range f.units {
		r := emulate.Request{Program: u.GPU, CPU: u.CPU, Own: u.Mapped, Schedule: u.Schedule}
		regions = append(regions, ctext.Checked{
			Scop: u.Scop, Functions: ctext.Functions{Base: f.base(), Region: u.Scop.Region.Index}, Sizes: r.Several(),
		})
	}
	f.Check, err = ctext.Check(ctext.InLanguage(ctext.CheckFile(f.base()), regions[0].Scop), ctext.HeaderFile(f.base()), loops, regions)
	return err
}

// about says in the head of the kernel file what was done.
func (u *unit) about() []string {
	lines := []string{fmt.Sprintf("%s, %v", u.Strategy.scheme().about, u.Sizes)}
	if u.opts.Target.isGPU() {
		lines[0] += ", for " + u.device().Name
		if u.opts.LocalMemory > 0 {
			lines[0] += fmt.Sprintf(", at most %d bytes of local memory", u.opts.LocalMemory)
		}
		if u.opts.WorkGroup > 0 {
			lines[0] += fmt.Sprintf(", work-groups of at most %d", u.opts.WorkGroup)
		}
	}
	switch {
	case u.Schedule.Waits == nil || u.Strategy != Hybrid:
	case u.inFronts():
		lines[0] += ", a launch for each front of strips"
	default:
		lines[0] += ", each tile when those that it needs have ended"
	}
	if u.Inlined != nil {
		lines = append(lines, fmt.Sprintf("computes again in registers what it reads of %s", strings.Join(u.Inlined.Temporaries(), ", ")))
	}
	for _, p := range u.Proofs {
		lines = append(lines, fmt.Sprintf("%s proved for all parameter values (%s): %s", p.Name, p.Effort(), p.Claim))
	}
	return lines
}
