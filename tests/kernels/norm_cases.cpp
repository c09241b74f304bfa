// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include "core/kernels/host/executor.h"
#include "core/kernels/norm_join.h"
#include "tests/kernels/kernel_case.h"

namespace fathom::kernel_cases {

namespace {

using Numbers = std::vector<double>;

struct NormShape {
  std::int64_t rows, width;
  bool shortcut, branch;
  double p;
};

// Everything that a call reads, in float64 and already rounded to the format.
struct NormInputs {
  Numbers x, shortcut, branch, weight, bias, yGradient;
  MaskRule mask;
  double scale = 1, eps = 1e-5;
};
struct NormOutputs {
  Numbers sum, y, xGradient, branchGradient, sums;
};

double keptAt(const NormInputs& in, std::uint64_t index) {
  const std::uint32_t bits =
      mixBits(mixBits(static_cast<std::uint32_t>(index) ^ in.mask.key(index)) + in.mask.high);
  return bits >= in.mask.threshold ? in.scale : 0;
}

// The formulas of norm_join.h; `stored` rounds what a kernel keeps in its format.
NormOutputs normFormulas(const NormShape& shape, const NormInputs& in, double (*stored)(double)) {
  const auto count = static_cast<std::size_t>(shape.rows * shape.width),
             width = static_cast<std::size_t>(shape.width);
  const auto n = static_cast<double>(shape.width);
  NormOutputs out{Numbers(count), Numbers(count), Numbers(count), Numbers(count), Numbers(3 * width)};
  for (std::size_t first = 0; first < count; first += width) {
    double mean = 0, variance = 0, plain = 0, along = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double joined = in.x[first + i] * (shape.shortcut ? in.shortcut[i] : 1) +
                            (shape.branch ? in.branch[first + i] * keptAt(in, first + i) : 0);
      out.sum[first + i] = stored(joined);
      mean += out.sum[first + i] / n;
    }
    for (std::size_t i = 0; i < width; ++i) variance += std::pow(out.sum[first + i] - mean, 2) / n;
    const double inverse = 1 / std::sqrt(variance + in.eps);
    const auto normalised = [&](std::size_t i) { return (out.sum[first + i] - mean) * inverse; };
    for (std::size_t i = 0; i < width; ++i) {
      out.y[first + i] = normalised(i) * in.weight[i] + in.bias[i];
      plain += in.yGradient[first + i] * in.weight[i] / n;
      along += in.yGradient[first + i] * in.weight[i] * normalised(i) / n;
    }
    for (std::size_t i = 0; i < width; ++i) {
      const double ofSum = inverse * (in.yGradient[first + i] * in.weight[i] - plain - normalised(i) * along);
      out.xGradient[first + i] = ofSum * (shape.shortcut ? in.shortcut[i] : 1);
      out.branchGradient[first + i] = ofSum * keptAt(in, first + i);
      out.sums[i] += in.yGradient[first + i] * normalised(i);
      out.sums[width + i] += in.yGradient[first + i];
      if (shape.shortcut) out.sums[2 * width + i] += ofSum * in.x[first + i];
    }
  }
  return out;
}

NormInputs normInputs(const NormShape& shape, std::uint64_t seed) {
  Random random(seed);
  const std::int64_t count = shape.rows * shape.width;
  NormInputs in;
  in.x = randomNumbers(random, count);
  in.shortcut = randomNumbers(random, shape.width, 0.5);
  in.branch = randomNumbers(random, count);
  in.weight = randomNumbers(random, shape.width, 0.5);
  in.bias = randomNumbers(random, shape.width, 0.1);
  in.yGradient = randomNumbers(random, count);
  for (double& factor : in.shortcut) factor += 1;
  if (shape.p > 0) in.mask = MaskRule(shape.p, random());
  in.scale = 1 / (1 - shape.p);
  return in;
}

// The buffers of one format, and what the kernels made of them.
template <typename T>
struct NormBuffers {
  using W = Wide<T>;
  std::vector<T> x, branch, yGradient, sum, y, xGradient, branchGradient;
  std::vector<W> shortcut, weight, bias, moments, rowMeans, shares, sums;
  NormJoinCall call;
  NormJoinGradients gradients;

  NormBuffers(const NormShape& shape, const NormInputs& in)
      : x(rounded<T>(in.x)),
        branch(rounded<T>(in.branch)),
        yGradient(rounded<T>(in.yGradient)),
        shortcut(rounded<W>(in.shortcut)),
        weight(rounded<W>(in.weight)),
        bias(rounded<W>(in.bias)) {
    const std::int64_t count = shape.rows * shape.width;
    for (std::vector<T>* written : {&sum, &y, &xGradient, &branchGradient}) *written = unwritten<T>(count);
    moments = rowMeans = unwritten<W>(2 * shape.rows);
    shares = unwritten<W>(normJoinShares(shape.rows) * 3 * shape.width);
    sums = unwritten<W>(3 * shape.width);
    call.format = kFormat<T>;
    call.rows = shape.rows;
    call.width = shape.width;
    call.x = x.data();
    if (shape.shortcut) call.shortcut = shortcut.data();
    if (shape.branch) call.branch = branch.data();
    call.mask = seededByTurns(in.mask);
    call.wideScale = in.scale;
    call.weight = weight.data();
    call.bias = bias.data();
    if (shape.shortcut || shape.branch) call.sum = sum.data();
    call.moments = moments.data();
    call.y = y.data();
    gradients = {yGradient.data(), xGradient.data(), shape.branch ? branchGradient.data() : nullptr,
                 rowMeans.data(),  shares.data(),    sums.data()};
  }
  // As the formulas are to see them.
  NormInputs inputs(NormInputs in) const {
    in.x = exact(x);
    in.branch = exact(branch);
    in.yGradient = exact(yGradient);
    in.shortcut = exact(shortcut);
    in.weight = exact(weight);
    in.bias = exact(bias);
    if (in.mask.active() && !std::is_same_v<T, double>) in.scale = static_cast<double>(in.mask.scale);
    in.eps = static_cast<double>(static_cast<W>(in.eps));
    return in;
  }
};

template <typename T>
double storedAs(double number) {
  return static_cast<double>(widened(narrowed<T>(static_cast<Wide<T>>(number))));
}

template <typename T>
void normCase(Verdict& verdict, const NormShape& shape, std::uint64_t seed) {
  const NormInputs in = normInputs(shape, seed);
  const std::string what = "norm_join " + std::to_string(shape.rows) + " x " + std::to_string(shape.width) +
                           " of format " + std::to_string(static_cast<int>(kFormat<T>)) +
                           (shape.shortcut ? ", shortcut" : "") + (shape.branch ? ", branch, p " : ", p ") +
                           std::to_string(shape.p);
  inTwoOrders(verdict, what, [&](bool judged) {
    NormBuffers<T> of(shape, in);
    verdict.require(launchNormJoin(of.call, nullptr) == 0, what + ": an error");
    verdict.require(launchNormJoinBackward(of.call, of.gradients, nullptr) == 0,
                    what + ": an error backwards");
    const std::string bytes = bytesOf(of.y) + bytesOf(of.xGradient) + bytesOf(of.branchGradient) +
                              bytesOf(of.sums) + bytesOf(of.moments);
    if (!judged) return bytes;
    const NormOutputs expected = normFormulas(shape, of.inputs(in), storedAs<T>);
    verdict.close(of.y, expected.y, what + ": y");
    verdict.close(of.xGradient, expected.xGradient, what + ": gradient of x");
    if (shape.branch)
      verdict.close(of.branchGradient, expected.branchGradient, what + ": gradient of the branch");
    verdict.close(of.sums, expected.sums, what + ": gradients of weight, bias, shortcut");
    return bytes;
  });
}

// The formulas' gradients against differences of the kernel's own forward pass.
void normDifferences(Verdict& verdict, std::uint64_t seed) {
  const NormShape shape{3, 7, true, true, 0.3};
  NormInputs in = normInputs(shape, seed);
  const auto loss = [&] {
    NormBuffers<double> of(shape, in);
    launchNormJoin(of.call, nullptr);
    double total = 0;
    for (std::size_t i = 0; i < of.y.size(); ++i) total += of.y[i] * in.yGradient[i];
    return total;
  };
  NormBuffers<double> of(shape, in);
  launchNormJoin(of.call, nullptr);
  launchNormJoinBackward(of.call, of.gradients, nullptr);
  const auto against = [&](Numbers& input, const double* gradient, const char* name) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      constexpr double kStep = 1e-5;
      const double before = input[i];
      input[i] = before + kStep;
      const double above = loss();
      input[i] = before - kStep;
      const double below = loss();
      input[i] = before;
      verdict.require(std::fabs((above - below) / (2 * kStep) - gradient[i]) < 1e-6,
                      std::string("norm_join: difference of ") + name + " " + std::to_string(i));
    }
  };
  against(in.x, of.xGradient.data(), "x");
  against(in.branch, of.branchGradient.data(), "branch");
  against(in.weight, of.sums.data(), "weight");
  against(in.bias, of.sums.data() + shape.width, "bias");
  against(in.shortcut, of.sums.data() + 2 * shape.width, "shortcut");
}

// The last rows of a stream of more than 2^31 numbers.
void farNorm(Verdict& verdict) {
  const NormShape last{2, 128, false, false, 0};
  const NormInputs in = normInputs(last, 5);
  const std::int64_t rows = (std::int64_t{1} << 24) + 2, first = (rows - 2) * last.width;
  const std::size_t bytes = static_cast<std::size_t>(rows * last.width) * sizeof(float);
  const auto range = [&](std::size_t size) {
    void* data =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    verdict.require(data != MAP_FAILED, "no addresses for a far stream");
    return data == MAP_FAILED ? nullptr : static_cast<float*>(data);
  };
  NormBuffers<float> of(last, in);
  float *x = range(bytes), *y = range(bytes),
        *moments = range(static_cast<std::size_t>(rows) * 2 * sizeof(float));
  if (x == nullptr || y == nullptr || moments == nullptr) return;
  std::copy(of.x.begin(), of.x.end(), x + first);
  of.call.rows = rows;
  of.call.x = x;
  of.call.y = y;
  of.call.moments = moments;
  executor::onlyBlocks((rows - 1) / 4, (rows + 3) / 4);
  launchNormJoin(of.call, nullptr);
  executor::onlyBlocks(0, -1);
  verdict.close(std::vector<float>(y + first, y + first + 2 * last.width),
                normFormulas(last, of.inputs(in), storedAs<float>).y, "norm_join: rows of a far stream");
  ::munmap(x, bytes);
  ::munmap(y, bytes);
  ::munmap(moments, static_cast<std::size_t>(rows) * 2 * sizeof(float));
}

void everyNormFormat(Verdict& verdict, const NormShape& shape, std::uint64_t seed) {
  normCase<float>(verdict, shape, seed);
  if (!everyFormat()) return;
  normCase<BFloat16>(verdict, shape, seed);
  normCase<double>(verdict, shape, seed);
}

}  // namespace

void normCases(Verdict& verdict, std::uint64_t seed, int count) {
  for (const std::int64_t rows : {1, 31, 33})
    for (const std::int64_t width : {5, 32, 61})
      everyNormFormat(verdict, {rows, width, rows == 31, rows != 33, 0.1}, seed);
  everyNormFormat(verdict, {2, 1, false, true, 0}, seed);
  everyNormFormat(verdict, {61, 8, true, false, 0}, seed);
  everyNormFormat(verdict, {5, 130, true, true, 0.5}, seed);
  Random random(seed);
  for (int i = 0; i < count; ++i)
    everyNormFormat(verdict,
                    {between(random, 1, 70), between(random, 2, 200), random() % 2 == 0, random() % 4 != 0,
                     static_cast<double>(random() % 60) / 100},
                    random());
  if (everyFormat()) normDifferences(verdict, seed);
  farNorm(verdict);
}

}  // namespace fathom::kernel_cases
