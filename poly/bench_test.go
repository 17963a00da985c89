package poly

import (
	"fmt"
	"strings"
	"testing"
)

// The workload that matters: proofs that a hybrid tiling reverses no dependence of a 3-D stencil of 27 points.

// heat3D is the tiling of heat-3d with h=2, w0=3, w1=4, w2=32: one part for each phase.
const heat3D = `[T, N] -> {
	S[t, i, j, k] -> [T', 0, S0, S1, S2, t', i, j, k] : 6T' <= t + 3 <= 6T' + 5 and t' = t + 3 - 6T' and
		12S0 <= i + 6 <= 12S0 + 11 and 4S1 <= j + t' <= 4S1 + 3 and 32S2 <= k + t' <= 32S2 + 31 and
		t' - (i + 6 - 12S0) <= 3 and t' + (i + 6 - 12S0) <= 10 and t' + (i + 6 - 12S0) >= 2 and t' - (i + 6 - 12S0) >= -5 and
		0 <= t < T and 1 <= i, j, k < N - 1;
	S[t, i, j, k] -> [T', 1, S0, S1, S2, t', i, j, k] : 6T' <= t <= 6T' + 5 and t' = t - 6T' and
		12S0 <= i <= 12S0 + 11 and 4S1 <= j + t' <= 4S1 + 3 and 32S2 <= k + t' <= 32S2 + 31 and
		t' - (i - 12S0) <= 3 and t' + (i - 12S0) <= 10 and t' + (i - 12S0) >= 2 and t' - (i - 12S0) >= -5 and
		0 <= t < T and 1 <= i, j, k < N - 1 }`

// notAfter relates vectors of heat3D to those that do not run after them.
func notAfter() Map {
	const roles = "sspsssppp" // T, phase, S0, S1, S2, t, i, j, k: sequential or parallel
	var cases, equal []string
	for n, role := range roles {
		cases = append(cases, strings.Join(append(equal, fmt.Sprintf("y%d < x%d", n, n)), " and "))
		if role == 'p' {
			cases = append(cases, strings.Join(append(equal, fmt.Sprintf("y%d > x%d", n, n)), " and "))
		}
		equal = append(equal, fmt.Sprintf("y%d = x%d", n, n))
	}
	cases = append(cases, strings.Join(equal, " and "))
	var x, y []string
	for n := range roles {
		x, y = append(x, fmt.Sprintf("x%d", n)), append(y, fmt.Sprintf("y%d", n))
	}
	return MustMap(fmt.Sprintf("{ [%s] -> [%s] : %s }", strings.Join(x, ", "), strings.Join(y, ", "), strings.Join(cases, " or ")))
}

// distances are those of a stencil of 27 points over two time steps, as relations.
func distances() []Map {
	var list []Map
	for a := -1; a <= 1; a++ {
		for b := -1; b <= 1; b++ {
			for c := -1; c <= 1; c++ {
				list = append(list, MustMap(fmt.Sprintf("{ S[t, i, j, k] -> S[t + 1, i + %d, j + %d, k + %d] }", a, b, c)))
			}
		}
	}
	// The array keeps two time steps: all distances with dt odd.
	return append(list, MustMap(`{ S[t, i, j, k] -> S[u, x, y, z] : u > t and exists e: u - t = 2e + 1 and
		-1 <= x - i <= 1 and -1 <= y - j <= 1 and -1 <= z - k <= 1 }`))
}

// BenchmarkLegality proves all dependences of heat3D.
func BenchmarkLegality(b *testing.B) {
	tiling, order, deps := MustMap(heat3D), notAfter(), distances()
	reversed := tiling.ApplyRange(order).ApplyRange(tiling.Inverse())
	tests := 0
	for b.Loop() {
		tests = 0
		for _, d := range deps {
			bad := d.Intersect(reversed)
			tests += len(d.parts) * len(reversed.parts)
			if !bad.IsEmpty() {
				b.Fatal("a dependence is reversed")
			}
		}
	}
	b.ReportMetric(float64(tests), "tests/op")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*tests), "µs/test")
}

// BenchmarkReversed composes the tiling with the wrong orders.
func BenchmarkReversed(b *testing.B) {
	tiling, order := MustMap(heat3D), notAfter()
	for b.Loop() {
		tiling.ApplyRange(order).ApplyRange(tiling.Inverse())
	}
}

// BenchmarkEmpty tests the emptiness of the conjunctions of one dependence with the wrong orders, all variables kept.
func BenchmarkEmpty(b *testing.B) {
	all := conjunctions()
	var work Work
	for b.Loop() {
		before := WorkDone()
		for _, c := range all {
			if !c.isEmpty() {
				b.Fatal("a dependence is reversed")
			}
		}
		work = WorkDone().Minus(before)
	}
	b.ReportMetric(float64(work.Pivots)/float64(len(all)), "pivots/test")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(all)), "µs/test")
}

// conjunctions returns one Basic for each dependence, pair of phases and wrong order, with the coordinates of both tiles.
func conjunctions() []Basic {
	var all []Basic
	for _, d := range distances() {
		for _, x := range MustMap(heat3D).parts {
			for _, y := range MustMap(heat3D).parts {
				for _, o := range notAfter().parts {
					all = append(all, conjunction(d.parts[0], x, y, o)...)
				}
			}
		}
	}
	return all
}

// conjunction returns the pairs of instances of the dependence d whose images by x and y are in the order o. Its columns are
// 1, T, N, the source from column 3, its image from 7, the target from 16 and its image from 20.
func conjunction(d, x, y, o Basic) []Basic {
	space := Space{Params: x.space.Params, Out: Tuple{Dims: make([]string, 26)}}
	s := newSystem(space.cols(), 0)
	s.add(x, seq(nil, 0, 16))
	s.add(y, seq(seq(nil, 0, 3), 16, 13))
	s.add(d, seq(seq([]int{0}, 3, 4), 16, 4))
	s.add(o, seq(seq([]int{0}, 7, 9), 20, 9))
	if b, ok := s.finish(space); ok {
		return []Basic{b}
	}
	return nil
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		MustMap(heat3D)
	}
}

func BenchmarkPartition(b *testing.B) {
	tiling := MustMap(heat3D)
	domain := MustSet("[T, N] -> { S[t, i, j, k] : 0 <= t < T and 1 <= i, j, k < N - 1 }")
	for b.Loop() {
		if !domain.IsSubset(tiling.Domain()) {
			b.Fatal("an instance is in no tile")
		}
	}
}

func BenchmarkMaxRatio(b *testing.B) {
	d := distances()[27]
	num := Affine{In: []int64{0, -1, 0, 0}, Out: []int64{0, 1, 0, 0}}
	den := Affine{In: []int64{-1, 0, 0, 0}, Out: []int64{1, 0, 0, 0}}
	for b.Loop() {
		if r, ok := d.MaxRatio(num, den); !ok || r.RatString() != "1" {
			b.Fatal(r, ok)
		}
	}
}
