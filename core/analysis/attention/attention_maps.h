// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// A band of a long stream beside a global one (docs/long_inputs.md §2), never the square: column c
// of the arrays is long token query - radius + c for c <= 2 radius, then come the global tokens. Where a
// query's window reaches beyond the tokens there is no key: probability 0, scores NaN.
struct AttentionBand {
  int radius = 0, globals = 0;
  int columns() const { return 2 * radius + 1 + globals; }
};

// Attention of one example, one kind of attention of one stack: what lies in the array files beside the
// result, each of shape [layers, heads, queries, keys]. Parts, before the softmax and undivided by it:
//   probabilities   softmax, before dropout
//   scores          its argument; NaN where the mask hides the key
//   content         what queries and keys of this layer add to `scores`
//   relation        what relations add; only with relation-aware attention
//   residual        what the layers below hand on (RealFormer); only with a score chain
// content + relation + residual = scores. With the running mean every part is divided as the sum is.
struct AttentionMatrix {
  // Tokens of one sort that follow each other: "question", "column", "table".
  struct Group {
    std::string sort;
    int first = 0, count = 0;
  };
  std::string stack, kind;  // "decoder", "cross_attention"
  int layers = 0, heads = 0;
  std::vector<std::string> queries, keys;                  // tokens
  std::vector<std::pair<std::string, std::string>> parts;  // name, array file
  // Groups of queries and keys alike (self-attention); absent where data have one sort of tokens or do not
  // say what is linked.
  std::optional<std::vector<Group>> groups{};
  std::optional<std::vector<int>> linked{};  // places of tokens that have to do with one of another sort
  std::optional<AttentionBand> band{};
  // Layers, from 0, whose maps the arrays hold, where not all: long inputs fill 1 GiB otherwise.
  std::optional<std::vector<int>> kept{};
  // Columns of the arrays.
  int columns() const { return band ? band->columns() : static_cast<int>(keys.size()); }
  // Layers of the arrays, and the place of a layer among them, -1 where it is not kept.
  int keptLayers() const { return kept ? static_cast<int>(kept->size()) : layers; }
  int keptPlace(int layer) const;
  std::string name() const { return stack + "." + kind; }
  // Empty where the attention has no such part.
  std::string file(const std::string& part) const;
};

// Homes of the long tokens of a model of two streams: places in the global stream, -1 = none.
struct LongPlaces {
  std::vector<int> sentence, paragraph;  // of each long token
};

struct AttentionMatrices {
  std::int64_t example = 0;  // index in its part of the data
  std::vector<AttentionMatrix> attentions;
  std::optional<LongPlaces> places{};
};

// {"quantity": "attention_maps", "example", "attentions": [{"stack", "kind", "layers", "heads", "queries",
// "keys", "groups": [{"sort", "first", "count"}], "linked": [place], "band": {"radius", "globals"}, "kept":
// [layer], "arrays": {part: file}}], "places": {"sentence", "paragraph"}}
Json attentionMatricesToJson(const AttentionMatrices& maps);
Result<AttentionMatrices> attentionMatricesFromJson(const Json& json);

}  // namespace fathom
