# Ranks through MPI, in a module that the program loads when mpirun has started it: a program that runs
# alone does not load MPI. Without MPI there is no module, and nothing else changes.
file(RELATIVE_PATH module_place /prefix/${CMAKE_INSTALL_BINDIR}
    /prefix/${CMAKE_INSTALL_LIBDIR}/gully/libgully_mpi.so)
target_compile_definitions(gully_program PRIVATE GULLY_MPI_MODULE="${module_place}")
target_link_libraries(gully_program PRIVATE ${CMAKE_DL_LIBS})
if(GULLY_MPI)
    find_package(MPI QUIET COMPONENTS C)
endif()
if(GULLY_MPI AND MPI_C_FOUND)
    add_library(gully_mpi MODULE cli/mpi/mpi_ranks.c)
    gully_compile(gully_mpi)
    target_include_directories(gully_mpi PRIVATE include)
    target_link_libraries(gully_mpi PRIVATE MPI::MPI_C)
    set_target_properties(gully_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    install(TARGETS gully_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gully)
endif()
