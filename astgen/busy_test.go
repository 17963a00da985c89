package astgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// TestBusy compares the condition with the domains, for every case and many
// parameters: it holds just where a statement has an instance.
func TestBusy(t *testing.T) {
	cases(t, func(t *testing.T, s *schedule.Schedule) {
		p := s.Canonical.Scop
		cond := astgen.Busy(p)
		busy, idle := 0, 0
		for _, params := range grids(p, len(s.Canonical.Space)) {
			env := map[string]int64{}
			context := p.Context
			for i, q := range p.Params {
				context = context.FixParam(q.Name, params[i])
			}
			if len(p.Params) > 0 && context.IsEmpty() {
				continue
			}
			want := false
			for _, st := range p.Stmts {
				domain := st.Domain
				for i, q := range p.Params {
					env[q.Name] = params[i]
					domain = domain.FixParam(q.Name, params[i])
				}
				want = want || !domain.IsEmpty()
			}
			if want {
				busy++
			} else {
				idle++
			}
			require.Equal(t, want, cond.Holds(env), "%v: %v", env, cond)
		}
		require.Positive(t, busy)
		require.Positive(t, idle)
	})
}
