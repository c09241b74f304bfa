// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/open_predictions_page.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTreeWidget>
#include <QUrl>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/errors/open_page_layout.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {
enum FileColumn { kName, kPath, kSqlColumn };
}

OpenPredictionsPage::OpenPredictionsPage(QWidget* parent)
    : QWidget(parent),
      m_preset(new QComboBox(this)),
      m_files(columnList(this, {tr("Model"), tr("File"), tr("SQL column")}, tr("Prediction files"))),
      m_problem(wrappedLabel(this, QStringLiteral("openProblem"))),
      m_open(new QPushButton(tr("Open"), this)) {
  setAcceptDrops(true);
  QLabel* title = pageTitle(this, tr("Open predictions"));
  auto* back = new QPushButton(tr("Back"), this);
  connect(back, &QPushButton::clicked, this, &OpenPredictionsPage::closed);
  auto* head = makeRow({{title, 1}, back});

  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  addPath(form, QStringLiteral("gold"), tr("Gold SQL"),
          tr("One query per line: SQL, a tab, the database (dev_gold.sql)"));
  addPath(form, QStringLiteral("tables"), tr("Schemas"), tr("Spider's tables.json"));
  addPath(form, QStringLiteral("questions"), tr("Questions (optional)"),
          tr("The JSON file with the questions of the same examples (dev.json)"));
  addPath(form, QStringLiteral("databases"), tr("Databases (optional)"),
          tr("Folder with <db_id>/<db_id>.sqlite; needed only to execute queries"));
  m_preset->addItem(tr("as in the paper: joined tables belong to the sketch"), QStringLiteral("paper_like"));
  m_preset->addItem(tr("tables inferred: joined tables do not count"), QStringLiteral("tables_inferred"));
  m_preset->setAccessibleName(tr("Definitions of the categories"));
  form->addRow(tr("Categories"), m_preset);

  m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_files->header()->setSectionResizeMode(kPath, QHeaderView::Stretch);
  m_files->header()->setStretchLastSection(false);
  m_files->setColumnWidth(kName, 160);
  m_files->setColumnWidth(kSqlColumn, 170);
  m_files->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_files->setTextElideMode(Qt::ElideLeft);
  QAction* remove = addKeyAction(m_files, tr("Remove"), QKeySequence::Delete);
  remove->setIcon(icon(QStringLiteral("trash")));
  connect(remove, &QAction::triggered, this, &OpenPredictionsPage::removeSelected);
  m_files->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* add = new QPushButton(icon(QStringLiteral("import")), tr("Add prediction files…"), this);
  connect(add, &QPushButton::clicked, this,
          [this] { Q_EMIT browseRequested(QStringLiteral("predictions")); });
  auto* removeButton = new QPushButton(remove->icon(), remove->text(), this);
  connect(removeButton, &QPushButton::clicked, remove, &QAction::trigger);
  auto* hint = new QLabel(tr("SQL per line, with or without the database; JSON, JSONL or CSV. Double click a "
                             "name to change it."),
                          this);
  hint->setWordWrap(true);
  auto* buttons = makeRow({add, removeButton, {hint, 1}});

  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_problem->hide();
  m_open->setDefault(true);
  connect(m_open, &QPushButton::clicked, this, &OpenPredictionsPage::openRequested);
  m_open->setProperty("primary", true);
  layOutOpenPage(this, {head, form, buttons}, m_files, m_problem, m_open);
  refresh();
}

void OpenPredictionsPage::addPath(QFormLayout* form, const QString& field, const QString& title,
                                  const QString& tip) {
  auto* edit = new QLineEdit(this);
  edit->setObjectName(field);
  connect(edit, &QLineEdit::textEdited, this, [this] { setProblem({}); });  // it was about another text
  edit->setAccessibleName(title);
  edit->setToolTip(tip);
  edit->setPlaceholderText(tip);
  auto* browse = new QPushButton(icon(QStringLiteral("folder")), {}, this);
  browse->setToolTip(tr("Choose…"));
  browse->setAccessibleName(tr("Choose: %1").arg(title));
  auto* row = makeRow({{edit, 1}, browse});
  form->addRow(title, row);
  m_paths.insert(field, edit);
  connect(browse, &QPushButton::clicked, this, [this, field] { Q_EMIT browseRequested(field); });
  connect(edit, &QLineEdit::textChanged, this, &OpenPredictionsPage::refresh);
  if (field == QLatin1String("gold"))
    connect(edit, &QLineEdit::editingFinished, this, [this, edit] { Q_EMIT goldChosen(edit->text()); });
}

void OpenPredictionsPage::setSources(const ReviewSources& sources, const QString& preset) {
  setPath(QStringLiteral("gold"), fromUtf8(sources.gold));
  setPath(QStringLiteral("tables"), fromUtf8(sources.tables));
  setPath(QStringLiteral("questions"), fromUtf8(sources.questions));
  setPath(QStringLiteral("databases"), fromUtf8(sources.databases));
  m_preset->setCurrentIndex(qMax(0, m_preset->findData(preset)));
  m_files->clear();
  for (const ReviewPrediction& each : sources.predictions) {
    const QString path = fromUtf8(each.path);
    addPredictions({path});
    if (QTreeWidgetItem* item = itemOf(path)) {
      item->setText(kName, fromUtf8(each.name));
      const QString column = fromUtf8(each.options.sqlColumn);
      if (!column.isEmpty()) setColumns(path, {column}, column);
    }
  }
  setProblem({});
  refresh();
}

ReviewSources OpenPredictionsPage::sources() const {
  const auto path = [this](const char* field) {
    return toUtf8(m_paths.value(QString::fromLatin1(field))->text().trimmed());
  };
  ReviewSources sources;
  sources.gold = path("gold");
  sources.tables = path("tables");
  sources.questions = path("questions");
  sources.databases = path("databases");
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    ReviewPrediction each;
    each.name = toUtf8(item->text(kName).trimmed());
    each.path = toUtf8(item->data(kPath, Qt::UserRole).toString());
    if (const auto* box = qobject_cast<QComboBox*>(m_files->itemWidget(item, kSqlColumn)))
      each.options.sqlColumn = toUtf8(box->currentText());
    sources.predictions.push_back(std::move(each));
  }
  return sources;
}

QString OpenPredictionsPage::preset() const {
  return m_preset->currentData().toString();
}

void OpenPredictionsPage::setPath(const QString& field, const QString& path, bool onlyEmpty) {
  QLineEdit* edit = m_paths.value(field);
  if (edit != nullptr && (!onlyEmpty || edit->text().isEmpty())) edit->setText(path);
}

void OpenPredictionsPage::addPredictions(const QStringList& files) {
  QStringList added;
  for (const QString& file : files) {
    if (itemOf(file) != nullptr) continue;
    const ReviewPrediction named = reviewPrediction(toUtf8(file));
    QString name = fromUtf8(named.name);
    const auto taken = [this](const QString& wanted) {
      return !m_files->findItems(wanted, Qt::MatchExactly, kName).isEmpty();
    };
    for (int i = 2; taken(name); ++i) name = QStringLiteral("%1 %2").arg(fromUtf8(named.name)).arg(i);
    auto* item = new QTreeWidgetItem(m_files, {name, file});
    item->setSizeHint(0, {0, metrics::kTableRow});
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    item->setData(kPath, Qt::UserRole, file);
    item->setToolTip(kPath, file);
    added.append(file);
  }
  if (!added.isEmpty()) setProblem({});
  refresh();
  if (!added.isEmpty()) Q_EMIT filesAdded(added);
}

QTreeWidgetItem* OpenPredictionsPage::itemOf(const QString& file) const {
  for (int i = 0; i < m_files->topLevelItemCount(); ++i)
    if (m_files->topLevelItem(i)->data(kPath, Qt::UserRole).toString() == file)
      return m_files->topLevelItem(i);
  return nullptr;
}

void OpenPredictionsPage::setColumns(const QString& file, const QStringList& columns, const QString& used) {
  QTreeWidgetItem* item = itemOf(file);
  if (item == nullptr) return;
  QString chosen = used;
  if (const auto* before = qobject_cast<QComboBox*>(m_files->itemWidget(item, kSqlColumn)))
    if (columns.contains(before->currentText())) chosen = before->currentText();
  m_files->removeItemWidget(item, kSqlColumn);
  if (columns.isEmpty()) {
    item->setText(kSqlColumn, tr("one per line"));
    return;
  }
  item->setText(kSqlColumn, {});
  auto* box = new QComboBox(m_files);
  box->addItems(columns);
  box->setPlaceholderText(tr("choose…"));
  box->setCurrentIndex(columns.indexOf(chosen));
  box->setAccessibleName(tr("SQL column of %1").arg(item->text(kName)));
  box->setToolTip(tr("The column or key that holds the predicted SQL"));
  connect(box, &QComboBox::currentIndexChanged, this, [this, item] {
    item->setIcon(kPath, {});
    setProblem({});
    refresh();
  });
  m_files->setItemWidget(item, kSqlColumn, box);
  refresh();
}

void OpenPredictionsPage::setProblem(const QString& text) {
  showText(m_problem, text);
}

void OpenPredictionsPage::setFileProblem(const QString& file, const QString& text) {
  QTreeWidgetItem* item = itemOf(file);
  if (item == nullptr) return;
  item->setIcon(kPath, icon(QStringLiteral("warning")));
  item->setToolTip(kPath, text);
  setProblem(text);
}

void OpenPredictionsPage::removeSelected() {
  for (QTreeWidgetItem* item : m_files->selectedItems()) delete item;
  setProblem({});  // it may have been about one of them
  refresh();
}

void OpenPredictionsPage::refresh() {
  const bool complete = m_files->topLevelItemCount() > 0 &&
                        !m_paths.value(QStringLiteral("gold"))->text().trimmed().isEmpty() &&
                        !m_paths.value(QStringLiteral("tables"))->text().trimmed().isEmpty();
  QString unchosen;
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    const auto* box = qobject_cast<QComboBox*>(m_files->itemWidget(item, kSqlColumn));
    if (box != nullptr && box->currentIndex() < 0) unchosen = item->text(kName);
  }
  m_open->setEnabled(complete && unchosen.isEmpty());
  m_open->setToolTip(!complete            ? tr("Needs gold SQL, schemas and at least one prediction file")
                     : unchosen.isEmpty() ? QString()
                                          : tr("Which column of %1 holds the SQL?").arg(unchosen));
}

void OpenPredictionsPage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void OpenPredictionsPage::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files.append(url.toLocalFile());
  addPredictions(files);
  event->acceptProposedAction();
}

}  // namespace fathom
