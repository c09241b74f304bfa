// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"

namespace fathom {

// A phrase in events and files, where it stands beside its English sentence: {"text": "…%1…", "values":
// [strings and phrases]}. A verbatim phrase without parts is its string; nothing to say is null.
Json phraseToJson(const Phrase& phrase);
// The phrase in `json`; empty for anything else: records of other versions are shown by their sentence.
Phrase phraseFromJson(const Json& json);
// A member of an object as files and events keep it: `key` is the English sentence, `key`_phrase is there
// where another language could say more than that.
void writePhrase(Json& object, const std::string& key, const Phrase& phrase);
// Phrase of a member; for an older record its sentence, verbatim. Empty where there is neither.
Phrase readPhrase(const Json& object, const std::string& key);
// The same of a list of sentences.
void writePhrases(Json& object, const std::string& key, const std::vector<Phrase>& phrases);
std::vector<Phrase> readPhrases(const Json& object, const std::string& key);

}  // namespace fathom
