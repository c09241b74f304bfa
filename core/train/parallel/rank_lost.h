// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/error.h"

namespace fathom {

// A rank of the run is gone or silent: the attempt ends, and may be tried again (exit code 76). The message
// names the rank.
class RankLost final : public Failure {
 public:
  explicit RankLost(const Phrase& message,
                    const Phrase& hint = Phrase::tr("resume the run from its last checkpoint"))
      : Failure(unavailableError(Phrase(message), Phrase(hint))) {}
};

// An error of another rank, which is that of the whole run: kind, exit code and hint are its own, the message
// names the rank.
class OtherRankFailed final : public Failure {
 public:
  using Failure::Failure;
};

// The end of a rank, as it tells the others.
struct RankEnd {
  Error error;
  bool lost = false;  // it has lost another one, and has no error of its own
};
// As a message and back; whatever is no such message is a rank that was lost with these words.
std::string rankEndText(const RankEnd& end);
RankEnd rankEndFrom(const std::string& text);
// RankLost with the hint of the error that told of it, where that has one.
[[noreturn]] void throwLost(const Phrase& message, const Error& by);
// The end of the rank of this name as that of those who hear of it: RankLost or OtherRankFailed.
[[noreturn]] void endWith(const std::string& rank, const RankEnd& end);

}  // namespace fathom
