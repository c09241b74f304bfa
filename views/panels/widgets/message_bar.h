// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QVector>
#include <QWidget>
#include <functional>

#include "core/base/errors/error.h"
#include "views/look/qt_names.h"

namespace fathom {

// A property of widgets: numbers that a decision hangs on are never under a message, nor are buttons.
inline constexpr const char* kNeverCovered = "neverCovered";

// A button of a message: its words and what it does.
struct MessageAction {
  QString text;
  std::function<void()> run;
};

// The one place in the window for what went wrong or was done: a card that lies over its parent at the top
// right, on no control, so that nothing moves when it comes and goes, with text, what to do, and at most two
// actions ("Undo"). Newer messages push older ones back. A message goes with the page that it was shown on,
// but for an error without an origin; an error with one (the action that failed, by the name of its job) goes
// when the same origin tells another one or is tried again, and belongs to the page on which the action
// began: nobody loses what failed while looking at another one.
class MessageBar : public QWidget {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void showError(const Error& error);
  void showError(const Error& error, const QString& origin);
  void showError(const QString& text, const QString& hint = {}, const QString& origin = {});
  // The action begins, on the page that is shown: its former errors are over.
  void begin(const QString& origin);
  // The action is tried again, or has succeeded.
  void closeErrors(const QString& origin);
  // Another workspace, or another page of one, is shown.
  void setPage(const QString& page);
  // A remark that goes by itself after a few seconds unless it has an action.
  // Returns the number under which closeNote() takes it away.
  int showNote(const QString& text, const QString& actionText = {}, std::function<void()> action = {});
  // A remark about a file that was written, with what one does with files: it goes by itself, later.
  int showFileNote(const QString& text, const QVector<MessageAction>& actions);
  void closeNote(int serial);
  int count() const { return static_cast<int>(m_messages.size()); }
  QString currentText() const;
  void closeCurrent();
  // Something came that may lie where the card is.
  void place();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Message {
    bool isError = false;
    QString text, hint;
    QVector<MessageAction> actions = {};
    QString origin = {}, page = {};
    int shownMs = 0;  // 0: until somebody closes it
    int serial = 0;
  };
  QPushButton* button(int index);
  int push(Message message);
  void refresh();
  QVector<Message> m_messages;
  QString m_page;
  QHash<QString, QString> m_begunIn;  // origin -> page
  int m_serial = 0;
  QLabel* m_icon;
  QLabel* m_text;
  QLabel* m_more;
  QPushButton* m_actions[2];
  QToolButton* m_close;
};

}  // namespace fathom
