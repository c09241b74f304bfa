// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>

#include "app/pictures/view_faults.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Size, theme, language and scale in which a window is taken.
struct ScreenshotSetting {
  QSize size = {1280, 800};
  QString theme = QStringLiteral("light");  // of Appearance
  int textPercent = 100;
  // "1280x800/light/100"; a usage error where the text is none.
  static Result<ScreenshotSetting> read(const QString& text);
  QString text() const;
};

struct ScreenshotOptions {
  QString project;
  QString folder;  // made when missing
  QSize size = {1280, 800};
  int textPercent = 100;
  QStringList views;  // names of views or of pictures, or their beginnings; empty = all
  QStringList looks;  // "light", "dark", "contrast", "zh_CN"; empty = all
  // Instead of size, size of texts and looks: every view in each of these, in a language and a folder for
  // each setting. Much quicker than one call for each.
  QList<ScreenshotSetting> settings;
  QString language = QStringLiteral("en");
  // Only every `of`-th of the views, from this one on.
  struct Share {
    int first = 0, of = 1;
  };
  Share share;
  // Looks for faults; only pictures that have one are written, but with `keep` all of them.
  bool check = false, keep = false;
};

struct Screenshots {
  QStringList files;
  // A picture that this project or machine cannot give, and the reason.
  struct Missing {
    QString picture, reason;
  };
  QList<Missing> missing;
  struct Fault {
    QString picture;
    ViewFault fault;
  };
  QList<Fault> faults;
};

// Every view of the window (screenshot_stage.h) as PNG, light, dark and in Chinese: train_light.png,
// new_run_dark.png, ... Needs a QApplication (offscreen will do) and its thread. Uses a session of its own
// and changes nothing in the project. A view without the parts that belong to it is an internal error that
// names them; one of several kinds that the project has none of is told in `missing`.
Result<Screenshots> takeScreenshots(const ScreenshotOptions& options, Progress& progress,
                                    const StopToken& stop);

}  // namespace fathom
