package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/scop"
)

// Run translates, each file by itself.
func (c *translateCmd) Run(s *session) error {
	if len(c.More) == 0 {
		return c.translate(s)
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{{"-o", c.Output != ""}, {"-MF", c.MF != ""}, {"-MT", c.MT != ""}, {"--save-schedule", c.SaveSchedule != ""}, {"--load-schedule", c.LoadSchedule != ""}, {"--unit", c.Unit != ""}} {
		if flag.given {
			return fmt.Errorf("%s goes with one source, and there are %d", flag.name, 1+len(c.More))
		}
	}
	if err := c.noCommand(s); err != nil {
		return err
	}
	var failed error
	for _, name := range append([]string{c.File}, c.More...) {
		one := *c
		one.File, one.More = name, nil
		if status := s.fail(one.translate(s)); status != exitDone && failed == nil {
			failed = exit(status)
		}
	}
	return failed
}

// noCommand returns an error where the first word is no file, and much like a command.
func (c *translateCmd) noCommand(s *session) error {
	meant := like(c.File, helpTopics())
	if !commands[meant] {
		return nil
	}
	_, err := s.source(c.File)
	if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &diag.Diagnostic{Msg: err.Error(), Help: "did you mean the command hexcc " + meant + "?"}
}

// translate translates one file.
func (c *translateCmd) translate(s *session) error {
	target := hexcc.Target(c.Target)
	c.target, c.cpu, c.launch, c.kernel, c.pipeline = c.Target, c.CPU, c.Launch, c.Kernel, c.Pipeline
	if c.Check && isCPU(c.Target) && c.Output != "" && isStream(c.Output) {
		return fmt.Errorf("--check writes a file of its own, and -o %s takes one: name them with -o BASE", c.Output)
	}
	if c.LineDirectives && target != hexcc.CUDA && target != hexcc.OpenCL {
		return fmt.Errorf("--line-directives goes with --target=cuda or opencl")
	}
	if c.EmitLLVM && target != hexcc.PTX {
		return fmt.Errorf("--emit-llvm goes with --target=ptx")
	}
	stream := c.Output != "" && isStream(c.Output)
	if c.Check && isMPI(c.Target) {
		return fmt.Errorf("--check goes with other targets: hexcc verify --target=%s compares what ranks compute with the original", target)
	}
	if stream && (!isCPU(c.Target) || isMPI(c.Target)) {
		return fmt.Errorf("-o %s takes one file, and --target=%s writes several: name them with -o BASE, or write one with --target=%s or --target=%s", c.Output, target, hexcc.OpenMP, hexcc.C)
	}
	if _, err := s.source(c.File); err != nil {
		if wrong := c.noCommand(s); wrong != nil {
			return wrong
		}
		return err
	}
	if c.Unit != "" {
		if !isCPU(c.Target) || isMPI(c.Target) {
			return fmt.Errorf("--unit goes with --target=%s or %s", hexcc.OpenMP, hexcc.C)
		}
		c.Output = strings.TrimSuffix(c.Unit, filepath.Ext(c.Unit))
	}
	base, err := c.baseName(), error(nil)
	if !stream {
		if base, err = outputBase(c.Output, c.base()); err != nil {
			return err
		}
	}
	s.listsHeaders = c.MD
	res, err := s.compile(&c.sourceFlags, func(o *hexcc.Options) {
		o.Base, o.Target, o.Check, o.Lines = filepath.Base(base), target, c.Check, c.LineDirectives
		o.FilesOnly = !c.Verbose && c.SaveSchedule == ""
		if text, err := os.ReadFile(c.Preprocessed); c.Preprocessed != "" && err == nil {
			o.Printed = text
		}
		if self, err := identity(); c.KeepRegions != "" && err == nil {
			o.Store = regionStore{c.KeepRegions, self}
		}
	})
	if err != nil {
		return err
	}
	files := translation(base, target, res)
	if stream {
		files[0].path = c.Output
	}
	if c.Unit != "" {
		return s.write(true, unitFiles(c.Unit, c.UnitApart, res)...)
	}
	if c.EmitLLVM {
		files = append(files, outFile{path: ptx.ModuleFile(base), text: []byte(llvmHead(ptx.ModuleFile(base), res) + res.PTX.Module.Text)})
	}
	if c.Check {
		files = append(files, outFile{path: ctext.InLanguage(ctext.CheckFile(base), res.Scop), text: []byte(res.Check)})
	}
	if c.MD {
		rules, err := c.dependencies(base, stream, files, res.Headers)
		if err != nil {
			return err
		}
		files = append(files, rules)
	}
	if err := s.write(c.Force, files...); err != nil {
		return err
	}
	if c.Verbose && res.C.Text == "" {
		s.remarks(res)
	}
	return nil
}

// remarks prints decisions worth knowing.
func (s *session) remarks(res *hexcc.Result) {
	for _, region := range res.Regions {
		for _, r := range region.GPU.Remarks {
			s.remark("remark: " + r + "\n")
		}
	}
}

// Run shows what was found and decided.
func (c *inspectCmd) Run(s *session) error {
	if filepath.Ext(c.File) == ".ptx" {
		return c.inspectPTX(s)
	}
	if c.Machine != "" && isCPU(c.Target) {
		return fmt.Errorf("--machine ranks launches of a GPU: with --target=%s, --cpu says what caches there are", c.Target)
	}
	levels, err := s.levels(c.Machine)
	if err != nil {
		return err
	}
	res, err := s.compile(&c.sourceFlags, c.shows(c.targetFlags, c.mappingFlags), func(o *hexcc.Options) {
		if o.Target == hexcc.PTX {
			o.Stop = "kernels" // PTX takes LLVM, of which nothing is shown
		}
	})
	if err != nil {
		return err
	}
	if c.Derivation {
		if err := one(res, "--derivation is"); err != nil {
			return err
		}
		p := res.Products()
		return s.write(c.Force, outFile{path: "-", text: []byte(report.Inspect(p).DerivationText())})
	}
	return s.write(c.Force, outFile{path: "-", text: inspection(res, c.Format, levels)})
}

// levels returns the levels of memory that a file has, nil where none is named.
func (s *session) levels(file string) (*machine.Levels, error) {
	if file == "" {
		return nil, nil
	}
	text, err := s.read(file)
	if err != nil {
		return nil, err
	}
	l, err := machine.ParseLevels(shown(file), string(text))
	if err != nil {
		return nil, fmt.Errorf("--machine: %w", err)
	}
	return &l, nil
}

// Run explains a code, or lists them all.
func (c *explainCmd) Run(s *session) error {
	if c.Code == "" {
		return diag.ListCodes(s.stdout)
	}
	return diag.Explain(s.stdout, diag.Code(c.Code))
}

// Run shows help on a command or a topic.
func (c *helpCmd) Run(s *session, ctx *kong.Context) error {
	switch {
	case c.Man:
		_, err := fmt.Fprint(s.stdout, manPage(ctx.Model))
		return err
	case c.Topic == "":
		exitStatus := run([]string{"--help"}, s.stdout, s.stderr)
		printTopics(s.stdout)
		return statusError(exitStatus)
	case printTopic(s.stdout, c.Topic):
		return nil
	case commands[c.Topic]:
		return statusError(run([]string{c.Topic, "--help"}, s.stdout, s.stderr))
	}
	if meant := like(c.Topic, helpTopics()); meant != "" {
		return fmt.Errorf("no help on %q: did you mean %q? hexcc help lists the topics", c.Topic, meant)
	}
	return fmt.Errorf("no help on %q: hexcc help lists the topics", c.Topic)
}

// commands are the names that hexcc help COMMAND knows.
var commands = map[string]bool{
	"translate": true, "verify": true, "inspect": true, "plot": true, "report": true, "tune": true, "profile": true, "explain": true, "calc": true, "lsp": true, "shim": true, "cc": true, "nvcc": true, "doctor": true, "completion": true, "tools": true, "demo": true, "version": true,
}

// helpTopics are what hexcc help takes, in order.
func helpTopics() []string {
	all := slices.Collect(maps.Keys(commands))
	return slices.Sorted(slices.Values(slices.AppendSeq(all, maps.Keys(topics))))
}

func statusError(status int) error {
	if status == exitDone {
		return nil
	}
	return exit(status)
}

// Run writes what runs printed CUDA on a CPU.
func (c *shimCmd) Run(s *session) error {
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return err
	}
	return s.write(c.Force, outFile{path: filepath.Join(c.Output, "cuda_runtime.h"), text: []byte(cuda.Shim)})
}

// Run prints the version.
func (c *versionCmd) Run(s *session) error {
	_, err := fmt.Fprintln(s.stdout, versionLine())
	return err
}

// inspection returns all that is known of res in a format: a text for each
// region, or in JSON an object where there is one region, else a list of objects.
func inspection(res *hexcc.Result, format string, levels *machine.Levels) []byte {
	texts := make([]string, len(res.Regions))
	for i, r := range res.Regions {
		products := r.Products()
		products.Machine = levels
		in := report.Inspect(products)
		switch format {
		case "json":
			texts[i] = strings.TrimRight(string(in.JSON()), "\n")
		case "isl":
			texts[i] = in.ISL()
		case "dot":
			texts[i] = report.DOT(r.Products())
		default:
			texts[i] = in.Text()
		}
		if format != "json" && len(texts) > 1 {
			texts[i] = fmt.Sprintf("# region %d, line %d, function %s\n%s", i+1, r.Scop.UserLine(), r.Scop.Function, texts[i])
		}
	}
	switch {
	case format != "json":
		return []byte(strings.Join(texts, "\n"))
	case len(texts) == 1:
		return []byte(texts[0] + "\n")
	}
	return []byte("[\n" + strings.Join(texts, ",\n") + "\n]\n")
}

// llvmHead returns the head of a file with kernels in LLVM IR.
func llvmHead(file string, res *hexcc.Result) string {
	text := "; " + ctext.MadeFrom(filepath.Base(file), res.Scop.File) + "\n"
	var regions []*scop.Program
	for _, r := range res.Regions {
		regions = append(regions, r.Scop)
	}
	if fused := ctext.Rounded(regions...); fused != "" {
		text += "; " + ctext.ASCII(fused) + "\n"
	}
	return text
}
