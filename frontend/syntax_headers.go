package frontend

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file provides the headers: the user's from disk, the standard ones from
// the program itself, so that the result does not depend on the machine.

//go:embed include
var embedded embed.FS

// builtinDir is where the built-in headers seem to lie.
const builtinDir = "<hexcc>"

// A headerFS opens headers and remembers those it read from disk.
type headerFS struct {
	host *Host // nil: headers are built in
	left map[string][]item
	kept map[string][]byte // texts of headers that were read before
	flat map[string][]byte // those that are known with all that they include
	// asksForUs: a header that is none of the system has the macro by which headers know hexcc.
	asksForUs bool
	read      []string
	cxx       *cxxHeaders // of a C++ file: its headers are C++; else nil
}

// Open opens a header by path. Unlike other file systems it takes any path,
// relative or absolute.
func (h *headerFS) Open(name string) (fs.File, error) {
	if _, rest, ok := strings.Cut(name, builtinDir+"/"); ok { // of any folder: the C front end joins the path in a directive to it
		return embedded.Open("include/" + rest)
	}
	if filepath.Base(name) == halfHeader {
		return embedded.Open("include/" + halfHeader)
	}
	_, absolute, isAbsolute := strings.Cut(name, rootDir)
	if isAbsolute {
		name = absolute
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := ReadAll(file) // what seems to be regular may have no end either, as in /proc
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	h.read = append(h.read, name) // once: the C front end keeps what it read
	if h.host != nil && h.host.isSystem(name) {
		if flat := h.flat[filepath.Clean(name)]; flat != nil && h.kept[name] == nil {
			text = flat
		}
		if h.kept[name] == nil {
			h.kept[name] = declarations(name, text)
		}
		text = h.kept[name]
	} else if bytes.Contains(text, []byte(ownMacro)) {
		h.asksForUs = true
	}
	if h.cxx != nil && (h.host == nil || !h.host.isSystem(name)) {
		text = h.cxx.project(name, text)
	}
	text = marked(without(text, h.left[name]))
	if isAbsolute { // headers beside it are found, and messages are about it, by its own name
		text = bytes.Replace(text, []byte("#line 1\n"), fmt.Appendf(nil, "#line 1 %q\n", name), 1)
	}
	return header{bytes.NewReader(text), info}, nil
}

// marked returns the text of a file as the C front end gets it: a pragma
// counts how often it is included, and identifiers have characters, not their numbers.
func marked(text []byte) []byte {
	if text = scop.Unescaped(text); bytes.Contains(text, []byte(`"/`)) || bytes.Contains(text, []byte("</")) { // headers of the system, the longest of all, come without
		text = absoluteInclude.ReplaceAll(text, []byte("${1}"+rootDir+"${2}"))
	}
	return padded(slices.Concat([]byte("#pragma "+headerWord+"\n#line 1\n"), text))
}

// rootDir begins the absolute paths in #include: the C front end joins every path to
// one of the folders that are searched, and so to what is no folder.
const rootDir = "@root@"

var absoluteInclude = regexp.MustCompile(`(?m)^([ \t]*#[ \t]*include[ \t]*["<])(/[^">\n]*[">])`)

const headerWord = "__hexcc_header"

// padded returns text with line ends after it. At a backslash that is the last
// character of a file, the C front end would read on forever.
func padded(text []byte) []byte { return append(bytes.Clone(text), "\n\n"...) }

// A header is an open file.
type header struct {
	*bytes.Reader
	info fs.FileInfo
}

func (h header) Stat() (fs.FileInfo, error) { return h.info, nil }

func (h header) Close() error { return nil }

// halfKind stands for _Float16 in the C front end, which does not know what C's arithmetic makes of it: of this
// type it does. That and other types of few bits are read as one more, which is refused by their names.
const halfKind = cc.Decimal64

const halfTypes = `
typedef _Decimal64 hexcc__Float16;
typedef _Decimal128 hexcc__Decimal64, hexcc___fp16, hexcc___bf16;
#define _Float16 hexcc__Float16
#define _Decimal64 hexcc__Decimal64
#define __fp16 hexcc___fp16
#define __bf16 hexcc___bf16
`

// halfHeader is CUDA's header of __half, a class. Ours declares so much of it that regions which use it are refused by its name.
const halfHeader = "cuda_fp16.h"

// readAs begins the names of the types above.
const readAs = "hexcc_"

// builtin is what the C front end cannot do without.
const builtin = halfTypes + `
int __predefined_declarator;
typedef void *__builtin_va_list;
void *__builtin_malloc(__SIZE_TYPE__);
void *__builtin_calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void *__builtin_realloc(void *, __SIZE_TYPE__);
void __builtin_free(void *);
double __builtin_inf(void);
#define __extension__
#define __FUNCTION__ __func__
#define __PRETTY_FUNCTION__ __func__
#define __builtin_va_arg(va, type) (*(type*)__builtin_va_arg_impl(va))
#define __builtin_va_copy(dst, src) dst = src
#define __builtin_offsetof(type, member) ((__SIZE_TYPE__)&(((type*)0)->member))
double __builtin_huge_val(void);
float __builtin_inff(void);
float __builtin_nanf(const char *);
void __builtin_unreachable(void);
void __builtin_assume(int);
long __builtin_expect(long, long);
void *__builtin_assume_aligned(const void *, __SIZE_TYPE__, ...);
`

// predefined are the macros of a C17 compiler for x86-64 Linux.
const predefined = `
#define __HEXCC__ 1
#define __STDC__ 1
#define __STDC_VERSION__ 201710L
#define __STDC_HOSTED__ 1
#define __STDC_IEC_559__ 1
#define __x86_64__ 1
#define __x86_64 1
#define __amd64__ 1
#define __linux__ 1
#define __linux 1
#define __unix__ 1
#define __unix 1
#define __ELF__ 1
#define __LP64__ 1
#define _LP64 1
#define __CHAR_BIT__ 8
#define __BYTE_ORDER__ 1234
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __SIZE_TYPE__ unsigned long
#define __PTRDIFF_TYPE__ long
#define __WCHAR_TYPE__ int
#define __WINT_TYPE__ unsigned int
#define __INTMAX_TYPE__ long
#define __UINTMAX_TYPE__ unsigned long
#define __INTPTR_TYPE__ long
#define __UINTPTR_TYPE__ unsigned long
#define __INT8_TYPE__ signed char
#define __INT16_TYPE__ short
#define __INT32_TYPE__ int
#define __INT64_TYPE__ long
#define __UINT8_TYPE__ unsigned char
#define __UINT16_TYPE__ unsigned short
#define __UINT32_TYPE__ unsigned int
#define __UINT64_TYPE__ unsigned long
#define __SCHAR_MAX__ 127
#define __SHRT_MAX__ 32767
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 9223372036854775807L
#define __LONG_LONG_MAX__ 9223372036854775807LL
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __FLT_EVAL_METHOD__ 0
#define __FLT_RADIX__ 2
#define __FLT_MANT_DIG__ 24
#define __FLT_DIG__ 6
#define __FLT_MIN__ 1.17549435082228750796873653722224568e-38F
#define __FLT_MAX__ 3.40282346638528859811704183484516925e+38F
#define __FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
#define __DBL_MANT_DIG__ 53
#define __DBL_DIG__ 15
#define __DBL_MIN__ 2.22507385850720138309023271733240406e-308
#define __DBL_MAX__ 1.79769313486231570814527423731704357e+308
#define __DBL_EPSILON__ 2.22044604925031308084726333618164062e-16
` + keywords

// keywords are other spellings of words of C.
const keywords = `
#define __restrict restrict
#define __restrict__ restrict
#define __const const
#define __const__ const
#define __inline inline
#define __inline__ inline
#define __signed__ signed
#define __volatile__ volatile
`
