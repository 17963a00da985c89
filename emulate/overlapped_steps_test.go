package emulate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// TestOverlappedStepsOwnElements verifies boxes that overlap where each time step has elements of its own, of which it stores some: those of a colour, or where
// data say so. No phase could hand on the elements of other steps, so the array has one version.
func TestOverlappedStepsOwnElements(t *testing.T) {
	const text = `void f(int n, int C, double (*restrict u)[n], double (*restrict v)[n][n], double w[restrict C][n][n])
{
#pragma scop
  for (int c = 0; c < C; c++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        BODY
#pragma endscop
}
`
	const colour = `if ((i + j + c) % 2 == 0) {
          double r = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
          u[i][j] += r;
          w[c][i][j] = r;
        }`
	const data = `{
          v[(c + 1) % 2][i][j] = 0.25 * (v[c % 2][i - 1][j] + v[c % 2][i + 1][j] + v[c % 2][i][j - 1] + v[c % 2][i][j + 1]);
          if (v[c % 2][i][j] > 0)
            w[c][i][j] = v[c % 2][i][j];
        }`
	for name, body := range map[string]string{"colour": colour, "data": data} {
		ran := 0
		for _, steps := range []string{"C", "2"} {
			text := strings.NewReplacer("BODY", body, "c < C", "c < "+steps, "[restrict C]", "[restrict "+steps+"]").Replace(text)
			p := newPlan(t, "steps", text)
			for h := range int64(3) {
				t.Run(fmt.Sprint(name, " ", steps, " ", h+1), func(t *testing.T) {
					r, loops, ok := p.overlapped(t, nil, schedule.Sizes{H: h + 1, W: []int64{4, 6}}, lower.Options{Strategy: lower.Staged}, nil)
					if !ok {
						return
					}
					for _, v := range r.Schedule.Versions {
						require.NotEqual(t, "w", v.Array.Name)
					}
					r.Points = 3000
					p.verified(t, r, loops, text)
					ran++
				})
			}
		}
		require.Positive(t, ran, name)
	}
}
