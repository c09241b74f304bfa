// SPDX-License-Identifier: Apache-2.0
#include "core/imports/event_files_beside.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/json/json_members.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

constexpr const char* kEventsFormat = "tensorboard";

// Is `folder` that of the run, or below it? The run "" is the folder that was named.
bool liesIn(const std::string& folder, const std::string& run) {
  return run.empty() || folder == run || folder.starts_with(run + "/");
}

class EventFilesBeside : public ImportSource {
 public:
  EventFilesBeside(std::unique_ptr<ImportSource> source, const std::string& folder, const Json& state)
      : m_source(std::move(source)), m_folder(folder) {
    for (const auto& [name, told] : memberObject(state, "told").items()) restore(ofRecord(name), told);
    for (const auto& [events, run] : ofRecordPairs(memberObject(state, "owners"))) m_owners[events] = run;
    m_eventsState = memberObject(state, "events");
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(openEvents());
    std::vector<ImportedRun> own;
    FATHOM_TRY(const SourceState state, m_source->read(stop, [&](ImportedRun piece) -> Status {
      note(piece);
      own.push_back(std::move(piece));
      return {};
    }));
    const auto read =
        m_events->read(stop, [&](ImportedRun piece) { return takeEvents(std::move(piece), take); });
    // A folder without any is one that this is not about.
    if (!read.ok() && (read.error().kind != ErrorKind::Data || !m_owners.empty())) return read.error();
    m_anyEvents = m_anyEvents || read.ok();
    for (ImportedRun& piece : own) FATHOM_CHECK(take(completed(std::move(piece))));
    return state;
  }

  Status close(const ImportSink& take) override {
    FATHOM_CHECK(m_source->close([&](ImportedRun piece) {
      note(piece);
      return take(completed(std::move(piece)));
    }));
    if (!m_anyEvents) return {};
    return m_events->close([&](ImportedRun piece) { return takeEvents(std::move(piece), take); });
  }

  Json state() const override {
    Json told = Json::object();
    for (const auto& [run, facts] : m_facts) told[recordText(run)] = recordOf(facts);
    return {{"source", m_source->state()},
            {"events", m_events != nullptr ? m_events->state() : m_eventsState},
            {"owners", recordPairs(m_owners)},
            {"told", told}};
  }

 private:
  // Facts a run was told by last, and those that its event files say besides.
  struct Facts {
    std::optional<ImportedRun> run;
    std::set<std::string> metrics;
    Json options = Json::object();
    std::vector<Phrase> warnings;
    std::string events;  // their folder, where there are any
    bool beside = false;
  };

  static Json recordOf(const Facts& facts) {
    const ImportedRun run = facts.run.value_or(ImportedRun());
    return {{"title", recordText(run.title)},
            {"format", run.format},
            {"options", run.options},
            {"notes", run.notes},
            {"scores", run.scores},
            {"metrics", recordTexts({facts.metrics.begin(), facts.metrics.end()})},
            {"beside", facts.beside},
            {"events", recordText(facts.events)},
            {"event_options", facts.options}};
  }

  void restore(const std::string& name, const Json& told) {
    Facts& facts = m_facts[name];
    ImportedRun run;
    run.name = name;
    run.format = memberText(told, "format");
    run.title = ofRecord(memberText(told, "title"));
    run.options = memberObject(told, "options");
    run.notes = memberObject(told, "notes");
    run.scores = memberObject(told, "scores");
    facts.run = std::move(run);
    const auto metrics = ofRecordTexts(memberList(told, "metrics"));
    facts.metrics.insert(metrics.begin(), metrics.end());
    facts.beside = memberFlag(told, "beside", false);
    facts.events = ofRecord(memberText(told, "events"));
    facts.options = memberObject(told, "event_options");
  }

  Status openEvents() {
    if (m_events != nullptr) return {};
    ImportOptions options;
    options.state = m_eventsState;
    options.follow = true;
    FATHOM_TRY(m_events, findImport(kEventsFormat)->open(m_folder, options));
    return {};
  }

  void note(const ImportedRun& piece) {
    Facts& facts = m_facts[piece.name];
    ImportedRun told = withoutRecords(piece);
    told.scores = piece.scores;
    told.end = piece.end;
    facts.run = std::move(told);
    facts.metrics.insert(piece.metrics.begin(), piece.metrics.end());
  }

  // The run that a folder of event files belongs to: the innermost that it lies in, which has no other.
  std::optional<std::string> ownerOf(const std::string& events) {
    if (const auto known = m_owners.find(events); known != m_owners.end()) return known->second;
    std::optional<std::string> owner;
    for (const auto& [run, facts] : m_facts)
      if (liesIn(events, run) && (!owner || run.size() >= owner->size())) owner = run;
    if (!owner) return std::nullopt;
    for (const auto& [other, run] : m_owners)
      if (run == *owner) return std::nullopt;
    m_owners[events] = *owner;
    return owner;
  }

  Status takeEvents(ImportedRun piece, const ImportSink& take) {
    const auto owner = ownerOf(piece.name);
    if (!owner) return take(std::move(piece));
    Facts& facts = m_facts[*owner];
    facts.beside = true;
    facts.events = piece.name;
    facts.options = piece.options;
    facts.warnings = piece.warnings;
    rename(piece, facts);
    ImportedRun joined = facts.run.value_or(ImportedRun());
    joined.name = *owner;
    joined.metrics = std::move(piece.metrics);
    joined.points = std::move(piece.points);
    joined.texts = std::move(piece.texts);
    joined.marks = marksOf(piece);
    return take(completed(std::move(joined)));
  }

  // A curve of the run stays its own.
  static void rename(ImportedRun& piece, const Facts& facts) {
    for (std::string& metric : piece.metrics) {
      if (!facts.metrics.contains(metric)) continue;
      const std::string own = std::string(kEventsFormat) + "/" + metric;
      for (ImportedMark& mark : piece.marks)
        if (mark.metric == metric) mark.metric = own;
      metric = own;
    }
  }

  // Marks that give way among the event files are theirs alone, and their attempts are not those of the run.
  static std::vector<ImportedMark> marksOf(const ImportedRun& piece) {
    std::vector<ImportedMark> marks;
    for (const ImportedMark& mark : piece.marks) {
      if (mark.kind == ImportedMark::Kind::Attempt) continue;
      if (!mark.metric.empty()) {
        marks.push_back(mark);
        continue;
      }
      for (const std::string& metric : piece.metrics)
        marks.push_back({ImportedMark::Kind::GivesWay, mark.before, metric, mark.from});
    }
    return marks;
  }

  // With what the event files say besides.
  ImportedRun completed(ImportedRun piece) {
    const auto known = m_facts.find(piece.name);
    if (known == m_facts.end() || !known->second.beside) return piece;
    const Facts& facts = known->second;
    ImportedOptions options;
    options.add("", piece.options);
    options.add("", facts.options);
    piece.options = options.finish(piece.warnings);
    piece.warnings.insert(piece.warnings.end(), facts.warnings.begin(), facts.warnings.end());
    piece.warnings.push_back(
        Phrase::tr("the event files of TensorBoard in %1 belong to this run: it has the "
                   "metrics of both")(facts.events.empty() ? m_folder : facts.events));
    return piece;
  }

  std::unique_ptr<ImportSource> m_source, m_events;
  std::string m_folder;
  std::map<std::string, Facts> m_facts;         // by run
  std::map<std::string, std::string> m_owners;  // folder of event files -> run
  Json m_eventsState;
  bool m_anyEvents = false;
};

}  // namespace

std::unique_ptr<ImportSource> withEventFiles(std::unique_ptr<ImportSource> source, const std::string& folder,
                                             const Json& state) {
  return std::make_unique<EventFilesBeside>(std::move(source), folder, state);
}

const Json& stateBesideEvents(const Json& state) {
  return state.is_object() && state.contains("source") ? memberObject(state, "source") : state;
}

}  // namespace fathom
