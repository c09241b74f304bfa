// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// A sentence with controls in it, as a figure's caption would say what is shown: "Entropy of
// {attention} · heads {order} · {unit}". Its parts, between the dots, are wrapped as wholes; a part none of
// whose controls is there is left out, but for the first one.
class ChoiceSentence : public QWidget {
  Q_OBJECT
 public:
  explicit ChoiceSentence(QWidget* parent = nullptr);
  // Keys in braces of a sentence, in its order.
  static QStringList keysOf(const QString& sentence);
  // Takes everything away.
  void clear();
  // `sentence` in the window's language; `controls` by key, which become the sentence's.
  void build(const QString& sentence, const QHash<QString, QWidget*>& controls);
  // Another part at the end.
  void add(QWidget* control, const QString& title = {});
  // Shows the words `text` in place of a control that offers nothing else; empty: the control.
  void setFixed(const QWidget* control, const QString& text);
  // Controls came or went: parts follow.
  void refresh();
  // The text that can be read: "Entropy of encoder self-attention · heads by median · nats".
  QString text() const;

 private:
  struct Part {
    QWidget* widget = nullptr;
    QLabel* dot = nullptr;  // before every part but the first one that is there
    QList<QWidget*> controls;
  };
  Part& newPart();
  QLabel* addWords(Part& part, const QString& words);
  QList<Part> m_parts;
  bool m_dotted = false;  // it was built of a sentence, else controls stand beside each other
  QHash<const QWidget*, QLabel*> m_fixed;
};

}  // namespace fathom
