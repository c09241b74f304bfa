// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/jobs/project_service.h"

namespace fathom {

// Details of a run beyond its row: outcome, provenance, files, the engine's last words, its
// initialisation. Parts that cannot be read are left empty. Any thread.
RunDetails readRunDetails(const QString& uuid, const QString& runFolder);

}  // namespace fathom
