// SPDX-License-Identifier: Apache-2.0
#include "core/imports/attention/attention_import.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_entropy.h"
#include "core/analysis/attention/attention_jsd.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/imports/attention/given_tokens.h"

namespace fathom {

namespace {

constexpr std::int64_t kMostMapNumbers = std::int64_t{1} << 28;  // 1 GiB of all maps

using Histograms = std::vector<std::vector<ValueHistogram>>;

// An array with what is made of it.
struct BroughtArray {
  AttentionArray array;
  std::vector<std::vector<char>> realQueries, realKeys;  // [example][place]
  const StackTokens* queryTokens = nullptr;
  const StackTokens* keyTokens = nullptr;
  Histograms entropies, divergences;     // [layer][head], [layer - 1][head]
  std::vector<std::vector<float>> maps;  // [example], [layers, heads, real queries, real keys]
};

std::int64_t countOf(const std::vector<char>& real) {
  return std::count(real.begin(), real.end(), 1);
}

Status placeArray(AttentionArray& array, const AttentionFiles& files, bool only) {
  if (array.place.known()) return {};
  if (only) {
    array.place = files.place;
    if (array.place.kind.empty()) array.place.kind = "self_attention";
    if (array.place.known()) return {};
  }
  return dataErrorAt(array.file, 0, Phrase::tr("the name %1 does not say whose attention it is")(array.name),
                     Phrase::tr("call it encoder.self_attention, decoder.self_attention or "
                                "decoder.cross_attention, or give one array alone with --stack"));
}

// All arrays of all files, as models have them: encoder before decoder, self before cross.
Result<std::vector<BroughtArray>> openAll(const AttentionFiles& files, std::vector<std::string>& passedOver) {
  std::vector<AttentionArray> arrays;
  for (const std::string& file : files.arrays) {
    FATHOM_TRY(auto some, openAttentionArrays(file, passedOver));
    std::move(some.begin(), some.end(), std::back_inserter(arrays));
  }
  std::vector<BroughtArray> all;
  for (AttentionArray& array : arrays) {
    FATHOM_CHECK(placeArray(array, files, arrays.size() == 1));
    for (const BroughtArray& other : all) {
      if (other.array.place == array.place)
        return dataErrorAt(array.file, 0,
                           Phrase::tr("%1 is in %2 already")(array.place.name(), other.array.file));
      if (other.array.examples != array.examples)
        return dataErrorAt(
            array.file, 0,
            Phrase::tr("%1 has %2 examples, %3 of %4 has %5")(array.name, array.examples, other.array.name,
                                                              other.array.file, other.array.examples));
    }
    all.emplace_back();
    all.back().array = std::move(array);
  }
  const auto rank = [](const BroughtArray& each) {
    const AttentionPlace& place = each.array.place;
    return std::pair(place.stack == "encoder"  ? 0
                     : place.stack == "extra"  ? 1
                     : place.stack == "global" ? 2
                                               : 3,
                     place.kind == "self_attention" ? 0 : 1);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const BroughtArray& a, const BroughtArray& b) { return rank(a) < rank(b); });
  return all;
}

Status placeTokens(std::vector<BroughtArray>& all, const GivenTokens& given) {
  const bool beside = std::any_of(all.begin(), all.end(), [](const BroughtArray& each) {
    return each.array.place.stack != "decoder" || each.array.place.kind == "cross_attention";
  });
  for (BroughtArray& each : all) {
    const AttentionArray& array = each.array;
    const bool cross = array.place.kind == "cross_attention";
    if (!cross && array.queries != array.keys && array.place.stack != "encoder" &&
        array.place.stack != "global")
      return dataErrorAt(array.file, 0,
                         Phrase::tr("%1 has %2 queries and %3 keys")(array.name, array.queries, array.keys),
                         Phrase::tr("write the attention of one forward pass, without a cache"));
    each.queryTokens = &given.of(array.place.stack, beside);
    each.keyTokens = cross ? &given.of("encoder", true) : each.queryTokens;
    FATHOM_TRY(each.realQueries,
               realPlaces(given, *each.queryTokens, array.examples, array.queries, array.name));
    FATHOM_TRY(each.realKeys, realPlaces(given, *each.keyTokens, array.examples, array.keys, array.name));
    const auto heads = static_cast<std::size_t>(array.heads);
    const auto layers = static_cast<std::size_t>(array.layers);
    each.entropies.assign(layers, std::vector<ValueHistogram>(heads, entropyHistogram(array.keys)));
    each.divergences.assign(layers - 1, std::vector<ValueHistogram>(heads, divergenceHistogram()));
  }
  return {};
}

// "NaN", "-0.25", for a sentence.
std::string shownReal(double value) {
  std::string text = jsonNumber(value);
  std::erase(text, '"');
  return text;
}

// The row is a distribution over the real keys.
Status checkRow(const BroughtArray& brought, std::span<const float> row, std::int64_t example,
                const std::function<std::string()>& name) {
  const AttentionArray& array = brought.array;
  const std::vector<char>& real = brought.realKeys[static_cast<std::size_t>(example)];
  double sum = 0, padded = 0;
  for (std::size_t key = 0; key < row.size(); ++key) {
    const auto p = static_cast<double>(row[key]);
    if (!std::isfinite(p) || p < 0)
      return dataErrorAt(
          array.file, 0,
          Phrase::tr("%1 holds %2 at key %3, which is no probability")(name(), shownReal(p), key));
    (real[key] != 0 ? sum : padded) += p;
  }
  if (std::abs(sum + padded - 1) > array.tolerance)
    return dataErrorAt(
        array.file, 0, Phrase::tr("%1 adds up to %2, not to 1")(name(), shownReal(sum + padded)),
        Phrase::tr("rows are softmax outputs before dropout; say with --tokens which queries are real"));
  if (padded > array.tolerance)
    return dataErrorAt(
        array.file, 0,
        Phrase::tr("%1 gives %2 to keys that the tokens call padding")(name(), shownReal(padded)),
        Phrase::tr("the tokens belong to other examples, or the mask was not used"));
  return {};
}

// Appends the real rows and keys of one head.
void addMap(const BroughtArray& brought, std::span<const float> head, std::size_t example,
            std::vector<float>& map) {
  const auto keys = static_cast<std::size_t>(brought.array.keys);
  for (std::size_t query = 0; query < brought.realQueries[example].size(); ++query) {
    if (brought.realQueries[example][query] == 0) continue;
    for (std::size_t key = 0; key < keys; ++key)
      if (brought.realKeys[example][key] != 0) map.push_back(head[query * keys + key]);
  }
}

// One head of one example through all layers; `maps`: [layer][numbers] where maps are kept.
Status countHead(BroughtArray& brought, std::int64_t example, std::int64_t head,
                 std::vector<std::vector<float>>* maps) {
  const AttentionArray& array = brought.array;
  const auto e = static_cast<std::size_t>(example), h = static_cast<std::size_t>(head);
  const auto keys = static_cast<std::size_t>(array.keys);
  std::vector<float> below;
  for (std::int64_t layer = 0; layer < array.layers; ++layer) {
    FATHOM_TRY(std::vector<float> now, array.head(layer, example, head));
    const auto l = static_cast<std::size_t>(layer);
    for (std::int64_t query = 0; query < array.queries; ++query) {
      const auto at = static_cast<std::size_t>(query);
      if (brought.realQueries[e][at] == 0) continue;
      const auto row = std::span<const float>(now).subspan(at * keys, keys);
      FATHOM_CHECK(
          checkRow(brought, row, example, [&] { return array.rowName(layer, example, head, query); }));
      brought.entropies[l][h].add(attentionEntropy(row));
      if (layer > 0)
        brought.divergences[l - 1][h].add(
            attentionJsd(row, std::span<const float>(below).subspan(at * keys, keys)));
    }
    if (maps != nullptr) addMap(brought, now, e, (*maps)[l * static_cast<std::size_t>(array.heads) + h]);
    below = std::move(now);
  }
  return {};
}

Status countExample(BroughtArray& brought, std::int64_t example, bool map) {
  const AttentionArray& array = brought.array;
  std::vector<std::vector<float>> maps(static_cast<std::size_t>(map ? array.layers * array.heads : 0));
  for (std::int64_t head = 0; head < array.heads; ++head)
    FATHOM_CHECK(countHead(brought, example, head, map ? &maps : nullptr));
  if (!map) return {};
  brought.maps.emplace_back();
  for (const std::vector<float>& each : maps)
    brought.maps.back().insert(brought.maps.back().end(), each.begin(), each.end());
  return {};
}

Status checkMaps(const std::vector<BroughtArray>& all, std::int64_t maps) {
  std::int64_t numbers = 0;
  for (const BroughtArray& each : all)
    for (std::int64_t e = 0; e < maps; ++e)
      numbers += each.array.layers * each.array.heads *
                 countOf(each.realQueries[static_cast<std::size_t>(e)]) *
                 countOf(each.realKeys[static_cast<std::size_t>(e)]);
  if (numbers <= kMostMapNumbers) return {};
  return usageError(
      Phrase::tr("the maps of %1 examples hold %2 numbers, more than %3")(maps, numbers, kMostMapNumbers),
      Phrase::tr("keep fewer with --maps"));
}

// `examples`: those that statistics are of; 0 for one example by its number.
Json brought(Json result, const AttentionFiles& files, std::int64_t examples) {
  Json names = Json::array();
  for (const std::string& file : files.arrays) names.push_back(file.substr(file.rfind('/') + 1));
  if (examples > 0)
    result["sample"] = {{"chosen", "given"}, {"part", files.split}, {"examples", examples}, {"of", examples}};
  result["source"] = {{"program", "import-attention"}, {"files", names}};
  return result;
}

Json distributionsOf(const std::vector<BroughtArray>& all, bool entropy, const BroughtAttention& about) {
  AttentionDistributions result;
  result.quantity = entropy ? "attention_entropy" : "attention_jsd";
  result.unit = entropy ? "nats" : "bits";
  result.examples = about.examples;
  result.tokens = about.tokens;
  for (const BroughtArray& each : all) {
    const AttentionPlace& place = each.array.place;
    if (!entropy && each.divergences.empty()) continue;
    result.attentions.push_back(distributionOf(place.stack, place.kind, entropy ? 0 : 1,
                                               entropy ? each.entropies : each.divergences));
  }
  return result.attentions.empty() ? Json() : distributionsToJson(result);
}

Json mapsOf(const std::vector<BroughtArray>& all, std::int64_t example) {
  const auto e = static_cast<std::size_t>(example);
  AttentionMatrices matrices;
  matrices.example = example;
  Json arrays = Json::array();
  for (const BroughtArray& each : all) {
    const AttentionArray& array = each.array;
    AttentionMatrix matrix;
    matrix.stack = array.place.stack;
    matrix.kind = array.place.kind;
    matrix.layers = static_cast<int>(array.layers);
    matrix.heads = static_cast<int>(array.heads);
    matrix.queries = tokenTexts(*each.queryTokens, each.realQueries[e], example);
    matrix.keys = tokenTexts(*each.keyTokens, each.realKeys[e], example);
    std::vector<std::uint8_t> bytes(each.maps[e].size() * sizeof(float));
    std::memcpy(bytes.data(), each.maps[e].data(), bytes.size());
    arrays.push_back({{"file", matrix.name() + ".probabilities.npy"},
                      {"shape", {array.layers, array.heads, matrix.queries.size(), matrix.keys.size()}},
                      {"f4", Json::binary(std::move(bytes))}});
    matrices.attentions.push_back(std::move(matrix));
  }
  Json json = attentionMatricesToJson(matrices);
  for (std::size_t i = 0; i < arrays.size(); ++i)
    json["attentions"][i]["arrays"]["probabilities"] = std::move(arrays[i]);
  return json;
}

void fill(BroughtAttention& about, const std::vector<BroughtArray>& all, const AttentionFiles& files,
          std::int64_t maps) {
  for (const bool entropy : {true, false}) {
    Json result = distributionsOf(all, entropy, about);
    if (!result.is_null())
      about.analyses.push_back({entropy ? "attention_entropy" : "attention_jsd",
                                {{"examples", about.examples}},
                                brought(std::move(result), files, about.examples)});
  }
  for (std::int64_t example = 0; example < maps; ++example)
    about.analyses.push_back(
        {"attention_maps", {{"example", example}}, brought(mapsOf(all, example), files, 0)});
}

}  // namespace

Result<BroughtAttention> readAttention(const AttentionFiles& files, Progress& progress,
                                       const StopToken& stop) {
  BroughtAttention about;
  FATHOM_TRY(auto all, openAll(files, about.passedOver));
  GivenTokens given;
  if (!files.tokens.empty()) {
    FATHOM_TRY(given, GivenTokens::read(files.tokens));
  }
  FATHOM_CHECK(placeTokens(all, given));
  about.examples = all.front().array.examples;
  for (const std::vector<char>& real : all.front().realQueries) about.tokens += countOf(real);
  if (about.tokens == 0)
    return dataErrorAt(given.file(), 0, Phrase::tr("no example has a token: all is padding"));
  const std::int64_t maps = std::min(files.maps, about.examples);
  FATHOM_CHECK(checkMaps(all, maps));
  progress.begin(Phrase::tr("reading attention").english, "examples", static_cast<double>(about.examples));
  for (std::int64_t example = 0; example < about.examples; ++example) {
    for (BroughtArray& each : all) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_CHECK(countExample(each, example, example < maps));
    }
    progress.report(static_cast<double>(example + 1));
  }
  progress.finish();
  for (const BroughtArray& each : all) about.attentions.push_back(each.array.place.name());
  fill(about, all, files, maps);
  return about;
}

}  // namespace fathom
