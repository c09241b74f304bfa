// SPDX-License-Identifier: Apache-2.0
#include "core/base/errors/error_words.h"

#include <utility>

namespace fathom {

Error withMessage(Error error, ErrorWords message) {
  error.message = message.phrase.english();
  error.made = std::move(message);
  return error;
}

Error withHint(Error error, ErrorWords hint) {
  error.hint = hint.phrase.english();
  error.advice = std::move(hint);
  return error;
}

}  // namespace fathom
