package randc

import "fmt"

// oddNames are legal in C, or in the C of gcc: letters beyond ASCII, $, words of C++, CUDA,
// OpenCL and of the notation of sets, and names that generated code may want for itself.
var oddNames = []string{
	"é", "naïve", "größe", "日本", "Δt", "a$b", "$", "\\u00e9t\\u00e9", "класс",
	"class", "new", "this", "template", "namespace", "delete", "private", "public", "try", "operator", "and", "or", "not", "xor",
	"kernel", "global", "local", "constant", "half", "float4", "int2", "uchar", "image2d_t", "event_t", "get_global_id", "barrier",
	"threadIdx", "blockIdx", "blockDim", "warpSize", "dim3", "__shared", "min", "max", "abs2",
	"mod", "exists", "floord", "ceild", "implies", "card", "lexmin",
	"S0", "T0", "s0", "t0", "w0", "h", "phase", "tile", "block", "lane", "shared_A", "hexcc", "hexcc_A", "hx_A", "A_0", "c0", "r0",
	"_", "__", "_A", "__x", "x__y", "O", "l1", "I",
}

// id returns the name that stands for a plain one: itself, or an odd one.
func (w *wide) id(plain string) string {
	if !w.features[Identifiers] {
		return plain
	}
	if odd, ok := w.names[plain]; ok {
		return odd
	}
	odd := plain
	if w.rng.IntN(3) > 0 {
		odd = oddNames[w.rng.IntN(len(oddNames))]
		if w.one(40) {
			odd = fmt.Sprintf("%s_%0200d", plain, 7)
		}
		for _, used := range w.names {
			if used == odd {
				odd = plain
			}
		}
		if plain == w.name && odd != plain { // functions of several programs stand in one file
			odd = plain + "_" + odd
		}
	}
	w.names[plain] = odd
	return odd
}

// oddFiles are names of files, without .c.
var oddFiles = []string{"a b", "é", "日本", "it's", "a\"b", "back\\slash", "x%d", "$HOME", "a*", "-o", "a#b", "a;b", "(x)", "a&b", "tab\there", "star*/slash"}

// file returns the name of the program's file without .c, "" for any.
func (w *wide) file() string {
	if !w.features[FileName] {
		return ""
	}
	return oddFiles[w.rng.IntN(len(oddFiles))]
}
