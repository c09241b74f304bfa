// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/run_notice.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QVariantMap>
#include <QWidget>

#include "app/window/main/main_window.h"

namespace fathom {

namespace {

// Not waited for: whoever shows notices may be slow, or not there.
void tellDesktop(const QString& title, const QString& text) {
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  const QString service = QStringLiteral("org.freedesktop.Notifications");
  QDBusMessage call = QDBusMessage::createMethodCall(
      service, QStringLiteral("/org/freedesktop/Notifications"), service, QStringLiteral("Notify"));
  const QString program = QGuiApplication::desktopFileName();
  constexpr int kAsUsual = -1;
  // Programs that show notices may read markup: a name is not ours.
  call.setArguments({QStringLiteral("Fathom"), 0U, program, title, text.toHtmlEscaped(), QStringList(),
                     QVariantMap{{QStringLiteral("desktop-entry"), program}}, kAsUsual});
  bus.asyncCall(call);
}

}  // namespace

RunNotice::RunNotice(QWidget* window) : QObject(window), m_window(window), m_sender(tellDesktop) {}

void RunNotice::runEnded(const RunItem& run) {
  if (run.durationSeconds < kLongSeconds || QApplication::activeWindow() != nullptr) return;
  const QString title = MainWindow::tr("%1: %2").arg(run.name, runStateLook(run.state, run.cause).word);
  const QString text = run.message.isEmpty()
                           ? MainWindow::tr("after %1 updates, %2")
                                 .arg(QLocale().toString(run.step), durationText(run.durationSeconds))
                           : run.message;
  QApplication::alert(m_window);
  m_sender(title, text);
}

}  // namespace fathom
