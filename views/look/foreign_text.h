// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace fathom {

// Names of runs, tags, notes, log lines, SQL, questions and cells come from files, databases and people. Qt
// takes a text for HTML when it looks like it, in labels, tool tips and message boxes alike, and HTML reads
// files: one name could stop the window. One object of this kind, made after QApplication and before the
// first widget, ends that for the whole process: a label that nobody gave a format shows its text as it is,
// Qt's own labels (tool tips, message boxes, forms) included. What is to be rich says
// setTextFormat(Qt::RichText), which the architecture test allows in a few files only, and escapes what is
// not its own; pages of the help are a HelpText, which reads nothing. Of a name of thousands of letters a
// tool tip shows as many as the screen has room for.
class ForeignText : public QObject {
 public:
  explicit ForeignText(QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

// The text with every character of Markdown's taken literally, as one paragraph.
QString literalMarkdown(const QString& text);
// For actions, buttons, tabs: "&" makes no key of the next letter, a tabulator no column of shortcuts.
QString literalActionText(QString text);

}  // namespace fathom
