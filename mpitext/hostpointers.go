package mpitext

// This file is about pointers that the text around nests sets. All ranks run the same text, so that they know alike which of them lead to the same array; a nest was made for arrays that are not the same.

// comparesPointers reports whether nests compare pointers: the text sets some.
func (h *Host) comparesPointers() bool { return h.moved() || len(h.Pointers) > 0 }

// distinct prints, in the function of a nest, the test that no two names of an array that it writes are of one array. Arrays that no pointer of the text leads to are compared once, where the function begins.
func (m *Region) distinct() {
	for _, pair := range m.Scop.Apart {
		x, y := pair[0], pair[1]
		if x == y || !m.around.Moves(x.Array) && !m.around.Moves(y.Array) {
			continue
		}
		m.Line("if (%s == %s) // on all ranks", m.address(x.Name()), m.address(y.Name()))
		m.Line("  return hexcc_wrong(hexcc_comm, \"%s\", \"'%s' and '%s' lead to the same array, and the loops rely on two\");", m.Name, m.Outer[x.Name()], m.Outer[y.Name()])
	}
}

func (m *Region) address(object string) string { return "(const void *)" + m.Outer[object] }
