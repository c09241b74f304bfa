// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/sources_dialog.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>

#include "app/runner/followed_sources.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kSourcesCharacters = 125, kSourcesLines = 20;
constexpr int kSourceMilliseconds = 1000;
constexpr std::size_t kMostBeside = 12;  // lines of a tooltip
enum SourceColumn { kPath, kProgram, kWay, kCame, kGrowth };

QString wayText(const ListedSource& source) {
  const QString gone = source.there ? QString() : SourcesDialog::tr(", not there");
  switch (source.way) {
    case SourceWay::Read:
      return SourcesDialog::tr("followed") + gone;
    case SourceWay::Unread:
      return SourcesDialog::tr("waits for a reader") + gone;
    case SourceWay::Paused:
      return SourcesDialog::tr("paused") + gone;
    case SourceWay::Ended:
      return SourcesDialog::tr("ended") + gone;
  }
  return {};
}

// As many as there is room for.
QString programText(const ListedSource& source) {
  constexpr std::size_t kNamed = 2;
  QStringList names;
  for (std::size_t i = 0; i < std::min(source.kinds.size(), kNamed); ++i)
    names.append(fromUtf8(source.kinds[i]));
  if (source.kinds.size() > kNamed) names.append(QStringLiteral("+%1").arg(source.kinds.size() - kNamed));
  return names.join(QStringLiteral(", "));
}

// The kinds of a row, and that its buttons act on all of them.
QString kindsText(const ListedSource& source) {
  if (source.beside.empty()) return programText(source);
  QStringList lines = {SourcesDialog::tr("Came into its folder later; paused, resumed and removed with it:")};
  const std::size_t shown = std::min(source.beside.size(), kMostBeside);
  for (std::size_t i = 0; i < shown; ++i) lines.append(fromUtf8(source.beside[i]));
  if (shown < source.beside.size())
    lines.append(
        SourcesDialog::tr("and %1 more").arg(QLocale().toString(qlonglong(source.beside.size() - shown))));
  return lines.join(QLatin1Char('\n'));
}

const char* wayIcon(const ListedSource& source) {
  if (!source.there) return "state-stalled";
  switch (source.way) {
    case SourceWay::Read:
      return "state-running";
    case SourceWay::Unread:
      return "state-queued";
    case SourceWay::Paused:
      return "state-stopped";
    case SourceWay::Ended:
      break;
  }
  return "state-finished";
}

bool canPause(const ListedSource& source) {
  return source.way == SourceWay::Read || source.way == SourceWay::Unread;
}

bool canResume(const ListedSource& source) {
  return source.way != SourceWay::Read && source.there;
}

}  // namespace

SourcesDialog::SourcesDialog(const Parts& parts, QWidget* window)
    : QDialog(window),
      m_parts(parts),
      m_message(wrappedLabel(this, QStringLiteral("sourcesMessage"))),
      m_list(columnList(this, {tr("Source"), tr("Program"), tr("State"), tr("Runs"), tr("Growth")},
                        tr("Sources that are followed"))),
      m_follow(new QPushButton(tr("&Follow another…"), this)),
      m_pause(new QPushButton(tr("&Pause"), this)),
      m_resume(new QPushButton(tr("&Resume"), this)),
      m_remove(new QPushButton(tr("Re&move"), this)),
      m_close(new QPushButton(tr("Close"), this)) {
  setObjectName(QStringLiteral("sources"));
  setWindowTitle(tr("Followed sources of “%1”").arg(QFileInfo(parts.project).completeBaseName()));
  setAttribute(Qt::WA_DeleteOnClose);
  m_list->setObjectName(QStringLiteral("sourceList"));
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setRootIsDecorated(false);
  m_follow->setToolTip(tr("A file or folder that another program writes to"));
  m_pause->setToolTip(tr("It is not read for now; the program that trains is not touched"));
  m_resume->setToolTip(tr("It is read on from where it was left"));
  m_remove->setToolTip(tr("It is not read any more and no longer listed; its runs stay"));
  m_close->setDefault(true);
  layOut();
  connect(m_follow, &QPushButton::clicked, this, &SourcesDialog::followRequested);
  connect(m_close, &QPushButton::clicked, this, &SourcesDialog::reject);
  connect(m_pause, &QPushButton::clicked, this, [this] {
    act(tr("Pausing sources"), [](const std::string& project, const ListedSource& source) {
      return endFollowing(project, source.source);
    });
  });
  connect(m_resume, &QPushButton::clicked, this, [this] { act(tr("Resuming sources"), resumeSource); });
  connect(m_remove, &QPushButton::clicked, this, &SourcesDialog::askToRemove);
  connect(m_list, &QTreeWidget::itemSelectionChanged, this, &SourcesDialog::updateButtons);
  m_timer.setInterval(kSourceMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &SourcesDialog::lookAt);
  m_timer.start();
  updateButtons();
  lookAt();
}

SourcesDialog::~SourcesDialog() {
  if (!m_parts.jobs.isNull()) m_parts.jobs->cancelOwner(objectName());
}

void SourcesDialog::layOut() {
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(kPath, QHeaderView::Stretch);
  for (const int column : {kProgram, kWay, kCame, kGrowth})
    m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  m_list->headerItem()->setTextAlignment(kCame, Qt::AlignRight | Qt::AlignVCenter);
  m_list->setTextElideMode(Qt::ElideLeft);
  auto* bar = makeRow({m_follow, BoxPart::stretch(), m_pause, m_resume, m_remove, m_close});
  makeColumn(this, {m_message, {m_list, 1}, bar}, metrics::kMargin, kStyleMargins);
  resize(kSourcesCharacters * fontMetrics().averageCharWidth(), kSourcesLines * fontMetrics().height());
}

QString SourcesDialog::message() const {
  return m_message->text();
}

// Cancelled by somebody in the window it is over, too.
bool SourcesDialog::isBusy() const {
  return !m_parts.jobs.isNull() && m_parts.jobs->isRunning(m_job);
}

// A look may take longer than the time to the next one, which would cancel it.
void SourcesDialog::lookAt() {
  if (m_parts.jobs.isNull() || isBusy() || m_parts.jobs->isRunning(m_look)) return;
  m_look = m_parts.jobs->start<std::vector<ListedSource>>(
      tr("Looking at followed sources"), objectName(),
      [project = toUtf8(m_parts.project)](Progress&, const StopToken&) {
        return Result<std::vector<ListedSource>>(listSources(project));
      },
      [this, self = QPointer(this)](const Result<std::vector<ListedSource>>& sources) {
        if (self && sources.ok()) take(*sources);
      });
}

void SourcesDialog::fill(QTreeWidgetItem* item, const ListedSource& source) const {
  item->setData(kPath, Qt::UserRole, fromUtf8(source.source));
  item->setText(kPath, fromUtf8(source.source));
  item->setToolTip(kPath, fromUtf8(source.source));
  item->setText(kProgram, programText(source));
  item->setToolTip(kProgram, kindsText(source));
  item->setData(kProgram, Qt::AccessibleDescriptionRole, kindsText(source));
  item->setText(kWay, wayText(source));
  item->setIcon(kWay, icon(QString::fromLatin1(wayIcon(source))));
  item->setText(kCame, QLocale().toString(qlonglong(source.runPaths.size())));
  item->setTextAlignment(kCame, Qt::AlignRight | Qt::AlignVCenter);
  item->setText(kGrowth,
                phraseText(source.growth.phrase(double(QDateTime::currentMSecsSinceEpoch()) / 1000)));
}

// Rows stay where they are: selection and place are a person's.
void SourcesDialog::take(const std::vector<ListedSource>& sources) {
  const bool same =
      std::equal(m_sources.begin(), m_sources.end(), sources.begin(), sources.end(),
                 [](const ListedSource& a, const ListedSource& b) { return a.source == b.source; });
  m_sources = sources;
  m_looked = true;
  QStringList chosen;
  for (const QTreeWidgetItem* item : m_list->selectedItems())
    chosen.append(item->data(kPath, Qt::UserRole).toString());
  if (!same) m_list->clear();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    QTreeWidgetItem* item = same ? m_list->topLevelItem(static_cast<int>(i)) : new QTreeWidgetItem(m_list);
    fill(item, sources[i]);
    if (!same && chosen.contains(item->text(kPath))) item->setSelected(true);
  }
  if (m_list->currentItem() == nullptr && !sources.empty()) m_list->setCurrentItem(m_list->topLevelItem(0));
  if (sources.empty())
    m_message->setText(
        tr("Nothing is followed. “Follow another…” takes a file or folder that another program "
           "writes to."));
  else if (!isBusy() && m_message->property("error") != true)
    m_message->setText(
        tr("Read on by a program of its own, also while the window is closed. Runs stay, whatever you do "
           "here."));
  updateButtons();
}

std::vector<ListedSource> SourcesDialog::selected() const {
  std::vector<ListedSource> chosen;
  for (int i = 0; i < m_list->topLevelItemCount() && i < int(m_sources.size()); ++i)
    if (m_list->topLevelItem(i)->isSelected()) chosen.push_back(m_sources[std::size_t(i)]);
  return chosen;
}

void SourcesDialog::updateButtons() {
  const std::vector<ListedSource> chosen = selected();
  const bool can = !m_parts.readOnly && !isBusy();
  m_follow->setEnabled(!m_parts.readOnly);
  m_pause->setEnabled(can && std::any_of(chosen.begin(), chosen.end(), canPause));
  m_resume->setEnabled(can && std::any_of(chosen.begin(), chosen.end(), canResume));
  m_remove->setEnabled(can && !chosen.empty());
}

void SourcesDialog::act(const QString& title, const Act& what) {
  if (m_parts.jobs.isNull() || isBusy()) return;
  m_message->setProperty("error", false);
  m_job = m_parts.jobs->start<bool>(
      title, objectName(),
      [project = toUtf8(m_parts.project), chosen = selected(), what](Progress&,
                                                                     const StopToken&) -> Result<bool> {
        for (const ListedSource& source : chosen) FATHOM_CHECK(what(project, source));
        return true;
      },
      [this, self = QPointer(this)](const Result<bool>& done) {
        if (!self) return;
        m_job = 0;
        m_message->setProperty("error", !done.ok());
        if (!done.ok()) m_message->setText(phraseText(done.error().phrase()));
        lookAt();
        Q_EMIT changed();
      });
  updateButtons();
}

// It cannot be undone: how far it was read is forgotten.
void SourcesDialog::askToRemove() {
  auto* box =
      new QMessageBox(QMessageBox::Warning, windowTitle(),
                      tr("Its runs stay. How far it was read is forgotten: following it again makes new "
                         "runs. Remove it from the list?"),
                      QMessageBox::Cancel, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* remove = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
  box->setDefaultButton(QMessageBox::Cancel);
  connect(remove, &QPushButton::clicked, this, [this] { act(tr("Removing sources"), removeSource); });
  box->open();
}

}  // namespace fathom
