// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/folder_preferences.h"

#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <array>

#include "app/window/files/file_choice.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

// In the order of FileKind.
constexpr std::array kTitles = {QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Projects"),
                                QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Figures"),
                                QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Tables"),
                                QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Archives of runs"),
                                QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Predictions"),
                                QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Data"),
                                QT_TRANSLATE_NOOP("fathom::FolderPreferences", "Runs of other programs")};
static_assert(kTitles.size() == session::kFolders.size());

}  // namespace

FolderPreferences::FolderPreferences(SessionStore* session, FileChoice* files, QWidget* parent)
    : QWidget(parent) {
  auto* form = new QFormLayout(this);
  auto* missing = new QLabel(this);
  missing->setObjectName(QStringLiteral("preferredFolderVerdict"));
  missing->setTextFormat(Qt::PlainText);
  missing->setWordWrap(true);
  for (std::size_t i = 0; i < session::kFolders.size(); ++i) {
    const char* key = session::kFolders[i];
    const auto kind = static_cast<FileKind>(i);
    const QString name = tr(kTitles[i]);
    auto* folder = new QLineEdit(QDir::toNativeSeparators(session->text(key)), this);
    folder->setObjectName(QString::fromLatin1(key));
    folder->setAccessibleName(name);
    folder->setPlaceholderText(tr("Where the last one was"));
    folder->setClearButtonEnabled(true);
    QToolButton* choose =
        flatButton(this, QStringLiteral("folder"), tr("Choose the folder of: %1").arg(name));
    form->addRow(name, makeRow({{folder, 1}, choose}));
    connect(folder, &QLineEdit::editingFinished, this, [session, folder, key, missing] {
      const QString path = folder->text().trimmed();
      const bool there = path.isEmpty() || QFileInfo(path).isDir();
      missing->setText(there ? QString() : tr("%1 is no folder: not taken.").arg(path));
      if (there) session->setText(key, path);
    });
    connect(choose, &QToolButton::clicked, this, [this, files, folder, kind, name] {
      const QString chosen = files->folder(this, kind, name, folder->text());
      if (!chosen.isEmpty()) folder->setText(chosen);
      Q_EMIT folder->editingFinished();
    });
  }
  form->addRow(QString(), missing);
}

}  // namespace fathom
