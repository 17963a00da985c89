package main

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgress checks what is told of a long translation, and that nothing is of a short one.
func TestProgress(t *testing.T) {
	lines := &progress{}
	require.Empty(t, lines.after(time.Minute), "nothing has begun")
	lines.began("tile", 2, 300)
	require.Empty(t, lines.after(slow-1), "it is not long yet")
	require.Equal(t, "hexcc: pass tile, region 3 of 300, after 4 s\n", lines.after(4*time.Second))
	lines.began("cuda", -1, 300)
	require.Equal(t, "hexcc: pass cuda, after 5 s\n", lines.after(5*time.Second))
	require.Empty(t, lines.ended())

	over := &progress{over: true}
	over.began("tile", 0, 1)
	require.Empty(t, over.ended(), "nothing stands there")
	require.Equal(t, "\rhexcc: pass tile, after 12 s", over.after(12*time.Second))
	over.began("ast", 0, 1)
	require.Equal(t, "\rhexcc: pass ast, after 13 s ", over.after(13*time.Second), "what stood there is covered")
	require.Equal(t, "\r"+string(bytes.Repeat([]byte(" "), 27))+"\r", over.ended())
}

// overlaps notes whether something is written while something else is.
type overlaps struct {
	inside atomic.Int32
	found  atomic.Bool
}

func (w *overlaps) Write(p []byte) (int, error) {
	if w.inside.Add(1) > 1 {
		w.found.Store(true)
	}
	time.Sleep(100 * time.Microsecond)
	w.inside.Add(-1)
	return len(p), nil
}

// TestProgressAlone checks that no line of progress comes into a line of -v.
func TestProgressAlone(t *testing.T) {
	w := &overlaps{}
	s := &session{stderr: w, format: "text"}
	stop := (&progress{every: time.Millisecond}).start(lockedWriter{&s.printing, bare(s.stderr)})
	for range 300 {
		s.remark("pass tile: 1.000 ms\n")
	}
	stop()
	require.False(t, w.found.Load())
}

// TestProgressWhere checks that nothing is told where nobody looks, or a program reads.
func TestProgressWhere(t *testing.T) {
	for _, test := range []struct {
		name     string
		format   string
		flags    sourceFlags
		expected bool
	}{
		{"no terminal", "text", sourceFlags{}, false},
		{"-v", "text", sourceFlags{Verbose: true}, true},
		{"-v -q", "text", sourceFlags{Verbose: true, Quiet: true}, false},
		{"-v in JSON", "json", sourceFlags{Verbose: true}, false},
		{"-v in SARIF", "sarif", sourceFlags{Verbose: true}, false},
	} {
		s := &session{stderr: &bytes.Buffer{}, format: test.format}
		began, stop := s.progress(&test.flags)
		stop()
		require.Equal(t, test.expected, began != nil, test.name)
	}
}
