package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// This file decides where an output goes, and what it must not replace.

// A place is where an output goes.
type place struct {
	outFile
	target string      // its path with symbolic links followed; "": a stream that is open
	old    fs.FileInfo // the regular file that is there; nil: none
	fd     int         // of the stream that is open; -1: none
	device bool        // it is written into: a device or a pipe
}

// place returns where f goes, or an error if nothing may be written there.
func (w writer) place(f outFile) (p place, err error) {
	p = place{outFile: f, fd: -1}
	if f.path == "-" {
		p.fd = 1
		return p, nil
	}
	if p.target, p.fd = follow(f.path); p.fd >= 0 {
		p.target = ""
		return p, nil
	}
	refuse := func(format string, args ...any) (place, error) {
		return p, fmt.Errorf("cannot write %s: %s", f.path, fmt.Sprintf(format, args...))
	}
	info, err := os.Lstat(p.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return p, unwritten(f, err)
	}
	switch what := kind(info.Mode()); what {
	case "":
	case "a device", "a pipe":
		p.device = true
		return p, nil
	default:
		return refuse("it is %s", what)
	}
	p.old = info
	for _, in := range w.inputs {
		if os.SameFile(in.info, info) {
			return refuse("it is %s, which was read: an input is never replaced; choose another name", in.name)
		}
	}
	if err := writable(p.target, info); err != nil {
		return refuse("%v; make it writable (chmod u+w) or choose another name", err)
	}
	if !w.force {
		ours, err := p.ours()
		if err != nil {
			return p, unwritten(f, err)
		}
		if !ours {
			return refuse("there is such a file already, and hexcc did not make it; choose another name, or replace it with --force")
		}
	}
	return p, nil
}

// writable returns an error if the file is read-only, also to those who may write all files.
func writable(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return errors.New("it is read-only")
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return reason(err)
	}
	return file.Close()
}

// markLines is how far from its start a file says that hexcc made it; markBytes bounds the length of these lines.
const (
	markLines = 3
	markBytes = 1 << 16
)

// ours reports whether what is at p may go: hexcc made it, or it is empty or what is to be written.
func (p place) ours() (bool, error) {
	file, err := os.Open(p.target)
	if err != nil {
		return false, err
	}
	defer file.Close()
	if p.old.Size() == 0 {
		return true, nil
	}
	if p.old.Size() == int64(len(p.text)) || p.rules && p.old.Size() < markBytes {
		text, err := io.ReadAll(io.LimitReader(file, p.old.Size()))
		if err != nil {
			return false, err
		}
		if bytes.Equal(text, p.text) || p.rules && onlyRules(string(text)) {
			return true, nil
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return false, err
		}
	}
	lines := bufio.NewReader(io.LimitReader(file, markBytes))
	for range markLines {
		line, _ := lines.ReadString('\n')
		if strings.Contains(line, ctext.Made) || strings.HasPrefix(line, "hexcc schedule ") || strings.HasPrefix(strings.TrimLeft(line, " "), `"hexcc-tuned":`) {
			return true, nil
		}
	}
	return false, nil
}

// A rule has files on the right, and so names with a dot or a slash.
var rule = regexp.MustCompile(`^[^\t#=;:][^#=;]*:( +[^#=; ]*[./][^#=; ]*)*$`)

// onlyRules reports whether text has nothing but make rules without commands for files, as compilers write for -MD.
func onlyRules(text string) bool {
	plainRule := strings.NewReplacer("\\ ", "_", `\#`, "_", "$(or =)", "_")
	some := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if line = strings.TrimRight(line, " \n"); line == "" {
			continue
		}
		if !rule.MatchString(plainRule.Replace(line)) {
			return false
		}
		some = true
	}
	return some
}

// same reports whether two outputs would be one file.
func (p place) same(q place) bool {
	switch {
	case p.target == "" || q.target == "":
		return p.target == q.target && p.fd == q.fd
	case p.old != nil || q.old != nil:
		return p.old != nil && q.old != nil && os.SameFile(p.old, q.old)
	case p.device || q.device:
		return p.device && q.device && p.target == q.target && !p.isNull()
	}
	a, errA := os.Stat(filepath.Dir(p.target))
	b, errB := os.Stat(filepath.Dir(q.target))
	return errA == nil && errB == nil && os.SameFile(a, b) && filepath.Base(p.target) == filepath.Base(q.target)
}

func (p place) isNull() bool { return p.target == os.DevNull }

// descriptors are names of open files of this process.
var descriptors = regexp.MustCompile(`^/(?:dev|proc/(?:self|thread-self|[0-9]+))/fd/([0-9]+)$`)

// follow returns path with its last part followed where it is a symbolic link, and the number of
// the open file that it stands for, such as 1 for /dev/stdout, or -1.
func follow(path string) (target string, fd int) {
	for range 40 {
		switch clean := filepath.Clean(path); clean {
		case "/dev/stdin":
			return path, 0
		case "/dev/stdout":
			return path, 1
		case "/dev/stderr":
			return path, 2
		default:
			if m := descriptors.FindStringSubmatch(clean); m != nil {
				if fd, err := strconv.Atoi(m[1]); err == nil {
					return path, fd
				}
			}
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to // not Join: it would take .. by the letter
		}
		path = to
	}
	return path, -1
}
