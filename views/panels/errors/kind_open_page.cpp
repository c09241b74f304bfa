// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/kind_open_page.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

#include "core/review/reviewed_sql.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

KindOpenPage::KindOpenPage(QWidget* parent)
    : OpenPage(tr("Null odds"), parent),
      m_kind(new QComboBox(this)),
      m_description(wrappedLabel(this)),
      m_formArea(new QWidget(this)),
      m_form(new QFormLayout(m_formArea)),
      m_hint(wrappedLabel(this)),
      m_odds(new QPushButton(tr("Null odds…"), this)) {
  QLayout* head = makeHead(tr("Open predictions of another task"));
  m_kind->setAccessibleName(tr("Kind of predictions"));
  for (const ReviewKind& each : reviewKinds())
    if (each.panels != kSqlReviewId) m_kind->addItem(phraseText(each.title), fromUtf8(each.id));
  connect(m_kind, &QComboBox::currentIndexChanged, this, &KindOpenPage::fillForm);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_form->setContentsMargins(0, 0, 0, 0);
  m_files->setColumnWidth(kName, 180);
  m_files->setColumnWidth(kThird, 220);
  m_odds->setObjectName(QStringLiteral("nullOdds"));
  m_odds->setToolTip(
      tr("SQuAD's file of null odds (id: number) that belongs to the selected predictions; it may also be "
         "typed into the list"));
  connect(m_odds, &QPushButton::clicked, this, [this] { Q_EMIT browseRequested(QLatin1String(kNullOdds)); });
  connect(m_files, &QTreeWidget::currentItemChanged, this, &KindOpenPage::refresh);
  layOut({head, m_kind, m_description, m_formArea, makeButtons(m_hint, m_odds)});
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
  m_files->setColumnHidden(kThird, !chosen->nullOdds);
  m_odds->setVisible(chosen->nullOdds);
  addField(m_form, QStringLiteral("gold"), tr("Gold"), phraseText(chosen->goldHelp), true);
  for (const ReviewFile& file : chosen->files)
    addField(m_form, fromUtf8(file.key), phraseText(file.title), phraseText(file.help), true);
  for (const ReviewOption& option : chosen->options)
    addField(m_form, fromUtf8(option.key), phraseText(option.title), phraseText(option.help), false);
  m_hint->setText(hintText(chosen->predictionsHelp));
  setProblem({});
  refresh();
}

void KindOpenPage::setSources(const ReviewSources& sources) {
  setKind(fromUtf8(sources.kind));
  fillForm();
  setPath(QStringLiteral("gold"), fromUtf8(sources.gold));
  for (const auto& [key, path] : sources.files) setPath(fromUtf8(key), fromUtf8(path));
  for (const auto& [key, value] : sources.options.items())
    if (value.is_string()) setPath(fromUtf8(key), fromUtf8(value.get<std::string>()));
  m_files->clear();
  for (const ReviewPredictions& each : sources.predictions) {
    addPredictions({fromUtf8(each.path)});
    QTreeWidgetItem* item = m_files->topLevelItem(m_files->topLevelItemCount() - 1);
    item->setText(kName, fromUtf8(each.name));
    item->setText(kThird, fromUtf8(each.nullOdds));
  }
  refresh();
}

ReviewSources KindOpenPage::sources() const {
  ReviewSources sources;
  const ReviewKind* chosen = kind();
  if (chosen == nullptr) return sources;
  const auto text = [this](const std::string& key) { return toUtf8(fieldText(fromUtf8(key))); };
  sources.kind = chosen->id;
  sources.gold = text("gold");
  for (const ReviewFile& file : chosen->files)
    if (const std::string path = text(file.key); !path.empty()) sources.files[file.key] = path;
  for (const ReviewOption& option : chosen->options)
    if (const std::string value = text(option.key); !value.empty()) sources.options[option.key] = value;
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = m_files->topLevelItem(i);
    sources.predictions.push_back({toUtf8(item->text(kName).trimmed()), toUtf8(item->text(kPath)),
                                   chosen->nullOdds ? toUtf8(item->text(kThird).trimmed()) : std::string()});
  }
  return sources;
}

void KindOpenPage::setPath(const QString& key, const QString& path) {
  if (QLineEdit* edit = field(key)) edit->setText(path);
  QTreeWidgetItem* item = m_files->currentItem();
  if (item == nullptr && m_files->topLevelItemCount() == 1) item = m_files->topLevelItem(0);
  if (key != QLatin1String(kNullOdds) || item == nullptr) return;
  item->setText(kThird, path);
  item->setToolTip(kThird, path);
}

void KindOpenPage::addPredictions(const QStringList& files) {
  for (const QString& file : files)
    if (itemOf(file) == nullptr) addFile(file, fromUtf8(reviewPredictions(toUtf8(file)).name));
  refresh();
}

void KindOpenPage::refresh() {
  const bool complete = !fieldText(QStringLiteral("gold")).isEmpty() && m_files->topLevelItemCount() > 0;
  m_odds->setEnabled(m_files->currentItem() != nullptr || m_files->topLevelItemCount() == 1);
  m_open->setEnabled(complete);
  m_open->setToolTip(complete ? QString() : tr("Needs the gold file and at least one prediction file"));
}

}  // namespace fathom
