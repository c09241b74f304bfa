// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/event_reader.h"

#include <algorithm>

#include "core/record/events/event_log.h"
#include "core/record/events/event_pieces.h"
#include "core/record/events/event_scan.h"

namespace fathom {

namespace {

void takeScalars(const ScalarLine& line, Event& event) {
  event.step = line.step >= 0 ? static_cast<std::int64_t>(line.step) : -1;
  event.epoch = line.epoch;
  event.tokens = line.tokens;
  event.scalars.assign(line.metrics.begin(), line.metrics.end());
  if (line.kind == "step" && line.hasRate) event.scalars.emplace_back("lr", line.rate);
}

// One checked line as an event; nothing when it is not one of ours.
std::optional<Event> parseEvent(std::string_view line, std::int64_t& version) {
  const std::string_view body = checkedEventBody(line);
  if (body.empty()) return std::nullopt;
  auto json = parseJson(line, {}, {64, kMaxEventBytes, true});
  if (!json.ok() || !json->is_object()) return std::nullopt;
  Event event;
  const auto v = json->find("v"), seq = json->find("seq"), t = json->find("t"), k = json->find("k");
  if (v == json->end() || !v->is_number_integer()) return std::nullopt;
  version = v->get<std::int64_t>();
  if (version > kEventVersion) return event;
  if (seq == json->end() || !seq->is_number_integer() || t == json->end() || !t->is_number() ||
      k == json->end() || !k->is_string())
    return std::nullopt;
  event.seq = seq->get<std::int64_t>();
  event.time = t->get<double>();
  event.kind = k->get<std::string>();
  if (ScalarLine scalars; scanEventLine(body, scalars))
    takeScalars(scalars, event);
  else if (event.kind == "step" || event.kind == "validation")
    return std::nullopt;  // its numbers cannot be read
  event.members = std::move(*json);
  return event;
}

Error newerVersion(const std::string& path, std::int64_t version) {
  Error error =
      dataErrorAt(path, 0,
                  Phrase::tr("the run was recorded with event version %1; this program reads version %2")(
                      version, kEventVersion),
                  Phrase::tr("open it with a newer Fathom"));
  return error;
}

}  // namespace

EventReader::EventReader(std::string path) : m_path(std::move(path)), m_lines(kMaxEventBytes) {}

void EventReader::takeLine(const LineCutter::Line& line, std::vector<Event>& events) {
  std::int64_t version = 0;
  auto event = line.tooLong ? std::nullopt : parseEvent(line.text, version);
  if (version > kEventVersion) {
    m_stopped = newerVersion(m_path, version);
  } else if (!event || event->seq < m_nextSeq) {
    ++m_badLines;
  } else {
    m_missing += event->seq - m_nextSeq;
    m_nextSeq = event->seq + 1;
    event->seconds = m_clock.at(event->time);
    events.push_back(std::move(*event));
  }
}

Result<std::vector<Event>> EventReader::poll(std::size_t maxBytes) {
  if (m_stopped) return *m_stopped;
  FATHOM_TRY(const RegularFile file, RegularFile::open(m_path));
  FATHOM_CHECK(checkEventLogSize(file));
  std::vector<Event> events;
  std::size_t left = std::max<std::size_t>(maxBytes, 1);
  std::string buffer(std::min<std::size_t>(left, 1 << 20), '\0');
  std::optional<Error> failed;
  while (left > 0 && !m_stopped) {
    const auto count =
        file.readAt(static_cast<std::uint64_t>(m_offset), buffer.data(), std::min(left, buffer.size()));
    if (!count.ok()) failed = count.error();
    if (!count.ok() || *count == 0) break;
    left -= *count;
    std::string_view rest(buffer.data(), *count);
    m_offset += static_cast<std::int64_t>(*count);
    for (LineCutter::Line line; !m_stopped && m_lines.next(rest, line);) takeLine(line, events);
    m_offset -= static_cast<std::int64_t>(rest.size());
  }
  if (events.empty() && m_stopped) return *m_stopped;
  if (events.empty() && failed) return *failed;
  return events;
}

}  // namespace fathom
