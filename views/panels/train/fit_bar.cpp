// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/fit_bar.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "core/analysis/training/dry_run_report.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/train/rank_outlook.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

constexpr int kShareWidth = 64, kShareHeight = 6;
constexpr int kFull = 1000;

// Needed memory as a share of the free one, in thousandths; -1: not known.
int shareOf(const Json& report) {
  if (!report.is_object() || !report.contains("memory")) return -1;
  const Json& memory = report["memory"];
  const auto needed = realFromJson(memory.value("needed", Json())),
             free = realFromJson(memory.value("free", Json()));
  if (!needed.ok() || !free.ok() || *free <= 0) return -1;
  return static_cast<int>(std::clamp(*needed / *free * kFull, 0.0, double(kFull)));
}

}  // namespace

FitBar::FitBar(QWidget* parent)
    : QWidget(parent),
      m_numbers(new QWidget(this)),
      m_ranks(new RankOutlook(m_numbers)),
      m_share(new QProgressBar(this)),
      m_state(new QLabel(this)),
      m_refusalRow(new QWidget(this)),
      m_refusalIcon(new QLabel(m_refusalRow)),
      m_refusal(wrappedLabel(m_refusalRow, QStringLiteral("fitRefusal"))),
      m_remedies(new QWidget(m_refusalRow)) {
  setObjectName(QStringLiteral("fitBar"));
  setAccessibleName(tr("Can I run this?"));
  setProperty(kNeverCovered, true);
  m_parameters = addCell(tr("Parameters"), QStringLiteral("fitParameters"));
  m_memory = addCell(tr("Memory"), QStringLiteral("fitMemory"));
  m_time = addCell(tr("Time"), QStringLiteral("fitTime"));
  m_disk = addCell(tr("Disk"), QStringLiteral("fitDisk"));
  m_share->setRange(0, kFull);
  m_share->setTextVisible(false);
  m_share->setFixedSize(kShareWidth, kShareHeight);
  m_share->setAccessibleName(tr("Share of the free memory"));
  m_state->setObjectName(QStringLiteral("fitState"));
  auto* flow = new FlowLayout(m_numbers);
  flow->setContentsMargins({});
  flow->setSpacing(metrics::kGroupGap);
  auto* help =
      flatTextButton(m_numbers, QStringLiteral("?"), tr("What these numbers are, and what is not in them"));
  help->setAccessibleName(tr("Help about what a run needs"));
  connect(help, &QToolButton::clicked, this,
          [this] { HelpWindow::openAt(this, {QStringLiteral("dry_run")}); });
  for (const Cell& cell : {m_parameters, m_memory, m_time, m_disk}) {
    auto* group = new QWidget(m_numbers);
    if (cell.value == m_memory.value) {
      makeRow(group, {cell.title, cell.value, m_share}, metrics::kGrid);
    } else if (cell.value == m_disk.value) {  // so that it never begins a line
      makeRow(group, {cell.title, cell.value, help}, metrics::kGrid);
    } else {
      makeRow(group, {cell.title, cell.value}, metrics::kGrid);
    }
    flow->addWidget(group);
    if (cell.value == m_time.value) flow->addWidget(m_ranks);
  }
  flow->addWidget(m_state);
  auto* chips = makeRow(m_remedies, {}, metrics::kGrid);
  chips->addStretch(1);
  makeRow(m_refusalRow, {{m_refusalIcon, 0, Qt::AlignTop}, {m_refusal, 1}, m_remedies}, metrics::kGrid);
  makeColumn(this, {m_numbers, m_refusalRow}, metrics::kGrid, {metrics::kMargin, 0, metrics::kMargin, 0});
  clear();
}

FitBar::Cell FitBar::addCell(const QString& title, const QString& objectName) {
  Cell cell{new QLabel(title, m_numbers), new QLabel(m_numbers)};
  cell.value->setObjectName(objectName);
  cell.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  makeSemibold(cell.value);
  return cell;
}

void FitBar::clear() {
  m_report = Json();
  m_outdated = true;
  for (const Cell& cell : {m_parameters, m_memory, m_time, m_disk}) show(cell, {}, {});
  m_ranks->setReport(Json());
  m_share->hide();
  m_state->clear();
  m_refusalRow->hide();
  colour();
}

// The refused form has changed: its line goes at once.
void FitBar::showBusy() {
  m_outdated = true;
  m_refusalRow->hide();
  m_state->setText(tr("Working it out…"));
  colour();
}

void FitBar::showProgress(const ProgressUpdate& update) {
  if (m_outdated) m_state->setText(engineText(update.phase) + QStringLiteral("…"));
}

void FitBar::show(const Cell& cell, const Phrase& words, const Phrase& parts) {
  cell.value->setText(words.empty() ? QStringLiteral("–") : phraseText(words));
  cell.value->setToolTip(phraseText(parts));
  cell.value->setAccessibleDescription(phraseText(parts));
}

void FitBar::showNumbers(const DryRunWords& words, const Json& report) {
  show(m_parameters, words.parameters, {});
  show(m_memory, words.memory, words.memoryParts);
  show(m_time, words.time, words.timeParts);
  show(m_disk, words.disk, words.diskParts);
  m_ranks->setReport(report);
  const int share = shareOf(report);
  m_share->setVisible(share >= 0);
  m_share->setValue(std::max(0, share));
}

void FitBar::showFirst(const Json& report) {
  showNumbers(dryRunWords(report), report);
  layOut();
}

void FitBar::showReport(const Json& report) {
  m_report = report;
  m_outdated = false;
  const DryRunWords words = dryRunWords(report);
  showNumbers(words, report);
  QStringList notes;
  for (const Phrase& note : words.notes) notes.append(phraseText(note));
  m_state->setText(notes.isEmpty() ? QString() : notes.first());
  m_state->setToolTip(notes.join(QLatin1Char('\n')));
  const Error refused = dryRunRefusal(report);
  m_refusal->setText(phraseText(refused.messagePhrase()));
  m_refusalRow->setVisible(!refused.message.empty());
  showRemedies(report);
  colour();
  layOut();
}

// Longer numbers take their room at once.
void FitBar::layOut() {
  for (const Cell& cell : {m_parameters, m_memory, m_time, m_disk}) {
    cell.value->updateGeometry();
    cell.value->parentWidget()->layout()->invalidate();
    cell.value->parentWidget()->updateGeometry();
  }
  m_numbers->layout()->invalidate();
  m_numbers->updateGeometry();
  m_numbers->layout()->activate();
}

// "18 layers fit" beside the refusal; a click makes it so.
void FitBar::showRemedies(const Json& report) {
  // One of them may be what was clicked, or what is being dressed in another theme.
  for (QPushButton* button : std::as_const(m_buttons)) {
    button->hide();
    button->deleteLater();
  }
  m_buttons.clear();
  auto* row = static_cast<QHBoxLayout*>(m_remedies->layout());
  for (const Json& remedy : memberList(report, "remedies")) {
    QVector<QPair<QString, qint64>> options;
    if (remedy.is_object() && remedy.contains("options") && remedy["options"].is_object())
      for (const auto& [key, value] : remedy["options"].items())
        if (value.is_number_integer()) options.append({fromUtf8(key), value.get<qint64>()});
    if (options.isEmpty()) continue;
    auto* button = new QPushButton(phraseText(readPhrase(remedy, "words")), m_remedies);
    button->setObjectName(QStringLiteral("remedy"));
    button->setToolTip(tr("Change the options so"));
    connect(button, &QPushButton::clicked, this, [this, options] { Q_EMIT remedyChosen(options); });
    row->insertWidget(static_cast<int>(m_buttons.size()), button);
    button->show();
    m_buttons.append(button);
  }
  m_remedies->setVisible(!m_buttons.isEmpty());
}

void FitBar::showError(const Error& error) {
  clear();
  m_state->setText(tr("Not known: %1").arg(phraseText(error.messagePhrase())));
  m_state->setToolTip(phraseText(error.phrase()));
}

Error FitBar::refusal() const {
  return m_outdated ? Error{} : dryRunRefusal(m_report);
}

void FitBar::colour() {
  const Theme& theme = Theme::of(palette());
  for (const Cell& cell : {m_parameters, m_memory, m_time, m_disk}) {
    setTextColour(cell.title, theme.secondary);
    setTextColour(cell.value, m_outdated ? theme.secondary : theme.text);
  }
  m_ranks->setColours(theme.secondary, m_outdated ? theme.secondary : theme.text);
  setTextColour(m_state, theme.secondary);
  setTextColour(m_refusal, theme.failed);
  m_refusalIcon->setPixmap(
      iconPixmap(QStringLiteral("error"), theme.failed, metrics::kIcon, devicePixelRatioF()));
}

void FitBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
}

}  // namespace fathom
