// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"

namespace fathom {

// The attention that an array holds: "decoder", "cross_attention". Both empty: its name does not say.
struct AttentionPlace {
  std::string stack, kind;
  bool known() const { return !stack.empty() && !kind.empty(); }
  std::string name() const { return stack + "." + kind; }
  bool operator==(const AttentionPlace&) const = default;
};
// By the name of an array: "decoder.cross_attention", or as transformers calls its outputs
// ("decoder_attentions", "cross_attentions").
AttentionPlace attentionPlaceOf(const std::string& name);

// Probabilities of one kind of attention, [layers, examples, heads, queries, keys] or the same without
// examples, in a file. Numbers are read when they are asked for.
struct AttentionArray {
  std::string file, name;  // name: of the array in the file, or the file's own
  AttentionPlace place;
  std::int64_t layers = 0, examples = 1, heads = 0, queries = 0, keys = 0;
  bool hasExamples = true;  // an axis of the array
  double tolerance = 1e-3;  // of a row's sum, by the type of its numbers
  std::function<Result<std::vector<float>>(std::int64_t first, std::int64_t count)> read;

  // Rows of one head, [queries, keys]. Data error for a file that was changed meanwhile.
  Result<std::vector<float>> head(std::int64_t layer, std::int64_t example, std::int64_t head) const;
  // Place of a row as the array's own index: "decoder.self_attention[0, 2, 1, 7]".
  std::string rowName(std::int64_t layer, std::int64_t example, std::int64_t head, std::int64_t query) const;
};

// Arrays of attention in an .npy or safetensors file, those with a known place or the only one that could be.
// Names of other arrays of the file are added to `passedOver`. Data error naming file and array for what has
// another shape or type, holds no attention, or is cut.
Result<std::vector<AttentionArray>> openAttentionArrays(const std::string& file,
                                                        std::vector<std::string>& passedOver);

}  // namespace fathom
