package report

import (
	"fmt"
	"testing"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// made keeps what products returned: values that never change.
var made = map[string]Products{}

// products runs all passes on a case of testdata with the given tile sizes.
func products(t *testing.T, name string, sizes schedule.Sizes) Products {
	t.Helper()
	key := fmt.Sprint(name, sizes)
	if p, known := made[key]; known {
		return p
	}
	p := runPasses(t, name, sizes)
	made[key] = p
	return p
}

func runPasses(t *testing.T, name string, sizes schedule.Sizes) Products {
	t.Helper()
	x := pipeline.Case(t, name)
	p := Products{Scop: x.Scop, Deps: x.Deps, Space: x.Space, Cone: x.Cone, Schedule: x.Schedule(t, sizes)}
	p.Proofs = []schedule.Proof{schedule.ProvePartition(p.Schedule), schedule.ProveLegality(p.Schedule, p.Deps)}
	p.GPU = pipeline.Map(t, p.Schedule, pipeline.Device(t, "sm_80"), lower.Options{})
	return p
}
