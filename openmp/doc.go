// Package openmp is the place of the printer of loops as C with OpenMP, for
// CPUs. It is not written yet; hexcc --target=openmp says so.
package openmp
