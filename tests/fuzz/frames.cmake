astrolabe_fuzz(frames_fuzz SOURCES frames_fuzz.cc LIBRARIES astrolabe_jobs)
