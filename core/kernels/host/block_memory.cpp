// SPDX-License-Identifier: Apache-2.0
// Compiled without ThreadSanitizer, as executor.cpp.
#include "core/kernels/host/block_memory.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "core/kernels/host/judges.h"

namespace fathom::executor {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kGap = 64;  // behind each array of shared memory

std::size_t strideOf(std::size_t launchBytes) {
  const std::size_t stride = launchBytes == 0 ? 0 : launchBytes + (kMostArrays + 1) * 2 * kGap;
  return (stride + kGap - 1) / kGap * kGap;
}

// Number by number, since a compiler makes memset of a plain loop, which sanitizers watch.
void fill(void* data, unsigned char value, std::size_t bytes) {
  auto* byte = static_cast<volatile unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) byte[i] = value;
}

}  // namespace

void refuse(const char* what, CallSite site) {
  std::fprintf(stderr, "executor: %s\n    at %s:%d\n", what, site.file, site.line);
  judges::printStack();
  std::fflush(nullptr);
  std::abort();
}

char* mapped(std::size_t bytes) {
  void* range =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range != MAP_FAILED) return static_cast<char*>(range);
  std::perror("executor: no memory");
  std::abort();
}

char* Stacks::take() {
  if (!m_spare.empty()) {
    char* stack = m_spare.back();
    m_spare.pop_back();
    return stack;
  }
  char* whole = mapped(kStackBytes + kPage);
  ::mprotect(whole, kPage, PROT_NONE);
  return whole + kPage;
}

SharedArrays::SharedArrays(std::size_t launchBytes, std::size_t regions)
    : m_launchBytes(launchBytes),
      m_stride(strideOf(launchBytes)),
      m_regions(regions),
      m_all(m_stride > 0 ? mapped(m_stride * regions) : nullptr),
      m_written(std::make_unique<char[]>(m_stride)) {}

SharedArrays::~SharedArrays() {
  if (m_all == nullptr) return;
  judges::allow(m_all, m_stride * m_regions);
  ::munmap(m_all, m_stride * m_regions);
}

void SharedArrays::begin(std::size_t ordinal) {
  m_arrays = m_end = m_charged = 0;
  if (m_stride == 0) return;
  m_data = m_all + (m_regions > 1 ? ordinal * m_stride : 0);
  judges::allow(m_data, m_stride);
  fill(m_data, 0xFF, m_stride);  // NaN
  fill(m_written.get(), 0, m_stride);
  judges::forbid(m_data, m_stride);
  m_end = kGap;
}

void* SharedArrays::take(std::size_t which, std::size_t bytes) {
  const CallSite here{"SharedMemory::take", 0};
  if (which == kMostArrays) refuse("a block takes more than 16 arrays of shared memory", here);
  if (which < m_arrays) {
    if (m_taken[which].bytes != bytes)
      refuse("threads of a block take different arrays of shared memory", here);
    return m_data + m_taken[which].offset;
  }
  m_charged += (bytes + 15) / 16 * 16;  // as a card lays them out
  if (m_charged > m_launchBytes) refuse("a block takes more shared memory than the launch gives it", here);
  m_taken[m_arrays++] = {m_end, bytes};
  char* data = m_data + m_end;
  m_end = (m_end + bytes + kGap + kGap - 1) / kGap * kGap;
  judges::allow(data, bytes);
  return data;
}

char* SharedArrays::writtenOf(const void* data, std::size_t bytes) {
  const char* first = static_cast<const char*>(data);
  if (m_data == nullptr || first < m_data || first + bytes > m_data + m_stride) return nullptr;
  return &m_written[static_cast<std::size_t>(first - m_data)];
}

void SharedArrays::noteWritten(const void* data, std::size_t bytes) {
  if (char* written = writtenOf(data, bytes)) fill(written, 1, bytes);
}

bool SharedArrays::wereWritten(const void* data, std::size_t bytes) {
  const char* written = writtenOf(data, bytes);
  for (std::size_t i = 0; written != nullptr && i < bytes; ++i)
    if (written[i] == 0) return false;
  return true;
}

}  // namespace fathom::executor
