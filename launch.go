package hexcc

import (
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses what keeps tiles in the order of dependences.

// A Launch is what keeps tiles in order, by the name that --launch has for it.
type Launch string

// The launches.
const (
	Phases Launch = "phases" // the tiles of a phase start when all of the phase before have ended
	Ready  Launch = "ready"  // a tile starts when those that it needs have ended
)

// Launches returns the names that --launch takes.
func Launches() []Launch { return []Launch{Phases, Ready} }

// wait lets tiles wait for each other, if that is asked for.
func (u *unit) wait() error {
	if u.opts.Launch != Ready {
		return nil
	}
	switch {
	case u.opts.Target.isOpenCL():
		return u.notReady("OpenCL does not promise that a group of work-items goes on while another one waits for it", "use --target=cuda, or leave --launch=ready out")
	case u.opts.Target.isPTX():
		return u.notReady("--target=ptx launches phases", "use --target=cuda, or leave --launch=ready out")
	case u.opts.Target == C:
		return u.notReady("--target=c runs them in one thread", "use --target=openmp, or leave --launch=ready out")
	case u.opts.Target.isGPU() && !u.device().Acquires():
		return u.notReady(u.device().Name+" has no loads that acquire what other blocks have written", "name a later device, --arch=sm_70 at least, or leave --launch=ready out")
	}
	if u.Schedule.Waits != nil { // they do in any case
		return nil
	}
	cone := u.Schedule.Cone // of tiles that lean more than they must, another one than that of the dependences
	if len(cone.Lo) == 0 {
		cone = u.Cone
	}
	axes, boxes := 1, [][]schedule.Box(nil)
	if u.opts.Target.isGPU() { // blocks copy whole boxes to shared memory
		axes, boxes = lower.Axes(u.Schedule), lower.Boxes(u.Schedule)
	}
	chains, ok := schedule.FindChains(u.Schedule, cone, axes, boxes...)
	if !ok {
		return u.notReady("no slopes bound how far tiles reach that others need", "--launch=phases lets all of a phase end before the next")
	}
	u.Schedule.Wait(chains)
	return nil
}

// notReady says why tiles cannot start when those that they need have ended.
func (u *unit) notReady(why, help string) error {
	return diag.List{{Code: "HX214", At: u.Scop.Start(), Msg: "tiles cannot start when their data is ready: " + why, Help: help}}
}
