// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/help_pages.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <utility>

namespace fathom {

namespace {

QString helpFolder() {
  return QLocale().name() == QLatin1String("zh_CN") ? QStringLiteral(":/help/zh_CN/")
                                                    : QStringLiteral(":/help/");
}

constexpr std::pair<const char*, const char*> kGroupTitles[] = {
    {"train", QT_TRANSLATE_NOOP("fathom::HelpGroups", "Train")},
    {"tasks", QT_TRANSLATE_NOOP("fathom::HelpGroups", "Train: tasks")},
    {"methods", QT_TRANSLATE_NOOP("fathom::HelpGroups", "Train: models and methods")},
    {"attention", QT_TRANSLATE_NOOP("fathom::HelpGroups", "Attention")},
    {"errors", QT_TRANSLATE_NOOP("fathom::HelpGroups", "Errors")},
    {"figures", QT_TRANSLATE_NOOP("fathom::HelpGroups", "Figures")},
};

QString groupTitle(const QString& id) {
  for (const auto& [known, title] : kGroupTitles)
    if (id == QLatin1String(known)) return QCoreApplication::translate("fathom::HelpGroups", title);
  return id;
}

}  // namespace

QString helpPage(const QString& id) {
  QFile file(helpFolder() + id + QStringLiteral(".md"));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QVector<HelpGroup> helpGroups() {
  QVector<HelpGroup> groups;
  QFile contents(QStringLiteral(":/help/contents.list"));
  if (!contents.open(QIODevice::ReadOnly)) return groups;
  for (const QString& line : QString::fromUtf8(contents.readAll()).split(QLatin1Char('\n'))) {
    if (line.isEmpty() || line.startsWith(QLatin1Char('#'))) continue;
    if (line.startsWith(QLatin1Char('='))) {
      groups.append({groupTitle(line.mid(1).trimmed()), {}});
    } else {
      const QString title = helpPage(line).section(QLatin1Char('\n'), 0, 0).mid(2).trimmed();
      groups.last().pages.append({line, title});
    }
  }
  return groups;
}

}  // namespace fathom
