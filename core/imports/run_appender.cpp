// SPDX-License-Identifier: Apache-2.0
#include "core/imports/run_appender.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/metric_kinds.h"
#include "core/base/text/number_text.h"
#include "core/record/events/event_log.h"
#include "core/record/import/foreign_metrics.h"
#include "core/record/runs/run_config.h"

namespace fathom {

namespace {

// Room for the head of an event and its checksum.
constexpr std::size_t kMetricsOfALine = kMaxEventBytes - 512;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr const char* kTextBytes[2] = {"texts_bytes", "histograms_bytes"};
constexpr const char* kLoadBytes = "loads_bytes";

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool isEvaluation(const ImportedRun& piece, const std::string& metric) {
  return isValidationMetric(metric) || piece.evaluations.contains(metric);
}

bool sameNumber(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// Points in the order of their lines: of their times where the source knows some (one without goes with the
// one before it), else of their steps; training before validation.
std::vector<std::uint32_t> inOrder(const ImportedRun& piece, const std::vector<bool>& validation,
                                   std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
  std::vector<double> keys(end - begin);
  double last = -std::numeric_limits<double>::infinity();
  bool timed = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isfinite(piece.points[i].time)) last = piece.points[i].time, timed = true;
    keys[i - begin] = last;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const ImportedPoint &left = piece.points[a], &right = piece.points[b];
    if (timed && keys[a - begin] != keys[b - begin]) return keys[a - begin] < keys[b - begin];
    if (left.step != right.step) return left.step < right.step;
    return !validation[left.metric] && validation[right.metric];
  });
  return order;
}

// May both stand in one line?
bool together(const ImportedPoint& a, const ImportedPoint& b) {
  return a.step == b.step && sameNumber(a.time, b.time) && sameNumber(a.epoch, b.epoch) &&
         sameNumber(a.tokens, b.tokens);
}

Json configOf(const std::string& name, const Json& options) {
  RunConfig config;
  config.name = name;
  config.options = options;
  return runConfigToJson(config);
}

}  // namespace

RunAppender::~RunAppender() {
  if (m_fd >= 0) ::close(m_fd);
}

Result<std::unique_ptr<RunAppender>> RunAppender::create(const std::string& path, const Facts& facts,
                                                         const ImportedRun& first) {
  std::unique_ptr<RunAppender> run(new RunAppender(path));
  run->m_followed = facts.followed;
  run->m_asked = facts.asked;
  run->m_format = first.format;
  RunIdentity& identity = run->m_identity;
  identity.uuid = facts.uuid;
  identity.name = plainText(facts.name);
  identity.created = isoTimeNow();
  identity.provenance = {
      {"imported_from",
       plainText(std::filesystem::path(facts.source).lexically_normal().filename().string())},
      {"format", first.format},
      {"imported", identity.created}};
  if (!first.name.empty()) identity.provenance["run"] = plainText(first.name);
  if (facts.followed) {
    identity.provenance["source"] = plainText(facts.source);
    identity.provenance["followed"] = true;
  }
  FATHOM_TRY(run->m_folder, RunFolder::prepare(path));
  Status status;
  if (facts.followed) {
    auto lock = RunLock::acquire(path, {});
    if (lock.ok()) {
      run->m_lock = std::move(lock).value();
    } else {
      status = lock.error();
    }
  }
  if (status.ok()) status = run->m_folder.clear();
  if (status.ok()) status = run->beginAttempt(configOf(identity.name, first.options));
  if (status.ok()) status = run->describe();
  if (!status.ok()) {
    run->m_folder.discard();
    return status.error();
  }
  return run;
}

Result<std::unique_ptr<RunAppender>> RunAppender::resume(const std::string& path, const Json& state) {
  std::unique_ptr<RunAppender> run(new RunAppender(path));
  FATHOM_TRY(run->m_lock, RunLock::acquire(path, {}));
  FATHOM_TRY(run->m_identity, run->m_folder.identity());
  run->m_followed = true;
  run->m_format = memberText(state, "format");
  run->m_attempt = static_cast<int>(memberInteger(state, "attempt"));
  run->m_seq = memberInteger(state, "seq");
  run->m_bytes = memberInteger(state, "bytes");
  run->m_texts = memberInteger(state, "texts");
  for (int i = 0; i < 2; ++i) run->m_textBytes[i] = memberInteger(state, kTextBytes[i]);
  run->m_loadBytes = memberInteger(state, kLoadBytes);
  run->m_ended = memberFlag(state, "ended", false);
  // Records of before did not say who gave the name: it stays.
  run->m_asked = memberFlag(state, "asked", true);
  run->m_scores = memberObject(state, "scores");
  run->m_start = memberReal(state, "start", -1);
  run->m_lastStep = memberReal(state, "last_step", 0);
  for (const Json& name : memberList(state, "metrics"))
    if (name.is_string() && run->m_seen.insert(name.get<std::string>()).second)
      run->m_names.push_back(name.get<std::string>());
  // Attempts that were begun after the state was kept come again.
  std::error_code code;
  for (const int attempt : run->m_folder.attempts()) {
    if (attempt <= run->m_attempt) continue;
    std::filesystem::remove_all(run->m_folder.attemptPath(attempt), code);
    if (code)
      return systemError(Phrase::tr("cannot delete"), run->m_folder.attemptPath(attempt), code.value());
  }
  if (!run->m_ended) {
    std::filesystem::remove(run->m_folder.outcomePath(run->m_attempt), code);
  }
  FATHOM_TRY(run->m_config, run->m_folder.config(run->m_attempt));
  FATHOM_CHECK(run->openEvents(false));
  FATHOM_CHECK(run->settle());
  FATHOM_CHECK(run->shortenTexts(state));
  FATHOM_CHECK(run->shortenLoads(state));
  if (run->m_ended) run->rest();
  return run;
}

Status RunAppender::openEvents(bool fresh) {
  if (m_fd >= 0) ::close(std::exchange(m_fd, -1));
  const std::string path = m_folder.eventsPath(m_attempt);
  const int failed = FileFaults::next(FileFaults::Call::Open);
  m_fd = failed != 0
             ? -1
             : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | (fresh ? O_CREAT | O_EXCL : 0), 0644);
  if (m_fd < 0) return systemError(Phrase::tr("cannot open"), path, failed != 0 ? failed : errno);
  if (fresh) return {};
  struct stat info {};
  if (::fstat(m_fd, &info) != 0) return systemError(Phrase::tr("cannot look at"), path, errno);
  // Filling it up would make zeros of what is missing.
  if (info.st_size < m_bytes)
    return dataErrorAt(path, 0,
                       Phrase::tr("the event log has %1 bytes, and %2 were written")(
                           static_cast<std::int64_t>(info.st_size), m_bytes),
                       Phrase::tr("something else has shortened it; delete the run and import its source"));
  if (::ftruncate(m_fd, m_bytes) != 0) return systemError(Phrase::tr("cannot shorten"), path, errno);
  return {};
}

Status RunAppender::beginAttempt(const Json& config) {
  FATHOM_CHECK(settle());
  FATHOM_TRY(m_attempt, m_folder.beginAttempt(config));
  m_config = config;
  m_seq = m_bytes = m_loadBytes = 0;
  m_ended = false;
  FATHOM_CHECK(openEvents(true));
  return {};
}

std::string RunAppender::beginLine(double time, const char* kind) {
  const double start = std::max(m_start, 0.0);
  const bool timed = std::isfinite(time);
  return "{\"v\":" + std::to_string(kEventVersion) + ",\"seq\":" + std::to_string(m_seq++) +
         ",\"t\":" + jsonNumber(timed ? time : start) + (timed ? "" : ",\"clock\":false") + ",\"k\":\"" +
         kind + "\"";
}

Status RunAppender::addLine(std::string line) {
  closeEventLine(line);
  m_buffer += line;
  return m_buffer.size() < kBufferBytes ? Status() : flush();
}

Status RunAppender::flush() {
  if (m_buffer.empty()) return {};
  if (m_fd < 0) FATHOM_CHECK(openEvents(false));
  FATHOM_CHECK(writeAll(m_fd, m_buffer, m_folder.eventsPath(m_attempt)));
  m_bytes += static_cast<std::int64_t>(m_buffer.size());
  m_buffer.clear();
  return {};
}

// Before anybody notes how far a source was read, what was read is on the disk. Hundreds of runs may be
// followed: none holds its log open.
Status RunAppender::settle() {
  FATHOM_CHECK(flush());
  if (m_fd < 0 || !m_followed) return {};
  FATHOM_CHECK(syncData(m_fd, m_folder.eventsPath(m_attempt)));
  ::close(std::exchange(m_fd, -1));
  return {};
}

Status RunAppender::describe() {
  m_identity.metrics = foreignMetrics(m_names);
  return m_folder.describe(m_identity);
}

// points[order[begin, end)] are of one step, time and kind: as many lines as they need.
Status RunAppender::writeGroup(const ImportedRun& piece, const std::vector<std::uint32_t>& order,
                               std::size_t begin, std::size_t end) {
  const ImportedPoint& first = piece.points[order[begin]];
  const bool validation = isEvaluation(piece, piece.metrics[first.metric]);
  std::size_t next = begin;
  while (next < end) {
    std::string metrics, rate;
    std::set<std::uint32_t> there;  // a name stands in a line once
    for (; next < end; ++next) {
      const ImportedPoint& point = piece.points[order[next]];
      if (!there.insert(point.metric).second) break;
      const std::string& name = piece.metrics[point.metric];
      if (name == "lr" && !validation) {
        rate = ",\"lr\":" + jsonNumber(point.value);
        continue;
      }
      const std::string item = quoted(name) + ":" + jsonNumber(point.value);
      if (metrics.size() + item.size() > kMetricsOfALine) break;
      metrics += (metrics.empty() ? "" : ",") + item;
    }
    std::string line = beginLine(first.time, validation ? "validation" : "step");
    line += ",\"step\":" + jsonNumber(first.step) + ",\"epoch\":" + jsonNumber(first.epoch) +
            ",\"tokens\":" + jsonNumber(first.tokens) + rate + ",\"m\":{" + metrics + "}";
    FATHOM_CHECK(addLine(std::move(line)));
  }
  m_lastStep = std::max(m_lastStep, first.step);
  return {};
}

Status RunAppender::writePoints(const ImportedRun& piece, std::size_t begin, std::size_t end) {
  if (begin == end) return {};
  std::vector<bool> validation;
  for (const std::string& name : piece.metrics) validation.push_back(isEvaluation(piece, name));
  const std::vector<std::uint32_t> order = inOrder(piece, validation, begin, end);
  const auto at = [&](std::size_t i) -> const ImportedPoint& { return piece.points[order[i]]; };
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from + 1;
    while (to < order.size() && together(at(from), at(to)) &&
           validation[at(from).metric] == validation[at(to).metric])
      ++to;
    FATHOM_CHECK(writeGroup(piece, order, from, to));
    from = to;
  }
  return {};
}

std::string RunAppender::textsPath(int which) const {
  return m_folder.artifactsPath() + (which == 0 ? "/texts.jsonl" : "/histograms.jsonl");
}

// One file of JSON lines for texts, {"tag", "step", "time", "text"}, and one for histograms.
Status RunAppender::keepTexts(const ImportedRun& piece) {
  std::string lines[2];
  for (const ImportedText& text : piece.texts) {
    if (m_texts >= kMaxImportedTexts) break;  // the reader counts what is beyond
    ++m_texts;
    Json line = {{"tag", plainText(text.tag)}, {"step", text.step}, {"time", jsonReal(text.time)}};
    if (text.histogram.is_null())
      line["text"] = plainText(text.text.substr(0, kMaxImportedText));
    else
      line.update(text.histogram);
    lines[text.histogram.is_null() ? 0 : 1] +=
        line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  for (int i = 0; i < 2; ++i) {
    if (lines[i].empty()) continue;
    FATHOM_CHECK(makeOneFolder(m_folder.artifactsPath()));
    const std::string path = textsPath(i);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return systemError(Phrase::tr("cannot open"), path, errno);
    Status written = writeAll(fd, lines[i], path);
    if (written.ok()) written = syncData(fd, path);
    ::close(fd);
    FATHOM_CHECK(written);
    m_textBytes[i] += static_cast<std::int64_t>(lines[i].size());
  }
  return {};
}

// Records of before did not say how long the files were: then they stay as they are.
Status RunAppender::shortenTexts(const Json& state) const {
  for (int i = 0; i < 2; ++i) {
    const std::string path = textsPath(i);
    if (!state.contains(kTextBytes[i])) continue;
    FATHOM_TRY(const bool there, isThere(path));
    if (there && fileBytes(path) > static_cast<std::uintmax_t>(m_textBytes[i]) &&
        ::truncate(path.c_str(), m_textBytes[i]) != 0)
      return systemError(Phrase::tr("cannot shorten"), path, errno);
  }
  return {};
}

Status RunAppender::keepLoads(const ImportedRun& piece) {
  if (piece.loads.empty()) return {};
  const std::string path = systemStreamPath(m_folder, m_attempt);
  FATHOM_TRY(const auto stream, SystemStream::open(path));
  if (piece.loadsAnew) FATHOM_CHECK(stream->giveWay(*piece.loadsAnew));
  for (const ImportedLoad& load : piece.loads)
    if (std::isfinite(load.time)) FATHOM_CHECK(stream->add(load.values, load.time));
  FATHOM_CHECK(stream->sync());
  m_loadBytes = static_cast<std::int64_t>(fileBytes(path));
  return {};
}

// Samples that came after the state was kept come again. Records of before knew no such file.
Status RunAppender::shortenLoads(const Json& state) const {
  const std::string path = systemStreamPath(m_folder, m_attempt);
  if (!state.contains(kLoadBytes) || fileBytes(path) <= static_cast<std::uintmax_t>(m_loadBytes)) return {};
  if (::truncate(path.c_str(), m_loadBytes) == 0) return {};
  return systemError(Phrase::tr("cannot shorten"), path, errno);
}

// The outcome of an attempt that another one followed, by a source that has no word for its end.
RunOutcome RunAppender::startedAgain() const {
  RunOutcome outcome;
  outcome.state = RunState::Ended;
  outcome.step = outcome.lastFiniteStep = static_cast<std::int64_t>(m_lastStep);
  outcome.message = Phrase::tr("it was started again");
  return outcome;
}

Status RunAppender::append(const ImportedRun& piece) {
  if (m_start < 0 && !piece.points.empty()) m_start = startOf(piece);
  if (m_followed && m_lock == nullptr && !piece.points.empty()) {
    FATHOM_TRY(m_lock, RunLock::acquire(m_folder.path(), {}));
  }
  if (!piece.scores.empty()) m_scores = piece.scores;
  // A run that goes on has not ended, and how it was started again is another attempt.
  const bool toldSo = !piece.marks.empty() && piece.marks.front().kind == ImportedMark::Kind::Attempt &&
                      piece.marks.front().before == 0;
  if (m_ended && !piece.points.empty() && !toldSo) FATHOM_CHECK(beginAttempt(m_config));
  const auto begun = [this]() -> Status {
    if (m_seq > 0) return {};
    return addLine(beginLine(std::max(m_start, 0.0), "run_started") +
                   ",\"attempt\":" + std::to_string(m_attempt) +
                   ",\"resumed_from\":\"\",\"bit_exact\":false,\"device\":\"\",\"threads\":0,"
                   "\"total_updates\":-1");
  };
  // A source may give its run a name later, or another; what a person asked for stays.
  const std::string name = m_asked || piece.title.empty() ? m_identity.name : plainText(piece.title);
  const Json config = configOf(name, piece.options);
  std::size_t from = 0;
  for (const ImportedMark& mark : piece.marks) {
    if (mark.before > from) {
      FATHOM_CHECK(begun());
      FATHOM_CHECK(writePoints(piece, from, mark.before));
    }
    from = mark.before;
    if (mark.kind == ImportedMark::Kind::Attempt) {
      if (m_seq > 0) {
        FATHOM_CHECK(flush());
        if (!m_ended) FATHOM_CHECK(m_folder.writeOutcome(m_attempt, startedAgain()));
        FATHOM_CHECK(beginAttempt(config));
      }
      continue;
    }
    FATHOM_CHECK(begun());
    FATHOM_CHECK(addLine(beginLine(kNaN, "gives_way") + ",\"m\":{" + quoted(mark.metric) + ":" +
                         jsonNumber(mark.from) + "}"));
  }
  FATHOM_CHECK(begun());
  FATHOM_CHECK(writePoints(piece, from, piece.points.size()));
  FATHOM_CHECK(settle());
  FATHOM_CHECK(keepTexts(piece));
  FATHOM_CHECK(keepLoads(piece));
  if (config != m_config) {
    m_config = config;
    FATHOM_CHECK(writeFileAtomically(m_folder.configPath(m_attempt),
                                     config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  }
  return describeAgain(piece, name);
}

Status RunAppender::describeAgain(const ImportedRun& piece, const std::string& name) {
  const RunIdentity before = m_identity;
  m_identity.name = name;
  for (const auto& [key, value] : piece.notes.items()) m_identity.provenance[key] = value;
  m_identity.provenance.erase("warnings");
  m_identity.provenance.erase("warnings_phrase");
  writePhrases(m_identity.provenance, "warnings", piece.warnings);
  for (const std::string& metric : piece.metrics)
    if (m_seen.insert(metric).second) m_names.push_back(metric);
  m_identity.metrics = foreignMetrics(m_names);
  for (Metric said : piece.declared) {
    if (const Metric* own = findMetric(m_identity.metrics, said.id);
        own != nullptr && said.direction == MetricDirection::None)
      said.direction = own->direction;
    std::erase_if(m_identity.metrics, [&](const Metric& own) { return own.id == said.id; });
    m_identity.metrics.push_back(said);
  }
  if (before.name == m_identity.name && before.provenance == m_identity.provenance &&
      before.metrics == m_identity.metrics)
    return {};
  return m_folder.describe(m_identity);
}

void RunAppender::heartbeat() const {
  if (!m_ended && m_lock != nullptr)
    (void)::utimensat(AT_FDCWD, m_folder.eventsPath(m_attempt).c_str(), nullptr, 0);
}

Status RunAppender::finish(const ImportedEnd& end) {
  FATHOM_CHECK(settle());
  if (m_fd >= 0) FATHOM_CHECK(syncData(m_fd, m_folder.eventsPath(m_attempt)));
  RunOutcome outcome;
  outcome.state = end.state;
  outcome.exitCode = end.exitCode;
  outcome.step = outcome.lastFiniteStep = static_cast<std::int64_t>(m_lastStep);
  outcome.message = Phrase::tr("imported from %1")(m_format);
  outcome.details["imported_from"] = m_format;
  outcome.scores = m_scores;
  FATHOM_CHECK(m_folder.writeOutcome(m_attempt, outcome));
  m_ended = true;
  rest();
  return {};
}

Json RunAppender::state() const {
  return {{"uuid", m_identity.uuid},
          {"format", m_format},
          {"attempt", m_attempt},
          {"seq", m_seq},
          {"bytes", m_bytes},
          {"texts", m_texts},
          {kTextBytes[0], m_textBytes[0]},
          {kLoadBytes, m_loadBytes},
          {"start", m_start},
          {"last_step", m_lastStep},
          {kTextBytes[1], m_textBytes[1]},
          {"ended", m_ended},
          {"metrics", m_names},
          {"scores", m_scores},
          {"asked", m_asked}};
}

}  // namespace fathom
