// SPDX-License-Identifier: GPL-3.0-or-later
// Starting points of a new run: presets with files that are kept or made, other runs, data sets, the last
// session, a person's own presets.
#include <map>

#include "app/runner/place_list.h"
#include "app/runs/made_data.h"
#include "app/runs/own_presets.h"
#include "app/runs/preset_times.h"
#include "app/runs/run_control.h"
#include "app/window/jobs/project_service.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/preset_clock.h"
#include "app/window/train/preset_entries.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/moved_files.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

constexpr const char* kPlaced = "places";  // origin of errors
constexpr int kMostShared = 10'000;        // runs of a grid that are counted place by place

}  // namespace

// Files that somebody named go along to another preset of the same task; those of the sample do not, and a
// preset that names files of its own has them.
Json NewRunController::keptFiles(const Preset& preset) const {
  Json kept = Json::object();
  const TaskEntry *now = taskOf(m_draft->values()), *next = taskOf(preset.options);
  if (now == nullptr || now != next) return kept;
  const Json sample = project().empty() ? Json::object() : madeDataFiles(project(), now);
  for (const OptionField& field : m_draft->schema().fields()) {
    if (field.type != OptionType::Path || preset.options.contains(field.key)) continue;
    const Json& value = m_draft->values().value(field.key);
    const bool ofSample = sample.contains(field.key) && sample[field.key] == value;
    if (value.is_string() && !value.get<std::string>().empty() && !ofSample) kept[field.key] = value;
  }
  return kept;
}

// The presets of the sample name no files: they are trained on the sample of the project, which is made when
// it is first needed.
Json NewRunController::madeData(const Preset& preset) const {
  Json values = Json::object();
  if (!usesMadeData(preset.id) || project().empty()) return values;
  const Json files = madeDataFiles(project(), taskOf(preset.options));
  for (const auto& [key, file] : files.items()) {
    if (m_engine->options.find(key)) values[key] = file;
  }
  return values;
}

void NewRunController::startFromPreset(const QString& id) {
  if (!m_draft) return;
  const auto preset = findAnyPreset(toUtf8(id));
  if (!preset.ok()) return refuse(preset.error(), QLatin1String(kStarting));
  RunConfig config;
  config.preset = preset->id;
  config.options = preset->options;
  Json edits = keptFiles(*preset);
  edits.update(madeData(*preset));
  restart(config, edits, m_draft->optionsEdited(), engineText(preset->title));
}

void NewRunController::startWith(const QString& id, const Json& options) {
  if (!m_draft) return;
  const auto preset = findAnyPreset(toUtf8(id));
  if (!preset.ok()) return refuse(preset.error(), QLatin1String(kStarting));
  RunConfig config;
  config.preset = preset->id;
  config.options = preset->options;
  restart(config, options, m_draft->optionsEdited(), engineText(preset->title));
}

void NewRunController::cloneRun(const RunItem& run) {
  if (!m_draft) return;
  RunConfig config;
  config.name = toUtf8(tr("%1 copy").arg(run.name));
  if (const auto preset = findAnyPreset(toUtf8(run.preset)); preset.ok()) {
    config.preset = preset->id;
    config.options = preset->options;
  }
  Json edits = run.config.toJson();
  takePlacement(edits);
  findMovedFiles(edits, toUtf8(run.folder), project());
  restart(config, edits, m_draft->optionsEdited() || m_draft->nameTyped(), run.name);
}

void NewRunController::savePreset() {
  if (!m_draft || !m_draft->acceptable()) return;
  QString title = m_draft->name().trimmed();
  if (title.isEmpty())
    title = tr("From %1").arg(m_draft->presetId().isEmpty() ? tr("the defaults") : m_draft->presetId());
  const auto saved = saveOwnPreset(toUtf8(title), toUtf8(m_draft->presetId()), m_draft->values());
  if (!saved.ok()) return refuse(saved.error(), QStringLiteral("start"));
  std::optional<Error> problem;
  m_page->setPresets(presetEntries(m_draft->schema(), &problem));
  Q_EMIT presetsListed();
  if (problem) return refuse(*problem, QStringLiteral("start"));
  m_messages->showNote(tr("Saved as preset “%1”. It stands under Mine.").arg(title));
}

void NewRunController::tellPresetTimes(const QVector<RunItem>& runs) {
  if (!m_draft) return;
  QVector<PresetEntry> entries = m_page->presets();
  tellMeasuredTimes(entries, runs, PresetTimes(), m_draft->schema());
  m_page->tellPresets(entries);
}

// What cannot be kept is measured again the next time.
void NewRunController::keepPresetTime(const QString& id, double seconds) {
  for (const PresetEntry& entry : m_page->presets())
    if (entry.id == id && !PresetTimes().keep(toUtf8(id), timedOptions(entry), seconds).ok()) return;
  Q_EMIT presetsListed();
}

// The draft as text for the session: what it starts from, what differs from that, and the rows of the grid.
// Files of the project's sample are named again when it is taken up.
Json NewRunController::draftText() const {
  Json options = changedValues();
  if (const auto preset = findAnyPreset(toUtf8(m_draft->presetId())); preset.ok()) {
    const Json sample = madeData(*preset);
    for (const auto& [key, file] : sample.items())
      if (options.contains(key) && options[key] == file) options.erase(key);
  }
  Json rows = Json::array();
  for (const GridEditor::RowText& row : m_page->gridEditor()->rows())
    rows.push_back({toUtf8(row.key), toUtf8(row.values)});
  return {{"preset", toUtf8(m_draft->presetId())},
          {"name", toUtf8(m_draft->name())},
          {"options", options},
          {"grid", rows},
          {"grid_shown", m_page->gridShown()}};
}

// Empty where there is nothing to lose: nobody touched the form.
Json NewRunController::draftState() const {
  if (!m_draft) return m_wanted;
  const Json now = draftText();
  return now == m_untouched ? m_wanted : now;
}

void NewRunController::setPlaces(const QVector<PlaceView>& places, const QString& problem) {
  m_page->places()->setPlaces(places, problem);
}

Json NewRunController::runOn() const {
  const PlaceChoice::Wanted wanted = m_page->places()->wanted();
  if (wanted.one.isEmpty() && wanted.several.isEmpty()) return {};
  return {{"run", toUtf8(wanted.one)}, {"grid", toUtf8(wanted.several)}};
}

void NewRunController::restoreRunOn(const Json& state) {
  if (!state.is_object()) return;
  m_page->places()->setWanted({fromUtf8(memberText(state, "run")), fromUtf8(memberText(state, "grid"))});
}

// The error stands at the field; the message says it where somebody looks who has just pressed a button.
bool NewRunController::placesRefuse() {
  PlaceChoice* choice = m_page->places();
  if (choice->trouble().isEmpty()) return false;
  m_messages->showError(choice->trouble(), choice->remedy(), QLatin1String(kPlaced));
  choice->focusChoice();
  return true;
}

// "8 runs: This machine 1, box 2, cluster 5", as they would be shared out now.
void NewRunController::showShares() {
  PlaceChoice* choice = m_page->places();
  if (choice->trouble().isEmpty()) m_messages->closeErrors(QLatin1String(kPlaced));
  const QStringList ids = choice->chosen();
  const int runs = m_page->gridShown() && m_draft ? m_page->gridEditor()->combinations() : 0;
  if (runs < 2 || runs > kMostShared || ids.size() < 2) return choice->setShares({});
  std::vector<PlaceLoad> loads;
  for (const QString& id : ids)
    for (const PlaceView& place : choice->places())
      if (place.id == id) loads.push_back({toUtf8(id), place.running + place.waiting, place.most});
  std::map<std::string, int> given;
  for (const std::string& id : shareOut(std::size_t(runs), loads)) ++given[id];
  QStringList shares;
  for (const QString& id : ids)
    for (const PlaceView& place : choice->places())
      if (place.id == id) shares.append(tr("%1: %2").arg(placeName(place)).arg(given[toUtf8(id)]));
  choice->setShares(shares.join(tr(", ")));
}

void NewRunController::restoreDraft(const Json& state) {
  m_wanted = state;
  if (m_draft) takeWanted();
}

// Takes over a stored draft. It may be of another version: options that cannot be read are left out.
void NewRunController::takeWanted() {
  const Json wanted = m_wanted;
  if (!wanted.is_object() || !memberObject(wanted, "options").is_object()) return;
  RunConfig config;
  Json sample = Json::object();
  if (const auto preset = findAnyPreset(memberText(wanted, "preset")); preset.ok()) {
    config.preset = preset->id;
    config.options = preset->options;
    sample = madeData(*preset);
  }
  // A preset that was only chosen is one nobody has changed.
  if (!m_draft->start(config, sample).ok()) return;
  const Json startedFrom = m_draft->state().startedFrom;
  Json options = sample;
  options.update(memberObject(wanted, "options"));
  // An engine without these options: another one may have them.
  if (!m_draft->start(config, options).ok()) return;
  m_wanted = Json();
  ExperimentDraft::State state = m_draft->state();
  state.startedFrom = startedFrom;
  state.name = fromUtf8(memberText(wanted, "name"));
  m_draft->setState(state);
  followPresetGrid();
  QVector<GridEditor::RowText> rows;
  for (const Json& row : memberList(wanted, "grid"))
    if (row.is_array() && row.size() == 2 && row[0].is_string() && row[1].is_string())
      rows.append({fromUtf8(row[0].get<std::string>()), fromUtf8(row[1].get<std::string>())});
  if (rows.isEmpty()) return;
  m_page->gridEditor()->setRows(rows);
  // Sessions of former versions name rows only where they were shown.
  const auto shown = wanted.find("grid_shown");
  m_page->setGridShown(shown == wanted.end() || !shown->is_boolean() || shown->get<bool>());
}

// The next run has a name of its own, and nothing is searched for.
void NewRunController::beginAnother() {
  m_draft->forgetName();
  m_page->clearSearches();
}

// The values that are not those of the preset.
Json NewRunController::changedValues() const {
  Json changed = Json::object();
  const Json values = m_draft->values().effective();
  for (const auto& [key, value] : values.items())
    if (!m_draft->base().contains(key) || m_draft->base()[key] != value) changed[key] = value;
  return changed;
}

}  // namespace fathom
