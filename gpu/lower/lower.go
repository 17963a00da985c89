// Package lower makes kernels of loops: it decides which threads run which points, what tiles keep
// in shared memory and in registers, and where threads wait for each other. The same decisions,
// taken for tiles of other sizes, are counted for the choice of sizes (Counter).
package lower

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// Lower returns kernels that run the loops of p on d: time tiles on the host, one
// launch for each phase, blocks for Block tile indices; or one launch of tiles that wait for each other, where the schedule says so. The error is a diag.List:
// a tile that does not fit d.
func Lower(p *astgen.Program, d machine.Device, o Options) (*gpu.Program, error) {
	if p.Schedule.Fronts != nil {
		return newProgram(p.Schedule, p.Names, layouts{}, d, o).fronts(p)
	}
	return lowerUpTo("", p, d, o)
}

// lowerUpTo is Lower, with kernels as they are after the pass of that name, "": after all.
func lowerUpTo(pass string, p *astgen.Program, d machine.Device, o Options) (*gpu.Program, error) {
	m := newProgram(p.Schedule, p.Names, layoutsOf(p.Schedule.Canonical), d, o)
	host, ok := p.Body.(astgen.For)
	if !ok || host.Role != schedule.Host {
		panic(fmt.Sprintf("lower: program starts with %T, not a host loop", p.Body))
	}
	m.known = p.Known
	out := &gpu.Program{Scop: m.scop, Device: d, T: host.Var, TLo: host.Lo, THi: host.Hi, Busy: astgen.Busy(m.scop)}
	out.Overlaps = p.Schedule.Overlaps()
	out.Transfers = schedule.Transfers(m.scop)
	for i, t := range out.Transfers {
		out.Transfers[i].Absent = slices.Contains(p.Schedule.Temporaries, t.Array)
	}
	var drafts []*draft
	for _, n := range host.Body.(astgen.Block) {
		d, err := m.kernel(n.(astgen.Launch), pass)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
		out.Kernels = append(out.Kernels, d.kernel)
		for _, r := range d.plan.told() {
			out.Remark(r)
		}
	}
	if p.Schedule.Waits != nil {
		if threads, ok := alike(drafts); !ok { // one launch has blocks of one shape
			o.Threads = threads
			return lowerUpTo(pass, p, d, o)
		}
		m.wait(out, drafts)
	}
	if narrow(out, m.names.Plane, m.names.Turn); !out.Told {
		out.Remark("for which parameters indices of 32 bits suffice cannot be told: they have 64")
	}
	return out, nil
}
