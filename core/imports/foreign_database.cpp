// SPDX-License-Identifier: Apache-2.0
#include "core/imports/foreign_database.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/temporary_folder.h"
#include "core/library/records/library_error.h"

namespace fathom {

namespace {

constexpr std::string_view kDatabaseMagic("SQLite format 3\0", 16);
constexpr std::string_view kJournalMagic("\xD9\xD5\x05\xF9\x20\xA1\x63\xD7", 8);
constexpr std::size_t kDatabaseHead = 100, kWalHead = 32;
constexpr int kTries = 5, kStepsBetweenLooks = 10'000, kMostBytesOfAValue = 64 << 20;
constexpr double kOneTick = 0.02;  // clocks of file systems are no finer
constexpr auto kWhileItChanges = std::chrono::milliseconds(25);

std::string stampOfFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "-";
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

std::string stampOfAll(const std::string& path) {
  return stampOfFile(path) + " " + stampOfFile(path + "-wal") + " " + stampOfFile(path + "-journal");
}

std::string firstBytes(const std::string& path, std::size_t most) {
  const auto file = RegularFile::open(path);
  if (!file.ok()) return {};
  std::string bytes(most, '\0');
  const auto count = file->readAt(0, bytes.data(), most);
  bytes.resize(count.ok() ? *count : 0);
  return bytes;
}

// The state that must stay as it is while a database is read: a log that only grows is read up to where it
// was.
std::string stampWhileRead(const std::string& path) {
  return stampOfFile(path) + " " + stampOfFile(path + "-journal") + " " + firstBytes(path + "-wal", kWalHead);
}

std::uint32_t bigEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number = number << 8u | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

// A file that is still being copied has fewer pages than it says.
bool isShort(const std::string& path) {
  const std::string head = firstBytes(path, kDatabaseHead);
  if (head.size() < kDatabaseHead) return kDatabaseMagic.starts_with(head.substr(0, kDatabaseMagic.size()));
  const std::uint32_t size = bigEndian(head, 16, 2), pages = bigEndian(head, 28, 4);
  const std::uint64_t bytes = static_cast<std::uint64_t>(size == 1 ? 65536 : size) * pages;
  return bytes > fileBytes(path);
}

// A transaction is under way, or was cut off: what stands in the database is not what was committed.
bool hasHotJournal(const std::string& path) {
  return firstBytes(path + "-journal", kJournalMagic.size()) == kJournalMagic;
}

bool changedJustNow(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return false;
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const double then = static_cast<double>(info.st_mtim.tv_sec) + 1e-9 * double(info.st_mtim.tv_nsec);
  return now >= then && now - then < kOneTick;
}

std::string addressOf(const std::string& path, const char* query) {
  std::string address = "file:";
  for (const char c : absolutePath(path)) {
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
    address += c == '?' || c == '#' || c == '%' ? std::string(code) : std::string(1, c);
  }
  return address + query;
}

Error foreignError(const SQLite::Exception& exception, const std::string& path) {
  const int code = exception.getErrorCode() & 0xFF;
  if (code == SQLITE_INTERRUPT) return interruptedError();
  const bool data = code == SQLITE_ERROR || code == SQLITE_CORRUPT || code == SQLITE_NOTADB ||
                    code == SQLITE_SCHEMA || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH;
  if (data)
    return dataErrorAt(path, 0,
                       Phrase::tr("the SQLite database cannot be read: %1")(std::string(exception.what())));
  Error error =
      unavailableError(Phrase::tr("the SQLite database cannot be read: %1")(std::string(exception.what())));
  error.file = path;
  return error;
}

int stopWhenAsked(void* stop) {
  return static_cast<const StopToken*>(stop)->stopRequested() ? 1 : 0;
}

// Everything that `body` does with the database at `address`.
Status useDatabase(const std::string& address, int flags, const std::string& path, const StopToken& stop,
                   const std::function<Status(SQLite::Database&)>& body) {
  try {
    SQLite::Database database(address, flags | SQLite::OPEN_URI);
    sqlite3* handle = database.getHandle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostBytesOfAValue);
    StopToken asked = stop;
    sqlite3_progress_handler(handle, kStepsBetweenLooks, stopWhenAsked, &asked);
    // Before anything is read: then the index of the log is in our memory, not in a file beside it.
    database.exec("PRAGMA locking_mode=EXCLUSIVE");
    hardenConnection(database);
    database.exec("PRAGMA query_only=ON");
    database.exec("BEGIN");
    return body(database);
  } catch (const SQLite::Exception& exception) {
    return foreignError(exception, path);
  }
}

// A copy with its journal: opening it takes the unfinished transaction back.
Status useCopy(const std::string& path, const StopToken& stop,
               const std::function<Status(SQLite::Database&)>& body) {
  const TemporaryFolder folder;
  const std::string copy = folder.path() + "/copy.db";
  for (const char* end : {"", "-journal"}) {
    std::error_code code;
    std::filesystem::copy_file(path + end, copy + end, code);
    if (code) return inputError(Phrase::tr("cannot read"), path + end, code.value());
  }
  return useDatabase(addressOf(copy, ""), SQLite::OPEN_READWRITE, path, stop, body);
}

std::vector<std::string> firstColumnOf(SQLite::Database& database, const std::string& sql,
                                       const std::string& name) {
  SQLite::Statement statement(database, sql);
  if (!name.empty()) statement.bind(1, name);
  std::vector<std::string> texts;
  constexpr std::size_t kMost = 10'000;
  while (texts.size() < kMost && statement.executeStep()) texts.push_back(statement.getColumn(0).getString());
  return texts;
}

}  // namespace

bool isDatabaseHead(std::string_view head) {
  return head.starts_with(kDatabaseMagic);
}

std::vector<std::string> tablesOf(SQLite::Database& database) {
  return firstColumnOf(
      database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1",
      "");
}

std::vector<std::string> columnsOfTable(SQLite::Database& database, const std::string& table) {
  return firstColumnOf(database, "SELECT name FROM pragma_table_info(?)", table);
}

bool ForeignDatabase::changed() const {
  return m_stamp != stampOfAll(m_path);
}

Result<ForeignDatabase::Outcome> ForeignDatabase::readOnce(
    const StopToken& stop, const std::function<Status(SQLite::Database&)>& body, bool& torn) const {
  const std::string before = stampWhileRead(m_path);
  Status status;
  if (hasHotJournal(m_path)) {
    status = useCopy(m_path, stop, body);
  } else if (fileExists(m_path + "-wal") && fileBytes(m_path + "-wal") > 0) {
    status =
        useDatabase(addressOf(m_path, "?mode=ro&vfs=unix-none"), SQLite::OPEN_READONLY, m_path, stop, body);
  } else {
    // Without a log there is nothing that would be missed.
    status =
        useDatabase(addressOf(m_path, "?mode=ro&immutable=1"), SQLite::OPEN_READONLY, m_path, stop, body);
  }
  torn = stampWhileRead(m_path) != before;
  if (torn) return Outcome::Waiting;
  if (status.ok()) return Outcome::Read;
  const bool unfinished = status.error().kind == ErrorKind::Data && isShort(m_path);
  if (unfinished) return Outcome::Waiting;
  return status.error();
}

Result<ForeignDatabase::Outcome> ForeignDatabase::read(const StopToken& stop,
                                                       const std::function<Status(SQLite::Database&)>& body) {
  for (int i = 0; i < kTries; ++i) {
    if (stop.stopRequested()) return interruptedError();
    if (!fileExists(m_path)) return Outcome::Gone;
    // Its owner writes right now; two changes within one tick of the clock look like one.
    if (changedJustNow(m_path) && i + 1 < kTries) {
      std::this_thread::sleep_for(kWhileItChanges);  // nothing tells when another program has done
      continue;
    }
    const std::string stamp = stampOfAll(m_path);
    bool torn = false;
    auto outcome = readOnce(stop, body, torn);
    if (torn) continue;
    if (outcome.ok() && *outcome == Outcome::Read) m_stamp = stamp;
    return outcome;
  }
  return Outcome::Waiting;
}

}  // namespace fathom
