// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Report on the initialisation of a run: {"init", "seed", "rows": [...]} (core/init/init_report.h).

// As its engine recorded it at the start of the run; null where no attempt has a report.
Json recordedInitReport(const std::string& runFolder);
// Made anew by `fathom-engine init-report` from the configuration of the last attempt; reads the run's data
// when it names some: all of them where the project keeps the states of its frozen encoder, else a sample
// ("measured_on"). Errors: no configuration, no engine, and what the engine says. Any thread.
Result<Json> makeInitReport(const std::string& runFolder, Progress& progress, const StopToken& stop);

}  // namespace fathom
