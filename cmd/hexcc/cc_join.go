package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/hexcc/hexcc/internal/ccline"
)

// This file compiles a translation in two: the source with calls in place of regions, and the functions that are called, which take
// longer. The objects are joined to one, which is what the compiler would have made. What the compiler makes of the functions is
// kept, and taken again where they, its flags and its own macros are the same, whatever has changed in the rest of the source.

// A joiner joins objects.
type joiner struct{ ld, objcopy string }

// wholeUnits are beginnings of options by which compilers look at a translation unit as a whole, or write more of it than its object.
var wholeUnits = []string{
	"-flto", "-fwhole-program", "-fprofile", "-fauto-profile", "-fbranch-probabilities", "--coverage", "-coverage", "-ftest-coverage", "-fdump", "-d", "-fplugin", "-save-temps", "--save-temps",
	"-fsave-optimization-record", "-fopt-info", "-fstack-usage", "-fcallgraph-info", "-gsplit-dwarf", "-emit-", "-Xclang", "-wrapper", "-fthinlto", "-fembed", "-Wa,", "-Xassembler", "-aux-info", "-frecord-gcc-switches", "-frandom-seed",
	"-ftime-", "-foffload",
}

// wholeUnit are such options.
var wholeUnit = []string{"-S", "-v", "-r", "-Wl,-r", "-m32", "-mx32"}

// joiner returns what joins objects for the compiler, nil where translations are to be compiled as one: by what the command asks for, or as there are no
// such tools.
func (s *step) joiner() *joiner {
	if runtime.GOOS != "linux" || s.line.Output == "-" {
		return nil
	}
	if info, err := os.Stat(s.line.Output); err == nil && !info.Mode().IsRegular() { // as /dev/null, which a linker may remove
		return nil
	}
	files := 0
	for i := 0; i < len(s.line.Args); {
		word := s.line.Args[i]
		if word == "" || word[0] != '-' || word == "-" {
			files++
			i++
			continue
		}
		o := ccline.Split(s.line.Args[i:])
		if slices.Contains(wholeUnit, word) || slices.ContainsFunc(wholeUnits, func(o string) bool { return strings.HasPrefix(word, o) }) || o.Name == "-x" && s.line.Stage == ccline.Link {
			return nil
		}
		i += o.Words
	}
	if s.line.Stage == ccline.Compile && files != 1 || slices.ContainsFunc(s.units, func(p *part) bool { return p.Name == "-" }) {
		return nil
	}
	var j joiner
	var wait sync.WaitGroup
	for name, path := range map[string]*string{"ld": &j.ld, "objcopy": &j.objcopy} {
		wait.Go(func() {
			var out bytes.Buffer
			cmd := exec.Command(s.line.Compiler, "-print-prog-name="+name)
			cmd.Stdout = &out
			if status, err := s.running.run(cmd); err == nil && status == 0 {
				*path, _ = exec.LookPath(strings.TrimSpace(out.String())) // "": there is none
			}
		})
	}
	if wait.Wait(); j.ld == "" || j.objcopy == "" {
		return nil
	}
	return &j
}

// joined compiles what the command names, each translation to an object of two, and links what is to be linked.
func (s *step) joined() int {
	of := map[int]*part{}
	for _, p := range s.units {
		if !p.plain {
			of[p.At] = p
		}
	}
	if s.line.Stage == ccline.Link {
		args := slices.Clone(s.line.Args)
		for at, p := range of {
			args[at] = strings.TrimSuffix(p.path, filepath.Ext(p.path)) + ".o"
			if status := s.compileJoined(p, args[at]); status != 0 {
				return status
			}
		}
		return s.compile(append(append(slices.Clone(s.line.Wrappers), s.line.Compiler), ccline.Without(args)...))
	}
	p := of[s.line.Inputs[0].At]
	if p == nil {
		return s.compile(s.command(nil, ccline.Without(s.line.Args)))
	}
	return s.compileJoined(p, cmp.Or(s.line.Output, strings.TrimSuffix(filepath.Base(p.Name), filepath.Ext(p.Name))+".o"))
}

// compileJoined compiles a part to an object: its two parts at the same time.
func (s *step) compileJoined(p *part, object string) int {
	inside := func(name string) string { return filepath.Join(p.dir.path, name) }
	source, functions := inside("hexcc-source.o"), inside("hexcc-regions.o")
	var wait sync.WaitGroup
	var status, other int
	wait.Go(func() {
		status = s.compile(s.command([]*part{p}, append(s.compiling(p, p.path), "-c", "-o", source)))
	})
	wait.Go(func() { other = s.compileFunctions(p, functions) })
	wait.Wait()
	if status = cmp.Or(status, other); status != 0 {
		return status
	}
	names, err := hiddenNames(functions)
	if err != nil {
		return s.fail("%s: %v", functions, err)
	}
	both := inside("hexcc-both.o")
	if status := s.compile([]string{s.joins.ld, "-r", "-o", both, source, functions}); status != 0 {
		return status
	}
	words := []string{s.joins.objcopy}
	for _, n := range names {
		words = append(words, "--localize-symbol="+n)
	}
	return s.compile(append(words, both, object))
}

// hiddenNames returns the functions that an object of regions defines for the source.
func hiddenNames(object string) (names []string, err error) {
	f, err := elf.Open(object)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	for _, y := range symbols {
		if elf.ST_VISIBILITY(y.Other) == elf.STV_HIDDEN && y.Section != elf.SHN_UNDEF && elf.ST_TYPE(y.Info) == elf.STT_FUNC && strings.HasPrefix(y.Name, "hexcc_") {
			names = append(names, y.Name)
		}
	}
	return names, nil
}

// compileFunctions makes the object of the functions of a part: of what is kept, or by the compiler.
func (s *step) compileFunctions(p *part, object string) int {
	args := s.ofFunctions(p)
	words := append(append(slices.Clone(s.line.Wrappers), s.line.Compiler), args...)
	place := s.functionsPlace(p, args)
	if place != "" && takeFile(place, object) {
		return exitDone
	}
	if status := s.compile(append(words, "-c", "-o", object)); status != 0 {
		return status
	}
	if place != "" {
		if text, err := os.ReadFile(object); err == nil && !bytes.Contains(text, []byte(p.dir.path)) {
			keepHost(place, text)
			tidy(filepath.Dir(place))
		}
	}
	return exitDone
}

// compiling returns the arguments of the compiler for what is compiled in place of a part, at path, without -c and -o.
func (s *step) compiling(p *part, path string) (args []string) {
	given := s.only(p.At, path, s.line.Stage == ccline.Link)
	for len(given) > 0 {
		words := 1
		if strings.HasPrefix(given[0], "-") {
			o := ccline.Split(given)
			if words = o.Words; o.Name == "-o" || o.Name == "-c" {
				given = given[words:]
				continue
			}
		}
		args, given = append(args, given[:words]...), given[words:]
	}
	return args
}

// ofFunctions returns the arguments of the compiler for the functions of a part: they need none of the user's headers. What debuggers show of them lies
// beside the source.
func (s *step) ofFunctions(p *part) (args []string) {
	source := filepath.Join(p.dir.path, functionsFile)
	given := s.compiling(p, source)
	for len(given) > 0 {
		word, words := given[0], 1
		switch {
		case word == source && p.Cxx:
			args = append(args, "-x", "c++", word)
		case word == source:
			args = append(args, "-x", "c", word)
		default:
			o := ccline.Split(given)
			if words = o.Words; o.Name != "-x" && o.Name != "-include" && o.Name != "-imacros" {
				args = append(args, given[:words]...)
			}
		}
		given = given[words:]
	}
	if s.line.Debug {
		args = append(args, "-fdebug-prefix-map="+p.dir.path+"="+filepath.Dir(p.Name))
	}
	if s.line.Warns {
		args = append(args, "-w")
	}
	return args
}

// functionsPlace returns where the object of the functions of a part is kept, "" where it is not: by the compiler's arguments, and what its preprocessor
// makes of the functions, all of its own macros with it, which say its version and for what machine it compiles.
func (s *step) functionsPlace(p *part, args []string) string {
	folder := keptFolder(keptObjects)
	here, err := os.Getwd()
	if folder == "" || s.noCache || err != nil {
		return ""
	}
	var seen bytes.Buffer
	cmd := exec.Command(s.line.Compiler, append(slices.Clone(args), "-E", "-dD")...)
	cmd.Stdout, cmd.Stderr = &seen, io.Discard
	if status, err := s.running.run(cmd); err != nil || status != 0 {
		return "" // the compiler says what is wrong
	}
	path, err := exec.LookPath(s.line.Compiler)
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	sum := sha256.New()
	write := func(words ...string) {
		for _, w := range words {
			fmt.Fprintf(sum, "%d %s\n", len(w), strings.ReplaceAll(w, p.dir.path, ""))
		}
	}
	write("functions", path, fmt.Sprint(info.ModTime().UnixNano(), info.Size()), here, filepath.Dir(p.Name))
	write(args...)
	for _, name := range compilersAsk {
		write(os.Getenv(name))
	}
	write(seen.String())
	return filepath.Join(folder, fmt.Sprintf("%x.o", sum.Sum(nil)[:20]))
}

// takeFile copies what is kept at a place.
func takeFile(place, to string) bool {
	text, err := os.ReadFile(place)
	if err != nil || !bytes.HasPrefix(text, []byte(elf.ELFMAG)) {
		return false
	}
	if os.WriteFile(to, text, 0o666) != nil {
		return false
	}
	asked(place)
	return true
}
