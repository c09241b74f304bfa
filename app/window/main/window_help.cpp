// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_help.h"

#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QMap>
#include <QMessageBox>
#include <QSet>

#include "app/runner/engine_description.h"
#include "app/window/main/window_actions.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/help_window.h"

namespace fathom {

namespace {

struct HandKey {
  const char* keys;
  const char* meaning;
};

// Keys of the lists and pictures themselves, which are no actions.
constexpr HandKey kHandKeys[] = {
    {QT_TRANSLATE_NOOP("fathom::WindowHelp", "F1"),
     QT_TRANSLATE_NOOP("fathom::WindowHelp", "help on what is in view")},
    {QT_TRANSLATE_NOOP("fathom::WindowHelp", "Enter"),
     QT_TRANSLATE_NOOP("fathom::WindowHelp", "runs: show the curves; curves: choose the run")},
    {QT_TRANSLATE_NOOP("fathom::WindowHelp", "Arrow keys"),
     QT_TRANSLATE_NOOP("fathom::WindowHelp", "curves: move along; up and down: another run")},
    {QT_TRANSLATE_NOOP("fathom::WindowHelp", "Plus, minus, Home"),
     QT_TRANSLATE_NOOP("fathom::WindowHelp", "curves: closer, farther, everything")},
    {QT_TRANSLATE_NOOP("fathom::WindowHelp", "Esc"),
     QT_TRANSLATE_NOOP("fathom::WindowHelp", "leave a page or a dialog")},
};

// "LibTorch 2.6, Boost 1.74": the libraries that the engine says it is made of.
QString librariesOf(const EngineDescription& engine) {
  const Json libraries = engine.json.value("libraries", Json());
  if (libraries.is_string()) return fromUtf8(libraries.get<std::string>());
  QStringList parts;
  if (libraries.is_object())
    for (const auto& [name, version] : libraries.items())
      if (version.is_string()) parts.append(fromUtf8(name + " " + version.get<std::string>()));
  return parts.join(QStringLiteral(", "));
}

}  // namespace

WindowHelp::WindowHelp(QWidget* window, const WindowActions* actions)
    : QObject(window), m_window(window), m_actions(actions) {}

void WindowHelp::showContents() {
  HelpWindow::openAt(m_window, {})->searchBox()->setFocus();
}

void WindowHelp::showPages(const QStringList& ids) {
  HelpWindow::openAt(m_window, ids);
}

// One table a menu, in the order of the menus.
QString WindowHelp::keysAsMarkdown() const {
  QStringList menus;
  QMap<QString, QStringList> rows;
  const auto row = [](const QString& keys, const QString& meaning) {
    return QStringLiteral("| %1 | %2 |").arg(literalMarkdown(keys), literalMarkdown(meaning));
  };
  QSet<const QAction*> seen;
  for (const auto& [path, action] : m_actions->listed()) {
    if (action->shortcut().isEmpty() || seen.contains(action)) continue;
    seen.insert(action);
    const QString menu = path.section(QStringLiteral(" › "), 0, 0);
    if (!rows.contains(menu)) menus.append(menu);
    rows[menu].append(
        row(keysText(action->shortcuts()), withoutMnemonic(action->text().section(QLatin1Char('\t'), 0, 0))));
  }
  const QString head = QStringLiteral("\n\n| %1 | %2 |\n|---|---|\n").arg(tr("Key"), tr("Does"));
  QString text = QStringLiteral("# %1").arg(tr("Keys"));
  for (const QString& menu : std::as_const(menus))
    text += QStringLiteral("\n\n## ") + literalMarkdown(menu) + head + rows[menu].join(QLatin1Char('\n'));
  QStringList own;
  for (const HandKey& key : kHandKeys) own.append(row(tr(key.keys), tr(key.meaning)));
  return text + QStringLiteral("\n\n## ") + tr("In lists and pictures") + head + own.join(QLatin1Char('\n')) +
         QLatin1Char('\n');
}

void WindowHelp::showKeys() {
  HelpWindow::openAt(m_window, {})->showText(tr("Keys"), keysAsMarkdown());
}

void WindowHelp::showNews() {
  QFile file(QStringLiteral(":/news/CHANGELOG.md"));
  const QString text = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  HelpWindow::openAt(m_window, {})->showText(tr("What's new"), text);
}

void WindowHelp::about(const EngineDescription* engine) {
  auto* box = new QMessageBox(m_window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("About Fathom"));
  box->setTextFormat(Qt::RichText);
  box->setText(QStringLiteral("<b>Fathom %1</b>").arg(QStringLiteral(FATHOM_VERSION)));
  QString told = tr("The engine has not been asked yet.");
  if (engine != nullptr) {
    told = tr("Engine %1: %2").arg(fromUtf8(engine->version), fromUtf8(engine->path));
    if (const QString parts = librariesOf(*engine); !parts.isEmpty()) told += QLatin1Char('\n') + parts;
    for (const EngineDevice& device : engine->devices)
      if (device.available)
        told += QStringLiteral("\n%1: %2").arg(fromUtf8(device.id), fromUtf8(device.title));
  }
  box->setInformativeText(  // plain, as the engine's path is not ours
      tr("A workbench for training deep Transformers and seeing why they train.") + QStringLiteral("\n\n") +
      told + QLatin1Char('\n') + tr("Qt %1").arg(QString::fromLatin1(qVersion())) + QStringLiteral("\n\n") +
      tr("core/ is licensed under Apache-2.0, the window under the GNU GPL, version 3 or later."));
  box->open();
}

}  // namespace fathom
