package tune

import (
	"context"
	"errors"
	"slices"
)

// This file lets the fastest candidates run again in the end, by turns. Each was measured once before, at another time than the others: what a machine
// does besides may have slowed one down and not the next, and of many the one that looks fastest is one that had luck. So those that are about as fast
// run in rounds, each of them once a round, every second round in the other order, and the least seconds of their rounds decide.

const (
	finalShare = 10   // of the budget, one part of so many is kept for the final
	closeBy    = 1.25 // times as long as the fastest: those who take longer are not in the final, but for the second
)

// final runs the fastest again. One that fails there is rejected, and a final of the others begins.
func (s *state) final(ctx context.Context) error {
	if s.Ended == Interrupted {
		return nil
	}
	s.level = "the fastest again"
	for {
		few := s.finalists()
		if len(few) < 2 || ctx.Err() != nil {
			return nil
		}
		if again, err := s.rounds(ctx, few); err != nil || !again {
			return err
		}
	}
}

// finalists returns the indices of the outcomes that are in the final, the fastest first.
func (s *state) finalists() (few []int) {
	for _, o := range Ranked(s.Outcomes) {
		if len(few) == s.Finalists || len(few) > 1 && o.Best() > closeBy*s.Outcomes[few[0]].Best() {
			break
		}
		if o.eligible() {
			few = append(few, slices.IndexFunc(s.Outcomes, func(x Outcome) bool { return x.Name == o.Name }))
		}
	}
	return few
}

// rounds runs the finalists in rounds, but those that the log has. It reports whether one of them failed: then nothing is decided.
func (s *state) rounds(ctx context.Context, few []int) (failed bool, err error) {
	names := make([]string, len(few))
	for i, at := range few {
		names[i] = s.Outcomes[at].Name
	}
	done := s.Log.rounds(names)
	if len(done) < s.Rounds {
		programs, bad, err := s.buildFinal(ctx, few)
		defer remove(programs)
		if err != nil || bad || ctx.Err() != nil {
			return bad, err
		}
		for len(done) < s.Rounds {
			took, bad, err := s.round(ctx, few, programs, len(done)%2 > 0)
			if err != nil || bad {
				return bad, err
			}
			if ctx.Err() != nil {
				s.Ended = ended(ctx)
				break
			}
			if err := s.Log.appendRound(names, took); err != nil {
				return false, err
			}
			done = append(done, took)
		}
	}
	for i, at := range few {
		for _, round := range done[:min(len(done), s.Rounds)] {
			s.Outcomes[at].Final = append(s.Outcomes[at].Final, round[i])
		}
	}
	s.tell("", nil)
	return false, nil
}

// buildFinal builds the programs of finalists, a few at once.
func (s *state) buildFinal(ctx context.Context, few []int) (programs []built, failed bool, err error) {
	for batch := range slices.Chunk(few, max(1, s.Jobs)) {
		var all []Candidate
		for _, at := range batch {
			all = append(all, s.Outcomes[at].Candidate)
		}
		programs = append(programs, s.build(ctx, all)...)
	}
	for i, p := range programs {
		if p.err != nil && ctx.Err() == nil {
			return programs, true, s.reject(few[i], p.err)
		}
	}
	return programs, false, nil
}

// round runs each finalist once, and returns the least seconds of each.
func (s *state) round(ctx context.Context, few []int, programs []built, backwards bool) (took []float64, failed bool, err error) {
	took = make([]float64, len(few))
	for k := range few {
		if backwards {
			k = len(few) - 1 - k
		}
		s.tell(s.Outcomes[few[k]].Name, nil)
		seconds, err := s.run(ctx, programs[k].program)
		if ctx.Err() != nil {
			return nil, false, nil
		}
		if err != nil {
			return nil, true, s.reject(few[k], err)
		}
		took[k] = slices.Min(seconds)
	}
	return took, false, nil
}

// reject notes that a finalist fails, if err says that; other errors are returned.
func (s *state) reject(at int, err error) error {
	o := &s.Outcomes[at]
	if !errors.As(err, &o.Rejected) {
		return err
	}
	o.Seconds = nil
	return s.Log.append(*o)
}
