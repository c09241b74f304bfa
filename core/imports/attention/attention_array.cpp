// SPDX-License-Identifier: Apache-2.0
#include "core/imports/attention/attention_array.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "core/base/text/text_list.h"
#include "core/record/formats/array_file.h"
#include "core/record/formats/safetensors_file.h"

namespace fathom {

namespace {

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 26;  // of one head: 8,192 x 8,192
constexpr std::int64_t kMostHeads = std::int64_t{1} << 16;    // of all layers: each has its histograms
constexpr std::int64_t kMostExamples = std::int64_t{1} << 24;

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return "[" + joined(shape, ", ", [](std::int64_t extent) { return std::to_string(extent); }) + "]";
}

// By dtype names of both formats; 0 for numbers that are not real.
double toleranceOf(const std::string& dtype) {
  static const std::map<std::string, double> kTolerances = {
      {"f8", 1e-3}, {"f4", 1e-3}, {"f2", 1e-2}, {"F64", 1e-3}, {"F32", 1e-3}, {"F16", 1e-2}, {"BF16", 1e-2}};
  const auto found = kTolerances.find(dtype);
  return found == kTolerances.end() ? 0 : found->second;
}

// Shape and type of `array` as attention's.
Status takeShape(AttentionArray& array, const std::vector<std::int64_t>& shape, const std::string& dtype) {
  array.tolerance = toleranceOf(dtype);
  if (array.tolerance == 0)
    return dataErrorAt(array.file, 0, Phrase::tr("%1 holds numbers of type %2")(array.name, dtype),
                       Phrase::tr("probabilities are floating-point numbers"));
  if (shape.size() != 4 && shape.size() != 5)
    return dataErrorAt(
        array.file, 0, Phrase::tr("%1 has the shape %2")(array.name, shapeText(shape)),
        Phrase::tr(
            "attention is [layers, heads, queries, keys] or [layers, examples, heads, queries, keys]"));
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 1; }))
    return dataErrorAt(array.file, 0,
                       Phrase::tr("%1 is empty: its shape is %2")(array.name, shapeText(shape)));
  array.hasExamples = shape.size() == 5;
  array.layers = shape.front();
  if (array.hasExamples) array.examples = shape[1];
  array.heads = shape[shape.size() - 3];
  array.queries = shape[shape.size() - 2];
  array.keys = shape.back();
  if (array.keys > kMostNumbers / array.queries || array.layers > kMostHeads / array.heads ||
      array.examples > kMostExamples)
    return dataErrorAt(
        array.file, 0,
        Phrase::tr("%1 has the shape %2, which is more than is read")(array.name, shapeText(shape)),
        Phrase::tr("write fewer examples or shorter ones"));
  return {};
}

Result<std::vector<AttentionArray>> openNpy(const std::string& file) {
  FATHOM_TRY(ArrayPart part, ArrayPart::open(file));
  AttentionArray array;
  array.file = file;
  array.name = std::filesystem::path(file).stem().string();
  array.place = attentionPlaceOf(array.name);
  FATHOM_CHECK(takeShape(array, part.shape(), part.dtype()));
  array.read = [part](std::int64_t first, std::int64_t count) { return part.read(first, count); };
  return std::vector{std::move(array)};
}

Error noAttention(const std::string& file, const std::vector<TensorEntry>& entries) {
  const Phrase hint = Phrase::tr(
      "an array of attention is called encoder.self_attention, decoder.self_attention, "
      "decoder.cross_attention "
      "or as transformers calls its outputs (encoder_attentions); say with --stack and --kind what the only "
      "array of a file is");
  if (entries.empty()) return dataErrorAt(file, 0, Phrase::tr("it holds no array"), hint);
  return dataErrorAt(file, 0,
                     Phrase::tr("none of its %1 arrays is attention: the first is %2 of shape %3")(
                         entries.size(), entries.front().name, shapeText(entries.front().shape)),
                     hint);
}

Result<std::vector<AttentionArray>> openSafetensors(const std::string& file,
                                                    std::vector<std::string>& passedOver) {
  FATHOM_TRY(SafetensorsFile opened, SafetensorsFile::open(file));
  const auto shared = std::make_shared<const SafetensorsFile>(std::move(opened));
  const bool only = shared->entries().size() == 1;
  std::vector<AttentionArray> arrays;
  for (const TensorEntry& entry : shared->entries()) {
    AttentionArray array;
    array.file = file;
    array.name = entry.name;
    array.place = attentionPlaceOf(entry.name);
    if (!array.place.known() && !(only && entry.shape.size() >= 4)) {
      passedOver.push_back(entry.name);
      continue;
    }
    FATHOM_CHECK(takeShape(array, entry.shape, entry.dtype));
    array.read = [shared, entry](std::int64_t first, std::int64_t count) {
      return shared->readReals(entry, first, count);
    };
    arrays.push_back(std::move(array));
  }
  if (arrays.empty()) return noAttention(file, shared->entries());
  return arrays;
}

}  // namespace

AttentionPlace attentionPlaceOf(const std::string& name) {
  static const std::map<std::string, AttentionPlace> kOutputs = {
      {"encoder_attentions", {"encoder", "self_attention"}},
      {"decoder_attentions", {"decoder", "self_attention"}},
      {"cross_attentions", {"decoder", "cross_attention"}}};
  if (const auto output = kOutputs.find(name); output != kOutputs.end()) return output->second;
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {};
  AttentionPlace place{name.substr(0, dot), name.substr(dot + 1)};
  const bool stack = place.stack == "encoder" || place.stack == "decoder" || place.stack == "extra" ||
                     place.stack == "global";
  const bool kind = place.kind == "self_attention" || place.kind == "cross_attention";
  return stack && kind ? place : AttentionPlace{};
}

Result<std::vector<float>> AttentionArray::head(std::int64_t layer, std::int64_t example,
                                                std::int64_t head) const {
  return read(((layer * examples + example) * heads + head) * queries * keys, queries * keys);
}

std::string AttentionArray::rowName(std::int64_t layer, std::int64_t example, std::int64_t head,
                                    std::int64_t query) const {
  std::vector<std::int64_t> at = {layer, head, query};
  if (hasExamples) at.insert(at.begin() + 1, example);
  return name + shapeText(at);
}

Result<std::vector<AttentionArray>> openAttentionArrays(const std::string& file,
                                                        std::vector<std::string>& passedOver) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (ending == ".npy") return openNpy(file);
  if (ending == ".safetensors") return openSafetensors(file, passedOver);
  return dataErrorAt(file, 0, Phrase::tr("arrays of attention are read from .npy and .safetensors"),
                     Phrase::tr("numpy.save or safetensors.numpy.save_file writes one"));
}

}  // namespace fathom
