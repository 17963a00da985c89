package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// This file replays the ways of a cell, by bench/sass in a process of its own: one that takes too long is ended, and others go on.

// A replayer runs bench/sass.
type replayer struct {
	path, cache string
	limit       time.Duration // of a cell
}

// replay returns what is found of a cell.
func (r replayer) replay(c cell, e Entry) (Entry, error) {
	file, err := os.CreateTemp("", "hexcc-choice-")
	if err != nil {
		return e, err
	}
	file.Close()
	defer os.Remove(file.Name())
	ctx, cancel := context.WithTimeout(context.Background(), r.limit)
	defer cancel()
	var says bytes.Buffer
	cmd := exec.CommandContext(ctx, r.path, "-kernel=choice", "-cases="+c.path, "-only=.", "-arch="+c.arch, "-grid="+e.Grid, "-cache="+r.cache, "-json="+file.Name())
	cmd.Stderr, cmd.WaitDelay = &says, time.Second
	start := time.Now()
	err = cmd.Run()
	e.Work = time.Since(start).Round(time.Millisecond).Seconds()
	first, _, _ := strings.Cut(says.String(), "\n")
	switch ended := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		e.Why = fmt.Sprintf("it took longer than %v", r.limit)
		return e, nil
	case errors.As(err, &ended):
		return e, fmt.Errorf("%s: %w: %s", r.path, err, first)
	case err != nil:
		return e, err
	}
	text, err := os.ReadFile(file.Name())
	if err != nil {
		return e, err
	}
	if e.Ways, err = readWays(text); len(e.Ways) == 0 {
		e.Why = strings.TrimPrefix(first, c.name+", "+c.arch+": ")
	}
	return e, err
}

// readWays reads the lines that bench/sass writes with -json.
func readWays(text []byte) (ways []Way, err error) {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var w Way
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			return nil, err
		}
		ways = append(ways, w)
	}
	return ways, nil
}
