// SPDX-License-Identifier: Apache-2.0
#include "core/init/tensor_fill.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

#include "core/base/numbers/random_stream.h"
#include "core/nn/build_watch.h"
#include "core/nn/recurrent.h"

namespace fathom {

namespace {

at::Generator generatorOf(const InitTarget& target, const Parameter& parameter) {
  return at::make_generator<at::CPUGeneratorImpl>(streamSeed(target.seed, parameter.info.name));
}

void store(InitTarget& target, const Parameter& parameter, const torch::Tensor& values) {
  const at::NoGradGuard noGrad;
  if (parameter.info.padRow >= 0) values.select(0, parameter.info.padRow).zero_();
  target.model.parameters().value(parameter).copy_(values);
}

torch::Tensor fresh(const InitTarget& target, const Parameter& parameter) {
  return at::empty(target.model.parameters().value(parameter).sizes(), torch::kFloat32);
}

void note(InitTarget& target, const Parameter& parameter, const std::string& rule, double value) {
  if (!target.report) return;
  Json item;
  item["name"] = parameter.info.name;
  item["rule"] = rule;
  item["value"] = jsonReal(value);
  target.report->push_back(std::move(item));
}

}  // namespace

void fillUniform(InitTarget& target, const Parameter& parameter, double bound) {
  const torch::Tensor values = fresh(target, parameter);
  const at::Generator generator = generatorOf(target, parameter);
  inPieces(values, [&](torch::Tensor piece) { piece.uniform_(-bound, bound, generator); });
  store(target, parameter, values);
  note(target, parameter, "uniform", bound);
}

void fillNormal(InitTarget& target, const Parameter& parameter, double deviation) {
  const torch::Tensor values = fresh(target, parameter);
  const at::Generator generator = generatorOf(target, parameter);
  inPieces(values, [&](torch::Tensor piece) { piece.normal_(0, deviation, generator); });
  store(target, parameter, values);
  note(target, parameter, "normal", deviation);
}

void fillTruncatedNormal(InitTarget& target, const Parameter& parameter, double deviation) {
  at::Generator generator = generatorOf(target, parameter);
  const torch::Tensor values = fresh(target, parameter);
  inPieces(values, [&](torch::Tensor piece) { piece.normal_(0, 1, generator); });
  for (torch::Tensor beyond = values.abs().gt(2); beyond.any().item<bool>(); beyond = values.abs().gt(2)) {
    values.masked_scatter_(
        beyond, at::empty({beyond.sum().item<std::int64_t>()}, values.options()).normal_(0, 1, generator));
  }
  store(target, parameter, values.mul_(deviation));
  note(target, parameter, "truncated normal", deviation);
}

void fillConstant(InitTarget& target, const Parameter& parameter, double value) {
  store(target, parameter,
        filledTensor(target.model.parameters().value(parameter).sizes(), value,
                     torch::TensorOptions().dtype(torch::kFloat32)));
}

void fillDeclared(InitTarget& target, const Parameter& parameter) {
  const double bound = recurrentBiasBound(target.model.parameters(), parameter);
  if (bound > 0) return fillUniform(target, parameter, bound);
  fillConstant(target, parameter, parameter.initialConstant);
}

void scaleBy(InitTarget& target, const Parameter& parameter, double factor, const std::string& reason) {
  const at::NoGradGuard noGrad;
  target.model.parameters().value(parameter).mul_(factor);
  note(target, parameter, reason, factor);
}

double xavierBound(std::int64_t in, std::int64_t out, double gain) {
  return gain * std::sqrt(6.0 / static_cast<double>(in + out));
}

double xavierDeviation(std::int64_t in, std::int64_t out, double gain) {
  return gain * std::sqrt(2.0 / static_cast<double>(in + out));
}

}  // namespace fathom
