// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/import_dialog.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>

#include "app/window/imports/import_columns.h"
#include "app/window/jobs/job_center.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kImportCharacters = 96, kImportLines = 30, kLinesOfNotes = 5;
constexpr int kMostRunsListed = 500, kLongestShown = 300, kMostTroubles = 20;
enum ListColumn { kRun, kSource, kFormat, kMetrics, kPoints, kOptions };

QString numberText(std::int64_t number) {
  return QLocale().toString(qlonglong(number));
}

QString fileName(const FoundSource& source) {
  const QString path = fromUtf8(source.path);
  const QString name = QFileInfo(path).fileName();
  return (name.isEmpty() ? path : name).left(kLongestShown);
}

}  // namespace

ImportDialog::ImportDialog(const Parts& parts, const QStringList& paths, bool follow, QWidget* window)
    : QDialog(window),
      m_parts(parts),
      m_paths(paths),
      m_summary(wrappedLabel(this, QStringLiteral("importSummary"))),
      m_list(columnList(this,
                        {tr("Run"), tr("Source"), tr("Format"), tr("Metrics"), tr("Points"), tr("Options")},
                        tr("Runs that were found"))),
      m_columns(new ImportColumns(this)),
      m_notes(new QPlainTextEdit(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_follow(new QPushButton(tr("Import and &follow"), this)),
      m_import(new QPushButton(tr("&Import"), this)) {
  setObjectName(QStringLiteral("import"));
  setWindowTitle(tr("Import"));
  setAttribute(Qt::WA_DeleteOnClose);
  (follow ? m_follow : m_import)->setDefault(true);
  m_cancel->setAutoDefault(false);
  m_follow->setToolTip(tr("Also reads what comes to the source from now on, when the window is closed, too"));
  m_import->setToolTip(tr("Takes what the source holds now"));
  makeLists();
  layOut();
  connect(m_cancel, &QPushButton::clicked, this, &ImportDialog::reject);
  connect(m_follow, &QPushButton::clicked, this, [this] { import(true); });
  connect(m_import, &QPushButton::clicked, this, [this] { import(false); });
  connect(m_columns, &ImportColumns::changed, this, &ImportDialog::takeUses);
  connect(m_list, &QTreeWidget::currentItemChanged, this, &ImportDialog::showColumns);
  lookAt();
}

ImportDialog::~ImportDialog() {
  if (m_job != 0 && !m_parts.jobs.isNull()) m_parts.jobs->cancel(m_job);
}

void ImportDialog::makeLists() {
  m_list->setUniformRowHeights(true);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(kRun, QHeaderView::Stretch);
  for (const int column : {kFormat, kMetrics, kPoints, kOptions})
    m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  for (const int column : {kMetrics, kPoints, kOptions})
    m_list->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  m_list->setColumnHidden(kSource, m_paths.size() < 2);
  m_notes->setReadOnly(true);
  m_notes->setTabChangesFocus(true);
  m_notes->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  m_notes->setAccessibleName(tr("What was noticed"));
  m_notes->setFixedHeight(fontMetrics().lineSpacing() * kLinesOfNotes + 2 * metrics::kMargin);
  m_progress->setTextVisible(false);
  m_columns->hide();
  m_notes->hide();
}

void ImportDialog::layOut() {
  auto* bar = makeRow({{m_progress, 1}, BoxPart::stretch(), m_cancel, m_follow, m_import});
  makeColumn(this, {m_summary, {m_list, 2}, {m_columns, 3}, m_notes, bar}, metrics::kMargin, kStyleMargins);
  resize(kImportCharacters * fontMetrics().averageCharWidth(), kImportLines * fontMetrics().height());
}

QString ImportDialog::summary() const {
  return m_summary->text();
}

QString ImportDialog::notes() const {
  return m_notes->isHidden() ? QString() : m_notes->toPlainText();
}

// While a job runs nothing but Cancel can be pressed.
void ImportDialog::setBusy(int job, const QString& saying) {
  m_job = job;
  if (job != 0) m_summary->setText(saying);
  m_progress->setVisible(job != 0);
  m_progress->setRange(0, 0);
  m_columns->setEnabled(!m_importing);
  const bool any = std::any_of(m_found.begin(), m_found.end(),
                               [](const FoundSource& source) { return source.importable(); });
  const bool foreign = std::any_of(m_found.begin(), m_found.end(), [](const FoundSource& source) {
    return source.importable() && !source.preview.own;
  });
  m_import->setEnabled(job == 0 && any);
  m_follow->setEnabled(job == 0 && foreign);
}

void ImportDialog::lookAt() {
  const ColumnMemory memory(toUtf8(m_parts.session->text(session::kImportColumns)));
  const QPointer<ImportDialog> self(this);
  m_error.reset();
  // A look with other columns makes the one before it stale.
  const QString owner = QStringLiteral("import %1").arg(quintptr(this));
  const int job = m_parts.jobs->start<std::vector<FoundSource>>(
      tr("Looking at what is to be imported"), owner,
      [paths = m_paths, memory, said = m_said](Progress& progress, const StopToken& stop) {
        return lookAtSources(paths, memory, said, progress, stop);
      },
      [self](const Result<std::vector<FoundSource>>& found) {
        if (self) self->takeLook(found);
      });
  setBusy(job, tr("Looking at what is there…"));
}

void ImportDialog::takeLook(const Result<std::vector<FoundSource>>& found) {
  if (found.ok())
    m_found = *found;
  else
    m_error = found.error();
  fillList();
  setBusy(0, {});
  tell();
}

void ImportDialog::addRuns(const FoundSource& source) {
  const QString path = fromUtf8(source.path), from = fileName(source);
  if (source.preview.runs.empty()) {
    auto* item = new QTreeWidgetItem(m_list, {from, from, engineText(source.preview.title)});
    if (!source.importable()) item->setText(kPoints, tr("cannot be read"));
    item->setToolTip(kRun, path.left(kLongestShown));
    item->setData(kRun, Qt::UserRole, path);
  }
  for (const PreviewedRun& run : source.preview.runs) {
    if (m_list->topLevelItemCount() >= kMostRunsListed) return;
    const bool counted = !source.preview.own;
    auto* item = new QTreeWidgetItem(
        m_list, {fromUtf8(run.name).left(kLongestShown), from, engineText(source.preview.title),
                 counted ? numberText(run.metrics) : QString(), counted ? numberText(run.points) : QString(),
                 counted ? numberText(run.options) : QString()});
    item->setToolTip(kRun, item->text(kRun));
    item->setToolTip(kSource, path.left(kLongestShown));
    item->setData(kRun, Qt::UserRole, path);
    for (const int column : {kMetrics, kPoints, kOptions})
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
}

void ImportDialog::fillList() {
  const QTreeWidgetItem* before = m_list->currentItem();
  const QString current = before != nullptr ? before->data(kRun, Qt::UserRole).toString() : QString();
  const QSignalBlocker quiet(m_list);
  m_list->clear();
  m_list->setColumnHidden(kSource, std::max<std::size_t>(m_found.size(), m_paths.size()) < 2);
  for (const FoundSource& source : m_found) addRuns(source);
  for (int row = 0; row < m_list->topLevelItemCount() && m_list->currentItem() == nullptr; ++row)
    if (m_list->topLevelItem(row)->data(kRun, Qt::UserRole).toString() == current)
      m_list->setCurrentItem(m_list->topLevelItem(row));
  showColumns();
}

// The table of the current run, else the first there is.
const FoundSource* ImportDialog::currentTable() const {
  const QTreeWidgetItem* item = m_list->currentItem();
  const std::string path = item != nullptr ? toUtf8(item->data(kRun, Qt::UserRole).toString()) : "";
  const FoundSource* first = nullptr;
  for (const FoundSource& source : m_found) {
    if (source.preview.columns.empty()) continue;
    if (source.path == path) return &source;
    if (first == nullptr) first = &source;
  }
  return first;
}

void ImportDialog::showColumns() {
  const FoundSource* table = currentTable();
  m_columns->setVisible(table != nullptr);
  if (table != nullptr) m_columns->setColumns(table->preview.columns, table->uses);
}

// The choice is kept for tables of the same columns, and everything is looked at once more.
void ImportDialog::takeUses() {
  const FoundSource* table = currentTable();
  if (table == nullptr || m_importing) return;
  m_said[table->path] = m_columns->uses();
  ColumnMemory memory(toUtf8(m_parts.session->text(session::kImportColumns)));
  memory.remember(table->preview.columns, m_columns->uses());
  m_parts.session->setText(session::kImportColumns, fromUtf8(memory.text()));
  lookAt();
}

QStringList ImportDialog::troubles() const {
  QStringList lines;
  if (m_error) lines.append(phraseText(m_error->phrase()));
  for (const FoundSource& source : m_found) {
    if (source.error) lines.append(phraseText(source.error->phrase()));
    if (!source.preview.whole)
      lines.append(tr("%1 holds more than can be read in a moment: the numbers are of what was read.")
                       .arg(fileName(source)));
    for (const Phrase& warning : source.preview.warnings)
      lines.append(tr("%1: %2").arg(fileName(source), phraseText(warning)));
  }
  if (lines.size() > kMostTroubles) {
    const int more = int(lines.size()) - kMostTroubles;
    lines = lines.mid(0, kMostTroubles);
    lines.append(tr("And %1 more.").arg(more));
  }
  return lines;
}

void ImportDialog::tell() {
  std::int64_t runs = 0, points = 0;
  std::set<std::string> metrics;
  bool whole = true;
  for (const FoundSource& source : m_found) {
    if (!source.importable()) continue;
    runs += std::int64_t(source.preview.runs.size());
    points += source.preview.points;
    whole = whole && source.preview.whole;
    metrics.insert(source.preview.metrics.begin(), source.preview.metrics.end());
  }
  const QString found =
      tr("Runs: %1 · metrics: %2 · points: %3")
          .arg(numberText(runs), numberText(std::int64_t(metrics.size())), numberText(points));
  m_summary->setText(runs == 0 && whole ? tr("Nothing was found that can be imported.")
                     : whole            ? found
                                        : tr("%1, and more").arg(found));
  const QStringList lines = troubles();
  m_notes->setPlainText(lines.join(QLatin1Char('\n')));
  m_notes->setVisible(!lines.isEmpty());
}

void ImportDialog::import(bool follow) {
  if (m_job != 0) return;
  ImportOrder order;
  order.project = toUtf8(m_parts.project);
  order.follow = follow;
  for (const FoundSource& source : m_found)
    if (source.importable()) order.sources.push_back(source);
  const QPointer<ImportDialog> self(this);
  m_importing = true;
  m_error.reset();
  const int job = m_parts.jobs->start<ImportDone>(
      tr("Importing"), {},
      [order](Progress& progress, const StopToken& stop) { return importSources(order, progress, stop); },
      [self, follow](const Result<ImportDone>& done) {
        if (self) self->takeDone(done, follow);
      },
      [self](const ProgressUpdate& update) {
        if (self) showProgress(self->m_progress, update);
      });
  setBusy(job, tr("Importing…"));
}

void ImportDialog::takeDone(const Result<ImportDone>& done, bool follow) {
  m_importing = false;
  if (!done.ok()) {
    m_error = done.error();
    setBusy(0, {});
    return tell();
  }
  QStringList notes = done->notes;
  if (follow && done->followers > 0)
    notes.prepend(tr("What comes to the source is read from now on, when the window is closed, too."));
  if (!done->runs.isEmpty()) Q_EMIT imported(done->runs, done->metrics, notes);
  if (done->failed.empty()) return accept();
  m_found = done->failed;
  fillList();
  setBusy(0, {});
  tell();
}

void ImportDialog::reject() {
  if (!m_importing) return QDialog::reject();
  m_parts.jobs->cancel(m_job);
  m_importing = false;
  setBusy(0, {});
  tell();
}

}  // namespace fathom
