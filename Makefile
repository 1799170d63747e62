# SPDX-License-Identifier: BSD-3-Clause
# The front door for people: each target installs the Debian packages that it lacks, then lets Meson
# do the work. `make help` lists the targets.
# Most tests wait for most of their time.
MESON_TEST = meson test --num-processes "$$(($$(nproc) * 2))" --print-errorlogs

BUILD ?= build
ARM64_BUILD ?= build-arm64
ASAN_BUILD ?= build-asan
FLOOR_BUILD ?= build-floor

.PHONY: all
all:
	@scripts/setup.sh build
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" installed

.PHONY: demo
demo:
	@scripts/setup.sh build
	@scripts/configure.sh "$(BUILD)"
	@echo "Building Tern in $(BUILD)"
	@ninja -C "$(BUILD)" --quiet tern
	@examples/heat2d/demo.sh "$(BUILD)"

.PHONY: check
check:
	@scripts/setup.sh build check
	@scripts/configure.sh "$(BUILD)"
	@echo "Building Tern and its tests, then running them: about 10 minutes on two cores"
	@ninja -C "$(BUILD)" --quiet all installed-with-docs
	@$(MESON_TEST) -C "$(BUILD)" --no-rebuild

# The same in more shapes: tools with other numbers of PEs, three seeds.
.PHONY: check-all
check-all:
	@scripts/setup.sh build check
	@scripts/configure.sh "$(BUILD)"
	@echo "Building Tern and its tests, then running all of them: about 20 minutes on two cores"
	@ninja -C "$(BUILD)" --quiet all installed-with-docs
	@CHAOS_SEEDS=3 $(MESON_TEST) -C "$(BUILD)" --no-rebuild --setup more

# What root and other users see differently; for root.
.PHONY: check-user
check-user:
	@scripts/setup.sh build check
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" --quiet
	@scripts/check_user.sh "$(BUILD)" boot launch system tools

# What a job of several nodes needs, on one machine: the network's route in more shapes than `make
# check` has, hosts made of namespaces, and the launchers that clusters have.
.PHONY: check-cluster
check-cluster:
	@scripts/setup.sh build check cluster
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" --quiet
	@rm -rf "$(BUILD)/cluster-results"
	@meson test -C "$(BUILD)" --no-rebuild --print-errorlogs --setup all \
		--suite network-more --suite cluster; status=$$?; \
		python3 tests/cluster/table.py "$(BUILD)/cluster-results" && exit $$status

# Meson builds just what these tests need. Optimized, code with the sanitizers takes several times as
# long to compile.
.PHONY: check-asan
check-asan:
	@scripts/setup.sh build check
	@scripts/configure.sh "$(ASAN_BUILD)" -Db_sanitize=address,undefined -Doptimization=0
	@$(MESON_TEST) -C "$(ASAN_BUILD)" --timeout-multiplier 4 --suite core

.PHONY: check-arm64
check-arm64:
	@scripts/setup.sh build arm64
	@scripts/configure.sh "$(ARM64_BUILD)" --cross-file packaging/aarch64-linux-gnu.ini
	@meson test -C "$(ARM64_BUILD)" --print-errorlogs --timeout-multiplier 4 \
		--suite core --suite litmus

# For the oldest systems that Tern runs on: docs/platforms.md.
.PHONY: check-floor
check-floor:
	@scripts/setup.sh build floor
	@scripts/check_floor.sh "$(FLOOR_BUILD)"

# What `make check` does with a seed, with 20.
.PHONY: check-chaos
check-chaos:
	@scripts/setup.sh build check
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" --quiet
	@CHAOS_SEEDS=20 meson test -C "$(BUILD)" --no-rebuild --print-errorlogs \
		--timeout-multiplier 7 --suite chaos

# Puts faults into a copy of the sources and expects tests to fail.
.PHONY: check-mutation
check-mutation:
	@scripts/setup.sh build check
	@tests/mutation/run.py .

# Random programs with an oracle, SECONDS on each route. SOAK is given to tests/soak/soak.py: --routes,
# --seed.
SECONDS ?= 60
.PHONY: soak
soak:
	@scripts/setup.sh build check
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" --quiet installed tests/soak/soak
	@tests/soak/soak.py --seconds $(SECONDS) $(SOAK) "$(BUILD)/src/launch/oshrun" \
		"$(BUILD)/tests/soak/soak"

# Input from others, by libFuzzer: SECONDS on each target of tests/fuzz.
.PHONY: fuzz
fuzz:
	@scripts/setup.sh build check fuzz
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" --quiet src/tools/page_frame.h
	@tests/fuzz/fuzz.py "$(BUILD)" $(SECONDS) $(FUZZ)

# Tern beside the same work by hand and, if it is installed (`scripts/setup.sh oshmem` does that),
# Debian's OpenSHMEM. BENCH is given to bench/run.py, which tells about it: --quick, --full, --prefix.
.PHONY: bench
bench:
	@scripts/setup.sh build
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" --quiet tern
	@bench/run.py $(BENCH) "$(BUILD)"

# The HTML site and the manual pages of all routines.
.PHONY: docs
docs:
	@! test -d docs/made || { echo "This is a release, which has them in docs/made"; exit 1; }
	@scripts/setup.sh build docs
	@scripts/configure.sh "$(BUILD)"
	@ninja -C "$(BUILD)" docs
	@echo "Built $(BUILD)/docs/html/index.html and $(BUILD)/docs/man; read a page by:"
	@echo "    man -M $(BUILD)/docs/man shmem_put"

# The archive of a release, from the last commit.
.PHONY: dist
dist:
	@scripts/setup.sh build docs
	@/usr/bin/python3 scripts/dist.py . "$(BUILD)/dist"

# PREFIX says where to; DESTDIR is put in front of it, for packages.
.PHONY: install
install:
	@scripts/setup.sh build
	@scripts/configure.sh "$(BUILD)"
	@test -z "$(PREFIX)" || meson configure "$(BUILD)" --prefix "$$(realpath -m "$(PREFIX)")"
	@ninja -C "$(BUILD)" installed-with-docs
	@meson install -C "$(BUILD)" --no-rebuild --quiet
	@test -z "$(PREFIX)" || echo "Installed; add $$(realpath -m "$(PREFIX)")/bin to your PATH."

# Debian packages of the committed files, in $(BUILD)/deb; root can try them in a mount namespace.
.PHONY: deb
deb:
	@scripts/setup.sh build docs deb
	@scripts/make_deb.sh "$(BUILD)"

.PHONY: check-deb
check-deb: deb
	@packaging/test_deb.sh "$(BUILD)/deb"

.PHONY: rpm
rpm:
	@scripts/setup.sh build rpm
	@scripts/make_rpm.sh "$(BUILD)"

.PHONY: format
format:
	@scripts/setup.sh format
	@git ls-files '*.c' '*.h' '*.hpp' '*.inc' ':!tests/fortran/*.inc' | xargs clang-format -i

.PHONY: clean
clean:
	@rm -rf "$(BUILD)" "$(ARM64_BUILD)" "$(ASAN_BUILD)" "$(FLOOR_BUILD)"

.PHONY: help
help:
	@echo "make               build Tern in $(BUILD)"
	@echo "make demo          build it, run a program on all cores and check its result"
	@echo "make check         run the tests"
	@echo "make check-all     run them in more shapes, which takes twice as long"
	@echo "make check-user    run those in which users differ, as a user without privileges (for root)"
	@echo "make check-cluster test jobs of several nodes, with all launchers (as root, best)"
	@echo "make install PREFIX=DIR"
	@echo "make docs          build the manual: $(BUILD)/docs/html/index.html, and manual pages"
	@echo "make check-arm64   cross-compile for arm64 and run the programs under qemu"
	@echo "make check-floor   build for the oldest systems, and run the tests so"
	@echo "make check-asan    run the programs under the address and undefined sanitizers"
	@echo "make check-chaos   run right and wrong programs under --chaos with 20 seeds"
	@echo "make check-mutation  put faults into a copy of the sources; tests must notice"
	@echo "make soak          run random programs against their oracle, SECONDS=60 on each route"
	@echo "make fuzz          search for input that breaks a parser, SECONDS=60 on each (FUZZ=\"pmi hosts\")"
	@echo "make bench         measure everything on this node: $(BUILD)/bench/report.html"
	@echo "make deb           build Debian packages in $(BUILD)/deb; make check-deb tries them (as root)"
	@echo "make rpm           build RPM packages in $(BUILD)/rpm"
	@echo "make dist          make the archive of a release from the last commit, in $(BUILD)/dist"
	@echo "make format        lay out the sources by clang-format"
	@echo "make clean         remove what was built"
