// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/spider/linking/question_tokens.h"
#include "core/spider/linking/wordnet.h"

namespace fathom {

// The noun a word is a form of, else the verb, else the word itself; in lower case. "ids" is "id".
WordForm wordnetForm(std::shared_ptr<const WordNet> net);
// Snowball's English stem of the lower-case word. One thread at a time.
Result<WordForm> stemForm();
// `form` that is asked once for each word. One thread at a time; forgets when it has many.
WordForm rememberedForm(WordForm form);

}  // namespace fathom
