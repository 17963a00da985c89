//go:build !polyrecord

package poly

// record does nothing: see record_on.go for what it does under the build tag polyrecord.
func record[A, B any](A, B) {}
