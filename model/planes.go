package model

import (
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// This file has the boxes that overlap and stream which the model tries: along which dimension of space, how long the pieces are into which that is cut, and how
// wide boxes are across it. A piece that is long loads its halo along the stream seldom; many that are short keep all multiprocessors busy.

// NoStream is the wish that tiles run step by step.
const NoStream = -1

// The bounds of what is tried of tiles that stream.
const (
	shortestPiece = 8 // planes that a tile owns, unless the grid has fewer
	mostPieces    = 256
	fewPieces     = 16 // with which widths are tried first
	exactPieces   = 4  // widths for which all pieces are tried
)

// streams returns the dimensions along which tiles may stream by a wish, nil if there is none: all but that of stride one, whose planes are columns of memory.
func (s *search) streams(wish *int) []int {
	switch n := len(s.space.Space); {
	case n < 2 || s.space.Ways != nil || wish != nil && *wish == NoStream: // whole columns do not stream
		return nil
	case wish != nil:
		return []int{*wish}
	default:
		var all []int
		for p := range n - 1 {
			if !s.still(p) {
				all = append(all, p)
			}
		}
		return all
	}
}

// across returns the widths to try of tiles that stream along a dimension, whose pieces are as long as so many leave them.
func (s *search) across(dim int, pieces int64) [][]int64 {
	warp := int64(s.device.Warp)
	dims := len(s.space.Space)
	last, others := []int64{warp, 2 * warp, 4 * warp}, []int64{4, 8, 16, 32}
	switch {
	case dims == 2:
		last = []int64{2 * warp, 4 * warp, 8 * warp, 16 * warp}
	case dims > 3:
		last, others = last[:2], []int64{1, 4, 8}
	}
	lists := slices.Repeat([][]int64{others}, dims)
	lists[dims-1] = last
	lists[dim] = []int64{s.piece(dim, pieces)}
	return product(lists)
}

// piece returns how many planes a tile owns along a dimension where so many tiles share it evenly.
func (s *search) piece(dim int, pieces int64) int64 {
	r := s.grid.Space[dim]
	return min(schedule.WidthLimit, max(1, ceilDiv(r.Hi-r.Lo+1, max(1, pieces))))
}

// pieces returns the lengths of pieces to try along a dimension, longest first.
func (s *search) pieces(dim int) (all []int64) {
	for n := int64(1); n <= mostPieces; n *= 2 {
		w := s.piece(dim, n)
		if n > 1 && w < shortestPiece {
			break
		}
		all = append(all, w)
	}
	return slices.Compact(all)
}

// streamed returns the sizes to try of tiles of a height that stream along a dimension, those first that take the least time: widths for pieces of one length, and of the best of them
// other lengths.
func (s *search) streamed(h int64, dim int, weigh func(schedule.Sizes) (Estimate, bool)) (all []Estimate) {
	try := func(w []int64) {
		if e, ok := weigh(schedule.Sizes{H: h, W: w, Stream: &dim}); ok {
			all = append(all, e)
		}
	}
	first := min(fewPieces, s.piece(dim, 1)/shortestPiece)
	for _, w := range s.across(dim, first) {
		try(w)
	}
	slices.SortStableFunc(all, byTime)
	for _, e := range slices.Clone(all[:min(len(all), exactPieces)]) {
		for _, n := range s.pieces(dim) {
			if n != e.Sizes.W[dim] {
				w := slices.Clone(e.Sizes.W)
				w[dim] = n
				try(w)
			}
		}
	}
	slices.SortStableFunc(all, byTime)
	return all
}
