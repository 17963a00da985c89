package diag

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// This file lists all that can go wrong, in the order of the stages.

// A Topic explains a Code.
type Topic struct {
	Code    Code
	Title   string
	Explain string // what it means and what to do, wrapped
	Bad     string // an example that raises it; may be empty
	Good    string // the example mended; may be empty
}

// Exit returns the exit status of a run that c ends.
func (c Code) Exit() int {
	if len(c) < 3 {
		return 1
	}
	switch c[2] {
	case '0':
		return 1 // syntax and pragmas
	case '4':
		return 4 // resources
	case '5':
		return 5 // a tool or device is missing
	}
	return 2 // outside what can be tiled
}

// TopicOf returns the topic of c; ok is false if there is none.
func TopicOf(c Code) (t Topic, ok bool) {
	i := slices.IndexFunc(Topics, func(t Topic) bool { return t.Code == c })
	if i < 0 {
		return Topic{}, false
	}
	return Topics[i], true
}

// Explain writes what c, in capitals or not, means and what to do.
func Explain(w io.Writer, c Code) error {
	c = Code(strings.ToUpper(string(c)))
	t, ok := TopicOf(c)
	if !ok {
		return fmt.Errorf("no error has the code %s; hexcc explain lists them", c)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", t.Code, t.Title, t.Explain)
	if e, ok := ExampleOf(c); ok {
		b.WriteString(e.String())
	}
	fmt.Fprintf(&b, "\nhexcc ends with exit status %d.\n", c.Exit())
	_, err := io.WriteString(w, b.String())
	return err
}

// ListCodes writes every code with its title.
func ListCodes(w io.Writer) error {
	var b strings.Builder
	for _, t := range Topics {
		fmt.Fprintf(&b, "%s  %s\n", t.Code, t.Title)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Topics are the codes in order. Nobody changes them.
var Topics = []Topic{
	{"HX001", "#pragma scop without #pragma endscop",
		`A region begins with #pragma scop and ends with #pragma endscop, each on a line
of its own, both in the same block of the same function.`,
		`#pragma scop
  for (int t = 0; t < T; t++)
    ...
}`,
		`#pragma scop
  for (int t = 0; t < T; t++)
    ...
#pragma endscop
}`},
	{"HX002", "#pragma endscop without #pragma scop",
		`An end without a beginning. Either #pragma scop is missing before the time loop,
or it is misspelt, or the preprocessor skips it.`, "", ""},
	{"HX003", "#pragma scop inside a region",
		`Regions do not nest. Close the first one before the second begins.`, "", ""},
	{"HX004", "no region in the file",
		`Nothing is translated unless it is marked. Put #pragma scop before the time loop
and #pragma endscop after it.`,
		`for (int t = 0; t < T; t++)
  ...`,
		`#pragma scop
for (int t = 0; t < T; t++)
  ...
#pragma endscop`},
	{"HX005", "not valid C",
		`The file does not parse or type-check as C17. A compiler says more about it: try
cc -fsyntax-only with the same -I and -D flags.`, "", ""},
	{"HX006", "a pragma in a header",
		`The generated file takes the place of the file with the region. A header belongs
to other files too, so a region in one is refused. Move it into a .c file.`, "", ""},
	{"HX007", "a region that cuts a statement",
		`Between #pragma scop and #pragma endscop there must be whole statements of one
block, inside a function.`,
		`for (int t = 0; t < T; t++) {
#pragma scop
  ...
}
#pragma endscop`,
		`#pragma scop
for (int t = 0; t < T; t++) {
  ...
}
#pragma endscop`},
	{"HX008", "nested too deeply",
		`The file, after macro expansion, has brackets inside each other, or operators in
one expression, beyond a stated limit. Such files are generated; split the
expression where it is generated.`, "", ""},
	{"HX009", "a -D or -U that names no macro",
		`Write -DNAME, -DNAME=VALUE or -UNAME, as for a C compiler.`, "", ""},
	{"HX010", "a header that is not found",
		`Headers are looked for beside the file, in the -I folders, among the built-in
headers of the C library, and last in the system's folders.`, "", ""},
	{"HX011", "a schedule file that cannot be read",
		`A file for --load-schedule has a line that is not of the form that
--save-schedule writes, or that does not fit the program.`, "", ""},
	{"HX012", "a region that is not there",
		`--region takes the number of a region, from 1 in the order of the file, or the
name of the function around it. A command that needs one region asks for it where
a file has several.`, "", ""},
	{"HX013", "a #pragma hexcc that cannot be read",
		`On the line before #pragma scop, #pragma hexcc says how to translate that region,
whatever the command line says: tile(h=3,w0=5,w1=64) or tile(auto), strategy(space),
arch(sm_90), order(j,i), fuse([lap,fli],[out]), fuse([[lap,fli],out]), stream(i),
fission(S0), fold(u,v) or reassociate(auto); and of kernels launch(phases), kernel(tiles),
pipeline(warps=4), memory(staged), leave(u), unroll(2), place(u:shared), block(32,8),
elements(1,4), registers(64), occupancy(0.5) or prefetch(1). Each clause stands at most
once. What the values mean is told by hexcc --help, for the flags of the same names,
and by hexcc help wishes.`,
		`#pragma hexcc tile(3,5)
#pragma scop`,
		`#pragma hexcc tile(h=3,w0=5) arch(sm_90)
#pragma scop`},
	{"HX014", "a region marked by _Pragma",
		`The lines between #pragma scop and #pragma endscop are replaced in the output, so
the pragmas must stand in the file, each on a line of its own. A _Pragma("scop"),
which may come out of a macro, has no such line.`,
		`_Pragma("scop") for (int t = 0; t < T; t++)
  ...`,
		`#pragma scop
for (int t = 0; t < T; t++)
  ...`},
	{"HX015", "a name that cannot stand in #include",
		`The names of the files written begin with that of the source, or with what -o says, and
they include one another. Nothing can be escaped between the quotes of #include, so
such a name may hold no quote, no control character and no trigraph such as ??/. -o
gives another one. --target=openmp and --target=c write one file that includes
nothing, which may have any name.`, "", ""},
	{"HX016", "code outside of regions that is not read",
		`A remark. What stands outside of regions and headers may be more than C17: the C
compiler of the machine takes it, hexcc's own parser does not. Such functions and
declarations are left out while the file is read, and are in the generated file as
they are. What a region needs is never left out silently: then there is an error.`, "", ""},
	{"HX017", "a region inside of a parallel construct",
		`Behind #pragma omp parallel every thread of a team runs the statements of the block, and
shares the iterations of loops behind #pragma omp for with the others. What hexcc makes
of a region is run by whoever comes to it, with threads or on a device of its own, so
every thread of the team would run all of it, on the same arrays. Let the region hold
the whole construct: in a region such pragmas say nothing that hexcc needs. Regions in
a block that one thread runs (single, master, task) are taken where they are. Where
_Pragma writes the pragma, as macros do, also such as are for compilers with -fopenmp
only, it is not known where its block ends, and the next region is refused.`, "", ""},
	{"HX018", "results of hexcc tune that are of no use",
		`The file of --tuned has no result for this region with this target, or one that
cannot be read. A result is for one region as it is written: a change of its loops or
expressions makes it another. hexcc tune --save=FILE measures it, and adds to the
file. Results for other machines are no error: the model chooses then, and a
remark says so (HX220).`, "", ""},
	{"HX019", "a log of hexcc tune that is of something else",
		`The log has outcomes of another program, region, target, machine, compiler, set of
flags or sizes, or of another version of hexcc: they cannot be compared with new
ones, and nothing is added. --log=FILE names another file; --force
starts this one anew.`, "", ""},
	{"HX020", "a profile that is of no use",
		`The file of hexcc profile --ncu=FILE is not as ncu --csv prints it, in --page raw or
--page details or with --metrics; or its kernels are not those of this translation.
Kernels are known by their names, as in hexcc_jacobi_2d_0_phase1, and by the threads
of a block: another strategy, other sizes or another device make others. Give hexcc
profile the flags with which the program was translated that was profiled, and
--base=BASE if -o BASE named its files.`, "", ""},
	{"HX021", "a log that another search writes to",
		`Another hexcc tune has the log open and adds to it. Two searches at once would
measure while the other one runs, and would mix their outcomes. The lock is the
system's and ends with the process that holds it, also where that is killed:
nothing is to be removed. Wait until the other search has ended, or give --log=FILE
another name. --force does not break the lock.`, "", ""},

	{"HX101", "a subscript or bound that is not affine",
		`Subscripts and loop bounds must be sums of loop variables and parameters with
constant factors, because dependences are computed from them for all sizes.
Parameters are integers that the region does not change. One more form is taken:
a remainder by a constant as a whole subscript, such as A[(t+1) % 2].
Values read from arrays, products of variables and function calls are not affine;
elements of const tables of integers are, in small loops that are written out.`,
		`A[idx[i]]   A[i * j]   A[i / 2]`,
		`A[i + 2*j - n + 1]   A[(t + 1) % 2][i]`},
	{"HX102", "a statement or loop that is not modelled",
		`A region holds one time loop; the time loop holds loop nests and assignments, one
after the other. A body assigns to array elements and local scalars, and has if and
else, calls of functions of the file, and small loops between numbers, which are
written out. Loops count by a constant between affine bounds; time may also be
counted by while, do and break. A switch is taken where each label's statements run
to their end or to those of the next one. There is no goto, and nothing else ends a
loop. docs/input.md says what C is taken.`,
		`for (int i = 1; i < n; i++) {
  if (A[i] > limit) break;
  B[i] = A[i];
}`,
		`for (int i = 1; i < n; i++)
  if (A[i] <= limit)
    B[i] = A[i];`},
	{"HX103", "an unknown function, or a side effect",
		`A region calls functions of math.h, abs, and functions that the file defines: these
are put in the place of the call. A function that stands in an expression computes
a value from its arguments and from arrays, and sets only variables of its own; it
does not call itself. Assignments, ++ and -- stand as statements of their own, not
inside expressions. A call through a pointer is a choice of the functions of this type
whose address the file takes, 8 at most, if the region leaves the pointer alone; that
it leads to one of them is tested before the kernels run, and a remark says so.`,
		`double next(const double *A, int i);
...
B[i] = next(A, i);`,
		`static double next(const double *A, int i) { return 0.5 * (A[i - 1] + A[i + 1]); }
...
B[i] = next(A, i);`},
	{"HX104", "arrays that may overlap",
		`C lets two pointer parameters point into one object. If the region writes one of
them, dependences are other ones where they do. So the generated program compares the
ranges that the region uses before it starts the kernels, and runs the original loops
where two overlap (--on-violated=refuse: it stops); a remark says so. Declare one of
the two restrict, which promises that they do not overlap, and nothing is tested;
--assume=noalias says of all arrays that you know, and the remark goes. Arrays of
different element types never overlap in C, nor do two array variables, two arrays
inside of one struct, or two blocks from malloc or calloc that the function itself
assigns to local variables. An element that has two names in one region, p[i].x and
p->x, is an error.`,
		`void f(int n, float A[n][n], float B[n][n])`,
		`void f(int n, float A[restrict n][n], float B[restrict n][n])`},
	{"HX105", "an access outside of its array",
		`For some values of the parameters a subscript is negative, or not smaller than
the extent of its dimension. The note shows such values. C does not allow the
access, and generated code would touch memory of others. What && and || do not
evaluate does not count: i > 0 && A[i - 1] > 1 is inside. Where one condition on
the parameters keeps all accesses inside, this is a remark instead: the generated
program tests the condition before it starts the kernels (--on-violated, --unchecked).
A pointer that may lead into a block, as one that a caller passes, has elements in
front of it: u[-1]. A remark then says that the block is taken to begin earlier.
Where a condition on elements that the region does not set may keep the others inside,
as in if (!wall[i]) B[i] = A[i - 1], that it does is tested before the region.`,
		`float A[n]; ... for (int i = 0; i < n; i++) B[i] = A[i + 1];`,
		`float A[n]; ... for (int i = 0; i < n - 1; i++) B[i] = A[i + 1];`},
	{"HX106", "a type that is not modelled",
		`Array elements and scalars are float, double, _Float16, _Bool, signed and unsigned
char, short, int and long, and, in C for CPUs (--target=openmp and --target=c), long
double, float complex and double complex; none of them volatile or atomic, and without
attributes and pragmas that change values or layout, such as vector_size, mode and
packed. Elements may also be structs: their members that are numbers, also in arrays and
structs inside of them, are read and written one by one, and those that are written are
of one type. Rows may be reached by pointers, as in double **A, if they hold numbers.`, `volatile double A[n];`, `double A[n];`},
	{"HX107", "a scalar that carries a value between iterations",
		`All iterations of a nest must be able to run at the same time, so a scalar must be
set by each iteration before it is read. A sum or a maximum over the points of a
nest is gathered by a loop of the host (HX125), unless what it adds is changed by
later iterations; a value that one iteration hands to the next is refused.`,
		`for (int i = 1; i < n; i++) {
  s = 0.5f * s + A[i];
  B[i] = s;
}`,
		`for (int i = 1; i < n; i++) {
  float s = 0.5f * A[i - 1] + A[i];
  B[i] = s;
}`},
	{"HX108", "a loop variable out of its place",
		`A loop variable is set by the head of its loop only, and has a meaning only inside
the loop.`, "", ""},
	{"HX109", "an array whose shape is not known",
		`Each array needs its extents, as constants or sums of parameters, because whole
arrays are copied to the device and back. A plain pointer has no extent. An access
has one subscript for each dimension.`,
		`void f(int n, float *A)`,
		`void f(int n, float A[n][n])`},
	{"HX110", "a remainder of something that may be negative",
		`In C, -1 % 2 is -1, not 1. A subscript such as (t - 1) % 2 is taken only where
its left side is at least 0 for every iteration. Where a condition on the parameters
says so, this is a remark: it is tested before the kernels start.`,
		`for (int t = 0; t < T; t++) ... A[(t - 1) % 2][i]`,
		`for (int t = 0; t < T; t++) ... A[(t + 1) % 2][i]`},
	{"HX111", "unsigned arithmetic that may wrap around",
		`In C, 0u - 1 is a large number. A sum of unsigned type is taken only where its
value fits the type; parts of it may wrap around on the way, as in (i - 1 + n) % n.
So is an index in 32 bits, such as i * m + j: that it counts all elements is tested
before the kernels run.
Use int or long for sizes and loop variables, or state a fact such as
--assume='n>=1'.`,
		`for (unsigned i = 0; i < n - 1; i++) // n is unsigned and may be 0`,
		`for (int i = 0; i < n - 1; i++) // n is int`},
	{"HX113", "a variable that is used after the region",
		`The generated code leaves values in the variables that count time steps, but in
none of the other loop variables and scalars of the region. Set the variable again
after #pragma endscop before it is read.`,
		`#pragma endscop
printf("the last was %d\n", i - 1);`,
		`#pragma endscop
printf("the last was %d\n", n - 2);`},
	{"HX114", "a fact that cannot be used",
		`--assume takes noalias, or a condition on integer parameters of a region:
comparisons of sums by <, <=, >, >=, =, joined by and. The generated program tests
it before it starts the kernels; --on-violated says what happens where it does not
hold. In the source, assert(..), __builtin_assume(..) and if (..) return; before
the region say the same.`, `--assume='A[0] > 1'`, `--assume='n >= 1024 and n = m'`},
	{"HX115", "a loop nest that never runs",
		`The bounds of the nest exclude each other for all values of the parameters. This
is a warning: check the bounds, and the sizes given with -D.`,
		`for (int i = 1; i < 1; i++)`, ""},

	{"HX116", "a nest that cannot be taken apart",
		`Loops that hold other statements beside an inner loop, or conditions on loop
variables, become one nest for each part, which run one after the other: all
iterations of the first part, then all of the second. That is done only where it is
proved that no iteration needs what a later part of an earlier iteration computes,
or overwrites it. Scalars that are set before an inner loop are computed again by
each iteration of it, so they must not come from arrays that the region changes.`,
		`for (int i = 1; i < n; i++) {
  B[i] = C[i - 1][0];
  for (int j = 0; j < n; j++)
    C[i][j] = A[i][j];
}`,
		`for (int i = 1; i < n; i++) {
  B[i] = C[i][0];
  for (int j = 0; j < n; j++)
    C[i][j] = A[i][j] + B[i];
}`},
	{"HX117", "pointers that do not rotate",
		`The time loop may exchange pointers, two or more, so that every step does the
same: what one pointer held, another gets. The assignments stand directly in the
time loop, before, between or after its nests, and assign whole pointers, by way
of temporaries. The arrays become one array with a dimension more, whose
subscript counts the steps, and after the region the pointers are as the original
program leaves them. Pointers that get a new array in some steps only, or lose the
one they had, do not have that form. A pointer may also be chosen from two by the
number of the step, t % 2 ? a : b, if nothing else decides and the two stay as they are.`,
		`if (t % 2) { tmp = A; A = B; B = tmp; }
A = B; // and nobody gets A`,
		`for (int t = 0; t < T; t++) {
  ...
  double *tmp = A; A = B; B = tmp;
}`},
	{"HX118", "a region without a time loop",
		`The region holds loop nests, but no loop around them that carries a dependence.
This is a remark: each nest is tiled in space and is a kernel launch of its own, and
values travel through global memory from one to the next. Where a time loop
surrounds the pragmas, move them around it: then tiles span many time steps.`,
		`for (int t = 0; t < T; t++) {
#pragma scop
  ...
#pragma endscop
}`,
		`#pragma scop
for (int t = 0; t < T; t++) {
  ...
}
#pragma endscop`},
	{"HX119", "one subscript for several dimensions",
		`An array that is addressed with one subscript, such as p[(i*m + j)*k + l], gets
its dimensions from what the loop variables are multiplied with: here m*k, k and 1,
each of which divides the one before, so that the rows have m and k elements. It is
proved that each part stays inside its row for all values of the parameters. Where
that holds for some values only, the generated code tests it before it runs; where
it holds for none, or where products of loop variables occur, the region is refused.
What lies behind the last element that the region uses is never copied.`,
		`for (int j = 0; j <= m; j++) p[i * m + j] = 0; // j = m is in the next row
p[i * j] = 0;`,
		`for (int j = 0; j < m; j++) p[i * m + j] = 0;`},

	{"HX120", "an access outside of its array, when run",
		`The program was run to compare results, with the sizes in the message, and
accessed an element that its array does not have.`, "", ""},
	{"HX121", "an integer division by zero, when run",
		`The program was run to compare results and divided an integer by zero.`, "", ""},
	{"HX122", "an array without elements, when run",
		`The program was run with sizes for which an extent of an array is negative.
Choose other sizes.`, "", ""},
	{"HX125", "a loop that the host runs",
		`The region holds a loop that ends by a value, such as while (err > tol), nests that
gather scalars, such as err = fmax(err, ..) or sum += .., or a time loop around
another one. This is a remark: the loop stays in the generated file as C, and so do
the statements that gather, in their order. What is left is tiled. Where some steps
in a row do nothing but nests and counting, since the norm is asked for every k
steps, they run as one tile of time. Where the loop may end after any step, by the
greatest or least of terms at all points, chunks of steps run as well: each point
notes in which steps its own term is reason enough to go on. If some step had none,
what the chunk changed is set back, and it runs again up to that step. So the loop
ends after the step at which the original does, with the same bits. A sum that is
asked for at each step leaves one step at a time, and tiles of space alone; #pragma
hexcc check(every:16) before the region has the end tested every 16 steps only,
which may be up to 15 too many. On a GPU, arrays are copied there and back for each
part that runs there.`,
		"", ""},

	{"HX201", "a space loop that carries a dependence",
		`Within one time step, one iteration of a nest reads or writes what another
iteration of the same step writes, so the step cannot run in parallel. Hexagonal
tiling needs every dependence to advance in time. Seidel iterations and
in-place smoothing have this form: they are tiled otherwise (HX215). Where each
nest carries dependences along one of its loops only, there and back or one way,
such as the sweeps of a solver for tridiagonal systems, boxes of space are in order
along that loop and columns run at once (HX209). What is left has no loop
whose iterations may run at once, or leaves none of the ways above: compute into a
second buffer, or split the iterations into nests of one colour each, one after the
other.`,
		`A[i] = 0.5f * (A[i - 1] + A[n - 1 - i]);`,
		`A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);`},
	{"HX202", "a dependence distance that grows with a parameter",
		`A tile has a fixed slope, so a value must come from a bounded distance per time
step. Periodic boundaries and transposed accesses have unbounded distances: a
region of them can be tiled in space alone (--fallback=space). What a body does at both
ends of an array is taken apart by itself.`,
		`A[(t + 1) % 2][i] = A[t % 2][n - 1 - i];`,
		`A[(t + 1) % 2][i] = A[t % 2][i - 1];`},
	{"HX203", "a tile height that does not fit the nests",
		`With k nests in the time loop, h + 1 must be a multiple of k, so that each tile
begins with the first nest.`, "", ""},
	{"HX204", "a tile that is too narrow",
		`The hexagon needs a least width w0 that depends on h and the slopes of the
dependence cone; below it, tiles of one launch would depend on each other. Boxes have
one point or more. Where nests of tiles that overlap run up or down columns, a tile
holds whole columns: their length is a number, and w0 no less.`, "", ""},
	{"HX205", "too many steps in an iteration of the time loop",
		`A nest that uses what another one computed in the same iteration, at a distance, runs
a step after it. A tile runs each step at least once, spelled out one after the other, up
to a stated limit. Split the time loop, or join nests.`, "", ""},
	{"HX206", "an order of the space dimensions that cannot be",
		`The order names each space loop once, the hexagonal dimension first. The loop
that runs through neighbouring elements cannot be the first, unless it is the
only one: rows of a hexagon differ in length, so threads would not read
neighbouring elements together.`, "", ""},
	{"HX207", "a loaded schedule that is wrong",
		`A schedule file was edited such that an instance runs twice or never, or that
one runs before another whose result it needs. The message names instances for
which this happens. The lines of tile, slope and phase depend on each other, and those
of tile, slope and front, or of tile, box and delay: leave all but tile out, and they are
found anew. hexcc help schedule has the lines of each strategy.
Of a schedule of your own (lines of map, or a tree) it says so, too, where no loops can
be written.`, "", ""},
	{"HX208", "typical sizes that cannot be",
		`--grid=n=4096,steps=1000 says what sizes are typical, for the choice of tile
sizes and nothing else: the code is right for all sizes. The names are those of
parameters, and the values agree with what is known of them, such as by --assume.`, "", ""},
	{"HX209", "a region of which only space is tiled",
		`Hexagonal tiling does not apply, for the reason in the message, and
--fallback=space was given; or no tile fits the device, or a space loop carries
dependences, and --strategy leaves the choice to hexcc: a remark. Each loop nest of
each time step is a kernel launch of its own, tiled in space only; values travel
through global memory. Nests that depend on each other in one column only, such as
the sweeps of a solver there and back, share a launch: a block runs all of them for
its columns, in order.
Without the flag other reasons are errors, with the code in brackets.`, "", ""},
	{"HX210", "tiles other than hexagons, since that is better",
		`Hexagonal tiling applies, but the model expects more of boxes of space, or of plain
loops with a thread for each point or column of points, each loop nest of each time step
a kernel launch of its own; or dependences reach so far that one tile covers the grid,
and holds no more time steps than it must. The same is said where plain loops take the
place of boxes of space in a region without a time loop, and with --target=openmp where
parallelograms, whose tiles wait for each other, do of hexagons. This is a remark, with
what the model expects of each. --strategy=hybrid tiles time by hexagons all the same,
and --grid=n=4096 tells what sizes are typical, which decide.`,
		`A[(t + 1) % 2][i] = A[t % 2][999 - i]; // of 1000`,
		`A[(t + 1) % 2][i] = A[t % 2][i - 1];`},
	{"HX211", "tiles of which little is expected",
		`This is a remark. Either one tile covers the grid, so that no two run at the same time,
and the rest of the machine has nothing to do. Or the model expects plain loops to take
less time than what is written: on a GPU one launch for each nest and time step with a
thread for each point, limited by what memory moves, with --target=openmp the original
loops in parallel. In three dimensions that happens on GPUs, since tiles are low there;
--strategy=auto then takes plain loops (HX210). Or, with --target=openmp, a grid of known
size is so small that threads take longer to meet at a barrier than one of them for what
is between two: then one thread runs the region. Nothing of it is measured; the notes
have the figures, and the grid that they are for.`, "", ""},
	{"HX212", "a tile that is not the one the model prefers",
		`The proof for the sizes that the model prefers passed a bound on exact computations
(HX402), and so others were taken, which are proved: the next that the model has, up to
three, then boxes of space or plain loops unless --strategy=hybrid was given. This is a
remark; the note says what was tried. Sizes of --tile are not replaced: there it is an
error.`, "", ""},
	{"HX213", "sizes that are left to the original loops",
		`This is a remark. Where two sides of a grid are the same or next to each other, as in
an array of two rows, nests that set borders depend on each other, and on no other
sizes. If they were in order for these too, every iteration of the time loop would take
a step more. So that the size is larger is tested before the kernels run; for others
the original loops run in their place, and functions on arrays of the device say that
they were not called for them. --assume=n>=3 says that it always is. So it is where one
loop works on both sides of an array, as in p[i] *= w[i]; p[n-1-i] *= w[i]: these are
taken apart, which is right where the sides do not overlap.`, "", ""},
	{"HX214", "tiles that cannot wait for each other",
		`With --launch=ready a tile starts when those have ended that it needs, and not when all
of the phase before have. So threads of a CPU wait for each other (--target=openmp), or
blocks of a GPU (--target=cuda and --target=ptx, for sm_70 and later). OpenCL promises no
work-group that others go on while it waits; one thread waits for nobody. It takes slopes
that bound how far values travel in a time step: then a tile needs a few others near it.`, "", ""},

	{"HX215", "parallelograms, since space loops carry dependences",
		`Iterations of a space loop use what others of the same time step have written, as in
Gauss-Seidel in place. Hexagons do not fit that. Such regions are tiled by
parallelograms (--strategy=wavefront, which need not be asked for), each of which waits
for those that it needs on a CPU; on a GPU a launch runs those that need none of each
other, and a block the points of its tile that need none of each other. Few tiles can
run at the first time steps, and at the last. Where results may differ, points in two
colours, or a second array, let hexagons start at once on all cores or multiprocessors,
and rows run in vectors.`, "", ""},

	{"HX216", "rows that cannot stream through registers",
		`With --kernel=streaming, or by the choice of the model, the rows of a grid stream through
the registers of the warps of a block, which run a few time steps each. It is for CUDA
and PTX, for sm_70 and later, and in two dimensions for OpenCL devices with sub-groups of
32 work-items. It takes programs of two or three dimensions of space in which each value
is used a fixed number of steps, rows and columns from where it is computed; some lines of
the grid may have statements of their own. --pipeline has the shape: fewer columns in a
lane, or steps in a warp, take fewer registers and less shared memory. --kernel=tiles
takes all programs.`, "", ""},
	{"HX217", "loops that are not tiled, for a CPU",
		`--strategy=untiled writes the loops as they are as kernels of a GPU: each nest of each
time step is a launch, each point of it, or a short column of points, a thread. On a CPU
the loops of the source are that already: omp parallel for before the outermost loop over
space runs them in parallel. --strategy=space tiles space there.`, "", ""},

	{"HX218", "boxes that overlap, where they cannot be",
		`--strategy=overlapped runs nests one after the other, or iterations of the time
loop, in one launch: a tile computes what it needs of its neighbours' points itself, in
shared memory or, on CPUs, in buffers, and stores the points that it owns. Distances
between what is written and read are numbers, and each subscript of what is written is one
loop variable plus a constant. Where tiles store what others of the same launch still
read, the array gets a second version on a GPU; for that its elements have to follow all
dimensions of the tiles. Else nests write to other arrays, or other planes as in
A[(t+1)%2], than those that are read there before. On CPUs there are no versions, and
all that several tiles compute is in arrays that hand values from nest to nest: declared
in the function, used nowhere else, and written in each iteration before they are read.
Nests may run up or down one dimension, as vertical solvers do: tiles then hold whole
columns of it, whose length has to be a number.
fuse([a,b],[c]) makes a launch of each list: each nest is in one of them, and none before
what it reads of the same iteration. stream(i) runs tiles plane by plane along the
dimension of space of that loop, or name as in s0, on GPUs and where there are two
dimensions or more; stream(none) does not.`, "", ""},

	{"HX219", "a temporary that cannot be computed where it is read",
		`Inner brackets of fuse, as in fuse([[lap,fli],flj,out]), say which nests share
registers: each computes itself what it reads of what others in the brackets write, as
often as it reads it. Such an array is declared in the function and used by nothing
but the region; one nest writes it, by subscripts that are each one loop variable plus
a number; what is read has been written in the same iteration of the time loop, at all
points where it is read; and nothing of what it was made of has been stored anew until
then. Then results stay the same, bit for bit.`, `void f(int n, double in[restrict n], double lap[restrict n], double out[restrict n])
{
#pragma hexcc fuse([[S0,S1]])
#pragma scop
  for (int i = 1; i < n - 1; i++)
    lap[i] = 2 * in[i] - in[i - 1] - in[i + 1];
  for (int i = 1; i < n - 2; i++)
    out[i] = lap[i + 1] - lap[i];
#pragma endscop
}`, `void f(int n, double in[restrict n], double out[restrict n])
{
  double lap[n];
#pragma hexcc fuse([[S0,S1]])
#pragma scop
  for (int i = 1; i < n - 1; i++)
    lap[i] = 2 * in[i] - in[i - 1] - in[i + 1];
  for (int i = 1; i < n - 2; i++)
    out[i] = lap[i + 1] - lap[i];
#pragma endscop
}`},
	{"HX220", "what was measured, or was not",
		`With --tuned, strategy and sizes of tiles are those that hexcc tune has measured to
be the fastest on this processor (for GPUs: with this --arch), at the sizes nearest
to those of --grid. Where the file has results for other devices only, the model
chooses as it does without it. A #pragma hexcc with a strategy or a tile goes before
both.`, "", ""},

	{"HX221", "a nest that stays one",
		`fission(S0), or --fission=S0, makes several nests of one that writes several arrays:
one for each, which computes itself what it needs of local variables. Registers are
then alive for one of them at a time. Arrays of which each is read by what writes
the other, before and behind it, stay together; where that leaves one nest, or only
one array is written, there is nothing to do. fission(all) takes those nests that can
be several.`, `void f(int n, double a[restrict n], double b[restrict n])
{
#pragma hexcc fission(S0)
#pragma scop
  for (int i = 0; i < n; i++) {
    double x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
#pragma endscop
}`, `void f(int n, const double a[restrict n], double b[restrict n], double c[restrict n])
{
#pragma hexcc fission(S0)
#pragma scop
  for (int i = 0; i < n; i++) {
    double x = a[i] * a[i];
    b[i] = x + 1;
    c[i] = x - 1;
  }
#pragma endscop
}`},

	{"HX223", "sums that stay as they are",
		`reassociate(auto), or --reassociate, regroups sums in float and double, so that points
next to each other have parts in common; reassociate(j) does so for points along loop j.
Where no other form is known that takes fewer operations, a remark says so: as where each
neighbour has a coefficient of its own. Sums go through variables of their own type;
a cast, or a variable of another type, rounds what it takes. A name that no loop has
is an error. hexcc help reassociate tells more.`, `void f(int T, int n, float A[restrict 2][n])
{
#pragma hexcc reassociate(k)
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.1f * A[t % 2][i - 1] + 0.1f * A[t % 2][i + 1];
#pragma endscop
}`, `void f(int T, int n, float A[restrict 2][n])
{
#pragma hexcc reassociate(i)
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.1f * A[t % 2][i - 1] + 0.1f * A[t % 2][i + 1];
#pragma endscop
}`},

	{"HX224", "arrays that cannot be folded",
		`fold(u,v), or --fold=u,v, folds arrays whose elements are used in one combination, such
as u[i] * v[i], at several places: a nest of its own computes it once for each element,
into an array that the source does not have. The elements of each array have the same
distance from the others at all places, what they are made of is not stored anew
between, and there are elements everywhere in a box around all places. fold(auto) folds
arrays that are used for nothing else; where there are none, a remark says so. hexcc
inspect shows what came of it, in C.`, `void f(int n, double u[restrict n], double v[restrict n], double b[restrict n])
{
#pragma hexcc fold(u,v)
#pragma scop
  for (int i = 1; i < n - 1; i++)
    b[i] = u[i + 1] * v[i + 1] - u[i] * v[i - 1];
#pragma endscop
}`, `void f(int n, double u[restrict n], double v[restrict n], double b[restrict n])
{
#pragma hexcc fold(u,v)
#pragma scop
  for (int i = 1; i < n - 1; i++)
    b[i] = u[i + 1] * v[i + 1] - u[i - 1] * v[i - 1];
#pragma endscop
}`},

	{"HX301", "a function that PTX does not have",
		`PTX computes sqrt, fabs, fma, fmin, fmax, copysign, fdim and the roundings to
integers as C does. Others of math.h, such as exp, come from NVIDIA's library
libdevice, which nvcc takes them from too: the file libdevice.10.bc, which was not
found. It comes with a CUDA toolkit, and alone from PyPI (nvidia-nvvm).
--libdevice=FILE or HEXCC_LIBDEVICE names it; else it is looked for where
CUDA_HOME and CUDA_PATH point, beside the nvcc of HEXCC_NVCC or PATH, and
where toolkits are installed. llvm-link of the same LLVM links it. Its
last bits are not those of a C library: docs/ptx.md says how results are compared.`, "", ""},
	{"HX302", "an array to leave in global memory that there is not",
		`--leave=A,B names arrays that stay in global memory, while tiles have the others in
shared memory. The names are those of arrays of the regions, as the source has them.
hexcc inspect lists them.`, "", ""},
	{"HX303", "a wish about kernels that cannot be kept",
		`place, block, elements, registers, occupancy and prefetch, as flags, as clauses of
#pragma hexcc, or as lines of a schedule file, ask for kernels of a GPU as one wants
them. What is asked is what comes out, or there is this error with the reason: no kernel
is made that is almost so. hexcc inspect says how each wish is kept (hexcc help wishes).`, "", ""},
	{"HX310", "no check of its own can be made of a region",
		`--check writes a program that calls the function around the region with random
arrays. What the region uses must be parameters of that function, or variables of
the file: nothing that the function computes or declares before the region, no
members of structs, and no tables of pointers to rows. hexcc verify compares without
such a program.`, "", ""},
	{"HX311", "a region that ranks cannot share out",
		`--target=mpi gives each rank the hexagonal tiles of an interval of the outermost loop
over space, and the elements of arrays that lie there. So each array that the region
writes has one dimension that this loop indexes, plus a number; arrays that are only
read may be indexed in any way: where it is not so, each rank has all of them. Rings,
whose ends are neighbours, are arrays like others. It is proved that ranks have what
they read; where values would go further than from a tile to the next one, larger
tiles may help. Where time is not tiled, ranks share out rows, step by step.
Loops that end by a value, or around other time loops, run on all ranks: nests in them
gather scalars by assignments such as sum += x and e = fmax(e, x), each alone under a
condition at most; what stands beside nests is about scalars, and functions with nests
are called where they are always called. Where points need others of the same step, as
in the method of Gauss and Seidel, tiles are parallelograms that wait for each other,
and ranks a pipeline: each begins a time tile when the rank below has begun it, on CPUs
alone. Sweeps that go there and back in one step are not shared out.
What other targets test of data in front of a region would have to be done by the
caller: leave points at the ends out of loops. Where they compute scalars there by
step, ranks run step by step: have such scalars in an array, and time is tiled.
--target=mpi+cuda does so with kernels, of one time loop, which do not stream.
--target=openmp, or cuda, runs the region on one machine.`, "", ""},

	{"HX401", "a tile that does not fit",
		`The part of the arrays that a tile touches must fit the shared memory of a block.
Choose smaller sizes with --tile; the note has the largest that fits. Where no sizes
are given and none fits, --strategy=auto tiles space alone (HX209), and
--strategy=hybrid ends here.`, "", ""},
	{"HX402", "an exact computation that grows too large",
		`An operation on sets would have passed a stated bound. The program has too many
cases: fewer statements, accesses or parameters help, or constants for sizes (-D).
Where the proof for tile sizes passes it, other sizes are tried first (HX212).`, "", ""},
	{"HX403", "a run that is too large",
		`The program was to be run with sizes for which its arrays do not fit a stated
limit. Choose smaller sizes.`, "", ""},
	{"HX404", "a block of too many threads",
		`A block has at most 1024 threads, or what --work-group says. Points are dealt to as
many threads as there are, so fewer threads run more points each, and any number serves.`, "", ""},
	{"HX405", "a file that is too large",
		`Of a source, a header, a schedule or a file of arguments at most 64 MiB are read,
so that an input without an end, such as a pipe that another program fills, ends
with an error.`, "", ""},
	{"HX406", "memory, stack or processor time that is used up",
		`hexcc takes at most three quarters of the memory of the machine, or of the container
that it runs in, and a stack of 256 MiB; ulimit may set lower limits, and one of
processor time (ulimit -t). When they are reached the run ends and nothing is
written. Less of the file (--region), simpler bounds, or smaller sizes where
hexcc verify is given some, need less.`, "", ""},

	{"HX407", "fewer blocks at once than is asked for",
		`--occupancy=0.5 asks that half of the warps that a multiprocessor holds run at once.
Arrays are left in global memory one by one until shared memory has room for as many
blocks, and a thread gets so few registers. Where that is not enough, the message says
what there is no more of. Smaller tiles, fewer threads (--block) or a smaller number
may do.`, "", ""},

	{"HX501", "a tool or device that is missing",
		`The command needs a program or a device that this machine does not have: the
message says which. --target=ptx needs llc and opt of LLVM 14 or newer (on
Debian and Ubuntu: apt-get install llvm-16). --llc=PATH or HEXCC_LLC names
the llc to take; its opt is looked for beside it. Nothing is written.
hexcc verify --device=cpu and --run need gcc and g++ (apt-get install gcc g++).`, "", ""},
	{"HX502", "a tool that does not know the architecture",
		`LLVM makes PTX only for the architectures that its version knows: LLVM 14 up to
sm_86, LLVM 16 up to sm_90, LLVM 20 up to sm_120. hexcc asks llc what it knows
and takes the first that knows the one of --arch. Install the version that the
message names, or take an older --arch: the driver translates PTX for sm_80
on all later devices too.`, "", ""},
	{"HX503", "a tool that fails",
		`opt or llc ended with an error, or what it wrote is not what was asked for. The
message has the first line that the tool said. Another version of LLVM may do
better: name its llc with --llc or HEXCC_LLC.
hexcc verify --device=cpu says so of gcc and g++: they must be whole, and gcc must
compile the source with the -I, -D and -U of the command. Where they compile that,
but not what hexcc made of it, the fault is in hexcc. hexcc verify --run compiles
FILE.c to a program: what else that takes, files and libraries, is told by --with.`, "", ""},
	{"HX504", "no CUDA compiler",
		`hexcc tools found no nvcc on PATH, nor where HEXCC_NVCC points. hexcc itself needs
none: it writes text. To compile the text, install NVIDIA's CUDA toolkit; or only
its compiler from PyPI, for which no GPU is needed: nvidia-cuda-nvcc,
nvidia-cuda-crt, nvidia-nvvm, nvidia-cuda-runtime. To run the text without any of
them, slowly, on a CPU: hexcc shim.`, "", ""},
	{"HX505", "a CUDA compiler that does not know the architecture",
		`The nvcc that hexcc tools found compiles for other architectures than that of
--arch. CUDA 12 is the last version with sm_60 and sm_70. A GPU also runs what is
compiled for an older architecture of its own major version, and translates the PTX
that nvcc puts beside.`, "", ""},
	{"HX506", "a CUDA compiler that fails",
		`nvcc did not compile a kernel of one line. Mostly the C++ compiler beside it is
newer than its version supports, or missing; the message has the first line that it
said. -ccbin names another C++ compiler.`, "", ""},
	{"HX507", "no OpenCL device",
		`hexcc verify --device=opencl runs kernels on an OpenCL device. It needs the
library libOpenCL and a driver: on Debian and Ubuntu, apt-get install
pocl-opencl-icd ocl-icd-libopencl1 makes a device of the CPU. Where there are
several, HEXCC_OPENCL_DEVICE in the environment asks for one by its number or a part
of its name; the message lists them. Translating needs no device.`, "", ""},
	{"HX508", "an OpenCL device that is too small",
		`A device limits the work-items of a group and their local memory, and need not have
doubles. --local-memory and --work-group tell the choice of tiles what the device has;
or choose smaller tiles with --tile, or another device (HX507). Kernels of
--kernel=streaming need sub-groups of 32 work-items, too: --kernel=tiles needs none.`, "", ""},
	{"HX509", "an OpenCL device that does not build the kernels",
		`The device's compiler refused the kernels; the message has its log. The text is
OpenCL C 1.2, or later where rows stream: hexcc FILE.c --target=opencl writes it to
BASE.hex_kernel.cl. Options in HEXCC_OPENCL_OPTIONS are given to the compiler too, and
may be what is wrong.`, "", ""},
	{"HX510", "no GPU to measure on",
		`hexcc tune --target=cuda compiles kernels with nvcc and runs them on the first GPU.
One of them is not here: nvcc is looked for on PATH and in HEXCC_NVCC, the device
is what nvidia-smi names. --dry-run ranks candidates by the model alone, and
needs neither; --target=openmp and --target=c measure on the CPU.`, "", ""},
	{"HX511", "nothing that could be measured",
		`hexcc tune runs the function around the region, as it is and in the way of each
candidate, on random input. The program as it is fails with these sizes, takes longer
than the budget, or no candidate has run to its end; the notes say why each of them
was rejected. Smaller sizes (-DNAME=V) or more time (--budget) may do.`, "", ""},
}
