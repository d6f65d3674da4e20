// SPDX-License-Identifier: MIT
/// Status codes and messages.
///
/// A function that can fail for a reason outside the program (a file, memory, a scene) returns a
/// GullyStatus and leaves a message for a person: what, where, what would be allowed.
/// A mistake of the calling program (a null pointer) asserts.
/// The library never prints and never exits.
#ifndef GULLY_STATUS_H
#define GULLY_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GULLY_API __attribute__((visibility("default")))
#define GULLY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define GULLY_MUST_CHECK __attribute__((warn_unused_result)) ///< its status must be looked at
#else
#define GULLY_API
#define GULLY_PRINTF(text, first)
#define GULLY_MUST_CHECK
#endif

/// The version of these headers, as text and as numbers for the preprocessor.
#define GULLY_VERSION "0.1.0"
#define GULLY_VERSION_MAJOR 0
#define GULLY_VERSION_MINOR 1
#define GULLY_VERSION_PATCH 0
#define GULLY_VERSION_NUMBER                                                                       \
    (GULLY_VERSION_MAJOR * 10000 + GULLY_VERSION_MINOR * 100 + GULLY_VERSION_PATCH)

/// The version of the library that runs: with a shared library it may differ from the headers'.
GULLY_API const char* gully_version(void);

typedef enum GullyStatus {
    GULLY_OK = 0,
    GULLY_BAD_INPUT = 1, ///< the request is wrong: a scene, a parameter, a file that is no raster
    GULLY_FAILED = 2,    ///< none of the others: a missing program, a thread that does not start
    GULLY_NO_MEMORY = 3,
    GULLY_IO = 4,        ///< a file, a folder or a port: disk full, not writable, unreadable
    GULLY_DEVICE = 5,    ///< a device that computes (a graphics card) is missing or gave up
    GULLY_CANCELLED = 6, ///< stopped because the caller asked for it
} GullyStatus;

/// The message of the last function that failed on this thread; "" if none has.
GULLY_API const char* gully_message(void);

/// Leaves a message and returns the status, so that a caller can write
/// `return gully_fail(GULLY_BAD_INPUT, "%s: width must be ...", path);`
GULLY_API GullyStatus gully_fail(GullyStatus status, const char* format, ...) GULLY_PRINTF(2, 3);

/// Puts "prefix: " before the message there is, and returns the status: adds where it happened.
GULLY_API GullyStatus gully_fail_in(GullyStatus status, const char* format, ...) GULLY_PRINTF(2, 3);

// ---- definitions --------------------------------------------------------------------------------

/// A definition (GullyWorldDef, GullySimDef, ...) comes from the function of its name, which sets
/// every member to its default and `made` to this. One that was made by hand, as with `= {0}`, would
/// silently lack the defaults: it is refused with GULLY_BAD_INPUT.
#define GULLY_DEF_MADE 0x67756c6c

/// Refuses a definition whose member `made` is none, with a message that names the function to use.
GULLY_API GullyStatus gully_def_check(int made, const char* function);

#ifdef __cplusplus
}
#endif

#endif
