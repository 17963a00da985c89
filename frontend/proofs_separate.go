package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file proves, when all is known, that the nests which were made of one loop may run one after the other, and that
// of an array of structs the region writes members of one type only.

// checkSeparated proves that nests made of one may run one after the other: no
// instance of a later nest has to run before one of an earlier nest, because it
// did so in the source and both use one element.
func (pr *prover) checkSeparated() {
	for i, m := range pr.nests {
		for _, n := range pr.nests[i+1:] {
			if shared(m, n) > 0 {
				pr.checkPairOfNests(m, n)
			}
		}
	}
	pr.checkEarly()
}

func (pr *prover) checkPairOfNests(m, n *nest) {
	x, y := pr.context().backward(m, n)
	if x == nil {
		return
	}
	pr.errorf("HX116", y.where, "allowed: loops that hold other statements or conditions, if all iterations may run the first part before any runs the second",
		"write them as nests of their own in the time loop, in an order that gives the results you want",
		"'%s' is used here by an iteration before '%s' of a later one, so the parts of this nest cannot run one after the other", y.Text, x.Text)
	pr.errs[len(pr.errs)-1].Notes = append(pr.errs[len(pr.errs)-1].Notes, diag.Note{At: x.Pos, Msg: "the other part uses it here"})
}

// checkEarly reports values that were computed before a nest from an array that the region changes.
func (pr *prover) checkEarly() {
	for _, n := range pr.nests {
		for _, a := range n.early {
			if a.array.stored {
				pr.errorf("HX116", a.where, "such a value is computed again by each iteration of the loops that use it", "compute it in the innermost loop, or keep it in an array, with --fallback=space",
					"'%s' is read before loops that use its value, and the region changes '%s'", a.Text, a.array.Name)
			}
		}
	}
}

// checkViews reports arrays of structs of which members of more than one type are written.
func (pr *prover) checkViews() {
	written := map[*cc.Declarator]*array{}
	for _, d := range inOrder(pr.source, pr.arrays) {
		a := pr.arrays[d]
		if _, ok := pr.u.members.views[d]; !ok || !a.stored {
			continue
		}
		first := written[a.decl]
		if first == nil {
			written[a.decl] = a
			continue
		}
		name := pr.u.members.name(a.decl)
		for _, n := range pr.nests {
			for _, x := range n.accesses {
				if x.array == a && x.Write {
					pr.errorf("HX106", x.where, "the structs are copied to the device and back once for each type, so members of one type only may be written",
						fmt.Sprintf("keep the members of type '%v' in an array of their own", a.Elem),
						"members of '%s' of type '%v' are written, and of type '%v' too", name, first.Elem, a.Elem)
					return
				}
			}
		}
	}
}
