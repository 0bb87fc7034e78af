# A domain is a problem and its heuristics, each a library of its own, and headers for heuristics of other people.
#
# astrolabe_domain(NAME [LIBRARY...]): the target NAME_domain, which is what the plugins, and the tests of the plugin
# files, link: the domain's include/, the SDK and the other libraries.
function(astrolabe_domain name)
  add_library(${name}_domain INTERFACE)
  target_include_directories(${name}_domain INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
  target_link_libraries(${name}_domain INTERFACE astrolabe_sdk ${ARGN})
  install(DIRECTORY include/ DESTINATION include)
endfunction()

# astrolabe_domain_parts(DOMAIN NAME SOURCE...): an object library of what is not an entry point, compiled as plugins
# are, so that tests can link it. Name them all in astrolabe_domain_test_lib.
function(astrolabe_domain_parts domain name)
  add_library(${name} OBJECT ${ARGN})
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${name} PUBLIC ${domain}_domain astrolabe_flags)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -fno-gnu-unique)  # as astrolabe_add_plugin has it
  endif()
endfunction()

# astrolabe_domain_plugin(DOMAIN NAME SOURCE...): a plugin of the domain, built and installed.
function(astrolabe_domain_plugin domain name)
  astrolabe_add_plugin(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${domain}_domain astrolabe_flags)
  install(TARGETS ${name} LIBRARY DESTINATION ${ASTROLABE_PLUGIN_DIR})
endfunction()

# astrolabe_domain_test_lib(DOMAIN PARTS...): DOMAIN_test_lib, for tests against the sources.
function(astrolabe_domain_test_lib domain)
  if(NOT ASTROLABE_TESTS)
    return()
  endif()
  set(objects)
  foreach(parts IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:${parts}>)
  endforeach()
  add_library(${domain}_test_lib STATIC ${objects})
  set_target_properties(${domain}_test_lib PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${domain}_test_lib PUBLIC ${domain}_domain astrolabe_flags)
endfunction()
