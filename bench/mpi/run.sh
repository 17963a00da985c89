#!/usr/bin/env bash
# Heat on 2 ranks of this machine: tiles by hexcc beside rows exchanged in each step by hand, by turns. run.sh [HEXCC] [MPICC] [MPIRUN]
set -euo pipefail
hexcc=${1:-hexcc} mpicc=${2:-mpicc} mpirun=${3:-mpirun}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$(dirname "$0")"/*.c "$dir"
cd "$dir"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
"$hexcc" -q --target=mpi --cpu=native --grid=n=8000 --grid=m=8000 --grid=steps=96 heat.c
"$mpicc" -O3 -march=native -ffp-contract=off -o scale scale.c heat.hex.c
for _ in 1 2 3; do
  for way in 0 1; do
    "$mpirun" -n 2 ./scale $way 8000 8000 96
  done
done
