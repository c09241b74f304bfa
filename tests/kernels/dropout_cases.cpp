// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include "core/kernels/host/executor.h"
#include "core/kernels/seeded_dropout.h"
#include "tests/kernels/kernel_case.h"

namespace fathom::kernel_cases {

namespace {

struct DropoutShape {
  std::int64_t count;
  bool added;
  double p;
  std::uint64_t firstIndex = 0;
  std::int64_t shift = 0;  // of the pointers, in numbers: off the boundaries of packs
};

// As core/nn/dropout.cpp has it, one number at a time.
template <typename T>
T onTheProcessor(T x, T base, bool added, const MaskRule& mask, std::uint64_t index, double scale) {
  const std::uint32_t bits =
      mixBits(mixBits(static_cast<std::uint32_t>(index) ^ mask.key(index)) + mask.high);
  const Wide<T> kept = widened(x) * (bits >= mask.threshold ? static_cast<Wide<T>>(scale) : Wide<T>(0));
  return narrowed<T>(added ? widened(base) + kept : kept);
}

template <typename T>
void dropoutCase(Verdict& verdict, const DropoutShape& shape, std::uint64_t seed) {
  Random random(seed);
  const std::int64_t whole = shape.count + shape.shift;
  const std::vector<T> x = rounded<T>(randomNumbers(random, whole)),
                       base = rounded<T>(randomNumbers(random, whole));
  DropoutCall call;
  call.format = kFormat<T>;
  call.x = x.data() + shape.shift;
  call.base = shape.added ? base.data() + shape.shift : nullptr;
  call.count = shape.count;
  call.firstIndex = shape.firstIndex;
  const MaskRule mask(shape.p, seed * 0x9E3779B97F4A7C15ull);
  call.wideScale = 1 / (1 - shape.p);
  std::vector<T> expected = unwritten<T>(whole);
  for (std::int64_t i = 0; i < shape.count; ++i)
    expected[static_cast<std::size_t>(i + shape.shift)] = onTheProcessor(
        x[static_cast<std::size_t>(i + shape.shift)], base[static_cast<std::size_t>(i + shape.shift)],
        shape.added, mask, shape.firstIndex + static_cast<std::uint64_t>(i), call.wideScale);
  const std::string what = "seeded_dropout of " + std::to_string(shape.count) + " numbers of format " +
                           std::to_string(static_cast<int>(kFormat<T>)) + ", p " + std::to_string(shape.p) +
                           ", from " + std::to_string(shape.firstIndex);
  inTwoOrders(verdict, what, [&](bool) {
    std::vector<T> out = unwritten<T>(whole);
    call.out = out.data() + shape.shift;
    call.mask = seededByTurns(mask);
    verdict.require(launchSeededDropout(call, nullptr) == 0, what + ": an error");
    verdict.sameBits(bytesOf(out), bytesOf(expected), what);
    return bytesOf(out);
  });
}

void everyDropoutFormat(Verdict& verdict, const DropoutShape& shape, std::uint64_t seed) {
  dropoutCase<float>(verdict, shape, seed);
  if (!everyFormat()) return;
  dropoutCase<BFloat16>(verdict, shape, seed);
  dropoutCase<double>(verdict, shape, seed);
}

// The last block of a tensor of 2^31 + 2^30 numbers, of whose addresses nothing else is touched.
void farDropout(Verdict& verdict) {
  const std::int64_t count = (std::int64_t{3} << 30) + 5;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
  void* range =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  verdict.require(range != MAP_FAILED, "no addresses for a far tensor");
  if (range == MAP_FAILED) return;
  float* x = static_cast<float*>(range);
  for (std::int64_t i = count - 5; i < count; ++i) x[i] = static_cast<float>(i - count);
  DropoutCall call;
  call.x = call.out = x;
  call.count = count;
  call.firstIndex = std::uint64_t{1} << 32;
  call.mask = MaskRule(0.5, 77);
  const std::int64_t blocks = (count + 1023) / 1024;
  executor::onlyBlocks(blocks - 1, blocks);
  launchSeededDropout(call, nullptr);
  executor::onlyBlocks(0, -1);
  for (std::int64_t i = count - 5; i < count; ++i)
    verdict.require(x[i] == onTheProcessor(static_cast<float>(i - count), 0.0f, false, call.mask,
                                           call.firstIndex + static_cast<std::uint64_t>(i), 2),
                    "number " + std::to_string(i) + " of a far tensor");
  ::munmap(range, bytes);
}

}  // namespace

void dropoutCases(Verdict& verdict, std::uint64_t seed, int count) {
  for (const std::int64_t numbers : {0, 1, 31, 33, 61, 1023, 1025})
    for (const bool added : {false, true}) everyDropoutFormat(verdict, {numbers, added, 0.1}, seed);
  everyDropoutFormat(verdict, {61, true, 0.5, 0, 1}, seed);  // no pack lies on a boundary
  everyDropoutFormat(verdict, {64, false, 0.3, 0xFFFFFFF0ull - 2},
                     seed);  // indices go over 2^32 within a pack
  everyDropoutFormat(verdict, {33, true, 0.999, 0x1234567890ull}, seed);
  Random random(seed);
  for (int i = 0; i < count; ++i)
    everyDropoutFormat(verdict,
                       {between(random, 1, 3000), random() % 2 == 0,
                        static_cast<double>(random() % 90 + 5) / 100, random(), between(random, 0, 3)},
                       random());
  farDropout(verdict);
}

}  // namespace fathom::kernel_cases
