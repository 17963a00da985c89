package sass

import "strings"

// A Class says what an instruction is for.
type Class int

// The classes. There is none of the units of matrices and textures: such instructions are Other.
const (
	FP32         Class = iota // sums and products, single
	FP64                      // and double; with comparisons
	Special                   // reciprocals, roots and the like, and conversions
	Integer                   // addresses, moves, comparisons of integers and single precision, selections, predicates, votes
	SharedLoads               //
	SharedStores              //
	Shuffles                  // between lanes
	GlobalLoads               // to registers
	GlobalCopies              // to shared memory
	GlobalStores              //
	Atomics                   // of any memory
	Spills                    // loads and stores of registers that there were none for
	Barriers                  //
	Control                   // branches, waits for copies, fences
	Other                     // of none of these
	Classes                   // how many there are
)

// classes are the operations of each class, without modifiers. Integer has those of the uniform data path, which a warp runs once for all of its lanes, too.
var classes = [Classes]string{
	FP32:         "FADD FMUL FFMA",
	FP64:         "DADD DMUL DFMA DSETP DMNMX",
	Special:      "MUFU F2F F2I I2F POPC S2R S2UR F2FP FRND",
	SharedLoads:  "LDS",
	SharedStores: "STS",
	Shuffles:     "SHFL",
	GlobalLoads:  "LDG LD",
	GlobalCopies: "LDGSTS",
	GlobalStores: "STG ST",
	Atomics:      "ATOMS ATOMG RED",
	Spills:       "LDL STL",
	Barriers:     "BAR",
	Control:      "BRA BRX BSSY BSYNC BREAK NOP EXIT WARPSYNC DEPBAR LDGDEPBAR MEMBAR ERRBAR CGAERRBAR CALL RET YIELD NANOSLEEP CCTL",
	Integer: `BMSK CS2R FCHK FLO FMNMX FSEL FSET FSETP HFMA2 IABS IADD3 IMAD IMNMX ISETP LDC LEA LOP3 MOV P2R PLOP3 PRMT R2P R2UR SEL SGXT SHF VABSDIFF VIADD
		VIADDMNMX VIMNMX VOTE UFLO UIADD3 UIMAD UISETP ULDC ULEA ULOP3 UMOV UP2UR UPLOP3 UPOPC UPRMT UR2UP USEL USGXT USHF VOTEU`,
}

// classOf is the class of each operation.
var classOf = func() map[string]Class {
	all := map[string]Class{}
	for class, names := range classes {
		for _, name := range strings.Fields(names) {
			all[name] = Class(class)
		}
	}
	return all
}()

// Class returns that of an instruction.
func (in Instruction) Class() Class {
	base, _, _ := strings.Cut(in.Op, ".")
	if class, ok := classOf[base]; ok {
		return class
	}
	return Other
}
