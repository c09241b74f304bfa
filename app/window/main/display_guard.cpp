// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/display_guard.h"

#include <unistd.h>

#include <QString>
#include <QtGlobal>
#include <cstdio>
#include <utility>
#include <vector>

#include "core/record/runs/exit_code.h"

namespace fathom {

namespace {

struct Held {
  QtMsgType type;
  QString text;
};

QtMessageHandler g_before = nullptr;
std::vector<Held> g_held;

[[noreturn]] void endWithoutDisplay() {
  const bool named = !qEnvironmentVariableIsEmpty("DISPLAY") ||
                     !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
                     !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
  const QString why = named && !g_held.empty() ? g_held.front().text.trimmed()
                      : named                  ? QStringLiteral("Qt has no platform for it")
                                               : QStringLiteral("neither DISPLAY nor WAYLAND_DISPLAY is set");
  std::fprintf(stderr,
               "fathom: there is no display for the window: %s; commands need none, see: fathom --help\n",
               qPrintable(why));
  std::fflush(nullptr);
  _exit(static_cast<int>(ExitCode::BadInput));
}

void hold(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (type == QtFatalMsg) endWithoutDisplay();
  g_held.push_back({type, text});
}

}  // namespace

DisplayGuard::DisplayGuard() {
  g_held.clear();
  g_before = qInstallMessageHandler(hold);
}

DisplayGuard::~DisplayGuard() {
  qInstallMessageHandler(g_before);
  for (const Held& held : std::exchange(g_held, {})) {
    if (held.type == QtDebugMsg) qDebug("%s", qPrintable(held.text));
    if (held.type == QtInfoMsg) qInfo("%s", qPrintable(held.text));
    if (held.type == QtWarningMsg) qWarning("%s", qPrintable(held.text));
    if (held.type == QtCriticalMsg) qCritical("%s", qPrintable(held.text));
  }
}

}  // namespace fathom
