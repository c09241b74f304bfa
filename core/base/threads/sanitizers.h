// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// Sanitizers of this program (preset asan, tsan). They map terabytes of shadow memory, keep what
// was freed for a while and make everything several times slower: limits of address space, memory and time
// that hold for the shipped program cannot be set, or not as tightly, under them.
#if !defined(__has_feature)
#define FATHOM_HAS_FEATURE(name) 0
#else
#define FATHOM_HAS_FEATURE(name) __has_feature(name)
#endif
#if defined(__SANITIZE_ADDRESS__) || FATHOM_HAS_FEATURE(address_sanitizer)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__) || FATHOM_HAS_FEATURE(thread_sanitizer)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif
#undef FATHOM_HAS_FEATURE
constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

}  // namespace fathom
