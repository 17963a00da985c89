package hexcc

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/astgen/mapped"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Source is a C file: its name, as diagnostics show it, and its text.
type Source = frontend.Source

// A Host is what the C compiler of the machine says of itself.
type Host = frontend.Host

// Options choose how to compile. The zero Options are the defaults.
type Options struct {
	IncludeDirs []string // -I
	Defines     []string // -D, NAME or NAME=VALUE
	Undefines   []string // -U
	Includes    []string // -include: files that are read before the source
	Cxx         bool     // the source is C++, whatever its name ends with
	NoAlias     bool     // array parameters never overlap
	Printed     []byte   // what the preprocessor of the machine prints of the source, with definitions (-E -dD): its headers are then read faster; nil: it is not known
	Host        *Host    // the headers of the machine; nil: those that are built in
	Assume      []string // further facts: conditions on parameters, in isl notation
	Unchecked   bool     // facts are not tested at run time
	Refuse      bool     // where a tested fact does not hold, the program stops; else the original loops run
	// WithoutDevice: where no device runs the kernels, the original loops run; else the program stops.
	WithoutDevice bool
	Lines         bool   // #line directives in kernels of CUDA and OpenCL: tools then show the source
	Places        bool   // printed files say what computes which expression of the source, for Result.Page
	Check         bool   // print a program that compares the translation with the original, too
	Probes        bool   // put probes around regions: the translation then tells what regions find and leave in memory
	Region        string // compile only this one: a number from 1, or the function around it; "": all
	FMA           bool   // products that feed sums are fused with them: results differ from those of the source by rounding

	Target   Target        // what to write; "": CUDA
	Strategy Strategy      // "": Auto
	Launch   Launch        // what keeps tiles in order; "": AnyLaunch
	RankGrid RankGrid      // whether ranks form a grid: MPI only; "": AnyRankGrid
	Kernel   Kernel        // what blocks of a GPU do with a tile; "": AnyKernel
	Pipeline *stream.Shape // of Streaming; nil: chosen
	Fallback Strategy      // Space: tile space alone where hexagons do not apply; "": that is an error

	// Fuse says which nests of an iteration share a launch, where tiles overlap: as [lap,fli],[flj,out], by statements or arrays that they write; "": chosen. It asks
	// for Overlapped. Inner brackets, as in [[lap,fli],flj,out], say which of them share registers: temporaries between them are computed where they are read, before all
	// else, by any strategy.
	Fuse string
	// Stream says along which dimension of space tiles that overlap run plane by plane: by its name, s0 or that of a loop along it, or StepByStep, along none; "": chosen. A dimension asks for Overlapped.
	Stream  string
	Fission []string // statements, or arrays that they write, that are to be several, one for each array that they write; all: those that can be
	// Fold asks for arrays that are folded into the combinations in which their elements are used at several places, each computed once for each element: those of these names, or AnyArrays, all that
	// are used in one combination alone. nil: arrays stay as they are.
	Fold []string
	// Reassociate asks for sums that are regrouped, so that points next to each other along a loop have parts in common: the name of the loop, or AnyLoop; "": sums stay as they are.
	// Results differ from those of the source by rounding.
	Reassociate string
	Order       []string        // the space loops, the hexagonal one first; nil: in the order of array dimensions
	Tile        *schedule.Sizes // nil: chosen by the model
	Load        Source          // a schedule file, as schedule.Save writes it; Order and Tile then are in it. The zero Source: none
	Grid        model.Typical   // typical values of parameters, for choosing sizes; others are assumed
	// Tuned are results of measurements, to be taken where neither the options nor a pragma name a strategy or sizes; nil: there are none.
	Tuned  *Tuned
	CPU    *machine.CPU   // what to choose sizes for where the target is a CPU; nil: machine.AnyCPU
	Memory lower.Strategy // how full tiles use shared memory; the zero Strategy is the best
	Wishes
	Leave  []string // names of arrays that stay in global memory, beside those that must or gain nothing otherwise
	Unroll int      // how many points along s0 a loop in a full tile has in its body; 0: all, or as many as fit
	Arch   string   // a name of machine.Devices; "": sm_80
	// What a block may have less than Arch allows: bytes of shared memory, which OpenCL calls local, and threads,
	// from machine.LeastThreads on. 0: no less.
	LocalMemory, WorkGroup int

	LLC string // the llc that makes PTX: a path or a name; "": the one that is found
	// Libdevice is the path of NVIDIA's library of functions, which PTX needs for exp and the like; ptx.NoLibrary:
	// do without; "": the one that is found.
	Libdevice string

	Base string // what the files written are called; "": the source's name without .c

	// hard says, for tests, that a pass gives up on sizes as if it had passed a bound; nil: none does.
	hard func(pass string, s Strategy, sizes schedule.Sizes) bool
	// stepwise: time loops in loops that ranks run are not tiled in time.
	stepwise bool

	Stop string // last pass to run; "": all of them
	// Dump is called with what each pass made, in their order and that of the regions, after the last pass on regions. May be nil.
	Dump func(pass string, made Product)
	// Ranked: regions for a CPU keep what the model weighs of tiles, which translation does without.
	Ranked bool
	// FilesOnly: the Result keeps of each region its Scop, and of the rest no more than the files need, so that
	// many regions take little memory. Where Stop is the last pass on regions, or before, all is kept.
	FilesOnly bool
	// Store keeps what passes make of regions for CPUs, and has it where a region comes again, if FilesOnly is set. May be nil.
	Store Store
	// Began is called when a pass begins with a region, the first being 0, of so many; -1: with the whole file.
	// Regions are compiled at once, so that calls may come at once too. May be nil.
	Began func(pass string, region, regions int)
}

// A Result is what became of a file. Its first region is embedded: where a file
// has one region, the Result is that region, and the files.
type Result struct {
	*Region
	Regions  []*Region     // those that were compiled, in source order
	Headers  []string      // read by #include, in order
	Warnings diag.List     // worth a look, not wrong
	Files    cuda.Files    // for a GPU, in CUDA
	MPICUDA  cuda.MPIFiles // for the GPUs of several machines
	OpenCL   opencl.Files  // in OpenCL
	PTX      ptx.Files     // in PTX
	C        openmp.File   // for a CPU
	Check    string        // the program of Options.Check, in C
	Probed   *Probed       // the user's file with the probes of Options.Probes

	Times []PassTime
}

// A Region is all that the passes made of one region, each field set by one pass.
type Region struct {
	Scop      *scop.Program
	Inlined   *rewrite.Result     // temporaries computed where they are read, by inner brackets of Options.Fuse or since that costs nothing; nil: there are none
	Fission   *rewrite.Result     // statements that are several now, by Options.Fission; nil: none is
	Folded    *rewrite.Folding    // arrays that are folded, by Options.Fold; nil: there are none
	Regrouped *rewrite.Regrouping // sums in another order, by Options.Reassociate; nil: there are none
	Strategy  Strategy            // Hybrid, Space, Untiled, Wavefront or Overlapped
	Deps      Dependences
	Plan      schedule.Plan   // what a schedule file fixed
	Mapped    *mapped.Program // the loops of a schedule that the user has written; then there are no tiles
	Space     *schedule.Canonical
	Cone      schedule.Cone
	Sizes     schedule.Sizes
	Groups    schedule.Groups // of Overlapped: the launches of an iteration; nil: it is one
	Choice    *model.Choice   // nil: a schedule file fixed the sizes, or time is not tiled
	// Outlook is what the model expects of the strategies; nil: the caller fixed the sizes.
	Outlook  *model.Outlook
	Schedule *schedule.Schedule
	Proofs   schedule.Proofs
	Loops    *astgen.Program
	CPU      *cpu.Program   // where the target is a CPU
	Ranks    *ranks.Plan    // where it is several, by MPI
	Together *ranks.Loop    // the nests of the loop that ranks run, if it is one of them
	Ranking  *model.Ranking // what was weighed for it; nil: it is a GPU, or Options.Ranked is not set
	Target   Target         // that it was made for
	GPU      *gpu.Program
	// Streams is the pipeline through whose registers rows stream; nil: tiles lie in shared memory.
	Streams *model.StreamChoice
	Clauses []string // what is asked of kernels, each in the form of a clause
	Kept    []string // wishes about kernels, and how each is kept
}

// A file is the state of one compilation.
type file struct {
	src   Source
	opts  Options
	units []*unit
	errs  diag.List // of all regions
	// origin is where places of what the regions are made of are in the source: nil if they are those of the source.
	origin *frontend.Origin
	// eachRegion is how many passes run on each region.
	eachRegion int
	macros     []string // names that may be macros before the source begins, beside those of the options
	memo       model.Memo
	hosts      []*scop.Host // what the host runs around regions, on several ranks
	Result
}

// A unit is the state of one region.
type unit struct {
	src    Source
	opts   Options
	failed bool
	// remarks are what is worth telling of the decisions for this region.
	remarks diag.List
	auto    bool            // the strategy is ours to choose
	sweeps  bool            // it has no time loop, and yet tiles hold more than one nest: what is said of such regions is not so
	weighed []model.Weighed // sizes for a CPU, the best first
	tried   []try           // sizes that were given up
	// inPhases: tiles are launched in phases, since the proofs of those that wait for each other were given up.
	inPhases bool
	// instead are the tiles in whose place the model chose rows that stream, or boxes that overlap; nil: it did not.
	instead  *tiles
	expected func(*model.Outlook) *model.Outlook // adds what is expected of boxes that overlap, where they are asked for
	mapped   *mapped.Schedule                    // the user's own schedule; nil: tiles
	printed  printed                             // its text, where it is printed before the others are done
	source   *scop.Program                       // what the front end made of it
	key      string                              // by which what becomes of it is kept; "": it is not
	stored   *storedRegion                       // what was kept of it; nil: nothing
	shares   diag.List                           // what is said of sizes that were left out so that nests share steps
	host     *scop.Host                          // what the host runs around it, on several ranks; nil: it is a region of its own
	tiled    bool                                // of those nests, one that is tiled in time: others share out rows as it does
	rows     int64                               // how wide boxes are that ranks share out where time is not tiled
	memo     *model.Memo                         // choices for equal regions of the file; nil: there is one region
	*Region
}

// limited runs f. A bound of poly that f passes becomes a diagnostic: the answer
// is not known, and nothing is emitted.
func limited(pass string, f func() error) error {
	err := poly.Limited(f)
	var limit *poly.LimitError
	if !errors.As(err, &limit) {
		return err
	}
	return diag.List{{
		Code: "HX402",
		Msg:  fmt.Sprintf("pass %s gave up: %v", pass, limit),
		Help: "simplify bounds and subscripts, or fix parameters to numbers with -D",
	}}
}
