// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/base/threads/stop_token.h"
#include "core/nn/sql_sp/grammar_decoder.h"
#include "core/spider/grammar/grammar_search.h"

namespace fathom {

// The search over the grammar with a decoder (docs/decoding.md §2), all hypotheses of all examples of the
// memory at once: one pass of the decoder per step, and copies to the host of what may follow. Hypothesis by
// hypothesis what searchGrammar() gives with the same decoder. Examples that have ended leave the batch. No
// gradients. Throws Failure(interrupted) when stopped.
std::vector<GrammarSearchResult> searchGrammarBatch(const GrammarDecoder& decoder,
                                                    const DecoderMemory& memory,
                                                    const GrammarSearchOptions& options = {},
                                                    const StopToken& stop = {});

// Keys under `prefix`: "<prefix>.beam", ".max_steps", ".column_weight".
std::vector<OptionField> grammarSearchFields(const std::string& prefix);
GrammarSearchOptions grammarSearchOptions(const OptionValues& options, const std::string& prefix);

}  // namespace fathom
