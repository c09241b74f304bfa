// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/trainability_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/panels/compact_table.h"
#include "views/panels/engine_text.h"
#include "views/panels/help_window.h"
#include "views/panels/icons.h"
#include "views/panels/theme.h"

namespace fathom {

namespace {

constexpr int kHeight = 220, kBarWidth = 320;

// What the engine says while it checks, as translators see it.
[[maybe_unused]] constexpr const char* kEngineWords[] = {
    QT_TRANSLATE_NOOP("Engine", "starting the engine"),
    QT_TRANSLATE_NOOP("Engine", "reading the data"),
    QT_TRANSLATE_NOOP("Engine", "initial values"),
    QT_TRANSLATE_NOOP("Engine", "reading a batch"),
    QT_TRANSLATE_NOOP("Engine", "scales"),
    QT_TRANSLATE_NOOP("Engine", "dependency of layers"),
    QT_TRANSLATE_NOOP("Engine", "gradients"),
    QT_TRANSLATE_NOOP("Engine", "output shift"),
    QT_TRANSLATE_NOOP("Engine",
                      "No data are set: measured on the generated sample, with a vocabulary of 300 pieces."),
    QT_TRANSLATE_NOOP("Engine", "Measured on a batch of at most 1024 tokens.")};

QString numberText(const Json& json) {
  const auto value = realFromJson(json);
  return value.ok() ? QLocale().toString(*value, 'g', 3) : QStringLiteral("–");
}

QString textOf(const Json& json, const char* key) {
  const Json value = json.value(key, Json(""));
  return value.is_string() ? fromUtf8(value.get<std::string>()) : QString();
}

QString stackText(const QString& stack) {
  if (stack == QLatin1String("encoder")) return TrainabilityView::tr("encoder");
  if (stack == QLatin1String("decoder")) return TrainabilityView::tr("decoder");
  return stack == QLatin1String("extra") ? TrainabilityView::tr("extra layers") : stack;
}

QString verdictText(const QString& verdict) {
  if (verdict == QLatin1String("green")) return TrainabilityView::tr("Will learn");
  if (verdict == QLatin1String("doubtful")) return TrainabilityView::tr("Doubtful");
  return TrainabilityView::tr("Will probably not learn");
}

// State whose colour a verdict has.
QString verdictState(const QString& verdict) {
  if (verdict == QLatin1String("green")) return QStringLiteral("finished");
  return verdict == QLatin1String("doubtful") ? QStringLiteral("stopped") : QStringLiteral("failed");
}

QString reasonOf(const QString& id, const QString& stack, const QString& value, const QString& limit) {
  if (id == QLatin1String("own_share"))
    return TrainabilityView::tr("Sum of β²ᵢᵢ in the %1: %2 (limit %3). A large one amplifies every update.")
        .arg(stack, value, limit);
  if (id == QLatin1String("gradient"))
    return TrainabilityView::tr("Smallest over largest gradient of a sub-layer in the %1: %2 (limit %3).")
        .arg(stack, value, limit);
  if (id == QLatin1String("step"))
    return TrainabilityView::
        tr("Change of the %1's output by a random step of the peak learning rate: %2 of its size (limit %3).")
            .arg(stack, value, limit);
  if (id == QLatin1String("scale"))
    return TrainabilityView::tr(
               "Output scale of the %1 against what independent branches give: factor %2 (limit %3).")
        .arg(stack, value, limit);
  if (id == QLatin1String("movement"))
    return TrainabilityView::tr(
               "Distance a weight can move in the whole run, against the weights' scale: %1 (limit %2).")
        .arg(value, limit);
  if (id == QLatin1String("loss"))
    return TrainabilityView::tr("First loss against that of knowing nothing: factor %1 (limit %2).")
        .arg(value, limit);
  return {};
}

QString changeOf(const QString& id, const QString& stack, const QString& rate) {
  if (id == QLatin1String("own_share"))
    return TrainabilityView::tr("Admin or Pre-LN in the %1, or fewer layers").arg(stack);
  if (id == QLatin1String("gradient")) return TrainabilityView::tr("Pre-LN or Admin, or fewer layers");
  if (id == QLatin1String("step"))
    return TrainabilityView::tr("a peak learning rate of at most %1, or Admin").arg(rate);
  if (id == QLatin1String("scale")) return TrainabilityView::tr("another initialisation or a smaller input");
  if (id == QLatin1String("movement")) return TrainabilityView::tr("more updates or a higher learning rate");
  if (id == QLatin1String("loss"))
    return TrainabilityView::tr("smaller initial values of tables and output projection");
  return TrainabilityView::tr("another initialisation, or other pre-trained weights");
}

QStandardItem* cell(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setEditable(false);
  item->setToolTip(text);
  return item;
}

}  // namespace

CheckWords checkWords(const Json& check, const Json& report) {
  const QString id = textOf(check, "id"), verdict = textOf(check, "verdict"),
                stack = stackText(textOf(check, "stack"));
  const auto value = realFromJson(check.value("value", Json(0.0)));
  const Json rates = report.value("learning_rate", Json::object());
  const auto peak = realFromJson(rates.value("peak", Json(0.0)));
  // The change is proportional to the rate.
  const double limit = realFromJson(check.value("limit", Json(0.0))).value();
  const double rate = value.ok() && *value > 0 && peak.ok() ? *peak * qMin(1.0, limit) / *value : 0;
  CheckWords words;
  words.verdict = verdict == QLatin1String("green") ? TrainabilityView::tr("fine") : verdictText(verdict);
  // A stack that nothing reads yet has no limit.
  const bool closed = id == QLatin1String("gradient") && limit == 0;
  words.reason = closed
                     ? TrainabilityView::tr(
                           "No gradient reaches the %1 before the first update: what reads it starts closed.")
                           .arg(stack)
                     : reasonOf(id, stack, numberText(check.value("value", Json())),
                                numberText(check.value("limit", Json())));
  if (words.reason.isEmpty()) {
    words.reason = verdict == QLatin1String("green")
                       ? TrainabilityView::tr("Every number is finite.")
                       : TrainabilityView::tr("There are numbers that are not finite.");
  }
  if (verdict != QLatin1String("green")) words.change = changeOf(id, stack, QLocale().toString(rate, 'g', 2));
  return words;
}

TrainabilityView::TrainabilityView(QWidget* parent)
    : QWidget(parent),
      m_stack(new QStackedWidget(this)),
      m_checks(new QStandardItemModel(this)),
      m_scales(new QStandardItemModel(this)) {
  m_stack->addWidget(makeBusy());
  m_stack->addWidget(makeReport());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, 0);
  layout->addWidget(m_stack);
  setFixedHeight(kHeight);
  setAccessibleName(tr("Trainability"));
}

QWidget* TrainabilityView::makeBusy() {
  auto* busy = new QWidget(m_stack);
  m_phase = new QLabel(busy);
  m_phase->setWordWrap(true);
  m_bar = new QProgressBar(busy);
  m_bar->setMaximumWidth(kBarWidth);
  m_bar->setTextVisible(false);
  m_cancel = new QPushButton(tr("Cancel"), busy);
  m_cancel->setObjectName(QStringLiteral("cancelTrainability"));
  auto* row = new QHBoxLayout;
  row->addWidget(m_bar, 1);
  row->addWidget(m_cancel);
  row->addStretch(1);
  auto* layout = new QVBoxLayout(busy);
  layout->addStretch(1);
  layout->addWidget(m_phase);
  layout->addLayout(row);
  layout->addStretch(1);
  connect(m_cancel, &QPushButton::clicked, this, [this] {
    // Without a job that runs there is only a message, and the button closes it.
    if (m_bar->isVisible()) Q_EMIT cancelRequested();
    Q_EMIT closed();
  });
  return busy;
}

QWidget* TrainabilityView::makeReport() {
  auto* report = new QWidget(m_stack);
  m_verdict = new QLabel(report);
  m_verdict->setObjectName(QStringLiteral("trainabilityVerdict"));
  QFont font = m_verdict->font();
  font.setBold(true);
  m_verdict->setFont(font);
  m_note = new QLabel(report);
  m_note->setWordWrap(true);
  m_close = new QToolButton(report);
  m_close->setIcon(icon(QStringLiteral("close")));
  m_close->setAutoRaise(true);
  m_close->setFocusPolicy(Qt::StrongFocus);
  m_close->setToolTip(tr("Hide the check"));
  m_close->setAccessibleName(tr("Hide the check"));
  connect(m_close, &QToolButton::clicked, this, &TrainabilityView::closed);
  auto* help = new QToolButton(report);
  help->setText(QStringLiteral("?"));
  help->setAutoRaise(true);
  help->setFocusPolicy(Qt::StrongFocus);
  help->setToolTip(tr("What is looked at, and where the limits come from"));
  help->setAccessibleName(tr("Help about the check"));
  connect(help, &QToolButton::clicked, this, &TrainabilityView::showHelp);
  auto* head = new QHBoxLayout;
  head->addWidget(m_verdict);
  head->addWidget(m_note, 1);
  head->addWidget(help);
  head->addWidget(m_close);
  auto* tables = new QSplitter(report);
  tables->setChildrenCollapsible(false);
  m_checkTable = compactTable(m_checks, tr("What was looked at"), tables);
  m_checkTable->setWordWrap(true);
  m_checkTable->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_scaleTable = compactTable(m_scales, tr("Scales of the stacks"), tables);
  tables->addWidget(m_checkTable);
  tables->addWidget(m_scaleTable);
  tables->setStretchFactor(0, 3);
  tables->setStretchFactor(1, 2);
  auto* layout = new QVBoxLayout(report);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kGrid);
  layout->addLayout(head);
  layout->addWidget(tables, 1);
  return report;
}

void TrainabilityView::showProgress(const ProgressUpdate& update) {
  m_stack->setCurrentIndex(0);
  m_bar->show();
  m_cancel->setText(tr("Cancel"));
  const bool known = update.total > 0;
  m_bar->setRange(0, known ? 1000 : 0);
  if (known) m_bar->setValue(int(1000 * qBound(0.0, update.done / update.total, 1.0)));
  QString text = tr("Checking trainability");
  if (!update.phase.empty()) text += QStringLiteral(" · ") + engineText(update.phase);
  m_phase->setText(text);
}

void TrainabilityView::showError(const Error& error) {
  m_stack->setCurrentIndex(0);
  m_bar->hide();
  m_cancel->setText(tr("Close"));
  m_phase->setText(fromUtf8(error.text()));
}

void TrainabilityView::showReport(const Json& report) {
  const QString verdict = textOf(report, "verdict");
  m_verdict->setText(verdictText(verdict));
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, Theme::of(palette()).state(verdictState(verdict)));
  m_verdict->setPalette(colours);
  m_note->setText(engineText(textOf(report, "note").toStdString()));
  fillChecks(report);
  fillScales(report);
  m_stack->setCurrentIndex(1);
}

void TrainabilityView::fillChecks(const Json& report) {
  m_checks->clear();
  m_checks->setHorizontalHeaderLabels({tr("Verdict"), tr("Reason"), tr("Would help")});
  for (const Json& check : report.value("checks", Json::array())) {
    const CheckWords words = checkWords(check, report);
    QStandardItem* verdict = cell(words.verdict);
    verdict->setForeground(Theme::of(palette()).state(verdictState(textOf(check, "verdict"))));
    m_checks->appendRow({verdict, cell(words.reason), cell(words.change)});
  }
  m_checkTable->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_checkTable->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  m_checkTable->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
}

void TrainabilityView::fillScales(const Json& report) {
  m_scales->clear();
  m_scales->setHorizontalHeaderLabels({tr("Stack"), tr("Layers"), QStringLiteral("µ"), tr("Input"),
                                       tr("Output"), tr("Predicted"), tr("Shift")});
  m_scales->horizontalHeaderItem(2)->setToolTip(tr("Largest norm of an input vector"));
  m_scales->horizontalHeaderItem(3)->setToolTip(tr("Root mean square of what enters the stack"));
  m_scales->horizontalHeaderItem(4)->setToolTip(tr("Root mean square of the last sub-layer's output"));
  m_scales->horizontalHeaderItem(5)->setToolTip(
      tr("What independent branches of the initial sizes would give"));
  m_scales->horizontalHeaderItem(6)->setToolTip(
      tr("Relative change of the output by a random step of the peak learning rate"));
  for (const Json& stack : report.value("stacks", Json::array())) {
    const Json measured = stack.value("measured_scale", Json::array()),
               predicted = stack.value("predicted_scale", Json::array()),
               shift = stack.value("output_shift", Json::object());
    const auto last = [](const Json& list) { return list.empty() ? QString() : numberText(list.back()); };
    m_scales->appendRow(
        {cell(stackText(textOf(stack, "stack"))), cell(QString::number(stack.value("layers", 0))),
         cell(numberText(stack.value("mu", Json()))), cell(numberText(stack.value("input_scale", Json()))),
         cell(last(measured)), cell(last(predicted)), cell(numberText(shift.value("at_peak_rate", Json())))});
  }
  m_scaleTable->resizeColumnsToContents();
}

void TrainabilityView::showHelp() {
  if (m_help == nullptr) m_help = new HelpWindow(window());
  m_help->showPages({QStringLiteral("trainability")});
}

void TrainabilityView::markOutdated() {
  if (m_stack->currentIndex() == 1) m_note->setText(tr("The options have changed since."));
}

}  // namespace fathom
