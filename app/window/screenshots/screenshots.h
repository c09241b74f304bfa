// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

struct ScreenshotOptions {
  QString project;
  QString folder;  // made when missing
  QSize size = {1280, 800};
  double textScale = 1;  // 1.3 = text 30 % larger
  QStringList views;     // names of views or of pictures, or their beginnings; empty = all
  QStringList looks;     // "light", "dark", "zh_CN"; empty = all
};

struct Screenshots {
  QStringList files;
  // What this project or machine does not have, and why.
  struct Missing {
    QString picture, reason;
  };
  QList<Missing> missing;
};

// Every view of the window (screenshot_stage.h) as PNG, light, dark and in Chinese: train_light.png,
// new_run_dark.png, ... Needs a QApplication (offscreen will do) and its thread. Uses a session of its own
// and changes nothing in the project. A view without the parts that belong to it is an internal error that
// names them; one of several kinds that the project has none of is told in `missing`.
Result<Screenshots> takeScreenshots(const ScreenshotOptions& options, Progress& progress,
                                    const StopToken& stop);

}  // namespace fathom
