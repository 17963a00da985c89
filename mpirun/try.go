package mpirun

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// tried says what the library calls itself, by rank 0 of two. It is no simulator that runs as it is: smpirun wants a platform.
const tried = `#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
  int rank, size, length, version, sub;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_version(&version, &sub);
  MPI_Get_library_version(name, &length);
  for (int i = 0; i < length; i++)
    if (name[i] == '\n' || name[i] == ',' || name[i] == '\t')
      name[i] = ' ';
  if (rank == 0)
    printf("%d %d.%d %.60s\n", size, version, sub, name);
  MPI_Finalize();
  return 0;
}
`

// Try compiles a program and starts it on two ranks, and returns what the library is, such as "mpicc and mpirun: Open MPI v4.1.4, MPI 3.1".
func (l Library) Try() (string, error) {
	dir, err := os.MkdirTemp("", "hexcc-mpi-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	if err := os.WriteFile(filepath.Join(dir, "try.c"), []byte(tried), 0o666); err != nil {
		return "", err
	}
	run := func(name string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), Environment()...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(string(out)))
		}
		return string(out), nil
	}
	if _, err := run(l.Compiler, "try.c", "-o", "try"); err != nil {
		return "", err
	}
	said, err := run(l.Starter, "-n", "2", "./try")
	if err != nil { // once more: what starts as if it were alone, twice at the same time, may be in its own way
		said, err = run(l.Starter, "-n", "2", "./try")
	}
	if err != nil {
		return "", err
	}
	fields := strings.Fields(said)
	if len(fields) < 3 || fields[0] != "2" {
		return "", fmt.Errorf("%s starts programs that %s has compiled as if each were alone: they are of different libraries", l.Starter, l.Compiler)
	}
	return fmt.Sprintf("%s and %s: %s, MPI %s", l.Compiler, l.Starter, strings.Join(fields[2:min(len(fields), 5)], " "), fields[1]), nil
}
