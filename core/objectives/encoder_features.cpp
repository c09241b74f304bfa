// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/encoder_features.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/nn/device_upload.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/on_host.h"
#include "core/nn/pretrained/tensor_file.h"

namespace fathom {

namespace {

constexpr std::size_t kRowsRead = 64;  // examples made at once
// Pieces of one pass, padding counted: on a processor its arrays stay in the caches.
std::int64_t piecesAtOnce(const torch::Device& device) {
  return isOnHost(device) ? 2048 : 32768;
}

std::string_view bytesOf(const torch::Tensor& contiguous) {
  return {static_cast<const char*>(contiguous.const_data_ptr()), contiguous.nbytes()};
}

torch::Tensor indexTensor(const std::vector<std::int64_t>& values) {
  torch::Tensor made = at::empty({static_cast<std::int64_t>(values.size())}, torch::kInt64);
  std::copy(values.begin(), values.end(), made.mutable_data_ptr<std::int64_t>());
  return made;
}

torch::Tensor rounded(const torch::Tensor& states) {
  return states.to(torch::kHalf);
}

std::string megabytes(std::int64_t bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20);
}

// "7,887"
std::string groupedDigits(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

}  // namespace

TextBatch pieceRows(const DeviceBatch& batch) {
  TextBatch text{batch.array("tokens"),
                 batch.array("segments"),
                 {},
                 {batch.host("tokens"), batch.host("segments"), batch.host("lengths")}};
  const torch::Tensor& lengths = batch.array("lengths");
  const std::int64_t width = text.tokens.size(1);
  if (text.onHost.lengths.min().item<std::int64_t>() < width)
    text.padding = at::arange(width, lengths.options()).unsqueeze(0).ge(lengths.unsqueeze(1));
  return text;
}

PassFacts paddingFacts(const DeviceBatch& batch) {
  const std::int64_t shortest = batch.host("lengths").min().item<std::int64_t>();
  const bool padded = shortest < batch.array("tokens").size(1);
  return {{padded ? 1 : 0, shortest <= 0 ? 1 : 0}, {}};
}

std::string frozenEncoderHash(const Model& model, const OptionValues& options) {
  Sha256 hash;
  for (const Leaf& leaf : model.parameters().leaves()) {
    if (leaf.tensor.requires_grad()) continue;
    hash.update(leaf.name + "\n");
    hash.update(bytesOf(leaf.tensor.detach().to(torch::kCPU).contiguous()));
  }
  for (const OptionField& field : options.schema().fields()) {
    const std::string& key = field.key;
    if (!(decidesEncoder(options, key) || key == "precision") || !options.active(key)) continue;
    hash.update(key + "=" + options.value(key).dump() + "\n");
  }
  return hash.hex();
}

// The length of a row is what is not padding.
std::vector<EncoderFeatures::Row> EncoderFeatures::rowsOf(const TextBatch& batch) {
  const TextOnHost& host = batch.onHost;
  const auto onHost = [](const torch::Tensor& known, const torch::Tensor& all) {
    return (known.defined() ? known : all).to(torch::kCPU, torch::kInt64).contiguous();
  };
  const torch::Tensor tokens = onHost(host.tokens, batch.tokens);
  const torch::Tensor segments =
      batch.segments.defined() ? onHost(host.segments, batch.segments) : torch::Tensor();
  torch::Tensor lengths;
  if (host.lengths.defined())
    lengths = host.lengths.contiguous();
  else if (batch.padding.defined())
    lengths = batch.padding.logical_not().sum(1).to(torch::kCPU, torch::kInt64).contiguous();
  std::vector<Row> rows(static_cast<std::size_t>(tokens.size(0)));
  for (std::int64_t b = 0; b < tokens.size(0); ++b) {
    Row& row = rows[static_cast<std::size_t>(b)];
    row.length = lengths.defined() ? lengths.const_data_ptr<std::int64_t>()[b] : tokens.size(1);
    const auto valuesOf = [&](const torch::Tensor& of) {
      const auto* begin = of.const_data_ptr<std::int64_t>() + b * of.size(1);
      return std::vector<std::int64_t>(begin, begin + row.length);
    };
    row.tokens = valuesOf(tokens);
    std::string content(bytesOf(tokens[b].narrow(0, 0, row.length)));
    if (segments.defined()) {
      row.segments = valuesOf(segments);
      content += bytesOf(segments[b].narrow(0, 0, row.length));
    }
    row.key = {static_cast<std::int64_t>(stableHash(content, 1)),
               static_cast<std::int64_t>(stableHash(content, 2))};
  }
  return rows;
}

// Each row once, in an order that the task alone decides.
std::vector<EncoderFeatures::Row> EncoderFeatures::rowsOf(const Task& task, const StopToken& stop) {
  std::vector<Row> all;
  std::set<Key> seen;
  for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test}) {
    if (task.batchCount(split) == 0) continue;
    const std::vector<ExampleId> examples = task.batchedExamples(split);
    for (std::size_t first = 0; first < examples.size(); first += kRowsRead) {
      if (stop.stopRequested()) throw Failure(interruptedError());
      const std::span<const ExampleId> some =
          std::span(examples).subspan(first, std::min(kRowsRead, examples.size() - first));
      std::vector<Row> rows = rowsOf(pieceRows(toDevice(task.makeBatchOf(split, some), torch::kCPU)));
      for (Row& row : rows) {
        if (!seen.insert(row.key).second) continue;
        row.split = split;
        all.push_back(std::move(row));
      }
    }
  }
  return all;
}

std::vector<EncoderFeatures::Row> EncoderFeatures::rowsOf(std::span<const HostBatch* const> batches) {
  std::vector<Row> all;
  std::set<Key> seen;
  for (const HostBatch* batch : batches)
    for (Row& row : rowsOf(pieceRows(toDevice(*batch, torch::kCPU))))
      if (seen.insert(row.key).second) all.push_back(std::move(row));
  return all;
}

// Padding has id 0, which nobody reads.
TextBatch EncoderFeatures::textOf(std::span<const Row> rows, const torch::Device& device) {
  const auto longest = std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
                         return a.length < b.length;
                       })->length;
  const auto count = static_cast<std::int64_t>(rows.size());
  TextBatch text;
  text.tokens = at::zeros({count, longest}, torch::kInt64);
  const bool kinds = !rows.front().segments.empty();
  if (kinds) text.segments = at::zeros({count, longest}, torch::kInt64);
  torch::Tensor padding = at::zeros({count, longest}, torch::kBool);
  for (std::int64_t b = 0; b < count; ++b) {
    const Row& row = rows[static_cast<std::size_t>(b)];
    const std::int64_t begin = b * longest;
    std::copy(row.tokens.begin(), row.tokens.end(), text.tokens.mutable_data_ptr<std::int64_t>() + begin);
    if (kinds)
      std::copy(row.segments.begin(), row.segments.end(),
                text.segments.mutable_data_ptr<std::int64_t>() + begin);
    if (row.length < longest) padding[b].narrow(0, row.length, longest - row.length).fill_(true);
  }
  text.tokens = text.tokens.to(device);
  if (kinds) text.segments = text.segments.to(device);
  if (padding.any().item<bool>()) text.padding = padding.to(device);
  return text;
}

void EncoderFeatures::prepare(const Task& task, const std::string& encoder, const Encode& encode,
                              const PrepareRequest& request, const torch::TensorOptions& tensors) {
  if (!request.only.empty()) {
    m_encoder = encoder;
    m_places.clear();
    m_states = torch::Tensor();
    compute(rowsOf(request.only), encode, request, tensors.device());
    return;
  }
  if (request.cachePath.empty() && !request.make) return;
  const std::vector<Row> rows = rowsOf(task, request.stop);
  if (rows.empty()) return;
  Sha256 hash;
  hash.update(encoder);
  for (const Row& row : rows) hash.update({reinterpret_cast<const char*>(row.key.data()), sizeof row.key});
  const std::string file = request.cachePath + "/encoder-" + hash.hex().substr(0, 24) + ".safetensors";
  const auto say = [&request](const Phrase& what) {
    if (request.say) request.say(what);
  };
  const std::string count = groupedDigits(static_cast<std::int64_t>(rows.size()));
  m_encoder = encoder;
  if (!request.cachePath.empty() && read(file, rows)) {
    say(Phrase::tr("features of %1 examples: read from %2")(count, file));
    return;
  }
  if (!request.make) return;
  compute(rows, encode, request, tensors.device());
  const std::string size = megabytes(static_cast<std::int64_t>(m_states.nbytes()));
  if (request.cachePath.empty()) return;
  const Status status = write(file);
  if (status.ok())
    say(Phrase::tr("features of %1 examples: computed, %2 MB in %3")(count, size, file));
  else
    say(Phrase::tr("features of %1 examples: computed, but not kept for other runs: %2")(
        count, status.error().phrase()));
}

void EncoderFeatures::compute(std::vector<Row> rows, const Encode& encode, const PrepareRequest& request,
                              const torch::Device& device) {
  const torch::NoGradGuard noGrad;
  std::int64_t pieces = 0;
  for (const Row& row : rows) {
    m_places[row.key] = {pieces, row.length};
    pieces += row.length;
  }
  // Rows of one length together: hardly any padding.
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.split, a.length) < std::tie(b.split, b.length);
  });
  if (request.progress != nullptr)
    request.progress->begin(Phrase::tr("states of the frozen encoder").english, Phrase::tr("pieces").english,
                            static_cast<double>(pieces));
  const std::int64_t most = piecesAtOnce(device);
  std::int64_t done = 0;
  for (std::size_t first = 0; first < rows.size();) {
    if (request.stop.stopRequested()) throw Failure(interruptedError());
    std::size_t next = first;
    while (next < rows.size() && rows[next].split == rows[first].split &&
           (next == first || rows[next].length * static_cast<std::int64_t>(next - first + 1) <= most))
      ++next;
    const TextBatch text = textOf(std::span(rows).subspan(first, next - first), device);
    const torch::Tensor states = rounded(encode(text)).to(torch::kCPU);
    if (!m_states.defined()) m_states = at::empty({pieces, states.size(1)}, states.options());
    const std::int64_t width = text.tokens.size(1);
    for (std::int64_t b = 0; first < next; ++b, ++first) {
      const Row& row = rows[first];
      m_states.narrow(0, m_places.at(row.key).first, row.length)
          .copy_(states.narrow(0, b * width, row.length));
      done += row.length;
    }
    if (request.progress != nullptr) request.progress->report(static_cast<double>(done));
  }
  if (request.progress != nullptr) request.progress->finish();
}

Status EncoderFeatures::write(const std::string& file) const {
  std::vector<std::int64_t> keys, places;
  for (const auto& [key, place] : m_places) {
    keys.insert(keys.end(), key.begin(), key.end());
    places.insert(places.end(), {place.first, place.count});
  }
  const auto rows = static_cast<std::int64_t>(m_places.size());
  FATHOM_CHECK(makeOneFolder(file.substr(0, file.rfind('/'))));
  FATHOM_TRY(const std::string hash, writeTensors(file, {{"keys", indexTensor(keys).view({rows, 2})},
                                                         {"places", indexTensor(places).view({rows, 2})},
                                                         {"states", m_states}}));
  return {};
}

// Whatever is wrong with a file that can be made again: it is made again.
bool EncoderFeatures::read(const std::string& file, const std::vector<Row>& rows) {
  if (!fileExists(file)) return false;
  const auto tensors = readTensors(file);
  if (!tensors.ok() || !tensors->contains("keys") || !tensors->contains("places") ||
      !tensors->contains("states"))
    return false;
  const torch::Tensor &keys = tensors->at("keys"), &places = tensors->at("places"),
                      &states = tensors->at("states");
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto isTable = [count](const torch::Tensor& table) {
    return table.scalar_type() == torch::kInt64 && table.dim() == 2 && table.size(0) == count &&
           table.size(1) == 2;
  };
  if (!isTable(keys) || !isTable(places) || states.scalar_type() != torch::kHalf || states.dim() != 2)
    return false;
  std::map<Key, Place> found;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto* key = keys.const_data_ptr<std::int64_t>() + 2 * i;
    const auto* place = places.const_data_ptr<std::int64_t>() + 2 * i;
    if (place[0] < 0 || place[1] < 0 || place[0] > states.size(0) - place[1]) return false;
    found[{key[0], key[1]}] = {place[0], place[1]};
  }
  for (const Row& row : rows) {
    const auto place = found.find(row.key);
    if (place == found.end() || place->second.count != row.length) return false;
  }
  m_places = std::move(found);
  m_states = states;
  return true;
}

bool EncoderFeatures::takeFrom(const EncoderFeatures& other, const std::string& encoder) {
  if (other.m_places.empty() || other.m_encoder != encoder) return false;
  *this = other;
  return true;
}

torch::Tensor EncoderFeatures::computed(const TextBatch& rows, const Encode& encode,
                                        const torch::TensorOptions& tensors) {
  const torch::NoGradGuard noGrad;
  return rounded(encode(rows)).to(tensors);
}

torch::Tensor EncoderFeatures::states(const TextBatch& batch, const Encode& encode,
                                      const torch::TensorOptions& tensors) const {
  const torch::NoGradGuard noGrad;
  const std::int64_t width = batch.tokens.size(1);
  std::vector<std::int64_t> missing, from, to;
  if (m_places.empty()) return computed(batch, encode, tensors);
  const std::vector<Row> rows = rowsOf(batch);
  for (std::size_t b = 0; b < rows.size(); ++b) {
    const auto place = m_places.find(rows[b].key);
    if (place == m_places.end()) missing.push_back(static_cast<std::int64_t>(b));
    for (std::int64_t t = 0; place != m_places.end() && t < rows[b].length; ++t) {
      from.push_back(place->second.first + t);
      to.push_back(static_cast<std::int64_t>(b) * width + t);
    }
  }
  if (from.empty()) return computed(batch, encode, tensors);
  torch::Tensor all = at::zeros({batch.tokens.size(0) * width, m_states.size(1)}, tensors);
  DeviceUpload upload(tensors.device());
  const torch::Tensor places = upload.add(indexTensor(to)),
                      kept = upload.add(m_states.index_select(0, indexTensor(from)));
  upload.send();
  all.index_copy_(0, places, kept.to(tensors));
  if (missing.empty()) return all;
  const torch::Tensor chosen = uploaded(indexTensor(missing), batch.tokens.device());
  const auto some = [&chosen](const torch::Tensor& of) {
    return of.defined() ? of.index_select(0, chosen) : of;
  };
  const torch::Tensor others =
      computed({some(batch.tokens), some(batch.segments), some(batch.padding)}, encode, tensors);
  all.view({-1, width, m_states.size(1)})
      .index_copy_(0, chosen.to(tensors.device()), others.view({-1, width, m_states.size(1)}));
  return all;
}

}  // namespace fathom
