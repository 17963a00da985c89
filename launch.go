package hexcc

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses what keeps tiles in the order of dependences.

// A Launch is what keeps tiles in order, by the name that --launch has for it.
type Launch string

// The launches.
const (
	AnyLaunch Launch = "auto"   // Ready where the model expects that to be faster; else Phases
	Phases    Launch = "phases" // the tiles of a phase start when all of the phase before have ended
	Ready     Launch = "ready"  // a tile starts when those that it needs have ended
)

// launcher returns which launches tile sizes of a GPU may be chosen for.
func (u *unit) launcher() model.Launcher {
	able := u.opts.Target != OpenCL && !u.opts.Target.isMPI() && u.device().Acquires() && !u.inPhases
	switch u.opts.Launch {
	case Phases:
		return model.Launcher{Phases: true}
	case Ready:
		return model.Launcher{Ready: able, Phases: !able} // which is refused with the schedule
	}
	return model.Launcher{Phases: true, Ready: able}
}

// chosenReady reports whether tiles of a GPU are to wait for each other since that is the model's choice.
func (u *unit) chosenReady() bool {
	return u.opts.Launch != Ready && u.Strategy == Hybrid && u.Choice != nil && u.Choice.Ready
}

// inTurn turns to launches in phases, and says so, if err is that tiles cannot be proved to wait for each other as the model chose, or that of what waits
// a pass gave up on. It reports whether there is something to go on with.
func (u *unit) inTurn(err error) bool {
	why := only(err, "HX402", "HX214")
	if why == nil || !u.chosenReady() {
		return false
	}
	u.inPhases = true
	ready := u.Sizes
	if _, err := u.sizeHybrid(); err != nil {
		return false
	}
	if u.Outlook != nil {
		u.Outlook = u.Outlook.With(u.Choice)
	}
	u.remarks = append(u.remarks, &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX212", At: u.Scop.Start(),
		Msg:   fmt.Sprintf("tiles are launched in phases, with %v, though the model prefers ones that wait for each other", u.Sizes),
		Notes: []diag.Note{{Msg: fmt.Sprintf("tried before: %v: %s", ready, why.Msg)}},
		Help:  "simplify bounds and subscripts, or fix parameters to numbers with -D; hexcc -v says what sizes cost",
	})
	return true
}

// sooner returns what tiles of time and space take if they wait for each other, where the choice is left to us and that is not expected to be more; otherwise
// the zero value.
func (u *unit) sooner() (model.Weight, error) {
	if u.opts.Launch != "" && u.opts.Launch != AnyLaunch || u.opts.Target != OpenMP || u.Strategy != Hybrid || u.Plan.File != "" {
		return model.Weight{}, nil
	}
	cpu := u.cpu()
	phases, ready, err := cpu.WhenReady(u.Space, cpu.Aligned(u.Space, u.Cone), u.opts.Grid, u.Sizes)
	if err != nil || !phases.Yields(ready) {
		return model.Weight{}, err
	}
	return ready, nil
}

// launches returns what may keep tiles of time and space in order on a CPU.
func (u *unit) launches() model.Launches {
	switch {
	case u.opts.Target != OpenMP || u.opts.Launch == Phases:
		return model.Launches{Phases: true}
	case u.opts.Launch == Ready:
		return model.Launches{Ready: true}
	}
	return model.Launches{Phases: true, Ready: true}
}

// canWait reports whether tiles of such sizes, along a cone, can wait for those that they need.
func (u *unit) canWait(cone schedule.Cone, sizes schedule.Sizes) bool {
	s, err := schedule.HybridTiles(u.Space, cone, sizes)
	if err != nil {
		return false
	}
	_, ok := schedule.FindChains(s, cone, 1)
	return ok
}

// wait lets tiles wait for each other, if that is asked for, or expected to be faster.
func (u *unit) wait() error {
	if better, err := u.sooner(); err != nil {
		return err
	} else if better.Ready {
		if chains, ok := schedule.FindChains(u.Schedule, u.slopes(), 1); ok {
			u.Schedule.Wait(chains)
		}
		return nil
	}
	if u.opts.Launch != Ready && (u.shape() == nil || u.opts.Target.isOpenCL() && !u.inFronts()) && !u.chosenReady() {
		return nil
	}
	switch {
	case u.Schedule.Overlaps():
		return u.notReady("tiles overlap, and none needs another one of its launch", "leave --launch=ready out")
	case u.Schedule.Fronts != nil:
		return u.notReady("a launch runs a front of tiles, and each front needs the one before it", "leave --launch=ready out")
	case u.opts.Target.isOpenCL() && (!u.inFronts() || u.opts.Launch == Ready):
		return u.notReady("OpenCL does not promise that a group of work-items goes on while another one waits for it", "use --target=cuda, or leave --launch=ready out")
	case u.opts.Target == C:
		return u.notReady("--target=c runs them in one thread", "use --target=openmp, or leave --launch=ready out")
	case u.opts.Target.isMPI() && u.shape() != nil:
		return diag.List{{Code: "HX311", At: u.Scop.Start(), Msg: "ranks cannot share out the region: rows that stream wait for each other, from rank to rank", Help: "leave --kernel=streaming out"}}
	case u.opts.Target.isMPI():
		return u.notReady(fmt.Sprintf("--target=%s sends messages where phases end", u.opts.Target), fmt.Sprintf("use --target=%s, or leave --launch=ready out", u.opts.Target.alone()))
	case u.opts.Target.isGPU() && !u.device().Acquires():
		return u.notReady(u.device().Name+" has no loads that acquire what other blocks have written", "name a later device, --arch=sm_70 at least, or leave --launch=ready out")
	}
	if u.Schedule.Waits != nil { // they do in any case
		return nil
	}
	if u.shape() != nil {
		chains, ok := stream.Chains(u.Schedule, u.slopes())
		if !ok {
			return u.notReady("no slopes bound how far tiles reach that others need", tilesHelp)
		}
		u.Schedule.Wait(chains)
		return nil
	}
	axes, boxes := 1, [][]schedule.Box(nil)
	if u.opts.Target.isGPU() { // blocks copy whole boxes to shared memory
		axes, boxes = lower.Axes(u.Schedule), lower.Boxes(u.Schedule)
	}
	chains, ok := schedule.FindChains(u.Schedule, u.slopes(), axes, boxes...)
	if !ok {
		return u.notReady("no slopes bound how far tiles reach that others need", "--launch=phases lets all of a phase end before the next")
	}
	u.Schedule.Wait(chains)
	return nil
}

// slopes returns the cone of the tiles, which may lean more than they must, or else that of the dependences.
func (u *unit) slopes() schedule.Cone {
	if len(u.Schedule.Cone.Lo) > 0 {
		return u.Schedule.Cone
	}
	return u.Cone
}

// notReady says why tiles cannot start when those that they need have ended.
func (u *unit) notReady(why, help string) error {
	return diag.List{{Code: "HX214", At: u.Scop.Start(), Msg: "tiles cannot start when their data is ready: " + why, Help: help}}
}
