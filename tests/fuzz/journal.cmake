astrolabe_fuzz(journal_fuzz SOURCES journal_fuzz.cc LIBRARIES jobs_fakes)
