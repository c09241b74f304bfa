// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/clean_dialog.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTreeWidget>
#include <algorithm>

#include "core/base/files/path_facts.h"
#include "core/library/records/project_library.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"

namespace fathom {

namespace {

constexpr int kCleanCharacters = 100, kCleanLines = 30, kRestMs = 200, kMostKept = 1000;
constexpr int kItemRole = Qt::UserRole;  // place in the plan
enum CleanColumn { kWhat, kWhy, kSize };

QString kindTitle(const std::string& kind) {
  if (kind == "trash") return CleanDialog::tr("Deleted runs in the trash");
  if (kind == "leftover") return CleanDialog::tr("Left-overs of what was killed");
  if (kind == "damaged") return CleanDialog::tr("Damaged checkpoints");
  if (kind == "cache") return CleanDialog::tr("Made again when needed");
  return CleanDialog::tr("Checkpoints of ended runs");
}

QSpinBox* keptNumber(QWidget* parent, int least, const QString& name) {
  auto* box = new QSpinBox(parent);
  box->setRange(least, kMostKept);
  box->setValue(1);
  box->setAccessibleName(name);
  return box;
}

}  // namespace

CleanDialog::CleanDialog(const QString& project, JobCenter* jobs, QWidget* window)
    : QDialog(window),
      m_project(project),
      m_jobs(jobs),
      m_summary(wrappedLabel(this, QStringLiteral("cleanSummary"))),
      m_problem(wrappedLabel(this, QStringLiteral("cleanProblem"))),
      m_empty(new EmptyState(this)),
      m_list(columnList(this, {tr("What"), tr("Why"), tr("Size")}, tr("What can go"))),
      m_last(keptNumber(this, 1, tr("Newest checkpoints of each run to keep"))),
      m_best(keptNumber(this, 0, tr("Best checkpoints of each run to keep"))),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_free(new QPushButton(this)) {
  setObjectName(QStringLiteral("clean"));
  setWindowTitle(tr("Clean up “%1”").arg(QFileInfo(project).completeBaseName()));
  setAttribute(Qt::WA_DeleteOnClose);
  m_soon.setSingleShot(true);
  m_soon.setInterval(kRestMs);
  makeList();
  layOut();
  connect(&m_soon, &QTimer::timeout, this, &CleanDialog::lookAt);
  for (QSpinBox* box : {m_last, m_best})
    connect(box, &QSpinBox::valueChanged, this, [this] { m_soon.start(); });
  connect(m_list, &QTreeWidget::itemChanged, this, &CleanDialog::tell);
  connect(m_cancel, &QPushButton::clicked, this, &CleanDialog::reject);
  connect(m_free, &QPushButton::clicked, this, &CleanDialog::removeChosen);
  lookAt();
}

CleanDialog::~CleanDialog() {
  if (m_job != 0 && !m_jobs.isNull()) m_jobs->cancel(m_job);
}

void CleanDialog::makeList() {
  m_list->setObjectName(QStringLiteral("cleanList"));
  m_list->setRootIsDecorated(true);
  m_list->setItemsExpandable(true);
  m_list->setUniformRowHeights(true);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(kWhat, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(kWhy, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(kSize, QHeaderView::ResizeToContents);
  m_list->headerItem()->setTextAlignment(kSize, Qt::AlignRight | Qt::AlignVCenter);
}

void CleanDialog::layOut() {
  auto* last = new QLabel(tr("&Newest checkpoints to keep of each ended run"), this);
  last->setBuddy(m_last);
  auto* best = new QLabel(tr("and &best ones"), this);
  best->setBuddy(m_best);
  m_problem->hide();
  m_empty->setText(tr("There is nothing to remove."));
  m_empty->hide();
  m_progress->setTextVisible(false);
  m_cancel->setAutoDefault(false);
  m_free->setObjectName(QStringLiteral("cleanFree"));
  m_free->setProperty("primary", true);
  m_free->setAutoDefault(false);  // Enter in a number is no consent
  auto* kept = makeRow({last, m_last, best, m_best, BoxPart::stretch()}, metrics::kMargin);
  auto* bar = makeRow({{m_progress, 1}, BoxPart::stretch(), m_cancel, m_free});
  makeColumn(this, {m_summary, m_problem, kept, {m_list, 1}, {m_empty, 1}, bar}, metrics::kMargin,
             kStyleMargins);
  setTabOrders({m_last, m_best, m_list, m_cancel, m_free});
  resize(kCleanCharacters * fontMetrics().averageCharWidth(), kCleanLines * fontMetrics().height());
}

QString CleanDialog::summary() const {
  return m_summary->text();
}

QString CleanDialog::problem() const {
  return m_problem->text();
}

// Numbers are typed while it looks: each digit looks anew.
void CleanDialog::setBusy(int job, const QString& saying) {
  m_job = job;
  if (job != 0) m_summary->setText(saying);
  m_progress->setVisible(job != 0);
  m_progress->setRange(0, 0);
  m_list->setEnabled(job == 0);
  for (QSpinBox* box : {m_last, m_best}) box->setEnabled(!m_removing);
  m_cancel->setText(job != 0 ? tr("Cancel") : tr("Close"));
  if (job != 0) m_free->setEnabled(false);
}

void CleanDialog::lookAt() {
  if (m_jobs.isNull()) return;
  if (m_job != 0) m_jobs->cancel(m_job);
  CleanPolicy policy;
  policy.cache = true;  // listed, and not ticked
  policy.keep.keepLast = m_last->value();
  policy.keep.keepBest = m_best->value();
  const QPointer<CleanDialog> self(this);
  const int job = m_jobs->start<Look>(
      tr("Looking for what can go"), {},
      [project = toUtf8(m_project), policy, asked = m_asked, files = m_files](
          Progress&, const StopToken&) -> Result<Look> {
        const std::lock_guard<std::mutex> lock(*files);
        Look look;
        for (const CleanItem& item : asked)
          if (!fileExists(item.path)) look.gone += item.bytes;
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        FATHOM_TRY(look.plan, planCleaning(*library, policy));
        return look;
      },
      [self](const Result<Look>& look) {
        if (self) self->takeLook(look);
      });
  setBusy(job, tr("Looking for what can go…"));
}

void CleanDialog::takeLook(const Result<Look>& look) {
  setBusy(0, {});
  m_plan = look.ok() ? look->plan : CleanPlan();
  fill();
  if (!look.ok()) return m_summary->setText(phraseText(look.error().phrase()));
  m_list->setVisible(!m_plan.items.empty());
  m_empty->setVisible(m_plan.items.empty());
  m_asked.clear();
  if (look->gone > 0) Q_EMIT cleaned(look->gone);
}

QTreeWidgetItem* CleanDialog::groupOf(const std::string& kind, QHash<QString, QTreeWidgetItem*>* groups) {
  QTreeWidgetItem*& group = (*groups)[fromUtf8(kind)];
  if (group != nullptr) return group;
  group = new QTreeWidgetItem(m_list, {kindTitle(kind)});
  group->setFlags(group->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
  group->setData(kWhat, kItemRole, -1);
  group->setTextAlignment(kSize, Qt::AlignRight | Qt::AlignVCenter);
  return group;
}

// Files that a run may need again are listed and not ticked.
void CleanDialog::fill() {
  {
    const QSignalBlocker block(m_list);
    m_list->clear();
    QHash<QString, QTreeWidgetItem*> groups;
    QHash<QTreeWidgetItem*, std::uint64_t> bytes;
    const QDir project(m_project);
    for (std::size_t i = 0; i < m_plan.items.size(); ++i) {
      const CleanItem& item = m_plan.items[i];
      const QString path = fromUtf8(item.path), file = QFileInfo(path).fileName();
      const QString name = item.run.empty()       ? project.relativeFilePath(path)
                           : item.kind == "trash" ? fromUtf8(item.run)
                                                  : QStringLiteral("%1 · %2").arg(fromUtf8(item.run), file);
      QTreeWidgetItem* group = groupOf(item.kind, &groups);
      auto* row = new QTreeWidgetItem(group, {name, phraseText(item.reason), sizeText(item.bytes)});
      row->setCheckState(kWhat, item.kind == "cache" ? Qt::Unchecked : Qt::Checked);
      row->setData(kWhat, kItemRole, int(i));
      row->setTextAlignment(kSize, Qt::AlignRight | Qt::AlignVCenter);
      row->setToolTip(kWhat, path);
      row->setToolTip(kWhy, row->text(kWhy));
      bytes[group] += item.bytes;
    }
    for (auto each = bytes.cbegin(); each != bytes.cend(); ++each) {
      each.key()->setText(kWhy, tr("Entries: %1").arg(each.key()->childCount()));
      each.key()->setText(kSize, sizeText(each.value()));
    }
    m_list->expandAll();
  }
  tell();
  if (m_list->topLevelItemCount() > 0) m_list->setCurrentItem(m_list->topLevelItem(0));
}

CleanPlan CleanDialog::chosen() const {
  CleanPlan plan;
  plan.projectBytes = m_plan.projectBytes;
  for (int group = 0; group < m_list->topLevelItemCount(); ++group)
    for (int i = 0; i < m_list->topLevelItem(group)->childCount(); ++i) {
      const QTreeWidgetItem* row = m_list->topLevelItem(group)->child(i);
      if (row->checkState(kWhat) == Qt::Checked)
        plan.items.push_back(m_plan.items[std::size_t(row->data(kWhat, kItemRole).toInt())]);
    }
  for (const CleanItem& item : plan.items) plan.freedBytes += item.bytes;
  return plan;
}

quint64 CleanDialog::chosenBytes() const {
  return chosen().freedBytes;
}

void CleanDialog::tell() {
  const CleanPlan plan = chosen();
  m_free->setText(plan.items.empty() ? tr("&Free") : tr("&Free %1").arg(sizeText(plan.freedBytes)));
  m_free->setEnabled(m_job == 0 && !plan.items.empty());
  if (m_plan.items.empty())
    return m_summary->setText(tr("The project holds %1.").arg(sizeText(m_plan.projectBytes)));
  m_summary->setText(
      tr("The project holds %1. What is ticked is removed for good: it cannot be brought back. "
         "The newest checkpoint of a run and what is in use stay.")
          .arg(sizeText(m_plan.projectBytes)));
}

void CleanDialog::removeChosen() {
  if (m_jobs.isNull() || m_job != 0) return;
  const CleanPlan plan = chosen();
  if (plan.items.empty()) return;
  showText(m_problem, {});
  m_asked = plan.items;
  const QPointer<CleanDialog> self(this);
  const int job = m_jobs->start<std::uint64_t>(
      tr("Cleaning up"), {},
      [project = toUtf8(m_project), plan, files = m_files](Progress& progress,
                                                           const StopToken& stop) -> Result<std::uint64_t> {
        const std::lock_guard<std::mutex> lock(*files);
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        return clean(*library, plan, progress, stop);
      },
      [self, plan](const Result<std::uint64_t>& bytes) {
        if (self) self->takeRemoved(bytes, plan);
      },
      [self](const ProgressUpdate& update) {
        if (self) showProgress(self->m_progress, update);
      });
  m_removing = true;
  setBusy(job, tr("Removing what is ticked…"));
}

// Files that were in use meanwhile stay, and are listed again; so are those that an error has left.
void CleanDialog::takeRemoved(const Result<std::uint64_t>& bytes, const CleanPlan& plan) {
  m_removing = false;
  setBusy(0, {});
  if (!bytes.ok()) {
    showText(m_problem, phraseText(bytes.error().phrase()));
    return lookAt();
  }
  m_asked.clear();
  Q_EMIT cleaned(*bytes);
  const bool stayed = std::any_of(plan.items.begin(), plan.items.end(),
                                  [](const CleanItem& item) { return fileExists(item.path); });
  stayed ? lookAt() : accept();
}

void CleanDialog::reject() {
  if (m_jobs.isNull() || !m_removing) return QDialog::reject();
  m_jobs->cancel(m_job);
  m_removing = false;
  lookAt();
}

}  // namespace fathom
