package ctext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file finds how to call the function around a region with data of one's own.

// A caller is how to give the function around a region what the region uses.
type caller struct {
	args   []scop.Formal   // its parameters
	passed map[string]bool // their names
}

// AnyPointer is C++: a pointer to anything, and a reference to an array of anything, which casts of C would need a type for.
const AnyPointer = `
struct hexcc_any {
  void *p;
  template <class T> operator T *() const { return (T *)p; }
  template <class T, unsigned long N> using array = T (&)[N];
  template <class T, unsigned long N> operator array<T, N>() const { return *(T (*)[N])p; }
};
`

// Opened is C++ that lets what stands around the region of p be named without its namespaces.
func Opened(p *scop.Program) string {
	if space := strings.TrimSuffix(p.Signature.Space, "::"); space != "" {
		return "using namespace " + space + ";\n"
	}
	return ""
}

// AsArgument returns what to pass for a parameter of the function of p that leads to an array: pointer, in any type.
func AsArgument(p *scop.Program, pointer string) string {
	if p.Cxx {
		return "hexcc_any{(void *)" + pointer + "}"
	}
	return "(void *)" + pointer
}

// Zeros is C: what pointers lead to that are passed to the function around a region, and that the region does not use. The function
// may read it and write to it elsewhere, as to a place for a norm.
const Zeros = "static long long hexcc_zeros[1 << 17];"

// AsUnused returns what to pass for a parameter of the function of p that its region does not use: 0, or a pointer to zeros.
func AsUnused(p *scop.Program, f scop.Formal) string {
	if f.Leads {
		return AsArgument(p, "hexcc_zeros")
	}
	return f.Zero
}

// leadsElsewhere says whether the function of p has a pointer that its region does not use.
func leadsElsewhere(p *scop.Program) bool {
	uses := variables(p)
	return slices.ContainsFunc(p.Signature.Parameters, func(f scop.Formal) bool { return f.Leads && !slices.Contains(uses, f.Name) })
}

// Callable returns the diagnostic that no program of our own can call the function around the region of p with
// memory of ours, HX310, or nil.
func Callable(p *scop.Program) error {
	if _, err := callerOf(p); err != nil {
		return notCallable(p, err)
	}
	unknown := func(f *scop.Fixed, name string) error {
		if f != nil && f.Values == nil {
			return notCallable(p, fmt.Errorf("%s is const, and which value it has is not known here", name))
		}
		return nil
	}
	for _, q := range p.Scalars {
		if err := unknown(q.Fixed, q.Source()); err != nil {
			return err
		}
	}
	for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
		if err := unknown(a.Fixed, a.Name); err != nil {
			return err
		}
	}
	return nil
}

// libraryNames are what the headers declare that programs of our own include: see checkSupport.
var libraryNames = strings.Fields(`
	abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform asctime asctime_r asprintf at_quick_exit atexit atof atoi atol
	atoll bcmp bcopy bsearch bzero calloc clearenv clearerr clearerr_unlocked clock clock_getcpuclockid clock_getres clock_gettime
	clock_nanosleep clock_settime clock_t ctermid ctime ctime_r daylight difftime div div_t dprintf drand48 drand48_r dysize ecvt ecvt_r environ
	erand48 erand48_r exit explicit_bzero fclose fcvt fcvt_r fdopen feof feof_unlocked ferror ferror_unlocked fflush fflush_unlocked ffs ffsl
	ffsll fgetc fgetc_unlocked fgetpos fgets fileno fileno_unlocked flockfile fmemopen fopen fprintf fpurge fputc fputc_unlocked fputs fread
	fread_unlocked free freopen fscanf fseek fseeko fsetpos ftell ftello ftrylockfile funlockfile fwrite fwrite_unlocked gcvt getc getc_unlocked
	getchar getchar_unlocked getdate getdelim getenv getline getloadavg getsubopt getw gmtime gmtime_r index initstate initstate_r jrand48
	jrand48_r labs lcong48 lcong48_r ldiv ldiv_t llabs lldiv localtime localtime_r lrand48 lrand48_r malloc mblen mbstowcs mbtowc memccpy memchr
	memcmp memcpy memmem memmove memrchr memset mkdtemp mkstemp mkstemps mktemp mktime mrand48 mrand48_r nanosleep nrand48 nrand48_r on_exit
	open_memstream pclose perror popen posix_memalign printf pselect putc putc_unlocked putchar putchar_unlocked putenv puts putw qecvt qecvt_r
	qfcvt qfcvt_r qgcvt qsort qsort_r quick_exit rand rand_r random random_r rawmemchr realloc reallocarray realpath remove rename renameat
	rewind rindex rpmatch scanf seed48 seed48_r select setbuf setbuffer setenv setlinebuf setstate setstate_r setvbuf size_t snprintf sprintf
	srand srand48 srand48_r srandom srandom_r sscanf stderr stdin stdout stpcpy stpncpy strcasecmp strcat strchr strchrnul strcmp strcoll strcpy
	strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr
	strsep strsignal strspn strstr strtod strtof strtok strtok_r strtol strtold strtoll strtoq strtoul strtoull strtouq strxfrm system tempnam
	time time_t timegm timelocal timer_create timer_delete timer_getoverrun timer_gettime timer_settime timespec_get timespec_getres timezone
	tmpfile tmpnam tmpnam_r tzname tzset ungetc unsetenv valloc vasprintf vdprintf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf
	wcstombs wctomb
`)

// variables returns the names of what p uses from outside, as the source has them.
func variables(p *scop.Program) (names []string) {
	for _, q := range p.Params {
		names = append(names, q.Source())
	}
	for _, q := range p.Scalars {
		names = append(names, q.Source())
	}
	for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
		for _, o := range a.Objects() {
			if !a.Local {
				names = append(names, o.Identifier())
			}
		}
	}
	return names
}

// callerOf returns the caller of p.Function, or why a program with data of its
// own cannot call it: it must get all by its parameters or from variables of the file.
func callerOf(p *scop.Program) (caller, error) {
	none := func(format string, args ...any) (caller, error) { return caller{}, fmt.Errorf(format, args...) }
	if p.Function == "main" {
		return none("the region is in main")
	}
	if p.Signature.Member {
		return none("%s is a member of a class, or made of a template", p.Function)
	}
	if len(p.Rows) > 0 {
		return none("%s is a table of pointers to rows", p.Rows[0].Tables[0])
	}
	c := caller{p.Signature.Parameters, map[string]bool{}}
	for _, a := range c.args {
		c.passed[a.Name] = true
	}
	known := func(name string) bool {
		for part := range strings.SplitSeq(name, "::") { // in namespaces of C++
			if !scop.IsIdentifier(part) {
				return false
			}
		}
		return !slices.Contains(p.Signature.Hidden, name)
	}
	uses := variables(p)
	for i, a := range c.args {
		if a.Zero == "" && !slices.Contains(uses, a.Name) {
			return none("parameter %s of %s is of type '%s', which has no name", cmp.Or(a.Name, fmt.Sprint(i+1)), p.Function, a.Type)
		}
		if a.Unmade != "" {
			return none("parameter %s of %s is %s", a.Name, p.Function, a.Unmade)
		}
		if slices.Contains(p.Signature.Hidden, a.Name) {
			return none("%s is no longer what was passed for it where the region begins", a.Name)
		}
	}
	var taken []string
	for _, name := range uses {
		if !c.passed[name] && slices.Contains(libraryNames, name) {
			taken = append(taken, name)
		}
	}
	if len(taken) > 0 {
		return none("%s is a variable of the file, and a function of the C library, whose headers such a program includes", taken[0])
	}
	for _, q := range p.Params {
		if !known(q.Source()) {
			return none("%s is no parameter of %s", q.Source(), p.Function)
		}
	}
	for _, q := range p.Scalars {
		if q.Of != nil {
			continue // the array is what must be known
		}
		if !known(q.Source()) {
			return none("%s is no parameter of %s", q.Source(), p.Function)
		}
	}
	for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
		for _, o := range a.Objects() {
			if a.Local {
				continue
			}
			if !known(cmp.Or(o.Identifier(), o.Variable())) {
				return none("%s is no parameter of %s", o.Flat, p.Function)
			}
		}
	}
	return c, nil
}
