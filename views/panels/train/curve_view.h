// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json/json.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_figure.h"

namespace fathom {

// The view of the curves as a session keeps it: metrics and which of them share a panel, axes, smoothing.
Json curveViewJson(const QStringList& metrics, const CurveLook& look, const CurveChoices& choices);
// Takes what it knows of it and leaves the rest alone.
void takeCurveView(const Json& view, CurveLook& look, CurveChoices& choices);

}  // namespace fathom
