package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
)

// This file asks the C compiler of the machine for its macros and for the folders of its headers.

// hostTime bounds how long a compiler may take to answer.
const hostTime = 5 * time.Second

// host returns what --headers asks for: nil for the headers that are built in. It says with -v what it found. The error
// is that a compiler which was named, by HostCompiler, does not do.
func (s *session) host(f *sourceFlags) (*hexcc.Host, error) {
	say := func(format string, args ...any) {
		if f.Verbose {
			s.remark(fmt.Sprintf("headers: "+format+"\n", args...))
		}
	}
	if len(f.HostCompiler) > 0 {
		words := f.HostCompiler
		host, err := askHost(words, f.PreInclude)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(words, " "), err)
		}
		say("those of %s, in %s", strings.Join(words, " "), strings.Join(host.Dirs, ", "))
		return host, nil
	}
	if f.Headers != "host" {
		say("those that are built in, as --headers=%s asks for", f.Headers)
		return nil, nil
	}
	compiler, err := hostCompiler()
	if err != nil {
		say("those that are built in: %v", err)
		return nil, nil
	}
	host, err := askHost(append([]string{compiler}, f.HostFlag...), f.PreInclude)
	if err != nil {
		say("those that are built in: %s: %v", compiler, err)
		return nil, nil
	}
	say("those of %s, in %s", host.Compiler, strings.Join(host.Dirs, ", "))
	return host, nil
}

// hostCompiler returns the C compiler of the machine: what HEXCC_CC or CC names, or else cc, gcc or clang.
func hostCompiler() (string, error) {
	for _, name := range []string{os.Getenv("HEXCC_CC"), os.Getenv("CC"), "cc", "gcc", "clang"} {
		words := strings.Fields(name)
		if len(words) != 1 { // "" or a compiler with flags or a wrapper before it
			continue
		}
		if path, err := exec.LookPath(words[0]); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no C compiler: HEXCC_CC and CC name none, and cc, gcc and clang are not there")
}

// askHost returns what a compiler says of itself, with flags after its path, from the user's cache if it is there. includes
// are what it is to read before a file.
func askHost(words, includes []string) (*hexcc.Host, error) {
	place := hostCache(words)
	host := &hexcc.Host{}
	if text, err := os.ReadFile(place); err == nil && json.Unmarshal(text, host) == nil && host.Compiler == words[0] && fitHost(host) == nil {
		host.Accepts = accepts(words, includes)
		return host, nil
	}
	host, err := readHost(words)
	if err != nil {
		return nil, err
	}
	if text, err := json.Marshal(host); err == nil && place != "" {
		keepHost(place, text)
	}
	host.Accepts = accepts(words, includes)
	return host, nil
}

// hostFlags are how a compiler is asked: C, nothing but what it defines and searches by itself.
var hostFlags = []string{"-E", "-dM", "-v", "-x", "c", os.DevNull}

// compilersAsk are variables of the environment that say where compilers search besides, and which one a wrapper runs.
var compilersAsk = []string{"CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "SDKROOT", "OMPI_CC", "MPICH_CC", "I_MPI_CC"}

// hostCache returns where the answer of a compiler is kept, "" if it cannot be: by what tells this
// version of it from another.
func hostCache(words []string) string {
	compiler := words[0]
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	info, err := os.Stat(compiler)
	if err != nil {
		return ""
	}
	key := fmt.Sprint(hexcc.Version, "\n", compiler, "\n", info.ModTime().UnixNano(), "\n", info.Size(), "\n", words[1:], hostFlags)
	for _, name := range compilersAsk {
		key += "\n" + os.Getenv(name)
	}
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(dir, "hexcc", fmt.Sprintf("host-%x.json", sum[:16]))
}

// keepHost writes a file of the cache whole or not at all. That it cannot is no error: it is asked for again.
func keepHost(place string, text []byte) {
	if os.MkdirAll(filepath.Dir(place), 0o755) != nil {
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(place), "host-*.tmp")
	if err != nil {
		return
	}
	_, err = temp.Write(text)
	if errors.Join(err, temp.Close()) != nil || os.Rename(temp.Name(), place) != nil {
		os.Remove(temp.Name())
	}
}

// runHost runs a compiler, for a short time.
func runHost(compiler string, input []byte, args ...string) (stdout, stderr []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), hostTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, compiler, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = time.Second // a wrapper's child may keep the pipes
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("no answer in %v", hostTime)
		}
		return out.Bytes(), errs.Bytes(), err
	}
	return out.Bytes(), errs.Bytes(), nil
}

var (
	searched  = regexp.MustCompile(`(?s)#include <\.\.\.> search starts here:\n(.*?)End of search list`)
	directive = regexp.MustCompile(`(?m)^#define [^\n]*\n`)
)

// readHost asks a compiler.
func readHost(words []string) (*hexcc.Host, error) {
	out, errs, err := runHost(words[0], nil, slices.Concat(words[1:], hostFlags)...)
	if err != nil {
		return nil, err
	}
	host := &hexcc.Host{Compiler: words[0], Macros: string(bytes.Join(directive.FindAll(out, -1), nil))}
	if m := searched.FindSubmatch(errs); m != nil {
		for line := range strings.Lines(string(m[1])) {
			dir := strings.TrimSpace(line)
			if !strings.HasSuffix(dir, " (framework directory)") {
				host.Dirs = append(host.Dirs, filepath.Clean(dir))
			}
		}
	}
	return host, fitHost(host)
}

// fitHost returns why the headers of a compiler do not do: hexcc reads C for one machine, with 32-bit int, 64-bit long and
// pointers, signed char, the lowest byte first.
func fitHost(host *hexcc.Host) error {
	if len(host.Dirs) == 0 {
		return errors.New("it names no folders of headers")
	}
	for _, want := range []string{"__SIZEOF_INT__ 4", "__SIZEOF_LONG__ 8", "__SIZEOF_POINTER__ 8", "__SIZEOF_SHORT__ 2", "__CHAR_BIT__ 8", "__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__"} {
		if !strings.Contains(host.Macros, "#define "+want+"\n") {
			return fmt.Errorf("it compiles for a machine without %s", want)
		}
	}
	if strings.Contains(host.Macros, "#define __CHAR_UNSIGNED__ ") {
		return errors.New("its char is unsigned")
	}
	return nil
}

// accepts returns what asks a compiler whether it takes a file.
func accepts(words, includes []string) func(hexcc.Source, []string, []string, []string) error {
	return func(src hexcc.Source, dirs, defines, undefines []string) error {
		args := append(slices.Clone(words[1:]), "-fsyntax-only", "-w", "-x", "c", "-iquote", filepath.Dir(src.Name))
		for _, i := range includes {
			args = append(args, "-include", i)
		}
		for _, d := range dirs {
			args = append(args, "-I", d)
		}
		for _, d := range defines {
			args = append(args, "-D", d)
		}
		for _, d := range undefines {
			args = append(args, "-U", d)
		}
		_, errs, err := runHost(words[0], src.Text, append(args, "-")...)
		if err != nil {
			return fmt.Errorf("%w: %s", err, errs)
		}
		return nil
	}
}
