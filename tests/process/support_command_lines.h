// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace fathom::test {

// A command of ours as a person reads it: in the README, in a help page, in a hint or a report.
struct ShownCommand {
  enum class Kind {
    Line,      // a whole command line
    Mention,   // "`fathom analyse`", "`fathom-engine`": names a program or command, is no line to type
    Fragment,  // "`--set analysis.interval=100u`": options alone
    Open       // what follows the program is only known at run time, or stands for any command
  };
  QString where;  // "README.md:31"
  QString text;   // as it is shown; what a program fills in is "FILLED"
  Kind kind = Kind::Line;
  QString command;  // of a fragment: the line it belongs to, or the command that was named before it
};

// The words of a command line as a shell splits them, without a comment at its end.
QStringList shellWords(const QString& line);
// Of a Markdown page: indented or fenced lines and code spans. `name` goes into `where`.
QVector<ShownCommand> commandsOfPage(const QString& text, const QString& name);
// Of C++ source: string literals, joined with what stands between them. `known`: words that follow a program
// where a command is meant; after a colon or in quotes any other word is one too.
QVector<ShownCommand> commandsOfSource(const QString& text, const QString& name, const QStringList& known);

}  // namespace fathom::test
