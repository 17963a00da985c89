//go:build !linux

package main

import "time"

var started = time.Now()

// processorTime returns the time since the start: other systems have no clock of the processor that is fine enough.
func processorTime() time.Duration { return time.Since(started) }
