package hexcc

import (
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
	AnyLaunch Launch = "auto"   // Ready where the model expects that to be faster on a CPU; else Phases
	Phases    Launch = "phases" // the tiles of a phase start when all of the phase before have ended
	Ready     Launch = "ready"  // a tile starts when those that it needs have ended
)

// sooner returns what tiles of time and space take if they wait for each other, where the choice is left to us and that is expected to be less; otherwise
// the zero value.
func (u *unit) sooner() (model.Weight, error) {
	if u.opts.Launch != "" && u.opts.Launch != AnyLaunch || u.opts.Target != OpenMP || u.Strategy != Hybrid || u.Plan.File != "" {
		return model.Weight{}, nil
	}
	cpu := u.cpu()
	phases, ready, err := cpu.WhenReady(u.Space, cpu.Aligned(u.Space, u.Cone), u.opts.Grid, u.Sizes)
	if err != nil || !phases.Loses(ready) {
		return model.Weight{}, err
	}
	return ready, nil
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
	if u.opts.Launch != Ready && u.shape() == nil {
		return nil
	}
	switch {
	case u.opts.Target.isOpenCL():
		return u.notReady("OpenCL does not promise that a group of work-items goes on while another one waits for it", "use --target=cuda, or leave --launch=ready out")
	case u.opts.Target == C:
		return u.notReady("--target=c runs them in one thread", "use --target=openmp, or leave --launch=ready out")
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
