package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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

// A line is an outcome in the log, or a round of the final.
type line struct {
	Candidate string     `json:"candidate,omitempty"`
	Seconds   []float64  `json:"seconds,omitempty"` // of each repetition, or in a round of each candidate
	Rejected  *Rejection `json:"rejected,omitempty"`
	Round     []string   `json:"round,omitempty"` // the candidates
}

// valid reports whether a line has what it should, and nothing else.
func (x line) valid() bool {
	if x.Round != nil {
		return x.Candidate == "" && x.Rejected == nil && len(x.Round) == len(x.Seconds)
	}
	return x.Candidate != "" && (x.Rejected == nil) == (len(x.Seconds) > 0)
}

// A Log is a file of outcomes that is open. A nil Log keeps nothing.
type Log struct {
	file  *os.File
	have  map[string]line
	final []line // rounds
	// Dropped: the last line was not whole, as a process that is killed may leave it, and was cut off.
	Dropped bool
}

// ErrLocked is that another search has the log open. The system keeps the lock, which ends with the process that holds it, however that ends.
var ErrLocked = errors.New("another search writes to this log")

// Open opens the log of a key, with what it has, or makes it; anew: what it has goes. The error is ErrLocked, wrapped, while another process has it open, and a *MismatchError
// if it is that of another key.
func Open(path string, key Key, anew bool) (*Log, error) {
	key.Format = Format
	file, err := openLocked(path)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, have: map[string]line{}}
	if err := l.start(path, key, anew); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// start reads what the file has, and puts the key in front where it has nothing.
func (l *Log) start(path string, key Key, anew bool) error {
	text, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	if anew {
		text = nil
	}
	good, err := l.read(path, text, key)
	if err != nil {
		return err
	}
	l.Dropped = good < len(text)
	if err = l.file.Truncate(int64(good)); err == nil {
		_, err = l.file.Seek(int64(good), io.SeekStart)
	}
	if err == nil && good == 0 {
		err = l.write(key)
	}
	return err
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
			if err := strict(whole, &x); err != nil || !x.valid() {
				return 0, fmt.Errorf("%s:%d: no outcome of a candidate: %s", path, number, strings.TrimSpace(string(whole)))
			}
			if x.Round != nil {
				l.final = append(l.final, x)
			} else {
				l.have[x.Candidate] = x // the last counts: one that fails in the final had seconds before
			}
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
	return l.write(line{Candidate: o.Name, Seconds: o.Seconds, Rejected: o.Rejected})
}

// appendRound adds what candidates took in a round of the final.
func (l *Log) appendRound(names []string, seconds []float64) error {
	if l == nil {
		return nil
	}
	return l.write(line{Round: names, Seconds: seconds})
}

// rounds returns what the log has of rounds of just these candidates: only what ran by turns is compared.
func (l *Log) rounds(names []string) (all [][]float64) {
	if l == nil {
		return nil
	}
	for _, x := range l.final {
		if slices.Equal(x.Round, names) {
			all = append(all, x.Seconds)
		}
	}
	return all
}

// known returns the outcome that the log has of a candidate.
func (l *Log) known(c Candidate) (o Outcome, ok bool) {
	if l == nil {
		return o, false
	}
	x, ok := l.have[c.Name]
	return Outcome{Candidate: c, Seconds: x.Seconds, Rejected: x.Rejected, Logged: true}, ok
}

// Len returns how many outcomes it had when it was opened.
func (l *Log) Len() int { return len(l.have) }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
