// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Writes a finished run on long documents into the runs of a project, with the attention of both streams of
// one example (core/analysis/attention/attention_maps.h) as an engine would have stored it: to train one
// takes longer than all pictures.
Status makeLongRun(const std::string& project);

}  // namespace fathom
