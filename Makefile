# Tessera. `make demo` and `make test` install what is missing and do everything else themselves.
#
#   make [all]     build/unscramble, build/scramble, build/circles, build/bezier, and the library
#   make CUDA=0 OPENCL=0   without one or both kinds of device; MPI=0: without mpirun; WEBP=0,
#                  JXL=0, AVIF=0 and GIF=0 (films alone): without such files, which is also what a
#                  missing library leads to; OCCT=0: without build/tessera-convert, which takes Open
#                  CASCADE
#   make CUDA_ARCH=all-major   for all NVIDIA GPUs, as packages need it; by default for those
#                  present, or else as PTX, which drivers compile for whatever GPU there is
#   make unit      the C tests alone, without the scripts
#   make dist      pack the sources of the last commit as build/tessera-VERSION.tar.gz
#   make deps      install the packages that building and testing need (DEV=1: also those of lint,
#                  sanitize, coverage, fuzz, bench and tessera-convert)

VERSION    := 0.2.0
# The libraries' version for linkers, the first number of VERSION.
SOVERSION  := $(firstword $(subst ., ,$(VERSION)))
BUILD      ?= build
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
COMPLETION_DIR ?= $(PREFIX)/share/bash-completion/completions
ZSH_DIR    ?= $(PREFIX)/share/zsh/site-functions
FISH_DIR   ?= $(PREFIX)/share/fish/vendor_completions.d
CC         ?= cc
CFLAGS     ?= -O2 -g
STB_CFLAGS ?= -I/usr/include/stb
NVCC       ?= nvcc
JOBS       ?= $(shell nproc 2>/dev/null || echo 1)
# What runs programs for another machine, such as qemu-aarch64-static; CC alone says which machine
# that is.
EMULATOR   ?=
compiler_own = $(shell $(CC) -print-prog-name=$(1) 2>/dev/null || echo $(1))
ifeq ($(origin LD),default)
LD := $(call compiler_own,ld)
endif
ifeq ($(origin AR),default)
AR := $(call compiler_own,ar)
endif
OBJCOPY ?= $(call compiler_own,objcopy)
OBJDUMP ?= $(call compiler_own,objdump)
STRIP   ?= $(call compiler_own,strip)

NO_MPI    := $(if $(filter command environment,$(origin MPI)),$(filter 0,$(MPI)))
NO_OPENCL := $(if $(filter command environment,$(origin OPENCL)),$(filter 0,$(OPENCL)))
CUDA   ?= $(if $(shell command -v $(NVCC)),1,0)
OPENCL ?= $(shell printf '\043include <CL/cl.h>\n' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && \
    echo 1 || echo 0)

MPICC  ?= mpicc
MPI    ?= $(if $(shell command -v $(MPICC)),1,0)

# Libraries of image formats that can be missing; WEBP=0 and the like leave one out.
has_header = $(shell printf '\043include <$(1)>\n' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && \
    echo 1 || echo 0)
WEBP   ?= $(call has_header,webp/mux.h)
WEBP   := $(WEBP)
GIF    ?= $(call has_header,gif_lib.h)
GIF    := $(GIF)
JXL    ?= $(call has_header,jxl/decode.h)
JXL    := $(JXL)
AVIF   ?= $(call has_header,avif/avif.h)
AVIF   := $(AVIF)

# Libraries that take long to load are opened when needed, by the names that they have at run time.
ifeq ($(shell uname),Darwin)
run_time_name = lib$(1).dylib
else
run_time_name = $(or $(shell $(OBJDUMP) -p "$$($(CC) -print-file-name=lib$(1).so 2>/dev/null)" \
    2>/dev/null | sed -n 's/^ *SONAME *//p'),lib$(1).so)
endif
TIFF_LIBRARY := $(call run_time_name,tiff)
JXL_LIBRARY  := $(if $(filter 1,$(JXL)),$(call run_time_name,jxl))
AVIF_LIBRARY := $(if $(filter 1,$(AVIF)),$(call run_time_name,avif))

# Open CASCADE, which tessera-convert needs, and a compiler of C++ for it.
OCCT_INCLUDE ?= /usr/include/opencascade
OCCT   ?= $(if $(and $(wildcard $(OCCT_INCLUDE)/STEPCAFControl_Reader.hxx), \
    $(shell command -v $(CXX))),1,0)
OCCT   := $(OCCT)

TOOLS   := unscramble scramble circles bezier
CONVERT := $(if $(filter 1,$(OCCT)),tessera-convert)
# A source for each row of the tables of kernels, written anew where the row has changed.
KERNELS := $(shell perl kernels/device/variants.pl $(BUILD)/kernels \
    $(wildcard kernels/*/*_kernels.h))
$(if $(filter-out 0 127,$(.SHELLSTATUS)),$(error the tables of kernels cannot be read))
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
X86     := $(findstring x86_64,$(MACHINE))

# Short lines unless V=1.
Q := $(if $(V),,@)
say = $(if $(V),,@echo "$(1)")

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla \
            -Werror=implicit-function-declaration
DEFINES  := -DVERSION='"$(VERSION)"' -DSOVERSION='"$(SOVERSION)"' -DBUILD='"$(BUILD)"' \
            -DHAVE_CUDA=$(CUDA) -DHAVE_OPENCL=$(OPENCL) \
            -DHAVE_MPI=$(MPI) -DHAVE_WEBP=$(WEBP) -DHAVE_GIF=$(GIF) \
            -DHAVE_JXL=$(JXL) -DHAVE_AVIF=$(AVIF) -DTIFF_LIBRARY='"$(TIFF_LIBRARY)"' \
            -DJXL_LIBRARY='"$(JXL_LIBRARY)"' -DAVIF_LIBRARY='"$(AVIF_LIBRARY)"' -D_GNU_SOURCE
# Only what stages/tessera.h marks is seen from outside the library.
CODE     := -fPIC -fvisibility=hidden
# No contraction, so that floats give the same bytes everywhere. Nobody reads errno or exceptions of
# floats; without them more loops become vectors.
FLOATS   := -ffp-contract=off -fno-math-errno -fno-trapping-math
COMPILE   = $(CC) -std=c11 $(CPPFLAGS) $(INCLUDES) -I. $(DEFINES) $(CFLAGS) $(CODE) $(WARNINGS) \
            $(FLOATS) -fopenmp -MMD -MP
LIBRARIES = $(LDLIBS) -ldeflate -lpng -lz -ljpeg \
            $(if $(filter 1,$(WEBP)),-lwebpmux -lwebpdemux -lwebp) $(if $(filter 1,$(GIF)),-lgif) \
            -ljansson -lexpat -lpthread -ldl -lm

ifeq ($(CUDA),1)
CUDA_HOME ?= $(patsubst %/bin/,%,$(dir $(realpath $(shell command -v $(NVCC)))))
CUDA_CFLAGS ?= -isystem $(CUDA_HOME)/include
CUDA_ARCH ?= $(shell nvidia-smi -L 2>/dev/null | grep -q '^GPU' && echo native || \
    $(NVCC) --list-gpu-arch | head -n 1)
CUDA_ARCH := $(CUDA_ARCH)
endif

# The part that speaks MPI is a library of its own, so that programs run where there is no MPI.
MPI_SOURCE := stages/ranks_module.c
MPI_MODULE := $(if $(filter 1,$(MPI)),$(BUILD)/libtessera_mpi.so.$(SOVERSION))

DEVICE_SOURCES := kernels/device/device.c kernels/device/launch.c kernels/device/team.c \
                  kernels/device/cpu.c \
                  $(if $(filter 1,$(CUDA)),kernels/device/cuda.c kernels/device/cuda_memory.c) \
                  $(if $(filter 1,$(OPENCL)),kernels/device/opencl.c)
SHARED_SOURCES := $(DEVICE_SOURCES) $(wildcard images/*.c scenes/*.c stages/*/*.c) \
                  $(filter-out $(MPI_SOURCE),$(wildcard stages/*.c))
CLI_SOURCES    := $(filter-out cli/main.c,$(wildcard cli/*.c))
TEST_SOURCES   := $(wildcard tests/test_*.c)

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
CPU_VARIANTS   := base $(if $(X86),v3 v4)
KERNEL_OBJECTS := $(foreach v,$(CPU_VARIANTS),$(KERNELS:%=$(BUILD)/kernels/%.$(v).o))
SHARED_OBJECTS := $(call objects,$(SHARED_SOURCES)) $(KERNEL_OBJECTS)
TESTS          := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
PROGRAMS       := $(TOOLS:%=$(BUILD)/%)
COMPLETED      := $(TOOLS) $(CONVERT)
COMPLETIONS    := $(foreach tool,$(COMPLETED),$(addprefix $(BUILD)/completions/, \
                      $(tool) _$(tool) $(tool).fish))

# How installed files find each other: the ways from one folder to another.
way = $(shell perl -MFile::Spec -e 'print File::Spec->abs2rel(@ARGV)' '$(2)' '$(1)')
TO_LIBRARY := $(call way,$(BINDIR),$(LIBDIR))
TO_PREFIX  := $(call way,$(LIBDIR)/pkgconfig,$(PREFIX))
TO_HEADER  := $(call way,$(LIBDIR)/pkgconfig,$(INCLUDEDIR))

ifeq ($(shell uname),Darwin)
LIBRARY   := libtessera.$(SOVERSION).dylib
LINK_NAME := libtessera.dylib
SHARED     = -dynamiclib -Wl,-install_name,@rpath/$(@F)
RUN_PATH  := -Wl,-rpath,@loader_path -Wl,-rpath,@loader_path/$(TO_LIBRARY)
else
LIBRARY   := libtessera.so.$(SOVERSION)
LINK_NAME := libtessera.so
SHARED     = -shared -Wl,-soname,$(@F)
RUN_PATH  := -Wl,-rpath,'$$ORIGIN:$$ORIGIN/$(TO_LIBRARY)'
endif
LIBRARY_OBJECTS := $(call objects,$(CLI_SOURCES)) $(SHARED_OBJECTS)

.PHONY: FORCE all test tests check unit bench demo samples deps ready install uninstall dist \
    format format-check lint sanitize coverage fuzz fuzzers attack attack-all clean
.DELETE_ON_ERROR:

all: $(PROGRAMS) $(CONVERT:%=$(BUILD)/%) $(MPI_MODULE) $(BUILD)/libtessera.a $(BUILD)/tessera.pc \
    $(COMPLETIONS) $(patsubst %,$(BUILD)/man/%.1,$(TOOLS) $(CONVERT))
ifneq ($(CUDA),1)
	@echo "built without CUDA: $(NVCC) was not found or CUDA=0"
endif
ifneq ($(MPI),1)
	@echo "built without MPI: $(MPICC) was not found or MPI=0"
endif
ifneq ($(OPENCL),1)
	@echo "built without OpenCL: CL/cl.h was not found or OPENCL=0"
endif
ifneq ($(WEBP),1)
	@echo "built without WebP: webp/mux.h was not found or WEBP=0"
endif
ifneq ($(GIF),1)
	@echo "built without GIF films: gif_lib.h was not found or GIF=0"
endif
ifneq ($(JXL),1)
	@echo "built without JPEG XL: jxl/decode.h was not found or JXL=0"
endif
ifneq ($(AVIF),1)
	@echo "built without AVIF: avif/avif.h was not found or AVIF=0"
endif
ifneq ($(OCCT),1)
	@echo "built without tessera-convert:" \
	    "$(OCCT_INCLUDE)/STEPCAFControl_Reader.hxx or $(CXX) was not found or OCCT=0"
endif

$(BUILD)/$(LIBRARY): $(LIBRARY_OBJECTS)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -fopenmp $(SHARED) $(LDFLAGS) $^ $(LIBRARIES) -o $@.new
	$(Q)mv -f $@.new $@
	$(Q)ln -sf $(LIBRARY) $(BUILD)/$(LINK_NAME)

$(BUILD)/libtessera_mpi.so.$(SOVERSION): $(MPI_SOURCE) $(BUILD)/flags
	$(call say,link $@)
	$(Q)OMPI_CC=$(CC) MPICH_CC=$(CC) $(MPICC) -std=c11 -I. $(CFLAGS) $(CODE) $(WARNINGS) $(SHARED) \
	    $(LDFLAGS) -MMD -MP $< -o $@

# One object, in which the names that are hidden are local.
$(BUILD)/libtessera.a: $(LIBRARY_OBJECTS)
	$(call say,link $@)
	$(Q)$(LD) -r $^ -o $(BUILD)/tessera.o
	$(Q)$(OBJCOPY) --localize-hidden $(BUILD)/tessera.o
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(BUILD)/tessera.o
	$(Q)rm $(BUILD)/tessera.o

# What names these ways is made anew when they change.
$(BUILD)/ways: FORCE
	@mkdir -p $(@D)
	@echo '$(TO_LIBRARY) $(TO_PREFIX) $(TO_HEADER)' | cmp -s - $@ || \
	    echo '$(TO_LIBRARY) $(TO_PREFIX) $(TO_HEADER)' >$@

SUMMARY := Puzzles of tiles, translucent circles and Bezier patches on CPU, CUDA and OpenCL
$(BUILD)/tessera.pc: Makefile $(BUILD)/ways
	@printf '%s\n' 'prefix=$${pcfiledir}/$(TO_PREFIX)' 'libdir=$${pcfiledir}/..' \
	    'includedir=$${pcfiledir}/$(TO_HEADER)' 'Name: tessera' 'Version: $(VERSION)' \
	    'Description: $(SUMMARY)' \
	    'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -ltessera' \
	    'Libs.private: $(LIBRARIES) -fopenmp' >$@

# Linked beside its place, so that a program can be run at any time.
$(PROGRAMS): $(BUILD)/%: $(BUILD)/cli/%_main.o $(BUILD)/$(LIBRARY) $(BUILD)/ways
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) $(RUN_PATH) $(LDFLAGS) $(filter-out %/ways,$^) -o $@.new
	$(Q)mv -f $@.new $@
$(BUILD)/cli/%_main.o: cli/main.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DTOOL=tessera_$*_main -c $< -o $@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,cc $<)
	$(Q)$(COMPILE) -c $< -o $@

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,c++ $<)
	$(Q)$(CXX) -std=c++17 $(CPPFLAGS) -I. -isystem $(OCCT_INCLUDE) $(DEFINES) $(CFLAGS) \
	    -Wall -Wextra -MMD -MP -c $< -o $@

# Programs of their own, with what they need of Open CASCADE. The second makes files for the tests.
OCCT_LIBRARIES := $(addprefix -lTK,XDESTEP XDEIGES XCAF CAF LCAF CDF STEP IGES XSBase Fillet BO \
                      Prim BRep GeomBase TopAlgo G3d G2d Math ernel)
OCCT_FILES     := $(if $(filter 1,$(OCCT)),$(BUILD)/tests/occt_files)
$(BUILD)/tessera-convert: $(call objects,scenes/spline.c images/output.c)
$(BUILD)/tessera-convert: $(BUILD)/cli/convert.o $(BUILD)/cli/convert_options.o \
    $(BUILD)/cli/convert_read.o
$(BUILD)/tests/occt_files: $(BUILD)/tests/occt_files.o
$(BUILD)/tessera-convert $(BUILD)/tests/occt_files:
	$(call say,link $@)
	$(Q)$(CXX) $(CFLAGS) $(LDFLAGS) $^ -Wl,--as-needed $(OCCT_LIBRARIES) -o $@

# Foreign code: its warnings are not ours to fix, nor memcpy of no bytes from NULL.
$(BUILD)/images/stb.o: WARNINGS := -w -fno-sanitize=nonnull-attribute,pointer-overflow
$(BUILD)/images/%.o: INCLUDES := $(STB_CFLAGS)
$(BUILD)/kernels/device/cuda.o $(BUILD)/kernels/device/cuda_memory.o: INCLUDES := $(CUDA_CFLAGS)
$(BUILD)/kernels/device/cuda.o: $(KERNELS:%=$(BUILD)/kernels/%.fatbin)
$(BUILD)/kernels/device/opencl.o: $(KERNELS:%=$(BUILD)/kernels/%.opencl)

# Kernels are compiled for the CPU once per instruction set, of which the first also says what
# parameters they have, and as CUDA machine code. They become OpenCL source with the headers
# inserted, since that is compiled where no headers are. The compilers and embed.pl write down which
# headers each result needs. In shading kernels gcc would sink loads into a branch of a loop, as
# masked loads whose other lanes keep what is in the register, with which a processor may compute
# slowly. Other kernels do without the flag: with it gcc contracts what it must not (vfmaddsub).
NO_SINK := $(shell $(CC) -fno-tree-sink -x c -E /dev/null >/dev/null 2>&1 && echo -fno-tree-sink)
VARIANT_base := -DCPU_DESCRIBES
VARIANT_v3   := -march=x86-64-v3
VARIANT_v4   := -march=x86-64-v4 -mavx512vnni -mprefer-vector-width=512
define kernel_rule
$(BUILD)/kernels/%.$(1).o: $(BUILD)/kernels/%.cl $(BUILD)/flags
	$$(call say,cc $$< for the CPU$(if $(filter-out base,$(1)), $(1)))
	$$(Q)$$(CC) -std=gnu11 -x c $$(CPPFLAGS) -I. $$(CFLAGS) $$(CODE) -O3 $$(VARIANT_$(1)) \
	    -DCPU_VARIANT=$(1) $$(WARNINGS) \
	    -Wno-unknown-pragmas -Wno-unknown-warning-option -Wno-pass-failed $(FLOATS) \
	    $$(if $$(filter shade_%,$$*),$(NO_SINK)) -fopenmp-simd -MMD -MP -c $$< -o $$@
endef
$(foreach v,$(CPU_VARIANTS),$(eval $(call kernel_rule,$(v))))

$(BUILD)/kernels/%.opencl: $(BUILD)/kernels/%.cl kernels/device/embed.pl
	$(Q)perl kernels/device/embed.pl $< $@

$(BUILD)/kernels/%.fatbin: $(BUILD)/kernels/%.cl $(BUILD)/flags
	$(call say,nvcc $<)
	$(Q)$(NVCC) -x cu -fatbin -arch=$(CUDA_ARCH) -O3 --fmad=false -I. -MMD -MP -MF $@.d -MT $@ $< -o $@

# Rebuilds everything when the flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(COMPILE) $(STB_CFLAGS) $(CUDA) $(CUDA_ARCH) $(OPENCL) $(LDFLAGS)' | cmp -s - $@ || \
	    echo '$(CC) $(COMPILE) $(STB_CFLAGS) $(CUDA) $(CUDA_ARCH) $(OPENCL) $(LDFLAGS)' >$@
FORCE:

$(BUILD)/completions/%: $(BUILD)/%
	@mkdir -p $(@D)
	$(Q)$(EMULATOR) $< --completion=bash >$@
$(BUILD)/completions/_%: $(BUILD)/%
	@mkdir -p $(@D)
	$(Q)$(EMULATOR) $< --completion=zsh >$@
$(BUILD)/completions/%.fish: $(BUILD)/%
	@mkdir -p $(@D)
	$(Q)$(EMULATOR) $< --completion=fish >$@

# Manual pages take the words of options from the tools.
$(BUILD)/man/%.1: docs/man/%.1 $(BUILD)/completions/% docs/man/words.pl
	@mkdir -p $(@D)
	$(Q)perl docs/man/words.pl $(BUILD)/completions/$* <$< >$@

$(BUILD)/man/tessera-convert.1: docs/man/tessera-convert.1
	@mkdir -p $(@D)
	$(Q)cp $< $@

# Tests: C programs and scripts that print TAP; scripts find the programs in $BUILD.
$(TESTS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBRARY_OBJECTS)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -ltiff -o $@

# As many jobs as there are processors, unless the command line says how many.
parallel = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

export BUILD
export POCL_CACHE_DIR ?= $(abspath $(BUILD))/pocl

test: ready
	@$(MAKE) --no-print-directory $(parallel) tests
	@$(MAKE) --no-print-directory check

tests: all $(TESTS) $(OCCT_FILES) $(BUILD)/attack $(BUILD)/scene_attack

# A test that hangs fails after TEST_SECONDS.
TEST_SECONDS ?= 1200
check: tests
	@mkdir -p "$(POCL_CACHE_DIR)"
	prove --timer --exec 'timeout -k 10 $(TEST_SECONDS)' $(TESTS) tests/cli/*.sh </dev/null

# The C programs alone, which need no other tools.
unit: all $(TESTS)
	@mkdir -p "$(POCL_CACHE_DIR)"
	prove --timer --exec '$(EMULATOR)' $(TESTS)

# Shuffles the sample and puts it back together, paints circles, draws patches, and shows all where
# there is a screen.
DEMO := $(BUILD)/demo
demo: ready
	@$(MAKE) --no-print-directory $(parallel) all
	@mkdir -p $(DEMO)
	$(BUILD)/scramble images/samples/papyrus.png $(DEMO)/shuffled.png
	$(BUILD)/unscramble --verbose --timings --save-stages $(DEMO)/stages \
	    $(DEMO)/shuffled.png $(DEMO)/restored.png
	@$(BUILD)/scramble --grid 1x1 --format ppm images/samples/papyrus.png - >$(DEMO)/original.ppm
	@$(BUILD)/scramble --grid 1x1 --format ppm $(DEMO)/restored.png - | cmp - $(DEMO)/original.ppm
	$(BUILD)/circles --verbose --timings scenes/samples/tessera.svg $(DEMO)/tessera.png
	$(BUILD)/circles --verbose --timings rand100k $(DEMO)/circles.png
	$(BUILD)/bezier --verbose --timings -n 33 scenes/samples/kettle.bv $(DEMO)/kettle.png
	$(BUILD)/bezier --verbose -n 33 scenes/samples/kettle.bv $(DEMO)/kettle.obj
	@echo "every pixel is back in its place: compare"
	@echo "  $(DEMO)/shuffled.png"
	@echo "  $(DEMO)/restored.png, and the stages in $(DEMO)/stages/"
	@echo "and see $(DEMO)/tessera.png, $(DEMO)/circles.png, $(DEMO)/kettle.png"
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] && command -v xdg-open >/dev/null; then \
	    xdg-open $(DEMO)/shuffled.png; xdg-open $(DEMO)/restored.png; \
	    xdg-open $(DEMO)/circles.png; xdg-open $(DEMO)/kettle.png; \
	elif command -v open >/dev/null && [ "$$(uname)" = Darwin ]; then \
	    open $(DEMO)/shuffled.png $(DEMO)/restored.png $(DEMO)/circles.png $(DEMO)/kettle.png; fi

# The bundled images and patches, made anew.
samples: all $(BUILD)/papyrus $(BUILD)/sample_patches
	$(BUILD)/papyrus images/samples/papyrus.png
	$(BUILD)/scramble images/samples/papyrus.png images/samples/papyrus-shuffled.png
	$(BUILD)/sample_patches scenes/samples
$(BUILD)/papyrus: $(BUILD)/images/samples/papyrus.o $(SHARED_OBJECTS)
	$(CC) $(CFLAGS) -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -o $@
$(BUILD)/sample_patches: $(BUILD)/scenes/samples/sample_patches.o
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBRARIES) -o $@

# What a fresh machine lacks. Debian and Ubuntu install it; elsewhere the names say what to look
# for. Videos in MP4 and WebM take ffmpeg. Tests read meshes by assimp, metadata by exiftool and
# Pillow, make images by GraphicsMagick, draw SVG by librsvg, build with pkg-config, use NumPy,
# complete command lines in zsh and fish, connect two machines by iproute2 and, with DEV=1, open the
# page of a report in Chromium; what is not there is skipped.
PACKAGES := gcc libc6-dev make perl libstb-dev libdeflate-dev zlib1g-dev libpng-dev libjpeg-dev \
            libtiff-dev libwebp-dev libgif-dev libjansson-dev libexpat1-dev assimp-utils \
            graphicsmagick ffmpeg pkg-config python3-numpy libimage-exiftool-perl python3-pil \
            librsvg2-bin zsh fish \
            $(if $(NO_MPI),,openmpi-bin libopenmpi-dev iproute2) \
            $(if $(NO_OPENCL),,opencl-headers ocl-icd-libopencl1 pocl-opencl-icd)
DEV_PACKAGES := chromium clang clang-format clang-tidy libclang-rt-dev libomp-dev valgrind gcovr \
                gnuplot-nox mandoc libcairo2-dev libjxl-dev libavif-dev g++ \
                libocct-data-exchange-dev libocct-ocaf-dev libocct-modeling-algorithms-dev \
                libocct-modeling-data-dev libocct-foundation-dev
SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)

WANTED := $(PACKAGES) $(if $(DEV),$(DEV_PACKAGES))

deps:
	@if ! command -v apt-get >/dev/null; then \
	    echo "install what corresponds to these Debian packages:" $(WANTED); \
	    exit 1; \
	fi; \
	missing=; for package in $(WANTED); do \
	    dpkg-query -W -f '$${Status}\n' $$package 2>/dev/null | grep -q '^install ok' || \
	        missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then echo "all packages are installed"; exit 0; fi; \
	echo "about to install with $(SUDO:%=% )apt-get, and what these need:$$missing"; \
	$(SUDO) apt-get update && \
	    $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing

ready:
	@printf '\043include <%s.h>\n' stb_image stb_image_resize stb_truetype libdeflate zlib png stdio jpeglib tiffio \
	        jansson expat | \
	    $(CC) $(CPPFLAGS) $(STB_CFLAGS) -E - >/dev/null 2>&1 && command -v prove >/dev/null && \
	    { [ -n "$(NO_MPI)" ] || command -v $(MPICC) >/dev/null; } && \
	    { [ -n "$(NO_OPENCL)" ] || ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1; } || \
	    $(MAKE) --no-print-directory deps

# Without symbols for a debugger, which take more than the programs; INSTALL_STRIP= keeps them. The
# library goes in as the name that programs look for and the one that linkers look for; the Python
# module is told where that is.
INSTALL_STRIP ?= -s
PYTHON ?= python3
PYTHON_DIR ?= $(shell $(PYTHON) -c "import sys, sysconfig; lib = '$(PREFIX)/lib/'; \
    own = [path for path in [sysconfig.get_path('purelib')] + sys.path \
           if path.startswith(lib) and path.endswith('-packages')]; \
    print(own[0] if own else lib + 'python%d.%d/site-packages' % sys.version_info[:2])" 2>/dev/null)
one_word = $(if $(word 2,$(1)),$(error a folder with a space cannot be installed to: $(1)))$(1)
in = $(call one_word,$(DESTDIR)$($(1)))
install: all
	install -d $(call in,BINDIR) $(call in,INCLUDEDIR) $(call in,LIBDIR)/pkgconfig \
	    $(call in,MANDIR)/man1 $(call in,MANDIR)/man3 \
	    $(call in,COMPLETION_DIR) $(call in,ZSH_DIR) $(call in,FISH_DIR)
	install $(INSTALL_STRIP) $(PROGRAMS) $(CONVERT:%=$(BUILD)/%) $(call in,BINDIR)
	install -m 644 $(INSTALL_STRIP) $(BUILD)/$(LIBRARY) $(call in,LIBDIR)
	ln -sf $(LIBRARY) $(call in,LIBDIR)/$(LINK_NAME)
	$(if $(MPI_MODULE),install -m 644 $(INSTALL_STRIP) $(MPI_MODULE) $(call in,LIBDIR))
	install -m 644 $(BUILD)/libtessera.a $(call in,LIBDIR)
	$(if $(INSTALL_STRIP),$(STRIP) -g $(call in,LIBDIR)/libtessera.a)
	install -m 644 $(BUILD)/tessera.pc $(call in,LIBDIR)/pkgconfig
	install -m 644 stages/tessera.h $(call in,INCLUDEDIR)
	install -m 644 $(patsubst %,$(BUILD)/man/%.1,$(TOOLS) $(CONVERT)) $(call in,MANDIR)/man1
	install -m 644 docs/man/tessera.3 $(call in,MANDIR)/man3
	install -m 644 $(COMPLETED:%=$(BUILD)/completions/%) $(call in,COMPLETION_DIR)
	install -m 644 $(COMPLETED:%=$(BUILD)/completions/_%) $(call in,ZSH_DIR)
	install -m 644 $(COMPLETED:%=$(BUILD)/completions/%.fish) $(call in,FISH_DIR)
	$(if $(PYTHON_DIR),install -d $(call in,PYTHON_DIR); \
	    install -m 644 stages/tessera.py $(call in,PYTHON_DIR); \
	    perl -pi -e 's|^(_LIBRARY = ).*|$$1"$(call way,$(PYTHON_DIR),$(LIBDIR))/$(LIBRARY)"|' \
	        $(call in,PYTHON_DIR)/tessera.py)

uninstall:
	rm -f $(foreach tool,$(TOOLS) tessera-convert,$(call in,BINDIR)/$(tool) \
	        $(call in,MANDIR)/man1/$(tool).1 $(call in,COMPLETION_DIR)/$(tool) \
	        $(call in,ZSH_DIR)/_$(tool) $(call in,FISH_DIR)/$(tool).fish) \
	    $(addprefix $(call in,LIBDIR)/,$(LIBRARY) $(LINK_NAME) $(notdir $(MPI_MODULE)) \
	        libtessera.a pkgconfig/tessera.pc) \
	    $(call in,INCLUDEDIR)/tessera.h $(call in,MANDIR)/man3/tessera.3 \
	    $(if $(PYTHON_DIR),$(call in,PYTHON_DIR)/tessera.py)

# The sources of the last commit, the same bytes wherever they are packed.
DIST := tessera-$(VERSION)
dist:
	@mkdir -p $(BUILD)
	git -c tar.umask=0022 archive --prefix=$(DIST)/ HEAD >$(BUILD)/$(DIST).tar
	gzip -9nf $(BUILD)/$(DIST).tar
	@echo "$(BUILD)/$(DIST).tar.gz"

# The remaining targets need `make deps DEV=1`.
FORMATTED = $(shell git ls-files '*.c' '*.h' '*.cl' '*.cpp')
format:
	clang-format -i $(FORMATTED)
format-check:
	clang-format --dry-run -Werror $(FORMATTED)

lint: $(BUILD)/flags
	@! awk 'length > 100 { print FILENAME ":" FNR ": more than 100 columns" }' $(FORMATTED) \
	    $(shell git ls-files Makefile '*.py' '*.js' '*.html' '*.pl') | grep .
	clang-tidy --quiet $(filter %.c,$(FORMATTED)) -- -std=c11 -I. -Istages -DTOOL='""' $(DEFINES) \
	    $(patsubst -I%,-isystem%,$(STB_CFLAGS)) $(CUDA_CFLAGS) \
	    $(patsubst -I%,-isystem%,$(shell pkg-config --cflags cairo ompi 2>/dev/null))

SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ASAN := use_sigaltstack=0:detect_stack_use_after_return=1
# PoCL's compiler, LLVM, takes the place of the signal stack of the thread that starts it, which
# ASan would unmap. Open MPI keeps memory of modules that it has closed by then: in ranks stacks are
# walked in full, which is slow, up to the libraries that the suppressions name.
sanitize: ready
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize CUDA=0 CFLAGS='-O1 -g $(SANITIZERS)' \
	    ASAN_OPTIONS=$(ASAN) \
	    OMPI_MCA_mca_base_env_list=ASAN_OPTIONS=$(ASAN):fast_unwind_on_malloc=0 \
	    UBSAN_OPTIONS=print_stacktrace=1 \
	    LSAN_OPTIONS=print_suppressions=0:suppressions=tests/lsan.supp check

# A few refusals fail here, since gcov complains where nothing can be written.
coverage: ready
	-$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage CUDA=0 \
	    CFLAGS='-O0 -g --coverage -fprofile-update=atomic' check
	gcovr --root . --object-directory $(BUILD)/coverage --exclude 'tests/(test_|fuzz|bench)' \
	    --exclude build --print-summary --html-details $(BUILD)/coverage/index.html

# Every parser for FUZZ_SECONDS, one after the other, from the inputs in tests/fuzz/.
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
# With what the sanitizers check some loops cannot become vectors, of which clang would warn.
FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -Wno-pass-failed
fuzz: ready
	$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CUDA=0 CC=clang \
	    CFLAGS='-O1 -g $(FUZZ_FLAGS)' fuzzers
	@for fuzzer in $(FUZZERS); do \
	    mkdir -p $(BUILD)/fuzz/$$fuzzer.corpus && \
	    $(BUILD)/fuzz/tests/fuzz/$$fuzzer -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	        -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/ \
	        $(BUILD)/fuzz/$$fuzzer.corpus tests/fuzz/seeds || exit 1; \
	done
fuzzers: $(FUZZERS:%=$(BUILD)/tests/fuzz/%)
$(FUZZERS:%=$(BUILD)/tests/fuzz/%): %: %.o $(SHARED_OBJECTS)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -o $@

# Bad files through all parsers and random scenes through all methods, in one process each, and bad
# files, signals, full disks, closed streams and shared paths on the command line: see
# tests/fuzz/attack.sh. ATTACK names its parts; PARSED, SCENES, FILES, SIGNALS and SEED its counts.
ATTACK_CHECKS := $(FUZZERS:%=$(BUILD)/tests/fuzz/%.attack.o)
attack: ready
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize CUDA=0 CFLAGS='-O1 -g $(SANITIZERS)' \
	    UBSAN_OPTIONS=print_stacktrace=1 \
	    LSAN_OPTIONS=print_suppressions=0:suppressions=tests/lsan.supp attack-all
attack-all: all $(BUILD)/attack $(BUILD)/scene_attack
	tests/fuzz/attack.sh $(ATTACK)
$(ATTACK_CHECKS): $(BUILD)/tests/fuzz/%.attack.o: tests/fuzz/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,cc $< for the attack)
	$(Q)$(COMPILE) -DLLVMFuzzerTestOneInput=$* -c $< -o $@
$(BUILD)/attack: $(call objects,$(addprefix tests/fuzz/,attack.c attack_seeds.c mutate.c watch.c)) \
    $(ATTACK_CHECKS) $(SHARED_OBJECTS)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -o $@
$(BUILD)/scene_attack: $(call objects,tests/fuzz/scenes.c tests/fuzz/watch.c) $(SHARED_OBJECTS)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -o $@

# The loops of these must be vectorized.
$(BUILD)/stages/unscramble/compatibility.o $(BUILD)/stages/unscramble/dissimilarity.o \
$(BUILD)/images/pyramid.o: CFLAGS += -O3
$(BUILD)/stages/unscramble/features.o: stages/unscramble/network.weights
$(BUILD)/images/text.o: images/font/DejaVuSans.ttf
$(BUILD)/cli/viewer.o: cli/viewer.html
$(BUILD)/cli/report.o: cli/report.html cli/report.js

BENCHES := $(addprefix $(BUILD)/,solve calibrate fit compare_bench circles_bench bezier_bench \
    grid_bench scenes_bench png_bench strips_bench turns_bench)
$(BENCHES): $(BUILD)/%: $(BUILD)/tests/bench/%.o $(SHARED_OBJECTS)
	$(call say,link $@)
	$(Q)$(CC) $(CFLAGS) -fopenmp $(LDFLAGS) $^ $(LIBRARIES) -o $@

bench: all $(BUILD)/circles_bench $(BUILD)/bezier_bench
	tests/bench/bench.sh
	tests/bench/circles.sh
	tests/bench/bezier.sh

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
