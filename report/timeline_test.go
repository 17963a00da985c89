package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// assessed are products with what the model expects of the sizes on a device.
func assessed(t *testing.T, name, arch string, grid model.Typical) Products {
	t.Helper()
	p := products(t, name, sizesOf[name])
	var err error
	p.Choice, err = model.Assess(p.Space, p.Cone, pipeline.Device(t, arch), grid, sizesOf[name], model.Asked{Leave: lower.Leave{}})
	require.NoError(t, err)
	return p
}

// TestTimelinePicture: what the picture shows as busy is the part of the time that tiles take, its text is legible, and it says that it is not measured.
func TestTimelinePicture(t *testing.T) {
	for name := range sizesOf {
		p := assessed(t, name, "sm_90", nil)
		r := schedule.WhenReady(p.Schedule, p.Cone)
		line, why := timelineOf(p, r)
		svg := Plot(PlotOptions{Pictures: []string{"timeline"}}, p)
		wellFormed(t, name, svg)
		if why != "" { // grids of these small tiles have too many
			require.Contains(t, why, "too many")
			require.Contains(t, string(svg), "not simulated: "+why)
			continue
		}
		require.Less(t, len(svg), 200_000)
		pic := readSVG(t, svg)
		texts := pic.in("text", "")
		for i, x := range texts {
			require.True(t, pic.view.holds(x.box), "%s: %q leaves the picture", name, x.text)
			for _, y := range texts[:i] {
				require.False(t, x.box.meets(y.box), "%s: %q and %q overlap", name, x.text, y.text)
			}
		}
		require.Contains(t, string(svg), "Simulated, not measured")
		require.Contains(t, string(svg), line.idleText())
		shown := map[string][2]float64{}
		for _, class := range []string{"phases", "ready"} {
			frames := pic.in("rect", class)
			require.Len(t, frames, 1)
			busy := 0.0
			for _, s := range pic.in("path", class) {
				var shade float64
				fmt.Sscan(s.data["data-shade"], &shade)
				require.Equal(t, shadeInk(int(shade)), s.data["fill"])
				busy += s.area * shade / busyShades
			}
			shown[class] = [2]float64{busy, frames[0].box.w * frames[0].box.h}
		}
		phases, ready := shown["phases"], shown["ready"]
		require.InEpsilon(t, phases[0], ready[0], 0.06, "%s: both run the same tiles", name)
		require.InDelta(t, line.force.InPhases(line.c, line.drawn), phases[0]/phases[1], 0.05, name)
		require.InDelta(t, line.force.WhenReady(line.c, line.drawn), ready[0]/ready[1], 0.05, name)
		require.LessOrEqual(t, ready[1], phases[1]*1.001, "%s: ready ends no later", name)
	}
}

// TestBusy: cells hold all tiles, whatever the numbers of blocks and of tiles.
func TestBusy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	c := schedule.Chains{Blocks: 1, Steps: []schedule.Wait{{From: 1, Time: 1, Lo: []int64{0}, Hi: []int64{1}, Lag: 1}, {From: 0, Lo: []int64{-1}, Hi: []int64{0}, Lag: 1}}}
	for range 60 {
		l := model.Load{Times: 1 + rng.Int64N(5), Places: 1 + rng.Int64N(70), Along: 1 + rng.Int64N(9)}
		force := model.Workforce{Workers: 1 + rng.IntN(100)}
		f := &timelineFigure{columns: timelineColumns, t: timeline{c: c, force: force, drawn: l}}
		for _, spans := range []func(schedule.Chains, model.Load, func(model.Span)) float64{force.SpansInPhases, force.SpansWhenReady} {
			f.end = spans(c, l, func(model.Span) {})
			f.times = f.end / timelineColumns
			busy := f.busy(spans)
			have := make([]float64, len(busy)) // blocks of each row
			for worker := range force.Workers {
				have[worker*len(busy)/force.Workers]++
			}
			tiles := 0.0
			for i, row := range busy {
				for _, part := range row {
					require.GreaterOrEqual(t, part, -1e-9)
					require.LessOrEqual(t, part, 1+1e-9)
					tiles += part * have[i] * f.times
				}
			}
			require.InDelta(t, float64(l.Times*2*l.Places*l.Along), tiles, 1e-6, "%v %v", l, force)
		}
	}
}

// TestNoTimeline: what is not simulated says why.
func TestNoTimeline(t *testing.T) {
	p := assessed(t, "jacobi-2d", "sm_80", model.Typical{"n": 1000, "T": 100})
	r := schedule.WhenReady(p.Schedule, p.Cone)
	line, why := timelineOf(p, r)
	require.Empty(t, why)
	require.Equal(t, line.times, line.all.Times)
	require.Contains(t, line.idleText(), fmt.Sprintf("Over all %d time tiles", line.times))
	r.Chains.Blocks = 2
	_, why = timelineOf(p, r)
	require.Contains(t, why, "several dimensions")
	_, why = timelineOf(p, schedule.Ready{Why: "none"})
	require.Equal(t, "none", why)
	r.Chains.Blocks, p.Choice = 1, nil
	_, why = timelineOf(p, r)
	require.Contains(t, why, "no grid")
	require.Equal(t, 0, shadeOf(0))
	require.Equal(t, busyShades, shadeOf(math.Nextafter(1, 2)))
}

// TestBroken: lines hold all words, and are no wider than they may be, but for words that are.
func TestBroken(t *testing.T) {
	text := "For a=1 assumed, b=2 given: " + strings.Repeat("many words ", 30) + strings.Repeat("x", 200)
	lines := broken(text, 300, 12)
	require.Equal(t, strings.Fields(text), strings.Fields(strings.Join(lines, " ")))
	for _, line := range lines {
		require.True(t, textWidth(line, 12) <= 300 || !strings.Contains(line, " "), line)
	}
	require.Greater(t, len(lines), 5)
}
