# make demo    translate, prove, verify and draw a built-in stencil, in out/demo
# make test    all tests that need only Go, make and a C compiler
# make random  random programs of many styles on every target, and whole ones as people write them, compared with gcc: PROGRAMS of each, from seed FIRST on
# make install, uninstall  bin/hexcc, its manual page, completions of shells, the CMake package, docs and licence, below PREFIX (/usr/local), in DESTDIR for packages
# make release .tar.gz, .deb and .rpm of this commit, in out/release (docs/install.md)
# make site    the documents as pages that link to each other, with a search, in out/site
# make check   gofmt, vet, staticcheck and the import ladder
# make gallery pictures, sample page and sample output of docs/ made anew, and docs/gallery.md with what the programs of examples/gallery compute
# make gallery-bench  those programs as they are, each loop nest a parallel loop of OpenMP, beside what hexcc makes of them; GALLERY_FLAGS="-only heat -scale 0.3" for less
# make fuzz    each fuzz target for FUZZTIME
# make fuzz-frontend  random stencil programs, one that fails is made small and printed; mutants of all sources for MUTANTS of processor time
# make fuzz-names  random names of files: what is written compiles, or is refused
# make bench   translation time and memory of every case
# make bench-heavy  the same of the programs that are the most work, for all targets; HEAVY_FLAGS="-only star -targets cuda" for less
# make kernel-report what full tiles do with memory, counted, emulated and compiled, for every case and each use of shared memory; compiled needs nvcc (.ci/install-nvcc); KERNEL_FLAGS=-kernel=streaming for rows that stream, with their machine instructions by class where nvdisasm is
# make bench-cpu C with OpenMP beside the programs it was made of, on this machine (docs/cpu.md); CPUFLAGS="-only jacobi -scale 0.3" for less
# make bench-mpi  heat in two and three dimensions on ranks of this machine, beside an exchange after each step: seconds, messages, bytes (docs/mpi.md); needs mpicc
# make bench-mpi-scale  the same on up to 1024 ranks of a simulated cluster, by SimGrid's SMPI: needs simgrid and libsimgrid-dev, and what make bench-mpi has measured
# make bench-ready  how busy GPUs and many cores are with the tiles of every case, in phases and when they are ready: simulated
# make bench-sass full tiles replayed clock by clock as ptxas scheduled them, beside the model; needs nvcc and nvdisasm, no GPU; SASS_FLAGS="-only heat -near 30" for others
# make bench-choice what --strategy=auto takes of many programs, grids and devices beside the best of all ways by that replay, for ten minutes; what was found is kept, and docs/choices.md made of it. CHOICE_FLAGS="-for 2h -only heat" for more or less, -cpu 1,2 for this CPU, measured
# make bench-ptx   instructions per update in PTX, by LLVM and by nvcc side by side, for every case; needs llc and nvcc; PTX_FLAGS="-case heat" for less, -classes for their kinds
# make suites DIR=..  which programs of public benchmark suites are taken as they are: DIR has a folder for each, named as in bench/suites/suites.txt; SUITES_FLAGS="-only rodinia -verify" for less and more, "-table bench/suites/spatial.txt -intensity" for stencils without a time loop
# make bench-poly  set operations beside isl's; needs Python's islpy
# make bench-scan   loops for the schedules that isl is tested with, SCHEDULES=test_inputs/codegen of its sources, and for RANDOM random ones; beside isl's
# make record-poly the set operations that the cases need, for bench-poly
# make bench-gpu-build  what make bench-gpu runs: needs nvcc, no GPU; GPU_FLAGS="-arch sm_80 -only '^heat-2d/float/'" for less
# make bench-gpu-archive  what was built, in one file to take along
# make bench-gpu    check and time kernels on a GPU, again and again until all is measured: docs/gpu.md
# make gpu-test-build, gpu-test, gpu-test-pack  programs of testdata/ and examples/ on a GPU, translated in every way, as PTX, CUDA and OpenCL, compared with their originals; in one file for a machine without this repository
GO ?= go
STATICCHECK_VERSION = v0.8.2

.PHONY: gallery-bench bench-mpi bench-mpi-scale bench-ready bench-gpu bench-gpu-build bench-gpu-archive gpu-test gpu-test-build gpu-test-pack suites
.PHONY: all build install demo gallery test random check fuzz fuzz-frontend fuzz-names bench bench-heavy bench-ptx bench-sass bench-choice kernel-report bench-cpu bench-poly bench-scan record-poly clean

all: build

build: bin/hexcc

# hexcc version says the commit, but for that of a release: Go tells it of its own only where it may (-buildvcs) and sees a repository.
COMMIT = $(shell [ "$$(git describe --tags --exact-match 2>/dev/null)" = "v$(VERSION)" ] || git rev-parse --short=12 HEAD 2>/dev/null)
STAMP = $(if $(COMMIT),-X main.commit=$(COMMIT)$(shell git diff --quiet HEAD 2>/dev/null || echo -modified))

bin/hexcc: FORCE
	@$(GO) build -ldflags="$(STAMP)" -o bin/hexcc ./cmd/hexcc

FORCE:

# The binary needs the C library's loader alone, any version of it, by which it opens libOpenCL where asked; with STATIC=1 it needs nothing, and
# runs no OpenCL. It is the same bytes wherever the same Go builds the same commit. FOR=darwin/arm64 builds it for another machine.
PREFIX ?= /usr/local
RELEASE_FLAGS = -trimpath -buildvcs=auto -ldflags='-s -w -buildid= $(STAMP)'
VERSION := $(shell sed -n 's/^const Version = "\(.*\)"$$/\1/p' products.go)
INSTALLED = $(DESTDIR)$(PREFIX)
PAGE = $(INSTALLED)/share/man/man1/hexcc.1
COMPLETIONS = $(INSTALLED)/share/bash-completion/completions/hexcc $(INSTALLED)/share/zsh/site-functions/_hexcc $(INSTALLED)/share/fish/vendor_completions.d/hexcc.fish
.PHONY: install uninstall release site
install: build
	@mkdir -p $(INSTALLED)/bin $(INSTALLED)/lib/cmake/hexcc $(INSTALLED)/share/doc/hexcc $(dir $(PAGE) $(COMPLETIONS))
	CGO_ENABLED=0 $(if $(FOR),GOOS=$(firstword $(subst /, ,$(FOR))) GOARCH=$(lastword $(subst /, ,$(FOR)))) $(GO) build $(RELEASE_FLAGS) $(if $(STATIC),-tags static) -o $(INSTALLED)/bin/hexcc ./cmd/hexcc
	@bin/hexcc help --man >$(PAGE)
	@bin/hexcc completion bash >$(word 1,$(COMPLETIONS))
	@bin/hexcc completion zsh >$(word 2,$(COMPLETIONS))
	@bin/hexcc completion fish >$(word 3,$(COMPLETIONS))
	@install -m 644 examples/Hexcc.cmake packaging/cmake/hexccConfig.cmake $(INSTALLED)/lib/cmake/hexcc
	@sed 's/@VERSION@/$(VERSION)/' packaging/cmake/hexccConfigVersion.cmake.in >$(INSTALLED)/lib/cmake/hexcc/hexccConfigVersion.cmake
	@install -m 644 LICENSE CHANGELOG.md README.md $(INSTALLED)/share/doc/hexcc
	@cp -R docs examples $(INSTALLED)/share/doc/hexcc

uninstall:
	rm -f $(INSTALLED)/bin/hexcc $(PAGE) $(COMPLETIONS)
	rm -rf $(INSTALLED)/lib/cmake/hexcc $(INSTALLED)/share/doc/hexcc

release:
	packaging/release

site:
	@$(GO) run ./packaging/site -o out/site

demo: build
	@bin/hexcc demo -o out/demo

gallery:
	$(GO) test ./report -run TestImages -update
	$(GO) test . -run 'TestSamplePage|TestOutputDocument' -update
	$(GO) run ./bench/gallery -pages docs

bench-mpi: build
	@mkdir -p out
	@bench/mpi/run.py measure --hexcc bin/hexcc > out/mpi-measured.json
	@bench/mpi/run.py table out/mpi-measured.json

bench-mpi-scale: build
	@bench/mpi/run.py scale --hexcc bin/hexcc --costs out/mpi-measured.json > out/mpi-scale.json
	@bench/mpi/run.py plot out/mpi-scale.json > docs/images/mpi-scale.svg
	@bench/mpi/run.py table out/mpi-scale.json

gallery-bench: build
	@$(GO) build -o bin/bench-gallery ./bench/gallery
	@bin/bench-gallery $(GALLERY_FLAGS)

# The last lines are those of internal/testlog: what failed, and how many passed. HEXCC_TESTS=all tries every case
# of testdata where a test takes long, and not one of each kind only. Memory is collected seldom, and none
# is sampled for a profile of it, which takes a third off the processor time.
test:
	@echo "tests of all packages: minutes on two cores; a line for each package when it is done"
	@GOGC=$${GOGC:-400} GODEBUG=$${GODEBUG:-memprofilerate=0} $(GO) test -json -timeout 15m ./... | $(GO) run ./internal/testlog

# Random programs, from seed FIRST on, for every target that this machine can run, beside gcc: PROGRAMS of many styles, and
# fewer of others, FEWER: an eighth, and no less than 3, of which some are to run. Of one that fails a small part is printed.
FEWER = $$(( $(PROGRAMS) / 8 > 3 ? $(PROGRAMS) / 8 : 3 ))
random:
	$(GO) test ./e2e -run TestWide -v -timeout 10h -programs $(PROGRAMS) -first $(FIRST)
	$(GO) test ./e2e -run TestWritten -v -timeout 10h -programs $(PROGRAMS) -first $(FIRST)
	$(GO) test ./openmp -run TestRandom -v -timeout 10h -programs $(FEWER) -first $(FIRST)
	$(GO) test ./e2e -run 'TestRandom|TestIdentifiers' -v -timeout 10h -programs $(FEWER) -first $(FIRST)

check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt needed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION) ./...
	$(GO) test -run TestLadder .

# Each fuzz target in turn, FUZZTIME each.
FUZZTIME ?= 30s
fuzz:
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

# Random programs, from seed FIRST on: the interpreter beside gcc, then the whole compiler.
# Then mutants of all sources: that nothing panics or hangs, and that those which are taken mean what C says.
PROGRAMS ?= 2000
FIRST ?= 1
MUTANTS ?= 10m
fuzz-frontend:
	$(GO) test ./frontend -run TestRandomPrograms -v -timeout 10h -programs $(PROGRAMS) -first $(FIRST)
	$(GO) test ./e2e -run TestRandomPrograms -v -timeout 10h -programs $$(( $(PROGRAMS) / 4 )) -first $(FIRST)
	$(GO) test ./frontend -run TestMutatedSources -v -timeout 10h -mutants $(MUTANTS) -mutant $(FIRST)
	$(GO) test ./frontend -run TestMutatedMeaning -v -timeout 10h -meanings $$(( $(PROGRAMS) / 4 )) -mutant $(FIRST)

NAMES ?= 300
fuzz-names:
	$(GO) test ./cmd/hexcc -run TestHostileNames -v -timeout 2h -names $(NAMES)

bench: build
	@$(GO) run ./bench

bench-heavy: build
	@$(GO) run ./bench -heavy $(HEAVY_FLAGS)

# What .ci/install-nvcc has installed, unless nvcc is said or on PATH.
HEXCC_NVCC ?= $(if $(shell command -v nvcc),,$(wildcard .cache/nvcc/venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc))
kernel-report:
	@HEXCC_NVCC=$(HEXCC_NVCC) $(GO) run ./bench/kernels $(KERNEL_FLAGS)

bench-cpu: build
	@$(GO) build -o bin/bench-cpu ./bench/cpu
	@bin/bench-cpu $(CPUFLAGS)

bench-ready:
	@$(GO) run ./bench/ready

bench-sass:
	@$(GO) run ./bench/sass $(SASS_FLAGS)

bench-choice:
	@$(GO) build -o bin/bench-sass ./bench/sass
	@$(GO) build -o bin/bench-choice ./bench/choice
	@nice -n 15 bin/bench-choice $(CHOICE_FLAGS)
	@bin/bench-choice -page docs/choices.md

PTX_FLAGS ?= -small
bench-ptx:
	@HEXCC_NVCC=$(HEXCC_NVCC) $(GO) run ./bench/ptx $(PTX_FLAGS)

DIR ?= .cache/suites
suites: build
	@$(GO) run ./bench/suites -dir $(DIR) $(SUITES_FLAGS)

# A Python that has islpy.
HEXCC_PYTHON ?= $(or $(wildcard .cache/venv/bin/python),python3)
bench-poly:
	@$(GO) build -o bin/bench-poly ./bench/poly
	@bin/bench-poly -python $(HEXCC_PYTHON)

RANDOM ?= 5000
bench-scan:
	@$(GO) build -o bin/bench-scan ./bench/scan
	@bin/bench-scan -python $(HEXCC_PYTHON) $(if $(SCHEDULES),-inputs $(SCHEDULES)) -random $(RANDOM) $(SCAN_FLAGS)

record-poly:
	$(GO) run ./bench/poly -record 'testdata/*.txtar'

# GPU_OPTIONS go to the script: --programs=TEXT, --only=TEXT, --seconds=S and others of docs/gpu.md
GPU_DIR ?= out/bench-gpu
bench-gpu-build:
	$(GO) run ./bench/gpu -dir $(GPU_DIR) $(GPU_FLAGS)

# strip left no symbols, and programs have much in common: one stream of them all is small
bench-gpu-archive:
	tar -C $(GPU_DIR) -cf - --exclude='*.tmp' bench-gpu constants programs.txt bin $(if $(wildcard $(GPU_DIR)/reference),reference) | xz -9 > $(GPU_DIR).tar.xz

bench-gpu: bench-gpu-build
	cd $(GPU_DIR) && ./bench-gpu --out=results.json $(GPU_OPTIONS)

# GPU_TEST_OPTIONS go to what runs the tests: -seconds=S, -j=N, -only=REGEXP; TEST_FLAGS to what builds them: -keep -turns 1 -nvcc all
gpu-test-build:
	$(GO) run ./bench/gpu -tests -dir $(GPU_DIR) $(GPU_FLAGS) $(TEST_FLAGS)

gpu-test: gpu-test-build
	$(GPU_DIR)/tests/gpu-test -out $(GPU_DIR)/gpu-test-results.jsonl $(GPU_TEST_OPTIONS)

# Programs have the same parts: they are packed as one.
gpu-test-pack: gpu-test-build
	tar -C $(GPU_DIR) --sort=name --transform 's,^tests,gpu-test,' -cf - tests | xz -T1 --lzma2=preset=2,dict=64MiB > out/gpu-test.tar.xz

clean:
	rm -rf bin out
