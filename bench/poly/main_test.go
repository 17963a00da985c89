package main

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestMain is the program itself where the test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_POLY_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// benchPoly runs the program, and returns its exit status and what it printed.
func benchPoly(t *testing.T, args ...string) (int, string) {
	cmd := exec.Command(os.Args[0], append([]string{"-operations", "testdata/operations.txt,testdata/isl.txt"}, args...)...)
	cmd.Env = append(os.Environ(), "BENCH_POLY_MAIN=1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestWithoutISL checks that the program says what to install: false is a Python without any module.
func TestWithoutISL(t *testing.T) {
	for _, python := range []string{"false", "no-such-program"} {
		status, out := benchPoly(t, "-python", python)
		assert.Equal(t, 5, status, out)
		assert.Contains(t, out, python+" has no islpy")
		assert.Contains(t, out, "pip install islpy==")
		assert.Contains(t, out, "HEXCC_PYTHON")
	}
}

// TestUnknownOperation checks the names that -only takes.
func TestUnknownOperation(t *testing.T) {
	status, out := benchPoly(t, "-only", "Map.Foo")
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "no operation Map.Foo; there are ")
	assert.Contains(t, out, "Map.Intersect")
}

// TestOnlyOurs measures an operation that isl does not have.
func TestOnlyOurs(t *testing.T) {
	python := tool.Python(t)
	status, out := benchPoly(t, "-python", python, "-only", "Map.MaxRatio", "-runs", "1")
	assert.Equal(t, 0, status, out)
	assert.Contains(t, out, "nothing to compare: isl has no such operation")
	assert.NotContains(t, out, "NaN")
}

// TestNothingCompared compares an operation that isl does not have, without any time: a check that compared nothing has failed.
func TestNothingCompared(t *testing.T) {
	status, out := benchPoly(t, "-python", tool.Python(t), "-only", "Map.MaxRatio", "-compare")
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "nothing compared")
}

// TestMeasureSteadily disturbs some of the runs.
func TestMeasureSteadily(t *testing.T) {
	runs := 0
	measured := func(ours ...time.Duration) call {
		runs = 0
		var c call
		assert.NoError(t, measureSteadily(&c, func(c *call) error {
			c.ours, c.isl = ours[runs]*time.Microsecond, time.Duration(runs+1)*time.Microsecond
			runs++
			return nil
		}))
		return c
	}
	assert.Equal(t, 3.0, func() float64 { c := measured(3); return c.ratio() }())
	assert.Equal(t, 1, runs)
	assert.Equal(t, 2.0, func() float64 { c := measured(300, 2); return c.ratio() }(), "once is noise")
	assert.Equal(t, 2, runs)
	assert.Equal(t, 30.0, func() float64 { c := measured(300, 30, 40, 50, 60); return c.ratio() }(), "slow each time")
	assert.Equal(t, 5, runs)
}

func TestGoals(t *testing.T) {
	list := []call{
		{name: "Set.A", ours: 10 * time.Microsecond, isl: time.Microsecond},
		{name: "Set.B", ours: 21 * time.Microsecond, isl: time.Microsecond},
		{name: "Set.B", ours: time.Microsecond, isl: 50 * time.Microsecond},
		{name: "Set.C", ours: time.Microsecond},
	}
	rows, all := summed(list)
	assert.EqualError(t, beyondGoals(rows, all, 20),
		"too slow: the geometric mean is 1.61 times isl's time, and the goal 0.5; Set.A takes 10.00 times isl's time, and the goal is 3; "+
			"Set.B takes up to 21.00 times isl's time, and the goal is 20")
	list[2].count = 9 // calls
	rows, all = summed(list[1:3])
	assert.EqualError(t, beyondGoals(rows, all, 20), "too slow: Set.B takes up to 21.00 times isl's time, and the goal is 20")
	assert.NoError(t, beyondGoals(rows, all, 21))
	rows, all = summed(list[3:])
	assert.NoError(t, beyondGoals(rows, all, 20))
}
