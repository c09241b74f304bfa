// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

namespace fathom {

// resources/help/<id>.md in the language of the window, as Markdown; empty when there is none.
QString helpPage(const QString& id);

struct HelpTitle {
  QString id, title;
};
struct HelpGroup {
  QString title;
  QVector<HelpTitle> pages;
};
// All pages by their first line, as resources/help/contents.list groups and orders them.
QVector<HelpGroup> helpGroups();

}  // namespace fathom
