// Command poly measures package poly beside isl, on two sets of operations: those that compiling the cases of testdata asks of
// it, in bench/poly/testdata/operations.txt, which `make record-poly` writes anew, and what a compiler asks of sets and relations on those of isl's
// own tests, in isl.txt, made by -extract, each kind of operation as often as compiling asks for it. Those that it does
// not ask for count as often as they have inputs.
//
// Both sides parse the operands anew for each call, outside of the time, and the fastest of several runs counts, in time of the
// processor, each of as many calls as the grain of the timer asks for. Ours and isl's are measured in turn, again where ours seems
// slow, so that what else the machine does decides nothing; that of isl is measured within Python, less what an islpy call
// takes that does next to nothing. All results are compared, by isl.
//
// The exit status is 1 if results differ, an operation gives up or a time is beyond the goals, and 5 without islpy.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// The sets of operations.
const (
	compiledSet = "bench/poly/testdata/operations.txt"
	testsSet    = "bench/poly/testdata/isl.txt"
)

func main() {
	paths := flag.String("operations", compiledSet+","+testsSet, "the recorded operations: files between commas")
	record := flag.String("record", "", "instead of measuring, record the operations of compiling these cases")
	extract := flag.String("extract", "", "instead of measuring, write operations on the sets in the sources of isl below this folder")
	python := flag.String("python", "python3", "a Python that has islpy")
	runs := flag.Int("runs", 5, "runs of each operation, besides a first one; the fastest counts")
	only := flag.String("only", "", "measure only operations of this name, such as Map.Domain")
	slow := flag.Int("slow", 5, "how many of the worst ratios to show, with their operands")
	compare := flag.Bool("compare", false, "compare results only, and measure no time")
	flag.Parse()
	files := strings.Split(*paths, ",")
	var err error
	switch {
	case *record != "":
		err = writeOperations(files[0], *record)
	case *extract != "":
		err = extractInputs(files[len(files)-1], *extract, files[0])
	default:
		var lacking []error
		for _, path := range files {
			run := func() error { return benchSet(path, *python, *only, *runs, *slow) }
			if *compare {
				run = func() error { return compareSet(path, *python, *only) }
			}
			e := run()
			if none := (*noOperationError)(nil); errors.As(e, &none) {
				lacking = append(lacking, e)
				continue
			}
			err = errors.Join(err, e)
		}
		if len(lacking) == len(files) {
			err = errors.Join(lacking...)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/poly:", err)
		if missing := (*noISLError)(nil); errors.As(err, &missing) {
			os.Exit(5)
		}
		os.Exit(1)
	}
}

// compareSet compares the results of the operations of a file with those of isl, measures nothing, and says how many it compared.
func compareSet(path, python, only string) error {
	list, err := answered(path, python, only, 0)
	if err != nil {
		return err
	}
	compared := 0
	for _, c := range list {
		if c.verdict == same {
			compared++
		}
	}
	if compared == 0 {
		return fmt.Errorf("%s: nothing compared", path)
	}
	fmt.Printf("%s: %d of %d results compared with isl's: equal\n", path, compared, len(list))
	return nil
}

// benchSet measures the operations of a file and says which are beyond the goals.
func benchSet(path, python, only string, runs, slow int) error {
	worst := float64(goalTests)
	if !strings.HasSuffix(path, "isl.txt") {
		worst = goalCompiled
	}
	fmt.Println(path)
	rows, all, err := bench(path, python, only, runs, slow, worst)
	if err != nil {
		return err
	}
	if err := beyondGoals(rows, all, worst); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// maxUnknown is the share of the results, in percent, that may be left undecided: too long for isl, or not decided by it within its bounded steps, or by package poly within its own.
const maxUnknown = 2

// The verdicts of isl on a result that is not another one than its own.
const (
	same    = "ok"
	unknown = "unknown" // it is too long, or would take too many steps to tell
	none    = "none"    // isl has no such operation
	beyond  = "beyond"  // it passes a bound of package poly, as when it was recorded
)

// answered returns the operations of a file with their results compared with isl's, which is to be so for all but a few, and
// with the times of the fastest of several runs. Without runs nothing is measured. Operations whose results differ are an error.
func answered(path, python, only string, runs int) ([]call, error) {
	list, err := readCalls(path, only)
	if err != nil {
		return nil, err
	}
	judge, err := startISL(python)
	if err != nil {
		return nil, err
	}
	defer judge.stop()
	wrong, undecided, passed := 0, 0, 0
	for i := range list {
		c := &list[i]
		var got any
		err := measureSteadily(c, func(c *call) error {
			if err := poly.Limited(func() error { got = measure(c, runs); return nil }); err != nil {
				c.verdict = beyond
				return nil
			}
			return judge.measure(c, got, runs)
		})
		if err != nil {
			return nil, err
		}
		switch c.verdict {
		case same, none:
		case unknown:
			undecided++
		case beyond:
			passed++
		default:
			wrong++
			fmt.Printf("%s\na    %s\nb    %s\ngot  %v\nisl: %s\n", c.name, c.a, c.b, got, c.verdict)
		}
	}
	if undecided > 0 {
		fmt.Printf("%d of %d results not compared: too long, or isl would take too many steps\n", undecided, len(list))
	}
	if passed > 0 {
		fmt.Printf("%d of %d results not compared: they pass a bound\n", passed, len(list))
	}
	if 100*(undecided+passed) > maxUnknown*len(list) {
		return nil, fmt.Errorf("more than %d%% of the results are not compared", maxUnknown)
	}
	if wrong > 0 {
		return nil, fmt.Errorf("%d of %d results are not equal", wrong, len(list))
	}
	return slices.DeleteFunc(list, func(c call) bool { return c.verdict == beyond }), nil
}

// bench measures all recorded operations, and prints and returns the table.
func bench(path, python, only string, runs, slow int, worst float64) (rows []*row, all row, err error) {
	list, err := answered(path, python, only, max(runs, 1))
	if err != nil {
		return nil, row{}, err
	}
	rows, all = summed(list)
	printTable(rows, all, worst)
	printWork(rows, all)
	printWorst(list, slow)
	return rows, all, nil
}
