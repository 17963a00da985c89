package ctext

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file says in the heads of files where results differ from those of the source by rounding: products are fused with sums, or sums are regrouped.

// Rounded returns what every file made of regions says where products are fused or sums regrouped, "" where none are.
func Rounded(regions ...*scop.Program) string {
	fused, regrouped := slices.ContainsFunc(regions, isFused), slices.ContainsFunc(regions, isRegrouped)
	how := ""
	switch {
	case fused && regrouped:
		how = "Made with --fma and --reassociate: sums are regrouped, and products are fused with the sums that they feed."
	case fused:
		how = "Made with --fma: products are fused with the sums that they feed."
	case regrouped:
		how = "Made with --reassociate: sums are regrouped, so that neighbouring points have parts of them in common."
	default:
		return ""
	}
	return fmt.Sprintf("%s Results differ from those of %s by rounding.", how, CommentSafe(regions[0].File))
}

func isFused(p *scop.Program) bool { return p.Unfused != nil }

func isRegrouped(p *scop.Program) bool { return p.Unregrouped != nil }

// Equals returns what results of translations equal, bit for bit.
func Equals(regions ...*scop.Program) string {
	return "the original program" + Changed(regions...)
}

// Changed returns what is done to the program that results equal, bit for bit: " with products fused" or the like, "" for nothing.
func Changed(regions ...*scop.Program) string {
	fused, regrouped := slices.ContainsFunc(regions, isFused), slices.ContainsFunc(regions, isRegrouped)
	switch {
	case fused && regrouped:
		return " with sums regrouped and products fused"
	case fused:
		return " with products fused"
	case regrouped:
		return " with sums regrouped"
	}
	return ""
}
