// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QObject>
#include <QPointer>

#include "app/runner/launcher.h"
#include "views/look/qt_names.h"

class QLocalServer;
class QLocalSocket;

namespace fathom {

// Answers what ssh asks while a place is reached: a password, a code, whether an unknown key is to be
// trusted. ssh starts `fathom` to ask, which asks here over a local socket of this user; each question is a
// dialog over `window`. Answers are handed on and kept nowhere. GUI thread.
class PlaceAsker : public QObject {
  Q_OBJECT
 public:
  explicit PlaceAsker(QWidget* window);
  ~PlaceAsker() override;
  // Opens the door where it is not open yet; nobody is asked where it cannot be.
  PlaceTalk talk();
  // Nobody waits for an answer any more: questions that are open go.
  void giveUp();

 private:
  void hear();
  void ask(QLocalSocket* caller);
  QWidget* m_window;
  QLocalServer* m_server;
  QHash<QLocalSocket*, QPointer<QDialog>> m_open;
};

}  // namespace fathom
