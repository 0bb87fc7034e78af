#ifndef ASTROLABE_CLIENT_EXPORT_H_
#define ASTROLABE_CLIENT_EXPORT_H_

// What libastrolabe_client exports; everything else in it is hidden.
#define ASTROLABE_CLIENT_EXPORT __attribute__((visibility("default")))

#define ASTROLABE_CLIENT_HIDDEN __attribute__((visibility("hidden")))

#endif  // ASTROLABE_CLIENT_EXPORT_H_
