// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// Data hashes are known only after the data are read: they join run.json then, once.
Status completeProvenance(const RunFolder& folder, const Json& provenance);
// Both [{"role", "path", "sha256"}]. Data error with the file that has changed since `before`.
Status checkSameData(const Json& before, const Json& now);

}  // namespace fathom
