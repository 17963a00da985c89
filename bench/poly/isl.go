package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed isl.py
var script string

// A judge is a Python process that measures isl, and compares our results with isl's.
type judge struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// A noISLError says that Python has no islpy.
type noISLError struct{ python string }

func (e *noISLError) Error() string {
	return e.python + ` has no islpy; this installs it, and "make bench-poly" then finds it:
	python3 -m venv .cache/venv && .cache/venv/bin/pip install islpy==$(cat .ci/islpy-version)
HEXCC_PYTHON=PROGRAM names another Python`
}

// startISL starts the process.
func startISL(python string) (*judge, error) {
	if err := exec.Command(python, "-c", "import islpy").Run(); err != nil {
		return nil, &noISLError{python}
	}
	cmd := exec.Command(python, "-c", script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &judge{cmd, in, bufio.NewReader(out)}, nil
}

// stop ends the process.
func (j *judge) stop() {
	j.in.Close()
	j.cmd.Wait()
}

// longest is the length of operands and result, as text, of what is only compared: isl takes most of its time for the few that are longer,
// and for most of them too many steps.
const longest = 100_000

// measure sets the time that isl takes for c, if there are runs, and its verdict on our result.
func (j *judge) measure(c *call, got any, runs int) error {
	question, err := json.Marshal(map[string]any{"op": c.name, "a": c.a, "b": c.b, "got": fmt.Sprint(got), "runs": runs})
	if err != nil {
		return err
	}
	if runs == 0 && len(question) > longest {
		c.verdict = unknown
		return nil
	}
	if _, err := fmt.Fprintf(j.in, "%s\n", question); err != nil {
		return err
	}
	line, err := j.out.ReadString('\n')
	if err != nil {
		return fmt.Errorf("%s: isl's process: %w", c.name, err)
	}
	var answer struct {
		Nanoseconds int64
		Verdict     string
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		return err
	}
	c.verdict = strings.TrimSpace(answer.Verdict)
	if answer.Nanoseconds != 0 {
		c.isl = max(time.Duration(answer.Nanoseconds), resolution)
	}
	return nil
}
