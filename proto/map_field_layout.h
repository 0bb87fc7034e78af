// Included before all else under ThreadSanitizer: protobuf gives its map fields two more members there, which the
// library, built without, does not know. Reflection on a map would then read beside it.
#ifndef ASTROLABE_PROTO_MAP_FIELD_LAYOUT_H_
#define ASTROLABE_PROTO_MAP_FIELD_LAYOUT_H_

#pragma push_macro("__SANITIZE_THREAD__")
#undef __SANITIZE_THREAD__
#include <google/protobuf/map_field.h>
#pragma pop_macro("__SANITIZE_THREAD__")

#endif  // ASTROLABE_PROTO_MAP_FIELD_LAYOUT_H_
