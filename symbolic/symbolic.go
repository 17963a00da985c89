// Package symbolic runs full tiles of kernels with names for values. Where the emulator
// computes with numbers, at sizes that are samples, a value here is which instance
// wrote it, or which element of global memory it was at first, and tile indices and
// parameters stay symbols. A full tile is the same wherever it lies: its elements are numbers
// away from a base that moves with it. So what holds of one holds of all, for all sizes:
//
//   - each read of each instance gets the value that the program reads there,
//   - when a block is done, each element of global memory that its tiles touch has the value
//     that the program leaves there, and only what the program writes has been stored,
//   - no two threads touch an element without a barrier between them if one of them writes it.
//
// For example, the tile of a 1-D Jacobi stencil that reads A[i-1] at step 2 from a register
// must find "what S0 wrote at step 1, point 4" there, and not what looks the same.
//
// Pipelines of warps, through whose registers rows stream, are proved in the same way: turn by turn, with names that are so many steps, columns and
// rows away from the chain's own (stream.go).
//
// Several tiles run one after the other, as in a block, where one takes over what another leaves in
// shared memory. Partial tiles are not looked at here: gpu.ProveStaging proves what they copy, and emulate runs samples of them.
package symbolic

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// Prove returns the proof that full tiles of the kernels of p, which were made of loops, do what the program does.
func Prove(p *gpu.Program, loops *astgen.Program) schedule.Proof {
	const claim = "copies, registers and barriers of full tiles give each read the value of the program"
	return schedule.Prove("full tiles", claim, func(proof *schedule.Prover) {
		proof.Unit = "read"
		for _, k := range p.Kernels {
			body, ok := find(k.Body)
			if !ok {
				proof.Ask(fmt.Sprintf("phase %d: no tile runs the code of full tiles", k.Phase), func() string { return "" })
				continue
			}
			proof.Ask(fmt.Sprintf("phase %d: full tiles read, and leave in memory, the values that the program does", k.Phase), func() string {
				reads, err := prove(p, k, body, loops, false)
				var open undecided
				if errors.As(err, &open) {
					reads, err = prove(p, k, body, loops, true)
				}
				proof.Tests += reads
				if open = ""; errors.As(err, &open) {
					proof.Undecided = open.Error()
				}
				if err != nil {
					return err.Error()
				}
				return ""
			})
		}
	})
}

// An undecided error says why nothing can be shown.
type undecided string

func (u undecided) Error() string { return string(u) }

// A fullTile is the code of full tiles.
type fullTile struct {
	nodes      []gpu.Node
	loop       string // the tile index by which tiles follow each other in a block; "": a block has one
	neighbours bool   // what a tile does depends on whether those next to it are full
	once       map[*gpu.Buffer]bool
}

// find returns the code of full tiles in nodes; ok is false if there is none.
func find(nodes []gpu.Node) (t fullTile, ok bool) {
	once := map[*gpu.Buffer]bool{}
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.Threads: // before the first tile
			for _, op := range n.Body {
				if c, isCopy := op.(gpu.Copy); isCopy && c.To.Buffer != nil {
					once[c.To.Buffer] = true
				}
			}
		case gpu.For:
			if t, ok = find(n.Body); ok {
				if t.loop == "" { // the innermost one
					t.loop = n.Var
				}
			}
		case gpu.If:
			if n.Role.Kind == gpu.FullTile {
				t, ok = fullTile{nodes: n.Then, once: map[*gpu.Buffer]bool{}}, true
				for _, m := range n.Then {
					if x, isIf := m.(gpu.If); isIf && (x.Role.Kind == gpu.AfterFull || x.Role.Kind == gpu.LastFull) {
						t.neighbours = true
					}
				}
			}
		}
		if ok {
			for b := range once {
				t.once[b] = true
			}
			return t, true
		}
	}
	return fullTile{}, false
}

// prove runs as many tiles one after the other as can differ, for each of the residues if they are to be tried. It
// returns how many reads were compared.
func prove(p *gpu.Program, k *gpu.Kernel, body fullTile, loops *astgen.Program, residues bool) (reads int, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case undecided:
			err = r
		case wrong:
			err = r
		default:
			panic(r)
		}
	}()
	counts := []int{1}
	switch {
	case body.neighbours:
		counts = []int{1, 3}
	case body.loop != "":
		counts = []int{2}
	}
	c := newCompiler(p, k, body, loops, residues)
	for ok := true; ok; ok = c.residues.next() {
		for _, tiles := range counts {
			reads += c.run(tiles)
		}
	}
	return reads, nil
}

// A wrong error says which value is not the program's.
type wrong string

func (w wrong) Error() string { return string(w) }
