// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// A data set that somebody pointed at, over the form that its files were filled into: what it is, and in a
// line each what is missing and where to get it, with a button that chooses it. A line goes when its option
// is filled in; nothing is shown until there is a data set.
class FoundDataView : public QWidget {
  Q_OBJECT
 public:
  struct Missing {
    QString key;        // option; "" where none of the form names it
    QString what, get;  // sentences
    bool needed = true;
  };
  explicit FoundDataView(QWidget* parent = nullptr);
  // `source`: where the whole data set is; told while something is missing.
  void showFound(const QString& title, const QString& folder, int files, const QVector<Missing>& missing,
                 const QString& source);
  // The option of this key has a value, or has none any more.
  void setFilled(const QString& key, bool filled);
  // Keys of the lines that are shown.
  QStringList missingKeys() const;

 Q_SIGNALS:
  void chooseRequested(const QString& key);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Line {
    Missing missing;
    QWidget* row = nullptr;
    QLabel* icon = nullptr;
    bool filled = false;  // widgets say it only once they are shown
  };
  void addLine(const Missing& missing);
  void refresh();
  void colour();
  QLabel* m_title;
  QLabel* m_source;
  QToolButton* m_close;
  QWidget* m_rows;
  QVector<Line> m_lines;
};

}  // namespace fathom
