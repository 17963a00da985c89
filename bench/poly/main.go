// Command poly measures package poly beside isl, on the operations that compiling the cases of testdata asks of it. They
// are in bench/poly/testdata/operations.txt, which `make record-poly` writes anew. Both sides parse the operands anew for
// each call, outside of the time, and the fastest of several runs counts, each of as many calls as the grain of the timer
// asks for, more of them where ours seems slow, so that what else the machine does decides nothing; that of isl is measured within Python, less what an islpy call takes that does next to nothing. All results
// are compared, by isl.
//
// The exit status is 1 if results differ or a time is beyond the goals, and 5 without islpy.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	path := flag.String("operations", "bench/poly/testdata/operations.txt", "the recorded operations")
	record := flag.String("record", "", "instead of measuring, record the operations of compiling these cases")
	python := flag.String("python", "python3", "a Python that has islpy")
	runs := flag.Int("runs", 5, "runs of each operation, besides a first one; the fastest counts")
	only := flag.String("only", "", "measure only operations of this name, such as Map.Domain")
	slow := flag.Int("slow", 5, "how many of the worst ratios to show, with their operands")
	compare := flag.Bool("compare", false, "compare results only: no time is too long")
	flag.Parse()
	var err error
	switch {
	case *record != "":
		err = writeOperations(*path, *record)
	default:
		var rows []*row
		var all row
		rows, all, err = bench(*path, *python, *only, *runs, *slow)
		if err == nil && !*compare {
			err = beyondGoals(rows, all)
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

// maxUnknown is the share of the results, in percent, that isl may leave undecided within its bounded steps.
const maxUnknown = 2

// bench measures all recorded operations, and prints and returns the table. Operations whose results differ are an error.
func bench(path, python, only string, runs, slow int) (rows []*row, all row, err error) {
	list, err := readCalls(path, only)
	if err != nil {
		return nil, row{}, err
	}
	judge, err := startISL(python)
	if err != nil {
		return nil, row{}, err
	}
	defer judge.stop()
	wrong, unknown := 0, 0
	for i := range list {
		c := &list[i]
		var got any
		err := measureSteadily(c, func(c *call) error {
			got = measure(c, runs)
			return judge.measure(c, got, runs)
		})
		if err != nil {
			return nil, row{}, err
		}
		switch c.verdict {
		case "ok":
		case "unknown":
			unknown++
		default:
			wrong++
			fmt.Printf("%s\na    %s\nb    %s\ngot  %v\nisl: %s\n", c.name, c.a, c.b, got, c.verdict)
		}
	}
	rows, all = summed(list)
	printTable(rows, all)
	printWork(rows, all)
	printWorst(list, slow)
	if unknown > 0 {
		fmt.Printf("%d of %d results not compared: isl would take too many steps\n", unknown, len(list))
	}
	if 100*unknown > maxUnknown*len(list) {
		return nil, row{}, fmt.Errorf("more than %d%% of the results are not compared", maxUnknown)
	}
	if wrong > 0 {
		return nil, row{}, fmt.Errorf("%d of %d results are not equal", wrong, len(list))
	}
	return rows, all, nil
}
