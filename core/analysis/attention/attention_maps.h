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
  // Of queries and keys alike (self-attention); absent where the data have one sort of tokens, and where they
  // do not say what is linked.
  std::optional<std::vector<Group>> groups{};
  std::optional<std::vector<int>> linked{};  // places of tokens that have to do with one of another sort
  std::string name() const { return stack + "." + kind; }
  // Empty where the attention has no such part.
  std::string file(const std::string& part) const;
};

struct AttentionMatrices {
  std::int64_t example = 0;  // index in its part of the data
  std::vector<AttentionMatrix> attentions;
};

// {"quantity": "attention_maps", "example", "attentions": [{"stack", "kind", "layers", "heads", "queries",
// "keys", "groups": [{"sort", "first", "count"}], "linked": [place], "arrays": {part: file}}]}
Json attentionMatricesToJson(const AttentionMatrices& maps);
Result<AttentionMatrices> attentionMatricesFromJson(const Json& json);

}  // namespace fathom
