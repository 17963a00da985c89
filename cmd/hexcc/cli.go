package main

import (
	"io"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"github.com/hexcc/hexcc/diag"
)

// A cli is the command line: the commands and the flags of all of them.
type cli struct {
	Translate  translateCmd  `cmd:"" default:"withargs" help:"Translate FILE.c (the default command)."`
	Verify     verifyCmd     `cmd:"" help:"Translate, run the result without a GPU, compare with the original program."`
	Inspect    inspectCmd    `cmd:"" help:"Show what was found and decided: statements, dependences, cone, tile, schedule, proofs."`
	Plot       plotCmd       `cmd:"" help:"Draw the tiling as SVG."`
	Report     reportCmd     `cmd:"" help:"Write one HTML page that links source, dependences, tiles, proofs and kernels."`
	Tune       tuneCmd       `cmd:"" help:"Measure strategies and tile sizes on this machine, and say which is fastest."`
	Profile    profileCmd    `cmd:"" help:"Say what bounds the kernels, by what a profiler measured or by what is counted, and what to try."`
	Explain    explainCmd    `cmd:"" help:"Say what an error code means and what to do."`
	Calc       calcCmd       `cmd:"" help:"Calculate with integer sets and relations, in the language of iscc."`
	CC         ccCmd         `cmd:"" name:"cc" help:"Run a compiler, and translate on the way: make CC=\"hexcc cc gcc\"."`
	NVCC       nvccCmd       `cmd:"" name:"nvcc" help:"Run nvcc, and translate on the way: regions become kernels in its objects."`
	Lsp        lspCmd        `cmd:"" name:"lsp" help:"Serve an editor by the Language Server Protocol: diagnostics as one types, what was decided for a region, edits that mend it."`
	Shim       shimCmd       `cmd:"" help:"Write the header that runs printed CUDA on a CPU, for tests on machines without a GPU."`
	Tools      toolsCmd      `cmd:"" help:"Say whether a CUDA compiler is here that compiles what hexcc writes."`
	Doctor     doctorCmd     `cmd:"" help:"Say what this machine has of what hexcc can use, and how to install what it lacks."`
	Completion completionCmd `cmd:"" help:"Write what makes a shell complete commands and flags: source <(hexcc completion bash)."`
	Demo       demoCmd       `cmd:"" help:"The whole tour on a built-in example: translate, prove, verify, draw."`
	Help       helpCmd       `cmd:"" help:"Show help, or help on a topic."`
	Version    versionCmd    `cmd:"" help:"Show the version."`

	ShowVersion kong.VersionFlag `name:"version" help:"Show the version."`
}

// sourceFlags say what to compile and how; all commands that read C have them.
type sourceFlags struct {
	File string `arg:"" name:"FILE.c" help:"C source, or C++ (.cpp, .cc, .cxx) in the part that is C, with regions between #pragma scop and #pragma endscop; -: standard input."`

	Include    []string `short:"I" sep:"none" placeholder:"DIR" help:"Search DIR for headers."`
	Define     []string `short:"D" sep:"none" placeholder:"NAME[=V]" help:"Define a macro."`
	Undefine   []string `short:"U" sep:"none" placeholder:"NAME" help:"Undefine a macro."`
	PreInclude []string `name:"pre-include" sep:"none" placeholder:"FILE" help:"Read FILE before the source, as #include does (also -include)."`
	Language   string   `short:"x" default:"auto" enum:"auto,c,c++" placeholder:"c|c++" help:"The language of the source (default: by the end of its name)."`
	Headers    string   `default:"host" enum:"host,builtin" env:"HEXCC_HEADERS" help:"Whose system headers and macros to read: those of the C compiler of this machine (HEXCC_CC, CC, cc, gcc or clang; -v says which), or the few that are built in, whatever the machine."`

	// HostCompiler is the path of a compiler, whose headers and macros are to be read, and flags.
	HostCompiler []string `hidden:"" sep:"none"`
	// HostFlag are flags of C compilers that say how to preprocess.
	HostFlag []string `hidden:"" sep:"none"`

	target, cpu, launch, kernel, pipeline string // of translations

	Arch         string   `default:"sm_80" placeholder:"sm_80" help:"GPU architecture: limits and tile model; native: that of the GPU at hand."`
	LocalMemory  int      `placeholder:"BYTES" help:"Limit the shared memory of a block, which OpenCL calls local: what the device has (clinfo tells), where it is less than that of --arch."`
	WorkGroup    int      `placeholder:"N" help:"Limit the threads of a block, as for --local-memory; at least 64."`
	LLC          string   `name:"llc" env:"HEXCC_LLC" placeholder:"llc-16" help:"The llc that makes PTX, with its opt beside it (default: llc, or the newest llc-NN)."`
	Libdevice    string   `name:"libdevice" env:"HEXCC_LIBDEVICE" placeholder:"FILE|none" help:"NVIDIA's library of functions, which PTX takes exp and the like from (default: that of a CUDA toolkit, or beside nvcc)."`
	Tile         string   `default:"auto" placeholder:"h=H,w0=W,..." help:"Tile sizes by name; auto: chosen by a model."`
	Grid         string   `placeholder:"n=N,steps=T" help:"Typical sizes by parameter, for the choice of tile sizes only (default: sizes of current benchmarks)."`
	Tuned        string   `placeholder:"FILE" help:"Take strategy and sizes that hexcc tune --save=FILE has measured: on this processor, or for GPUs with this --arch, at the sizes nearest to those of --grid; of another one the model chooses, with a remark."`
	Fuse         string   `placeholder:"'[a,b],[c]'" help:"Which nests of an iteration share a launch, with --strategy=overlapped, which it asks for: a list of statements, or of arrays that they write, for each launch. --fuse='[lap,fli],[flj,out]' makes two (default: one). Nests in inner brackets, as in [[lap,fli],flj,out], share registers: each computes what it reads of the others."`
	Fission      []string `placeholder:"S0,.." help:"Make several nests of one that writes several arrays, one for each: of these statements, or of those that write these arrays, in the regions that have such; all: of all where that can be. Each computes what it needs of local variables itself, so that fewer registers are alive at once."`
	Fold         []string `placeholder:"u,v|auto" help:"Fold arrays whose elements are used in one combination at several places, as u and v in (u[i+1] - v[i+1]) - (u[i-1] - v[i-1]): a nest of its own computes it once for each element, into an array that tiles then hold in place of both. auto: all arrays that are used for nothing else. No result changes."`
	Stream       string   `placeholder:"i|s0|none" help:"The loop over space, or dimension, along which tiles run plane by plane and keep the few planes in use, with --strategy=overlapped, which it asks for, on GPUs; none: along none (default: as the model finds faster)."`
	Order        []string `placeholder:"i,j,.." help:"Order of the space loops; the first is cut into hexagons (default: as the arrays' dimensions)."`
	SaveSchedule string   `placeholder:"FILE" help:"Write the schedule as a text that can be edited."`
	LoadSchedule string   `placeholder:"FILE" help:"Read the schedule from such a text; it is proved again."`
	Strategy     string   `default:"auto" enum:"auto,hybrid,space,untiled,wavefront,overlapped" help:"Tiling scheme: hybrid, in time and space; space only (each nest of a time step is a launch); untiled, the loops as they are, a thread for each point, for GPUs; wavefront, parallelograms, which wait for each other on CPUs and run front by front on GPUs; overlapped, boxes that compute what they need of their neighbours, too, so that nests one after the other are one launch, and what they hand on stays in shared memory or in a cache; auto, the one of hybrid, space, untiled and overlapped that the model expects to be faster, or wavefront where neither applies."`
	Fallback     string   `default:"error" enum:"error,space" help:"What to do where hexagonal tiling does not apply: error, or tile space only, with a remark."`
	Memory       string   `default:"moved" enum:"global,staged,interleaved,aligned,moved,static" help:"How full tiles use shared memory, each way with all before it: global (not), staged (copied in and out), interleaved (results stored as computed), aligned (rows loaded from multiples of 128 bytes), moved or static (what the tile before loaded is used again, after a move or where it lies)."`
	Leave        []string `placeholder:"A,B,.." help:"Leave these arrays in global memory (default: those that gain nothing in shared memory, or without which no tile would fit, with a remark)."`
	Unroll       int      `placeholder:"N" help:"Spell out N points along the hexagonal dimension in the body of a loop in full tiles (default: all of them, or as many as fit a limit, with a remark)."`
	Place        string   `placeholder:"A:shared,B:global" help:"Where kernels of GPUs have arrays: shared (memory of a block, though that gains nothing), registers (of the thread that uses an element, which no other does in a step), global, constant (coefficients), or texture (read where it is, and never written). What cannot be is an error."`
	Block        string   `placeholder:"X,Y" help:"Threads of a block along x, the stride-one dimension, and y (default: by the tile sizes)."`
	Elements     string   `placeholder:"X,Y" help:"Points of a tile that a thread runs in a step along x and y, at most; threads follow from that."`
	Registers    int      `placeholder:"N" help:"Registers of a thread, at most, from 16 to 255 (CUDA and PTX)."`
	Occupancy    string   `placeholder:"F" help:"Which part of the warps that a multiprocessor holds are to run at once, above 0 and up to 1: arrays then stay in global memory, and registers are fewer, until that is so."`
	Prefetch     string   `placeholder:"N" help:"Begin to load N planes of a tile that streams (--stream) before they are used: 0 or more, while rings in shared memory have room; of rows that stream (--kernel=streaming) 1 to 8 periods. What cannot be is an error."`
	Region       string   `placeholder:"N|FUNC" help:"Take only this region: its number in the file, or the function around it."`
	Assume       []string `placeholder:"FACT" help:"A fact about the program: noalias, or a condition on parameters such as N>=1024. Tested at run time."`
	OnViolated   string   `default:"original" enum:"original,refuse" help:"What the translated program does where a tested fact does not hold: run the original loops, or refuse, that is stop with a message."`
	OnNoDevice   string   `default:"refuse" enum:"original,refuse" help:"What it does where no device runs the kernels: run the original loops, or refuse."`
	RankGrid     string   `name:"rank-grid" default:"auto" enum:"auto,off,on" help:"Whether ranks, of target mpi, may form a grid, and share out a second dimension of tiles, too: for more ranks than there are tiles along the first one. auto, where the region allows it; off, never: the C is shorter; on, or there is an error. With how many columns is chosen, or said, when the program runs (hexcc help mpi)."`
	Unchecked    bool     `help:"Do not test facts at run time."`
	Reassociate  along    `help:"Regroup sums in float and double, so that points next to each other along a loop have parts in common, which are computed once; --reassociate=j: along loop j (default: as the target computes several at once). Results then differ from those of FILE.c by rounding; hexcc verify tells how far, and fails beyond a tolerance (hexcc help reassociate)."`
	FMA          bool     `name:"fma" help:"Fuse products with the sums that they feed: a*b + c, in float and double, becomes fma(a, b, c), which rounds once. Results then differ from those of FILE.c by rounding; hexcc verify tells how far, and fails beyond a tolerance (hexcc help fma)."`

	Force bool `help:"Replace files that hexcc did not make, too. An input is never replaced."`

	Werror             bool   `name:"Werror" help:"Make warnings errors (also -Werror)."`
	Verbose            bool   `short:"v" help:"Report passes, times, and each remark by itself, on stderr."`
	Quiet              bool   `short:"q" help:"Print errors only."`
	FdiagnosticsFormat string `name:"fdiagnostics-format" default:"text" enum:"text,json,sarif" help:"How to print diagnostics: text, json, sarif (also -fdiagnostics-format=)."`
	FdiagnosticsColor  string `name:"fdiagnostics-color" default:"auto" enum:"auto,always,never" help:"Colour diagnostics: on terminals (auto), unless NO_COLOR is set, always or never (also -fdiagnostics-color=)."`
	FmaxErrors         int    `name:"fmax-errors" default:"20" placeholder:"N" help:"Show the first N errors; 0 shows all, and so do json and sarif (also -fmax-errors=)."`
}

// targetFlags say what a page is about: all that is written for a target.
type targetFlags struct {
	Target string `default:"cuda" enum:"cuda,opencl,ptx,openmp,c,mpi,mpi+cuda" help:"What to show: kernels, as they are for cuda, opencl, ptx or mpi+cuda, or the loops of openmp, c or mpi for CPUs: threads, rows in vectors, caches; ranks."`
	CPU    string `name:"cpu" placeholder:"l1=48K,..|native" help:"What processor to choose tile sizes for with --target=openmp and c, as for translate."`
	Launch string `default:"auto" enum:"auto,phases,ready" help:"When tiles start, as for translate."`
}

// mappingFlags say how tiles lie on what a GPU has.
type mappingFlags struct {
	Kernel   string `default:"auto" enum:"auto,tiles,streaming" help:"What blocks of a GPU do: tiles, the threads of a block run a tile step by step, from shared memory; streaming, rows stream through the registers of a pipeline of warps (with OpenCL, of sub-groups of 32 work-items); or auto, whichever the model expects to be faster (streaming in CUDA and two dimensions only)."`
	Pipeline string `placeholder:"columns=8,steps=4,.." help:"With --kernel=streaming, the columns of a row that a lane holds, the steps of a warp, the warps of a block, the beats between barriers (period), and in three dimensions the lines of a row that a warp holds (lines) and the warps side by side along a strip (across); also the periods by which rows are loaded ahead (ahead), the beats between looks at other tiles (look), and the beats of a turn that there is code for (code)."`
}

type translateCmd struct {
	sourceFlags
	Target string `default:"cuda" enum:"cuda,opencl,ptx,openmp,c,mpi,mpi+cuda" help:"What to write: cuda, opencl (kernels in OpenCL C, and C that runs them), ptx (kernels as PTX, made by LLVM, and C that runs them), openmp (one C file, tiles in parallel on a CPU), c (the same in one thread), mpi (a C file and a header: the same on several machines) or mpi+cuda (a file in CUDA C++ and a header: kernels on the GPUs of several machines)."`
	CPU    string `name:"cpu" placeholder:"l1=48K,..|native" help:"What processor to choose tile sizes for with --target=openmp and c: native, the one at hand, or what it has: l1, l2, l3 (bytes, K and M are 2^10 and 2^20) and cores, which share l3 (default: l1=48K,l2=1M,l3=16M,cores=4)."`
	mappingFlags
	Launch string `default:"auto" enum:"auto,phases,ready" help:"When tiles start: phases, when all of the phase before have ended; ready, for CUDA, PTX and OpenMP, when those that they need have ended; or auto, whichever the model expects to be faster (OpenCL: phases)."`

	More []string `arg:"" optional:"" name:"FILE.c.." help:"Further sources, each translated by itself."`

	Output string `short:"o" placeholder:"BASE" help:"Write BASE.hex_host.cu, BASE.hex_kernel.cu and BASE.hex.h; for OpenCL BASE.hex_host.c, BASE.hex_kernel.c, BASE.hex_kernel.cl and BASE.hex.h; for PTX BASE.hex_host.c, BASE.hex_kernel.c, BASE.hex.ptx and BASE.hex.h; BASE.hex.c for a CPU (default: FILE without .c, in this folder). -: standard output, for what is one file."`

	// Unit is where to write a file that is compiled in place of the source, for CPUs: hexcc cc asks for it.
	Unit string `hidden:""`
	// UnitApart: the functions are to be compiled apart from it.
	UnitApart bool `hidden:""`
	// Preprocessed is a file with what the compiler's preprocessor makes of the source.
	Preprocessed string `hidden:""`
	// KeepRegions is a folder where regions are kept, and taken from.
	KeepRegions string `hidden:""`

	EmitLLVM bool `name:"emit-llvm" help:"With --target=ptx, write the kernels in LLVM IR too, to BASE.hex.ll."`

	LineDirectives bool `help:"With --target=cuda or opencl, put #line directives in kernels: debuggers and profilers then show lines of FILE.c."`

	Check bool `help:"Write BASE.hex_check.c too: a program that compares the translation with the original, bit for bit, or with --fma or --reassociate within a tolerance, on random data."`

	MD bool   `name:"MD" help:"Write make dependencies (also -MD)."`
	MF string `name:"MF" placeholder:"FILE" help:"Write them to FILE (default: BASE.d) (also -MF)."`
	MT string `name:"MT" placeholder:"TARGET" help:"The target of the rule (also -MT)."`
	MP bool   `name:"MP" help:"Add an empty rule for each header (also -MP)."`
}

type verifyCmd struct {
	sourceFlags
	Target string `default:"cuda" help:"What to run: the kernels of cuda (default), or the loops that openmp and c have for a CPU: its threads, and rows in vectors; mpi: on several ranks, too, simulated, and by an MPI of this machine if there is one; mpi+cuda: kernels, on simulated ranks, too."`
	CPU    string `name:"cpu" placeholder:"l1=48K,..|native" help:"What processor to choose tile sizes for with --target=openmp and c, as for translate."`
	mappingFlags
	Launch string   `default:"auto" enum:"auto,phases,ready" help:"When tiles start: phases, when all of the phase before have ended; ready, for CUDA, PTX and OpenMP, when those that they need have ended; or auto, whichever the model expects to be faster (OpenCL: phases)."`
	Sizes  []string `placeholder:"N=V:T=V,..." help:"Sizes to try, each a value for some parameters; a bare number is for all of them."`
	Jobs   int      `short:"j" default:"1" placeholder:"N" help:"Verify up to N sizes at once."`
	Device string   `default:"emulator" enum:"emulator,cpu,ptx,opencl" help:"What runs the kernels: the emulator, or also cpu, that is the printed CUDA, or with --target=openmp and c the printed C, compiled for the CPU with the file around it (needs g++, or gcc or clang), where the program also runs with each tested fact not holding, or ptx, that is their PTX instruction by instruction (needs llc), or opencl, that is their OpenCL C on an OpenCL device."`
	Seed   uint64   `default:"1" help:"Seed of the random input and order of execution."`

	Program arguments `name:"run" help:"Also run the program that FILE.c is, as it is and translated (of cuda the kernels, on this CPU), both compiled by the C compiler, and compare what regions leave in memory, bit for bit: how hexcc reads FILE.c is then checked, too. --run='100 20 < in.dat': with these arguments."`
	With    []string  `sep:"none" placeholder:"ARGS" help:"What else that program is compiled with: other files, flags and libraries, as in --with='output.c -lfftw3'."`

	Sanitize bool `help:"With --target=openmp, c and mpi, also compile the printed C with AddressSanitizer and UndefinedBehaviorSanitizer, and run it, as --device=cpu does; with --target=mpi, what ranks run."`

	Profile bool `help:"Count at the first size what a profiler of a GPU would, warp by warp: requests, sectors, bank conflicts, divergence."`
}

type inspectCmd struct {
	sourceFlags
	targetFlags
	mappingFlags
	Updates    int    `placeholder:"N" help:"Of a file of PTX: how many points a thread computes in a full tile, for numbers per update."`
	Machine    string `placeholder:"FILE" help:"Rank which nests may share launches for the machine whose levels of memory FILE has (docs/fusion.md), in place of --arch."`
	Derivation bool   `help:"Show only how the kernels come about: named steps, each with what it makes of what, what it takes and how that was shown, and the lines of a schedule file that say it; --load-schedule reads the text."`
	Format     string `default:"text" enum:"text,json,isl,dot" help:"text, json, isl, or dot: what statements read of each other in an iteration, for Graphviz."`
}

type plotCmd struct {
	sourceFlags
	targetFlags
	mappingFlags
	Output  string   `short:"o" placeholder:"OUT.svg" help:"Write to OUT.svg (default: standard output)."`
	Picture []string `placeholder:"NAME,.." help:"Draw these only: hexagon, cone, tiling, strips, order, timeline, footprint, pipeline, roofline (default: all)."`
	Values  []string `placeholder:"N=V,.." help:"Values of parameters that the tiling is drawn for (default: those that make a good picture)."`
}

type reportCmd struct {
	sourceFlags
	targetFlags
	mappingFlags
	Compile string `placeholder:"sass|ptx|asm" enum:",sass,ptx,asm" default:"" help:"Show what a compiler of this machine makes of the text, too, with counts by line: machine instructions (sass, by nvcc and nvdisasm) or PTX (ptx, by nvcc) of --target=cuda, assembly (asm, by the C compiler, for the processor at hand) of openmp and c."`
	Output  string `short:"o" placeholder:"OUT.html" help:"Write to OUT.html (default: standard output)."`
}

type tuneCmd struct {
	sourceFlags
	Target string        `default:"openmp" help:"What to measure: openmp, c, or cuda, which needs nvcc and a GPU; with --dry-run any target."`
	CPU    string        `name:"cpu" placeholder:"l1=48K,..|native" help:"What processor the model ranks candidates for with --target=openmp and c (default: native)."`
	Budget time.Duration `default:"15m" placeholder:"15m" help:"How long to measure, at most."`
	Log    string        `placeholder:"FILE" help:"Keep what is measured in FILE, a line for each candidate, and go on from what it has (default: BASE.tune.jsonl in this folder, BASE being FILE.c without .c). --force starts it anew where it is of another program, compiler, machine or size."`
	Save   string        `placeholder:"FILE" help:"Add the fastest to FILE, which --tuned reads."`
	Output string        `short:"o" placeholder:"PAGE.html" help:"Write a page with a picture and a table of all candidates."`
	DryRun bool          `help:"List candidates with what the model expects of them; run nothing."`
	Runs   int           `default:"3" placeholder:"N" help:"Run each candidate N times, shorter ones more often, until half a second has gone into them, longer ones less often, once 10 seconds have; the fastest run counts."`
	Jobs   int           `short:"j" placeholder:"N" help:"Compile up to N candidates at once, before they run one by one (default: a job for each processor)."`
}

type profileCmd struct {
	sourceFlags
	Target string `default:"cuda" enum:"cuda,openmp,c" help:"What was profiled: the kernels of cuda, or the loops that openmp and c have for a CPU."`
	CPU    string `name:"cpu" placeholder:"l1=48K,..|native" help:"What processor tile sizes are chosen for with --target=openmp and c, as for translate."`
	Launch string `default:"auto" enum:"auto,phases,ready" help:"When tiles start, as for translate."`
	mappingFlags
	Perf   string `placeholder:"FILE" help:"With --target=openmp and c, what perf stat -x, -o FILE measured of the program; -: standard input (default: the model's shares)."`
	NCU    string `name:"ncu" placeholder:"FILE.csv" help:"What Nsight Compute measured, as ncu --csv --page raw prints it, or --page details; -: standard input (default: what is counted without a device)."`
	Base   string `placeholder:"BASE" help:"What the translation that was profiled is called, where -o BASE named it (default: FILE without .c, or the one name that the profile has)."`
	Format string `default:"text" enum:"text,json" help:"text or json."`

	Compile bool `help:"Ask nvcc, which takes no device, what registers the kernels use and spill, in place of estimates."`
	Threads int  `placeholder:"N" help:"With --perf, how many threads the program had (default: the cores of --cpu)."`
}

type explainCmd struct {
	Code string `arg:"" optional:"" name:"HX201" help:"A code; without one, all codes are listed."`
}

type demoCmd struct {
	Output string `short:"o" default:"hexcc-demo" placeholder:"DIR" help:"Write what is made to DIR."`
	Force  bool   `help:"Replace files that hexcc did not make, too."`
}

type completionCmd struct {
	Shell string `arg:"" name:"SHELL" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

type doctorCmd struct {
	Arch   string `default:"sm_80" placeholder:"sm_80" help:"GPU architecture to compile for; native: that of the GPU at hand."`
	Format string `default:"text" enum:"text,json" help:"text or json."`
}

type toolsCmd struct {
	Arch string `default:"sm_80" placeholder:"sm_80" help:"GPU architecture to compile for; native: that of the GPU at hand."`
}

type ccCmd struct {
	OrPlain bool     `help:"Compile files as they are that hexcc cannot translate, with a remark (default: that is an error)."`
	NoCache bool     `help:"Translate anew, and keep nothing (default: a translation is kept in HEXCC_CACHE, or hexcc in the user's folder for caches, and taken from there as long as hexcc, its flags, the source and its headers are the same)."`
	Command []string `arg:"" name:"COMPILER ARGS" passthrough:"" help:"The command line of a compiler: gcc -O2 -c FILE.c. Flags of hexcc stand before the compiler, in HEXCC_FLAGS, or behind -Whexcc, each (hexcc help make)."`
}

type nvccCmd struct {
	Command []string `arg:"" name:"ARGS" passthrough:"" help:"The arguments of nvcc (HEXCC_NVCC, or the one on PATH): -O3 -arch=sm_80 -c FILE.cu. Flags of hexcc are in HEXCC_FLAGS, or behind -Whexcc, each (hexcc help make)."`
}

type shimCmd struct {
	Output string `short:"o" default:"." placeholder:"DIR" help:"Write DIR/cuda_runtime.h (default: in this folder)."`
	Force  bool   `help:"Replace a file of that name that hexcc did not make, too."`
}

type helpCmd struct {
	Topic string `arg:"" optional:"" help:"A command or one of the topics that hexcc help lists."`
	Man   bool   `help:"Write the manual page hexcc(1)."`
}

type versionCmd struct{}

// A session is one run of hexcc: its command line and its streams.
type session struct {
	cli    cli
	stdout io.Writer
	stderr io.Writer
	// printing is held while a line is written that goroutines print at any time: of progress, and of passes.
	printing sync.Mutex
	format   string            // of diagnostics
	colour   string            // of diagnostics: auto, always or never
	told     diag.List         // what was told, where all of it is one document
	texts    map[string][]byte // what was read, by name
	inputs   []input           // files that were read
	later    []outFile         // to be written with the next
	// listsHeaders: all headers that are read are asked for.
	listsHeaders bool
}
