#!/bin/bash
# Compares programs whose nests hand on fields: as hexcc fuses them by boxes that overlap, as hexcc translates them where the choice is its own, with the loops
# as they are written, with `omp parallel for` before each nest, and, where there is such a variant, as one fuses them by hand and as Halide compiles them:
#
#	bench/cpu/overlapped/run.sh path/to/hexcc [rounds [threads]]
#
# All variants run in turn, round by round, so that they meet the same load; the best time of each counts. All have to leave the same bits, but for what
# Halide makes where it may change the order of sums; with its strict floats it has to, too.
# CC=clang in the environment is the compiler of all variants, gcc if there is none.
# TILE=w0=32,w1=1,w2=256 in the environment sets the sizes of tiles, ONLY="hd harris" says which programs, RUNS=10 how often each runs in a round.
# Halide is that of the Python in HEXCC_PYTHON, else python3; where that has none, it is left out.
set -eu
hexcc=$(realpath "$1") rounds=${2:-10}
export OMP_NUM_THREADS="${3:-2}" HL_NUM_THREADS="${3:-2}"
here=$(realpath "$(dirname "$0")")
idioms=$(realpath "$here/../../../testdata/idioms")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.c "$here"/*.h "$work"
cd "$work"
ulimit -s unlimited 2>/dev/null || ulimit -s 500000 # for the local arrays of the plain loops
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000 # arrays from malloc get the same pages in each run
flags="-O3 -march=native -ffp-contract=off -w"
python=${HEXCC_PYTHON:-python3} halide=
if "$python" -c 'import halide' 2>/dev/null; then
  "$python" "$here/halide_build.py" .
  halide=$("$python" -c 'import halide, os; print(os.path.join(os.path.dirname(halide.__file__), "include"))')
else
  echo "Halide is left out: $python cannot import it"
fi

# program VARIANT FILE FLAGS..: the program as in FILE
program() {
  local variant=$1 file=$2
  shift 2
  "${CC:-gcc}" $flags -DPROGRAM="\"$file\"" -DCALL="\"$name.call.h\"" "$@" -lm -o "$name-$variant"
  variants="$variants $variant"
}

# translated VARIANT FLAGS..: the program as hexcc makes it, if it does
translated() {
  local variant=$1
  shift
  if "$hexcc" --target=openmp "$@" -o "$name-$variant" "$name.c" >log 2>&1; then
    program "$variant" "$name-$variant.hex.c" driver.c -fopenmp
    tiles=$(grep -o 'h=[0-9]*,w0=[0-9,w=]*' "$name-$variant.hex.c" | head -1)
    printf '%s\t%s\n' "$name-$variant" "$tiles" >>tiles.txt
  else
    grep error log
  fi
}

for name in ${ONLY:-hd harris unsharp advection-uv wind-divergence fast-waves hyperbolic-flux supergrid-damping denoise}; do
  variants=
  : >tiles.txt
  [ -f "$name.c" ] || cp "$idioms/$name.c" .
  indent='  '
  grep -q 'for (int t' "$name.c" && indent='    '
  sed "/pragma scop/,/pragma endscop/s/^${indent}for (int/#pragma omp parallel for\n&/" "$name.c" >"$name-nests.c"
  program plain "$name.c" driver.c
  program nests "$name-nests.c" driver.c -fopenmp
  [ ! -f "$name-fused.c" ] || program fused "$name-fused.c" driver.c -fopenmp
  case $name in harris | unsharp)
    for variant in halide halide_strict; do
      made=$name${variant#halide}
      [ -z "$halide" ] || program $variant halide.c -I"$halide" -DHALIDE="halide_$made" -DHEADER="\"$made.h\"" driver.c "$made.o" -lpthread -ldl
    done ;;
  esac
  translated overlapped --strategy=overlapped ${TILE:+--tile="$TILE"}
  translated auto
  round=0
  while [ "$round" -lt "$rounds" ]; do
    for variant in $variants; do
      "./$name-$variant" "${RUNS:-10}" >>"$name-$variant.txt"
    done
    round=$((round + 1))
  done
  for variant in $variants; do
    [ "$variant" = halide ] || [ "$(cut -d' ' -f1 "$name-$variant.txt" | sort -u)" = "$(head -1 "$name-plain.txt" | cut -d' ' -f1)" ] || { echo "$name: $variant leaves other values"; exit 1; }
    printf '%-18s %-14s %8s ms  %s\n' "$name" "$variant" "$(cut -d' ' -f2 "$name-$variant.txt" | sort -g | head -1)" "$(sed -n "s/^$name-$variant\t//p" tiles.txt)"
  done
  rm -f "$name-"*
done
uptime
