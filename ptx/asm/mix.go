package asm

import (
	"fmt"
	"strings"
)

// A Class is a kind of work that an instruction does.
type Class uint8

// The classes.
const (
	GlobalLoad  Class = iota // and copies from global to shared memory
	GlobalStore              // to global memory
	SharedLoad               // from shared memory
	SharedStore              // to shared memory
	OtherMemory              // parameters, constants, and local memory
	Float                    // arithmetic on floating-point numbers
	Integer                  // arithmetic on integers, shifts and logic
	Move                     // moves, conversions and shuffles
	Predicate                // comparisons, choices by them, and logic on them
	Branch                   // branches and returns
	Barrier                  // barriers of blocks and of warps
	classes
)

var classNames = [classes]string{
	"ld.global", "st.global", "ld.shared", "st.shared", "other ld/st", "float", "integer", "move", "predicate", "branch", "barrier",
}

// String returns the name of c as tables have it.
func (c Class) String() string { return classNames[c] }

// Classes returns all classes, in the order of tables.
func Classes() []Class {
	all := make([]Class, classes)
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

// Class returns what kind of work in does.
func (in Inst) Class() Class {
	switch in.Op {
	case "ld", "ldu", "st", "atom", "red":
		store := in.Op != "ld" && in.Op != "ldu"
		switch {
		case in.Has("global") && store:
			return GlobalStore
		case in.Has("global"):
			return GlobalLoad
		case in.Has("shared") && store:
			return SharedStore
		case in.Has("shared"):
			return SharedLoad
		}
		return OtherMemory
	case "cp":
		if in.Has("global") {
			return GlobalLoad
		}
		return OtherMemory
	case "bra", "ret", "exit", "call", "brx":
		return Branch
	case "bar", "barrier":
		return Barrier
	case "setp", "selp", "set", "slct", "testp":
		return Predicate
	case "mov", "cvt", "cvta", "prmt", "shfl":
		if in.Type() == "pred" {
			return Predicate
		}
		return Move
	}
	switch t := in.Type(); {
	case t == "pred":
		return Predicate
	case strings.HasPrefix(t, "f"):
		return Float
	}
	return Integer
}

// A Mix is how many instructions there are of each class.
type Mix [classes]int

// Total returns the number of instructions.
func (m Mix) Total() (n int) {
	for _, x := range m {
		n += x
	}
	return n
}

// Plus returns the instructions of m and those of n.
func (m Mix) Plus(n Mix) Mix {
	for c := range m {
		m[c] += n[c]
	}
	return m
}

// String returns the classes that occur, with their numbers.
func (m Mix) String() string {
	var parts []string
	for c, n := range m {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, Class(c)))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// Mix returns what k is made of.
func (k *Kernel) Mix() Mix { return k.mix(0, len(k.Insts)) }

// mix returns what instructions from to end-1 are made of.
func (k *Kernel) mix(from, end int) (m Mix) {
	for _, in := range k.Insts[from:end] {
		m[in.Class()]++
	}
	return m
}

// MixOf returns what s is made of, the barrier at its end included.
func (k *Kernel) MixOf(s Stretch) (m Mix) {
	blocks := k.Blocks()
	for _, i := range s.Blocks {
		m = m.Plus(k.mix(blocks[i].First, blocks[i].End))
	}
	return m
}

// Fusible returns the sums and differences that an assembler may fuse with a
// product: neither says that it rounds. Results then are not those of C.
func (k *Kernel) Fusible() (found []Inst) {
	products := map[string]bool{}
	rounds := func(in Inst) bool { return in.Has("rn") || in.Has("rz") || in.Has("rm") || in.Has("rp") }
	for _, in := range k.Insts {
		if in.Op == "mul" && in.Class() == Float && !rounds(in) && len(in.Args) > 0 {
			products[in.Args[0].Name] = true
		}
	}
	for _, in := range k.Insts {
		if (in.Op == "add" || in.Op == "sub") && in.Class() == Float && !rounds(in) {
			for _, a := range in.Args[1:] {
				if products[a.Name] {
					found = append(found, in)
					break
				}
			}
		}
	}
	return found
}
