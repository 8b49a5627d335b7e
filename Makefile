# The commands of developers and of CI. Every target works in a fresh clone with Rust, Python 3 and
# the usual package registries, and fetches what else it needs. Only the page and the check of the
# clients need Node 20, and the page a compiler for WebAssembly (scripts/setup-wasm); the command,
# the library and the API do not.

CARGO ?= cargo
PYTHON ?= python3
VENV := .venv
TILESIGHT := target/release/tilesight
DEMO := datasets/samples/demo
PAGE := web/dist/index.html
# The program has the client of a fleet; without it Cargo builds a program that reads folders.
FEATURES := --features fleet
NPM := out/npm/.ready
# Paths of this machine that packages leave out: what is built in another folder is the same.
CARGO_FOLDER := $(or $(CARGO_HOME),$(HOME)/.cargo)
REMAP := --remap-path-prefix=$(CURDIR)=/tilesight --remap-path-prefix=$(CARGO_FOLDER)=/cargo
export CARGO_TERM_COLOR ?= auto
# `make test` notes what each target takes.
ifdef TILESIGHT_TIMES
SHELL := scripts/timed_shell
.SHELLFLAGS = $(or $@,make) -c
endif

.PHONY: check-all check-lints-bare help setup demo serve build build-web web npm python c c-header site check-web test check-format check-python-style check-scripts check-training check-licences check-advisories check-lints \
	check-docs check-docs-commands check-running check-parity check-clients check-npm check-bundlers check-python check-examples check-c check-kotlin check-site check-tests check-steady check-s3 test-quick chaos fuzz fuzz-coverage check-siege bench bench-beside bench-browser bench-http bench-batch bench-photos evaluate readme train scenes layout budget forms life sixteen real-hands fit-layout taps tiles clean

help: ## List the targets.
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | column -t -s @

# --- use ------------------------------------------------------------------------------------

# DEVICE=cuda fetches the build that uses an NVIDIA GPU, of 310 MB, into .onnxruntime-cuda/
# (docs/devices.md).
setup: ## Fetch ONNX Runtime, pinned and hash-checked, into .onnxruntime/.
	@$(PYTHON) scripts/setup onnxruntime$(if $(filter-out cpu,$(DEVICE)),-$(DEVICE))

build: toolchain
	$(CARGO) build --release --locked $(FEATURES)

demo: setup build ## Read a sample photo: the hand, its score, and a picture with the detections.
	@mkdir -p out
	$(TILESIGHT) read $(DEMO).jpg --context $(DEMO).context.json --overlay out/demo-overlay.png --force

web: $(PAGE) ## Build the page into web/dist, with Node.

web/node_modules/.ready: web/package-lock.json web/types/package.json
	@command -v npm >/dev/null || { echo "make: Node is missing: install 20.19 or newer for the page" >&2; exit 1; }
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

$(PAGE): $(NPM) web/index.html web/vite.config.ts $(shell find web/src web/public assets/tiles -type f ! -name openapi.ts)
	cd web && npm run --silent build

# Everything that the modules are made of, and what is packed beside them.
MODULE := Cargo.toml Cargo.lock scripts/setup-wasm tests/golden/openapi.json $(shell find crates/tilesight-core crates/tilesight-stills crates/tilesight-vision bindings/engine bindings/npm bindings/wasm models -type f)

npm: $(NPM) ## Pack the engine and the reader for browsers and Node, as WebAssembly, into out/npm.

# WASM_PROFILE=wasm-test builds both modules at once, for tests: with SIMD and without LTO.
# `make dist` packs those of the profile `wasm`.
WASM_PROFILE ?= wasm
SIMD := -C target-feature=+simd128
BUILT_MODULE = target/wasm32-unknown-unknown/$(WASM_PROFILE)/tilesight_wasm.wasm

# Changes when the modules were built in another profile.
out/wasm/profile: always
	@mkdir -p $(@D)
	@echo $(WASM_PROFILE) | cmp -s - $@ || echo $(WASM_PROFILE) > $@

.PHONY: always
always:

$(NPM): web/node_modules/.ready $(MODULE) out/wasm/profile | toolchain
	cargo=$$(scripts/setup-wasm) && export RUSTFLAGS='$(REMAP) $(if $(filter wasm-test,$(WASM_PROFILE)),$(SIMD))' && \
		$$cargo build --locked --profile $(WASM_PROFILE) -p tilesight-wasm
	cp $(BUILT_MODULE) out/wasm/tilesight.wasm
	cargo=$$(scripts/setup-wasm) && export RUSTFLAGS='$(REMAP) $(SIMD)' && \
		$$cargo build --locked --profile $(WASM_PROFILE) -p tilesight-wasm --features reader
	cp $(BUILT_MODULE) out/wasm/reader.wasm
	node bindings/npm/build.mjs out/wasm/tilesight.wasm out/wasm/reader.wasm
	@touch $@

# The Python package. PROFILE=dev builds the wheel that the tests install, from what Cargo's tests
# compiled already.
PROFILE ?= release
VENV_PROGRAMS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
MODELS_IN_WHEEL := bindings/python/python/tilesight/models
$(VENV)/maturin.ready: scripts/requirements-maturin.txt
	@$(PYTHON) -m venv $(VENV)/maturin || { echo "make: Python cannot make a virtual environment (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(VENV)/maturin/$(VENV_PROGRAMS)/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

python: toolchain $(VENV)/maturin.ready ## Build the Python package into out/python, as a wheel for Python 3.10 and newer.
	@rm -rf $(MODELS_IN_WHEEL) out/python/*.whl && mkdir -p $(MODELS_IN_WHEEL)
	cp models/*.onnx models/manifest.json $(MODELS_IN_WHEEL)
	$(VENV)/maturin/$(VENV_PROGRAMS)/maturin build --quiet --locked --profile $(PROFILE) --manifest-path bindings/python/Cargo.toml --out out/python

# The C library, its header, and the networks. PROFILE=dev builds what the tests use. C_OUT is laid
# out anew each time.
C_OUT ?= out/c
C_BUILT = target/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
c: toolchain ## Build the C library into out/c, laid out to be installed; Kotlin and Swift use it too.
	$(CARGO) build --locked --profile $(PROFILE) -p tilesight-c
	$(PYTHON) bindings/c/package.py $(C_BUILT) $(C_OUT)

C_HEADER := bindings/c/include/tilesight.h
c-header: toolchain ## Make the header of the C library, and the types of Kotlin and Swift, anew.
	@mkdir -p out
	$(CARGO) run --quiet --locked --target-dir target --manifest-path bindings/c/header/Cargo.toml > out/tilesight.h
	mv out/tilesight.h $(C_HEADER)
	$(PYTHON) scripts/binding_types.py

site: $(NPM) ## Build the page as static files that read photos without a server, into out/site.
	cd web && npm run --silent site

build-web: toolchain $(PAGE)
	$(CARGO) build --release --locked $(FEATURES) --features web

serve: setup build-web ## Serve the page and the API on this machine only: http://localhost:8080.
	$(TILESIGHT) serve

# --- release --------------------------------------------------------------------------------

# Everything is built again, in a profile of its own (docs/releases.md): some twenty minutes on two
# cores, then seconds after an edit of the packing.
.PHONY: dist check-dist
dist: export RUSTFLAGS = $(REMAP)
ifneq ($(OS),Windows_NT)
dist: export CFLAGS = -ffile-prefix-map=$(CURDIR)=/tilesight -ffile-prefix-map=$(CARGO_FOLDER)=/cargo
endif
dist: export SOURCE_DATE_EPOCH = $(or $(shell git log -1 --format=%ct),0)
dist: export TILESIGHT_COMMIT = $(shell git rev-parse HEAD)
dist: toolchain setup ## Pack a release for this platform into out/dist: tarball, Debian package, wheel, npm package, C library, site, sums, SBOM, licences.
	@git diff --quiet HEAD || { echo "make: the checkout has changes that no commit has, and packages name a commit: commit them first" >&2; exit 1; }
	$(MAKE) site python $(if $(filter Linux,$(shell uname -s)),c) PROFILE=dist
	$(MAKE) $(PAGE)
	$(CARGO) build --profile dist --locked $(TESTED_FEATURES)
	$(PYTHON) scripts/dist pack target/dist/tilesight$(if $(filter Windows_NT,$(OS)),.exe)

check-dist: toolchain ## Install the packages of out/dist into empty folders, and use them as their users would.
	$(PYTHON) scripts/dist check

# --- check ----------------------------------------------------------------------------------

# Prints the wall and the processor time of each target at the end.
NOTED := $(CURDIR)/out/times.tsv
test: ## Everything that CI runs.
	@rm -f $(NOTED)
	@TILESIGHT_TIMES=$(NOTED) $(MAKE) check-everything; status=$$?; $(PYTHON) scripts/timed_shell --print $(NOTED); exit $$status

check-all: export TILESIGHT_REQUESTS := --max-examples 15
check-all: export TILESIGHT_ROWS := all
check-all: check-lints-bare check-everything check-training check-s3 ## Everything that CI runs, with more requests of schemathesis, all rows of sixteen tiles in the bindings, the training and S3.

# Cheap checks first.
# A build from nothing gains nothing from incremental compilation, and is slower and larger with it.
.PHONY: check-everything
check-everything: export CARGO_INCREMENTAL ?= 0
check-everything: export WASM_PROFILE := wasm-test
check-everything: toolchain setup check-format check-python-style check-scripts check-licences page-and-docs check-lints check-running check-kotlin

# What runs the program waits more than it computes, so that three checks at a time keep two cores
# busy; the longest begins first. Each prints its output when it ends.
check-running: tested $(VENV)/clients/ready
	$(MAKE) -j3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) check-tests check-web check-clients check-docs-commands check-npm check-bundlers check-python check-c check-site check-parity

.PHONY: toolchain
toolchain:
	@command -v $(CARGO) >/dev/null || { echo "make: Rust is missing: install 1.92 or newer" >&2; exit 1; }

check-format: toolchain
	@$(CARGO) fmt --version >/dev/null || { echo "make: rustfmt is missing: rustup component add rustfmt" >&2; exit 1; }
	$(CARGO) fmt --all --check

check-scripts: toolchain ## Tests of the Python scripts, and that builds share their crates.
	$(PYTHON) -m unittest discover -s scripts -p 'test_setup.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_advisories.py'
	$(PYTHON) -m unittest discover scripts/evaluation
	$(PYTHON) -m unittest discover -s scripts/tile_art -t scripts
	$(PYTHON) -m unittest discover -s scripts/vision -p 'test_cycles.py'
	$(PYTHON) -m unittest discover -s scripts/vision -p 'test_cycles_life.py'
	$(PYTHON) -m unittest discover -s scripts/vision -p 'test_series.py'
	$(PYTHON) -m unittest discover -s scripts/vision -p 'test_real.py' -t scripts
	$(PYTHON) -m unittest discover -s scripts/load -t scripts
	$(PYTHON) -m unittest discover -s scripts/batch -t scripts
	$(PYTHON) -m unittest discover -s scripts/docs_commands -t scripts
	$(PYTHON) -m unittest discover -s scripts/dist -t scripts
	$(PYTHON) -m unittest discover -s scripts -p 'test_prose.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_page_figures.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_bench_browser.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_examples.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_workflow.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_binding_types.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_structure.py'
	$(PYTHON) -m unittest discover -s scripts -p 'test_timed_shell.py'
	$(PYTHON) scripts/structure.py --check
	$(PYTHON) scripts/wrap_comments.py --check
	CARGO=$(CARGO) $(PYTHON) scripts/shared_builds.py

$(VENV)/style/ready: scripts/requirements-style.txt
	@$(PYTHON) -m venv $(VENV)/style || { echo "make: Python cannot make a virtual environment (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(VENV)/style/$(VENV_PROGRAMS)/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

check-python-style: $(VENV)/style/ready ## Format, lints and types of all Python: ruff and pyright.
	$(VENV)/style/$(VENV_PROGRAMS)/python scripts/check_python_style.py

# Not part of `test`: as root on Debian 12 it installs packages, elsewhere it downloads gigabytes.
check-training: ## Tests of the training, with what scripts/setup-training installs; a minute.
	python=$$(scripts/setup-training | tail -1) && cd scripts && \
		$$python -m unittest vision.test_classifier vision.test_detector vision.test_refiner vision.test_cycles_samples

check-licences: toolchain ## Licences and sources of all dependencies, as deny.toml allows.
	@$(PYTHON) scripts/setup cargo-deny
	"$${TILESIGHT_CARGO_DENY:-.tools/cargo-deny}" --all-features --locked check --hide-inclusion-graph licenses bans sources

# Not part of `test`: both databases are on the network and change daily. If one is unreachable it
# says so and exits with 2. scripts/advisories.json lists accepted advisories, with the reason and
# an expiry date.
check-advisories: toolchain ## Known advisories about all dependencies, of the program and of the page.
	@$(PYTHON) scripts/setup cargo-deny
	$(PYTHON) scripts/advisories

# The documentation is built while the page is: both wait for one crate at a time in between.
.PHONY: page-and-docs
page-and-docs: toolchain web/node_modules/.ready
	$(MAKE) -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) $(PAGE) check-docs

check-lints: $(PAGE)
	@$(CARGO) clippy --version >/dev/null || { echo "make: clippy is missing: rustup component add clippy" >&2; exit 1; }
	$(CARGO) clippy --locked --workspace --all-targets $(TESTED_FEATURES) --features tilesight-wasm/reader -- -D warnings

# The program without features, which no other check builds.
check-lints-bare: toolchain
	$(CARGO) clippy --locked --workspace -- -D warnings

check-docs: toolchain
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items $(FEATURES)

# All checks that run the program use this one build of Cargo's tests: other features or another
# profile would build all crates again, some five minutes on two cores.
TESTED := $(CURDIR)/target/debug
TESTED_FEATURES := $(FEATURES) --features web
.PHONY: tested
tested: toolchain setup $(PAGE)
	$(CARGO) test --locked $(TESTED_FEATURES) --no-run

# The training's preprocessing against the program's. It fails, and never skips, if either can't
# run.
check-parity: tested $(VENV)/parity.ready ## Same tensors and same answers in Rust and Python.
	TILESIGHT_TENSORS=$(TESTED)/examples/tensors $(VENV)/bin/python scripts/parity.py

$(VENV)/clients/ready: scripts/requirements-clients.txt
	@$(PYTHON) -m venv $(VENV)/clients || { echo "make: Python cannot make a virtual environment (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(VENV)/clients/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Requests of schemathesis: how many for each operation and phase, and which part of the coverage.
TILESIGHT_REQUESTS ?= --max-examples 5 --coverage 5
# It fails, and never skips, if Node or Python's packages are missing.
check-clients: tested $(VENV)/clients/ready ## schemathesis, generated Python and TypeScript clients, and the docs' examples against the real service.
	TILESIGHT_PROGRAM=$(TESTED)/tilesight $(VENV)/clients/bin/python clients/check.py $(TILESIGHT_REQUESTS)

# Blocks that can't run everywhere say in the page what they need.
check-docs-commands: tested ## Every command of README and docs, run as it is printed.
	scripts/setup-nats
	TILESIGHT_PROGRAM=$(TESTED)/tilesight $(PYTHON) scripts/docs_commands

check-npm: tested npm ## The npm package as a user installs it: every corpus and scene, types, in Node and in headless Chromium.
	scripts/setup-browser
	node bindings/npm/test/package.mjs
	TILESIGHT_CORPUS=$(TESTED)/examples/corpus TILESIGHT_PROGRAM=$(TESTED)/tilesight node --test bindings/npm/test/*.test.mjs

# Not part of check-npm: three minutes beside other checks, and 500 MB of bundlers.
BUNDLERS := out/bundlers
$(BUNDLERS)/node_modules/.ready: bindings/npm/test/bundlers/package-lock.json
	@command -v npm >/dev/null || { echo "make: Node is missing: install 20.19 or newer" >&2; exit 1; }
	@mkdir -p $(BUNDLERS)
	cp bindings/npm/test/bundlers/package.json bindings/npm/test/bundlers/package-lock.json bindings/npm/test/bundlers/.npmrc $(BUNDLERS)/
	cd $(BUNDLERS) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

check-bundlers: npm $(BUNDLERS)/node_modules/.ready ## Small apps with the npm package, built by Vite, webpack, esbuild, Parcel and Next.js, in headless Chromium.
	scripts/setup-browser
	node --test bindings/npm/test/bundlers/bundlers.test.mjs

check-python: tested $(VENV)/maturin.ready ## The Python package as a user installs it, in an empty environment: every corpus, photos, hostile input, types.
	$(MAKE) python PROFILE=dev
	TILESIGHT_CORPUS=$(TESTED)/examples/corpus TILESIGHT_PHOTOS=$(CURDIR)/datasets/samples $(PYTHON) bindings/python/check.py out/python
	$(MAKE) check-examples

# Uses the wheel that is in out/python, of whatever profile.
check-examples: ## The examples in Python as their users run them, in an empty environment: bot, import of scores, notebook.
	TILESIGHT_PHOTOS=$(CURDIR)/datasets/samples $(PYTHON) examples/python/check.py out/python

# Built once for both checks.
.PHONY: c-tested
c-tested: tested
	$(MAKE) c PROFILE=dev C_OUT=out/check-c

check-c: c-tested ## The C library as its users have it, with sanitizers: every corpus, photos, hostile input, threads; its header.
	@mkdir -p out
	$(CARGO) run --quiet --locked --target-dir target --manifest-path bindings/c/header/Cargo.toml > out/check-c.h
	@diff -u $(C_HEADER) out/check-c.h || { echo "make: the header of the C library is not up to date: make c-header" >&2; exit 1; }
	$(CARGO) test --locked -p tilesight-c
	TILESIGHT_CORPUS=$(TESTED)/examples/corpus $(PYTHON) bindings/c/check.py out/check-c

check-kotlin: c-tested ## The Kotlin package on the JVM: every corpus, photos, own sets, hostile input, threads.
	TILESIGHT_CORPUS=$(TESTED)/examples/corpus $(PYTHON) bindings/kotlin/check.py out/check-c

check-site: site ## The static site on a plain file server, in headless Chromium: offline, without requests to others.
	scripts/setup-browser
	cd web && npm run --silent e2e:site

check-web: tested ## The page: types, style, licences, units, and end to end in headless Chromium.
	cd web && npm run --silent check && npm test --silent
	scripts/setup-browser
	cd web && TILESIGHT_PROGRAM=$(TESTED)/tilesight npm run --silent e2e

# The same targets run for some thousands of inputs each in check-tests. SECONDS=3600 runs each for
# an hour; inputs that break a law are stored in out/fuzz. In the dev profile, which checks sums for
# overflow.
SECONDS ?= 600
fuzz: toolchain ## Fuzz the parsers, the forms and the image decoding, ten minutes each.
	TILESIGHT_FUZZ_SECONDS=$(SECONDS) $(CARGO) test --locked $(FEATURES) --test attacks fuzz:: -- --nocapture --test-threads 2

# Guided by coverage, with AddressSanitizer. The corpus in out/fuzz-corpus grows with every run.
fuzz-coverage: toolchain ## Fuzz every parser of untrusted input with libFuzzer, ten minutes each; needs a C++ compiler.
	SECONDS_EACH=$(SECONDS) scripts/fuzz

# Many tests wait for processes, leases and timeouts: four at a time keep two cores busy.
check-tests: tested
	scripts/setup-nats
	scripts/setup-proxies
	RUST_TEST_THREADS=$${RUST_TEST_THREADS:-4} $(CARGO) test --locked $(TESTED_FEATURES) --no-fail-fast

# No test may depend on how busy the machine is. TIMES=1 CHECKS=check-tests is a shorter proof.
TIMES ?= 5
LOOPS ?= 4
CHECKS ?= check-running
check-steady: export WASM_PROFILE := wasm-test
check-steady: tested ## Everything that runs the program, five times in a row beside four busy loops.
	scripts/beside-busy-loops $(TIMES) $(LOOPS) $(MAKE) $(CHECKS)

# Not part of check-tests: the S3 server and the crates of the feature take minutes to build.
check-s3: toolchain ## Photos of a fleet in S3-compatible storage, against a real server on this machine.
	scripts/setup-nats
	scripts/setup-s3
	scripts/check-s3

# For the inner loop: needs neither the page nor a server, and a minute after an edit.
test-quick: toolchain ## Unit tests of the crates below the service, the rules and the laws of evenings.
	$(CARGO) test --locked -p tilesight-core -p tilesight-stills -p tilesight-vision -p tilesight-pictures -p tilesight-files -p tilesight-jobs --lib --test rules

# Jobs under failures, on both back ends: workers of one folder die at points of their work; in a
# cluster of three nodes a node and its network fail too. Short forms are part of check-tests. The
# profile is a release with these points (crates/tilesight-failpoint).
# ITEMS=N sets the number; 10,000 take some twenty minutes on two cores.
ITEMS ?= 10000
chaos: toolchain setup ## Kill workers, a node of the cluster and its network during jobs of 10,000 items: nothing may be lost or done twice.
	scripts/setup-nats
	TILESIGHT_KILLED_ITEMS=$(ITEMS) $(CARGO) test --locked --profile chaos $(FEATURES) --test jobs killed:: -- --nocapture
	TILESIGHT_CHAOS=$(ITEMS) $(CARGO) test --locked --profile chaos $(FEATURES) --test fleet chaos:: -- --nocapture

# --- measure and train ----------------------------------------------------------------------

bench: toolchain ## Speed of the scoring engine over the corpus and of the stages around the networks, one core.
	$(CARGO) bench --locked --benches

bench-beside: toolchain ## Riichi beside the Rust crate agari, in one process.
	$(CARGO) run --locked --release --manifest-path benches/beside/Cargo.toml

# Five minutes on two cores that nobody else uses. The feature `measure` exports the engine alone.
bench-browser: setup build site $(VENV)/evaluate.ready ## Photos and hands in headless Chromium beside the program: time, memory, what is loaded; writes into docs/browser.md.
	scripts/setup-browser
	$(CARGO) build --locked --example corpus
	cargo=$$(scripts/setup-wasm) && export RUSTFLAGS='$(REMAP)' && $$cargo build --locked --profile wasm -p tilesight-wasm --features measure
	cp target/wasm32-unknown-unknown/wasm/tilesight_wasm.wasm out/wasm/measure.wasm
	$(VENV)/bin/python scripts/bench_browser.py out/wasm/measure.wasm

$(VENV)/evaluate.ready: scripts/requirements-evaluate.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(VENV)/parity.ready: scripts/requirements-parity.txt
	@$(PYTHON) -m venv $(VENV) || { echo "make: Python cannot make a virtual environment (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# TILESIGHT_SHARED=FOLDER adds the shared real photos to our own samples.
evaluate: setup build $(VENV)/evaluate.ready ## Recall, accuracy and whole-hand rate; writes them into the model card.
	$(VENV)/bin/python scripts/evaluate.py

bench-http: setup build $(VENV)/evaluate.ready ## Photos and scores a second, latencies, memory and overload of the service; writes into docs/load.md.
	scripts/setup-wrk
	$(VENV)/bin/python scripts/bench_http.py

# Eight minutes on two cores that nobody else uses; SIEGE=300 besieges with each attack for five
# minutes.
SIEGE ?= 30
check-siege: setup build $(VENV)/evaluate.ready ## Attack the service while ordinary users work; writes what the users experienced into docs/load.md.
	$(VENV)/bin/python scripts/siege.py --seconds $(SIEGE)

# Twenty minutes on two cores that nobody else uses.
bench-batch: setup build $(VENV)/evaluate.ready $(VENV)/parity.ready ## A batch beside the bare pipeline and beside Python on the same networks; memory over 10,000 photos; writes into docs/batch.md.
	$(VENV)/bin/python scripts/bench_batch.py

bench-photos: setup build $(VENV)/evaluate.ready $(VENV)/parity.ready ## Bytes to score on photos like phones write them, stage by stage, beside libjpeg-turbo; writes into docs/speed.md.
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -r scripts/requirements-photos.txt
	$(VENV)/bin/python scripts/bench_photos.py

readme: setup build $(VENV)/evaluate.ready ## Fill the README's demo and speed sections with what this machine prints.
	$(VENV)/bin/python scripts/readme.py

# Every run resumes where it was cut off. TILESIGHT_SHARED=FOLDER adds tile art and real photos, as
# the shipped models had them; without it only our drawn tiles are learnt. The classifier learns in
# stretches, each with other drawn sets and a rate that falls to nothing: STRETCHES in
# scripts/train-classifier. All three end with near-photographic scenes, which `make scenes` renders
# before. The large classifier learns on a GPU only (scripts/train-large-classifier).
train: ## Train, export and measure the models; resumes; uses a GPU where there is one.
	python=$$(scripts/setup-training | tail -1) && export PYTHONPATH=scripts OMP_NUM_THREADS=1 && \
	$$python -m vision.train_detector --out out/detector --steps 7400 && \
	$$python -m vision.train_detector --out out/detector/last --start out/detector/detector.pt --scenes out/cycles --steps 1400 --rate 5e-4 --seed 4 && \
	$$python -m vision.train_refiner --out out/refiner --scenes out/cycles && \
	scripts/train-classifier $$python out/classifier out/cycles out/cycles-life && \
	$$python -m vision.export_detector --checkpoint out/detector/last/detector.pt && \
	$$python -m vision.quantize detector --out out/int8 --ship && \
	$$python -m vision.export_refiner --checkpoint out/refiner/refiner.pt && \
	$$python -m vision.quantize refiner --out out/int8 --ship && \
	$$python -m vision.export_classifier --checkpoint out/classifier/classifier.pt && \
	$$python -m vision.quantize classifier --out out/int8 --ship && \
	$$python -m vision.embedding_metric && \
	$$python -m vision.typical_faces && \
	scripts/train-large-classifier $$python out/large-classifier && \
	$$python -m vision.manifest --models models

scenes: ## Render near-photographic scenes for the training, some 40 s each; continues after an interruption.
	scripts/setup-training blender
	$$(scripts/setup-training | tail -1) scripts/vision/cycles_scenes.py --seeds 600001-600053,650001-650040 --out out/cycles
	$$(scripts/setup-training | tail -1) scripts/vision/cycles_scenes.py --samples 5 --seeds 660001-660059 --out out/cycles-life

# The curve and the forms in docs/layout.md. Rendering 200 scenes takes two hours; it goes on where
# it was cut off.
layout: ## Measure the layout on 20,000 tables without pixels; writes the figures into docs/layout.md.
	cargo run --locked --release --example layout_bench -- --write
	cargo run --locked --release --example layout_sizes -- --write

budget: setup toolchain ## Measure what detection, names, grouping and structure cost; writes into docs/layout.md.
	$(CARGO) build --locked --release --example replay
	$(PYTHON) scripts/budget.py $(BUDGET) --write

FIT ?= interpretation
fit-layout: toolchain ## Fit the layout's weights to drawn tables; prints them, FIT=selection an hour of a core, FIT=interpretation ten minutes.
	$(CARGO) run --locked --release --example fit_layout -- $(FIT)

forms: setup build ## Render scenes of every form and measure the program on them; writes into docs/layout.md.
	scripts/setup-training blender
	$$(scripts/setup-training | tail -1) scripts/vision/cycles_scenes.py --seeds 910001-910200,916001-916040 --out out/forms
	$(PYTHON) scripts/evaluate_forms.py out/forms --write

# Rendering sixty tables takes some 45 minutes of one core; it goes on where it was cut off.
life: setup build $(VENV)/evaluate.ready ## Render tables as players leave them and measure the program on them; writes into docs/layout.md.
	scripts/setup-training blender
	$$(scripts/setup-training | tail -1) scripts/vision/cycles_scenes.py --samples 5 --seeds 920001-920060,926001-926012 --out out/life
	$(VENV)/bin/python scripts/evaluate_forms.py out/life --life --sheets out/life-sheets --write

# Of the scenes that `make forms life` rendered; TILESIGHT_SHARED=FOLDER adds real photos.
sixteen: setup build $(VENV)/evaluate.ready ## Measure the program on hands of sixteen tiles; writes into models/MODEL_CARD.md.
	$(VENV)/bin/python scripts/evaluate_sixteen.py --write

# TILESIGHT_SHARED=FOLDER names the shared real photos.
real-hands: setup build $(VENV)/evaluate.ready ## Measure the program on hands photographed at real tables; writes into docs/layout.md.
	$(VENV)/bin/python scripts/evaluate_real_hands.py --write

# TILESIGHT_SHARED=FOLDER adds photos of real hands.
taps: tested ## Count the taps from a photo to the right score, and a reviewer's keys; writes into docs/page.md.
	scripts/setup-browser
	@mkdir -p out && rm -f out/figures.jsonl
	cd web && TILESIGHT_FIGURES=$(CURDIR)/out/figures.jsonl TILESIGHT_PROGRAM=$(TESTED)/tilesight npm run --silent e2e -- taps.test.ts review.test.ts questions.test.ts
	$(PYTHON) scripts/page_figures.py out/figures.jsonl --program $(TESTED)/tilesight

tiles: toolchain ## Draw the tile set anew: assets/tiles and the sheet in docs/.
	cd scripts && $(PYTHON) -m tile_art ../assets/tiles
	$(CARGO) run --locked --release --example tile_sheet -- docs/tiles.png

clean: ## Remove what was built; keeps what was fetched.
	$(CARGO) clean
	rm -rf out web/dist
