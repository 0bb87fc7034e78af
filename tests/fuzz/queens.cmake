astrolabe_fuzz(queens_fuzz SOURCES queens_fuzz.cc LIBRARIES queens_test_lib)
