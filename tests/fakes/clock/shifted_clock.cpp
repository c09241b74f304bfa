// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: a clock that is FATHOM_CLOCK_SHIFT seconds ahead, as on a host that nobody keeps right.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static const char* const shift = std::getenv("FATHOM_CLOCK_SHIFT");
  const long code = ::syscall(SYS_clock_gettime, clock, now);
  if (code == 0 && clock == CLOCK_REALTIME && shift != nullptr) now->tv_sec += std::atol(shift);
  return static_cast<int>(code);
}

time_t time(time_t* kept) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept != nullptr) *kept = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(timeval* kept, void*) noexcept {
  timespec now{};
  const int code = clock_gettime(CLOCK_REALTIME, &now);
  *kept = {now.tv_sec, now.tv_nsec / 1000};
  return code;
}

}  // extern "C"
