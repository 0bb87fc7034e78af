#include "layout.h"

const size_t kLayoutInC[] = ASTRO_LAYOUT;
const size_t kLayoutInCCount = sizeof(kLayoutInC) / sizeof(kLayoutInC[0]);
