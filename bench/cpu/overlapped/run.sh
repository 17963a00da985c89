#!/bin/sh
# Compares horizontal diffusion as hexcc fuses it with the plain loops, with each nest in parallel, and with what one fuses by hand:
#
#	bench/cpu/overlapped/run.sh path/to/hexcc [rounds [threads]]
#
# All variants run in turn, round by round, so that they meet the same load; the best time of each counts. All have to leave the same bits.
# TILE=w0=32,w1=1,w2=256 in the environment sets the sizes of tiles.
set -eu
hexcc=$(realpath "$1") rounds=${2:-10}
export OMP_NUM_THREADS="${3:-2}"
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.c "$here"/*.h "$work"
cd "$work"
ulimit -s unlimited 2>/dev/null || ulimit -s 200000 # for the local arrays of the plain loops
flags="-O3 -march=native -ffp-contract=off -Wno-unknown-pragmas"
sed 's/^  for (int k = 0/#pragma omp parallel for\n&/' hd.c >hd-nests.c
"$hexcc" --target=openmp --strategy=overlapped ${TILE:+--tile="$TILE"} hd.c >log 2>&1 || { cat log; exit 1; }
gcc $flags main.c hd.c -o plain
gcc $flags -fopenmp main.c hd-nests.c -o nests
gcc $flags -fopenmp main.c hd-fused.c -o fused
gcc $flags -fopenmp main.c hd.hex.c -o hexcc
round=0
while [ "$round" -lt "$rounds" ]; do
  for variant in plain nests fused hexcc; do
    "./$variant" 10 >>"$variant.txt"
  done
  round=$((round + 1))
done
grep -o 'h=[0-9,wh=]*' hd.hex.c | head -1
for variant in plain nests fused hexcc; do
  [ "$(cut -d' ' -f1 "$variant.txt" | sort -u)" = "$(head -1 plain.txt | cut -d' ' -f1)" ] || { echo "$variant leaves other values"; exit 1; }
  printf '%-6s %s ms\n' "$variant" "$(cut -d' ' -f2 "$variant.txt" | sort -g | head -1)"
done
uptime
