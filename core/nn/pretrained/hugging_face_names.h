// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace fathom {

// Names of BERT's and RoBERTa's parameters in Hugging Face files and ours, both ways. Theirs without prefix
// (`bert.`, `roberta.`) inside the encoder; heads have none: "cls.predictions.bias", "lm_head.bias".
// No counterpart (buffers, tied copies): nothing.
std::optional<std::string> ownEncoderName(const std::string& theirs);
// `kind` "bert" or "roberta"; the prefix is put in front.
std::optional<std::string> huggingFaceName(const std::string& own, const std::string& kind);
// Tied copies that .bin files hold: "cls.predictions.decoder.weight" is the token table, ... Our name of the
// original, or nothing.
std::optional<std::string> tiedOriginal(const std::string& theirs);

}  // namespace fathom
