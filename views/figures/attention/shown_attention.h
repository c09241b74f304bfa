// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/base/options/option_field.h"

namespace fathom {

// One attention of one run with the part that is drawn.
struct ShownAttention {
  ProbedResult source;
  AttentionMatrix matrix;
  std::string part;
  std::int64_t example = 0;
  std::vector<double> values;   // [layers, heads, queries, keys]
  std::vector<int> places;      // of its tokens among all, where only some are shown
  std::int64_t notNumbers = 0;  // cells whose probability is none: hidden ones have 0
  std::size_t queries() const { return matrix.queries.size(); }
  std::size_t keys() const { return matrix.keys.size(); }
  const double* head(int layer, int head) const {
    return values.data() + (static_cast<std::size_t>(layer * matrix.heads + head)) * queries() * keys();
  }
  int place(int token) const { return places.empty() ? token : places[static_cast<std::size_t>(token)]; }
  std::string selection() const;
};

// Usage error for a head that there is not.
Status checkHead(const ProbedResult& source, const AttentionMatrix& matrix, int layer, int head);

// Attention of one result. Errors name the option "part" where the attention has not that part.
Result<ShownAttention> shownAttention(ProbedResult probed, const OptionValues& options);
// Attentions of the chosen runs. Those without the part are left out where another one has it; `absent`
// says which.
Result<std::vector<ShownAttention>> shownAttentions(AnalysisSource& source, const OptionValues& options,
                                                    std::vector<Phrase>* absent = nullptr);

}  // namespace fathom
