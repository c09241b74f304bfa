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
// All pages by their first line, in the order of the titles.
QVector<HelpTitle> helpTitles();

}  // namespace fathom
