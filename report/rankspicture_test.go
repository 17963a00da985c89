package report

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
)

// planned returns how ranks share out jacobi-2d, by small tiles.
func planned(t *testing.T) (*ranks.Plan, *schedule.Schedule) {
	t.Helper()
	x := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	plan, err := ranks.Make(ranks.OfCPU(cpu.Make(pipeline.Loops(t, x.Schedule))), "border")
	require.NoError(t, err)
	return plan, x.Schedule
}

func onRanks(t *testing.T) *drawing {
	t.Helper()
	plan, s := planned(t)
	return ranksPicture(plan, s, nil, ofThreads, 1120)
}

var messageOf = regexp.MustCompile(`class="message" data-bytes="(\d+)" data-from="(\d)" data-to="(\d)"`)

// TestRanksPicture checks that the picture has all messages but those before the first phase: what a rank sends, by counting for inspect, less these.
func TestRanksPicture(t *testing.T) {
	plan, s := planned(t)
	for _, given := range []map[string]int64{nil, {"n": 71}, {"n": 40, "T": 9}} {
		d := ranksPicture(plan, s, given, ofThreads, 1120)
		wide := s.Phases[0].Space[0].Stride
		values := chooseValues(s.Canonical, given, 2*s.Height, drawnRanks*tilesOfRank*wide-wide/2)
		shares, ok := plan.Shares(values, drawnRanks)
		require.True(t, ok)
		got := map[int][2]int64{}
		for _, m := range messageOf.FindAllStringSubmatch(d.body.String(), -1) {
			bytes, _ := strconv.ParseInt(m[1], 10, 64)
			from, _ := strconv.Atoi(m[2])
			got[from] = [2]int64{got[from][0] + 1, got[from][1] + bytes}
		}
		for r, share := range shares {
			first := [2]int64{}
			for which, border := range []int64{share.Last + 1, share.First} {
				if to := r + 1 - 2*which; to < 0 || to >= drawnRanks {
					continue
				}
				bytes := int64(0)
				for _, b := range plan.Boxes(which, values, 0, border) {
					n := int64(b.Array.Elem.Size())
					for d := range b.Lo {
						n *= b.Hi[d] - b.Lo[d] + 1
					}
					bytes += n
				}
				if bytes > 0 {
					first = [2]int64{first[0] + 1, first[1] + bytes}
				}
			}
			require.Equal(t, [2]int64{share.Messages - first[0], share.Bytes - first[1]}, got[r], "rank %d at %v", r, values)
		}
	}
	few := ranksPicture(plan, s, map[string]int64{"n": 9}, ofThreads, 1120)
	require.Contains(t, few.body.String(), "too few tiles for 3 ranks")
}
