# Tessera. `make demo` and `make test` install what is missing and do everything else themselves.
#
#   make [all]     build/unscramble, build/scramble
#   make CUDA=0 OPENCL=0   without one or both kinds of device
#   make deps      install the packages that building and testing need (DEV=1: also those of lint,
#                  sanitize, coverage, fuzz and bench)

VERSION := 0.1.0
BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
NVCC    ?= nvcc
CFLAGS  ?= -O2 -g
STB_CFLAGS ?= -I/usr/include/stb

CUDA   ?= $(if $(shell command -v $(NVCC)),1,0)
OPENCL ?= $(shell printf '\043include <CL/cl.h>\n' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo 1 || echo 0)

TOOLS   := unscramble scramble
KERNELS := $(basename $(notdir $(wildcard kernels/*.cl)))
MACHINE := $(shell $(CC) -dumpmachine)
X86     := $(findstring x86_64,$(MACHINE))

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
DEFINES  := -DVERSION='"$(VERSION)"' -DBUILD='"$(BUILD)"' -DHAVE_CUDA=$(CUDA) -DHAVE_OPENCL=$(OPENCL) \
            -D_GNU_SOURCE
COMPILE   = $(CC) -std=c11 $(CPPFLAGS) -I. $(DEFINES) $(CFLAGS) $(WARNINGS) -ffp-contract=off -fopenmp -MMD -MP
LIBRARIES = $(LDLIBS) -ldeflate -lpng -lz -ljansson -ldl -lm

ifeq ($(CUDA),1)
CUDA_HOME ?= $(patsubst %/bin/,%,$(dir $(realpath $(shell command -v $(NVCC)))))
CUDA_CFLAGS ?= -isystem $(CUDA_HOME)/include
endif

DEVICE_SOURCES := kernels/device/device.c kernels/device/cpu.c \
                  $(if $(filter 1,$(CUDA)),kernels/device/cuda.c) \
                  $(if $(filter 1,$(OPENCL)),kernels/device/opencl.c)
SHARED_SOURCES := $(DEVICE_SOURCES) $(wildcard images/*.c stages/*.c stages/unscramble/*.c) \
                  $(wildcard tests/reference/*.c)
CLI_SOURCES    := cli/cli.c cli/benchmark.c cli/self_test.c
TEST_SOURCES   := $(wildcard tests/test_*.c)

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
CPU_VARIANTS   := base $(if $(X86),v3 v4)
KERNEL_OBJECTS := $(foreach v,$(CPU_VARIANTS),$(KERNELS:%=$(BUILD)/kernels/%.$(v).o))
SHARED_OBJECTS := $(call objects,$(SHARED_SOURCES)) $(KERNEL_OBJECTS)
TESTS          := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
PROGRAMS       := $(TOOLS:%=$(BUILD)/%)

.PHONY: all test bench demo deps install uninstall format format-check lint sanitize coverage fuzz clean ready
.SECONDARY:
.DELETE_ON_ERROR:

all: $(PROGRAMS) $(TOOLS:%=$(BUILD)/completions/%)
ifneq ($(CUDA),1)
	@echo "built without CUDA: $(NVCC) was not found or CUDA=0"
endif
ifneq ($(OPENCL),1)
	@echo "built without OpenCL: CL/cl.h was not found or OPENCL=0"
endif

$(PROGRAMS): $(BUILD)/%: $(BUILD)/cli/%.o $(call objects,$(CLI_SOURCES)) $(SHARED_OBJECTS)
	$(CC) $(CFLAGS) -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -o $@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

# Foreign code: its warnings are not ours to mend.
$(BUILD)/images/stb.o: WARNINGS :=
$(BUILD)/images/%.o: CPPFLAGS += $(STB_CFLAGS)
$(BUILD)/kernels/device/cuda.o: CPPFLAGS += $(CUDA_CFLAGS)
$(BUILD)/kernels/device/cuda.o: $(KERNELS:%=$(BUILD)/kernels/%.fatbin)
$(BUILD)/kernels/device/opencl.o: $(KERNELS:%=$(BUILD)/kernels/%.opencl)

# Kernels: for the CPU once per instruction set, as CUDA machine code, and as OpenCL source with its
# headers in front, since it is compiled where no headers are.
VARIANT_base :=
VARIANT_v3   := -march=x86-64-v3
VARIANT_v4   := -march=x86-64-v4 -mprefer-vector-width=512
define kernel_rule
$(BUILD)/kernels/%.$(1).o: kernels/%.cl kernels/kernel.h kernels/args.h $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(CC) -std=gnu11 -x c $$(CPPFLAGS) -I. $$(CFLAGS) -O3 $$(VARIANT_$(1)) -DCPU_VARIANT=$(1) $$(WARNINGS) \
	    -Wno-unknown-pragmas -Wno-unknown-warning-option -Wno-pass-failed -ffp-contract=off -fopenmp-simd -c $$< -o $$@
endef
$(foreach v,$(CPU_VARIANTS),$(eval $(call kernel_rule,$(v))))

$(BUILD)/kernels/%.opencl: kernels/%.cl kernels/kernel.h kernels/args.h
	@mkdir -p $(@D)
	for file in kernels/args.h kernels/kernel.h $<; do echo "#line 1 \"$$file\""; cat $$file; done | \
	    sed 's/^#include ".*//' >$@

$(BUILD)/kernels/%.fatbin: kernels/%.cl kernels/kernel.h kernels/args.h
	@mkdir -p $(@D)
	$(NVCC) -x cu -fatbin -arch=$(CUDA_ARCH) -O3 --fmad=false -I. $< -o $@
CUDA_ARCH ?= all-major

# Rebuilds everything when the flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(COMPILE) $(STB_CFLAGS) $(CUDA) $(OPENCL) $(LDFLAGS)' | cmp -s - $@ || \
	    echo '$(CC) $(COMPILE) $(STB_CFLAGS) $(CUDA) $(OPENCL) $(LDFLAGS)' >$@
FORCE:

$(BUILD)/completions/%: $(BUILD)/%
	@mkdir -p $(@D)
	$< --completion >$@

-include $(patsubst %.o,%.d,$(SHARED_OBJECTS) $(call objects,$(CLI_SOURCES) $(TOOLS:%=cli/%.c) $(TEST_SOURCES)))
