// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/place_journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/lines_of.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

constexpr std::uintmax_t kMostJournalBytes = std::uintmax_t{64} << 10;
constexpr std::size_t kMostReadBytes = std::size_t{1} << 20;
constexpr double kHeardEvery = 2;               // seconds
constexpr std::size_t kMostJournalWords = 600;  // bytes: sentences, not files

double journalNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The second half of its lines stays.
void halveJournal(const std::string& file) {
  const auto text = readFile(file, kMostReadBytes);
  if (!text.ok()) return;
  std::size_t begin = 0;
  LinesOf lines(*text);
  for (std::string_view line; begin < text->size() / 2 && lines.next(line);) begin += line.size() + 1;
  if (begin <= text->size()) (void)writeFileAtomically(file, text->substr(begin)).ok();
}

void setTimeOf(const std::string& file, double at) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return;
  timespec times[2];
  for (timespec& each : times) {
    each.tv_sec = static_cast<time_t>(std::floor(at));
    each.tv_nsec = static_cast<long>((at - std::floor(at)) * 1e9);
  }
  ::futimens(fd, times);
  ::close(fd);
}

// What is too long is cut, as it was said.
void writeJournalWords(Json& line, const char* key, const Phrase& words) {
  const std::string english = words.english();
  if (english.size() > kMostJournalWords)
    line[key] = english.substr(0, kMostJournalWords);
  else
    writePhrase(line, key, words);
}

}  // namespace

Phrase journalRun(const Phrase& verb, const std::string& uuid) {
  constexpr std::size_t kLetters = 8;
  return uuid.empty() ? verb : Phrase::list({verb, Phrase::words(uuid.substr(0, kLetters))}, " ");
}

PlaceJournal::PlaceJournal(const std::string& project, const std::string& place)
    : m_queue(QueueFolder(project).path()), m_folder(m_queue + "/journal"), m_base(m_folder + "/" + place) {}

// A project that was deleted meanwhile is not made anew.
bool PlaceJournal::makeFolder() const {
  return makeOneFolder(m_queue).ok() && makeOneFolder(m_folder).ok();
}

void PlaceJournal::say(const Phrase& asked, const Phrase& answer, bool trouble) {
  Json line = Json::object();
  writeJournalWords(line, "asked", asked);
  writeJournalWords(line, "answer", answer);
  if (trouble) line["trouble"] = true;
  append(std::move(line));
}

void PlaceJournal::say(const Phrase& asked, const Error& trouble) {
  say(asked, trouble.phrase(), true);
}

void PlaceJournal::append(Json line) {
  const std::string said = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (said == m_last || !makeFolder()) return;
  m_last = said;
  line["t"] = std::round(journalNow() * 1000) / 1000;
  const std::string file = m_base + ".log";
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return;
  (void)writeAll(fd, line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n", file).ok();
  ::close(fd);
  if (fileBytes(file) > kMostJournalBytes) halveJournal(file);
}

void PlaceJournal::heard(double secondsAgo) {
  const double at = journalNow() - secondsAgo;
  if (at - m_heardAt < kHeardEvery || !makeFolder()) return;
  m_heardAt = at;
  setTimeOf(m_base + ".heard", at);
}

void PlaceJournal::keepLook(const Json& look) const {
  if (!makeFolder()) return;
  (void)writeFileAtomically(m_base + ".json", look.dump(2, ' ', false, Json::error_handler_t::replace) + "\n")
      .ok();
}

std::vector<PlaceLine> PlaceJournal::lines(std::size_t most) const {
  std::vector<PlaceLine> lines;
  const auto text = readFile(m_base + ".log", kMostReadBytes);
  if (!text.ok()) return lines;
  LinesOf all(*text);
  for (std::string_view line; all.next(line);) {
    const auto json = parseJson(line);
    if (!json.ok() || !json->is_object()) continue;
    lines.push_back({memberReal(*json, "t", 0), memberText(*json, "asked"), memberText(*json, "answer"),
                     memberFlag(*json, "trouble", false), readPhrase(*json, "asked"),
                     readPhrase(*json, "answer")});
  }
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

double PlaceJournal::heardAt() const {
  struct stat info {};
  if (::stat((m_base + ".heard").c_str(), &info) != 0) return 0;
  return static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) / 1e9;
}

Json PlaceJournal::look() const {
  const std::string file = m_base + ".json";
  if (!fileExists(file)) return Json::object();
  auto json = readJsonFile(file, {64, kMostReadBytes, false});
  return json.ok() && json->is_object() ? std::move(*json) : Json::object();
}

}  // namespace fathom
