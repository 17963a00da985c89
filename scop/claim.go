package scop

// A Claim is what a Program takes for granted of C's types where its region stands. Whether it holds
// is for the compiler of the user's file to say: a type that was misread must not compile.
type Claim struct {
	Name string // what it says, as the end of an identifier: A_is_double
	C    string // a C expression, which is not evaluated
	Type Type   // of the value of C, a number; where Size is 0
	Enum bool   // the value of C is of an enumeration of C++ with a scope, and Type is the one it is stored as
	Size int64  // of the object C in bytes; or, with Member:
	// Member is the way to a member of C, a struct, such as flux[0].x, which lies Offset bytes behind its beginning.
	Member string
	Offset int64
	// Halves: nothing but that the compiler calculates with values of type Half in Float, as Type.Calculated says.
	Halves bool
	// Macro is the name of a macro that was the number C where the region was read, and may be none where the compiler reads it.
	Macro string
}
