package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// TestChooseFusions chooses launches for horizontal diffusion and for uv and div, on GPUs and CPUs: of the first, one; of the second, what fits.
func TestChooseFusions(t *testing.T) {
	typical := Typical{"n": 512, "m": 512, "l": 64}
	for _, x := range []struct {
		text        string
		temporaries []string
	}{{modestoHD, []string{"lap", "fli", "flj"}}, {modestoUVDiv, []string{"cor", "gu", "gv", "us", "vs"}}} {
		_, s, g := costerOf(t, x.text, i5, domain, false, x.temporaries...)
		for _, name := range []string{"sm_60", "sm_90", "cpu"} {
			levels := machine.AnyCPU.Levels()
			if d, ok := machine.LookupDevice(name); ok {
				levels = d.Levels()
			}
			began := time.Now()
			out, err := ChooseFusions(s.Space, s.Deps, g, levels, typical)
			require.NoError(t, err)
			t.Logf("%s, %v: %s", name, time.Since(began), out.Best[0].Text(s.Space))
			best := out.Best[0]
			require.NoError(t, best.Groups.Check(s.Space, s.Deps))
			require.Less(t, best.Seconds, out.Each.Seconds)
			require.Contains(t, best.Lost(out.Each), "memory moves")
			for _, other := range out.Best[1:] {
				t.Logf("    %s %s", other.Groups.Text(s.Scop), best.Lost(other))
				require.LessOrEqual(t, best.Seconds, other.Seconds)
			}
			for _, p := range best.Parts {
				require.LessOrEqual(t, p.Holds, float64(levels.Tile().Bytes))
			}
			tiles, err := schedule.OverlappedTiles(s.Space, s.Deps, schedule.Sizes{H: 1, W: best.Widths})
			require.NoError(t, err)
			if len(best.Groups) == 1 { // then boxes are those of the schedule
				for i, st := range s.Scop.Stmts {
					box, points := tiles.Phases[0].Box(st, int64(s.Space.Levels[i])), 1.0
					for p := range box.Lo {
						points *= float64(box.Hi[p] - box.Lo[p] + 1)
					}
					require.Equal(t, points, best.Parts[0].Work.Computed[i].Amount.At(best.Widths), st.Name)
				}
			}
		}
	}
}
