// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/command_dialog.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <algorithm>

#include "app/window/files/file_choice.h"
#include "app/window/files/written_file.h"
#include "app/window/jobs/job_center.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_row.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {
constexpr int kWidthInCharacters = 104, kHeightInCharacters = 80, kOutputInCharacters = 24;

// Commands speak of themselves in the words of the shell: "--test bootstrap" is a field and its choice here.
QString inFormWords(const OptionSchema& schema, const QString& text) {
  static const QRegularExpression flag(QStringLiteral("--([a-z][a-z-]*)(?: ([a-z_]+)\\b)?"));
  QString told;
  qsizetype at = 0;
  for (auto matches = flag.globalMatch(text); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    const OptionField* field = schema.find(toUtf8(match.captured(1)));
    if (field == nullptr) continue;
    QString words = engineText(field->title);
    qsizetype end = match.capturedEnd(1);
    for (const OptionChoice& choice : field->choices) {
      if (fromUtf8(choice.id) != match.captured(2)) continue;
      words = CommandDialog::tr("%1: %2").arg(words, engineText(choice.title));
      end = match.capturedEnd(2);
    }
    told += text.mid(at, match.capturedStart() - at) + CommandDialog::tr("“%1”").arg(words);
    at = end;
  }
  return told + text.mid(at);
}

FileKind kindOf(const Command& command, const QString& key) {
  if (command.group == "Project") return FileKind::Project;
  if (command.id == "export-run" || command.id == "import-run") return FileKind::Archive;
  if (key == QLatin1String("predictions")) return FileKind::Predictions;
  if (key != QLatin1String("out")) return FileKind::Data;
  return command.group == "Figure" ? FileKind::Figure : FileKind::Table;
}
}  // namespace

CommandDialog::CommandDialog(const Command& command, const QString& project, const QStringList& runs,
                             const QHash<QString, QString>& start, JobCenter* jobs, FileChoice* files,
                             QWidget* parent)
    : QDialog(parent),
      m_command(command),
      m_project(project),
      m_jobs(jobs),
      m_files(files),
      m_draft(std::make_unique<ExperimentDraft>(OptionSchema(command.fields, {}))),
      m_progress(new QLabel(this)),
      m_output(new QPlainTextEdit(this)),
      m_run(new QPushButton(tr("Run"), this)),
      m_open(new QPushButton(WrittenFile::openWord(), this)),
      m_folder(new QPushButton(WrittenFile::folderWord(), this)) {
  setWindowTitle(QCoreApplication::translate("Command", command.title.c_str()));
  auto* description = new QLabel(
      inFormWords(m_draft->schema(), QCoreApplication::translate("Command", command.description.c_str())),
      this);
  description->setWordWrap(true);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(makeForm(runs, start));
  scroll->viewport()->setAutoFillBackground(false);
  scroll->widget()->setAutoFillBackground(false);
  m_output->setReadOnly(true);
  m_output->setTabChangesFocus(true);
  m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  setTextShare(m_output, font(), 1);
  m_output->setAccessibleName(tr("Result"));
  m_output->hide();
  m_progress->setWordWrap(true);
  auto* close = new QPushButton(tr("Close"), this);
  auto* bar = makeRow({{m_progress, 1}, m_open, m_folder, close, m_run});
  makeColumn(this, {description, {scroll, 1}, {m_output, 1}, bar}, metrics::kMargin, kStyleMargins);
  m_run->setDefault(true);
  for (QPushButton* ofFile : {m_open, m_folder}) {
    ofFile->setAutoDefault(false);
    ofFile->hide();
  }
  connect(m_open, &QPushButton::clicked, this, [this] { m_progress->setText(WrittenFile::open(m_written)); });
  connect(m_folder, &QPushButton::clicked, this,
          [this] { m_progress->setText(WrittenFile::showInFolder(m_written)); });
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_run, &QPushButton::clicked, this, &CommandDialog::run);
  connect(m_draft.get(), &ExperimentDraft::judged, this, &CommandDialog::refresh);
  connect(m_draft.get(), &ExperimentDraft::valueChanged, this, &CommandDialog::refresh);
  refresh();
  const int character = fontMetrics().averageCharWidth();
  resize(kWidthInCharacters * character,
         qBound(20 * character, scroll->widget()->sizeHint().height() + 16 * character,
                kHeightInCharacters * character));
  if (m_command.tellsFirst && m_run->isEnabled()) run();
}

QWidget* CommandDialog::makeForm(const QStringList& runs, const QHash<QString, QString>& start) {
  auto* form = new QWidget(this);
  auto* layout = makeColumn(form, {}, metrics::kGrid);
  QWidget* last = nullptr;
  for (const OptionField& field : m_draft->schema().fields()) {
    auto* row = new OptionRow(field, m_draft.get(), form);
    m_rows.append(row);
    layout->addWidget(row);
    connect(row, &OptionRow::browseRequested, this, &CommandDialog::browse);
    for (QWidget* stop : row->tabStops()) {
      if (last != nullptr) setTabOrder(last, stop);
      last = stop;
    }
    const QString key = fromUtf8(field.key);
    if (const auto text = start.constFind(key); text != start.constEnd()) m_draft->setText(key, *text);
    if (runs.isEmpty() || (field.key != "runs" && field.key != "run")) continue;
    m_draft->setText(key, field.type == OptionType::TextList ? runs.join(QLatin1Char(',')) : runs.first());
  }
  layout->addStretch();
  return form;
}

// A file to write is asked for as such; what is read may be a file or a folder.
void CommandDialog::browse(const QString& key) {
  QString path;
  const QString before = m_draft->text(key);
  const FileKind kind = kindOf(m_command, key);
  if (key == QLatin1String("out")) {
    path = m_files->toWrite(this, kind, tr("Choose a file"), before);
  } else {
    QMenu menu(this);
    const QAction* file = menu.addAction(tr("A file…"));
    const QAction* folder = menu.addAction(tr("A folder…"));
    const QWidget* at = focusWidget() != nullptr ? focusWidget() : this;
    const QAction* chosen = menu.exec(at->mapToGlobal(QPoint(0, at->height())));
    if (chosen == file) path = m_files->toRead(this, kind, tr("Choose a file"), before);
    if (chosen == folder) path = m_files->folder(this, kind, tr("Choose a folder"), before);
  }
  if (!path.isEmpty()) m_draft->setText(key, path);
}

CommandDialog::~CommandDialog() {
  // A field that loses the focus on its way out still tells the draft, which must be there.
  qDeleteAll(m_rows);
}

void CommandDialog::refresh() {
  for (OptionRow* row : std::as_const(m_rows)) {
    row->refresh();
    row->setVisible(m_draft->active(row->key()));
  }
  QStringList missing;
  for (const std::string& key : m_command.required) {
    const Json& value = m_draft->values().value(key);
    if ((value.is_string() && value.get<std::string>().empty()) || (value.is_array() && value.empty()))
      missing.append(engineText(m_draft->schema().find(key)->title));
  }
  const bool projectMissing = m_command.needsProject && m_project.isEmpty();
  m_run->setEnabled(m_draft->acceptable() && missing.isEmpty() && !projectMissing);
  if (projectMissing) {
    m_progress->setText(tr("Open a project first."));
  } else {
    m_progress->setText(missing.isEmpty() ? QString() : tr("Still needed: %1").arg(nameText(missing)));
  }
}

void CommandDialog::run() {
  CommandContext context;
  context.project = toUtf8(m_project);
  context.options = m_draft->values();
  m_run->setEnabled(false);
  m_written = m_draft->schema().find("out") == nullptr ? QString() : m_draft->text(QStringLiteral("out"));
  m_open->hide();
  m_folder->hide();
  const QPointer<CommandDialog> self(this);
  const Command* command = &m_command;
  m_jobs->start<CommandOutput>(
      windowTitle(), {},
      [command, context, self](Progress& progress, const StopToken& stop) mutable {
        context.note = [self](const std::string& line) {
          QMetaObject::invokeMethod(qApp, [self, line] {
            if (self) self->m_progress->setText(fromUtf8(line));
          });
        };
        return runCommand(*command, context, progress, stop);
      },
      [self](const Result<CommandOutput>& result) {
        if (self) self->showResult(result);
      },
      [self](const ProgressUpdate& update) {
        if (self) self->m_progress->setText(engineText(update.phase));
      });
}

void CommandDialog::showResult(const Result<CommandOutput>& result) {
  refresh();
  if (m_output->isHidden())
    resize(width(), height() + kOutputInCharacters * fontMetrics().averageCharWidth());
  m_output->show();
  if (result.ok()) {
    m_output->setPlainText(result->text.empty() ? tr("Done.")
                                                : inFormWords(m_draft->schema(), fromUtf8(result->text)));
    offerFile();
    if (!result->openProject.empty()) Q_EMIT projectMade(fromUtf8(result->openProject));
  } else {
    m_output->setPlainText(inFormWords(m_draft->schema(), phraseText(result.error().phrase())));
  }
  Q_EMIT ran();
}

// What one does with a file that was just written.
void CommandDialog::offerFile() {
  const bool wrote =
      std::find(m_command.writes.begin(), m_command.writes.end(), "out") != m_command.writes.end() &&
      QFileInfo(m_written).isFile();
  m_open->setVisible(wrote);
  m_folder->setVisible(wrote);
}

}  // namespace fathom
