// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/span_vectors.h"

#include <map>
#include <utility>
#include <vector>

#include "core/nn/device_upload.h"

namespace fathom {

namespace {

// Distinct spans, and which of them each item has.
struct DistinctSpans {
  torch::Tensor spans;  // int64 [U, 2], CPU
  std::vector<std::int64_t> which;
};

DistinctSpans distinct(const torch::Tensor& spans) {
  const torch::Tensor dense = spans.contiguous();
  const auto span = dense.accessor<std::int64_t, 2>();
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> known;
  DistinctSpans result;
  std::vector<std::int64_t> ends;
  for (std::int64_t s = 0; s < span.size(0); ++s) {
    const auto [place, fresh] =
        known.emplace(std::pair(span[s][0], span[s][1]), static_cast<std::int64_t>(known.size()));
    if (fresh) ends.insert(ends.end(), {span[s][0], span[s][1]});
    result.which.push_back(place->second);
  }
  result.spans = at::tensor(ends, torch::TensorOptions(torch::kInt64)).view({-1, 2});
  return result;
}

}  // namespace

torch::Tensor spanMeans(const torch::Tensor& rows, const torch::Tensor& spans, EmptySpan empty) {
  const torch::Tensor dense = spans.contiguous();
  const auto span = dense.accessor<std::int64_t, 2>();
  std::vector<std::int64_t> from, to;
  for (std::int64_t s = 0; s < span.size(0); ++s) {
    for (std::int64_t row = span[s][0]; row < span[s][1]; ++row) {
      from.push_back(row);
      to.push_back(s);
    }
  }
  const torch::Device device = rows.device();
  DeviceUpload upload(device);
  const torch::Tensor source = upload.add(at::tensor(from, torch::kInt64)),
                      place = upload.add(at::tensor(to, torch::kInt64)),
                      lengths = upload.add(dense.select(1, 1) - dense.select(1, 0));
  upload.send();
  const torch::Tensor sums = at::zeros({span.size(0), rows.size(1)}, rows.options())
                                 .index_add(0, place, rows.index_select(0, source));
  torch::Tensor counts = lengths.to(rows.scalar_type());
  if (empty == EmptySpan::Zero) counts = counts.clamp_min(1);
  return sums / counts.unsqueeze(1);
}

ItemVectors::ItemVectors(ParameterStore& store, const std::string& prefix, std::int64_t inputs,
                         std::int64_t width)
    : m_forward(store, prefix + ".forward", inputs, width / 2),
      m_backward(store, prefix + ".backward", inputs, width / 2) {}

torch::Tensor ItemVectors::operator()(const torch::Tensor& rows, const torch::Tensor& spans) const {
  const DistinctSpans items = distinct(spans);
  const std::int64_t count = items.spans.size(0), width = 2 * m_forward.width();
  DeviceUpload upload(rows.device());
  const RaggedSequences sequences = raggedSequences(items.spans, rows.device());
  const torch::Tensor which = upload.add(at::tensor(items.which, torch::kInt64));
  upload.send();
  const torch::Tensor outputs = bidirectionalLstm(rows, sequences, m_forward, m_backward);
  if (outputs.size(0) == 0)
    return at::zeros({static_cast<std::int64_t>(items.which.size()), width}, rows.options());
  const torch::Tensor lengths = sequences.lengths.to(rows.scalar_type()).unsqueeze(1);
  const torch::Tensor means =
      at::zeros({count, width}, outputs.options()).index_add(0, sequences.owners, outputs) /
      lengths.clamp_min(1);
  const torch::Tensor vectors = (means + outputs.index_select(0, sequences.last)) * lengths.clamp_max(1);
  return vectors.index_select(0, which);
}

}  // namespace fathom
