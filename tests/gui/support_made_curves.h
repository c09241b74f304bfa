// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "views/panels/train/curve_panel.h"

namespace fathom::test {

// A curve that falls with noise; the fifth run (number 4) diverges after a third.
CurveSeries makeSeries(int run, const QString& metric, int points, const QString& name = {});
// Loss, learning rate, BLEU and gradient norm of that many runs.
void fill(CurvePanel& panel, int runs, bool longNames = false);

}  // namespace fathom::test
