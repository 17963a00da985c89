package model_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file gives sizes on both sides of every bound, and follows the advice of
// the error.

var advised = regexp.MustCompile(`(h|w\d)=(\d+)`)

// TestLegalSizes tries heights and widths around their bounds for one to four
// nests in one to four dimensions: an error names the one at fault, and the
// nearest legal values of it.
func TestLegalSizes(t *testing.T) {
	slopes := []*big.Rat{big.NewRat(0, 1), big.NewRat(1, 2), big.NewRat(1, 1), big.NewRat(5, 3), big.NewRat(4, 1)}
	for k := 1; k <= 4; k++ {
		for dims := 1; dims <= 4; dims++ {
			for n, lo := range slopes {
				c := &schedule.Canonical{K: k}
				cone := schedule.Cone{}
				for i := range dims {
					c.Space = append(c.Space, fmt.Sprint("s", i))
					cone.Lo, cone.Hi = append(cone.Lo, lo), append(cone.Hi, slopes[(n+i)%len(slopes)])
				}
				tryHeights(t, c, cone)
				tryWidths(t, c, cone)
			}
		}
	}
}

// tryHeights compares with the rule for h: at least 0, at most MaxH, h+1 a multiple of K.
func tryHeights(t *testing.T, c *schedule.Canonical, cone schedule.Cone) {
	legal := func(h int64) bool { return h >= 0 && h <= schedule.MaxH && (h+1)%int64(c.K) == 0 }
	for h := int64(-2); h <= schedule.MaxH+3; h++ {
		sizes := schedule.Sizes{H: h, W: widths(c, 60)}
		err := schedule.CheckSizes(c, cone, sizes)
		if legal(h) {
			require.NoError(t, err, "K=%d %v", c.K, sizes)
			continue
		}
		said := oneError(t, err, "HX203")
		var nearest int64 = -1
		for _, m := range advised.FindAllStringSubmatch(said.Help, -1) {
			v, _ := strconv.ParseInt(m[2], 10, 64)
			require.True(t, m[1] == "h" && legal(v), "K=%d h=%d: %s", c.K, h, said.Help)
			if nearest < 0 || max(v-h, h-v) < max(nearest-h, h-nearest) {
				nearest = v
			}
		}
		require.GreaterOrEqual(t, nearest, int64(0), said.Help)
		for x := range int64(schedule.MaxH + 1) {
			require.False(t, legal(x) && max(x-h, h-x) < max(nearest-h, h-nearest), "K=%d h=%d: h=%d is nearer than %s", c.K, h, x, said.Help)
		}
	}
}

// tryWidths compares with the rule for widths: w0 at least MinW0, the others at least 1, all at most WidthLimit.
func tryWidths(t *testing.T, c *schedule.Canonical, cone schedule.Cone) {
	for _, h := range schedule.LegalH(c.K)[:3] {
		for i := range c.Space {
			low := int64(1)
			if i == 0 {
				low = schedule.MinW0(cone, h)
			}
			for _, w := range []int64{-1, 0, low - 1, low, low + 1, schedule.WidthLimit - 1, schedule.WidthLimit, schedule.WidthLimit + 1} {
				sizes := schedule.Sizes{H: h, W: widths(c, 60)}
				sizes.W[i] = w
				err := schedule.CheckSizes(c, cone, sizes)
				if low <= w && w <= schedule.WidthLimit {
					require.NoError(t, err, "K=%d %v", c.K, sizes)
					continue
				}
				said := oneError(t, err, "HX204")
				m := advised.FindStringSubmatch(said.Help)
				require.Equal(t, fmt.Sprint("w", i), m[1], said.Help)
				require.Equal(t, fmt.Sprint(max(low, min(w, schedule.WidthLimit))), m[2], said.Help)
			}
		}
		for _, n := range []int{len(c.Space) - 1, len(c.Space) + 1} {
			sizes := schedule.Sizes{H: h}
			for range n {
				sizes.W = append(sizes.W, 60)
			}
			oneError(t, schedule.CheckSizes(c, cone, sizes), "HX204")
		}
	}
}

func widths(c *schedule.Canonical, w int64) (all []int64) {
	for range c.Space {
		all = append(all, w)
	}
	return all
}

// oneError returns the only diagnostic of err, which has the code and advice.
func oneError(t *testing.T, err error, code diag.Code) *diag.Diagnostic {
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Len(t, list, 1, "%v", err)
	require.Equal(t, code, list[0].Code)
	require.NotEmpty(t, list[0].Help)
	return list[0]
}

// TestSharedMemoryBound looks for the widest tile that fits, in one to four
// dimensions: it is mapped, the next is refused with its bytes and the limit,
// and the tile advised fits, while none of its sizes can be more.
func TestSharedMemoryBound(t *testing.T) {
	programs := append(more(t), jacobi5(t), box27(t))
	for i, x := range programs {
		d := machine.Devices()[(3*i)%len(machine.Devices())]
		sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[0] + int64(x.Space.K)}
		sizes.W = append(sizes.W, schedule.MinW0(x.Cone, sizes.H)+2)
		for range x.Space.Space[1:] {
			sizes.W = append(sizes.W, 4)
		}
		last := len(sizes.W) - 1
		k := lower.NewCounter(x.Space, d, lower.Options{})
		bytes := func(w int64) int64 {
			sizes.W[last] = w
			s, err := schedule.HybridTiles(x.Space, x.Cone, sizes)
			require.NoError(t, err)
			return k.Traffic(s, 0).SharedBytes
		}
		lo, hi := sizes.W[last], int64(1<<17)
		require.LessOrEqual(t, bytes(lo), int64(d.SharedBytes), x.Name)
		require.Greater(t, bytes(hi), int64(d.SharedBytes), x.Name)
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; bytes(mid) <= int64(d.SharedBytes) {
				lo = mid
			} else {
				hi = mid
			}
		}
		sizes.W[last] = lo
		require.NoError(t, mapError(t, x, sizes, d), "%s %v", x.Name, sizes)

		need := bytes(hi)
		said := oneError(t, model.Advise(mapError(t, x, sizes, d), x.Space, x.Cone, d, sizes, model.Asked{}), "HX401")
		require.Contains(t, said.Msg, fmt.Sprint(need), x.Name)
		require.Contains(t, said.Msg, fmt.Sprint(d.SharedBytes), x.Name)
		fit, ok := model.Fit(x.Space, x.Cone, d, sizes, model.Asked{})
		require.True(t, ok)
		require.True(t, strings.Contains(said.Help, fit.String()), said.Help)
		require.NoError(t, mapError(t, x, fit, d), "%s %v", x.Name, fit)
		for j := range fit.W {
			if fit.W[j] < sizes.W[j] {
				more := schedule.Sizes{H: fit.H, W: append([]int64(nil), fit.W...)}
				more.W[j] = min(sizes.W[j], more.W[j]+int64(d.Warp))
				s, err := schedule.HybridTiles(x.Space, x.Cone, more)
				require.NoError(t, err)
				require.Greater(t, k.Rough(s, 0).SharedBytes, int64(d.SharedBytes), "%s: %v fits, and %v was advised", x.Name, more, fit)
			}
		}
	}
}

// mapError returns what mapping a tiling to d says.
func mapError(t *testing.T, x pipeline.Stencil, sizes schedule.Sizes, d machine.Device) error {
	_, err := lower.Lower(pipeline.Loops(t, x.Schedule(t, sizes)), d, lower.Options{})
	return err
}

// TestTooManyThreads asks for blocks on both sides of the limit.
func TestTooManyThreads(t *testing.T) {
	x := jacobi5(t)
	d := pipeline.Device(t, "sm_80")
	loops := pipeline.Loops(t, x.Schedule(t, schedule.Sizes{H: 2, W: []int64{3, 32}}))
	_, err := lower.Lower(loops, d, lower.Options{Threads: [3]int{32, 32, 1}})
	require.NoError(t, err)
	_, err = lower.Lower(loops, d, lower.Options{Threads: [3]int{33, 32, 1}})
	require.Contains(t, oneError(t, err, "HX404").Msg, "1056 threads")
}

// TestHugeTile assesses a tile that is far too large: no part of it is walked through.
func TestHugeTile(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	for _, x := range more(t) {
		sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[1], W: []int64{1000}}
		for range x.Space.Space[1:] {
			sizes.W = append(sizes.W, 128)
		}
		c, err := model.Assess(x.Space, x.Cone, d, nil, sizes, model.Asked{})
		require.NoError(t, err)
		require.NoError(t, c.Verify())
		if len(sizes.W) == 4 {
			require.Greater(t, c.Best[0].Counts.SharedBytes, c.Budget)
		}
	}
}
