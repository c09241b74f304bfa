// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/nn/pretrained/config_members.h"
#include "core/nn/pretrained/encoder_folder.h"

namespace fathom {

// Weights of a decoder alone in Hugging Face folders of GPT-2 (docs/models.md §4): the branches of
// readHuggingFaceEncoder() and writeHuggingFaceEncoder() for it.

// Data error naming file and member for what our causal_decoder does not compute.
Result<EncoderWeights> readGpt2(const std::string& folder, const ConfigMembers& config);

// Whether the options describe a GPT-2. Usage error with its key.
Status checkGpt2Expressible(const OptionValues& options);
Json gpt2Config(const EncoderExport& decoder);
// By their names. Usage error for a parameter that GPT-2 has not.
Result<std::map<std::string, torch::Tensor>> gpt2Tensors(const EncoderExport& decoder);

}  // namespace fathom
