// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/trash_dialog.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

#include "core/library/records/project_library.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"

namespace fathom {

namespace {

constexpr int kTrashCharacters = 84, kTrashLines = 22;
constexpr qsizetype kShortUuid = 8;
enum TrashColumn { kTrashedName, kTrashedMade, kTrashedUuid };

}  // namespace

TrashDialog::TrashDialog(const QString& project, JobCenter* jobs, QWidget* window)
    : QDialog(window),
      m_project(project),
      m_jobs(jobs),
      m_summary(wrappedLabel(this, QStringLiteral("trashSummary"))),
      m_problem(wrappedLabel(this, QStringLiteral("trashProblem"))),
      m_empty(new EmptyState(this)),
      m_list(columnList(this, {tr("Run"), tr("Made"), tr("UUID")}, tr("Deleted runs"))),
      m_close(new QPushButton(tr("Close"), this)),
      m_restore(new QPushButton(this)) {
  setObjectName(QStringLiteral("trash"));
  setWindowTitle(tr("Deleted runs of “%1”").arg(QFileInfo(project).completeBaseName()));
  setAttribute(Qt::WA_DeleteOnClose);
  layOut();
  connect(m_close, &QPushButton::clicked, this, &TrashDialog::reject);
  connect(m_restore, &QPushButton::clicked, this, &TrashDialog::restoreSelected);
  connect(m_list, &QTreeWidget::itemSelectionChanged, this, &TrashDialog::tell);
  connect(m_list, &QTreeWidget::itemDoubleClicked, this, &TrashDialog::restoreSelected);
  connect(jobs, &JobCenter::shownJobsChanged, this, [this] {  // cancelled, nobody answers
    if (m_list->isEnabled() || !isIdle()) return;
    m_list->setEnabled(true);
    tell();
  });
  start({});
}

TrashDialog::~TrashDialog() {
  if (!m_jobs.isNull()) m_jobs->cancel(m_job);
}

void TrashDialog::layOut() {
  m_list->setObjectName(QStringLiteral("trashList"));
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(kTrashedName, QHeaderView::Stretch);
  for (const int column : {kTrashedMade, kTrashedUuid})
    m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  m_problem->hide();
  m_empty->setText(tr("The trash is empty."));
  m_empty->hide();
  m_close->setAutoDefault(false);
  m_restore->setObjectName(QStringLiteral("trashRestore"));
  m_restore->setProperty("primary", true);
  m_restore->setDefault(true);
  auto* bar = makeRow({BoxPart::stretch(), m_close, m_restore});
  makeColumn(this, {m_summary, m_problem, {m_list, 1}, {m_empty, 1}, bar}, metrics::kMargin, kStyleMargins);
  resize(kTrashCharacters * fontMetrics().averageCharWidth(), kTrashLines * fontMetrics().height());
}

QString TrashDialog::problem() const {
  return m_problem->text();
}

void TrashDialog::refresh() {
  if (isIdle())
    start({});
  else
    m_again = true;
}

void TrashDialog::start(const std::vector<std::string>& paths) {
  if (m_jobs.isNull() || !isIdle()) return;
  const QPointer<TrashDialog> self(this);
  m_job = m_jobs->start<Look>(
      paths.empty() ? tr("Looking into the trash") : tr("Bringing runs back"), {},
      [project = toUtf8(m_project), paths](Progress&, const StopToken& stop) -> Result<Look> {
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        FATHOM_TRY(const std::vector<TrashedRun> before, trashedRuns(*library));
        Look look;
        for (const TrashedRun& run : before) {
          if (std::find(paths.begin(), paths.end(), run.path) == paths.end() || stop.stopRequested())
            continue;
          if (const auto back = restoreRun(*library, run.path); back.ok())
            look.restored.append(fromUtf8(run.name));
          else
            look.problems.append(phraseText(back.error().phrase()));
        }
        FATHOM_TRY(look.runs, trashedRuns(*library));
        return look;
      },
      [self](const Result<Look>& look) {
        if (self) self->take(look);
      });
  m_list->setEnabled(false);
  tell();
}

void TrashDialog::take(const Result<Look>& look) {
  m_list->setEnabled(true);
  showText(m_problem, look.ok() ? look->problems.join(QLatin1Char('\n')) : phraseText(look.error().phrase()));
  setTextColour(m_problem, Theme::of(palette()).failed);
  const bool again = std::exchange(m_again, false);
  if (!look.ok()) return tell();
  fill(look->runs);
  if (!look->restored.isEmpty()) Q_EMIT restored(look->restored);
  if (again) start({});
}

void TrashDialog::fill(const std::vector<TrashedRun>& runs) {
  m_list->clear();
  for (const TrashedRun& run : runs) {
    const QString uuid = fromUtf8(run.identity.uuid);
    const QDateTime made = QDateTime::fromString(fromUtf8(run.identity.created), Qt::ISODate).toLocalTime();
    auto* row = new QTreeWidgetItem(
        m_list, {fromUtf8(run.name), QLocale().toString(made, QLocale::ShortFormat), uuid.left(kShortUuid)});
    row->setData(kTrashedName, Qt::UserRole, fromUtf8(run.path));
    row->setToolTip(kTrashedName, fromUtf8(run.path));
    row->setToolTip(kTrashedUuid, uuid);
  }
  m_list->setVisible(!runs.empty());
  m_empty->setVisible(runs.empty());
  if (!runs.empty()) {
    m_list->setCurrentItem(m_list->topLevelItem(0));
    m_list->setFocus();  // the keyboard left it while it could not be used
  }
  tell();
}

void TrashDialog::restoreSelected() {
  std::vector<std::string> paths;
  for (const QTreeWidgetItem* row : m_list->selectedItems())
    paths.push_back(toUtf8(row->data(kTrashedName, Qt::UserRole).toString()));
  if (!paths.empty()) start(paths);
}

void TrashDialog::tell() {
  const qsizetype chosen = isIdle() ? m_list->selectedItems().size() : 0;
  m_restore->setText(chosen > 1 ? tr("&Restore %1 runs").arg(chosen) : tr("&Restore"));
  m_restore->setEnabled(chosen > 0);
  showText(m_summary, m_list->topLevelItemCount() == 0
                          ? QString()
                          : tr("Runs come back with everything: curves, checkpoints, notes. “Clean up…” "
                               "removes them for good."));
}

}  // namespace fathom
