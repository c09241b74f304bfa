// SPDX-License-Identifier: Apache-2.0
#include "core/relay/relay_session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/base/threads/error_boundary.h"
#include "core/record/runs/carried_wish.h"
#include "core/relay/host_command.h"
#include "core/relay/run_mirror.h"

namespace fathom {

namespace {

constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
constexpr std::uint64_t kMostRead = std::uint64_t{64} << 10;
constexpr std::int64_t kCommandSeconds = 60;
constexpr double kGrowthSeconds = 0.2, kLookSeconds = 1, kEndedSeconds = 5, kSayingSeconds = 10;

std::vector<std::string> textsIn(const Json& json, const char* key) {
  std::vector<std::string> texts;
  for (const Json& each : memberList(json, key))
    if (each.is_string()) texts.push_back(each.get<std::string>());
  return texts;
}

// Files of a folder by their names in it; with `keep` those that are there stay.
Status writeTexts(const std::string& folder, const Json& files, bool keep) {
  for (const auto& [file, text] : files.items()) {
    const std::string path = folder + "/" + file;
    if (!isPathInside(file) || !text.is_string() || (keep && fileExists(path))) continue;
    FATHOM_CHECK(makeFolders(path.substr(0, path.rfind('/'))));
    FATHOM_CHECK(writeFileAtomically(path, text.get<std::string>()));
  }
  return {};
}

Error anothersFolder(const std::string& folder) {
  return unavailableError(Phrase::tr("the folder holds another run: %1")(folder),
                          Phrase::tr("move that one away, and put back the one that was there"));
}

// A state after which nothing happens by itself.
bool isEnd(const Json& state) {
  return !state.contains("holder") && !memberFlag(state, "alive", false);
}

}  // namespace

Json relayErrorToJson(const Error& error) {
  Json json = {{"kind", static_cast<int>(error.kind)}, {"resource", static_cast<int>(error.resource)}};
  writePhrase(json, "message", error.messagePhrase());
  writePhrase(json, "hint", error.hintPhrase());
  if (!error.file.empty()) json["file"] = error.file;
  return json;
}

Error relayErrorFromJson(const Json& json) {
  Error error = unavailableError(readPhrase(json, "message"), readPhrase(json, "hint"));
  const auto kind = memberInteger(json, "kind", -1), resource = memberInteger(json, "resource", -1);
  if (kind >= 0 && kind <= static_cast<int>(ErrorKind::Internal)) error.kind = static_cast<ErrorKind>(kind);
  if (resource >= 0 && resource <= static_cast<int>(ResourceKind::Unavailable))
    error.resource = static_cast<ResourceKind>(resource);
  error.file = memberText(json, "file");
  return error;
}

RelaySession::RelaySession(std::string root) : m_root(std::move(root)), m_jobs(m_root), m_data(m_root) {}

Status RelaySession::feed(std::string_view bytes) {
  m_reader.feed(bytes);
  while (true) {
    FATHOM_TRY(const auto frame, m_reader.next());
    if (!frame) return {};
    answer(*frame);
  }
}

void RelaySession::written(std::size_t bytes) {
  m_written += bytes;
  // While more comes than is taken it never runs empty.
  if (m_written < m_out.size() && m_written < kMostWaiting) return;
  m_out.erase(0, std::exchange(m_written, 0));
}

void RelaySession::put(const Json& head, std::string_view body) {
  m_said = Clock::now();
  m_out += frameBytes(head, body);
}

void RelaySession::answer(const RelayFrame& frame) {
  static const std::map<std::string, Verb> kVerbs = {
      {"hello", &RelaySession::hello},         {"check", &RelaySession::check},
      {"engine", &RelaySession::engine},       {"start", &RelaySession::start},
      {"wish", &RelaySession::wish},           {"kill", &RelaySession::kill},
      {"forget", &RelaySession::forget},       {"follow", &RelaySession::follow},
      {"leave", &RelaySession::leave},         {"look", &RelaySession::look},
      {"command", &RelaySession::command},     {"write", &RelaySession::write},
      {"read", &RelaySession::read},           {"data", &RelaySession::findData},
      {"put", &RelaySession::putData},         {"folder", &RelaySession::dataFolder},
      {"use-engine", &RelaySession::useEngine}};
  const std::string word = memberText(frame.head, "verb");
  const auto verb = kVerbs.find(word);
  Result<Json> made = usageError(Phrase::tr("the relay knows no '%1'")(word));
  if (verb != kVerbs.end())
    if (const auto thrown = errorThrownBy([&] { made = (this->*verb->second)(frame); })) made = *thrown;
  Json head = {{"to", memberInteger(frame.head, "id")}};
  head[made.ok() ? "answer" : "error"] = made.ok() ? *made : relayErrorToJson(made.error());
  put(head);
}

std::string RelaySession::pathOf(const Json& head, const char* key) const {
  const std::string path = memberText(head, key);
  if (!path.empty() && path.front() == '/') return path;
  return isPathInside(path) ? m_root + "/" + path : std::string();
}

HostEngine RelaySession::engineOf(const Json& head) const {
  HostEngine engine{memberText(head, "engine"), textsIn(head, "before"), memberText(head, "libraries")};
  const std::string prepared = m_root + "/engine/current";
  if (engine.program.empty()) {
    engine.program = prepared + "/bin/fathom-engine";
    if (engine.libraries.empty())
      if (const auto torch = readFile(m_root + "/engine/libtorch", 65536)) engine.libraries = *torch;
    engine.libraries = prepared + "/lib" + (engine.libraries.empty() ? "" : ":" + engine.libraries);
  }
  return engine;
}

Result<Json> RelaySession::hello(const RelayFrame&) {
  return briefFacts(m_root);
}

Result<Json> RelaySession::check(const RelayFrame& frame) {
  return fullFacts(m_root, engineOf(frame.head));
}

Result<Json> RelaySession::engine(const RelayFrame& frame) {
  return engineFacts(engineOf(frame.head));
}

Result<Json> RelaySession::start(const RelayFrame& frame) {
  const HostEngine engine = engineOf(frame.head);
  EngineStart start;
  start.token = memberText(frame.head, "token");
  start.run = pathOf(frame.head, "run");
  if (!isPathInside(start.token) || start.token.find('/') != std::string::npos || start.run.empty())
    return usageError(Phrase::tr("'%1' is no name of a start")(start.token));
  if (!holdsRun(start.run, memberText(frame.head, "uuid"))) return anothersFolder(start.run);
  start.command = {engine.program};
  for (std::string& word : textsIn(frame.head, "arguments"))
    start.command.push_back(word == "%RUN%" ? start.run : std::move(word));
  start.before = engine.before;
  start.libraries = engine.libraries;
  start.config = frame.body;
  start.nice = static_cast<int>(memberInteger(frame.head, "nice"));
  for (const auto& [name, value] : memberObject(frame.head, "environment").items())
    if (value.is_string()) start.environment.emplace_back(name, value.get<std::string>());
  // Records of earlier attempts that were written elsewhere, where this host has none.
  FATHOM_CHECK(writeTexts(start.run, memberObject(frame.head, "files"), true));
  FATHOM_TRY(const bool started, m_jobs.start(start));
  return Json{{"started", started}, {"state", m_jobs.state(start.run, start.token)}};
}

Result<Json> RelaySession::wish(const RelayFrame& frame) {
  const std::string run = pathOf(frame.head, "run");
  if (!holdsRun(run, memberText(frame.head, "uuid"))) return anothersFolder(run);
  FATHOM_CHECK(leaveWishOf(memberText(frame.head, "by"), run, memberText(frame.head, "command")));
  return Json::object();
}

Result<Json> RelaySession::kill(const RelayFrame& frame) {
  const std::string run = pathOf(frame.head, "run");
  const bool ours = holdsRun(run, memberText(frame.head, "uuid"));
  FATHOM_CHECK(m_jobs.kill(ours ? run : std::string(), memberText(frame.head, "token")));
  return Json::object();
}

Result<Json> RelaySession::forget(const RelayFrame& frame) {
  if (const std::string token = memberText(frame.head, "token"); isPathInside(token)) m_jobs.forget(token);
  return Json::object();
}

Result<Json> RelaySession::follow(const RelayFrame& frame) {
  for (const Json& run : memberList(frame.head, "runs")) {
    const std::string id = memberText(run, "id");
    m_followed.erase(id);
    const CheckpointWish checkpoints = memberFlag(run, "checkpoints", false) ? CheckpointWish::All
                                       : memberFlag(run, "best", false)      ? CheckpointWish::Best
                                                                             : CheckpointWish::None;
    RunStream stream(id, pathOf(run, "run"), checkpoints, memberFlag(run, "logs", true),
                     knownFilesFromJson(run));
    stream.setUuid(memberText(run, "uuid"));
    Followed followed{std::move(stream), memberText(run, "token"), {}};
    followed.once = memberFlag(run, "once", false);
    m_followed.emplace(id, std::move(followed));
  }
  return Json{{"followed", m_followed.size()}};
}

Result<Json> RelaySession::leave(const RelayFrame& frame) {
  m_followed.erase(memberText(frame.head, "run"));
  return Json::object();
}

// The state of a run is told once more, with the mark of the question: all that was there then has come.
Result<Json> RelaySession::look(const RelayFrame& frame) {
  const auto run = m_followed.find(memberText(frame.head, "run"));
  if (run == m_followed.end()) return usageError(Phrase::tr("nobody follows this run"));
  run->second.mark = memberInteger(frame.head, "mark");
  run->second.told.clear();
  run->second.looked = {};
  return Json::object();
}

// Others wait meanwhile: who asks for what may take long has a connection of his own for it.
Result<Json> RelaySession::command(const RelayFrame& frame) {
  if (const std::string needs = memberText(frame.head, "needs"); !needs.empty()) findAsLoginShell(needs);
  const auto seconds = static_cast<int>(memberInteger(frame.head, "seconds", kCommandSeconds));
  const HostAnswer answer = hostAnswer(textsIn(frame.head, "words"), seconds, HostMessages::Apart);
  return Json{
      {"code", answer.exitCode}, {"timed_out", answer.timedOut}, {"out", answer.out}, {"err", answer.err}};
}

Result<Json> RelaySession::write(const RelayFrame& frame) {
  const std::string folder = pathOf(frame.head, "folder");
  if (folder.empty()) return usageError(Phrase::tr("'%1' is no folder")(memberText(frame.head, "folder")));
  FATHOM_CHECK(writeTexts(folder, memberObject(frame.head, "files"), memberFlag(frame.head, "keep", false)));
  return Json::object();
}

// The ends of files; those that are not there are left out.
Result<Json> RelaySession::read(const RelayFrame& frame) {
  const std::string folder = pathOf(frame.head, "folder");
  Json files = Json::object();
  for (const std::string& file : textsIn(frame.head, "files"))
    if (!folder.empty() && isPathInside(file) && fileExists(folder + "/" + file))
      files[file] = lastBytes(folder + "/" + file, kMostRead);
  return Json{{"files", std::move(files)}};
}

Result<Json> RelaySession::findData(const RelayFrame& frame) {
  const Json& head = frame.head;
  FATHOM_TRY(const StoredData::Place place,
             m_data.find(memberText(head, "sha256"), static_cast<std::uint64_t>(memberInteger(head, "bytes")),
                         memberText(head, "name"), memberText(head, "path")));
  return Json{{"path", place.path}, {"have", place.have}};
}

Result<Json> RelaySession::putData(const RelayFrame& frame) {
  const Json& head = frame.head;
  FATHOM_TRY(const StoredData::Place place,
             m_data.put(memberText(head, "sha256"), static_cast<std::uint64_t>(memberInteger(head, "bytes")),
                        memberText(head, "name"), static_cast<std::uint64_t>(memberInteger(head, "at")),
                        frame.body));
  return Json{{"path", place.path}, {"have", place.have}};
}

Result<Json> RelaySession::dataFolder(const RelayFrame& frame) {
  std::map<std::string, std::string> files;
  for (const auto& [file, sum] : memberObject(frame.head, "files").items())
    files[file] = sum.is_string() ? sum.get<std::string>() : std::string();
  FATHOM_TRY(std::string path,
             m_data.folder(memberText(frame.head, "sha256"), memberText(frame.head, "name"), files));
  return Json{{"path", std::move(path)}};
}

// The engine of a folder of data becomes that of the place, in one step.
Result<Json> RelaySession::useEngine(const RelayFrame& frame) {
  const std::string folder = memberText(frame.head, "folder"), home = m_root + "/engine";
  FATHOM_CHECK(makeFolders(home));
  FATHOM_TRY(const auto programs, contentsOf(folder + "/bin"));
  for (const auto& entry : programs)
    if (::chmod(entry.path().c_str(), 0755) != 0)
      return systemError(Phrase::tr("cannot write"), entry.path().string(), errno);
  FATHOM_CHECK(writeFileAtomically(home + "/libtorch", memberText(frame.head, "libtorch")));
  const std::string aside = home + "/current.new";
  ::unlink(aside.c_str());
  if (::symlink(folder.c_str(), aside.c_str()) != 0)
    return systemError(Phrase::tr("cannot write"), aside, errno);
  FATHOM_CHECK(renamePath(aside, home + "/current"));
  return engineFacts(engineOf(frame.head));
}

void RelaySession::tellState(Followed& run) {
  const bool ours = run.stream.isOurs();
  Json state = m_jobs.state(ours ? run.stream.path() : std::string(), run.token);
  if (!ours) state["other"] = true;
  // An end is told when everything that was written before it has been sent.
  if (isEnd(state)) {
    run.stream.look(true);
    if (!run.stream.smallOnesSent()) run.looked = {};
    if (!run.stream.allSent()) return;
  }
  run.atEnd = isEnd(state);
  const std::string text = state.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text == run.told) return;
  run.told = text;
  put({{"run", run.stream.id()}, {"state", state}, {"mark", run.mark}});
}

// Says so when all that one look has seen is sent.
bool RelaySession::hasFetched(Followed& run) {
  if (run.looked == Clock::time_point{}) {
    run.looked = Clock::now();
    run.stream.look(true);
    return false;
  }
  if (!run.stream.isDone()) return false;
  const bool there = folderExists(run.stream.path());
  put({{"run", run.stream.id()},
       {"fetched", true},
       {"there", there},
       {"other", !run.stream.isOurs()},
       {"held", m_jobs.state(run.stream.path(), {}).contains("holder")},
       {"seen", run.stream.allSent()}});
  return true;
}

void RelaySession::lookAt(Followed& run, Clock::time_point now) {
  const auto due = [&](Clock::time_point last, double seconds) {
    return std::chrono::duration<double>(now - last).count() >= seconds;
  };
  const bool ended = run.atEnd;
  // One that somebody else starts, a batch system, may begin or go on at any time.
  const bool mayBegin = run.token.empty();
  if (run.stream.isBusy()) return;
  if (std::exchange(run.stateDue, false)) tellState(run);
  if (due(run.looked, ended && !mayBegin ? kEndedSeconds : kLookSeconds)) {
    run.looked = run.looksForGrowth = now;
    run.stream.look(true);
    run.stateDue = run.stream.isBusy() && !run.told.empty();
    if (!run.stateDue) tellState(run);
  } else if (!ended && due(run.looksForGrowth, kGrowthSeconds)) {
    run.looksForGrowth = now;
    run.stream.look(false);
  }
}

void RelaySession::work() {
  const auto now = Clock::now();
  for (auto each = m_followed.begin(); each != m_followed.end();)
    each = each->second.once && hasFetched(each->second) ? m_followed.erase(each) : std::next(each);
  for (auto& [id, run] : m_followed)
    if (!run.once) lookAt(run, now);
  bool more = true;
  while (more && waiting().size() < kMostWaiting) {
    more = false;
    for (auto& [id, run] : m_followed)
      more = run.stream.send([this](const Json& head, std::string_view body) { put(head, body); }) || more;
  }
  if (std::chrono::duration<double>(now - m_said).count() >= kSayingSeconds) put({{"here", true}});
}

double RelaySession::idleSeconds() const {
  if (m_followed.empty()) return kSayingSeconds / 2;
  for (const auto& [id, run] : m_followed)
    if (run.once) return 0.01;  // it only waits for its pipe
  const bool ended = std::all_of(m_followed.begin(), m_followed.end(), [](const auto& each) {
    return each.second.atEnd && each.second.stream.smallOnesSent();
  });
  return ended ? kLookSeconds : kGrowthSeconds;
}

}  // namespace fathom
