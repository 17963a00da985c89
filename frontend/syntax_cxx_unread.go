package frontend

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file finds which name of namespace std is behind an error of the C front end: what it says of a place where such a name was left as it is, that a '<' is
// unexpected there or that a variable is not declared, tells nothing.

// cxxLibraryHelp says what to write instead of names of namespace std that are not read.
var cxxLibraryHelp = func() map[string]string {
	helps := map[string]string{
		"function":   "let it be a function of the file, a lambda in front of the region, const auto g = [=](double x) { .. };, or an object of a class with an operator() that a template takes: template <class F> void f(F g)",
		"shared_ptr": "let a reference stand for what it leads to, Grid &g = *p;, in a function that calls the one with the region with g",
		"valarray":   "use std::vector",
		"complex":    "let its parts be float or double, std::complex<double>, not the parameter of a template",
	}
	for _, name := range strings.Fields("map unordered_map set unordered_set multimap list forward_list deque queue stack priority_queue string string_view optional variant any bitset") {
		helps[name] = "copy what the region uses to numbers, arrays or a std::vector in front of it"
	}
	for _, name := range strings.Fields("accumulate reduce transform_reduce inner_product partial_sum adjacent_difference exclusive_scan inclusive_scan iota for_each for_each_n transform generate generate_n max_element min_element count count_if sort rotate replace") {
		helps[name] = "write it as a loop over the elements"
	}
	return helps
}()

// cxxLibraryRead are names of namespace std that are read, where what stands around them is.
var cxxLibraryRead = strings.Fields("vector array unique_ptr make_unique span min max clamp abs swap move fill fill_n copy copy_n begin end cbegin cend data size cout cerr clog endl chrono")

// quotedNames matches what messages of the C front end say of variables and members that it does not know.
var quotedNames = regexp.MustCompile(`^(?:'(\w+)' is not declared|type .* has no member named (\w+)|undefined: (\w+))$`)

// inCxx says of errors that the file is C++, and which name of namespace std is behind them.
func (f *file) inCxx(errs diag.List) diag.List {
	var toks []cxxToken
	for i, d := range errs {
		if d.Code != "HX005" {
			continue
		}
		if toks == nil {
			toks, _, _ = joinedTokens(f.text)
		}
		with := *d
		with.Notes = append(slices.Clone(d.Notes), diag.Note{Msg: "of a C++ file, regions, the heads of the functions around them and the functions that they call must be in the part of C++ that is C, or nearly"})
		with.Help = "write it as C does, or keep it out of the region"
		if k, name, as := unreadBehind(toks, f.offsetOf(d.At.Pos), d.Msg); k >= 0 {
			with.At, with.Msg, with.Help = f.spanOf(toks[k].from, toks[k].to), as, libraryHelp(name)
		}
		errs[i] = &with
	}
	return errs
}

// libraryHelp returns what to do about a name of namespace std that is not read.
func libraryHelp(name string) string {
	if help := cxxLibraryHelp[name]; help != "" {
		return help
	}
	return "use numbers, arrays, std::vector and functions of <cmath>, or keep it out of the region"
}

// unreadBehind returns the token that is to blame for an error at an offset, the name of namespace std that is not read, and what to say of it; -1 if there is none.
func unreadBehind(toks []cxxToken, offset int, msg string) (at int, unread, as string) {
	at = slices.IndexFunc(toks, func(t cxxToken) bool { return t.from <= offset && offset < t.to })
	if at < 0 {
		return -1, "", ""
	}
	if m := quotedNames.FindStringSubmatch(msg); m != nil {
		name := m[1] + m[2] + m[3]
		k := declaredUnread(toks, name)
		if k < 0 {
			return -1, "", ""
		}
		for j := at; j < len(toks) && toks[j].s != ";"; j++ {
			if toks[j].s == name {
				at = j
				break
			}
		}
		if toks[at].s != name {
			return -1, "", ""
		}
		return at, unreadName(toks, k), "'" + name + "' is of type 'std::" + unreadName(toks, k) + "', which is not read"
	}
	if !isUnexpected(&diag.Diagnostic{Msg: msg}) {
		return -1, "", ""
	}
	from := at
	for from > 0 && !slices.Contains([]string{";", "{", "}", "("}, toks[from-1].s) && toks[from-1].kind != cxxDirective {
		from--
	}
	for k := from; k < len(toks) && (k <= at || !slices.Contains([]string{";", "{", "}"}, toks[k].s)); k++ {
		if name := unreadName(toks, k); name != "" {
			return k, name, "'std::" + name + "' is not read"
		}
	}
	return -1, "", ""
}

// unreadName returns the name of namespace std that token k is, "" if it is none or one that is read.
func unreadName(toks []cxxToken, k int) string {
	name := toks[k].s
	if toks[k].kind != cxxWord || k < 2 || toks[k-1].s != "::" || toks[k-2].s != "std" || slices.Contains(cxxLibraryRead, name) || slices.Contains(cxxNumbers, name) {
		if toks[k].kind != cxxWord || k < 1 || cxxLibraryHelp[name] == "" || k+1 == len(toks) || toks[k+1].s != "<" || toks[k-1].s == "::" || toks[k-1].s == "." || toks[k-1].s == "->" {
			return ""
		}
		return name // without std::, by a using directive
	}
	if _, computable := scop.Computable(name); computable || partOf(name) != "" {
		return ""
	}
	return name
}

// declaredUnread returns the name of namespace std that is not read, and by which a variable or member called name is declared; -1 if there is none.
func declaredUnread(toks []cxxToken, name string) int {
	for k := range toks {
		if unreadName(toks, k) == "" {
			continue
		}
		j := k + 1
		for depth := 0; j < len(toks) && (depth > 0 || toks[j].s == "<"); j++ {
			switch toks[j].s {
			case "<":
				depth++
			case ">":
				depth--
			}
			if depth == 0 {
				j++
				break
			}
		}
		for j < len(toks) && slices.Contains([]string{"&", "*", "const", "&&"}, toks[j].s) {
			j++
		}
		if j+1 < len(toks) && toks[j].s == name && slices.Contains([]string{";", ",", ")", "=", "{", "(", "["}, toks[j+1].s) {
			return k
		}
	}
	return -1
}
