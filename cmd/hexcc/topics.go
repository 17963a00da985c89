package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/scop"
)

// topics are the pages of hexcc help TOPIC that are not commands.
var topics = map[string]struct{ title, text string }{
	"input": {"what C is accepted", `
A region is what stands between #pragma scop and #pragma endscop: one loop over
time that holds one or more loop nests over space.

  #pragma scop
    for (int t = 0; t < steps; t++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i - 1][j] + ...);
  #pragma endscop

Bounds and subscripts are sums of loop variables and integer parameters with
constant factors; a subscript may be taken modulo a constant. Bodies may set local
scalars, use if, ?:, the functions of math.h and those of the file, and small loops
between numbers, and store to several arrays. Loops over components, such as the
three colours of A[2][n][n][3] or A[2][3][n][n], are written out, and elements of
constant tables, such as f[i - ex[k]], are numbers then. Assignments may stand in the time
loop, and beside inner loops where the parts can run one after the other. No
space loop may carry a dependence: values of one step come from earlier steps
or earlier nests. Parameters stay symbolic: one translation serves all sizes.

Arrays may be variables, parameters, pointers to rows, casts, members of structs,
arrays of structs of numbers of one type, and blocks with one subscript such as
p[(i*nj + j)*nk + k], which get their dimensions back; loops over all of their
elements run by rows. memcpy and memset of arrays are nests. Pointers may be exchanged
after the step, two or more; they end as in the original. That arrays do not overlap
is known from restrict, or from malloc in the same function; else it is tested when
the program runs, and a remark says so. docs/input.md has the whole list.
`},
	"tile": {"tile sizes", `
--tile=h=2,w0=3,w1=32 names the sizes; --tile=auto lets a model choose them.

  h    half height: a tile spans 2h+2 steps. An iteration of the time loop has
       as many steps as nests that use what the one before computed; h+1 is a
       multiple of that, so that every tile starts with the same nests.
  w0   a hexagon is w0+1 points wide at its narrowest. The slopes of the
       dependences set a lower bound.
  w1.. widths of the classical tiles; the last should be a multiple of 32.

--grid=n=4096,steps=1000 tells the model what sizes are typical, by parameter.
Sizes that are not given, and not numbers in the source, are assumed: 1000 steps
of 134217728, 16384 x 16384, 512 x 512 x 512 or 128 x 128 x 128 x 128 points. A
small grid gets small tiles, so that all multiprocessors have work. The
generated code is right for all sizes, whatever the model was told.

-v prints the ten best choices with what they cost, where the time goes by the
model, and why each of the others lost. hexcc help arch has the limits and
rates of the devices; docs/tiles.md describes the model.
`},
	"regions": {"several regions; wishes in the source", `
A file may hold several regions, in one function or in many: all are translated,
with one host function each, in one set of files. Errors of all regions are
reported in one run. --region=2 or --region=FUNCTION takes one; hexcc plot and
--save-schedule need one.

On the line before #pragma scop, #pragma hexcc says how to translate that region,
whatever the command line says, each clause as the flag of its name:

  #pragma hexcc tile(h=3,w0=5,w1=64) arch(sm_90) order(j,i) strategy(hybrid)
  #pragma scop

hexcc help wishes tells of those about kernels; hexcc tune prints such a line of what is
fastest.
`},
	"wishes": {"what is asked of kernels", `
Who knows more than the model may say how kernels of GPUs are made, by flags, by clauses
of #pragma hexcc, or by lines of a schedule file, all of the same names:

  --place=u:shared,v:global   #pragma hexcc place(u:shared,v:global)   clause place(u:shared,v:global)

  place(u:shared)      tiles have u in shared memory, though that gains nothing
  place(u:global)      u stays where it is; leave(u) says the same
  place(u:registers)   a thread loads what its own points need of u, which no other
                       thread of the step may need
  place(w:constant)    coefficients, such as w[3]: GPUs have the parameters of kernels in
                       constant memory
  place(u:texture)     u is read where it is, through the cache for what nothing writes
  block(32,8)          threads of a block along x, the stride-one dimension, and y
  elements(1,4)        points that a thread runs in a step along x and y, at most; threads
                       follow from that
  registers(64)        of a thread, at most; nvcc from CUDA 12.4 on knows the word
  occupancy(0.5)       half of the warps that a multiprocessor holds run at once: arrays stay
                       in global memory until they do, those first without which the fewest
                       bytes more move for each byte that becomes free
  prefetch(1)          planes of a tile that streams (stream(i)) begin to be loaded so many positions
                       before they are used: 0, or more where rings have room; rows that stream
                       through registers (--kernel=streaming), 1 to 8 periods
  memory(staged), unroll(2), launch(phases), kernel(streaming), pipeline(warps=4)
                       as the flags of those names

The sizes of tiles are chosen with the wishes kept, and everything is proved as ever.
What cannot be kept is an error (HX303, HX404, HX407), and hexcc inspect says how each wish
is kept. --save-schedule writes them, too. For CPUs these clauses mean nothing, but for
launch, and the flags are errors. docs/wishes.md has examples.
`},
	"tuning": {"measuring candidates in place of a model", `
  hexcc tune -Dn=2000 -Dsteps=100 FILE.c

makes candidates of what the model ranks, compiles them, runs them one by one on this
machine (--target=openmp, c, or cuda), compares all results with those of the program as
it is, bit for bit, and prints the fastest as flags and as a line before #pragma scop, beside
the model's choice, "omp parallel for" and the plain loops. Give the sizes that you use;
others are assumed, and said.

--budget=15m bounds the time. What is measured is in BASE.tune.jsonl at once; the same
command goes on from there, after Ctrl-C and SIGKILL, too. -o PAGE.html draws what was
measured. --dry-run lists candidates with what the model expects, and runs nothing.

In the end the fastest few run again, by turns, so that none wins by luck. For
--target=openmp fewer threads are tried, too: OMP_NUM_THREADS=1 before a candidate is what
the environment has to say, as no flag does. One search at a time writes to a log (HX021).

--save=FILE adds the fastest to a file of results; hexcc --tuned=FILE takes from it what
was measured for the region on this processor (for GPUs: with this --arch), at the sizes
nearest to those of --grid. docs/tuning.md has more.
`},
	"profiling": {"what bounds kernels, and what to try", `
  ncu --csv --page raw --set full --kernel-name=regex:hexcc_ ./program > program.csv
  hexcc profile --ncu=program.csv -Dn=4096 -Dsteps=100 FILE.c

says of each kernel what bounds it: device memory, L2, shared memory, arithmetic,
issue, waiting (and for what), too few blocks, instructions that are not in their
cache, or registers that are spilled; compares what was measured with what was counted and
what the model expects, by update; and names flags to try, each of which hexcc has
taken for this program, or says why it does not. Give the flags with which the program was
translated, and its sizes.

Without --ncu nothing is measured: counts of a full tile stand for it, and shares are of
the time that the model expects. --format=json has the numbers. docs/profile.md says
which metrics tell what, and from where on something bounds.

With --target=openmp or c it is about the loops of a CPU:
  perf stat -x, -o perf.csv -e task-clock,cycles,instructions,cache-misses ./program
  hexcc profile --target=openmp --perf=perf.csv --threads=8 FILE.c
threads that are idle, memory, caches, arithmetic, or rows that are short; without --perf
the shares of the model stand for it.
`},
	"strategies": {"tiling in time and space, or in space only", `
--strategy=hybrid tiles time and the first dimension of space with
hexagons, and the other dimensions with strips that lean: data stay in shared
memory for many time steps. Every dependence must have bounded slopes.

--strategy=space tiles space only: each loop nest of each time step is a kernel
launch. It takes --tile=w0=16,w1=64, without h. It fits programs whose distances
grow with a size, such as a[n - 1 - i]; regions without a time loop always use it.
Where nests carry dependences along one loop each, such as the sweeps of solvers for
tridiagonal systems there and back, columns run at once and each sweep in order; nests
that need each other in one column only share a launch. Tiles are one point wide along
s0 then; w1, w2, .. are how many columns a block or thread takes, and w0 is the row of
nests without such an order, whose other widths come before it.

--strategy=untiled writes the loops as they are, for GPUs: each level of each time step
is a launch, each point, or a column of some points, a thread. Reads go through the
caches. --tile=w0=4,w1=8,w2=32 says how many points a block has: here 32 by 8 threads
with columns of 4.

--strategy=wavefront tiles time and space by parallelograms. It takes sizes as hybrid
does; h=3 are 8 steps. It fits programs whose space loops carry dependences, such as
Gauss-Seidel in place. On CPUs each tile waits for those that it needs, whatever
--launch says; rows of those loops have no vectors: several run at once, each a point
behind the one before. On GPUs a launch runs a front of tiles, none of which needs
another, and a block the points of its tile wave by wave, of all steps at once. Few
tiles can run at the first and the last time steps. For --target=openmp auto takes it in
place of hexagons where the model expects more of it, with a remark (HX210).

--strategy=overlapped makes one launch, or a few where the model expects that to be
faster, of all nests of an iteration of the time loop, or of a region without one, where
each reads what those before it computed: a tile computes in shared memory, on CPUs in
buffers, what it needs of its neighbours' points, too, and stores those that it owns.
Arrays that only hand values from nest to nest, declared in the function and used
nowhere else, are not in global memory at all; on CPUs, all that several tiles compute
has to be such. On GPUs, where a nest stores what an earlier one reads around its
points, the array has two versions on the device, which launches read and store in turn;
CPUs refuse that. --tile=w0=8,w1=64 says how many points a tile owns; with h=2 a launch
runs two iterations of the time loop. --fuse='[lap,fli],[flj,out]' makes several
launches of an iteration, each of the nests that write the arrays named: what one launch
hands on to another is in memory, and nobody computes it twice for that. Brackets in the
brackets, as in --fuse='[[lap,fli],flj,out]', keep temporaries in registers: fli
computes itself what it reads of lap, as often as it reads it. That is done before all
else, and is proved; any --strategy may tile what is left, and hexcc inspect shows it in
C. With --stream=i, or s0, the dimension that i runs along (GPUs, two dimensions or more),
a tile runs plane by plane along it and keeps the few planes in use, so that it may be
wide across it; w0 is then how many planes a block runs. So it is, too, where the model
expects that to be much faster, unless --stream=none. stream=0 in --tile says the same.
Nests that run up or down one dimension, as vertical solvers do, share launches with
others by tiles that hold whole columns of it: that is s0, and w0 how long columns are, a
number, or at most one (--assume='levels<=60').

--strategy=auto (the default) takes hybrid, space, untiled or overlapped, as the model
expects to be faster on a grid of typical sizes (--grid), and says so where that is not hybrid
(HX210), or where no tile of space and time fits the device (HX209). Sizes given by
--tile are those of hybrid. Where plain loops are expected to be faster than what was
asked for, or one tile covers the grid, a remark says it (HX211).

--fallback=space turns to space where hexagons do not apply (HX202, HX205), or
do not fit and were asked for (HX401), with a remark (HX209); --fallback=error (the
default) refuses. Where a space loop carries a dependence, auto takes wavefront, and
says so (HX215); or space in order (HX209), if each nest carries dependences along one
loop only, and values travel along a loop both ways or further than 64 points, or the
target is a GPU; boxes that hold whole columns (HX210) if these are expected to be faster
than that. Else it is refused (HX201). All are proved and verified alike.
`},
	"facts": {"what is assumed of sizes and arrays", `
Some programs can be translated only under conditions: a size must not pass the
extent of an array, or two arrays must not overlap. A condition comes from

  --assume='n >= 50 and m <= n'   the command line; --assume=noalias: no two arrays overlap
  float A[100]; ... i < n         an access that is inside of its array only for n <= 100
  assert(n <= 100);               the source, above the region; an assert may be compiled out

The generated program tests them each time before it starts the kernels. Where
one does not hold it says so on stderr, once, and runs the original loops
(--on-violated=original, the default), or stops (--on-violated=refuse). With
--unchecked nothing is tested. What the program itself guarantees is not tested:
__builtin_assume(..), if (..) return; above the region, the ifs around it.
`},
	"schedule": {"the schedule as a file", `
--save-schedule=FILE writes the schedule as a text of a few lines:

  tile h=2, w0=3, w1=32                    the sizes (hexcc help tile)
  place S0[t, i, j] -> [t, i, j]           the order of the space loops, the
                                           hexagonal one first, and shifts
  slope s0 -1..1                           how far dependences reach in a step
  phase 0 time = -h - 1, s0 = -f0 - w0 - 1, s1 = 0
                                           where tiles begin
  sweep 0                                  in step 0, tiles of space alone are in
                                           order along s0
  clause registers(64)                     what is asked of kernels (hexcc help wishes);
                                           of rows that stream: kernel, pipeline

A line "strategy space", or untiled, wavefront or overlapped, names another strategy.
Parallelograms (wavefront) have

  order i, j                               in place of places, where points are in order
  slope s0 -1..inf                         how they lean; what is above does not matter
  front 3 2                                on GPUs, tiles with the same 3*T + S0 + S1 run
                                           at once, and points with the same 2*t + s0 + s1

and boxes that overlap

  tile h=1, w0=8, w1=32, stream=0          iterations, points that a tile owns, and the
                                           dimension along which it runs plane by plane
  group S0, S1                             a launch of several in an iteration
  box S0 0: s0 = -1..w0, s1 = 0..w1 - 1    what a tile computes of S0 in its step 0
  delay S0 0: 1                            how many planes behind its place it runs then

Edit it and pass it to --load-schedule=FILE. Lines left out are found anew, all
but the first. What is loaded is proved like what hexcc finds itself; where a
proof fails, two instances and their source lines say why. --order=j,i,k gives
the order of the space loops without a file.

For --target=openmp and c the file may instead be any schedule of your own:
instances at vectors of times, which run in lexicographic order,

  hexcc schedule 1
  map S0[t, i] -> [floor((t + i)/32), t, i]     one or more for each statement
  option [x, y, z] -> unroll[2]                 loops separate, atomic or unroll

or a schedule tree, as isl and PPCG print it (docs/loops.md). hexcc writes its loops,
proves that they run each iteration once, and what depends on it later, and runs
those in threads and vectors whose iterations may run at the same time.
`},
	"output": {"the files written", `
BASE.hex_host.cu    your source, byte for byte, but for the region: in its
                    place stands a call. Valid as C and, if your code is, as C++.
BASE.hex_kernel.cu  the kernels, and the functions called: on arrays of the host,
                    which are copied there and back; and on device pointers
                    in a stream. Every call of CUDA is checked.
BASE.hex.h          their declarations, for C and C++, with what they expect.
BASE.hex_check.c    with --check: compares the translation with the original.

docs/cuda.md tells how to call them. hexcc shim writes a header with which the same
text runs on a CPU.

  nvcc -O3 -arch=sm_80 -c BASE.hex_kernel.cu
  gcc -x c -c BASE.hex_host.cu            or nvcc, where the source is C++ too
  nvcc BASE.hex_kernel.o BASE.hex_host.o -o program

Results are bit for bit those of the C program compiled without contraction;
nvcc's -use_fast_math gives that up. The last bits of exp, sin, pow and the like are
those of the library that computes them, CUDA's or the OpenCL device's; kernels name
those that they call in their first lines. With --fma or --reassociate results differ
by rounding (hexcc help fma, hexcc help reassociate).

All files of a run appear complete and together, or none does; make -j is safe. A
file is replaced only if hexcc made it, which one of its first lines says, or
with --force, and never if it was read in the same run or is read-only. Symbolic
links are followed, devices and pipes written into. hexcc - reads standard input;
-o - writes to standard output what is one file, as with --target=c.

--target=openmp and --target=c write one file for a CPU instead, BASE.hex.c:
functions with the tiled loops, then your source with calls in place of the
regions. Hexagonal tiles run in parallel with openmp, in one thread with c.

  gcc -O3 -march=native -fopenmp -ffp-contract=off -c BASE.hex.c

Without -ffp-contract=off compilers may fuse a product and a sum into one
operation where the original program, compiled otherwise, has two.
`},
	"cpu": {"C with OpenMP, or without", `
  hexcc --target=openmp FILE.c      BASE.hex.c, hexagonal tiles in parallel
  hexcc --target=c FILE.c           the same in one thread
  gcc -O3 -march=native -fopenmp -ffp-contract=off -c BASE.hex.c

clang takes the same flags. With -fno-math-errno loops that call sqrt are
vectorised too. Arrays whose address and row length are multiples of 64 bytes
run fastest.

Tiles are chosen for ` + caches(machine.AnyCPU) + `
unless --cpu names another processor or, with --cpu=native, the one at hand.
--grid=n=320 says how large arrays typically are, and --tile sets the sizes.
docs/cpu.md tells what comes out and how it was measured; make bench-cpu measures
on your machine.

hexcc inspect, plot and report with --target=openmp show threads, rows, vectors and
caches. hexcc verify --target=openmp runs the loops inside hexcc; with --device=cpu it
also compiles the printed C and runs it, where tested facts do not hold, too, and with
--sanitize under sanitizers. --check writes BASE.hex_check.c, a program by itself that
compares the loops with the original.
`},
	"mpi": {"several machines, by MPI", `
  hexcc --target=mpi FILE.c         BASE.hex.c and BASE.hex.h
  mpicc -O3 -march=native -fopenmp -ffp-contract=off -c BASE.hex.c
  mpirun -n 4 ./program

For a region of function jacobi the file has jacobi_mpi: what the region does, on all
ranks of a communicator together. It takes the communicator, and then what the region
uses, numbers and arrays, in the order of the function's parameters; each rank passes
its parts of the arrays. Your source stays as it is, and is compiled as it is.

  jacobi_mpi_part           what a rank has of an array, and what is its own
  jacobi_mpi_scatter        a whole array of rank 0 to all ranks
  jacobi_mpi_gather         what ranks own to a whole array of rank 0
  jacobi_mpi_read, _write   the same with a file, by all ranks at once
  jacobi_mpi_most_ranks     ranks up to which an array can be shared out
  jacobi_mpi_weights        how fast ranks are, where nodes differ

Ranks own intervals of the outermost loop over space, as many hexagonal tiles each as
others. After each of the two phases of a time tile a rank sends one message to one
neighbour: what that will read of what it has computed, as soon as the tiles at its
side have run, while the others run. That ranks have what they read is proved for all
sizes at each translation, and nothing is sent twice.

Where there are few tiles along S0, as in three dimensions, ranks form a grid, and share
out tiles along S1, too. jacobi_mpi_grid has rows and columns: {0, 0}, as is expected to
be fastest, or what the program says. --rank-grid=off leaves that out; with on it is an
error where a region does not allow it, and hexcc inspect says why.

Where time is not tiled, as with --strategy=space, ranks share out rows, step by step.
Loops that end by a value, as while (err > tol), run on all ranks, and so do loops around
time loops: what they set of scalars, and pointers that they exchange, is passed by
address; a maximum is that of all ranks, and a sum is taken in the order of the program.
A time loop in such a loop, and the steps between two tests, are tiled in time.

hexcc inspect --target=mpi shows who owns what, the messages and their bytes, and
hexcc verify --target=mpi runs it on ranks of this machine, by mpicc and mpirun or
those that HEXCC_MPICC and HEXCC_MPIRUN name; where there are none it simulates them.
docs/mpi.md goes from a laptop to a script for Slurm.

  hexcc --target=mpi+cuda FILE.c    BASE.hex.cu and BASE.hex.h
  nvcc -ccbin mpicxx -O3 -arch=sm_80 -c BASE.hex.cu

The same functions, whose tiles are kernels on the GPU of each rank. Arrays are those of
the host, which are copied, or of the device, which are not. Ranks of one machine take
one device after the other; HEXCC_DEVICE is the number of another one, or current.
HEXCC_MPI_CUDA=1 says that the MPI library takes pointers of the device, and 0 that it
does not; else the library is asked. hexcc verify --target=mpi+cuda simulates ranks.
`},
	"fma": {"products fused with sums (--fma)", `
With --fma a product that feeds a sum or difference in float or double becomes
one operation with it, which rounds once: a*b + c is fma(a, b, c), c - a*b is
fma(-a, b, c). That is faster where arithmetic takes the time. Results differ from
those of FILE.c by rounding, as the first lines of all that is written say; and
they are the same for all targets, since fma is exactly defined.

Fused are products of the expression itself, not those that are assigned to
variables or cast before. Of a*b + c*d the left one is fused, and sums are taken from
the inside out: a*b + c*d + e*f is fma(e, f, fma(a, b, c*d)). Your own calls of fma,
divisions and integers stay as they are.

hexcc verify --fma compares what it runs bit for bit with the program with products
fused, and that with FILE.c: elements may differ by ` + fmt.Sprint(scop.Tolerance) + ` units in the last place
of the largest magnitude that their array has before or after, ` + fmt.Sprintf("%.1e", scop.Tolerance*0x1p-52) + ` of it for
double and ` + fmt.Sprintf("%.1e", scop.Tolerance*0x1p-23) + ` for float (_Float16: ` + fmt.Sprint(scop.HalfTolerance) + ` units). Integers must be equal, and
what is infinite or no number must be so in both. A stable scheme stays far below
that; where it fails, the program makes roundings larger, step by step or by an if,
and what it computes depends on how it is rounded. Programs of --check compare
within the same tolerance.

Where a tested fact does not hold, and the original loops run in place of the
tiled ones, they run as FILE.c has them: not fused, but for what its compiler
fuses.

For a CPU, compile with -march=native, or else -mfma: without, each fma is a call of
the C library, which takes long; link it with -lm. With -ffp-contract=off, as the file
says, results are the same for all compilers; without, they may fuse more.
`},
	"reassociate": {"sums with parts in common (--reassociate)", `
With --reassociate sums in float and double are regrouped, where points next to each
other then have parts in common, or coefficients are factors of sums:

  w*a[i-1][j-1] + w*a[i-1][j+1] + w*a[i+1][j-1] + w*a[i+1][j+1]
  w*((a[i-1][j-1] + a[i+1][j-1]) + (a[i-1][j+1] + a[i+1][j+1]))

Point j+2 needs the second sum of a column, too, and code that computes both computes it
once: compilers do that with equal subexpressions. Columns are looked for along all
loops, and the form is taken that has the fewest operations for 8 points in a row along
one of them: along the innermost where rows stream through registers, the first
for tiles in shared memory, and for CPUs, whose vectors lie along the
innermost, one of the others. --reassociate=j says which it is; without, results may
differ from target to target. Where nothing is saved, sums stay, and a remark says so
(HX223).

Results differ from those of FILE.c by rounding, as the first lines of all that is
written say. In exact arithmetic they are the same: hexcc proves it, term by term, with
fractions in place of floating point, each time. Factors are numbers of the
type exactly, or they stay apart. No part of a sum leaves a cast, or a variable of
another type, which round it; variables of its own type become part of it where they
are used in sums alone. Integers stay as they are.

hexcc verify --reassociate compares what it runs bit for bit with the program with
regrouped sums, and that with FILE.c within the tolerance of --fma (hexcc help fma),
which may be given, too. hexcc inspect shows the region before and after, in C.
#pragma hexcc reassociate(auto), or reassociate(j), is for one region. hexcc tune
compares bit for bit, and refuses the flag.
`},
	"ptx": {"PTX, without nvcc", `
--target=ptx lowers kernels to LLVM IR and has LLVM make PTX of it: opt and llc
of LLVM 14 or newer are needed (Debian and Ubuntu: apt-get install llvm-16), and
one that knows the architecture of --arch. --llc or HEXCC_LLC names the llc;
without, it is llc or else the newest llc-NN that knows it. For exp and
other functions that PTX does not have, NVIDIA's library libdevice is linked
(hexcc explain HX301 says where it is looked for).

BASE.hex.ptx        the kernels
BASE.hex_kernel.c   the same as text in C, and functions that run them through
                    the CUDA driver API; no header of CUDA is needed
BASE.hex_host.c     your source with calls in place of the regions
BASE.hex.h          what BASE.hex_kernel.c defines: the functions that
                    --target=cuda has too, with the same arguments
BASE.hex.ll         with --emit-llvm: the kernels before LLVM

  cc -O2 -c BASE.hex_kernel.c BASE.hex_host.c
  cc BASE.hex_kernel.o BASE.hex_host.o -lcuda -lm -o program

hexcc verify --device=ptx FILE.c runs that PTX instruction by instruction, without
a GPU, and compares with the original program. hexcc inspect FILE.ptx prints what
kernels are made of, block by block and between barriers, for PTX of any compiler;
--updates=N, of how many points a thread computes in a full tile, adds numbers per
update. docs/ptx.md has an example of each.
`},
	"make": {"use from make and CMake", `
  make CC="hexcc cc gcc"
  cmake -DCMAKE_C_COMPILER_LAUNCHER="hexcc;cc" ..

run the compiler with its command line as it is. Sources with #pragma scop are translated,
and the translation is compiled in their place, by the same flags, for the CPU: with
-fopenmp in threads, without in one thread. All else is passed on: other sources, linking,
-E, -M. Objects, dependencies, messages and what debuggers show are those of the source; what
cannot be tiled is an error with exit status 1, or, with --or-plain, compiled as it is.

  hexcc cc --strategy=space gcc ..          flags of hexcc before the compiler,
  HEXCC_FLAGS='-q --or-plain'               in the environment, before those,
  gcc .. -Whexcc,--tile=h=3,w0=5            or behind -Whexcc, one each: after those
  hexcc cc ccache gcc ..                    what runs the compiler stands before it
  hexcc nvcc -O3 -arch=sm_80 -c FILE.cu     nvcc: regions become kernels in the object

Regions in headers are not looked for: move them into the source. docs/projects.md has more.

Rules for make that call hexcc themselves:

  %.hex_host.cu %.hex_kernel.cu %.hex.h: %.c
  	hexcc -MD -MP -o $* $<
  -include $(wildcard *.d)

-MD writes the headers that were read as make dependencies to BASE.d, -MF and
-MT set its name and target, -MP adds a rule for each header. @FILE reads
further arguments from FILE.
`},
	"arch": {"the architectures of --arch", "\n" + machine.DeviceTable()},
	"status": {"exit statuses", `
  0  done
  1  usage, I/O or C syntax
  2  outside what can be tiled
  3  verification found a mismatch
  4  a resource limit
  5  a tool or device is missing
 70  a bug in hexcc
`},
}

// caches says what a processor has.
func caches(c machine.CPU) string {
	return fmt.Sprintf("cores with caches of %d KiB and %d MiB, %d MiB of a last level to\neach of %d of them, and cache lines of %d bytes,", c.First>>10, c.Cache>>20, c.Last>>20, c.Cores, c.Line)
}

// printTopics lists the topics, a line each.
func printTopics(w io.Writer) {
	fmt.Fprintln(w, "\nTopics (hexcc help TOPIC):")
	for _, name := range slices.Sorted(maps.Keys(topics)) {
		fmt.Fprintf(w, "  %-10s %s\n", name, topics[name].title)
	}
}

// printTopic prints the page called name and reports whether there is one.
func printTopic(w io.Writer, name string) bool {
	topic, found := topics[name]
	if found {
		fmt.Fprintf(w, "%s: %s\n\n%s", name, topic.title, strings.TrimPrefix(topic.text, "\n"))
	}
	return found
}
