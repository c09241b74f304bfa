// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/imports/csv_columns.h"
#include "core/imports/formats/python_json.h"
#include "core/imports/grown_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

constexpr std::size_t kLongestJsonLine = 8'000'000, kMostList = std::size_t{256} << 20;
constexpr std::size_t kMaxJsonRuns = 10'000, kMaxJsonRunName = 1000;
constexpr const char* kSteps[] = {"step",      "global_step", "_step",       "trainer/global_step",
                                  "iteration", "iter",        "num_updates", "update"};
constexpr const char* kTimes[] = {"time", "timestamp", "_timestamp", "wall_time", "ts"};
constexpr const char* kRuns[] = {"run", "run_id", "run_name"};
constexpr const char* kConfigs[] = {"config", "hparams", "args"};

template <std::size_t N>
const Json* memberOf(const Json& line, const char* const (&names)[N]) {
  for (const char* name : names)
    if (const auto found = line.find(name); found != line.end() && !found->is_structured()) return &*found;
  return nullptr;
}
template <std::size_t N>
bool isOneOf(const std::string& name, const char* const (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Lines of JSON: one object a line, or a list of objects; what TensorBoard's page gives, [[time, step,
// value]].
class JsonSource : public ImportSource {
 public:
  JsonSource(const std::string& path, const Json& state) : m_path(path), m_file(path) {
    if (!state.is_object()) return;
    m_file.restore(memberObject(state, "file"));
    m_strange = memberInteger(state, "strange");
    m_stepless = memberInteger(state, "stepless");
    m_nameless = memberInteger(state, "nameless");
    m_title = ofRecord(memberText(state, "title"));
    m_taken = static_cast<std::size_t>(memberInteger(state, "taken"));
    m_sum = static_cast<std::uint32_t>(memberInteger(state, "sum"));
    m_first = static_cast<std::uint32_t>(memberInteger(state, "first"));
    for (const Json& item : memberList(state, "runs")) {
      Run& run = *runOf(memberText(item, "id"));
      run.points.restore(memberObject(item, "points"));
      run.options.add("", memberObject(item, "options"));
    }
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    const GrownFile::Change change = m_file.look();
    if (change == GrownFile::Change::Same || change == GrownFile::Change::Gone) return SourceState::Later;
    if (change == GrownFile::Change::Replaced) {
      m_file.startOver();
      beginAgain();
    }
    FATHOM_CHECK(readLines(stop, false));
    FATHOM_CHECK(give(take));
    return SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    if (m_file.look() != GrownFile::Change::Gone) FATHOM_CHECK(readLines(StopToken(), true));
    const bool any =
        std::any_of(m_runs.begin(), m_runs.end(), [](const Run& run) { return !run.points.empty(); });
    if (!any && m_strange > 0)
      return dataErrorAt(m_path, 0, Phrase::tr("no line is a JSON object with a step and numbers"));
    return give(take);
  }

  Json state() const override {
    Json json = {{"file", m_file.state()},
                 {"strange", m_strange},
                 {"stepless", m_stepless},
                 {"nameless", m_nameless},
                 {"title", recordText(m_title)},
                 {"taken", m_taken},
                 {"sum", m_sum},
                 {"first", m_first},
                 {"runs", Json::array()}};
    std::vector<Phrase> ignored;
    for (const Run& run : m_runs)
      json["runs"].push_back(
          {{"id", run.id}, {"points", run.points.state()}, {"options", run.options.finish(ignored)}});
    return json;
  }

 private:
  struct Run {
    Run(std::string key, const std::string& path) : id(std::move(key)), points(path) {}
    std::string id;
    ImportedPoints points;
    ImportedOptions options;
    bool changed = false;
  };

  void beginAgain() {
    for (Run& run : m_runs) run.points.beginAnew();
  }

  // Null, and counted, where a log has more runs, or longer names of them, than anybody's.
  Run* runOf(const std::string& id) {
    const auto known = m_index.find(id);
    if (known != m_index.end()) return &m_runs[known->second];
    if (id.size() > kMaxJsonRunName || m_runs.size() >= kMaxJsonRuns) {
      ++m_nameless;
      return nullptr;
    }
    m_index.emplace(id, m_runs.size());
    return &m_runs.emplace_back(id, m_path);
  }

  Status readLines(const StopToken& stop, bool last) {
    if (m_file.position() == 0) {
      FATHOM_TRY(const std::string head, m_file.more(4096));
      const std::size_t first = head.find_first_not_of(" \t\r\n");
      if (first != std::string::npos && head[first] == '[') return readList(last);
    }
    return m_file.lines(stop, last, kLongestJsonLine, [this](std::string_view line) -> Status {
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
      const auto json = parsePythonJson(line, {}, {24, kLongestJsonLine, true});
      if (!json.ok() || !json->is_object()) {
        ++m_strange;
        return {};
      }
      return takeObject(*json);
    });
  }

  // A list is whole or it is none: it is written anew for every point, and its beginning stays. Half of one
  // is looked at again.
  Status readList(bool last) {
    FATHOM_TRY(const std::string bytes, m_file.more(kMostList));
    if (bytes.size() == kMostList)
      return dataErrorAt(m_path, 0, Phrase::tr("a list of more than 256 MB"),
                         Phrase::tr("write one JSON object a line"));
    const auto list = parsePythonJson(bytes, m_path, {24, kMostList, true});
    if (list.ok()) return takeList(*list);
    return last ? Status(list.error()) : Status();
  }

  // A list with all that was taken in front has news behind it; a list that begins in another way is another
  // training; a shorter one is being written, or an older one.
  Status takeList(const Json& list) {
    std::uint32_t sum = 0, first = 0, before = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      sum = crc32c(list[i].dump(-1, ' ', false, Json::error_handler_t::replace), sum);
      if (i == 0) first = sum;
      if (i + 1 == m_taken) before = sum;
    }
    const bool shorter = list.size() < m_taken;
    const bool goesOn = shorter ? list.empty() || first == m_first : before == m_sum;
    if (goesOn && shorter) return {};
    if (!goesOn) beginAgain();
    for (std::size_t i = goesOn ? m_taken : 0; i < list.size(); ++i) FATHOM_CHECK(takeItem(list[i]));
    m_taken = list.size();
    m_sum = sum;
    m_first = first;
    return {};
  }

  // An object as it stands in a line, or [time, step, value] of a curve that TensorBoard's page gave.
  Status takeItem(const Json& item) {
    if (item.is_object()) return takeObject(item);
    const bool point = item.is_array() && item.size() == 3 && jsonReading(item[0]) && jsonReading(item[1]) &&
                       jsonReading(item[2]);
    Run* const run = point ? runOf({}) : nullptr;
    if (!point) ++m_strange;
    if (run == nullptr) return {};
    run->changed = true;
    const auto names = downloadNames(m_path);
    if (names) m_title = names->first;
    return run->points.add(names ? names->second : "value",
                           {.step = *jsonReading(item[1]), .time = plainSeconds(*jsonReading(item[0]))},
                           *jsonReading(item[2]));
  }

  Status takeObject(const Json& line) {
    const Json* id = memberOf(line, kRuns);
    Run* const of = runOf(id == nullptr ? std::string() : asText(*id));
    if (of == nullptr) return {};
    Run& run = *of;
    const Json* at = memberOf(line, kSteps);
    const auto epoch = line.find("epoch");
    if (at == nullptr && epoch != line.end()) at = &*epoch;
    const auto step = at == nullptr ? std::nullopt : jsonReading(*at);
    for (const char* name : kConfigs) {
      const auto config = line.find(name);
      if (config == line.end() || !config->is_object()) continue;
      run.options.add("", *config);
      run.changed = true;
      if (!step) return {};
    }
    if (!step) {
      ++m_stepless;
      return {};
    }
    ImportedPoints::Axes axes{.step = *step};
    if (const Json* time = memberOf(line, kTimes)) {
      const auto seconds = jsonReading(*time);
      axes.time = seconds ? plainSeconds(*seconds) : isoSeconds(asText(*time));
    }
    if (epoch != line.end()) axes.epoch = jsonReading(*epoch).value_or(kNaN);
    Status status;
    run.changed = true;
    eachLeaf(line, {}, [&](const std::string& name, const Json& leaf) {
      if (isOneOf(name, kSteps) || isOneOf(name, kTimes) || isOneOf(name, kRuns) || name == "epoch" ||
          name == "_runtime")
        return;
      const auto number = jsonReading(leaf);
      if (number && status.ok()) status = run.points.add(name, axes, *number);
    });
    return status;
  }

  Status give(const ImportSink& take) {
    std::vector<Phrase> shared;
    if (m_strange > 0) shared.push_back(Phrase::tr("%1 lines are no JSON objects")(m_strange));
    if (m_stepless > 0) shared.push_back(Phrase::tr("%1 lines have no step")(m_stepless));
    if (m_nameless > 0)
      shared.push_back(
          Phrase::tr("%1 lines are left out: their run has a name of more than 1,000 bytes, or is beyond the "
                     "first 10,000")(m_nameless));
    if (m_file.leftOut() > 0) shared.push_back(Phrase::tr("%1 lines over 8 MB skipped")(m_file.leftOut()));
    for (Run& from : m_runs) {
      if (!std::exchange(from.changed, false)) continue;
      ImportedRun run;
      run.format = "json";
      run.name = from.id;
      run.title = m_title;
      run.warnings = std::exchange(shared, {});
      run.options = from.options.finish(run.warnings);
      from.points.giveTo(run);
      FATHOM_CHECK(take(std::move(run)));
    }
    return {};
  }

  std::string m_path, m_title;
  GrownFile m_file;
  std::deque<Run> m_runs;
  std::map<std::string, std::size_t> m_index;
  std::int64_t m_strange = 0, m_stepless = 0, m_nameless = 0;
  std::size_t m_taken = 0;               // items of a list,
  std::uint32_t m_sum = 0, m_first = 0;  // and the CRC-32C of them, and of the first
};

Claim jsonClaim(const SourceLook& look) {
  if (look.folder || look.head.find('\0') != std::string::npos) return Claim::No;
  const std::size_t first = look.head.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return Claim::No;
  return look.head[first] == '{' || look.head[first] == '[' ? Claim::Perhaps : Claim::No;
}

}  // namespace

ImportEntry jsonRunEntry() {
  return {.id = "json",
          .title = "JSON lines",
          .claims = jsonClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new JsonSource(path, options.state));
          }};
}

}  // namespace fathom
