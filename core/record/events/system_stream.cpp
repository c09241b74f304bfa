// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/system_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_text.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_pieces.h"
#include "core/record/events/event_scan.h"

namespace fathom {

namespace {

// `{"a":1}` as members of an object that has some already: `,"a":1`.
std::string furtherMembers(const Json& members) {
  const std::string text = jsonText(members);
  return members.empty() ? std::string() : "," + text.substr(1, text.size() - 2);
}

MachineFacts machineFacts(const Json& json) {
  MachineFacts facts;
  facts.cores = static_cast<int>(std::clamp<std::int64_t>(memberInteger(json, "cores"), 0, 1 << 20));
  if (const auto memory = realFromJson(json.value("memory", Json())); memory.ok() && std::isfinite(*memory))
    facts.memory = *memory;
  facts.device = memberText(json, "device");
  facts.neededBytes = memberInteger(json, "needed_bytes");
  return facts;
}

std::optional<LoadSpan> loadSpan(const Json& json) {
  const auto from = realFromJson(json.value("from", Json())), to = realFromJson(json.value("to", Json()));
  return from.ok() && to.ok() ? std::optional(LoadSpan{*from, *to}) : std::nullopt;
}

// As all lines of a stream say a time.
std::string timeText(double time) {
  return jsonNumber(std::round(time * 1e6) / 1e6);
}

Error newerSystemLine(const std::string& path, double version) {
  return dataErrorAt(path, 0,
                     Phrase::tr("the run was recorded with event version %1; this program reads version %2")(
                         static_cast<std::int64_t>(version), kEventVersion),
                     Phrase::tr("open it with a newer Fathom"));
}

}  // namespace

std::string systemStreamPath(const RunFolder& run, int attempt) {
  return run.attemptPath(attempt) + "/system.jsonl";
}

Result<std::unique_ptr<SystemStream>> SystemStream::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot write"), path, errno);
  std::unique_ptr<SystemStream> stream(new SystemStream(fd, path));
  stream->findEnd();
  return stream;
}

SystemStream::~SystemStream() {
  ::close(m_fd);
}

// A later runner goes on where one has died.
void SystemStream::findEnd() {
  const auto file = RegularFile::open(m_path);
  if (!file.ok() || file->size() == 0) return;
  std::string end(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), 2 * kMaxEventBytes)), '\0');
  const auto got = file->readAt(file->size() - end.size(), end.data(), end.size());
  end.resize(got.ok() ? *got : 0);
  m_torn = !end.ends_with('\n');
  std::string_view rest(end);
  LineCutter lines(kMaxEventBytes);
  for (LineCutter::Line line; lines.next(rest, line);) {
    if (line.tooLong || checkedEventBody(line.text).empty()) continue;
    const auto json = parseJson(line.text);
    if (json.ok()) m_seq = std::max(m_seq, memberInteger(*json, "seq", -1) + 1);
  }
}

Status SystemStream::writeEvent(std::string_view kind, const std::string& members, double time) {
  std::string line = "{\"v\":" + std::to_string(kEventVersion) + ",\"seq\":" + std::to_string(m_seq) +
                     ",\"t\":" + timeText(time) + ",\"k\":\"" + std::string(kind) + "\"" + members;
  closeEventLine(line);
  if (line.size() > kMaxEventBytes)
    return internalError("an event of " + std::to_string(line.size()) + " bytes is over the limit of " +
                         std::to_string(kMaxEventBytes));
  const Status written = writeAll(m_fd, m_torn ? "\n" + line : line, m_path);
  m_torn = !written.ok();
  if (written.ok()) ++m_seq;
  return written;
}

Status SystemStream::describe(const MachineFacts& facts, double time) {
  Json members = Json::object();
  if (facts.cores > 0) members["cores"] = facts.cores;
  if (facts.memory > 0) members["memory"] = facts.memory;
  if (!facts.device.empty()) members["device"] = facts.device;
  if (facts.neededBytes > 0) members["needed_bytes"] = facts.neededBytes;
  return writeEvent(kMachineKind, furtherMembers(members), time);
}

Status SystemStream::add(const SystemSample& sample, double time) {
  const std::string members = ",\"m\":" + jsonText(namedRealsToJson(sample));
  constexpr std::size_t kBeside = 512;  // bytes of a line's other members
  if (members.size() + kBeside <= kMaxEventBytes) return writeEvent(kSystemKind, members, time);
  if (sample.size() < 2) return {};  // a name that no line holds
  const auto half = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  FATHOM_CHECK(add(SystemSample(sample.begin(), half), time));
  return add(SystemSample(half, sample.end()), time);
}

Status SystemStream::giveWay(const LoadSpan& span) {
  return writeEvent(kGivesWayKind, ",\"from\":" + timeText(span.from) + ",\"to\":" + timeText(span.to),
                    span.from);
}

Status SystemStream::sync() const {
  return syncData(m_fd, m_path);
}

SystemReader::SystemReader(std::string path) : m_path(std::move(path)), m_lines(kMaxEventBytes) {}

Status SystemReader::takeLine(const LineCutter::Line& line, const Takers& take) {
  const std::string_view body = line.tooLong ? std::string_view() : checkedEventBody(line.text);
  ScalarLine scalars;
  if (line.text.empty()) return {};  // below half a line
  if (body.empty() || !scanEventLine(body, scalars)) {
    ++m_badLines;
    return {};
  }
  if (scalars.version > kEventVersion) return newerSystemLine(m_path, scalars.version);
  if (scalars.kind == kSystemKind && take.sample) take.sample(scalars.time, scalars.metrics);
  const bool machine = scalars.kind == kMachineKind && take.machine;
  const bool retreat = scalars.kind == kGivesWayKind && take.givesWay;
  if (!machine && !retreat) return {};
  const double time = scalars.time;
  const auto json = parseJson(line.text, {}, {64, kMaxEventBytes, true});
  if (!json.ok()) return {};
  if (machine) take.machine(time, machineFacts(*json));
  if (const auto span = retreat ? loadSpan(*json) : std::nullopt) take.givesWay(*span);
  return {};
}

Status SystemReader::poll(const Takers& take) {
  if (m_stopped) return *m_stopped;
  if (!fileExists(m_path)) return {};
  FATHOM_TRY(const RegularFile file, RegularFile::open(m_path));
  FATHOM_CHECK(checkEventLogSize(file));
  std::string buffer(std::size_t{1} << 16, '\0');
  while (true) {
    FATHOM_TRY(const std::size_t count, file.readAt(m_offset, buffer.data(), buffer.size()));
    if (count == 0) return {};
    m_offset += count;
    std::string_view rest(buffer.data(), count);
    for (LineCutter::Line line; m_lines.next(rest, line);) {
      const Status taken = takeLine(line, take);
      if (taken.ok()) continue;
      m_stopped = taken.error();
      return taken;
    }
  }
}

}  // namespace fathom
