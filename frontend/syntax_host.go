package frontend

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file reads the headers of the machine as its C compiler does: with the macros that it defines
// and from the folders that it searches.

// A Host is what the C compiler of the machine says of itself.
type Host struct {
	Compiler string   // its path, for messages
	Macros   string   // what it defines, as #define directives
	Dirs     []string // where it looks for system headers, in order
	// Accepts returns nil if the compiler takes a file with -I, -D and -U, else what it says; nil: it cannot be asked.
	Accepts func(src Source, dirs, defines, undefines []string) error `json:"-"`
}

// systemDirs returns the folders of system headers, in order. Of the built-in headers, those of the machine
// serve only for what is not built in.
func (o Options) systemDirs() []string {
	if o.Host != nil {
		return o.Host.Dirs
	}
	return []string{builtinDir, "/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"}
}

// predefined returns the macros that are there before the file begins.
func (o Options) predefined() string {
	if o.Host == nil {
		return predefined
	}
	return o.Host.Macros + "#define " + ownMacro + " 1\n" + keywords
}

// isSystem reports whether a header lies in one of the folders of system headers.
func (h *Host) isSystem(name string) bool {
	return slices.ContainsFunc(h.Dirs, func(dir string) bool { return strings.HasPrefix(name, dir+"/") })
}

// floatn stands for bits/floatn.h of glibc, and floatn-common.h, without the types _Float16 to _Float128x, whose
// functions are most of what its headers declare, and which no region holds.
const floatn = `
#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 0
#define __HAVE_FLOAT64X_LONG_DOUBLE 0
#define __HAVE_FLOAT16 0
#define __HAVE_FLOAT32 0
#define __HAVE_FLOAT64 0
#define __HAVE_FLOAT32X 0
#define __HAVE_FLOAT128X 0
#define __HAVE_DISTINCT_FLOAT16 0
#define __HAVE_DISTINCT_FLOAT32 0
#define __HAVE_DISTINCT_FLOAT64 0
#define __HAVE_DISTINCT_FLOAT32X 0
#define __HAVE_DISTINCT_FLOAT64X 0
#define __HAVE_DISTINCT_FLOAT128X 0
#define __HAVE_FLOAT128_UNLIKE_LDBL 0
#define __HAVE_FLOATN_NOT_TYPEDEF 0
`

// unread are types that the C front end does not know, and what clang's tgmath.h calls functions of one name with.
var unread = regexp.MustCompile(`\b(_Float16|__bf16|__fp16|_Float32x?|_Float64x?|_Float128x?|__float128|__ibm128|_Decimal(32|64|128)|_TG_ATTRSp?)\b`)

// unreadWords are in what unread matches: most headers hold none of them.
var unreadWords = [][]byte{[]byte("_Float"), []byte("__bf16"), []byte("__fp16"), []byte("__float128"), []byte("__ibm128"), []byte("_Decimal"), []byte("_TG_ATTRS")}

// isUnread reports whether text has such a type in it.
func isUnread(text []byte) bool {
	return slices.ContainsFunc(unreadWords, func(word []byte) bool { return bytes.Contains(text, word) }) && unread.Match(text)
}

// declarations returns the text of a system header as far as it is read: bodies of functions are left out, and
// what is declared with types that the C front end does not know. Lines stay where they are.
func declarations(name string, text []byte) []byte {
	base := filepath.Base(name)
	if filepath.Base(filepath.Dir(name)) == "bits" && (base == "floatn.h" || base == "floatn-common.h") {
		return []byte(floatn)
	}
	strange := isUnread(text)
	if !strange && bytes.IndexByte(text, '{') < 0 {
		return text
	}
	items, ok := itemsOf(text)
	if !ok {
		return text
	}
	out := bytes.Clone(text)
	instructions := strings.HasSuffix(base, "intrin.h")
	for _, it := range items {
		switch {
		case strange && isUnread(text[it.from:it.to]), instructions && !types.Match(text[it.from:it.to]):
			blank(out, it.from, it.to)
		case it.body > 0:
			blank(out, it.body, it.to)
			out[it.body] = ';'
		}
	}
	if instructions {
		out = calls.ReplaceAllFunc(out, func(macro []byte) []byte {
			macro = bytes.Clone(macro)
			blankAll(macro)
			return macro
		})
	}
	return out
}

// Of the headers with the instructions of x86 as functions and macros, which are large and which no region holds, types
// are read and other macros.
var (
	types = regexp.MustCompile(`^(typedef|enum)\b`)
	calls = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+\w+\(([^\\\n]|\\[\n[:^cntrl:]])*\n`)
)
