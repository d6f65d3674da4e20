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

#define GULLY_VERSION "0.1.0"

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

#ifdef __cplusplus
}
#endif

#endif
