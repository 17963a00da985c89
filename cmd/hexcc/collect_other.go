//go:build !linux

package main

// reserveHuge reports that no huge pages were asked for.
func reserveHuge(int) bool { return false }
