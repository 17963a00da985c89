package ctext

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file says in the heads of files where products are fused with sums.

// Fused returns what every file made of regions says where products are fused, "" where none are.
func Fused(regions ...*scop.Program) string {
	if !slices.ContainsFunc(regions, isFused) {
		return ""
	}
	return fmt.Sprintf("Made with --fma: products are fused with the sums that they feed. Results differ from those of %s by rounding.", CommentSafe(regions[0].File))
}

func isFused(p *scop.Program) bool { return p.Unfused != nil }

// Equals returns what results of translations equal, bit for bit.
func Equals(regions ...*scop.Program) string {
	if slices.ContainsFunc(regions, isFused) {
		return "the original program with products fused"
	}
	return "the original program"
}
