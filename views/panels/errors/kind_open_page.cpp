// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/kind_open_page.h"

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
#include <QSignalBlocker>
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
enum KindFileColumn { kKindName, kKindPath, kKindOdds };
}

KindOpenPage::KindOpenPage(QWidget* parent)
    : QWidget(parent),
      m_kind(new QComboBox(this)),
      m_description(wrappedLabel(this)),
      m_formArea(new QWidget(this)),
      m_form(new QFormLayout(m_formArea)),
      m_hint(wrappedLabel(this)),
      m_files(columnList(this, {tr("Model"), tr("File"), tr("Null odds")}, tr("Prediction files"))),
      m_odds(new QPushButton(tr("Null odds…"), this)),
      m_problem(wrappedLabel(this, QStringLiteral("openProblem"))),
      m_open(new QPushButton(tr("Open"), this)) {
  setAcceptDrops(true);
  auto* back = new QPushButton(tr("Back"), this);
  connect(back, &QPushButton::clicked, this, &KindOpenPage::closed);
  auto* head = makeRow({{pageTitle(this, tr("Open predictions of another task")), 1}, back});
  m_kind->setAccessibleName(tr("Kind of predictions"));
  for (const ReviewKind& each : reviewKinds())
    if (!each.ownPanels) m_kind->addItem(phraseText(each.title), fromUtf8(each.id));
  connect(m_kind, &QComboBox::currentIndexChanged, this, &KindOpenPage::fillForm);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_form->setContentsMargins(0, 0, 0, 0);
  m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_files->header()->setSectionResizeMode(kKindPath, QHeaderView::Stretch);
  m_files->header()->setStretchLastSection(false);
  m_files->setColumnWidth(kKindName, 180);
  m_files->setColumnWidth(kKindOdds, 220);
  m_files->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_files->setTextElideMode(Qt::ElideLeft);
  QAction* remove = addKeyAction(m_files, tr("Remove"), QKeySequence::Delete);
  remove->setIcon(icon(QStringLiteral("trash")));
  connect(remove, &QAction::triggered, this, [this] {
    for (QTreeWidgetItem* item : m_files->selectedItems()) delete item;
    setProblem({});  // it may have been about one of them
    refresh();
  });
  m_files->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* add = new QPushButton(icon(QStringLiteral("import")), tr("Add prediction files…"), this);
  connect(add, &QPushButton::clicked, this,
          [this] { Q_EMIT browseRequested(QStringLiteral("predictions")); });
  auto* removeButton = new QPushButton(remove->icon(), remove->text(), this);
  connect(removeButton, &QPushButton::clicked, remove, &QAction::trigger);
  m_odds->setToolTip(
      tr("SQuAD's file of null odds (id: number) that belongs to the selected predictions; it may also be "
         "typed into the list"));
  connect(m_odds, &QPushButton::clicked, this, [this] { Q_EMIT browseRequested(QLatin1String(kNullOdds)); });
  connect(m_files, &QTreeWidget::currentItemChanged, this, &KindOpenPage::refresh);
  auto* buttons = makeRow({add, m_odds, removeButton, {m_hint, 1}});
  m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_problem->hide();
  m_open->setDefault(true);
  connect(m_open, &QPushButton::clicked, this, &KindOpenPage::openRequested);
  m_open->setProperty("primary", true);
  layOutOpenPage(this, {head, m_kind, m_description, m_formArea, buttons}, m_files, m_problem, m_open);
  fillForm();
}

const ReviewKind* KindOpenPage::kind() const {
  const auto found = findReviewKind(toUtf8(m_kind->currentData().toString()));
  return found.ok() ? *found : nullptr;
}

void KindOpenPage::setKind(const QString& id) {
  m_kind->setCurrentIndex(qMax(0, m_kind->findData(id)));
}

// What the kind's entry says it reads.
void KindOpenPage::fillForm() {
  while (m_form->rowCount() > 0) m_form->removeRow(0);
  m_fields.clear();
  const ReviewKind* chosen = kind();
  if (chosen == nullptr) return;
  m_description->setText(phraseText(chosen->description));
  m_files->setColumnHidden(kKindOdds, !chosen->nullOdds);
  m_odds->setVisible(chosen->nullOdds);
  addField(QStringLiteral("gold"), tr("Gold"), phraseText(chosen->goldHelp), true);
  for (const KindFile& file : chosen->files)
    addField(fromUtf8(file.key), phraseText(file.title), phraseText(file.help), true);
  for (const KindOption& option : chosen->options)
    addField(fromUtf8(option.key), phraseText(option.title), phraseText(option.help), false);
  m_hint->setText(tr("%1. Double click a name to change it.").arg(phraseText(chosen->predictionsHelp)));
  setProblem({});
  refresh();
}

void KindOpenPage::addField(const QString& key, const QString& title, const QString& tip, bool isPath) {
  auto* edit = new QLineEdit(m_formArea);
  edit->setObjectName(key);
  connect(edit, &QLineEdit::textEdited, this, [this] { setProblem({}); });  // it was about another text
  edit->setAccessibleName(title);
  edit->setToolTip(tip);
  edit->setPlaceholderText(tip);
  m_fields.insert(key, edit);
  connect(edit, &QLineEdit::textChanged, this, &KindOpenPage::refresh);
  if (!isPath) {
    m_form->addRow(title, edit);
    return;
  }
  auto* browse = new QPushButton(icon(QStringLiteral("folder")), {}, m_formArea);
  browse->setToolTip(tr("Choose…"));
  browse->setAccessibleName(tr("Choose: %1").arg(title));
  connect(browse, &QPushButton::clicked, this, [this, key] { Q_EMIT browseRequested(key); });
  auto* row = new QWidget(m_formArea);
  makeRow(row, {{edit, 1}, browse});
  m_form->addRow(title, row);
}

void KindOpenPage::setSources(const KindSources& sources) {
  setKind(fromUtf8(sources.kind));
  fillForm();
  setPath(QStringLiteral("gold"), fromUtf8(sources.gold));
  for (const auto& [key, path] : sources.files) setPath(fromUtf8(key), fromUtf8(path));
  for (const auto& [key, value] : sources.options.items())
    if (value.is_string()) setPath(fromUtf8(key), fromUtf8(value.get<std::string>()));
  m_files->clear();
  for (const KindPredictions& each : sources.predictions) {
    addPredictions({fromUtf8(each.path)});
    QTreeWidgetItem* item = m_files->topLevelItem(m_files->topLevelItemCount() - 1);
    item->setText(kKindName, fromUtf8(each.name));
    item->setText(kKindOdds, fromUtf8(each.nullOdds));
  }
  refresh();
}

KindSources KindOpenPage::sources() const {
  KindSources sources;
  const ReviewKind* chosen = kind();
  if (chosen == nullptr) return sources;
  const auto text = [this](const std::string& key) {
    const QLineEdit* edit = m_fields.value(fromUtf8(key));
    return edit == nullptr ? std::string() : toUtf8(edit->text().trimmed());
  };
  sources.kind = chosen->id;
  sources.gold = text("gold");
  for (const KindFile& file : chosen->files)
    if (const std::string path = text(file.key); !path.empty()) sources.files[file.key] = path;
  for (const KindOption& option : chosen->options)
    if (const std::string value = text(option.key); !value.empty()) sources.options[option.key] = value;
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = m_files->topLevelItem(i);
    sources.predictions.push_back(
        {toUtf8(item->text(kKindName).trimmed()), toUtf8(item->text(kKindPath)),
         chosen->nullOdds ? toUtf8(item->text(kKindOdds).trimmed()) : std::string()});
  }
  return sources;
}

void KindOpenPage::setPath(const QString& field, const QString& path) {
  if (QLineEdit* edit = m_fields.value(field)) edit->setText(path);
  QTreeWidgetItem* item = m_files->currentItem();
  if (item == nullptr && m_files->topLevelItemCount() == 1) item = m_files->topLevelItem(0);
  if (field != QLatin1String(kNullOdds) || item == nullptr) return;
  item->setText(kKindOdds, path);
  item->setToolTip(kKindOdds, path);
}

void KindOpenPage::addPredictions(const QStringList& files) {
  for (const QString& file : files) {
    if (!m_files->findItems(file, Qt::MatchExactly, kKindPath).isEmpty()) continue;
    const QString wanted = fromUtf8(kindPredictions(toUtf8(file)).name);
    QString name = wanted;
    for (int i = 2; !m_files->findItems(name, Qt::MatchExactly, kKindName).isEmpty(); ++i)
      name = QStringLiteral("%1 %2").arg(wanted).arg(i);
    auto* item = new QTreeWidgetItem(m_files, {name, file});
    item->setSizeHint(0, {0, metrics::kTableRow});
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    item->setToolTip(kKindPath, file);
  }
  refresh();
}

void KindOpenPage::setProblem(const QString& text) {
  showText(m_problem, text);
}

void KindOpenPage::refresh() {
  const QLineEdit* gold = m_fields.value(QStringLiteral("gold"));
  const bool complete =
      gold != nullptr && !gold->text().trimmed().isEmpty() && m_files->topLevelItemCount() > 0;
  m_odds->setEnabled(m_files->currentItem() != nullptr || m_files->topLevelItemCount() == 1);
  m_open->setEnabled(complete);
  m_open->setToolTip(complete ? QString() : tr("Needs the gold file and at least one prediction file"));
}

void KindOpenPage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void KindOpenPage::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files.append(url.toLocalFile());
  addPredictions(files);
  event->acceptProposedAction();
}

}  // namespace fathom
