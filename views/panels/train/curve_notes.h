// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

#include "views/panels/train/curve_figure.h"

namespace fathom {

// What stands under the curves: what one would look for in them in vain, and why.
struct CurveNotes {
  QHash<QString, QString> names;  // of runs, by UUID
  QSet<QString> read;             // runs whose history is known
  QStringList hidden;             // names of selected runs whose eye is closed
  int left = 0;                   // runs that are too many to be drawn

  // One sentence each; none where nothing is missing. `figure` is what was drawn of `set` with `look`.
  QStringList sentences(CurveSet& set, const CurveLook& look, const CurveFigure& figure) const;

 private:
  QString lacking(const CurveSet& set, const CurveLook& look, const QString& metric) const;
  QString notPlaced(CurveSet& set, const CurveLook& look) const;
};

}  // namespace fathom
