package cuda

import _ "embed" // the text of Shim

// Shim is a cuda_runtime.h with which C++ compilers build printed kernel files for a
// CPU, as they are: for tests where there is no GPU.
//
//go:embed shim/cuda_runtime.h
var Shim string
