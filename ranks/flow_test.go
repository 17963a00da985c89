package ranks

import (
	"fmt"
	"testing"
	"time"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/stretchr/testify/require"
)

func TestFlows(t *testing.T) {
	for _, c := range pipeline.All(t) {
		start := time.Now()
		sizes := pipeline.Narrow.Of(c.Space, c.Cone)
		s, err := schedule.Hybrid(c.Space, c.Cone, sizes)
		require.NoError(t, err)
		fmt.Println(c.Name, sizes)
		plan, err := Make(s, "TT", "BB")
		fmt.Println(c.Name, time.Since(start), err, s.Phases[0].Space[0].Drift)
		fmt.Println(" before up", plan.Before.Up, "down", plan.Before.Down)
		for i, e := range plan.After {
			fmt.Println(" after", i, "up", e.Up, "down", e.Down)
		}
	}
}
