// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/grid_editor.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/analysis/training/grid_preset.h"
#include "core/base/options/axis_keys.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/form/axis_values.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_completer.h"
#include "views/panels/form/tick_button.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

// "encoder.residual+decoder.residual" for the encoder's residual scheme where the decoder has one too.
QString keyOfBothStacks(const OptionSchema& schema, const OptionField& field) {
  constexpr std::string_view kEncoder = "encoder.";
  if (!field.key.starts_with(kEncoder)) return {};
  const std::string decoder = "decoder." + field.key.substr(kEncoder.size());
  const OptionField* other = schema.find(decoder);
  return other && other->type == field.type ? fromUtf8(field.key + "+" + decoder) : QString();
}

}  // namespace

QString seedKey(const OptionSchema& schema) {
  for (const OptionField& field : schema.fields()) {
    const QString key = fromUtf8(field.key);
    if (key == QLatin1String("seed") || key.endsWith(QLatin1String(".seed"))) return key;
  }
  return {};
}

GridEditor::GridEditor(QWidget* parent)
    : QWidget(parent),
      m_rowLayout(new QVBoxLayout),
      m_summary(wrappedLabel(this, QStringLiteral("gridSummary"))),
      m_add(new QPushButton(icon(QStringLiteral("new")), tr("Another option"), this)),
      m_launch(new QPushButton(icon(QStringLiteral("queue")), tr("Queue the grid"), this)) {
  m_rowLayout->setSpacing(metrics::kGrid);
  m_launch->setObjectName(QStringLiteral("launchGrid"));
  m_launch->setProperty("primary", true);
  auto* bar = makeRow({m_add, {m_summary, 1}, m_launch}, metrics::kMargin);
  makeColumn(this, {m_rowLayout, bar}, metrics::kGrid,
             {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid});
  connect(m_add, &QPushButton::clicked, this, [this] { addAxis(); });
  connect(m_launch, &QPushButton::clicked, this, &GridEditor::launchRequested);
  judge();
}

// A line that has the keyboard still says that it is left while its window goes, after the rows went.
GridEditor::~GridEditor() {
  for (const Row& row : std::as_const(m_rows)) {
    row.values->disconnect(this);
    row.key->lineEdit()->disconnect(this);
    row.key->disconnect(this);
  }
}

void GridEditor::setDraft(ExperimentDraft* draft) {
  if (m_draft != nullptr) disconnect(m_draft, nullptr, this, nullptr);
  while (!m_rows.isEmpty()) removeRow(m_rows.last().widget);
  m_draft = draft;
  m_presetAxes.clear();
  if (draft == nullptr) return;
  connect(draft, &ExperimentDraft::judged, this, &GridEditor::judge);
  startFromPresetAxes();
}

void GridEditor::setPresetAxes(const std::vector<GridAxis>& axes) {
  const auto isGone = [&](const GridAxis& former) {
    return former.isSettings() && std::none_of(axes.begin(), axes.end(), [&](const GridAxis& axis) {
             return axis.key == former.key && axis.values == former.values;
           });
  };
  for (const GridAxis& former : m_presetAxes) {
    if (!isGone(former)) continue;
    const auto row = std::find_if(m_rows.cbegin(), m_rows.cend(), [&](const Row& each) {
      return each.key->currentData().toString() == fromUtf8(former.key);
    });
    if (row != m_rows.cend()) removeRow(row->widget);
  }
  m_presetAxes = axes;
  judge();
}

void GridEditor::startFromPresetAxes() {
  while (!m_rows.isEmpty()) removeRow(m_rows.last().widget);
  for (const GridAxis& axis : m_presetAxes) {
    QStringList values;
    for (const Json& value : axis.values) values.append(fromUtf8(axisValueText(value)));
    addAxis(fromUtf8(axis.key), values.join(QStringLiteral(", ")));
  }
  if (!m_presetAxes.empty() || m_draft == nullptr) return;
  if (const QString seed = seedKey(m_draft->schema()); !seed.isEmpty()) addAxis(seed, QStringLiteral("1..3"));
}

const GridAxis* GridEditor::settingsOf(const QString& key) const {
  for (const GridAxis& axis : m_presetAxes)
    if (axis.isSettings() && axis.key == toUtf8(key)) return &axis;
  return nullptr;
}

void GridEditor::addAxis(const QString& key, const QString& values) {
  if (m_draft == nullptr) return;
  Row row;
  row.widget = new QWidget(this);
  row.key = narrowChoice(row.widget, tr("Option"), 20);
  row.values = new QLineEdit(values, row.widget);
  row.problem = wrappedLabel(row.widget);
  row.ticks = new TickButton(row.values, row.widget);
  row.key->setEditable(true);
  row.key->setInsertPolicy(QComboBox::NoInsert);
  addOptions(row.key);
  row.key->setCurrentIndex(row.key->findData(key.isEmpty() ? freeKey() : key));
  row.values->setAccessibleName(tr("Values"));
  row.values->setObjectName(QStringLiteral("values"));
  auto* remove = flatButton(row.widget, QStringLiteral("close"), tr("Remove this option from the grid"));
  auto* layout = new QHBoxLayout(row.widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kMargin);
  layout->addWidget(row.key, 1);
  layout->addWidget(row.values, 1);
  layout->addWidget(row.ticks);
  layout->addWidget(row.problem, 1);
  layout->addWidget(remove);
  m_rowLayout->addWidget(row.widget);
  m_rows.append(row);
  connect(remove, &QToolButton::clicked, this, [this, widget = row.widget] { removeRow(widget); });
  connectRow(row);
  showPossibleValues(row);
  QLineEdit* first = values.isEmpty() ? row.key->lineEdit() : row.values;
  first->selectAll();
  if (isVisible()) first->setFocus(Qt::TabFocusReason);
  judge();
}

// By their titles; the key stands in the tool tip, and behind a title that several options have.
QVector<GridEditor::Offer> GridEditor::offers() const {
  QVector<Offer> first, others;
  for (const GridAxis& axis : m_presetAxes) {
    if (!axis.isSettings()) continue;
    OptionField field;
    field.key = axis.key;
    field.title = axis.title;
    const QString title = tr("%1, as in the preset").arg(engineText(axis.title));
    first.append({title, fromUtf8(axis.key), OptionWords::of(field, title)});
  }
  QMap<QString, int> named;
  for (const OptionField& field : m_draft->schema().fields()) ++named[engineText(field.title)];
  for (const OptionField& field : m_draft->schema().fields()) {
    if (field.type == OptionType::Path) continue;
    const QString title = engineText(field.title), key = fromUtf8(field.key);
    QVector<Offer>& into = m_essentials.contains(key) ? first : others;
    into.append({named[title] > 1 ? QStringLiteral("%1  (%2)").arg(title, key) : title, key,
                 OptionWords::of(field, title)});
    const QString both = keyOfBothStacks(m_draft->schema(), field);
    if (both.isEmpty()) continue;
    const QString ofBoth = tr("%1, both stacks").arg(title);
    into.append({ofBoth, both, OptionWords::of(field, ofBoth)});
  }
  return first + others;
}

QStringList GridEditor::found(const QVector<Offer>& offers, const QString& typed) const {
  const OptionSearch search(typed);
  QMultiMap<int, QString> ranked;
  for (qsizetype i = offers.size() - 1; i >= 0; --i) {  // of one rank the last that came in is first
    const Offer& offer = offers[i];
    const QString key = fromUtf8(axisKeys(toUtf8(offer.key)).front());
    const bool active = settingsOf(offer.key) != nullptr || m_draft->active(key);
    if (search.finds(offer.words)) ranked.insert(search.rank(offer.words, active), offer.title);
  }
  return ranked.values();
}

void GridEditor::addOptions(QComboBox* box) const {
  const QVector<Offer> all = offers();
  for (const Offer& offer : all) {
    box->addItem(offer.title, offer.key);
    box->setItemData(box->count() - 1, offer.key, Qt::ToolTipRole);
  }
  new OptionCompleter(box, [this, all](const QString& typed) { return found(all, typed); });
}

void GridEditor::connectRow(const Row& row) {
  connect(row.key, &QComboBox::currentIndexChanged, this, [this, row] {
    showPossibleValues(row);
    judge();
  });
  connect(row.values, &QLineEdit::textChanged, this, &GridEditor::judge);
  connect(row.values, &QLineEdit::textEdited, this, [this, widget = row.widget](const QString& text) {
    if (!text.trimmed().isEmpty()) tellOf(widget);
  });
  connect(row.values, &QLineEdit::editingFinished, this, [this, widget = row.widget] { tellOf(widget); });
  // A word typed in part becomes the first option it fits, or empty: the text never names another option than
  // the one that is varied.
  connect(row.key->lineEdit(), &QLineEdit::editingFinished, this, [box = row.key] {
    if (box->findText(box->currentText()) >= 0) return;
    // Everything completes a blank, but names nothing.
    if (box->currentText().trimmed().isEmpty()) return box->setEditText(box->itemText(box->currentIndex()));
    if (const int key = box->findData(box->currentText().trimmed()); key >= 0)
      return box->setCurrentIndex(key);
    const QStringList fitting = static_cast<OptionCompleter*>(box->completer())->offered(box->currentText());
    if (!fitting.isEmpty()) box->setCurrentIndex(box->findText(fitting.first()));
    box->setEditText(box->itemText(box->currentIndex()));
  });
}

void GridEditor::tellOf(const QWidget* widget) {
  for (Row& row : m_rows) {
    if (row.widget != widget || row.left) continue;
    row.left = true;
    judge();
  }
}

// The values that can be ticked: the settings of a preset's axis, the choices of an option.
void GridEditor::offerTicks(const Row& row) {
  const QString key = row.key->currentData().toString();
  QStringList names, tips;
  if (const GridAxis* settings = settingsOf(key)) {
    for (const Json& value : settings->values) {
      names.append(fromUtf8(axisValueText(value)));
      tips.append(fromUtf8(value.value("options", Json()).dump()));
    }
    return row.ticks->setChoices(names, tips, [line = row.values] {
      QStringList chosen;
      for (const QString& part : line->text().split(QLatin1Char(','))) chosen.append(part.trimmed());
      return chosen;
    });
  }
  const OptionField* field = m_draft->schema().find(axisKeys(toUtf8(key)).front());
  if (field != nullptr && field->type == OptionType::Flag) names = {"true", "false"};
  if (field != nullptr && field->type == OptionType::Choice)
    for (const OptionChoice& choice : field->choices) {
      names.append(choiceTitle(choice));
      tips.append(fromUtf8(choice.id));
    }
  row.ticks->setChoices(names, tips, [line = row.values, field] {
    QStringList chosen;
    for (const QString& value : splitValues(*field, line->text())) {
      const OptionChoice* choice = choiceOf(*field, value);
      chosen.append(choice != nullptr ? choiceTitle(*choice) : value);
    }
    return chosen;
  });
}

void GridEditor::showPossibleValues(const Row& row) {
  offerTicks(row);
  const QString key = row.key->currentData().toString();
  if (const GridAxis* settings = settingsOf(key)) {
    QStringList names, lines;
    for (const Json& value : settings->values) {
      names.append(fromUtf8(axisValueText(value)));
      lines.append(
          QStringLiteral("%1: %2").arg(names.last(), fromUtf8(value.value("options", Json()).dump())));
    }
    row.values->setPlaceholderText(names.join(QStringLiteral(", ")));
    row.values->setToolTip(lines.join(QLatin1Char('\n')));
    return;
  }
  const OptionField* field = m_draft->schema().find(axisKeys(toUtf8(key)).front());
  row.values->setPlaceholderText(field != nullptr ? possibleValues(*field) : QString());
  row.values->setToolTip(field != nullptr ? valuesToolTip(*field) : QString());
}

QString GridEditor::freeKey() const {
  QStringList taken;
  for (const Row& row : m_rows) taken.append(row.key->currentData().toString());
  for (const Offer& offer : offers())
    if (settingsOf(offer.key) == nullptr && !taken.contains(offer.key)) return offer.key;
  return {};
}

QVector<GridEditor::RowText> GridEditor::rows() const {
  QVector<RowText> all;
  for (const Row& row : m_rows) all.append({row.key->currentData().toString(), row.values->text()});
  return all;
}

void GridEditor::setRows(const QVector<RowText>& rows) {
  while (!m_rows.isEmpty()) removeRow(m_rows.last().widget);
  for (const RowText& row : rows) addAxis(row.key, row.values);
}

void GridEditor::removeRow(QWidget* widget) {
  m_rows.removeIf([widget](const Row& row) { return row.widget == widget; });
  widget->hide();
  widget->deleteLater();
  judge();
}

bool GridEditor::parseSettings(const GridAxis& of, const QString& text, GridAxis* axis,
                               QString* problem) const {
  std::vector<std::string> names;
  for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
    if (!part.trimmed().isEmpty()) names.push_back(toUtf8(part.trimmed()));
  auto values = settingsNamed(of, names);
  if (!values.ok()) {
    *problem = phraseText(values.error().phrase());
    return false;
  }
  if (values->empty()) *problem = tr("No value is given.");
  *axis = {of.key, std::move(*values), of.title};
  return !axis->values.empty();
}

bool GridEditor::parseRow(const Row& row, GridAxis* axis, QString* problem) const {
  const QString key = row.key->currentData().toString();
  if (const GridAxis* settings = settingsOf(key))
    return parseSettings(*settings, row.values->text(), axis, problem);
  const OptionField* field = m_draft->schema().find(axisKeys(toUtf8(key)).front());
  if (field == nullptr) {
    *problem = tr("Choose an option.");
    return false;
  }
  axis->key = toUtf8(key);
  for (const QString& text : splitValues(*field, row.values->text())) {
    auto value = parseValue(*field, text);
    // Options that go together may still differ in the values that they take.
    for (const std::string& each : axisKeys(toUtf8(key)))
      if (value.ok()) value = checkOptionValue(*m_draft->schema().find(each), *value);
    if (!value.ok()) {
      *problem = tr("%1: %2").arg(text, phraseText(value.error().hintPhrase()));
      return false;
    }
    if (std::find(axis->values.begin(), axis->values.end(), *value) == axis->values.end())
      axis->values.push_back(*value);
  }
  if (axis->values.empty()) *problem = tr("No value is given.");
  return !axis->values.empty();
}

std::vector<GridAxis> GridEditor::axes() const {
  std::vector<GridAxis> result;
  if (m_draft == nullptr) return result;
  for (const Row& row : m_rows) {
    GridAxis axis;
    QString problem;
    if (!parseRow(row, &axis, &problem)) return {};
    result.push_back(std::move(axis));
  }
  return result;
}

int GridEditor::combinations() const {
  qint64 count = 1;
  const std::vector<GridAxis> all = axes();
  for (const GridAxis& axis : all) count = qMin<qint64>(count * qint64(axis.values.size()), 1 << 30);
  return all.empty() ? 0 : static_cast<int>(count);
}

QStringList GridEditor::forbidden(const std::vector<GridAxis>& axes) const {
  QMap<QString, int> reasons;
  const bool settings =
      std::any_of(axes.begin(), axes.end(), [](const GridAxis& axis) { return axis.isSettings(); });
  OptionValues values = m_draft->values();
  for (const GridPoint& point : expandGrid(axes).value()) {
    if (settings) values = m_draft->values();  // they need not all set the same options
    for (const auto& [key, value] : point.options)
      if (const Status set = values.set(key, value); !set.ok()) ++reasons[phraseText(set.error().phrase())];
    for (const auto& violation : values.violations()) ++reasons[engineText(violation.reason)];
  }
  QStringList lines;
  for (auto it = reasons.cbegin(); it != reasons.cend(); ++it)
    lines.append(tr("Cannot run (combinations: %1): %2").arg(it.value()).arg(it.key()));
  return lines;
}

// On the button that queues them.
void GridEditor::sayCount(int runs) {
  m_launch->setText(runs < 1    ? tr("Queue the grid")
                    : runs == 1 ? tr("Queue 1 run")
                                : tr("Queue %1 runs").arg(runs));
}

void GridEditor::judge() {
  const Theme& theme = Theme::of(palette());
  bool fine = m_draft != nullptr;
  QStringList keys;
  for (const Row& row : std::as_const(m_rows)) {
    GridAxis axis;
    QString problem;
    bool rowFine = parseRow(row, &axis, &problem);
    const QString key = row.key->currentData().toString();
    if (rowFine && keys.contains(key)) {
      problem = tr("This option is in the grid already.");
      rowFine = false;
    }
    keys.append(key);
    fine = fine && rowFine;
    const bool told = row.left || !row.values->text().isEmpty();
    row.problem->setText(rowFine || !told ? QString() : problem);
    setTextColour(row.problem, theme.failed);
  }
  const int count = fine ? combinations() : 0;
  QStringList text;
  if (count > kMostRunsAtOnce) {
    text.append(tr("That makes %1 runs; at most %2 can be queued at once.").arg(count).arg(kMostRunsAtOnce));
  } else if (count > 0) {
    const QStringList refused = forbidden(axes());
    fine = refused.isEmpty();
    text += refused;
  } else if (fine) {
    text.append(tr("Name an option and its values."));
  }
  sayCount(count <= kMostRunsAtOnce ? count : 0);
  m_summary->setText(text.join(QLatin1Char('\n')));
  m_launch->setEnabled(fine && count > 0 && count <= kMostRunsAtOnce);
  m_add->setEnabled(m_draft != nullptr);
  Q_EMIT judged();
}

void GridEditor::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) judge();
}

}  // namespace fathom
