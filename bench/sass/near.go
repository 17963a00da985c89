package main

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// others returns legal sizes near those of o, then those that are given.
func (k kernelCase) others(o outcome, near int, given string) (all []schedule.Sizes, err error) {
	for _, text := range strings.Split(given, "/") {
		if text == "" {
			continue
		}
		s, err := schedule.ParseSizes(text)
		if err != nil {
			return nil, err
		}
		all = append(all, *s)
	}
	add := func(s schedule.Sizes) {
		same := func(x schedule.Sizes) bool { return x.H == s.H && slices.Equal(x.W, s.W) }
		if len(all) < near && !same(o.sizes) && !slices.ContainsFunc(all, same) && schedule.CheckSizes(o.space, o.cone, s) == nil {
			all = append(all, s)
		}
	}
	heights := schedule.LegalH(o.space.K)
	at := slices.Index(heights, o.sizes.H)
	for _, by := range []int{0, 1, -1, 2, -2, 3} {
		if at+by < 0 || at+by >= len(heights) {
			continue
		}
		for _, w0 := range []int64{0, -8, 8, -16, 16} {
			for last := -1; last <= 1; last++ {
				s := schedule.Sizes{H: heights[at+by], W: slices.Clone(o.sizes.W)}
				s.W[0] = max(s.W[0]+w0, schedule.MinW0(o.cone, s.H))
				if d := len(s.W) - 1; d > 0 {
					s.W[d] = max(1, s.W[d]<<1>>(1-last))
				}
				add(s)
			}
		}
	}
	return all, nil
}
