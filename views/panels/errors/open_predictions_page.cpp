// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/open_predictions_page.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

#include "core/base/json/json_members.h"
#include "core/review/reviewed_sql.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

OpenPredictionsPage::OpenPredictionsPage(QWidget* parent)
    : OpenPage(tr("SQL column"), parent), m_preset(new QComboBox(this)) {
  QLayout* head = makeHead(tr("Open predictions"));
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  const ReviewKind& kind = *findReviewKind("sql").value();
  QLineEdit* gold = addField(form, QStringLiteral("gold"), tr("Gold SQL"), phraseText(kind.goldHelp), true);
  connect(gold, &QLineEdit::editingFinished, this, [this, gold] { Q_EMIT goldChosen(gold->text()); });
  for (const ReviewFile& file : kind.files) {
    const QString title = phraseText(file.title);
    addField(form, fromUtf8(file.key), file.required ? title : tr("%1 (optional)").arg(title),
             phraseText(file.help), true);
  }
  m_preset->addItem(tr("as in the paper: joined tables belong to the sketch"), QStringLiteral("paper_like"));
  m_preset->addItem(tr("tables inferred: joined tables do not count"), QStringLiteral("tables_inferred"));
  m_preset->setAccessibleName(tr("Definitions of the categories"));
  form->addRow(tr("Categories"), m_preset);
  m_files->setColumnWidth(kName, 160);
  m_files->setColumnWidth(kThird, 170);
  QLabel* hint = wrappedLabel(this);
  hint->setText(hintText(kind.predictionsHelp));
  layOut({head, form, makeButtons(hint)});
  refresh();
}

void OpenPredictionsPage::setSources(const ReviewSources& sources) {
  setPath(QStringLiteral("gold"), fromUtf8(sources.gold));
  for (const ReviewFile& file : findReviewKind(kSqlReviewId).value()->files) {
    const auto path = sources.files.find(file.key);
    setPath(fromUtf8(file.key), path == sources.files.end() ? QString() : fromUtf8(path->second));
  }
  m_preset->setCurrentIndex(
      qMax(0, m_preset->findData(fromUtf8(memberText(sources.options, "preset", "paper_like")))));
  m_files->clear();
  for (const ReviewPredictions& each : sources.predictions) {
    const QString path = fromUtf8(each.path);
    addPredictions({path});
    if (QTreeWidgetItem* item = itemOf(path)) {
      item->setText(kName, fromUtf8(each.name));
      const QString column = fromUtf8(each.column);
      if (!column.isEmpty()) setColumns(path, {column}, column);
    }
  }
  setProblem({});
  refresh();
}

ReviewSources OpenPredictionsPage::sources() const {
  ReviewSources sources{kSqlReviewId, toUtf8(fieldText(QStringLiteral("gold")))};
  for (const ReviewFile& file : findReviewKind(kSqlReviewId).value()->files)
    if (const QString path = fieldText(fromUtf8(file.key)); !path.isEmpty())
      sources.files[file.key] = toUtf8(path);
  sources.options["preset"] = toUtf8(preset());
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    ReviewPredictions each;
    each.name = toUtf8(item->text(kName).trimmed());
    each.path = toUtf8(item->data(kPath, Qt::UserRole).toString());
    if (const auto* box = qobject_cast<QComboBox*>(m_files->itemWidget(item, kThird)))
      each.column = toUtf8(box->currentText());
    sources.predictions.push_back(std::move(each));
  }
  return sources;
}

QString OpenPredictionsPage::preset() const {
  return m_preset->currentData().toString();
}

void OpenPredictionsPage::setPath(const QString& key, const QString& path, bool onlyEmpty) {
  QLineEdit* edit = field(key);
  if (edit != nullptr && (!onlyEmpty || edit->text().isEmpty())) edit->setText(path);
}

void OpenPredictionsPage::addPredictions(const QStringList& files) {
  QStringList added;
  for (const QString& file : files) {
    if (itemOf(file) != nullptr) continue;
    addFile(file, fromUtf8(spiderPredictions(toUtf8(file)).name));
    added.append(file);
  }
  if (!added.isEmpty()) setProblem({});
  refresh();
  if (!added.isEmpty()) Q_EMIT filesAdded(added);
}

void OpenPredictionsPage::setColumns(const QString& file, const QStringList& columns, const QString& used) {
  QTreeWidgetItem* item = itemOf(file);
  if (item == nullptr) return;
  QString chosen = used;
  if (const auto* before = qobject_cast<QComboBox*>(m_files->itemWidget(item, kThird)))
    if (columns.contains(before->currentText())) chosen = before->currentText();
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
  box->setAccessibleName(tr("SQL column of %1").arg(item->text(kName)));
  box->setToolTip(tr("The column or key that holds the predicted SQL"));
  connect(box, &QComboBox::currentIndexChanged, this, [this, item] {
    item->setIcon(kPath, {});
    setProblem({});
    refresh();
  });
  m_files->setItemWidget(item, kThird, box);
  refresh();
}

void OpenPredictionsPage::setFileProblem(const QString& file, const QString& text) {
  QTreeWidgetItem* item = itemOf(file);
  if (item == nullptr) return;
  item->setIcon(kPath, icon(QStringLiteral("warning")));
  item->setToolTip(kPath, text);
  setProblem(text);
}

void OpenPredictionsPage::refresh() {
  const bool complete = m_files->topLevelItemCount() > 0 && !fieldText(QStringLiteral("gold")).isEmpty() &&
                        !fieldText(QStringLiteral("tables")).isEmpty();
  QString unchosen;
  for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = m_files->topLevelItem(i);
    const auto* box = qobject_cast<QComboBox*>(m_files->itemWidget(item, kThird));
    if (box != nullptr && box->currentIndex() < 0) unchosen = item->text(kName);
  }
  m_open->setEnabled(complete && unchosen.isEmpty());
  m_open->setToolTip(!complete            ? tr("Needs gold SQL, schemas and at least one prediction file")
                     : unchosen.isEmpty() ? QString()
                                          : tr("Which column of %1 holds the SQL?").arg(unchosen));
}

}  // namespace fathom
