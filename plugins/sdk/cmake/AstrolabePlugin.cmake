# astrolabe_add_plugin(NAME SOURCE...): a plugin library NAME.so with the flags that plugins need. In a project of
# your own: find_package(astrolabe) and link what else you want with target_link_libraries.
#
# One symbol is exported, all others are hidden and bound inside the library, so that two plugins never see each
# other's functions; a missing symbol is found when the plugin is linked, not in the daemon. Nothing here ties the
# library to this machine's processor.

function(astrolabe_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  if(TARGET astrolabe_sdk)
    target_link_libraries(${name} PRIVATE astrolabe_sdk)
  else()
    target_link_libraries(${name} PRIVATE astrolabe::astrolabe_sdk)
  endif()
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so"
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/astrolabe_plugin.map)
  if(ASTROLABE_BUILD_PLUGIN_DIR)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${ASTROLABE_BUILD_PLUGIN_DIR})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  endif()
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/astrolabe_plugin.map"
    LINKER:-z,now LINKER:-z,relro LINKER:-Bsymbolic LINKER:--exclude-libs,ALL)
  # The runtime of a sanitizer is in the program, not in its libraries.
  string(CONCAT flags "${CMAKE_CXX_FLAGS} ${CMAKE_C_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS} ${CMAKE_MODULE_LINKER_FLAGS}")
  if(NOT ASTROLABE_SANITIZE AND NOT flags MATCHES "-fsanitize")
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
endfunction()
