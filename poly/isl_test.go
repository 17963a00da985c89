package poly

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// This file compares operations with isl, by way of its Python module islpy: one process checks all results.

// islCases is the number of random cases of all operations together: go test ./poly -run ISL -isl=100000 looks further.
var islCases = flag.Int("isl", 1000, "number of random cases to compare with isl; in CI at least 4000, other ones in the next round, and with HEXCC_TESTS=all 8000")

// A question asks isl whether an operation on texts has a result.
type question struct{ op, a, b, x, got string }

// MarshalJSON returns the list that testdata/isl.py reads.
func (q question) MarshalJSON() ([]byte, error) {
	return json.Marshal([]string{q.op, q.a, q.b, q.x, q.got})
}

// An islProcess answers questions.
type islProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startISL(python string) (*islProcess, error) {
	cmd := exec.Command(python, "testdata/isl.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &islProcess{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

func (p *islProcess) stop() {
	p.in.Close()
	p.cmd.Wait()
}

// answer returns the answer to q, or that isl ran out of time, after which the process has ended.
func (p *islProcess) answer(q question) (answer string, ended bool) {
	text, err := json.Marshal(q)
	if err != nil {
		panic(err)
	}
	if _, err := fmt.Fprintf(p.in, "%s\n", text); err != nil {
		return "isl's process: " + err.Error(), true
	}
	answer, err = p.out.ReadString('\n')
	if err == nil {
		return strings.TrimSpace(answer), false
	}
	err = p.cmd.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && strings.Contains(exit.String(), "profiling timer expired") {
		return "undecided", true
	}
	return fmt.Sprintf("isl's process: %v", err), true
}

// judge asks isl all questions that ask yields, while it yields more, and calls answered with each and its answer, in order.
func judge(t *testing.T, ask func(yield func(question)), answered func(question, string)) {
	python := tool.Python(t)
	questions := make(chan question, 100000) // isl may lag behind by so many
	done := make(chan error)
	go func() {
		p, err := startISL(python)
		for q := range questions {
			if err != nil {
				continue
			}
			answer, ended := p.answer(q)
			answered(q, answer)
			if ended {
				p, err = startISL(python)
			}
		}
		if err == nil {
			p.stop()
		}
		done <- err
	}()
	ask(func(q question) { questions <- q })
	close(questions)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A tally counts the cases of an operation.
type tally struct{ cases, undecided, limited, wrong int }

// maxUndecided is the share, in percent, of the cases that isl may leave undecided, or that may pass a bound of ours.
const maxUndecided = 1

// TestISL compares every operation with isl, on random operands: parameters, unions, divs, quantifiers, named and nested
// tuples, 0 to 4 dimensions, small and large coefficients. The table it logs says how many cases each one got.
func TestISL(t *testing.T) {
	total, rounds := *islCases, 1
	if cases.Whole() {
		total = max(total, 8000)
	}
	if cases.InTurns() {
		total, rounds = total/2, 2
	}
	weights := 0
	for _, o := range operations {
		weights += o.weight
	}
	counts := map[string]*tally{}
	start := time.Now()
	ask := func(yield func(question)) {
		for at, o := range operations {
			n := &tally{}
			counts[o.name] = n
			for i := range (total*o.weight + weights - 1) / weights {
				q, ok := o.question(t, uint64(at)<<32+uint64(rounds*i+cases.Round()%rounds))
				if !ok {
					n.limited++
					continue
				}
				yield(q)
			}
		}
	}
	answers := map[string]map[string]int{}
	judge(t, ask, func(q question, answer string) {
		if answers[q.op] == nil {
			answers[q.op] = map[string]int{}
		}
		answers[q.op][answer]++
		if answer != "ok" && answer != "undecided" {
			t.Errorf("%s | %s | %s | %s\ngot  %s\nisl: %s", q.op, q.a, q.b, q.x, q.got, answer)
		}
	})
	all := tally{}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "operation\tcases\tequal\tundecided by isl\tbeyond a bound of ours\t\n")
	row := func(name string, n tally) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", name, n.cases+n.limited, n.cases-n.undecided-n.wrong, n.undecided, n.limited)
	}
	for _, o := range operations {
		n := counts[o.name]
		for answer, k := range answers[o.name] {
			n.cases += k
			switch answer {
			case "ok":
			case "undecided":
				n.undecided += k
			default:
				n.wrong += k
			}
		}
		row(o.name, *n)
		all = tally{all.cases + n.cases, all.undecided + n.undecided, all.limited + n.limited, all.wrong + n.wrong}
	}
	row("all", all)
	w.Flush()
	t.Logf("compared with isl in %v\n%s", time.Since(start).Round(time.Second/10), text.String())
	if 100*(all.undecided+all.limited) > maxUndecided*(all.cases+all.limited) {
		t.Errorf("more than %d%% of the cases are undecided or beyond a bound", maxUndecided)
	}
	if all.cases < total*(100-maxUndecided)/100 {
		t.Errorf("only %d cases", all.cases)
	}
}

// maxOurs is what one operation of ours may take.
const maxOurs = time.Minute

// question returns case number seed of o, or false if it passes a bound.
func (o operation) question(t *testing.T, seed uint64) (q question, ok bool) {
	q.op = o.name
	err := Limited(func() error {
		q.a, q.b, q.x = o.operands(newScene(seed))
		start := time.Now()
		got := o.apply(q.a, q.b, q.x)
		if took := time.Since(start); took > maxOurs {
			t.Errorf("%s | %s | %s | %s\ntook %v", q.op, q.a, q.b, q.x, took)
		}
		q.got = fmt.Sprint(got)
		return nil
	})
	if limit := (*LimitError)(nil); err != nil && !errors.As(err, &limit) {
		panic(err)
	}
	return q, err == nil
}

// unjudged are the exported methods that have no row among the operations, and why.
var unjudged = map[string]string{
	"Set.Basics": "a list", "Map.Basics": "a list", "Set.ByTuple": "a list", "Map.ByTuple": "a list", "Set.Params": "a list", "Map.Params": "a list",
	"Set.String": "judged by all others", "Map.String": "judged by all others", "Count.String": "judged by Card",
	"Set.Contains": "the oracle of the tests by enumeration",
	"Map.MaxRatio": "isl has no quotients; ratio_test.go enumerates",
	"Map.Ratios":   "what MaxRatio is made of",
	"Count.At":     "the oracle of count_test.go", "Count.Evaluate": "made of At", "Count.IsEqual": "isl's is not exact",
	"Count.Domain": "a union of pieces", "Count.Pieces": "a list", "Count.Method": "a name",
	"Count.Sum": "that of barvinok, not isl; count_algebra_test.go enumerates", "Count.Compose": "like Sum",
	"PwMultiAff.Eval": "piecewise_test.go enumerates", "PwMultiAff.Map": "what Function and PwLexMin are judged by",
	"PwMultiAff.Pieces": "a list", "PwMultiAff.String": "what isl reads of Function and PwLexMin",
}

// TestISLIsComplete checks that every exported operation is compared with isl, or has a reason not to be.
func TestISLIsComplete(t *testing.T) {
	for _, x := range []any{Set{}, Map{}, Count{}, PwMultiAff{}} {
		kind := reflect.TypeOf(x)
		for i := range kind.NumMethod() {
			name := kind.Name() + "." + kind.Method(i).Name
			judged := slices.ContainsFunc(operations, func(o operation) bool { return o.name == name })
			if _, excused := unjudged[name]; judged == excused {
				t.Errorf("%s: compared with isl: %t, listed as not compared: %t", name, judged, excused)
			}
		}
	}
}
