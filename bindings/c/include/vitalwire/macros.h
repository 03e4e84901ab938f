#ifndef VITALWIRE_MACROS_H
#define VITALWIRE_MACROS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What every function is declared with. On Windows, VITALWIRE_SHARED says that the library is the DLL, whose functions are then called
 * without a jump; without it both kinds of library work.
 */
#if defined(_WIN32) && defined(VITALWIRE_SHARED)
#define VITALWIRE_API __declspec(dllimport)
#elif defined(__GNUC__)
#define VITALWIRE_API __attribute__((__visibility__("default")))
#else
#define VITALWIRE_API
#endif

/** What functions that may fail are declared with: compilers warn of a code that nobody looks at. */
#if defined(__GNUC__)
#define VITALWIRE_MUST_USE __attribute__((__warn_unused_result__))
#elif defined(_MSC_VER) && _MSC_VER >= 1700
#include <sal.h>
#define VITALWIRE_MUST_USE _Check_return_
#else
#define VITALWIRE_MUST_USE
#endif

/** What poll, epoll and their like take; on Windows, what WSAPoll takes. */
#if defined(_WIN32)
typedef size_t vitalwire_descriptor;
#else
typedef int vitalwire_descriptor;
#endif

/**
 * A text for printf, where the format has "%.*s". No text prints nothing. It is evaluated more than once, which accessors may be:
 *
 *   printf("%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
 */
#define VITALWIRE_STR(text) (int)(text).length, ((text).data != NULL ? (text).data : "")

#endif
