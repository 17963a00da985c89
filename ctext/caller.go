package ctext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file finds how to call the function around a region with data of one's own.

var (
	subscripts = regexp.MustCompile(`\[[^\]]*\]`)
	identifier = regexp.MustCompile(`[A-Za-z_$\x{80}-\x{10ffff}][\w$\x{80}-\x{10ffff}]*`)
)

// ArgumentNames returns the names of the parameters of p.Function, as its text declares them.
func ArgumentNames(p *scop.Program) ([]string, error) {
	list, _, err := signature(p)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, arg := range strings.Split(subscripts.ReplaceAllString(list, ""), ",") {
		words := identifier.FindAllString(arg, -1)
		if len(words) > 0 && words[len(words)-1] != "void" {
			names = append(names, words[len(words)-1])
		}
	}
	return names, nil
}

// signature returns the parameters of p.Function as its text has them, and the
// text between them and the region.
func signature(p *scop.Program) (list, before string, err error) {
	source := string(scop.Unescaped(p.Source))
	for _, from := range mentions(source, p.Function) {
		inner, ok := strings.CutPrefix(strings.TrimLeft(source[from+len(p.Function):], " \t\r\n"), "(")
		if !ok {
			continue
		}
		list, rest, ok := matching(inner)
		if ok && strings.HasPrefix(strings.TrimSpace(rest), "{") { // a definition
			start := len(source) - len(rest)
			return list, source[start:max(start, p.Region.Start)], nil
		}
	}
	return "", "", fmt.Errorf("no definition of %s in %s", p.Function, p.File)
}

// mentions returns where text has an identifier.
func mentions(text, name string) (at []int) {
	for i := strings.Index(text, name); i >= 0; {
		end := i + len(name)
		if (i == 0 || !scop.InIdentifier(text[i-1])) && (end == len(text) || !scop.InIdentifier(text[end])) {
			at = append(at, i)
		}
		next := strings.Index(text[i+1:], name)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return at
}

// matching returns the texts before and after the parenthesis that closes one before s.
func matching(s string) (before, after string, ok bool) {
	depth := 1
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

// A caller is how to give the function around a region what the region uses.
type caller struct {
	args   []string        // the names of its parameters
	passed map[string]bool // those names
}

// Callable returns the diagnostic that no program of our own can call the function around the region of p,
// HX310, or nil.
func Callable(p *scop.Program) error {
	if _, err := callerOf(p); err != nil {
		return notCallable(p, err)
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
	args, err := ArgumentNames(p)
	if err != nil {
		return caller{}, err
	}
	c := caller{args, map[string]bool{}}
	for _, a := range args {
		c.passed[a] = true
	}
	_, before, err := signature(p)
	if err != nil {
		return caller{}, err
	}
	known := func(name string) bool {
		return scop.IsIdentifier(name) && (c.passed[name] || len(mentions(before, name)) == 0)
	}
	var taken []string
	for _, name := range variables(p) {
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
			if !known(o.Identifier()) {
				return none("%s is no parameter of %s", o.Flat, p.Function)
			}
		}
	}
	return c, nil
}
