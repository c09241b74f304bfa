// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace fathom
