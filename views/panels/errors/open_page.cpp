// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/open_page.h"

#include <QAction>
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

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

OpenPage::OpenPage(const QString& third, QWidget* parent)
    : QWidget(parent),
      m_files(columnList(this, {tr("Model"), tr("File"), third}, tr("Prediction files"))),
      m_problem(wrappedLabel(this, QStringLiteral("openProblem"))),
      m_open(new QPushButton(tr("Open"), this)) {
  setAcceptDrops(true);
  m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_files->header()->setSectionResizeMode(kPath, QHeaderView::Stretch);
  m_files->header()->setStretchLastSection(false);
  m_files->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_files->setTextElideMode(Qt::ElideLeft);
  m_files->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_problem->hide();
  m_open->setObjectName(QStringLiteral("openFiles"));
  m_open->setDefault(true);
  m_open->setProperty("primary", true);
  connect(m_open, &QPushButton::clicked, this, &OpenPage::openRequested);
}

QLayout* OpenPage::makeHead(const QString& title) {
  auto* back = new QPushButton(tr("Back"), this);
  connect(back, &QPushButton::clicked, this, &OpenPage::closed);
  return makeRow({{pageTitle(this, title), 1}, back});
}

QString OpenPage::hintText(const Phrase& predictions) {
  return tr("%1. Double click a name to change it.").arg(phraseText(predictions));
}

QLayout* OpenPage::makeButtons(QLabel* hint, QWidget* more) {
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
  return more == nullptr ? makeRow({add, removeButton, {hint, 1}})
                         : makeRow({add, more, removeButton, {hint, 1}});
}

void OpenPage::layOut(std::initializer_list<BoxPart> above) {
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
  auto* column = makeColumn(body, above, metrics::kGroupGap);
  column->addWidget(m_files, 1);
  column->addLayout(bottom);
  column->addStretch();
  makeRow(this, {{body, 1}, BoxPart::stretch()}, 0,
          {metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap});
}

QLineEdit* OpenPage::addField(QFormLayout* form, const QString& key, const QString& title, const QString& tip,
                              bool isPath) {
  auto* row = new QWidget(this);
  auto* edit = new QLineEdit(row);
  edit->setObjectName(key);
  connect(edit, &QLineEdit::textEdited, this, [this] { setProblem({}); });  // it was about another text
  edit->setAccessibleName(title);
  edit->setToolTip(tip);
  edit->setPlaceholderText(tip);
  m_fields.insert(key, edit);
  connect(edit, &QLineEdit::textChanged, this, [this] { refresh(); });
  form->addRow(title, row);
  if (!isPath) {
    makeRow(row, {{edit, 1}});
    return edit;
  }
  auto* browse = new QPushButton(icon(QStringLiteral("folder")), {}, row);
  browse->setToolTip(tr("Choose…"));
  browse->setAccessibleName(tr("Choose: %1").arg(title));
  connect(browse, &QPushButton::clicked, this, [this, key] { Q_EMIT browseRequested(key); });
  makeRow(row, {{edit, 1}, browse});
  return edit;
}

QString OpenPage::fieldText(const QString& key) const {
  const QLineEdit* edit = field(key);
  return edit == nullptr ? QString() : edit->text().trimmed();
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
}

QTreeWidgetItem* OpenPage::itemOf(const QString& path) const {
  for (int i = 0; i < m_files->topLevelItemCount(); ++i)
    if (m_files->topLevelItem(i)->data(kPath, Qt::UserRole).toString() == path)
      return m_files->topLevelItem(i);
  return nullptr;
}

void OpenPage::setProblem(const QString& text) {
  showText(m_problem, text);
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
