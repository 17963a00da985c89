package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// This file keeps outcomes in a file, a line of JSON for each. The first line is the key: what the outcomes are of. A line is written at once when it is known, so
// that a process that is killed loses no more than what it was measuring; a last line that is not whole is dropped.

// A Key tells what outcomes are of. Outcomes of different keys cannot be compared.
type Key struct {
	Format   string `json:"hexcc-tune"` // of the log
	Program  string `json:"program"`    // a hash of all that is compiled
	Region   string `json:"region"`     // what of it
	Flags    string `json:"flags"`      // of hexcc, that all candidates share
	Target   string `json:"target"`
	Compiler string `json:"compiler"` // its version, and its flags
	Device   string `json:"device"`   // what programs run on
	Sizes    string `json:"sizes"`    // that they run at
	Made     string `json:"made"`     // by what: the version of hexcc
}

// Format is the format of logs.
const Format = "1"

// A MismatchError says that a log is of something else.
type MismatchError struct {
	File             string
	What, Logged, Is string // what differs, as it is in the log, and now
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s is a log of another %s: %s, not %s", e.File, e.What, e.Logged, e.Is)
}

// differs returns what of two keys differs, "" where nothing does.
func (k Key) differs(o Key) (what, mine, other string) {
	for _, f := range []struct{ what, mine, other string }{
		{"format", k.Format, o.Format}, {"version of hexcc", k.Made, o.Made}, {"program", k.Program, o.Program}, {"region", k.Region, o.Region},
		{"target", k.Target, o.Target}, {"device", k.Device, o.Device}, {"compiler", k.Compiler, o.Compiler}, {"size", k.Sizes, o.Sizes}, {"set of flags", k.Flags, o.Flags},
	} {
		if f.mine != f.other {
			return f.what, f.mine, f.other
		}
	}
	return "", "", ""
}

// A line is an outcome in the log.
type line struct {
	Candidate string     `json:"candidate"`
	Seconds   []float64  `json:"seconds,omitempty"`
	Rejected  *Rejection `json:"rejected,omitempty"`
}

// A Log is a file of outcomes that is open. A nil Log keeps nothing.
type Log struct {
	file *os.File
	have map[string]line
	// Dropped: the last line was not whole, as a process that is killed may leave it, and was cut off.
	Dropped bool
}

// Open opens the log of a key, with what it has, or makes it; anew: what it has goes. The error is a *MismatchError if it is that of another key.
func Open(path string, key Key, anew bool) (*Log, error) {
	key.Format = Format
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if anew {
		text = nil
	}
	l := &Log{have: map[string]line{}}
	good, err := l.read(path, text, key)
	if err != nil {
		return nil, err
	}
	if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	l.Dropped = good < len(text)
	if err = l.file.Truncate(int64(good)); err == nil {
		_, err = l.file.Seek(int64(good), io.SeekStart)
	}
	if err == nil && good == 0 {
		err = l.write(key)
	}
	if err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// read takes what text has, and returns how much of it are whole lines.
func (l *Log) read(path string, text []byte, key Key) (good int, err error) {
	number := 0
	for len(text) > good {
		whole, _, ended := bytes.Cut(text[good:], []byte("\n"))
		if !ended {
			break
		}
		if number++; number == 1 {
			var logged Key
			if err := strict(whole, &logged); err != nil {
				return 0, fmt.Errorf("%s is no log of hexcc tune: %w", path, err)
			}
			if what, has, is := logged.differs(key); what != "" {
				return 0, &MismatchError{path, what, has, is}
			}
		} else {
			var x line
			if err := strict(whole, &x); err != nil || x.Candidate == "" || (x.Rejected == nil) == (len(x.Seconds) == 0) {
				return 0, fmt.Errorf("%s:%d: no outcome of a candidate: %s", path, number, strings.TrimSpace(string(whole)))
			}
			l.have[x.Candidate] = x
		}
		good += len(whole) + 1
	}
	if number == 0 && len(text) > 0 && !bytes.HasPrefix(text, []byte(keyStart)) && !strings.HasPrefix(keyStart, string(text)) {
		return 0, fmt.Errorf("%s is no log of hexcc tune", path)
	}
	return good, nil
}

// keyStart is how a log starts.
const keyStart = `{"hexcc-tune":`

// strict reads JSON that has no other fields.
func strict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// write writes a line, and returns when it is in the file.
func (l *Log) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(text, '\n')); err != nil {
		return err
	}
	return l.file.Sync()
}

// append adds an outcome.
func (l *Log) append(o Outcome) error {
	if l == nil {
		return nil
	}
	return l.write(line{o.Name, o.Seconds, o.Rejected})
}

// known returns the outcome that the log has of a candidate.
func (l *Log) known(c Candidate) (o Outcome, ok bool) {
	if l == nil {
		return o, false
	}
	x, ok := l.have[c.Name]
	return Outcome{c, x.Seconds, x.Rejected, true}, ok
}

// Len returns how many outcomes it had when it was opened.
func (l *Log) Len() int { return len(l.have) }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
