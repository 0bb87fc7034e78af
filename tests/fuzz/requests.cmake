# Of the server the two files that make a status of an error: the rest of it is not what is fuzzed here.
astrolabe_fuzz(requests_fuzz
  SOURCES requests_fuzz.cc ${PROJECT_SOURCE_DIR}/daemon/server/error_status.cc
          ${PROJECT_SOURCE_DIR}/daemon/server/safe_text.cc
  LIBRARIES jobs_fakes gRPC::grpc++)
