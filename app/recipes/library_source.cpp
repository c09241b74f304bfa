// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recipes/library_source.h"

#include <algorithm>
#include <regex>

#include "app/requests/analysis_job.h"
#include "app/runs/names_of_rows.h"
#include "app/runs/run_json.h"
#include "core/analysis/analysis_entry.h"
#include "core/analysis/statistics/seed_groups.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/name_list.h"
#include "core/base/json/json_members.h"
#include "core/base/options/option_field.h"
#include "core/base/text/shell_word.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/record/events/run_ranks.h"
#include "core/record/import/foreign_run.h"
#include "core/record/results/analysis_variant.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

// The parts of "model.width=64,data.langs=de,en", one for each key: a comma belongs to a value unless another
// key follows it.
std::vector<std::string> runSetParts(const std::string& text) {
  static const std::regex kNextKey("^[a-z][a-z0-9_.]*=");
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t comma = text.find(',', from);
    while (comma != std::string::npos &&
           !std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(comma) + 1, text.end(), kNextKey))
      comma = text.find(',', comma + 1);
    parts.push_back(text.substr(from, comma == std::string::npos ? comma : comma - from));
    from = comma == std::string::npos ? text.size() : comma + 1;
  }
  return parts;
}

std::string runSetFlags(const std::string& text) {
  std::string flags;
  for (const std::string& part : runSetParts(text)) flags += " --run-set " + shellWord(part);
  return flags;
}

// The flag of `fathom analyse` that sets a key.
std::string flagOf(const std::string& key, const std::string& value) {
  if (key == "run_set") return runSetFlags(value);
  if (key == "split" || key == "examples") return " --" + key + " " + value;
  return value.empty() ? "" : " --set " + shellWord(key + "=" + value);
}

}  // namespace

Result<std::unique_ptr<LibrarySource>> LibrarySource::open(const std::string& project,
                                                           std::vector<RunRow> rows) {
  std::unique_ptr<LibrarySource> source(new LibrarySource);
  FATHOM_TRY(source->m_index, CurveIndex::open(project));
  source->m_project = project;
  source->m_rows = std::move(rows);
  std::vector<const Json*> options;
  std::vector<std::string> origins;
  for (const RunRow& row : source->m_rows) {
    options.push_back(&row.options);
    origins.push_back(importOrigin(row.identity.provenance));
  }
  source->m_seedGroups = seedGroups(options, origins);
  // Rows of no project are called and drawn as they come.
  for (const RunRow& row : source->m_rows) source->m_names.push_back(row.name);
  if (const auto library = ProjectLibrary::open(project); library.ok()) {
    source->m_names = namesOfRows(**library, source->m_rows);
    if (auto looks = source->looksOf(**library); looks.ok()) source->m_looks = std::move(*looks);
  }
  return source;
}

std::vector<std::string> LibrarySource::runs() const {
  std::vector<std::string> uuids;
  for (const RunRow& row : m_rows) uuids.push_back(row.identity.uuid);
  return uuids;
}

int LibrarySource::colourOf(const std::string& run) const {
  const auto known = m_looks.find(run);
  return known == m_looks.end() ? AnalysisSource::colourOf(run) : known->second;
}

// A run that nobody has listed yet gets its look now.
Result<std::map<std::string, int>> LibrarySource::looksOf(ProjectLibrary& library) const {
  FATHOM_TRY(auto looks, shownLooks(library));
  std::vector<std::string> fresh;
  for (const RunRow& row : m_rows)
    if (!looks.contains(row.identity.uuid)) fresh.push_back(row.identity.uuid);
  if (fresh.empty() || library.readOnly()) return looks;
  FATHOM_CHECK(keepLooks(library, fresh));
  return shownLooks(library);
}

Result<const RunRow*> LibrarySource::row(const std::string& uuid) const {
  for (const RunRow& row : m_rows)
    if (row.identity.uuid == uuid) return &row;
  return dataError(Phrase::tr("run %1 is not among the chosen ones")(uuid));
}

const std::string& LibrarySource::seedGroup(const RunRow& row) const {
  return m_seedGroups[static_cast<std::size_t>(&row - m_rows.data())];
}

const std::string& LibrarySource::nameOf(const RunRow& row) const {
  return m_names[static_cast<std::size_t>(&row - m_rows.data())];
}

Result<RunCurve> LibrarySource::curve(const std::string& run, const std::string& metric) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  FATHOM_TRY(ScalarSeries series, m_index->series(row->path, metric));
  if (series.value.empty()) {
    FATHOM_TRY(const auto metrics, m_index->metrics(row->path));
    return missingMetric(*row, metric, metrics);
  }
  FATHOM_TRY(DroppedScalars dropped, readDroppedScalars(row->path, metric));
  cutAfter(series, dropped.end);
  RunCurve curve;
  for (ScalarSeries& tail : dropped.tails)
    curve.dropped.push_back({std::move(tail.step), std::move(tail.time), std::move(tail.epoch),
                             std::move(tail.value), std::move(tail.tokens), std::move(tail.clock)});
  curve.run = run;
  curve.name = nameOf(*row);
  curve.group = seedGroup(*row);
  curve.look = colourOf(run);
  curve.outcome = countedState(row->state, row->cause);
  curve.metric = MetricCatalogue(row->identity.metrics).of(metric);
  curve.steps = std::move(series.step);
  curve.seconds = std::move(series.time);
  curve.epochs = std::move(series.epoch);
  curve.tokens = std::move(series.tokens);
  curve.values = std::move(series.value);
  curve.clock = std::move(series.clock);
  return curve;
}

Result<RunFacts> LibrarySource::facts(const std::string& run) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  RunFacts facts = runFacts(*row);
  facts.name = nameOf(*row);
  return facts;
}

// Each attempt with a model tells it.
Result<LoggedHistograms> LibrarySource::histograms(const std::string& run, const std::string& tag) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  FATHOM_TRY(LoggedHistograms found, loggedHistograms(row->path, tag));
  if (!found.states.empty()) return found;
  if (found.tags.empty())
    return dataError(Phrase::tr("run “%1” has logged no histograms")(nameOf(*row)),
                     Phrase::tr("runs of TensorBoard that used add_histogram have some"));
  constexpr std::size_t kMostTagsNamed = 20;
  if (found.tags.size() > kMostTagsNamed) {
    found.tags.resize(kMostTagsNamed);
    found.tags.emplace_back("…");
  }
  return dataError(Phrase::tr("run “%1” has logged no histograms of %2")(nameOf(*row), tag),
                   Phrase::tr("it has those of %1")(nameList(found.tags)));
}

Result<double> LibrarySource::parameters(const std::string& run) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  const RunFolder folder(row->path);
  for (int attempt = folder.lastAttempt(); attempt > 0; --attempt) {
    const auto details = readJsonFile(folder.detailsPath(attempt));
    if (!details.ok()) continue;
    if (const std::int64_t parameters = memberInteger(*details, "parameters"); parameters > 0)
      return static_cast<double>(parameters);
  }
  return AnalysisSource::parameters(nameOf(*row));
}

Result<std::int64_t> LibrarySource::ranks(const std::string& run) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  return ranksOfRun(RunFolder(row->path));
}

Result<ProbedResult> LibrarySource::probed(const std::string& run, const std::string& analysis,
                                           const std::string& checkpoint) {
  return probedWith(run, analysis, checkpoint, Json::object());
}

const std::vector<std::string>& LibrarySource::kept(const RunRow& row) const {
  const auto [known, fresh] = m_kept.try_emplace(row.path);
  if (fresh)
    for (const CheckpointManifest& manifest : listCheckpoints(row.path))
      known->second.push_back(manifest.name);
  return known->second;
}

Result<const std::vector<StoredRequest>*> LibrarySource::requests(const RunRow& row,
                                                                  const std::string& analysis) const {
  const auto known = m_requests.find({row.path, analysis});
  if (known != m_requests.end()) return &known->second;
  FATHOM_TRY(auto stored, storedRequests(m_project, row, analysis));
  return &m_requests.emplace(std::pair(row.path, analysis), std::move(stored)).first->second;
}

// A result stays when its checkpoint has been deleted: both are looked through.
Result<LibrarySource::Found> LibrarySource::find(const RunRow& row, const std::string& analysis,
                                                 const std::string& checkpoint, const Json& options) const {
  std::vector<std::string> names, folders;
  FATHOM_TRY(const auto* all, requests(row, analysis));
  for (const StoredRequest& stored : *all) {
    if (!meetsVariant(stored.request, options)) continue;
    names.push_back(stored.request.checkpoint);
    folders.push_back(stored.path);
  }
  Found found;
  found.checkpoint = names.empty() ? "" : names.back();
  if (!checkpoint.empty()) {
    std::vector<std::string> offered = names;
    offered.push_back("init");  // every run has weights before its first update
    offered.insert(offered.end(), kept(row).begin(), kept(row).end());
    if (const auto among = chooseAmong(offered, checkpoint)) {
      found.checkpoint = *among;
    } else {
      FATHOM_TRY(const CheckpointManifest manifest, chooseCheckpoint(row.path, checkpoint));
      found.checkpoint = manifest.name;
    }
  }
  for (std::size_t i = names.size(); i-- > 0 && found.folder.empty();)
    if (names[i] == found.checkpoint) found.folder = folders[i];
  return found;
}

Result<ProbedResult> LibrarySource::probedWith(const std::string& run, const std::string& analysis,
                                               const std::string& checkpoint, const Json& options) {
  FATHOM_TRY(const RunRow* row, this->row(run));
  FATHOM_TRY(const Found found, find(*row, analysis, checkpoint, options));
  if (!found.folder.empty()) return readResult(run, analysis, found.checkpoint, found.folder);
  m_missing = MissingResult{*row, analysis, found.checkpoint, options};
  return dataError(found.checkpoint.empty() ? Phrase::tr("run %1 (%2) has no %3")(row->name, run, analysis)
                                            : Phrase::tr("run %1 (%2) has no %3 of checkpoint %4")(
                                                  row->name, run, analysis, found.checkpoint),
                   Phrase::tr("compute it: %1")(analyseLine(run, analysis, found.checkpoint, options)));
}

Result<ProbedResult> LibrarySource::readResult(const std::string& run, const std::string& analysis,
                                               const std::string& checkpoint,
                                               const std::string& folder) const {
  FATHOM_TRY(const RunRow* row, this->row(run));
  FATHOM_TRY(StoredAnalysis stored, readAnalysis(folder));
  // Before results said it, they were of the first examples.
  if (stored.request.version < probeVersion(analysis) && !stored.result.contains("sample"))
    stored.result["sample"] = {{"chosen", "first"}};
  return ProbedResult{run, nameOf(*row), checkpoint, std::move(stored.result), folder, seedGroup(*row)};
}

Result<std::string> LibrarySource::resultFolder(const std::string& run, const std::string& analysis,
                                                const std::string& key) const {
  FATHOM_TRY(const RunRow* row, this->row(run));
  return storedFolder(m_project, *row, analysis, key);
}

AnalysisWish wishOf(const MissingResult& missing) {
  AnalysisWish wish{.analysis = missing.analysis, .checkpoint = missing.checkpoint};
  for (const auto& option : missing.options.items()) {
    const std::string value = optionValueText({}, option.value());
    if (value.empty() || (option.key() == "examples" && !probeTakesExamples(missing.analysis))) continue;
    if (option.key() == "run_set") {
      wish.runAssignments = runSetParts(value);
    } else if (option.key() == "split") {
      wish.split = value;
    } else {
      wish.assignments.push_back(option.key() + "=" + value);
    }
  }
  return wish;
}

std::string LibrarySource::analyseLine(const std::string& run, const std::string& analysis,
                                       const std::string& checkpoint, const Json& options) const {
  std::string line = "fathom analyse " + analysis + " --project " + shellWord(m_project) + " --run " + run;
  if (!checkpoint.empty()) line += " --checkpoint " + checkpoint;
  for (const auto& option : options.items())
    if (option.key() != "examples" || probeTakesExamples(analysis))  // recipes of old name it always
      line += flagOf(option.key(), optionValueText({}, option.value()));
  return line;
}

std::string LibrarySource::checkpointOf(const std::string& run, const std::string& word) const {
  const auto row = this->row(run);
  if (!row.ok()) return word;
  std::vector<std::string> names = {"init"};
  names.insert(names.end(), kept(**row).begin(), kept(**row).end());
  return chooseAmong(names, word).value_or(word);
}

std::string LibrarySource::checkpointOf(const std::string& run, const std::string& analysis,
                                        const std::string& checkpoint, const Json& options) const {
  const auto row = this->row(run);
  if (!row.ok()) return {};
  const auto found = find(**row, analysis, checkpoint, options);
  return found.ok() ? found->checkpoint : std::string();
}

bool LibrarySource::hasProbed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint, const Json& options) const {
  const auto row = this->row(run);
  if (!row.ok()) return false;
  const auto found = find(**row, analysis, checkpoint, options);
  return found.ok() && !found->folder.empty();
}

std::vector<std::string> LibrarySource::probedCheckpoints(const std::string& run,
                                                          const std::string& analysis) {
  std::vector<std::string> names;
  const auto row = this->row(run);
  if (!row.ok()) return names;
  const auto all = requests(**row, analysis);
  if (!all.ok()) return {"init"};  // whoever asks for its result hears what is wrong
  for (const StoredRequest& stored : **all)
    if (std::find(names.begin(), names.end(), stored.request.checkpoint) == names.end())
      names.push_back(stored.request.checkpoint);
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return checkpointStep(a).value_or(0) < checkpointStep(b).value_or(0);
  });
  return names;
}

Error missingMetric(const RunRow& row, const std::string& metric, const std::vector<std::string>& metrics) {
  constexpr std::size_t kMostNamed = 40;  // a run of another program may have thousands
  const std::size_t named = std::min(metrics.size(), kMostNamed);
  const Phrase names = nameList(
      std::vector<std::string>(metrics.begin(), metrics.begin() + static_cast<std::ptrdiff_t>(named)));
  Phrase hint = Phrase::tr("it has no points yet");
  if (named > 0) hint = Phrase::tr("it has: %1")(names);
  if (named < metrics.size()) hint = Phrase::tr("it has: %1 and %2 more")(names, metrics.size() - named);
  return aboutKey(
      "metric",
      dataError(Phrase::tr("run %1 (%2) has no metric '%3'")(row.name, row.identity.uuid, metric), hint));
}

}  // namespace fathom
