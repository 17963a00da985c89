package ptx_test

import (
	"os"
	"testing"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/ptx"
)

// mapped translates C text up to kernels.
func mapped(t *testing.T, base, text string, v pipeline.Variant) ptx.Part {
	t.Helper()
	s, g := v.Map(t, base, text)
	return ptx.Part{Program: g, Names: ptx.Names{Base: base, About: []string{s.Sizes.String()}}}
}

// llvm returns an LLVM for an architecture. Without one the test is skipped,
// except in CI, where it fails.
func llvm(t *testing.T, arch string) ptx.Tools {
	t.Helper()
	tools, err := ptx.Find(os.Getenv("HEXCC_LLC"), arch)
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	return tools
}
