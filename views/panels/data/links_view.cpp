// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/data/links_view.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QUndoStack>

#include "core/base/errors/word_table.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/linking/link_matrix.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

DataSplit splitOf(const QString& name) {
  return valueOf(kDataSplits, toUtf8(name));
}

}  // namespace

QString splitTitle(const QString& split) {
  const auto known = findWord(kDataSplits, toUtf8(split));
  if (!known) return split;
  if (*known == DataSplit::Train) return LinksView::tr("Training");
  return *known == DataSplit::Validation ? LinksView::tr("Validation") : LinksView::tr("Test");
}

class LinkChangeCommand : public QUndoCommand {
 public:
  LinkChangeCommand(LinksView* view, LinksView::Cell cell, int code)
      : QUndoCommand(LinksView::tr("change of a link")),
        m_view(view),
        m_cell(std::move(cell)),
        m_before(view->changeOf(m_cell)),
        m_after(code) {}
  void redo() override {
    if (m_view != nullptr) m_view->apply(m_cell, m_after);
  }
  void undo() override {
    if (m_view != nullptr) m_view->apply(m_cell, m_before);
  }

 private:
  QPointer<LinksView> m_view;
  LinksView::Cell m_cell;
  int m_before, m_after;
};

LinksView::LinksView(QWidget* parent)
    : QWidget(parent),
      m_split(new QComboBox(this)),
      m_number(new QSpinBox(this)),
      m_keep(new QPushButton(tr("Keep the changes"), this)),
      m_note(wrappedLabel(this, QStringLiteral("linksNote"))),
      m_matrix(new LinkMatrix(this)) {
  m_split->setAccessibleName(tr("Part whose example is shown"));
  m_split->setObjectName(QStringLiteral("linksSplit"));
  m_number->setAccessibleName(tr("Number of the example"));
  m_number->setObjectName(QStringLiteral("linksNumber"));
  m_keep->setObjectName(QStringLiteral("keepLinks"));
  m_keep->setToolTip(tr("Write all links with the changes into a file of the project; the new run reads it"));
  auto* bar = makeRow({headingLabel(this, tr("Links")), m_split, m_number, BoxPart::stretch(), m_keep},
                      metrics::kMargin, {metrics::kMargin, metrics::kGrid, metrics::kMargin, 0});
  makeColumn(this, {bar, m_note, {m_matrix, 1}}, metrics::kGrid);
  m_matrix->model()->setEditable(true);
  connect(m_split, &QComboBox::currentIndexChanged, this, [this] {
    const QSignalBlocker block(m_number);
    m_number->setMaximum(int(std::max<qint64>(m_counts.value(m_split->currentData().toString()) - 1, 0)));
    showCurrent();
  });
  connect(m_number, &QSpinBox::valueChanged, this, &LinksView::showCurrent);
  connect(m_matrix->model(), &LinkMatrixModel::linkChanged, this, &LinksView::edited);
  connect(m_keep, &QPushButton::clicked, this, &LinksView::keepRequested);
  setVisible(false);
}

void LinksView::setUndoStack(QUndoStack* stack) {
  m_undo = stack;
}

void LinksView::setExamples(std::shared_ptr<const LinkedExamples> examples,
                            const QMap<QString, qint64>& counts, const QString& data) {
  const QString split = m_split->currentData().toString();
  const int number = m_number->value();
  m_examples = std::move(examples);
  m_counts = counts;
  if (m_data != data) {
    m_changes.clear();
    m_kept.clear();
    m_keptFile.clear();
  }
  m_data = data;
  {
    const QSignalBlocker block(m_split);
    m_split->clear();
    for (const auto& part : kDataSplits)
      if (const QString name = QString::fromLatin1(part.word); counts.value(name) > 0)
        m_split->addItem(splitTitle(name), name);
  }
  setVisible(m_examples != nullptr && m_split->count() > 0);
  if (!isHidden()) showExample(split, number);
}

void LinksView::showExample(const QString& split, qint64 index) {
  {
    const QSignalBlocker blockSplit(m_split), blockNumber(m_number);
    m_split->setCurrentIndex(std::max(m_split->findData(split), 0));
    m_number->setMaximum(int(std::max<qint64>(m_counts.value(m_split->currentData().toString()) - 1, 0)));
    m_number->setValue(int(index));
  }
  showCurrent();
}

void LinksView::showCurrent() {
  if (m_examples == nullptr || m_split->count() == 0) return;
  auto links =
      m_examples->exampleLinks(splitOf(m_split->currentData().toString()), ExampleId{m_number->value()});
  LinkMatrixModel* model = m_matrix->model();
  if (!links.ok()) {
    m_shown = {};
    model->setLinks({}, {}, {});
    m_note->setText(phraseText(links.error().phrase()));
    return;
  }
  m_shown = std::move(*links);
  QStringList words;
  QVector<LinkItem> items;
  for (const std::string& word : m_shown.words) words.append(fromUtf8(word));
  for (const ExampleLinks::Item& item : m_shown.items) items.append({fromUtf8(item.name), item.table});
  const QVector<quint8> found(m_shown.codes.begin(), m_shown.codes.end());
  QVector<quint8> codes = found;
  const QString database = fromUtf8(m_shown.database), question = fromUtf8(m_shown.question);
  const Cell first{database, question, 0, 0};
  for (auto it = m_changes.lowerBound(first); it != m_changes.cend(); ++it) {
    const Cell& cell = it.key();
    if (cell.database != database || cell.question != question) break;
    const qsizetype at = qsizetype(cell.item) * words.size() + cell.word;
    if (at < codes.size() && cell.word < words.size()) codes[at] = quint8(it.value());
  }
  model->setLinks(words, items, codes);
  model->setOriginal(found);
  tellChanges();
}

void LinksView::edited(int word, int item, int code) {
  const Cell cell{fromUtf8(m_shown.database), fromUtf8(m_shown.question), item, word};
  const auto at = std::size_t(item) * m_shown.words.size() + std::size_t(word);
  const int change = at < m_shown.codes.size() && m_shown.codes[at] == code ? -1 : code;
  auto* command = new LinkChangeCommand(this, cell, change);
  if (m_undo != nullptr) return m_undo->push(command);
  command->redo();
  delete command;
}

void LinksView::apply(const Cell& cell, int code) {
  if (code < 0)
    m_changes.remove(cell);
  else
    m_changes[cell] = code;
  const bool shown =
      cell.database == fromUtf8(m_shown.database) && cell.question == fromUtf8(m_shown.question);
  LinkMatrixModel* model = m_matrix->model();
  if (shown && cell.word < model->words().size() && cell.item < model->items().size()) {
    const auto at = std::size_t(cell.item) * m_shown.words.size() + std::size_t(cell.word);
    const int wanted = code < 0 ? m_shown.codes[at] : code;
    if (model->code(cell.word, cell.item) != wanted) showCurrent();
  }
  tellChanges();
}

std::vector<LinkChange> LinksView::changes() const {
  std::vector<LinkChange> all;
  for (auto it = m_changes.cbegin(); it != m_changes.cend(); ++it)
    all.push_back({toUtf8(it.key().database), toUtf8(it.key().question), it.key().item, it.key().word,
                   std::uint8_t(it.value())});
  return all;
}

void LinksView::setKept(const std::vector<LinkChange>& changes, const QString& file) {
  m_kept.clear();
  for (const LinkChange& change : changes)
    m_kept[{fromUtf8(change.database), fromUtf8(change.question), change.item, change.word}] = change.code;
  m_keptFile = file;
  tellChanges();
}

void LinksView::tellChanges() {
  const bool same = m_changes == m_kept;
  QString text = fromUtf8(m_shown.database);
  if (!m_changes.isEmpty() || !same)
    text += QStringLiteral(" · ") + tr("Changed links of all questions: %1").arg(m_changes.size());
  if (!m_keptFile.isEmpty())
    text += QStringLiteral(" · ") + (same ? tr("kept in %1").arg(QFileInfo(m_keptFile).fileName())
                                          : tr("changed since they were kept"));
  m_note->setText(text);
  m_keep->setEnabled(!same);
}

}  // namespace fathom
