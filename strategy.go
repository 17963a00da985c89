package hexcc

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses a scheme: what is asked for, or by what the model expects.

// decide sets the strategy: what the caller asks for, but for regions without a
// time loop, which have nothing but space. Where the choice is left to us it is Hybrid
// until the sizes are known, and with them what they cost.
func (u *unit) decide() {
	u.Strategy = u.opts.Strategy
	if u.Plan.Strategy != "" {
		u.Strategy = Strategy(u.Plan.Strategy)
	}
	if (u.opts.Fuse != "" || u.opts.streams()) && (u.Strategy == "" || u.Strategy == Auto) {
		u.Strategy = Overlapped
	}
	if u.Strategy == "" || u.Strategy == Auto {
		u.Strategy, u.auto = Hybrid, u.opts.Tile == nil && u.Plan.File == "" && !u.streams() && !u.opts.Target.isMPI()
	}
	switch {
	case u.Space.Ordered:
		u.Strategy, u.auto = Wavefront, false
	case u.Space.Sweeps != nil:
		u.Strategy, u.auto = Space, false
	case u.Space.Ways != nil:
		u.Strategy, u.auto = Overlapped, false
	case u.Scop.Timeless && u.Strategy == Hybrid:
		u.Strategy = Space
	case u.host != nil && !u.tiled:
		u.Strategy, u.auto = Space, false
	}
	u.sweeps = u.Scop.Timeless && u.Strategy == Wavefront
}

// inPlace turns to a scheme for space loops that carry dependences, and says so, if err is that these do: to parallelograms that wait for each
// other, or to boxes of space that are in order along one loop, as the caller asks or these allow it. Otherwise it returns err, with a way out if there is one.
func (u *unit) inPlace(err error) error {
	var list diag.List
	if !errors.As(err, &list) || len(list) == 0 || list[0].Code != "HX201" || !u.Plan.FindsPlaces() {
		return err
	}
	if u.opts.Strategy == Overlapped || u.opts.Fuse != "" && (u.opts.Strategy == "" || u.opts.Strategy == Auto) {
		columns, no := schedule.Columns(u.Scop, u.Deps)
		var why diag.List
		switch {
		case no == nil:
			u.Space = columns
			return nil
		case !errors.As(no, &why):
			return no
		}
		list[0].Notes = slices.Concat(list[0].Notes, []diag.Note{{At: why[0].At, Msg: why[0].Msg}}, why[0].Notes)
	}
	space, no := u.Plan.Layout.Skewed(u.Scop, u.Deps)
	var cone schedule.Cone
	if no == nil {
		cone, no = schedule.BoundSkewed(space, u.Deps)
	}
	if limit := (*poly.LimitError)(nil); errors.As(no, &limit) && u.opts.Strategy == Wavefront {
		return no
	}
	if no != nil {
		return u.inOrder(list, "")
	}
	if why := u.noWavefront(); why != "" {
		return u.inOrder(list, why)
	}
	if steep := steepest(cone); steep.Cmp(big.NewRat(mostSteep, 1)) > 0 && u.opts.Strategy != Wavefront {
		return u.inOrder(list, "--strategy=wavefront tiles such loops by parallelograms, which a step moves by "+steep.RatString()+" points")
	}
	if u.opts.Target.isGPU() && u.opts.Strategy != Wavefront { // boxes in order along one loop have more points at a time
		if _, no := schedule.Swept(u.Scop, u.Deps); no == nil && u.opts.Order == nil && !u.streams() {
			return u.inOrder(list, "--strategy=wavefront tiles such loops by parallelograms, in time too")
		}
	}
	u.Space = space
	if u.opts.Strategy != Wavefront {
		u.remarks = append(u.remarks, &diag.Diagnostic{Severity: diag.Remark, Code: "HX215", At: list[0].At,
			Msg:   "tiles are parallelograms that " + u.parallelograms() + ", since " + list[0].Msg,
			Notes: list[0].Notes, Help: "where another order will do, hexagons run faster: " + list[0].Help})
	}
	return nil
}

// mostSteep is how many points a step may move parallelograms by, in one dimension: where it is more, as where rows are added up, whose points all need the one before
// and whose length is known, most of what they span is empty, and all wait for one.
const mostSteep = 64

// steepest returns by how many points a step moves the parallelograms of cone, in the dimension in which it is most.
func steepest(cone schedule.Cone) *big.Rat {
	most := new(big.Rat)
	for _, x := range cone.Lo {
		if x.Cmp(most) > 0 {
			most = x
		}
	}
	return most
}

// parallelograms says how parallelograms run.
func (u *unit) parallelograms() string {
	if u.opts.Target.isGPU() {
		return "run front by front"
	}
	return "wait for each other"
}

// noWavefront says how a region could be tiled by parallelograms that is not, "" if it can.
func (u *unit) noWavefront() string {
	switch s := u.opts.Strategy; {
	case u.streams():
		return "without --kernel=streaming, such loops are tiled by parallelograms that run front by front"
	case s != Wavefront && (s != "" && s != Auto || u.Scop.Timeless && len(u.Scop.Stmts) > 1 && !u.Scop.Within): // whose time loop is beside other nests
		return "--strategy=wavefront tiles such loops by parallelograms that " + u.parallelograms()
	}
	return ""
}

// inOrder is inPlace for boxes of space that are in order along one loop of each nest. other is what else there would be, "" if nothing.
func (u *unit) inOrder(list diag.List, other string) error {
	note := func(msg string) error {
		list[0].Notes = append(list[0].Notes, diag.Note{Msg: msg})
		return list
	}
	space, no := schedule.Swept(u.Scop, u.Deps)
	switch s := u.opts.Strategy; {
	case no != nil && other == "":
		return list
	case no != nil:
		return note(other)
	case u.streams():
		return note("without --kernel=streaming, blocks run this loop in order in each time step, and others at once")
	case u.opts.Order != nil:
		return note("without --order, tiles of space run this loop in order in each time step, and others at once")
	case s != "" && s != Auto && s != Space && u.opts.Fallback != Space:
		if other != "" {
			note(other)
		}
		return note("--strategy=space runs this loop in order in each time step, and others at once")
	}
	if held, err := u.holdColumns(space); held || err != nil {
		return err
	}
	if u.opts.Strategy != Space {
		remark := &diag.Diagnostic{Severity: diag.Remark, Code: "HX209", At: list[0].At,
			Msg: fmt.Sprintf("only space is tiled, in order along one loop of each nest, since hexagons do not apply: %s [%s]", list[0].Msg, list[0].Code)}
		if other != "" {
			remark.Notes = []diag.Note{{Msg: other}}
		}
		u.remarks = append(u.remarks, remark)
	}
	u.Space = space
	return nil
}

// noPlainLoops says that loops as they are written are for GPUs: a CPU has them without hexcc.
func (u *unit) noPlainLoops() error {
	return diag.List{{Code: "HX217", At: u.Scop.Start(),
		Msg:  fmt.Sprintf("--strategy=untiled makes kernels of GPUs, and --target=%s is for a CPU, where untiled loops are those of the source", u.opts.Target),
		Help: "--strategy=space tiles space only; or leave the region as it is, and put omp parallel for before its outermost loop over space"}}
}

// reasons are what a fallback is for: the region can be translated, but not by hexagons.
var reasons = map[diag.Code]bool{
	"HX202": true, // distances that no slope bounds
	"HX205": true, // more nests than steps
	"HX401": true, // no tile fits
}

// fallBack turns to tiling space alone, and says so, if err is a reason and the caller
// wants that, or leaves the choice to us and no tile fits, or it is part of a region; otherwise it returns err. Sizes that the caller gave are for the
// scheme asked for.
func (u *unit) fallBack(err error) error {
	var list diag.List
	if !errors.As(err, &list) || u.streams() || !u.Strategy.scheme().height || u.opts.Tile != nil || u.Plan.File != "" {
		return err
	}
	for _, d := range list {
		if !reasons[d.Code] || u.opts.Fallback != Space && !(u.auto && (d.Code == "HX401" || u.Scop.Within)) {
			return err
		}
	}
	u.Strategy = Space
	why := list[0]
	remark := &diag.Diagnostic{Severity: diag.Remark, Code: "HX209", At: why.At,
		Msg: fmt.Sprintf("only space is tiled, since hexagons do not apply: %s [%s]", why.Msg, why.Code)}
	if remark.At == (diag.Span{}) {
		remark.At = u.Scop.Start()
	}
	u.remarks = append(u.remarks, remark)
	return nil
}

// compare asks what the model expects of the sizes chosen and of other ways to run the
// region. Where the choice is left to us and another of them is better it turns to
// that. It says what it has turned to, and what speaks against what is kept. Of sizes
// that the caller gave it asks nothing.
func (u *unit) compare() error {
	if u.opts.Tile != nil || u.Plan.File != "" || u.Strategy == Wavefront || u.shape() != nil || u.Space.Sweeps != nil || u.Space.Ways != nil {
		return nil
	}
	var err error
	if u.Outlook, err = u.outlook(); err != nil {
		return err
	}
	if u.Strategy == Overlapped {
		u.Outlook = u.expected(u.Outlook)
	}
	cone, err := u.weighParallelograms()
	if err != nil {
		return err
	}
	if err := u.Outlook.Verify(); err != nil {
		panic(fmt.Sprintf("hexcc: %v", err))
	}
	if err := u.weighOverlapped(); err != nil {
		return err
	}
	if err := u.preferStreams(); err != nil || u.Streams != nil {
		return err
	}
	code, said := diag.Code("HX211"), []string(nil)
	if better, why := u.Outlook.Better(); better != nil && u.auto && !u.needsTiles(better) {
		code, said = "HX210", []string{"only space is tiled: " + why}
		before := u.asTiles()
		switch u.Strategy = Space; better {
		case u.Outlook.Untiled:
			u.Strategy, said[0] = Untiled, "nothing is tiled: "+why
		case u.Outlook.Overlapped:
			u.instead, u.Groups = before, better.Groups
			u.Strategy, said[0] = Overlapped, u.fused(better.Sizes)+", by boxes that overlap: "+why
		case u.Outlook.Wavefront:
			u.instead, u.Cone = before, cone
			u.Strategy, said[0] = Wavefront, "tiles are parallelograms that "+u.parallelograms()+": "+why
		}
		u.Choice, u.Sizes = nil, better.Sizes
	}
	if said = append(said, u.Outlook.Doubts(u.Outlook.Of(string(u.Strategy)))...); len(said) > 0 {
		u.remarks = append(u.remarks, &diag.Diagnostic{
			Severity: diag.Remark, Code: code, At: u.Scop.Start(), Msg: strings.Join(said, "; "), Help: u.wayOut(code),
			Notes: []diag.Note{{Msg: u.Outlook.Figures()}, {Msg: fmt.Sprintf("that is for %v; not measured", u.Outlook.Grid)}},
		})
	}
	return nil
}

// weighParallelograms adds what the model expects of parallelograms to the outlook, where the choice is ours and they apply, and returns their cone. Threads have to wait for each
// other then, so they are for OpenMP and more than one core; on a line hexagons are as good.
func (u *unit) weighParallelograms() (cone schedule.Cone, err error) {
	if !u.auto || u.opts.Target != OpenMP || u.Strategy != Hybrid || !u.launches().Ready || !u.launches().Phases || u.cpu().Cores < 2 || len(u.Space.Space) < 2 {
		return cone, nil
	}
	if cone, err = schedule.BoundSkewed(u.Space, u.Deps); err != nil {
		return cone, notTheirs(err)
	}
	best, err := u.cpu().Parallelograms(u.Space, cone, u.opts.Grid)
	if err == nil {
		u.Outlook = u.Outlook.WithParallelograms(best[0])
	}
	return cone, err
}

// fused says what becomes of nests by boxes of those sizes that overlap.
func (u *unit) fused(s schedule.Sizes) string {
	switch cpu := u.opts.Target.isCPU(); {
	case u.Space.K == 1 && s.H > 1:
		return "several time steps are one launch"
	case u.Space.K == 1 && s.H == 1:
		return "each time step is a launch"
	case u.Groups != nil && cpu:
		return fmt.Sprintf("nests are %d phases, %s", len(u.Groups), u.Groups.Text(u.Scop))
	case u.Groups != nil:
		return fmt.Sprintf("nests of an iteration are %d launches, %s", len(u.Groups), u.Groups.Text(u.Scop))
	case cpu:
		return "each tile runs all nests"
	}
	return "all nests of an iteration are one launch"
}

// wayOut says what a user can do about a remark of the code.
func (u *unit) wayOut(code diag.Code) string {
	switch {
	case code == "HX210" && u.Strategy == Overlapped && u.opts.Target.isCPU():
		return "--strategy=space makes each nest a phase, as boxes; --grid tells sizes that are typical"
	case code == "HX210" && u.Strategy == Overlapped:
		return "--strategy=space makes each nest a launch, as boxes; --grid tells sizes that are typical"
	case code == "HX210" && u.Strategy == Wavefront:
		return "--strategy=hybrid takes hexagons; --grid tells sizes that are typical"
	case code == "HX210" && u.Outlook.Hybrid == nil:
		return "--strategy=space tiles space; --grid tells sizes that are typical"
	case code == "HX210":
		return "--strategy=hybrid tiles time too; --grid tells sizes that are typical"
	case u.opts.Target.isMPI(): // ranks share out hexagons, whatever else is faster on one machine
	case u.Outlook.Other() == u.Outlook.Untiled && u.Strategy != Untiled && u.opts.Target.isGPU():
		return "--strategy=auto takes plain loops"
	case u.Strategy == Hybrid && u.Outlook.Space != nil && u.Outlook.Likely(u.Outlook.Space) < u.Outlook.Likely(u.Outlook.Hybrid):
		return "--strategy=auto takes boxes of space"
	case u.Outlook.Grid.Assumed():
		return "--grid tells sizes that are typical, if they are others; hexcc help strategies says what else there is"
	}
	return "hexcc help strategies says what else there is"
}

// outlook asks the model for the machine that the target is for.
func (u *unit) outlook() (*model.Outlook, error) {
	var boxes schedule.Sizes
	if u.Strategy == Space {
		boxes = u.Sizes
	}
	if u.opts.Target.isGPU() {
		return u.memo.Outlook(u.Space, u.device(), u.opts.Grid, u.Choice, boxes, u.asked())
	}
	var weight *model.Weight
	if u.Strategy == Hybrid {
		weight = &u.weighed[0].Weight
	}
	return u.cpu().Outlook(u.Space, u.opts.Grid, weight, u.Sizes, boxes)
}
