package report

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
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
	archive, err := txtar.ParseFile(filepath.Join("..", "testdata", name+".txtar"))
	require.NoError(t, err)
	res, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: archive.Files[0].Data}, frontend.Options{NoAlias: true})
	require.NoError(t, err)
	p := Products{Scop: res.Programs[0]}
	p.Deps, err = schedule.Dependences(p.Scop)
	require.NoError(t, err)
	p.Space, err = schedule.Canonicalize(p.Scop, p.Deps)
	require.NoError(t, err)
	p.Cone, err = schedule.BoundCone(p.Space, p.Deps)
	require.NoError(t, err)
	if sizes.H == schedule.NoHeight {
		p.Schedule, err = schedule.Space(p.Space, sizes)
	} else {
		p.Schedule, err = schedule.Hybrid(p.Space, p.Cone, sizes)
	}
	require.NoError(t, err)
	p.Proofs = []schedule.Proof{schedule.ProvePartition(p.Schedule), schedule.ProveLegality(p.Schedule, p.Deps)}
	loops, err := astgen.Generate(p.Schedule)
	require.NoError(t, err)
	device, ok := gpu.LookupDevice("sm_80")
	require.True(t, ok)
	p.GPU, err = gpu.Map(loops, device, gpu.Options{})
	require.NoError(t, err)
	return p
}
