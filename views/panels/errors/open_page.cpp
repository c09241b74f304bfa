// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/open_page.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTreeWidget>
#include <QUrl>

#include "core/base/json/json_members.h"
#include "core/review/reviewed_sql.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/errors/missing_paths.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {
constexpr const char* kOfMissing = "of missing";  // the problem is that of a path that names nothing
}

OpenPage::OpenPage(QWidget* parent)
    : QWidget(parent),
      m_title(pageTitle(this, {})),
      m_kind(new QComboBox(this)),
      m_description(wrappedLabel(this)),
      m_formArea(new QWidget(this)),
      m_form(new QFormLayout(m_formArea)),
      m_files(columnList(this, {tr("Model"), tr("File"), QString()}, tr("Prediction files"))),
      m_missingPaths(new MissingPaths(m_files, kPath)),
      m_hint(wrappedLabel(this)),
      m_odds(new QPushButton(tr("Null odds…"), this)),
      m_problem(wrappedLabel(this, QStringLiteral("openProblem"))),
      m_open(new QPushButton(tr("Open"), this)) {
  setAcceptDrops(true);
  m_kind->setAccessibleName(tr("Kind of predictions"));
  for (const ReviewKind& each : reviewKinds()) m_kind->addItem(phraseText(each.title), fromUtf8(each.id));
  connect(m_kind, &QComboBox::currentIndexChanged, this, &OpenPage::fillForm);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_form->setContentsMargins(0, 0, 0, 0);
  m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_files->header()->setSectionResizeMode(kPath, QHeaderView::Stretch);
  m_files->header()->setStretchLastSection(false);
  m_files->setColumnWidth(kName, 180);
  m_files->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_files->setTextElideMode(Qt::ElideLeft);
  m_files->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(m_files, &QTreeWidget::currentItemChanged, this, &OpenPage::refresh);
  m_odds->setObjectName(QStringLiteral("nullOdds"));
  m_odds->setToolTip(
      tr("SQuAD's file of null odds (id: number) that belongs to the selected predictions; it may also be "
         "typed into the list"));
  connect(m_odds, &QPushButton::clicked, this, [this] { Q_EMIT browseRequested(QLatin1String(kNullOdds)); });
  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_problem->hide();
  m_open->setObjectName(QStringLiteral("openFiles"));
  m_open->setDefault(true);
  m_open->setProperty("primary", true);
  connect(m_open, &QPushButton::clicked, this, &OpenPage::openRequested);
  connect(m_missingPaths, &MissingPaths::told, this, [this](const QString& missing) {
    if (missing.isEmpty() && m_problem->property(kOfMissing).toBool()) setProblem({});
    if (missing.isEmpty()) return;
    setProblem(tr("There is no file %1.").arg(missing));
    m_problem->setProperty(kOfMissing, true);
  });
  layOut();
  fillForm();
}

QLayout* OpenPage::makeHead() {
  auto* back = new QPushButton(tr("Back"), this);
  connect(back, &QPushButton::clicked, this, &OpenPage::closed);
  return makeRow({{m_title, 1}, back});
}

QLayout* OpenPage::makeButtons() {
  QAction* remove = addKeyAction(m_files, tr("Remove"), QKeySequence::Delete);
  remove->setIcon(icon(QStringLiteral("trash")));
  connect(remove, &QAction::triggered, this, [this] {
    for (QTreeWidgetItem* item : m_files->selectedItems()) delete item;
    setProblem({});  // it may have been about one of them
    refresh();
  });
  auto* add = new QPushButton(icon(QStringLiteral("import")), tr("Add prediction files…"), this);
  connect(add, &QPushButton::clicked, this,
          [this] { Q_EMIT browseRequested(QStringLiteral("predictions")); });
  auto* removeButton = new QPushButton(remove->icon(), remove->text(), this);
  connect(removeButton, &QPushButton::clicked, remove, &QAction::trigger);
  return makeRow({add, m_odds, removeButton, {m_hint, 1}});
}

void OpenPage::layOut() {
  constexpr int kWidestInCharacters = 140, kMostFiles = 12;
  auto* body = new QWidget(this);
  body->setMaximumWidth(kWidestInCharacters * fontMetrics().averageCharWidth());
  m_files->setMaximumHeight((kMostFiles + 1) * metrics::kFormRow);
  QSizePolicy kept = m_problem->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  m_problem->setSizePolicy(kept);
  // What is said takes no room from what is above it: the button stays where it was pressed.
  constexpr int kProblemLines = 3;
  m_problem->setMinimumHeight(kProblemLines * m_problem->fontMetrics().lineSpacing());
  m_problem->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* bottom = makeRow({{m_problem, 1}, {m_open, 0, Qt::AlignTop}});
  auto* column =
      makeColumn(body, {makeHead(), m_kind, m_description, m_formArea, makeButtons()}, metrics::kGroupGap);
  column->addWidget(m_files, 1);
  column->addLayout(bottom);
  column->addStretch();
  makeRow(this, {{body, 1}, BoxPart::stretch()}, 0,
          {metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap});
}

const ReviewKind& OpenPage::kind() const {
  return reviewKinds()[std::size_t(qMax(0, m_kind->currentIndex()))];
}

void OpenPage::setKind(const QString& id) {
  m_kind->setCurrentIndex(qMax(0, m_kind->findData(id)));
}

// The rows of the form are the files that the kind's entry says it reads.
void OpenPage::fillForm() {
  while (m_form->rowCount() > 0) m_form->removeRow(0);
  m_fields.clear();
  m_choices.clear();
  const ReviewKind& chosen = kind();
  m_title->setText(chosen.id == kSqlReviewId ? tr("Open SQL predictions")
                                             : tr("Open predictions of another task"));
  m_description->setText(phraseText(chosen.description));
  m_files->headerItem()->setText(kThird, chosen.nullOdds ? tr("Null odds") : tr("Column"));
  m_files->setColumnHidden(kThird, !chosen.nullOdds && !chosen.answerColumns);
  m_files->setColumnWidth(kThird, chosen.nullOdds ? 220 : 170);
  m_odds->setVisible(chosen.nullOdds);
  QLineEdit* gold = addField(QStringLiteral("gold"), tr("Gold"), phraseText(chosen.goldHelp), true);
  connect(gold, &QLineEdit::editingFinished, this, [this, gold] { Q_EMIT goldChosen(gold->text()); });
  for (const ReviewFile& file : chosen.files) {
    const QString title = phraseText(file.title);
    addField(fromUtf8(file.key), file.required ? title : tr("%1 (optional)").arg(title),
             phraseText(file.help), true);
  }
  for (const ReviewOption& option : chosen.options) addOption(option);
  forgetThird();
  m_hint->setText(tr("%1. Double click a name to change it.").arg(phraseText(chosen.predictionsHelp)));
  setProblem({});
  refresh();
}

// The third column was about what the kind before asks for: the files stay, and are looked at anew.
void OpenPage::forgetThird() {
  QStringList files;
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    files.append(item->data(kPath, Qt::UserRole).toString());
    m_files->removeItemWidget(item, kThird);
    item->setText(kThird, {});
    item->setToolTip(kThird, {});
    item->setIcon(kPath, {});
    item->setToolTip(kPath, files.back());
  }
  if (!files.isEmpty() && kind().answerColumns) Q_EMIT filesAdded(files);
}

// Columns are chosen for each file.
void OpenPage::addOption(const ReviewOption& option) {
  if (kind().answerColumns && option.key == "column") return;
  const QString key = fromUtf8(option.key), title = phraseText(option.title);
  if (option.choices.empty()) {
    addField(key, title, phraseText(option.help), false);
    return;
  }
  auto* box = new QComboBox(m_formArea);
  box->setObjectName(key);
  box->setAccessibleName(title);
  box->setToolTip(phraseText(option.help));
  for (const ReviewOption::Choice& each : option.choices)
    box->addItem(phraseText(each.title), fromUtf8(each.id));
  m_choices.insert(key, box);
  m_form->addRow(title, box);
}

QLineEdit* OpenPage::addField(const QString& key, const QString& title, const QString& tip, bool isPath) {
  auto* row = new QWidget(this);
  auto* edit = new QLineEdit(row);
  edit->setObjectName(key);
  connect(edit, &QLineEdit::textEdited, this, [this] { setProblem({}); });  // it was about another text
  edit->setAccessibleName(title);
  edit->setToolTip(tip);
  edit->setPlaceholderText(tip);
  m_fields.insert(key, edit);
  connect(edit, &QLineEdit::textChanged, this, [this] { refresh(); });
  m_form->addRow(title, row);
  if (!isPath) {
    makeRow(row, {{edit, 1}});
    return edit;
  }
  m_missingPaths->watch(edit);
  auto* browse = new QPushButton(icon(QStringLiteral("folder")), {}, row);
  browse->setToolTip(tr("Choose…"));
  browse->setAccessibleName(tr("Choose: %1").arg(title));
  connect(browse, &QPushButton::clicked, this, [this, key] { Q_EMIT browseRequested(key); });
  makeRow(row, {{edit, 1}, browse});
  return edit;
}

QString OpenPage::fieldText(const QString& key) const {
  if (const QComboBox* box = choice(key)) return box->currentData().toString();
  const QLineEdit* edit = field(key);
  return edit == nullptr ? QString() : edit->text().trimmed();
}

void OpenPage::setSources(const ReviewSources& sources) {
  m_files->clear();
  setKind(fromUtf8(sources.kind));
  fillForm();
  setPath(QStringLiteral("gold"), fromUtf8(sources.gold));
  for (const auto& [key, path] : sources.files) setPath(fromUtf8(key), fromUtf8(path));
  for (const auto& [key, value] : sources.options.items())
    if (value.is_string()) setPath(fromUtf8(key), fromUtf8(value.get<std::string>()));
  for (const ReviewPredictions& each : sources.predictions) {
    const QString path = fromUtf8(each.path);
    addPredictions({path});
    QTreeWidgetItem* item = itemOf(path);
    item->setText(kName, fromUtf8(each.name));
    const QString column = fromUtf8(each.column);
    if (!column.isEmpty()) setColumns(path, {column}, column);
    if (kind().nullOdds) item->setText(kThird, fromUtf8(each.nullOdds));
  }
  setProblem({});
  refresh();
}

ReviewSources OpenPage::sources() const {
  const auto text = [this](const std::string& key) { return toUtf8(fieldText(fromUtf8(key))); };
  ReviewSources sources{kind().id, text("gold")};
  for (const ReviewFile& file : kind().files)
    if (const std::string path = text(file.key); !path.empty()) sources.files[file.key] = path;
  for (const ReviewOption& option : kind().options)
    if (const std::string value = text(option.key); !value.empty()) sources.options[option.key] = value;
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    ReviewPredictions each{toUtf8(item->text(kName).trimmed()),
                           toUtf8(item->data(kPath, Qt::UserRole).toString())};
    if (kind().nullOdds) each.nullOdds = toUtf8(item->text(kThird).trimmed());
    if (const QComboBox* box = columnBox(item)) each.column = toUtf8(box->currentText());
    sources.predictions.push_back(std::move(each));
  }
  return sources;
}

void OpenPage::setPath(const QString& key, const QString& path, bool onlyEmpty) {
  if (QComboBox* box = choice(key)) box->setCurrentIndex(qMax(0, box->findData(path)));
  QLineEdit* edit = field(key);
  if (edit != nullptr && (!onlyEmpty || edit->text().isEmpty())) edit->setText(path);
  if (key == QLatin1String(kNullOdds)) setNullOdds(path);
}

void OpenPage::setNullOdds(const QString& path) {
  QTreeWidgetItem* item = m_files->currentItem();
  if (item == nullptr && m_files->topLevelItemCount() == 1) item = m_files->topLevelItem(0);
  if (item == nullptr) return;
  item->setText(kThird, path);
  item->setToolTip(kThird, path);
}

void OpenPage::addPredictions(const QStringList& files) {
  QStringList added;
  for (const QString& file : files) {
    if (itemOf(file) != nullptr) continue;
    addFile(file, fromUtf8(reviewPredictions(toUtf8(file)).name));
    added.append(file);
  }
  if (!added.isEmpty()) setProblem({});
  refresh();
  if (!added.isEmpty() && kind().answerColumns) Q_EMIT filesAdded(added);
}

void OpenPage::addFile(const QString& path, const QString& wanted) {
  QString name = wanted;
  for (int i = 2; !m_files->findItems(name, Qt::MatchExactly, kName).isEmpty(); ++i)
    name = QStringLiteral("%1 %2").arg(wanted).arg(i);
  auto* item = new QTreeWidgetItem(m_files, {name, path});
  item->setSizeHint(0, {0, metrics::kTableRow});
  item->setFlags(item->flags() | Qt::ItemIsEditable);
  item->setData(kPath, Qt::UserRole, path);
  item->setToolTip(kPath, path);
  m_missingPaths->askSoon();
}

QTreeWidgetItem* OpenPage::itemOf(const QString& path) const {
  for (int i = 0; i < m_files->topLevelItemCount(); ++i)
    if (m_files->topLevelItem(i)->data(kPath, Qt::UserRole).toString() == path)
      return m_files->topLevelItem(i);
  return nullptr;
}

QComboBox* OpenPage::columnBox(QTreeWidgetItem* item) const {
  return qobject_cast<QComboBox*>(m_files->itemWidget(item, kThird));
}

void OpenPage::setColumns(const QString& file, const QStringList& columns, const QString& used) {
  QTreeWidgetItem* item = itemOf(file);
  if (item == nullptr || !kind().answerColumns) return;
  QString chosen = used;
  if (const QComboBox* before = columnBox(item); before != nullptr && columns.contains(before->currentText()))
    chosen = before->currentText();
  m_files->removeItemWidget(item, kThird);
  if (columns.isEmpty()) {
    item->setText(kThird, tr("one per line"));
    return;
  }
  item->setText(kThird, {});
  auto* box = new QComboBox(m_files);
  box->addItems(columns);
  box->setPlaceholderText(tr("choose…"));
  box->setCurrentIndex(columns.indexOf(chosen));
  box->setAccessibleName(tr("Column of %1").arg(item->text(kName)));
  box->setToolTip(tr("The column or key that holds the predicted SQL"));
  connect(box, &QComboBox::currentIndexChanged, this, [this, item] {
    item->setIcon(kPath, {});
    setProblem({});
    refresh();
  });
  m_files->setItemWidget(item, kThird, box);
  refresh();
}

void OpenPage::setFileProblem(const QString& file, const QString& text) {
  QTreeWidgetItem* item = itemOf(file);
  if (item == nullptr || !kind().answerColumns) return;
  item->setIcon(kPath, icon(QStringLiteral("warning")));
  item->setToolTip(kPath, text);
  setProblem(text);
}

void OpenPage::setProblem(const QString& text) {
  m_problem->setProperty(kOfMissing, false);
  showText(m_problem, text);
}

QString OpenPage::missing() const {
  bool complete = m_files->topLevelItemCount() > 0 && !fieldText(QStringLiteral("gold")).isEmpty();
  QStringList needed = {tr("Gold")};
  for (const ReviewFile& file : kind().files) {
    if (!file.required) continue;
    needed.append(phraseText(file.title));
    complete = complete && !fieldText(fromUtf8(file.key)).isEmpty();
  }
  if (!complete)
    return tr("Needs %1 and at least one prediction file").arg(needed.join(QStringLiteral(", ")));
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    const QComboBox* box = columnBox(item);
    if (box != nullptr && box->currentIndex() < 0)
      return tr("Which column of %1 holds the SQL?").arg(item->text(kName));
  }
  return {};
}

void OpenPage::refresh() {
  const QString what = missing();
  m_odds->setEnabled(m_files->currentItem() != nullptr || m_files->topLevelItemCount() == 1);
  m_open->setEnabled(what.isEmpty());
  m_open->setToolTip(what);
}

void OpenPage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void OpenPage::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files.append(url.toLocalFile());
  addPredictions(files);
  event->acceptProposedAction();
}

}  // namespace fathom
