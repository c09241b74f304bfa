// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/base/json.h"

namespace fathom {

// What happened to a run, as one or two sentences in the language of the window. Engine and runner write a
// cause and the facts (`details`, see RunOutcome and the kinds of event_log.h); the sentence is composed here
// and nowhere else. Without the facts (older records) or for an unknown cause it is what was `stored`, in
// English.
QString runMessageText(const std::string& cause, const Json& details, const std::string& stored);

// Title of an event kind in the log: "validation", "checkpoint", ...; the kind itself for unknown ones.
QString logKindText(const QString& kind);

}  // namespace fathom
