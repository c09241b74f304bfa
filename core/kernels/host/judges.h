// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What the sanitizers want to be told by somebody who switches stacks and hands out memory. Nothing where the
// kernels are compiled without: FATHOM_EXECUTOR_TSAN, FATHOM_EXECUTOR_ASAN say which one they have.
#if defined(FATHOM_EXECUTOR_TSAN)
extern "C" {
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void* __tsan_get_current_fiber(void);
void __tsan_acquire(void* sync);
void __tsan_release(void* sync);
}
#endif
#if defined(FATHOM_EXECUTOR_ASAN)
extern "C" {
void __asan_poison_memory_region(void const volatile* data, std::size_t bytes);
void __asan_unpoison_memory_region(void const volatile* data, std::size_t bytes);
void __sanitizer_start_switch_fiber(void** fakeStack, const void* bottom, std::size_t size);
void __sanitizer_finish_switch_fiber(void* fakeStack, const void** bottom, std::size_t* size);
}
#endif
#if defined(FATHOM_EXECUTOR_TSAN) || defined(FATHOM_EXECUTOR_ASAN)
extern "C" void __sanitizer_print_stack_trace(void);
#endif

namespace fathom::executor::judges {

#if defined(FATHOM_EXECUTOR_TSAN)
inline constexpr bool kWatchesOrder = true;
inline void* newFiber() {
  return __tsan_create_fiber(0);
}
inline void endFiber(void* fiber) {
  __tsan_destroy_fiber(fiber);
}
inline void* thisFiber() {
  return __tsan_get_current_fiber();
}
// Without synchronisation: being switched to is no barrier.
inline void switchTo(void* fiber) {
  __tsan_switch_to_fiber(fiber, 1);
}
inline void acquire(void* sync) {
  __tsan_acquire(sync);
}
inline void release(void* sync) {
  __tsan_release(sync);
}
#else
inline constexpr bool kWatchesOrder = false;
inline void* newFiber() {
  return nullptr;
}
inline void endFiber(void*) {}
inline void* thisFiber() {
  return nullptr;
}
inline void switchTo(void*) {}
inline void acquire(void*) {}
inline void release(void*) {}
#endif

#if defined(FATHOM_EXECUTOR_ASAN)
inline void forbid(const void* data, std::size_t bytes) {
  __asan_poison_memory_region(data, bytes);
}
inline void allow(const void* data, std::size_t bytes) {
  __asan_unpoison_memory_region(data, bytes);
}
inline void leaveStack(void** fakeStack, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fakeStack, bottom, size);
}
inline void enterStack(void* fakeStack, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fakeStack, bottom, size);
}
#else
inline void forbid(const void*, std::size_t) {}
inline void allow(const void*, std::size_t) {}
inline void leaveStack(void**, const void*, std::size_t) {}
inline void enterStack(void*, const void**, std::size_t*) {}
#endif

inline void printStack() {
#if defined(FATHOM_EXECUTOR_TSAN) || defined(FATHOM_EXECUTOR_ASAN)
  __sanitizer_print_stack_trace();
#endif
}

}  // namespace fathom::executor::judges
