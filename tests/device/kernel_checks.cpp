// SPDX-License-Identifier: Apache-2.0
// Each family of kernels as the engine calls it, against its ATen version in float64 on the processor.
#include "core/kernels/device_dropout.h"
#include "core/kernels/device_norm.h"
#include "core/kernels/kernel_plugin.h"
#include "core/kernels/kernel_references.h"
#include "tests/device/device_checks.h"

namespace fathom::device_checks {

namespace {

constexpr torch::ScalarType kFormats[] = {torch::kFloat32, torch::kBFloat16, torch::kFloat64};

double toleranceOf(torch::ScalarType format) {
  if (format == torch::kBFloat16) return 2e-2;
  return format == torch::kFloat64 ? 1e-12 : 2e-5;
}
torch::ScalarType wideOf(torch::ScalarType format) {
  return format == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
}

// Random numbers that a format holds, as it holds them on the device and in float64 on the processor.
struct Pair {
  torch::Tensor there, exact;
};
Pair numbers(torch::IntArrayRef shape, torch::ScalarType format, double spread = 1) {
  const torch::Tensor held = (at::randn(shape, torch::kFloat64) * spread).to(format);
  return {held.to(device()), held.to(torch::kFloat64)};
}
torch::Tensor leaf(const torch::Tensor& value) {
  return value.clone().set_requires_grad(true);
}
std::string sizeText(torch::IntArrayRef shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}
// Two launches give equal bits.
void sameBits(Comparison& comparison, const torch::Tensor& one, const torch::Tensor& other,
              const std::string& what) {
  ++comparison.checks;
  if (!one.cpu().equal(other.cpu())) comparison.fail(what + ": other bits in a second run");
}

void checkDropout(Comparison& comparison, torch::ScalarType format) {
  for (const std::int64_t count : {1, 31, 33, 61, 4099})
    for (const bool added : {false, true})
      for (const double p : {0.1, 0.5}) {
        const Pair x = numbers({count, 7}, format), base = numbers({count, 7}, format);
        const std::string what = "seeded_dropout " + sizeText(x.exact.sizes()) + (added ? ", added" : "") +
                                 ", p " + std::to_string(p) + ", " + toString(format);
        const auto run = [&] { return deviceDropout(x.there, added ? base.there : torch::Tensor(), p, 77); };
        const torch::Tensor got = run();
        comparison.close(referenceDropout(x.exact, added ? base.exact : torch::Tensor(), p, 77), got, what);
        sameBits(comparison, got, run(), what);
      }
}

struct NormShape {
  std::int64_t rows, width;
  bool shortcut, branch;
  double dropout;
};

void checkNorm(Comparison& comparison, torch::ScalarType format, const NormShape& shape) {
  const std::string what = "norm_join " + sizeText({shape.rows, shape.width}) +
                           (shape.shortcut ? ", shortcut" : "") + (shape.branch ? ", branch" : "") + ", p " +
                           std::to_string(shape.dropout) + ", " + toString(format);
  const Pair x = numbers({shape.rows, shape.width}, format),
             branch = numbers({shape.rows, shape.width}, format),
             gradient = numbers({shape.rows, shape.width}, format);
  const Pair shortcut = numbers({shape.width}, wideOf(format)),
             weight = numbers({shape.width}, wideOf(format)), bias = numbers({shape.width}, wideOf(format));
  DeviceNorm norm{x.there, {}, {}, weight.there, bias.there};
  DeviceNorm exact{leaf(x.exact), {}, {}, leaf(weight.exact), leaf(bias.exact)};
  if (shape.shortcut) norm.shortcut = shortcut.there, exact.shortcut = leaf(shortcut.exact);
  if (shape.branch) norm.branch = branch.there, exact.branch = leaf(branch.exact);
  norm.dropout = exact.dropout = shape.dropout;
  norm.seed = exact.seed = 5;
  const DeviceNormSums sums = deviceNorm(norm);
  const torch::Tensor y = referenceNorm(exact);
  y.backward(gradient.exact);
  comparison.close(y, sums.y, what);
  DeviceNorm again = norm;
  again.branch = torch::Tensor();
  const DeviceNormGradients made = deviceNormBackward(again, shape.branch, sums, gradient.there);
  comparison.close(exact.x.grad(), made.x, what + ": gradient of x");
  if (shape.branch) comparison.close(exact.branch.grad(), made.branch, what + ": gradient of the branch");
  comparison.close(exact.weight.grad(), made.sums[0], what + ": gradient of the weight");
  comparison.close(exact.bias.grad(), made.sums[1], what + ": gradient of the bias");
  if (shape.shortcut)
    comparison.close(exact.shortcut.grad(), made.sums[2], what + ": gradient of the shortcut");
  sameBits(comparison, made.sums, deviceNormBackward(again, shape.branch, sums, gradient.there).sums, what);
}

void checkNorms(Comparison& comparison, torch::ScalarType format) {
  for (const std::int64_t width : {5, 16, 33, 128})
    for (const std::int64_t rows : {1, 31, 61}) {
      checkNorm(comparison, format, {rows, width, false, true, 0.1});
      checkNorm(comparison, format, {rows, width, true, true, 0});
      checkNorm(comparison, format, {rows, width, false, false, 0});
    }
}

struct SoftmaxShape {
  std::int64_t batch, heads, queries, keys;
  double divisor, dropout, masked;
  bool replaces, causal, pairs, adds;
};

torch::Tensor hiddenKeys(const SoftmaxShape& shape) {
  torch::Tensor hidden = at::rand({shape.batch, 1, shape.pairs ? shape.queries : 1, shape.keys}) < 0.25;
  const bool number = std::isfinite(shape.masked);
  if (!number) hidden.select(3, 0).fill_(false);                   // each query sees a key
  if (number && shape.batch > 1) hidden.select(0, 1).fill_(true);  // or none at all
  return hidden.contiguous();
}

void checkSoftmax(Comparison& comparison, torch::ScalarType format, const SoftmaxShape& shape) {
  const std::vector<std::int64_t> whole = {shape.batch, shape.heads, shape.queries, shape.keys};
  const std::string what = "chain_softmax " + sizeText(whole) + ", divisor " + std::to_string(shape.divisor) +
                           ", masked " + std::to_string(shape.masked) + (shape.causal ? ", causal" : "") +
                           (shape.pairs ? ", pairs" : "") + ", p " + std::to_string(shape.dropout) + ", " +
                           toString(format);
  const Pair scores = numbers(whole, wideOf(format), 2), kept = numbers(whole, format),
             running = numbers(whole, wideOf(format));
  const torch::Tensor hidden = hiddenKeys(shape);
  DeviceSoftmax how{
      shape.divisor, hidden.to(device()), shape.causal, shape.replaces, shape.masked, shape.dropout, 9,
      format};
  DeviceSoftmax exact = how;
  exact.hidden = hidden;
  // -10000 leaves float32 three digits behind the point: the reference adds it in that format, too.
  const torch::Tensor input =
      leaf(std::isfinite(shape.masked) && !shape.replaces ? scores.exact.to(wideOf(format)) : scores.exact);
  const DeviceProbabilities expected = referenceSoftmax(input, exact);
  expected.kept.backward(kept.exact.to(expected.kept.scalar_type()));
  const DeviceProbabilities got = deviceSoftmax(scores.there, how);
  comparison.close(expected.all, got.all, what);
  comparison.close(expected.kept, got.kept, what + ": kept");
  const auto backward = [&] {
    return deviceSoftmaxBackward(got.all, kept.there, shape.adds ? running.there.clone() : torch::Tensor(),
                                 how);
  };
  const torch::Tensor gradient = backward();
  comparison.close(input.grad() + (shape.adds ? running.exact : at::zeros_like(running.exact)), gradient,
                   what + ": gradient");
  sameBits(comparison, gradient, backward(), what);
}

void checkSoftmaxes(Comparison& comparison, torch::ScalarType format) {
  const double hides = -std::numeric_limits<double>::infinity();
  for (const std::int64_t length : {1, 31, 33}) {
    checkSoftmax(comparison, format, {2, 2, length, length, 1, 0.1, hides, false, true, false, true});
    checkSoftmax(comparison, format, {2, 1, length, length, 6, 0, -10000, false, false, false, false});
    checkSoftmax(comparison, format, {3, 1, length, length, 1, 0.5, -1e9, true, false, true, true});
  }
  checkSoftmax(comparison, format, {1, 3, 5, 61, 2, 0.2, -10000, false, false, false, true});
  checkSoftmax(comparison, format, {2, 1, 3, 128, 1, 0, hides, false, false, true, false});
}

struct RelationShape {
  std::vector<std::int64_t> counts;
  std::int64_t heads, width, types;
  double dropout;
  bool causal;
};

void checkRelation(Comparison& comparison, torch::ScalarType format, const RelationShape& shape) {
  const std::string what = "relation_attention of " + sizeText(shape.counts) + " rows, " +
                           std::to_string(shape.heads) + " heads of " + std::to_string(shape.width) + ", " +
                           std::to_string(shape.types) + " types, p " + std::to_string(shape.dropout) +
                           (shape.causal ? ", causal" : "") + ", " + toString(format);
  std::int64_t rows = 0, cells = 0, longest = 0;
  torch::Tensor spans = at::empty({static_cast<std::int64_t>(shape.counts.size()), 2}, torch::kInt64);
  for (std::size_t b = 0; b < shape.counts.size(); ++b) {
    spans[static_cast<std::int64_t>(b)][0] = rows;
    spans[static_cast<std::int64_t>(b)][1] = shape.counts[b];
    rows += shape.counts[b];
    cells += shape.counts[b] * shape.counts[b];
    longest = std::max(longest, shape.counts[b]);
  }
  const std::int64_t d = shape.heads * shape.width;
  const Pair projected = numbers({rows, 3 * d}, format), gradient = numbers({rows, d}, format);
  const Pair keys = numbers({shape.types, shape.width}, format),
             values = numbers({shape.types, shape.width}, format);
  const torch::Tensor plan =
      deviceRelationPlan(at::randint(shape.types, {cells}, torch::kInt64).to(torch::kUInt8), spans);
  DeviceRelations how{keys.there,    values.there,  plan.to(device()),
                      spans.size(0), longest,       shape.heads,
                      shape.causal,  shape.dropout, 3};
  DeviceRelations exact = how;
  exact.keys = leaf(keys.exact);
  exact.values = leaf(values.exact);
  exact.plan = plan;
  const torch::Tensor input = leaf(projected.exact), expected = referenceRelations(input, exact);
  expected.backward(gradient.exact);
  const DeviceRelationRows got = deviceRelations(projected.there, how);
  comparison.close(expected, got.out, what);
  const auto made = deviceRelationsBackward(projected.there, how, got, gradient.there);
  comparison.close(input.grad(), made.projected, what + ": gradient of the rows");
  comparison.close(exact.keys.grad(), made.keys, what + ": gradient of keys' table");
  comparison.close(exact.values.grad(), made.values, what + ": gradient of values' table");
  sameBits(comparison, made.projected,
           deviceRelationsBackward(projected.there, how, got, gradient.there).projected, what);
}

void checkRelations(Comparison& comparison, torch::ScalarType format) {
  checkRelation(comparison, format, {{1}, 1, 5, 1, 0, false});
  checkRelation(comparison, format, {{31, 0, 1, 33}, 2, 8, 51, 0.1, false});
  checkRelation(comparison, format, {{33, 17}, 1, 128, 200, 0, true});
  checkRelation(comparison, format, {{61, 2}, 3, 12, 7, 0.5, true});
}

struct Family {
  const char* name;
  void (*check)(Comparison& comparison, torch::ScalarType format);
};
constexpr Family kFamilies[] = {{"seeded_dropout", checkDropout},
                                {"norm_join", checkNorms},
                                {"chain_softmax", checkSoftmaxes},
                                {"relation_attention", checkRelations}};

}  // namespace

int checkKernels(const Words& words) {
  static_cast<void>(device());
  if (kernelPlugin().table == nullptr) {
    std::fprintf(stderr, "device_checks kernels: %s\n", kernelPlugin().reason.c_str());
    return 2;
  }
  int failures = 0, tried = 0;
  at::manual_seed(20);
  for (const Family& family : kFamilies) {
    if (!words.empty() && words.front() != family.name) continue;
    for (const torch::ScalarType format : kFormats) {
      Comparison comparison;
      comparison.tolerance = toleranceOf(format);
      family.check(comparison, format);
      comparison.report(std::string(family.name) + " " + toString(format));
      failures += comparison.failures;
      ++tried;
    }
  }
  if (tried == 0) std::fprintf(stderr, "device_checks kernels: no family '%s'\n", words.front().c_str());
  return tried == 0 ? 2 : failures > 0 ? 1 : 0;
}

}  // namespace fathom::device_checks
