package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
)

func TestMPICompile(t *testing.T) {
	try := func(name, text string) {
		if strings.HasSuffix(name, ".cpp") {
			return
		}
		start := time.Now()
		o := hexcc.Options{Target: hexcc.MPI, NoAlias: true, Base: "x"}
		_, err := hexcc.Compile(hexcc.Source{Name: name, Text: []byte(text)}, o)
		msg := "ok"
		if err != nil {
			msg = strings.SplitN(err.Error(), "\n", 2)[0]
		}
		fmt.Println(name, time.Since(start).Milliseconds(), "ms", msg)
	}
	for _, c := range cases.All(t) {
		try(c.Name+".c", c.Text)
	}
	files, _ := filepath.Glob("../examples/gallery/*.c")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		try(filepath.Base(f), string(b))
	}
	idioms, _ := filepath.Glob("../testdata/idioms/*.c")
	for _, f := range idioms {
		b, _ := os.ReadFile(f)
		try("idiom/"+filepath.Base(f), string(b))
	}
}
