package main

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// This file says by which command what is missing is installed here.

// A system is an operating system with its packages.
type system struct {
	name    string // as it calls itself; "": unknown
	manager string // of packages; "": unknown
}

// managers are commands that install packages, by the family of the system.
var managers = []struct {
	families []string
	name     string
	command  string
}{
	{[]string{"debian", "ubuntu"}, "apt", "apt-get install "},
	{[]string{"fedora", "rhel", "centos"}, "dnf", "dnf install "},
	{[]string{"suse", "opensuse"}, "zypper", "zypper install "},
	{[]string{"arch"}, "pacman", "pacman -S "},
	{[]string{"alpine"}, "apk", "apk add "},
	{[]string{"darwin"}, "brew", "brew install "},
}

// packages are what there is to install, by manager.
var packages = map[string]map[string]string{
	"cc":     {"apt": "gcc libc6-dev", "dnf": "gcc", "zypper": "gcc", "pacman": "gcc", "apk": "gcc musl-dev", "brew": "gcc"},
	"c++":    {"apt": "g++", "dnf": "gcc-c++", "zypper": "gcc-c++", "pacman": "gcc", "apk": "g++", "brew": "gcc"},
	"openmp": {"apt": "gcc libgomp1", "dnf": "gcc libgomp", "zypper": "gcc libgomp1", "pacman": "gcc", "apk": "gcc libgomp", "brew": "gcc"},
	"nvcc":   {"apt": "nvidia-cuda-toolkit", "pacman": "cuda"},
	"mpi":    {"apt": "openmpi-bin libopenmpi-dev", "dnf": "openmpi openmpi-devel", "zypper": "openmpi4 openmpi4-devel", "pacman": "openmpi", "apk": "openmpi openmpi-dev", "brew": "open-mpi"},
	"llvm":   {"apt": "llvm-16", "dnf": "llvm", "zypper": "llvm", "pacman": "llvm", "apk": "llvm16", "brew": "llvm"},
	"opencl": {"apt": "ocl-icd-libopencl1 pocl-opencl-icd", "dnf": "ocl-icd pocl", "zypper": "libOpenCL1 pocl", "pacman": "ocl-icd pocl", "apk": "opencl-icd-loader pocl", "brew": "pocl"},
}

// elsewhere says where to get what the system has no package of.
var elsewhere = map[string]string{
	"cc": "install gcc or clang", "c++": "install g++", "openmp": "install a compiler with OpenMP, such as gcc, and name it by HEXCC_CC",
	"mpi":  "install Open MPI or MPICH, with mpicc and mpirun on PATH, or name them by HEXCC_MPICC and HEXCC_MPIRUN",
	"nvcc": "https://developer.nvidia.com/cuda-downloads, or the compiler alone from PyPI (hexcc explain HX504)",
	"llvm": "install LLVM 14 or newer, with llc and opt", "opencl": "install the OpenCL library and a driver, such as PoCL",
}

// thisSystem returns the system of this machine.
func thisSystem() system {
	if runtime.GOOS != "linux" {
		return systemOf("ID=" + runtime.GOOS + "\n")
	}
	text, _ := os.ReadFile("/etc/os-release")
	return systemOf(string(text))
}

// systemOf reads an os-release file.
func systemOf(release string) (s system) {
	values := map[string]string{}
	for line := range strings.Lines(release) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			values[name] = strings.Trim(value, `"'`)
		}
	}
	s.name = values["PRETTY_NAME"]
	families := append([]string{values["ID"]}, strings.Fields(values["ID_LIKE"])...)
	for _, m := range managers {
		if slices.ContainsFunc(families, func(f string) bool { return slices.Contains(m.families, f) }) {
			s.manager = m.name
			break
		}
	}
	return s
}

// install returns the command that installs what is needed, or what to do where there is none.
func (s system) install(what string) string {
	names := packages[what][s.manager]
	if names == "" {
		return elsewhere[what]
	}
	for _, m := range managers {
		if m.name == s.manager {
			return asRoot(s.manager) + m.command + names
		}
	}
	return elsewhere[what]
}

// asRoot returns what goes before the command of a manager that needs to be root.
func asRoot(manager string) string {
	if manager == "brew" || os.Getuid() == 0 {
		return ""
	}
	if _, err := exec.LookPath("sudo"); err != nil {
		return "as root: "
	}
	return "sudo "
}
