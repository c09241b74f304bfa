// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/init_report_view.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QToolButton>

#include "core/base/options/option_field.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/init_report_model.h"

namespace fathom {

InitReportView::InitReportView(QWidget* parent)
    : QWidget(parent),
      m_model(new InitReportModel(this)),
      m_content(new QWidget(this)),
      m_summary(wrappedLabel(m_content)),
      m_onlyScaled(flatTextButton(m_content, tr("Scaled"), tr("Show only parameters that were scaled"))),
      m_table(rowTable(m_model, tr("Initial values"), m_content)),
      m_empty(new EmptyState(this)),
      m_ask(new QAction(tr("Work it out"), this)) {
  m_onlyScaled->setCheckable(true);
  m_table->setWordWrap(false);
  m_table->setTextElideMode(Qt::ElideLeft);  // the ends of names differ
  m_table->horizontalHeader()->setMinimumSectionSize(metrics::kFormRow);
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  m_table->setColumnWidth(InitReportModel::Parameter, 44 * digit);  // which layer is in the middle
  m_table->setColumnWidth(InitReportModel::Rule, 10 * digit);
  m_table->setColumnWidth(InitReportModel::Factor, 11 * digit);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_ask->setToolTip(tr("Ask the engine: the model is built once, without training"));
  auto* bar = makeRow({{m_summary, 1}, m_onlyScaled}, kStyleGap,
                      {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid});
  makeColumn(m_content, {bar, {m_table, 1}}, 0);
  makeColumn(this, {m_content, m_empty});
  connect(m_onlyScaled, &QToolButton::toggled, m_model, &InitReportModel::setOnlyScaled);
  connect(m_ask, &QAction::triggered, this, &InitReportView::requested);
  showWaiting();
}

void InitReportView::showReport(const Json& report) {
  m_model->setRows(report.value("rows", Json::array()));
  const Json init = report.value("init", Json(""));
  m_init = init.is_string() ? init.get<std::string>() : std::string();
  m_measured = report.value("measured_on", Json());
  summarise();
  m_content->show();
  m_empty->hide();
}

void InitReportView::setSchema(const OptionSchema* schema) {
  m_schema = schema;
  summarise();
}

void InitReportView::summarise() {
  QString title = fromUtf8(m_init);
  const OptionField* field = m_schema != nullptr ? m_schema->find("init") : nullptr;
  if (field != nullptr)
    for (const OptionChoice& choice : field->choices)
      if (choice.id == m_init) title = engineText(choice.title);
  QString text =
      tr("%1: %2 of %3 parameters were scaled.").arg(title).arg(m_model->scaled()).arg(m_model->parameters());
  const auto count = [this](const char* key) {
    return m_measured.is_object() && m_measured.contains(key) && m_measured[key].is_number_integer()
               ? m_measured[key].get<qint64>()
               : 0;
  };
  if (count("examples") > 0)
    text += QLatin1Char(' ') +
            tr("Measured on %1 of %2 training examples.").arg(count("examples")).arg(count("of"));
  m_summary->setText(text);
}

void InitReportView::showState(const QString& text, bool withButton) {
  m_model->setRows(Json::array());
  m_content->hide();
  m_empty->setText(text);
  m_empty->setActions(withButton ? QList<QAction*>{m_ask} : QList<QAction*>());
  m_empty->show();
}

void InitReportView::showNothing(bool canBeMade) {
  showState(canBeMade ? tr("The run has not recorded what its initialisation did.")
                      : tr("The run has no configuration, so nothing is known of its initialisation."),
            canBeMade);
}

void InitReportView::showWaiting() {
  showState(tr("Known when the run has started."), false);
}

void InitReportView::showWorking() {
  showState(tr("The engine builds the model…"), true);
}

void InitReportView::showProblem(const QString& text) {
  showState(text, true);
}

}  // namespace fathom
