# hexcc_sources(TARGET SOURCE.c [ARCH sm_80] [FLAGS ...]) translates SOURCE.c and adds what comes out to a target,
# in place of the source. The headers that the source includes are dependencies.
#
# hexcc_opencl_sources(TARGET SOURCE.c [FLAGS ...]) does so for an OpenCL device; it needs no CUDA.
#
# HEXCC names the program. With HEXCC_SHIM=ON the kernels are compiled for the CPU, as they are: for tests on
# machines without nvcc. Otherwise the project needs the language CUDA.
find_program(HEXCC hexcc REQUIRED)
option(HEXCC_SHIM "run the kernels on the CPU, for tests" OFF)

function(hexcc_sources target source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "ARCH" "FLAGS")
  if(NOT arg_ARCH)
    set(arg_ARCH sm_80)
  endif()
  get_filename_component(source ${source} ABSOLUTE)
  get_filename_component(base ${source} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${base})
  add_custom_command(
    OUTPUT ${out}.hex_host.cu ${out}.hex_kernel.cu ${out}.hex.h
    COMMAND ${HEXCC} --arch=${arg_ARCH} ${arg_FLAGS} -MD -MF ${out}.d -MT ${out}.hex_host.cu -o ${out} ${source}
    DEPENDS ${source} ${HEXCC}
    DEPFILE ${out}.d
    COMMENT "hexcc ${source}"
    VERBATIM)
  get_filename_component(folder ${source} DIRECTORY)
  target_sources(${target} PRIVATE ${out}.hex_host.cu ${out}.hex_kernel.cu)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR} ${folder})
  set_source_files_properties(${out}.hex_host.cu PROPERTIES LANGUAGE C COMPILE_OPTIONS "-xc")
  if(HEXCC_SHIM)
    execute_process(COMMAND ${HEXCC} shim -o ${CMAKE_CURRENT_BINARY_DIR}/shim COMMAND_ERROR_IS_FATAL ANY)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/shim)
    set_source_files_properties(${out}.hex_kernel.cu PROPERTIES
      LANGUAGE CXX COMPILE_OPTIONS "-xc++;-std=c++17;-ffp-contract=off;-U_FORTIFY_SOURCE")
  else()
    string(REPLACE sm_ "" number ${arg_ARCH})
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${number})
  endif()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

function(hexcc_opencl_sources target source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FLAGS")
  find_package(OpenCL REQUIRED)
  find_package(Threads REQUIRED)
  get_filename_component(source ${source} ABSOLUTE)
  get_filename_component(base ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/opencl)
  file(MAKE_DIRECTORY ${dir})
  set(out ${dir}/${base})
  add_custom_command(
    OUTPUT ${out}.hex_host.c ${out}.hex_kernel.c ${out}.hex_kernel.cl ${out}.hex.h
    COMMAND ${HEXCC} --target=opencl ${arg_FLAGS} -MD -MF ${out}.d -MT ${out}.hex_host.c -o ${out} ${source}
    DEPENDS ${source} ${HEXCC}
    DEPFILE ${out}.d
    COMMENT "hexcc --target=opencl ${source}"
    VERBATIM)
  target_sources(${target} PRIVATE ${out}.hex_host.c ${out}.hex_kernel.c)
  target_include_directories(${target} PRIVATE ${dir} ${folder})
  target_link_libraries(${target} PRIVATE OpenCL::OpenCL Threads::Threads)
endfunction()
