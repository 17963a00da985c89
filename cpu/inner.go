package cpu

import "github.com/hexcc/hexcc/affine"

// This file is about the loop over tiles next to that which threads share out: ranks may share it out, too, or run its turns one by one.

// Inner returns the loop over tiles that is all of the body of a phase; ok is false where that is something else.
func Inner(ph Phase) (f For, ok bool) {
	if len(ph.Body) != 1 {
		return f, false
	}
	f, ok = ph.Body[0].(For)
	return f, ok
}

// Between returns p with that loop limited, in all phases, to turns from one variable to another one. All phases have such a loop.
func Between(p *Program, from, to string) *Program {
	q := *p
	q.Phases = nil
	for _, ph := range p.Phases {
		f, _ := Inner(ph)
		f.Lo, f.Hi = affine.MaxOf(f.Lo, affine.Var(from)), affine.MinOf(f.Hi, affine.Var(to))
		ph.Body = []Node{f}
		q.Phases = append(q.Phases, ph)
	}
	return &q
}

// Unchained returns p without waits: whoever runs the tiles of its chains does so in an order in which they have nothing to wait for.
func Unchained(p *Program) *Program {
	q := *p
	q.Phases, q.Chains = nil, nil
	for _, ph := range p.Phases {
		ph.Body = unchained(ph.Body)
		q.Phases = append(q.Phases, ph)
	}
	return &q
}

func unchained(list []Node) (body []Node) {
	for _, n := range list {
		switch n := n.(type) {
		case Await, Signal:
		case For:
			n.Body = unchained(n.Body)
			body = append(body, n)
		default:
			body = append(body, n)
		}
	}
	return body
}
