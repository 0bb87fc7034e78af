astrolabe_fuzz(tsp_fuzz SOURCES tsp_fuzz.cc LIBRARIES tsp_test_lib)
