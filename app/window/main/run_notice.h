// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

// Tells the desktop that a long run has ended or failed while no window of the program is in front
// (org.freedesktop.Notifications), and asks for attention in the task bar. Where there is no such service
// nothing happens.
class RunNotice : public QObject {
  Q_OBJECT
 public:
  static constexpr double kLongSeconds = 60;
  explicit RunNotice(QWidget* window);
  using Sender = std::function<void(const QString& title, const QString& text)>;
  // Instead of the desktop, where no test can look.
  void setSender(Sender sender) { m_sender = std::move(sender); }
  // A run that was live is not any more.
  void runEnded(const fathom::RunItem& run);

 private:
  QWidget* m_window;
  Sender m_sender;
};

}  // namespace fathom
