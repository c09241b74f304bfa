// SPDX-License-Identifier: Apache-2.0
// The kernels against formulas in float64, in the executor: kernel_cases [FAMILY]. SEED and N choose the
// random shapes. Ends with 1 where a number differs; sanitizers end it where a kernel breaks a rule.
#include <cstdlib>
#include <cstring>

#include "core/kernels/host/executor.h"
#include "tests/kernels/kernel_case.h"

namespace fathom::kernel_cases {

MaskRule seededByTurns(const MaskRule& mask) {
  static std::int64_t words[2];
  static bool handed = false;
  handed = !handed;
  if (!handed) return mask;
  words[0] = mask.low;
  words[1] = mask.high;
  MaskRule rule = mask;
  rule.low = ~mask.low;
  rule.high = ~mask.high;
  rule.handed = words;
  return rule;
}

void inTwoOrders(Verdict& verdict, const std::string& what,
                 const std::function<std::string(bool judged)>& run) {
  executor::setOrder(1);
  const std::string first = run(true);
  executor::setOrder(0x5EED);
  verdict.sameBits(first, run(false), what + " in another order of threads");
}

namespace {

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

bool everyFormat() {
  return fromEnvironment("N", 4) > 1;
}

namespace {

struct Family {
  const char* name;
  void (*cases)(Verdict&, std::uint64_t, int);
};
constexpr Family kFamilies[] = {{"seeded_dropout", dropoutCases},
                                {"norm_join", normCases},
                                {"chain_softmax", chainCases},
                                {"relation_attention", relationCases}};

}  // namespace
}  // namespace fathom::kernel_cases

int main(int count, char** words) {
  using namespace fathom::kernel_cases;
  const std::uint64_t seed = fromEnvironment("SEED", 20);
  const int shapes = static_cast<int>(fromEnvironment("N", 4));
  int failures = 0, families = 0;
  for (const Family& family : kFamilies) {
    if (count > 1 && std::strcmp(words[1], family.name) != 0) continue;
    Verdict verdict;
    family.cases(verdict, seed, shapes);
    std::printf("%s: %d checks, %d failed, largest difference %.2g (SEED=%llu N=%d)\n", family.name,
                verdict.checks(), verdict.failures(), verdict.largest(),
                static_cast<unsigned long long>(seed), shapes);
    failures += verdict.failures();
    ++families;
  }
  if (families == 0) std::fprintf(stderr, "kernel_cases: no family '%s'\n", words[1]);
  return failures > 0 || families == 0 ? 1 : 0;
}
