package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
)

// TestMemo checks that what is remembered is what is chosen, and once only.
func TestMemo(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	var m model.Memo
	phases := model.Launcher{Phases: true}
	for _, x := range some(pipeline.All(t)) {
		want, wrong := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
		before := m.Made
		for range 3 {
			got, err := phases.Choose(&m, x.Space, x.Cone, d, nil, model.Asked{})
			require.Equal(t, wrong, err)
			require.Equal(t, want, got)
		}
		if wrong == nil {
			require.Equal(t, before+1, m.Made, x.Name)
		}
	}
	x := pipeline.Case(t, "jacobi-2d")
	made := m.Made
	other := []func() (*model.Choice, error){
		func() (*model.Choice, error) {
			return phases.Choose(&m, x.Space, x.Cone, pipeline.Device(t, "sm_90"), nil, model.Asked{})
		},
		func() (*model.Choice, error) {
			return phases.Choose(&m, x.Space, x.Cone, d, model.Typical{x.Space.Scop.Params[0].Name: 77}, model.Asked{})
		},
		func() (*model.Choice, error) {
			return phases.Choose(&m, x.Space, x.Cone, d, nil, model.Asked{Leave: lower.Leave{x.Space.Scop.Arrays[0].Name: "that is asked for"}})
		},
	}
	for _, choose := range other {
		_, err := choose()
		require.NoError(t, err)
		made++
		require.Equal(t, made, m.Made)
	}
}
