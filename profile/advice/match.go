package advice

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/profile"
)

// This file finds the kernels of a translation among those of a profile.

// kernelName is that of a kernel of hexcc: base, region and part.
var kernelName = regexp.MustCompile(`^hexcc_(\w+)_(\d+)_(phase\d+|chains)(_long)?$`)

// useless is the diagnostic that a profile is of no use.
func useless(file string, line int, help, format string, args ...any) error {
	return &diag.Diagnostic{Code: "HX020", At: diag.Span{Pos: diag.Pos{File: file, Line: max(1, line), Col: 1}, Len: 1}, Msg: fmt.Sprintf(format, args...), Help: help}
}

const sameFlags = "give hexcc profile the flags with which the program was translated"

// basesOf returns what the files were called, as names of kernels have it, whose kernels a profile has.
func basesOf(measured []*profile.Measured) (all []string) {
	for _, m := range measured {
		if n := kernelName.FindStringSubmatch(m.Kernel); n != nil && !slices.Contains(all, n[1]) {
			all = append(all, n[1])
		}
	}
	return all
}

// chooseBase returns the base of the kernels that are meant: mine, or where the profile has none of that the one that it has, with a note; it was
// translated with -o.
func chooseBase(file, mine string, measured []*profile.Measured) (base, note string, err error) {
	bases := basesOf(measured)
	switch {
	case slices.Contains(bases, mine):
		return mine, "", nil
	case len(bases) == 1:
		return bases[0], fmt.Sprintf("its kernels are of a translation called %s, and are taken for those of this file", bases[0]), nil
	case len(bases) > 1:
		return "", "", useless(file, 1, "name one of them with --base", "it has kernels of %s, and none of %s", strings.Join(bases, " and "), mine)
	}
	var names []string
	for _, m := range measured {
		names = append(names, m.Kernel)
	}
	return "", "", useless(file, 1, "profile a program with a translation of this file, or with --kernel-name=regex:hexcc_", "it has no kernel of hexcc: it has %s", strings.Join(names, ", "))
}

// pairUp returns those of measured that are kernels of counted, with what was counted of them, and takes them off measured. The error says that
// they are not of this translation.
func pairUp(file, prefix string, measured []*profile.Measured, counted []profile.Counted, lines map[string]int) (pairs []profile.Pair, others []*profile.Measured, err error) {
	for _, m := range measured {
		if !strings.HasPrefix(m.Kernel, prefix) || kernelName.FindString(m.Kernel) == "" {
			others = append(others, m)
			continue
		}
		i := slices.IndexFunc(counted, func(c profile.Counted) bool { return c.Kernel == m.Kernel || slices.Contains(c.Also, m.Kernel) })
		if i < 0 {
			return nil, nil, useless(file, lines[m.Kernel], sameFlags, "it has %s, and the translation has %s", m.Kernel, kernelsOf(counted))
		}
		if c := counted[i]; m.Threads > 0 && m.Threads != c.Threads {
			return nil, nil, useless(file, lines[m.Kernel], sameFlags, "blocks of %s have %d threads in it, and %d in the translation", m.Kernel, m.Threads, c.Threads)
		}
		pairs = append(pairs, profile.Pair{Measured: m, Counted: counted[i]})
	}
	return pairs, others, nil
}

func kernelsOf(counted []profile.Counted) string {
	var names []string
	for _, c := range counted {
		names = append(names, c.Kernel)
	}
	return strings.Join(names, " and ")
}
