// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/help_pages.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <algorithm>

namespace fathom {

namespace {

QString helpFolder() {
  return QLocale().name() == QLatin1String("zh_CN") ? QStringLiteral(":/help/zh_CN/")
                                                    : QStringLiteral(":/help/");
}

}  // namespace

QString helpPage(const QString& id) {
  QFile file(helpFolder() + id + QStringLiteral(".md"));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QVector<HelpTitle> helpTitles() {
  QVector<HelpTitle> titles;
  for (QString id : QDir(helpFolder()).entryList({QStringLiteral("*.md")}, QDir::Files)) {
    id.chop(3);
    titles.append({id, helpPage(id).section(QLatin1Char('\n'), 0, 0).mid(2).trimmed()});
  }
  std::sort(titles.begin(), titles.end(), [](const HelpTitle& a, const HelpTitle& b) {
    return QString::localeAwareCompare(a.title, b.title) < 0;
  });
  return titles;
}

}  // namespace fathom
