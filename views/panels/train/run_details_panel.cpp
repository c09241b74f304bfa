// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/run_details_panel.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <functional>
#include <map>

#include "core/base/json/phrase_json.h"
#include "core/base/options/option_field.h"
#include "views/figure/axis_scale.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/system/system_view.h"
#include "views/panels/train/init_report_view.h"
#include "views/panels/train/run_scores.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_header.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/heading.h"
#include "views/panels/widgets/tabs_or_choice.h"
#include "views/tables/config_diff_model.h"
#include "views/tables/run_names.h"

namespace fathom {

namespace {

QTreeWidget* makeTree(QWidget* parent, const QStringList& heads, const QString& name) {
  auto* tree = new QTreeWidget(parent);
  tree->setHeaderLabels(heads);
  tree->setAccessibleName(name);
  tree->setUniformRowHeights(true);
  tree->setTextElideMode(Qt::ElideRight);
  tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
  tree->header()->setStretchLastSection(true);
  tree->setIndentation(metrics::kGroupGap);
  evenRows(tree);
  return tree;
}

constexpr int kLeastNotes = 96;

// Titles of what a run records about its origin (core/train/parts/provenance.cpp,
// core/imports/run_appender.cpp).
QString originTitle(const std::string& key) {
  static const std::map<std::string, const char*> titles = {
      {"program", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Program")},
      {"revision", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Revision")},
      {"libraries", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Libraries")},
      {"torch", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "LibTorch")},
      {"compiler", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Compiler")},
      {"host", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Computer")},
      {"system", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "System")},
      {"cpu", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Processor")},
      {"cores", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Cores")},
      {"threads", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Threads")},
      {"device", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Device")},
      {"environment", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Environment variables")},
      {"data", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Data")},
      {"role", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Part")},
      {"path", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "File")},
      {"sha256", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "SHA-256")},
      {"imported_from", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Imported from")},
      {"imported", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Imported")},
      {"writer", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Written by")},
      {"version", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Version")},
      {"group", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Group")},
      {"job_type", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Kind of job")},
      {"tags", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Tags")},
      {"notes", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Notes")},
      {"command", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Command")},
      {"started_again_by", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Started again by")},
      {"folder", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Folder")},
      {"packages", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Packages")},
      {"python", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Python")},
      {"format", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Format")},
      {"warnings", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Warnings")},
      {"bytes", QT_TRANSLATE_NOOP("fathom::RunDetailsPanel", "Bytes")}};
  const auto known = titles.find(key);
  return known == titles.end() ? fromUtf8(key) : RunDetailsPanel::tr(known->second);
}

// Variables of the environment keep their names; files of the data are numbered.
void addJson(QTreeWidgetItem* parent, const Json& json) {
  for (const auto& [key, value] : json.items()) {
    const QString text = value.is_string()       ? fromUtf8(value.get<std::string>())
                         : value.is_structured() ? QString()
                                                 : fromUtf8(value.dump());
    const QString title = !json.is_array()        ? originTitle(key)
                          : value.is_structured() ? RunDetailsPanel::tr("File %1").arg(std::stoi(key) + 1)
                                                  : QString::number(std::stoi(key) + 1);
    auto* item = new QTreeWidgetItem(parent, {title, text});
    item->setToolTip(0, title);
    item->setToolTip(1, text);
    if (value.is_structured()) addJson(item, value);
  }
}

// Folders with what is in them; the size of a folder is that of its files.
void addFiles(QTreeWidget* tree, const QVector<RunDetails::File>& files) {
  QHash<QString, QTreeWidgetItem*> folders;
  QHash<QTreeWidgetItem*, qint64> bytes;
  const std::function<QTreeWidgetItem*(const QString&)> nodeOf = [&](const QString& path) {
    const qsizetype slash = path.lastIndexOf(QLatin1Char('/'));
    const QString folder = path.left(qMax<qsizetype>(slash, 0));
    QTreeWidgetItem* parent = tree->invisibleRootItem();
    if (!folder.isEmpty()) {
      parent = folders.value(folder);
      if (parent == nullptr) folders.insert(folder, parent = nodeOf(folder));
    }
    auto* item = new QTreeWidgetItem(parent, {path.mid(slash + 1)});
    item->setToolTip(0, path);
    item->setData(0, Qt::UserRole, path);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    return item;
  };
  for (const RunDetails::File& file : files)
    for (QTreeWidgetItem* item = nodeOf(file.path); item != nullptr; item = item->parent())
      bytes[item] += file.bytes;
  for (auto each = bytes.cbegin(); each != bytes.cend(); ++each)
    each.key()->setText(1, sizeText(quint64(each.value())));
  tree->header()->setStretchLastSection(false);
  tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
}

// Text that ends an edit when the focus leaves.
class NotesEdit : public QPlainTextEdit {
 public:
  using QPlainTextEdit::QPlainTextEdit;
  std::function<void()> finished;

 protected:
  void focusOutEvent(QFocusEvent* event) override {
    QPlainTextEdit::focusOutEvent(event);
    if (finished) finished();
  }
};

}  // namespace

RunDetailsPanel::RunDetailsPanel(QWidget* parent) : QWidget(parent) {
  auto* pages = new TabsOrChoice(tr("Details of the run"), this);
  m_tabs = pages->tabs();
  m_tabs->tabBar()->setObjectName(QStringLiteral("narrowTabs"));
  m_body = new QWidget(this);
  m_grows.setSingleShot(true);
  connect(&m_grows, &QTimer::timeout, this, &RunDetailsPanel::refreshHead);
  m_name = new ElidedLabel({}, m_body);
  setHeadingRank(m_name, HeadingRank::Panel);
  m_name->setObjectName(QStringLiteral("detailsName"));
  m_state = wrappedLabel(m_body, QStringLiteral("detailsState"));
  m_tabs->addTab(makeOverview(), tr("Outcome"));
  m_tabs->addTab(makeConfig(), tr("Options"));
  m_init = new InitReportView(this);
  connect(m_init, &InitReportView::requested, this, [this] { Q_EMIT initReportRequested(m_run.uuid); });
  m_provenance = makeTree(this, {tr("What"), tr("Value")}, tr("Where the run comes from"));
  m_files = makeTree(this, {tr("File"), tr("Size")}, tr("Files of the run"));
  m_tabs->addTab(m_provenance, tr("Origin"));
  m_tabs->addTab(m_files, tr("Files"));
  m_tabs->addTab(m_init, tr("Initial"));
  m_system = new SystemView(this);
  m_tabs->addTab(m_system, tr("System"));
  m_attempts = makeTree(
      this, {tr("Attempt"), tr("Place"), tr("Outcome"), tr("Updates"), tr("Host"), tr("Job"), tr("Ended")},
      tr("Attempts of the run"));
  m_attempts->setObjectName(QStringLiteral("runAttempts"));
  m_attempts->setRootIsDecorated(false);
  m_attempts->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_tabs->addTab(m_attempts, tr("Attempts"));
  for (int tab = 0; tab < m_tabs->count(); ++tab) m_tabs->setTabToolTip(tab, m_tabs->tabText(tab));
  m_tabs->setTabToolTip(m_tabs->indexOf(m_init), tr("Initial values"));
  m_tabs->setTabToolTip(m_tabs->indexOf(m_system), tr("Processors, memory, disk and graphics cards"));
  connect(m_files, &QTreeWidget::itemActivated, this,
          [this](QTreeWidgetItem* item) { Q_EMIT fileActivated(item->data(0, Qt::UserRole).toString()); });
  auto* head = makeColumn({m_name, m_state}, kStyleGap, {metrics::kMargin, 0, metrics::kMargin, 0});
  makeColumn(m_body, {head, {pages, 1}}, metrics::kGrid, {0, metrics::kMargin, 0, 0});
  m_empty = new EmptyState(this);
  m_empty->setText(tr("Select a run to see its details."));
  makeColumn(this, {m_body, m_empty});
  setRun(nullptr, {});
}

QWidget* RunDetailsPanel::makeOverview() {
  auto* page = new QWidget(this);
  m_outcome = wrappedLabel(page);
  m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_scores = new RunScores(page);
  m_noScores = new QLabel(tr("No score yet."), page);
  m_noScores->setAlignment(Qt::AlignTop);
  m_tags = new QLineEdit(page);
  m_tags->setPlaceholderText(tr("tags, separated by commas"));
  m_tags->setAccessibleName(tr("Tags"));
  auto* notes = new NotesEdit(page);
  notes->setTabChangesFocus(true);
  notes->setPlaceholderText(tr("Notes"));
  notes->setAccessibleName(tr("Notes"));
  notes->setMaximumHeight(kLeastNotes);
  m_notes = notes;
  notes->finished = [this] {
    if (!m_run.uuid.isEmpty() && m_notes->toPlainText() != m_run.note) {
      m_run.note = m_notes->toPlainText();
      Q_EMIT notesEdited(m_run.uuid, m_run.note);
    }
  };
  connect(m_tags, &QLineEdit::editingFinished, this, [this] {
    QStringList tags;
    for (const QString& tag : m_tags->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
      if (!tag.trimmed().isEmpty() && !tags.contains(tag.trimmed())) tags.append(tag.trimmed());
    tags.sort();
    if (m_run.uuid.isEmpty() || tags == m_run.tags) return;
    m_run.tags = tags;
    Q_EMIT tagsEdited(m_run.uuid, tags);
  });
  makeColumn(page, {m_outcome, {m_scores, 1}, {m_noScores, 1}, m_tags, m_notes}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  return page;
}

QWidget* RunDetailsPanel::makeConfig() {
  auto* page = new QWidget(this);
  m_against = narrowChoice(page, tr("Compare with"), 8);
  m_all = flatTextButton(page, tr("All"), tr("Show options that are the same, too"));
  m_all->setCheckable(true);
  m_same = wrappedLabel(page);
  m_same->setAlignment(Qt::AlignCenter);
  m_diffModel = new ConfigDiffModel(this);
  m_diff = rowTable(m_diffModel, tr("Options that differ"), page);
  // Names of options are whole: two of them may begin alike.
  wrapRows(m_diff);
  auto* copy = new QAction(tr("Copy"), m_diff);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  m_diff->addAction(copy);
  m_diff->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(copy, &QAction::triggered, this, [this] {
    QGuiApplication::clipboard()->setText(m_diffModel->rowText(m_diff->currentIndex().row()));
  });
  m_diff->setHorizontalHeader(new ElidedHeader(Qt::Horizontal, m_diff));
  m_diff->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_diff->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  auto* bar = makeRow({new QLabel(tr("against"), page), {m_against, 1}, m_all}, kStyleGap,
                      {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid});
  makeColumn(page, {bar, m_same, {m_diff, 1}}, 0);
  connect(m_against, &QComboBox::currentIndexChanged, this, &RunDetailsPanel::refreshDiff);
  connect(m_all, &QToolButton::toggled, this, [this](bool all) {
    m_diffModel->setOnlyDifferences(!all);
    refreshDiff();
  });
  return page;
}

int RunDetailsPanel::shownPart() const {
  return m_tabs->currentIndex();
}

void RunDetailsPanel::showPart(int part) {
  if (part >= 0 && part < m_tabs->count()) m_tabs->setCurrentIndex(part);
}

void RunDetailsPanel::setSchema(const OptionSchema* schema) {
  m_schema = schema;
  m_init->setSchema(schema);
  refreshDiff();
}

void RunDetailsPanel::setRun(const RunItem* run, const QVector<RunItem>& others) {
  m_body->setVisible(run != nullptr);
  m_empty->setVisible(run == nullptr);
  const QString before = m_run.uuid;
  m_run = run != nullptr ? *run : RunItem();
  m_others = others;
  followSystem();
  if (run == nullptr) return;
  refreshHead();
  m_scores->setScores(m_run);
  m_scores->setVisible(!m_scores->isEmpty());
  m_noScores->setVisible(m_scores->isEmpty());
  const bool another = before != m_run.uuid;
  if (another || !m_notes->hasFocus()) m_notes->setPlainText(m_run.note);
  if (another || !m_tags->hasFocus()) m_tags->setText(m_run.tags.join(QStringLiteral(", ")));
  if (another) {
    m_provenance->clear();
    m_files->clear();
    m_attempts->clear();
    m_init->showWaiting();
    showText(m_outcome, m_run.message);
  }
  {
    const QSignalBlocker block(m_against);
    const QString chosen = m_against->currentData().toString();
    m_against->clear();
    m_against->addItem(tr("the defaults"), QString());
    const QStringList names = shortRunNames(others);
    for (qsizetype i = 0; i < others.size(); ++i)
      if (others[i].uuid != m_run.uuid) m_against->addItem(names[i], others[i].uuid);
    m_against->setCurrentIndex(qMax(0, m_against->findData(chosen)));
  }
  refreshDiff();
}

void RunDetailsPanel::followSystem() {
  SystemView::Run run;
  run.uuid = m_run.uuid;
  run.begun = !m_run.folder.isEmpty();
  run.live = run.begun && isLive(m_run.state);
  run.askable = !m_run.config.empty() && m_run.source.isEmpty() && m_run.origin.isEmpty();
  m_system->setRun(run);
}

void RunDetailsPanel::refreshHead() {
  m_name->setFullText(m_run.name);
  m_name->setHint(m_run.folder);
  const RunStateLook look = runStateLook(m_run.state, m_run.cause);
  QStringList parts = {look.word};
  const QString cause = runCauseText(m_run.cause);
  if (!cause.isEmpty() && cause != look.word) parts.append(cause);
  if (m_run.silentMinutes > 0) parts.append(tr("not heard for %1 min").arg(m_run.silentMinutes));
  if (!m_run.job.place.isEmpty()) parts.append(jobText(m_run.job));
  if (!m_run.doing.isEmpty()) parts.append(m_run.doing);
  if (m_run.step > 0)
    parts.append(m_run.step == 1 ? tr("1 update") : tr("%1 updates").arg(QLocale().toString(m_run.step)));
  if (m_run.durationSeconds > 0) parts.append(durationText(m_run.durationSeconds));
  const QString growth = growthText(m_run);
  if (!growth.isEmpty()) parts.append(growth);
  if (!growth.isEmpty() && isLive(m_run.state)) m_grows.start(1000);
  if (isLive(m_run.state) && m_run.doing.isEmpty() && !m_run.followed)
    parts.append(m_run.remainingSeconds < 0 ? tr("– left")
                                            : tr("about %1 left").arg(durationText(m_run.remainingSeconds)));
  if (m_run.attempts > 1) parts.append(tr("attempt %1").arg(m_run.attempts));
  m_state->setText(parts.join(QStringLiteral(" · ")));
  colourState();
}

void RunDetailsPanel::colourState() {
  setTextColour(m_state, Theme::of(palette()).state(runStateLook(m_run.state, m_run.cause).colour));
}

// Gives the notes more height where there is room.
void RunDetailsPanel::resizeEvent(QResizeEvent* event) {
  constexpr int kUsualHeight = 620, kMostNotes = 260;
  QWidget::resizeEvent(event);
  m_notes->setMaximumHeight(qBound(kLeastNotes, (height() - kUsualHeight) / 2, kMostNotes));
}

void RunDetailsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !m_run.uuid.isEmpty()) colourState();
}

void RunDetailsPanel::refreshDiff() {
  if (m_run.uuid.isEmpty()) return;
  const QString other = m_against->currentData().toString();
  Json left = Json::object();
  QString leftName = tr("Defaults");
  for (const RunItem& run : std::as_const(m_others)) {
    if (run.uuid != other || other.isEmpty()) continue;
    left = run.config.toJson();
    leftName = run.name;
  }
  if (other.isEmpty() && m_schema != nullptr)
    for (const OptionField& field : m_schema->fields()) left[field.key] = field.defaultValue;
  m_diffModel->setConfigs(leftName, left, m_run.name, m_run.config.toJson(), m_schema);
  const bool any = m_diffModel->rowCount() > 0;
  m_diff->setVisible(any);
  m_same->setVisible(!any);
  m_same->setText(tr("No option differs from %1.").arg(leftName));
}

void RunDetailsPanel::fillProvenance(const Json& json) {
  m_provenance->clear();
  Json shown = json;
  if (shown.contains("warnings")) {
    Json said = Json::array();
    for (const Phrase& warning : readPhrases(json, "warnings")) said.push_back(toUtf8(phraseText(warning)));
    shown["warnings"] = std::move(said);
    shown.erase("warnings_phrase");
  }
  addJson(m_provenance->invisibleRootItem(), shown);
  m_provenance->expandAll();
  // Both columns can be read: a long name or value is cut and told by its tool tip.
  constexpr int kSmallest = 256;
  m_provenance->resizeColumnToContents(0);
  m_provenance->setColumnWidth(0, qMin(m_provenance->columnWidth(0), qMax(width(), kSmallest) * 3 / 5));
}

// The newest first: that is the one that people ask about.
void RunDetailsPanel::fillAttempts(const QVector<RunDetails::Attempt>& attempts) {
  m_attempts->clear();
  const QLocale locale;
  for (auto attempt = attempts.crbegin(); attempt != attempts.crend(); ++attempt) {
    const RunStateLook look = runStateLook(attempt->state, attempt->cause);
    const QString cause = runCauseText(attempt->cause);
    const bool here = attempt->place == QLatin1String("local");
    auto* item = new QTreeWidgetItem(
        m_attempts,
        {locale.toString(attempt->number), here ? tr("This machine") : attempt->place,
         cause.isEmpty() || cause == look.word ? look.word : tr("%1: %2").arg(look.word, cause),
         attempt->step > 0 ? locale.toString(attempt->step) : QString(), attempt->host, attempt->job,
         attempt->ended.isValid() ? locale.toString(attempt->ended.toLocalTime(), QLocale::ShortFormat)
                                  : QString()});
    for (int column = 0; column < item->columnCount(); ++column) item->setToolTip(column, item->text(column));
  }
}

void RunDetailsPanel::setDetails(const RunDetails& details) {
  if (details.uuid != m_run.uuid) return;
  fillProvenance(details.provenance);
  if (details.initReport.is_null()) {
    m_init->showNothing(!m_run.config.empty());
  } else {
    m_init->showReport(details.initReport);
  }
  showText(m_outcome, details.outcomeText);
  fillAttempts(details.attempts);
  m_files->clear();
  addFiles(m_files, details.files);
  if (details.filesProblem.isEmpty()) return;
  auto* problem = new QTreeWidgetItem(m_files, {details.filesProblem});
  problem->setToolTip(0, details.filesProblem);
  problem->setFlags(Qt::ItemIsEnabled);
}

void RunDetailsPanel::editNotes() {
  m_tabs->setCurrentIndex(0);
  m_notes->setFocus();
}

void RunDetailsPanel::editTags() {
  m_tabs->setCurrentIndex(0);
  m_tags->setFocus();
  m_tags->selectAll();
}

}  // namespace fathom
