package ptx_test

import (
	"testing"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ptx"
)

// TestPrograms runs the PTX of programs that try what the cases do not, made by each LLVM that there is.
func TestPrograms(t *testing.T) {
	versions := allLLVM(t)
	for _, p := range cases.Programs {
		for version, tools := range versions {
			t.Run(p.Name+"/"+version, func(t *testing.T) {
				t.Parallel()
				checkText(t, tools, mapped(t, p.Name, p.Text, pipeline.Staged), 4)
			})
		}
	}
}

// allLLVM returns the LLVMs that there are, by version.
func allLLVM(t *testing.T) map[string]ptx.Tools {
	first := llvm(t, "sm_80")
	versions := map[string]ptx.Tools{first.Version: first}
	for _, name := range []string{"llc-14", "llc-16", "llc-19"} {
		if tools, err := ptx.Find(name, "sm_80"); err == nil {
			versions[tools.Version] = tools
		}
	}
	return versions
}
