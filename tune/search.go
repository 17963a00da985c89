package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"
)

// This file searches: level by level, programs built a few at a time, then run one by one while nothing else is.

// A state is a search at work.
type state struct {
	*Search
	Result
	end   time.Time
	first time.Duration // what the first run took; 0: none has ended
	level string
}

// Run measures candidates until all are, the budget is used up or ctx ends: the Result says which. What was going on then is neither
// counted nor logged. The error is that of the Runner or of the Log.
func (s *Search) Run(ctx context.Context) (*Result, error) {
	if s.Now == nil {
		s.Now = time.Now
	}
	st := &state{Search: s, end: s.Now().Add(s.Budget)}
	ctx, cancel := context.WithTimeout(ctx, s.Budget)
	defer cancel()
	if err := st.levels(ctx); err != nil {
		return &st.Result, err
	}
	return &st.Result, st.final(ctx)
}

// levels measures the candidates of all levels, for as long as leaves time for the final.
func (s *state) levels(ctx context.Context) error {
	if s.Finalists > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Budget-s.Budget/finalShare)
		defer cancel()
	}
	for _, level := range s.Levels {
		s.level = level.Name
		todo := s.fresh(level.Candidates(slices.Clone(s.Outcomes)))
		if s.Total += len(todo); len(todo) == 0 {
			continue
		}
		if err := s.all(ctx, todo); err != nil {
			return err
		}
		if ctx.Err() != nil {
			s.Ended = ended(ctx)
			break
		}
	}
	return nil
}

// fresh returns those of all that have no outcome in this search, each once.
func (s *state) fresh(all []Candidate) (todo []Candidate) {
	for _, c := range all {
		if s.Of(c.Name) == nil && !slices.ContainsFunc(todo, func(o Candidate) bool { return o.Name == c.Name }) {
			todo = append(todo, c)
		}
	}
	return todo
}

// all takes the outcomes of candidates from the log, or measures them, in their order.
func (s *state) all(ctx context.Context, todo []Candidate) error {
	for len(todo) > 0 && ctx.Err() == nil {
		var batch []Candidate
		for len(todo) > 0 && len(batch) < max(1, s.Jobs) {
			c := todo[0]
			if o, known := s.Log.known(c); known {
				if len(batch) > 0 {
					break // outcomes keep the order of candidates
				}
				s.add(o)
			} else {
				batch = append(batch, c)
			}
			todo = todo[1:]
		}
		if err := s.measure(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// built is what became of building a candidate.
type built struct {
	program Program
	err     error
}

// build builds candidates at once.
func (s *state) build(ctx context.Context, batch []Candidate) []built {
	s.tell("", nil)
	programs := make([]built, len(batch))
	var wait sync.WaitGroup
	for i, c := range batch {
		wait.Go(func() { programs[i].program, programs[i].err = s.Runner.Build(ctx, c) })
	}
	wait.Wait()
	return programs
}

func remove(programs []built) {
	for _, p := range programs {
		if p.program != nil {
			p.program.Remove()
		}
	}
}

// measure builds candidates at once, then runs them one by one.
func (s *state) measure(ctx context.Context, batch []Candidate) error {
	if len(batch) == 0 {
		return nil
	}
	programs := s.build(ctx, batch)
	defer remove(programs)
	for i, c := range batch {
		o := Outcome{Candidate: c}
		err := programs[i].err
		if err == nil && ctx.Err() == nil {
			s.tell(c.Name, nil)
			o.Seconds, err = s.run(ctx, programs[i].program)
		}
		if ctx.Err() != nil {
			return nil // whatever it says, it may be since it was ended
		}
		if err != nil && !errors.As(err, &o.Rejected) {
			return err
		}
		if err := s.Log.append(o); err != nil {
			return err
		}
		s.add(o)
	}
	return nil
}

// run runs a program for no longer than a run may take.
func (s *state) run(ctx context.Context, p Program) ([]float64, error) {
	limit := s.Limit
	if s.first > 0 {
		limit = min(limit, max(s.Least, Patience*s.first))
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	seconds, err := p.Run(within)
	switch {
	case within.Err() != nil && ctx.Err() == nil:
		return nil, &Rejection{TimedOut, fmt.Sprintf("it ran longer than %v", limit.Round(time.Millisecond))}
	case err == nil && (len(seconds) == 0 || slices.ContainsFunc(seconds, func(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) })):
		return nil, fmt.Errorf("tune: a run took %v seconds", seconds)
	case err == nil && s.first == 0:
		s.first = time.Since(start)
	}
	return seconds, err
}

func (s *state) add(o Outcome) {
	s.Outcomes = append(s.Outcomes, o)
	s.tell("", &o)
}

// tell tells of the progress.
func (s *state) tell(current string, last *Outcome) {
	if s.Told != nil {
		s.Told(Progress{Level: s.level, Done: len(s.Outcomes), Total: s.Total, Left: max(0, s.end.Sub(s.Now())), Current: current, Last: last, Best: s.Best()})
	}
}
