package frontend

// A Source is a C file.
type Source struct {
	Name string // as given by the user; diagnostics show it
	Text []byte
}

// Options say how to read a file. The zero Options are the defaults.
type Options struct {
	IncludeDirs []string // -I, in order
	Defines     []string // -D, NAME or NAME=VALUE, in order
	Undefines   []string // -U, after Defines
	Includes    []string // -include, in order: files that are read before the file, as by #include "FILE"
	Cxx         bool     // the file is C++, whatever its name ends with; else the ending says it
	NoAlias     bool     // --assume=noalias: array parameters never overlap
	Region      string   // read only this region: its number from 1, or the function around it; "": all
	Unchecked   bool     // facts are not to be tested at run time: the programs list none
	Host        *Host    // the headers of the machine; nil: those that are built in
	Printed     []byte   // what the preprocessor of the machine prints of the file, with definitions (-E -dD); nil: it is not known
	// Ranks: loops of the host run on several ranks, each of which has its part of the arrays: the Result says what they run (Hosts).
	Ranks bool
	// Parts: whoever runs regions has parts of arrays, so that nothing in front of a region can test elements, and where a test would not hold no original loops could run.
	Parts bool
	// InSteps, with Ranks: time loops in such loops run step by step, too, and no steps of one are a region together.
	InSteps bool
	// Sites: say where regions are in the file and in the source of what is made of them, for what is put around them.
	Sites  bool
	Assume []string // other facts, such as n >= 1024: conditions on parameters, in isl notation

	calls  bool // memcpy and the like stay calls
	nested bool // loops over time steps around others are loops of the host
}
