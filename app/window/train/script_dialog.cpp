// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/script_dialog.h"

#include <QDir>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <utility>

#include "app/runs/script_request.h"
#include "app/window/files/file_choice.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kScriptCharacters = 76, kScriptLines = 3;

std::vector<std::string> filledLines(const QPlainTextEdit* editor) {
  std::vector<std::string> lines;
  for (QTextBlock block = editor->document()->begin(); block.isValid(); block = block.next())
    if (const QString line = block.text().trimmed(); !line.isEmpty()) lines.push_back(toUtf8(line));
  return lines;
}

QPlainTextEdit* lineEditor(QWidget* parent, const QString& name, const QString& example) {
  auto* editor = new QPlainTextEdit(parent);
  editor->setAccessibleName(name);
  editor->setPlaceholderText(example);
  editor->setTabChangesFocus(true);
  editor->setLineWrapMode(QPlainTextEdit::NoWrap);
  editor->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  editor->setFixedHeight((kScriptLines + 1) * editor->fontMetrics().lineSpacing() + 2 * metrics::kGrid);
  return editor;
}

QLineEdit* namedLine(QWidget* parent, const char* objectName, const QString& name) {
  auto* line = new QLineEdit(parent);
  line->setObjectName(QString::fromLatin1(objectName));
  line->setAccessibleName(name);
  return line;
}

// Everything that the queue needs of a command, or why it cannot be started.
Result<QueuedGrid> queuedScript(const std::string& project, const ScriptRequest& request,
                                const std::vector<std::string>& vary) {
  if (!vary.empty()) {
    FATHOM_TRY(const std::vector<GridAxis> axes, gridAxes("", vary));
    return scriptGrid(project, request, axes);
  }
  FATHOM_TRY(const RunScript script, checkedScript(request));
  QueuedGrid queued;
  queued.entries.push_back(scriptEntry(project, script, scriptName(request)));
  return queued;
}

}  // namespace

ScriptDialog::ScriptDialog(const Parts& parts, QWidget* window)
    : QDialog(window),
      m_parts(parts),
      m_command(namedLine(this, "scriptCommand", tr("Command"))),
      m_folder(namedLine(this, "scriptFolder", tr("Folder"))),
      m_choose(new QPushButton(tr("C&hoose…"), this)),
      m_options(lineEditor(this, tr("Options"), QStringLiteral("lr=0.1"))),
      m_vary(lineEditor(this, tr("Several values"), QStringLiteral("lr=0.1,0.01\nseed=1,2,3"))),
      m_name(namedLine(this, "scriptName", tr("Name"))),
      m_group(namedLine(this, "scriptGroup", tr("Group"))),
      m_summary(wrappedLabel(this, QStringLiteral("scriptSummary"))),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_queue(new QPushButton(tr("&Add to queue"), this)) {
  setObjectName(QStringLiteral("runScript"));
  setWindowTitle(tr("Run a script"));
  setAttribute(Qt::WA_DeleteOnClose);
  layOut();
  recall();
  connect(m_choose, &QPushButton::clicked, this, &ScriptDialog::chooseFolder);
  connect(m_vary, &QPlainTextEdit::textChanged, this, &ScriptDialog::countRuns);
  connect(m_cancel, &QPushButton::clicked, this, &ScriptDialog::reject);
  connect(m_queue, &QPushButton::clicked, this, &ScriptDialog::queue);
  countRuns();
}

ScriptDialog::~ScriptDialog() {
  if (!m_parts.jobs.isNull()) m_parts.jobs->cancel(m_job);
}

void ScriptDialog::layOut() {
  m_options->setObjectName(QStringLiteral("scriptOptions"));
  m_vary->setObjectName(QStringLiteral("scriptVary"));
  m_queue->setObjectName(QStringLiteral("scriptQueue"));
  m_command->setPlaceholderText(QStringLiteral("python3 train.py --epochs 3"));
  m_command->setToolTip(tr(
      "The program and its arguments, as in a shell. A program that imports fathom.py shows its curves and "
      "hears “Stop and save”; of any other state, output and exit code are kept"));
  m_folder->setToolTip(tr("Where the command is started"));
  m_options->setToolTip(tr("key=value, one a line: fathom.config() gives them to the script"));
  m_vary->setToolTip(tr("key=value,value, one option a line: a grid of all combinations is queued"));
  m_name->setPlaceholderText(tr("as the script"));
  for (QPushButton* aside : {m_choose, m_cancel}) aside->setAutoDefault(false);
  m_queue->setProperty("primary", true);
  m_queue->setDefault(true);
  auto* folder = new QWidget(this);
  makeRow(folder, {{m_folder, 1}, m_choose});
  folder->setFocusProxy(m_folder);
  auto* form = new QFormLayout;
  form->addRow(tr("&Command"), m_command);
  form->addRow(tr("&Folder"), folder);
  form->addRow(tr("&Options"), m_options);
  form->addRow(tr("Several &values"), m_vary);
  form->addRow(tr("&Name"), m_name);
  form->addRow(tr("&Group"), m_group);
  form->addRow(QString(), m_summary);
  auto* bar = makeRow({BoxPart::stretch(), m_cancel, m_queue});
  makeColumn(this, {form, BoxPart::stretch(1), bar}, metrics::kMargin, kStyleMargins);
  resize(kScriptCharacters * fontMetrics().averageCharWidth(), sizeHint().height());
}

QString ScriptDialog::said() const {
  return m_summary->text();
}

void ScriptDialog::remember() const {
  const Json kept = {{"command", toUtf8(m_command->text())},
                     {"folder", toUtf8(m_folder->text())},
                     {"options", toUtf8(m_options->toPlainText())},
                     {"vary", toUtf8(m_vary->toPlainText())},
                     {"name", toUtf8(m_name->text())},
                     {"group", toUtf8(m_group->text())}};
  m_parts.session->setText(session::kScript, fromUtf8(kept.dump()));
}

void ScriptDialog::recall() {
  const auto kept = parseJson(toUtf8(m_parts.session->text(session::kScript)));
  m_folder->setText(QDir::homePath());
  if (!kept.ok()) return;
  const auto text = [&kept](const char* key) { return fromUtf8(memberText(*kept, key)); };
  m_command->setText(text("command"));
  if (!text("folder").isEmpty()) m_folder->setText(text("folder"));
  m_options->setPlainText(text("options"));
  m_vary->setPlainText(text("vary"));
  m_name->setText(text("name"));
  m_group->setText(text("group"));
}

void ScriptDialog::fill(const ScriptRequest& request) {
  QStringList words, options;
  for (const std::string& word : request.command) words.append(fromUtf8(shellWord(word)));
  for (const auto& [key, value] : request.options.items())
    options.append(fromUtf8(key + "=" + axisValueText(value)));
  m_command->setText(words.join(QLatin1Char(' ')));
  m_folder->setText(fromUtf8(request.folder));
  m_options->setPlainText(options.join(QLatin1Char('\n')));
  m_vary->clear();
  m_group->setText(fromUtf8(request.group));
}

void ScriptDialog::repeat(const QString& name, const QString& runFolder) {
  if (const auto request = recordedScript(toUtf8(runFolder))) fill(*request);
  m_name->setText(tr("%1 again").arg(name));
}

Result<ScriptRequest> ScriptDialog::request() const {
  ScriptRequest request;
  FATHOM_TRY(request.command, scriptWords(toUtf8(m_command->text())));
  request.folder = toUtf8(m_folder->text().trimmed());
  if (request.folder == "~" || request.folder.starts_with("~/"))
    request.folder = toUtf8(QDir::homePath()) + request.folder.substr(1);
  request.assignments = filledLines(m_options);
  request.name = toUtf8(m_name->text().trimmed());
  request.group = toUtf8(m_group->text().trimmed());
  return request;
}

void ScriptDialog::chooseFolder() {
  const QString folder =
      m_parts.files->folder(this, FileKind::Source, tr("Folder of the command"), m_folder->text());
  if (!folder.isEmpty()) m_folder->setText(folder);
}

void ScriptDialog::countRuns() {
  const auto axes = gridAxes("", filledLines(m_vary));
  const auto points = axes.ok() && !axes->empty() ? expandGrid(*axes)
                                                  : Result<std::vector<GridPoint>>(std::vector<GridPoint>());
  const bool grid = points.ok() && !points->empty();
  say(grid ? tr("Runs that are queued: %1").arg(points->size()) : QString(), false);
}

void ScriptDialog::queue() {
  if (m_parts.jobs.isNull() || m_parts.jobs->isRunning(m_job)) return;
  const auto asked = request();
  if (!asked.ok()) return say(phraseText(asked.error().phrase()), true);
  const QPointer<ScriptDialog> self(this);
  m_job = m_parts.jobs->start<QueuedGrid>(
      tr("Looking at the command"), {},
      [project = toUtf8(m_parts.service->path()), request = *asked, vary = filledLines(m_vary)](
          Progress&, const StopToken&) { return queuedScript(project, request, vary); },
      [self](const Result<QueuedGrid>& queued) {
        if (!self) return;
        if (!queued.ok()) return self->say(phraseText(queued.error().phrase()), true);
        self->remember();
        self->m_parts.service->enqueueScripts(*queued);
        self->accept();
      });
}

void ScriptDialog::say(const QString& text, bool wrong) {
  const Theme& theme = Theme::of(palette());
  m_summary->setText(text);
  setTextColour(m_summary, wrong ? theme.failed : theme.text);
}

}  // namespace fathom
