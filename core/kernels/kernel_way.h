// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

namespace fathom {

// How a pass is computed: by LibTorch's operations, which take everything and are the reference of the
// others; by our code for the processor; by the kernels of the plug-in on a device.
enum class KernelWay : std::uint8_t { Aten, Lanes, Plugin };

class NumberFormats {
 public:
  constexpr NumberFormats(std::initializer_list<torch::ScalarType> formats) {
    for (const torch::ScalarType format : formats) m_bits |= bitOf(format);
  }
  constexpr bool has(torch::ScalarType format) const { return (m_bits & bitOf(format)) != 0; }

 private:
  static constexpr std::uint64_t bitOf(torch::ScalarType format) {
    return std::uint64_t{1} << static_cast<unsigned>(format);
  }
  std::uint64_t m_bits = 0;
};

// Mixed precision of the tensors' device beside which a way can be taken.
enum class MixedPrecision : std::uint8_t { Any, NarrowRowsApart, HalfApart, None };

// What a way takes: tensors of these formats, and shapes within these bounds.
struct KernelNeeds {
  NumberFormats formats;
  MixedPrecision mixed = MixedPrecision::Any;
  bool vectors = false;        // AVX2 and FMA of the processor
  std::int64_t widthUnit = 1;  // a row has whole so many numbers
  std::int64_t widest = std::numeric_limits<std::int64_t>::max();
  std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  std::int64_t mostTypes = std::numeric_limits<std::int64_t>::max();
};
// float32 on a processor with AVX2 and FMA, and no mixed precision that would hand over other numbers.
inline constexpr KernelNeeds kVectorNeeds{
    .formats = {torch::kFloat32}, .mixed = MixedPrecision::None, .vectors = true};

// What a pass declares; without a line it has LibTorch's operations alone.
struct KernelWays {
  std::optional<KernelNeeds> lanes = std::nullopt, plugin = std::nullopt;
};
inline constexpr KernelWays kVectorPass{.lanes = kVectorNeeds};

// What a pass would work on; 0 fits everything.
struct KernelShape {
  std::int64_t width = 0;    // numbers in a row
  std::int64_t longest = 0;  // rows of the longest sequence
  std::int64_t types = 0;    // of relations
};

// The one question whether a pass runs here: on this device, with this format, in this shape, under the mixed
// precision of this thread. A plug-in that is not loaded takes nothing.
KernelWay wayOf(const KernelWays& pass, const torch::TensorOptions& tensors, const KernelShape& shape = {});
inline KernelWay wayOf(const KernelWays& pass, const torch::Tensor& x, const KernelShape& shape = {}) {
  return wayOf(pass, x.options(), shape);
}

// The format that mixed precision of this thread makes of products on a device; nothing without it.
std::optional<torch::ScalarType> mixedFormat(const torch::Device& device);

}  // namespace fathom
