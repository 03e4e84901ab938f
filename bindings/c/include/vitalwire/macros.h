#ifndef VITALWIRE_MACROS_H
#define VITALWIRE_MACROS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @defgroup macros Macros
 *
 * Macros for declarations, and for printf.
 *
 * @{
 */

/**
 * Declares a function of the library. On Windows, define VITALWIRE_SHARED if you link the DLL, so that calls need no jump. Without this
 * definition, both the static library and the DLL work.
 */
#if defined(_WIN32) && defined(VITALWIRE_SHARED)
#define VITALWIRE_API __declspec(dllimport)
#elif defined(__GNUC__)
#define VITALWIRE_API __attribute__((__visibility__("default")))
#else
#define VITALWIRE_API
#endif

/** Declares that a function can fail, so that compilers warn if the returned code is ignored. */
#if defined(__GNUC__)
#define VITALWIRE_MUST_USE __attribute__((__warn_unused_result__))
#elif defined(_MSC_VER) && _MSC_VER >= 1700
#include <sal.h>
#define VITALWIRE_MUST_USE _Check_return_
#else
#define VITALWIRE_MUST_USE
#endif

/** A descriptor for poll, epoll and similar functions. On Windows, it is a socket for WSAPoll. */
#if defined(_WIN32)
typedef size_t vitalwire_descriptor;
#else
typedef int vitalwire_descriptor;
#endif

/**
 * Expands to the two arguments of "%.*s" in printf. A missing text prints nothing. The macro evaluates its argument more than once, so
 * pass only accessors or variables:
 *
 *   printf("%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
 */
#define VITALWIRE_STR(text) (int)(text).length, ((text).data != NULL ? (text).data : "")

/** @} */

#endif
