// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/jobs/project_service.h"

namespace fathom {

// What the details of a run show beyond its row: outcome, provenance, files, the engine's last words, what
// was initialised. What cannot be read is left empty. Any thread.
RunDetails readRunDetails(const QString& uuid, const QString& runFolder);

}  // namespace fathom
