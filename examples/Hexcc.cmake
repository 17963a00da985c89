# hexcc_add_library(NAME SOURCES FILE.c ... [TARGET cuda|ptx|opencl|openmp|c|mpi|mpi+cuda] [TYPE STATIC|SHARED|OBJECT] [ARCH sm_80] [FLAGS ...])
#   makes a library of C sources, of which those with regions (#pragma scop) are translated. Functions have the names and
#   arguments that they have in the sources, so that it links in place of a library of these.
#
# hexcc_target_sources(NAME FILE.c ... [TARGET ..] [ARCH ..] [FLAGS ...])
#   translates sources, and adds what comes out to a library or a program that is there.
#
# With TARGET mpi, or mpi+cuda, the functions are others, FN_mpi beside FN: those who link the library find FILE.hex.h that declares them, and MPI.
#
# What is not given is --target=cuda and --arch=sm_80, as on the command line. Headers that a source includes, wherever it finds
# them, are dependencies. Include folders and definitions of the target hold for the translation, too. Of a library, those who link
# it get what it needs: CUDA's run time, OpenMP, OpenCL, or MPI. Sources without a region are compiled as they are.
#
# HEXCC names the program. With HEXCC_SHIM=ON the kernels of --target=cuda are compiled for the CPU, as they are: for tests on
# machines without nvcc; the project then has the language CXX. Otherwise it has to have the language CUDA. So it is with mpi+cuda.
include_guard(GLOBAL)
find_program(HEXCC hexcc REQUIRED)
option(HEXCC_SHIM "run the kernels of --target=cuda on the CPU, for tests" OFF)

function(hexcc_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;ARCH;TYPE" "SOURCES;FLAGS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "hexcc_add_library(NAME SOURCES FILE.c ... [TARGET ..] [TYPE ..] [ARCH ..] [FLAGS ...]): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  add_library(${name} ${arg_TYPE})
  hexcc_target_sources(${name} ${arg_SOURCES} TARGET "${arg_TARGET}" ARCH "${arg_ARCH}" FLAGS ${arg_FLAGS})
endfunction()

function(hexcc_target_sources name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;ARCH" "FLAGS")
  set(target cuda)
  if(arg_TARGET)
    set(target ${arg_TARGET})
  endif()
  set(arch sm_80)
  if(arg_ARCH)
    set(arch ${arg_ARCH})
  endif()
  set(endings_cuda .hex_host.cu .hex_kernel.cu .hex.h)
  set(endings_ptx .hex_host.c .hex_kernel.c .hex.ptx .hex.h)
  set(endings_opencl .hex_host.c .hex_kernel.c .hex_kernel.cl .hex.h)
  set(endings_openmp .hex.c)
  set(endings_c .hex.c)
  set(endings_mpi .hex.c .hex.h)
  set(endings_mpi+cuda .hex.cu .hex.h)
  if(NOT DEFINED endings_${target})
    message(FATAL_ERROR "hexcc: TARGET is cuda, ptx, opencl, openmp, c, mpi or mpi+cuda, not '${target}'")
  endif()
  if(target MATCHES "cuda$" AND NOT HEXCC_SHIM AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "hexcc: TARGET ${target} needs the language CUDA: project(... LANGUAGES C CUDA), or -DHEXCC_SHIM=ON to run kernels on the CPU")
  endif()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/hexcc/${name})
  file(MAKE_DIRECTORY ${dir})
  set(given "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(macros "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(source ${source} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} regions REGEX "pragma[ \t]+scop|_Pragma[ \t]*\\([ \t]*\"[ \t]*scop" LIMIT_COUNT 1)
    if(NOT regions)
      target_sources(${name} PRIVATE ${source})
      continue()
    endif()
    get_filename_component(base ${source} NAME_WLE)
    get_filename_component(folder ${source} DIRECTORY)
    set(out ${dir}/${base})
    set(made ${endings_${target}})
    list(TRANSFORM made PREPEND ${out})
    list(GET made 0 first)
    add_custom_command(
      OUTPUT ${made}
      COMMAND ${HEXCC} --target=${target} --arch=${arch} ${arg_FLAGS}
        "$<$<BOOL:${given}>:-I$<JOIN:${given},;-I>>" "$<$<BOOL:${macros}>:-D$<JOIN:${macros},;-D>>"
        -MD -MF ${out}.d -MT ${first} -o ${out} ${source}
      DEPENDS ${source} ${HEXCC}
      DEPFILE ${out}.d
      COMMENT "hexcc --target=${target} ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set(compiled ${made})
    list(FILTER compiled INCLUDE REGEX "\\.(c|cu)$")
    target_sources(${name} PRIVATE ${compiled})
    target_include_directories(${name} PRIVATE ${dir} ${folder})
    if(target MATCHES "^mpi")
      target_include_directories(${name} INTERFACE ${dir})
    endif()
    if(target STREQUAL cuda)
      hexcc_compile_cuda(${out})
    elseif(target STREQUAL mpi+cuda)
      hexcc_compile_kernel(${first})
    elseif(target MATCHES "^(openmp|c|mpi)$")
      # the results are those of the source only where products and sums are not fused
      set_source_files_properties(${first} PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-Wno-unknown-pragmas")
    endif()
  endforeach()
  hexcc_link(${name} ${target} ${arch})
endfunction()

# hexcc_compile_cuda says how to compile the files of --target=cuda: the one of the host is as much C as its source.
function(hexcc_compile_cuda out)
  set_source_files_properties(${out}.hex_host.cu PROPERTIES LANGUAGE C COMPILE_OPTIONS "-xc")
  hexcc_compile_kernel(${out}.hex_kernel.cu)
endfunction()

# hexcc_compile_kernel says so of a file with kernels.
function(hexcc_compile_kernel file)
  if(HEXCC_SHIM)
    set_source_files_properties(${file} PROPERTIES
      LANGUAGE CXX COMPILE_OPTIONS "-xc++;-std=c++17;-ffp-contract=off;-U_FORTIFY_SOURCE")
  endif()
endfunction()

# hexcc_link adds what a target needs of others.
function(hexcc_link name target arch)
  if(target STREQUAL openmp)
    find_package(OpenMP REQUIRED COMPONENTS C)
    target_link_libraries(${name} PUBLIC OpenMP::OpenMP_C)
  elseif(target STREQUAL mpi)
    find_package(MPI REQUIRED COMPONENTS C)
    find_package(OpenMP REQUIRED COMPONENTS C)
    target_link_libraries(${name} PUBLIC MPI::MPI_C OpenMP::OpenMP_C)
  elseif(target STREQUAL opencl)
    find_package(OpenCL REQUIRED)
    find_package(Threads REQUIRED)
    target_link_libraries(${name} PUBLIC OpenCL::OpenCL Threads::Threads)
  elseif(target STREQUAL ptx)
    find_package(CUDAToolkit REQUIRED)
    target_link_libraries(${name} PUBLIC CUDA::cuda_driver)
  endif()
  if(target STREQUAL mpi+cuda)
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(${name} PUBLIC MPI::MPI_C)
  endif()
  if(target MATCHES "cuda$" AND HEXCC_SHIM)
    set(shim ${CMAKE_CURRENT_BINARY_DIR}/hexcc/shim)
    execute_process(COMMAND ${HEXCC} shim -o ${shim} COMMAND_ERROR_IS_FATAL ANY)
    target_include_directories(${name} PRIVATE ${shim})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  elseif(target MATCHES "cuda$")
    string(REPLACE sm_ "" number ${arch})
    set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES ${number} LINKER_LANGUAGE CXX)
  endif()
  find_library(HEXCC_MATH m)
  if(HEXCC_MATH)
    target_link_libraries(${name} PUBLIC m)
  endif()
endfunction()
