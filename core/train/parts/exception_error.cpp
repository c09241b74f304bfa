// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/exception_error.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <iterator>

#include "core/base/threads/error_boundary.h"

namespace fathom {

namespace {

constexpr Phrase::Text kSmaller = Phrase::tr("use smaller batches or a smaller model");
constexpr Phrase::Text kWithoutOurs =
    Phrase::tr("start again; FATHOM_KERNELS=off goes on without our kernels");

template <std::size_t N>
bool among(const std::int32_t (&codes)[N], std::int32_t code) {
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

bool says(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

// The processor's allocator and the CUDA libraries throw plain errors; they are known by the names that they
// put into their messages.
Error plainTorchError(const std::string& text) {
  if (says(text, "DefaultCPUAllocator: "))
    return memoryError(Phrase::tr("out of memory: %1")(text), kSmaller);
  const bool library = says(text, "CUBLAS_STATUS_") || says(text, "CUBLASLT_STATUS_") ||
                       says(text, "CUDNN_STATUS_") || says(text, "CUSOLVER_STATUS_");
  if (!library) return internalError(text);
  if (says(text, "_STATUS_ALLOC_FAILED"))
    return deviceMemoryError(Phrase::tr("out of CUDA memory: %1")(text), kSmaller);
  for (const char* fault : {"_STATUS_NOT_INITIALIZED", "_STATUS_EXECUTION_FAILED", "_STATUS_INTERNAL_ERROR",
                            "_STATUS_MAPPING_ERROR"})
    if (says(text, fault)) return deviceFaultError(Phrase::tr("CUDA device fault: %1")(text), kWithoutOurs);
  return internalError(text);
}

}  // namespace

Error acceleratorError(std::int32_t code, const std::string& text) {
  // cudaErrorMemoryAllocation.
  if (code == 2) return deviceMemoryError(Phrase::tr("out of CUDA memory: %1")(text), kSmaller);
  // The driver is missing or too old (35, 36, 803, 804), the device is not there (100, 101), another program
  // has it for itself (46), the system is not ready (802), or this LibTorch has no code for it (200, 209,
  // 218, 222).
  constexpr std::int32_t kUnusable[] = {34, 35, 36, 46, 100, 101, 200, 209, 218, 222, 802, 803, 804};
  if (among(kUnusable, code))
    return unavailableError(Phrase::tr("the CUDA device cannot be used: %1")(text),
                            Phrase::tr("choose another device, or device=cpu"));
  // ECC (214), NVLink (220), illegal address (700), timeout (702), hardware stack (714), illegal instruction
  // (715), misaligned address (716), address space (717), program counter (718), launch failure (719), and
  // the one that nobody knows (999).
  constexpr std::int32_t kFaults[] = {214, 220, 700, 702, 714, 715, 716, 717, 718, 719, 999};
  if (among(kFaults, code)) return deviceFaultError(Phrase::tr("CUDA device fault: %1")(text), kWithoutOurs);
  return internalError(text);
}

Error currentExceptionError() {
  try {
    throw;
  } catch (const c10::OutOfMemoryError& e) {
    return deviceMemoryError(Phrase::tr("out of CUDA memory: %1")(e.what_without_backtrace()), kSmaller);
  } catch (const c10::AcceleratorError& e) {
    return acceleratorError(e.get_error_code(), e.what_without_backtrace());
  } catch (const c10::Error& e) {
    return plainTorchError(e.what_without_backtrace());
  } catch (...) {
    return *errorThrownBy([] { throw; });
  }
}

}  // namespace fathom
