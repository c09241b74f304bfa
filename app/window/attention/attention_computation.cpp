// SPDX-License-Identifier: GPL-3.0-or-later
// The Attention workspace computes: what is asked of the engine, which stored result is meant, the job.
#include <QComboBox>
#include <QStackedWidget>
#include <algorithm>

#include "app/analysis_job.h"
#include "app/command.h"
#include "app/runner/engine_progress.h"
#include "app/window/attention/analysis_variants.h"
#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/job_center.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

bool hasField(const std::vector<OptionField>& fields, const std::string& key) {
  return std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field.key == key; });
}

}  // namespace

// Part of the data, and what the probe can be told beyond what the figure shows already.
void AttentionWorkspace::refreshComputation() {
  std::vector<OptionField>& fields = m_computationFields;
  fields.clear();
  m_side->checkpoints()->setVisible(isProbed() && !isInitialOnly());
  if (isProbed()) {
    const Json probe = probeOf(fromUtf8(m_entry.id));
    for (OptionField field : findCommand("analyse")->fields) {
      if (field.key == "split") {  // the form names the part
        std::erase_if(field.choices, [](const OptionChoice& choice) { return choice.id.empty(); });
        field.defaultValue = probe.is_object() ? probe.value("part", "validation") : "validation";
      }
      if (field.key == "split") fields.push_back(std::move(field));
    }
    if (probe.is_object() && probe.contains("schema"))
      if (const auto schema = OptionSchema::fromJson(probe["schema"]); schema.ok())
        for (const OptionField& field : schema->fields())
          if (!hasField(m_entry.fields, field.key)) fields.push_back(field);
  }
  m_side->setComputation(fields, m_computation.value(fromUtf8(m_entry.id), Json::object()));
}

// The form says what the shown result was computed from.
void AttentionWorkspace::showVariants() {
  QStringList words;
  int shown = -1;
  for (const AnalysisVariant& variant : m_loaded.variants) {
    if (variant == m_loaded.variant) shown = words.size();
    words.append(variantWords(m_computationFields, variant));
  }
  m_side->setVariants(words, shown);
  const Json form = formOfVariant(m_computationFields, m_loaded.variant);
  if (m_insists || form == m_side->computation()->values()) return;
  m_computation[fromUtf8(m_entry.id)] = form;
  m_side->setComputation(m_computationFields, form);
}

void AttentionWorkspace::chooseVariant(int index) {
  if (index < 0 || index >= static_cast<int>(m_loaded.variants.size())) return;
  const Json form = formOfVariant(m_computationFields, m_loaded.variants[static_cast<std::size_t>(index)]);
  m_computation[fromUtf8(m_entry.id)] = form;
  m_side->setComputation(m_computationFields, form);
  m_insists = true;
  load();
}

bool AttentionWorkspace::canCompute() const {
  return isProbed() && !m_loaded.runs.empty() && !m_computing &&
         std::any_of(m_loaded.places.begin(), m_loaded.places.end(),
                     [](const CheckpointPlace& place) { return !place.complete; });
}

AnalysisWish AttentionWorkspace::wish(const AnalysisAsk& ask) const {
  AnalysisWish wish;
  wish.analysis = m_entry.id;
  Json values = m_side->computation()->values();
  wish.split = values.value("split", wish.split);
  values.erase("split");
  values.update(ask.options);
  for (const auto& option : values.items())
    wish.assignments.push_back(option.key() + "=" + optionValueText({}, option.value()));
  return wish;
}

void AttentionWorkspace::compute(bool everywhere) {
  if (!canCompute()) return;
  const AnalysisAsk ask = this->ask();
  std::vector<std::int64_t> steps;
  for (const CheckpointPlace& place : m_loaded.places)
    if (!place.complete && (everywhere || place.step == m_loaded.step)) steps.push_back(place.step);
  if (steps.empty()) {
    m_with.messages->showNote(tr("Everything is computed at this checkpoint."));
    return;
  }
  const AnalysisWish wish = this->wish(ask);
  const QString title = tr("Computing: %1").arg(engineText(m_entry.title));
  m_computing = m_insists = true;  // what is computed is what is shown then
  m_view->showProgress(title, {});
  m_with.actions->refresh(this);
  m_with.jobs->start<int>(
      title, QLatin1String(kComputing),
      [=](Progress& progress, const StopToken& stop) {
        return computeMissing(ask, steps, wish, progress, stop);
      },
      [this](const Result<int>& result) { computed(result); },
      [this, title](const ProgressUpdate& update) {
        if (m_view->pages()->currentIndex() != AnalysisView::kProgress) return;
        const int all = update.unit == kCheckpointUnit ? int(update.total) : 1;
        const int now = std::min(int(update.done) + 1, all);
        m_view->showProgress(all > 1 ? tr("%1 (%2 of %3)").arg(title).arg(now).arg(all) : title, update);
      });
}

void AttentionWorkspace::computed(const Result<int>& result) {
  m_computing = false;
  if (!result.ok()) m_with.messages->showError(result.error(), QLatin1String(kComputing));
  load();
}

}  // namespace fathom
