package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// This file tells what a translation is at, once it takes long.

const (
	slow      = 2 * time.Second        // until then nothing is told
	overEvery = 500 * time.Millisecond // how often a line of a terminal is written over
	lineEvery = 2 * time.Second        // how often -v gets a line
)

// A progress tells what pass a translation is at, and with which region.
type progress struct {
	over  bool          // one line of a terminal, which is written over and in the end removed; else lines
	every time.Duration // how often to print

	mu              sync.Mutex
	pass            string
	region, regions int
	width           int // of what stands on the line
}

// began notes that a pass begins with a region, the first being 0; -1: with the whole file.
func (p *progress) began(pass string, region, regions int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pass, p.region, p.regions = pass, region, regions
}

// after returns what to print after so much time.
func (p *progress) after(took time.Duration) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if took < slow || p.pass == "" {
		return ""
	}
	text := "hexcc: pass " + p.pass
	if p.region >= 0 && p.regions > 1 {
		text += fmt.Sprintf(", region %d of %d", p.region+1, p.regions)
	}
	text += fmt.Sprintf(", after %d s", int(took.Seconds()))
	if !p.over {
		return text + "\n"
	}
	padding := strings.Repeat(" ", max(0, p.width-len(text)))
	p.width = len(text)
	return "\r" + text + padding
}

// ended returns what removes the line.
func (p *progress) ended() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width == 0 {
		return ""
	}
	return "\r" + strings.Repeat(" ", p.width) + "\r"
}

// start prints progress to w until what it returns is called.
func (p *progress) start(w io.Writer) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		begun := time.Now()
		ticks := time.NewTicker(p.every)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				io.WriteString(w, p.after(time.Since(begun)))
			case <-quit:
				io.WriteString(w, p.ended())
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// progress prints what a compilation is at while it runs, where somebody looks: on a terminal, or with -v. It
// returns what Options.Began is to be, nil where nothing is printed, and what ends it.
func (s *session) progress(f *sourceFlags) (began func(string, int, int), stop func()) {
	w := bare(s.stderr)
	if s.document() || f.Quiet || !f.Verbose && !isTerminal(w) {
		return nil, func() {}
	}
	p := &progress{over: !f.Verbose, every: lineEvery}
	if p.over {
		p.every = overEvery
	}
	return p.began, p.start(lockedWriter{&s.printing, w})
}
