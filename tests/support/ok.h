// SPDX-License-Identifier: MIT
/// OK(call): the test fails with the library's message if the call does. Include cmocka.h before.
#ifndef OK_H
#define OK_H

#include "gully/status.h"

#define OK(call)                                                                                   \
    do {                                                                                           \
        if (call) fail_msg("%s: %s", #call, gully_message());                                      \
    } while (0)

#endif
