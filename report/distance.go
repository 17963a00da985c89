package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file describes the distances of a dependence in [tau, s0, ..]. Most are
// one vector, or, in arrays that are used again every m steps, vectors that
// repeat: (1 + 2k, -1) stands for (1, -1), (3, -1), (5, -1) and so on. Each
// form is shown only if a subset test says that it covers all distances.

// distance returns the distances of d as text, and one with the least dtau.
// It returns "" and nil for a dependence without instances.
func distance(d schedule.Dependence, c *schedule.Canonical) (text string, nearest []int64) {
	all := d.Map.ApplyDomain(mapOf(c, d.Src.Order)).ApplyRange(mapOf(c, d.Dst.Order)).Deltas()
	_, first, ok := all.LexMin().Sample()
	if !ok {
		return "", nil
	}
	rest := all.Subtract(poly.NewPoint("", first...))
	_, second, ok := rest.LexMin().Sample()
	if !ok {
		return vectorText(first), first
	}
	if text, ok := repeated(all, first, second); ok {
		return text, first
	}
	return rangeText(all, first), first
}

func mapOf(c *schedule.Canonical, stmt int) poly.Map { return c.Maps[stmt] }

// repeated describes all as first plus multiples of second - first, if that is along time only and covers all.
func repeated(all poly.Set, first, second []int64) (string, bool) {
	period := second[0] - first[0]
	if period <= 0 || !slices.Equal(first[1:], second[1:]) {
		return "", false
	}
	since := poly.Out(0).Add(-first[0])
	series := []poly.Formula{poly.NotNegative(since), poly.Equal(affine.Modulo(since, period), affine.Num(0))}
	for i, v := range first[1:] {
		series = append(series, poly.Equal(poly.Out(1+i), affine.Num(v)))
	}
	if !all.IsSubset(poly.NewSet(nil, poly.Tuple{Dims: poly.Dims(len(first))}, series...)) {
		return "", false
	}
	texts := []string{fmt.Sprintf("%d + %dk", first[0], period)}
	if period == 1 {
		texts[0] = fmt.Sprintf("%d + k", first[0])
	}
	for _, v := range first[1:] {
		texts = append(texts, fmt.Sprint(v))
	}
	return "(" + strings.Join(texts, ", ") + ")", true
}

// rangeText says of each dimension that its distance is one number, or that it is not.
func rangeText(all poly.Set, first []int64) string {
	texts := make([]string, len(first))
	for i, v := range first {
		texts[i] = "*"
		if only := poly.Equal(poly.Out(i), affine.Num(v)); all.IsSubset(poly.NewSet(nil, poly.Tuple{Dims: poly.Dims(len(first))}, only)) {
			texts[i] = fmt.Sprint(v)
		}
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func tupleText(v []int64) string {
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = fmt.Sprint(x)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func vectorText(v []int64) string {
	t := tupleText(v)
	return "(" + t[1:len(t)-1] + ")"
}

// distances returns the nearest distances of all dependences in the plane of the hexagons, each once, in order.
func (in *Inspection) distances() []Distance {
	var ds []Distance
	for _, d := range in.Dependences {
		if len(d.Nearest) >= 2 {
			ds = append(ds, Distance{d.Nearest[0], d.Nearest[1]})
		}
	}
	slices.SortFunc(ds, func(a, b Distance) int {
		if a.Tau != b.Tau {
			return int(a.Tau - b.Tau)
		}
		return int(a.S0 - b.S0)
	})
	return slices.Compact(ds)
}
