// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/nn/pretrained/encoder_folder.h"

namespace fathom {

// A run of ours as the place where an encoder comes from: its folder (the newest checkpoint whose bytes are
// right), the folder of one of its checkpoints, or an average of some.

// The run's folder; nothing where `path` is none of these.
std::optional<std::string> runOfWeights(const std::string& path);

// What of a run's configuration is architecture, where its weights came from left out.
Json architectureOf(const Json& options);

// Rows of its token table, from the heads of its files.
Result<std::int64_t> runTokenRows(const std::string& run, const std::string& path);

// Every byte is checked. Models: bert, extra_layers (its encoder), etc, causal_decoder. Data error for
// another model, a run that was never started, one without a usable checkpoint.
Result<EncoderWeights> readRunEncoder(const std::string& run, const std::string& path);

}  // namespace fathom
