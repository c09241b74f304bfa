// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/train/loop/opened_attempt.h"
#include "core/train/loop/training_loop.h"
#include "core/train/loop/training_run.h"

namespace fathom {

// Writes how the attempt ended: event, outcome. Throws what stops it.
RunReport finishAttempt(OpenedAttempt& attempt, const LoopResult& result, std::int64_t step);
// A failure is written down as far as the disk allows; the report is right in any case.
// `code`: where the error alone does not say it.
RunReport failAttempt(OpenedAttempt& attempt, Error error, std::int64_t step,
                      std::optional<ExitCode> code = std::nullopt);

}  // namespace fathom
