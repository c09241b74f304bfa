// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace fathom {

struct ScreenshotOptions {
  QString project;
  QString folder;  // made when missing
  QSize size = {1280, 800};
  double textScale = 1;  // 1.3 = text 30 % larger
};

// Every view of the window as PNG, light, dark and in Chinese: train_light.png, new_run_light.png, ... Needs
// a QApplication (offscreen will do) and its thread. Uses a session of its own and changes nothing in the
// project. Returns the files written.
Result<QStringList> takeScreenshots(const ScreenshotOptions& options, Progress& progress,
                                    const StopToken& stop);

}  // namespace fathom
