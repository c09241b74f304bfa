// SPDX-License-Identifier: Apache-2.0
// What is no regular file, cannot be looked at or is far too long must cost an error, never the project: no
// wait for the other end of a pipe, no memory for what a length claims, no exception.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json.h"
#include "core/base/lines/compressed_file.h"
#include "core/base/lines/line_reader.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/sanitizers.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_pieces.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/scalar_summary.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/formats/torch_archive.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_archive.h"
#include "core/record/runs/run_lock.h"
#include "core/spider/data/spider_dataset.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

// Whatever reserves more than `bytes` beyond what is in use now gets bad_alloc while this lives. Sanitizers
// map terabytes for themselves: nothing is limited there.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) {
    ::getrlimit(RLIMIT_AS, &m_before);
    if (kSanitized) return;
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    rlimit limit = m_before;
    limit.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + bytes;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &m_before); }

 private:
  rlimit m_before{};
};

void makeSocket(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::close(fd);
}

const QStringList kKinds = {"pipe", "device", "link to a device", "socket", "folder", "loop of links"};

// Puts such a thing at `path`, in place of what is there.
void makeOdd(const QString& kind, const std::string& path) {
  fs::remove_all(path);
  if (kind == "pipe") QVERIFY(::mkfifo(path.c_str(), 0600) == 0);
  // Making a device needs rights that few have; a link to one is as good for all but lstat.
  if (kind == "device" && ::mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 5)) != 0)
    fs::create_symlink("/dev/zero", path);
  if (kind == "link to a device") fs::create_symlink("/dev/zero", path);
  if (kind == "socket") makeSocket(path);
  if (kind == "folder") fs::create_directory(path);
  if (kind == "loop of links") fs::create_symlink(path, path);
}

}  // namespace

class OddFilesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { ::alarm(300); }  // a test that hangs must not pass for a slow one
  void init();
  void readersRefuse_data();
  void readersRefuse();
  void runsWithOddParts_data();
  void runsWithOddParts();
  void queueWithOddFiles_data();
  void queueWithOddFiles();
  void linkedRunsThatCannotBeLookedAt();
  void hugeFiles();
  void longLogInPieces();
  void piecesGiveEveryLine();
  void lineWithoutAnEnd();
  void behindGzip();
  void otherPackings();
  void boundaryOfThreads();

 private:
  RunFolder addRun(const std::string& name) const;
  std::string at(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ProjectLibrary> m_library;
};

void OddFilesTest::init() {
  m_library.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_library = ProjectLibrary::create(at("p.fathom")).value();
}

RunFolder OddFilesTest::addRun(const std::string& name) const {
  const auto run =
      RunFolder::create(m_library->runsPath() + "/" + name, {"uuid-" + name, name, "2026", {}}).value();
  const int attempt = run.beginAttempt({{"format", 1}, {"options", {{"seed", 1}}}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  for (int step = 1; step <= 3; ++step) (void)log->appendStep(step, 1, step, 1e-3, {{"loss", 1.0}});
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = 3;
  if (!run.writeOutcome(attempt, outcome).ok()) qFatal("no outcome");
  return run;
}

void OddFilesTest::readersRefuse_data() {
  QTest::addColumn<QString>("kind");
  for (const QString& kind : kKinds) QTest::newRow(qPrintable(kind)) << kind;
}

// Everything that opens a file to read it.
void OddFilesTest::readersRefuse() {
  QFETCH(QString, kind);
  const std::string path = at("odd");
  makeOdd(kind, path);
  std::map<std::string, Error> errors;
  const auto note = [&](const std::string& reader, const auto& result) {
    QVERIFY2(!result.ok(), reader.c_str());
    errors[reader] = result.error();
  };
  note("readFile", readFile(path));
  note("readJsonFile", readJsonFile(path));
  note("sha256OfFile", sha256OfFile(path));
  note("LineReader", LineReader::open(path));
  note("PackedReader", PackedReader::open(path));
  note("SafetensorsFile", SafetensorsFile::open(path));
  note("TorchArchive", TorchArchive::open(path));
  note("EventReader", EventReader(path).poll());
  note("EventPieces", EventPieces::open(path));
  Progress progress;
  note("importRunArchive", importRunArchive(path, at("in"), progress, StopToken()));
  for (const auto& [reader, error] : errors) {
    QVERIFY2(error.text().find(path) != std::string::npos, (reader + ": " + error.text()).c_str());
    QVERIFY2(error.kind != ErrorKind::Internal, reader.c_str());
  }
  QCOMPARE(errors.size(), std::size_t{10});
  QVERIFY(!openLockFile(path).ok());
}

void OddFilesTest::runsWithOddParts_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("part");
  for (const QString& kind : kKinds) {
    for (const QString part : {"run.json", "attempts/0001/events.jsonl", "attempts/0001/config.json",
                               "attempts/0001/outcome.json", "lock", "attempts"})
      QTest::addRow("%s as %s", qPrintable(kind), qPrintable(part)) << kind << part;
  }
}

// One such run among good ones: all are listed, with a reason where it matters, and nothing waits.
void OddFilesTest::runsWithOddParts() {
  QFETCH(QString, kind);
  QFETCH(QString, part);
  addRun("good");
  const RunFolder odd = addRun("odd");
  if (!(part == "attempts" && kind == "folder")) makeOdd(kind, odd.path() + "/" + part.toStdString());
  for (const bool indexed : {false, true}) {
    const auto index = indexed ? CurveIndex::open(m_library->path()).value() : nullptr;
    RunListing listing(*m_library, index.get());
    for (int round = 0; round < 2; ++round) {
      const auto rows = listing.rows();
      QVERIFY(rows.ok());
      QCOMPARE(rows->size(), std::size_t{2});
      for (const RunRow& row : *rows) {
        if (row.path != odd.path()) QVERIFY(row.state == RunState::Finished);
        if (row.path == odd.path() && (part == "run.json" || part.endsWith("events.jsonl"))) {
          QVERIFY2(row.state == RunState::Lost, runStateName(row.state));
          QVERIFY2(row.message.english().find(odd.path()) != std::string::npos,
                   row.message.english().c_str());
        }
      }
    }
    if (index) (void)index->refresh(odd.path());
  }
  (void)odd.state();
  (void)odd.config(1);
  (void)readRunScalars(odd.path());
  (void)readScalarSummary(odd);
  (void)listCheckpoints(odd.path());
  QVERIFY(!runLockHolder(odd.path()));
  if (part == "lock") QVERIFY(!RunLock::acquire(odd.path(), "").ok());
}

void OddFilesTest::queueWithOddFiles_data() {
  readersRefuse_data();
}

void OddFilesTest::queueWithOddFiles() {
  QFETCH(QString, kind);
  const QueueFolder queue(m_library->path());
  QueueEntry entry;
  entry.uuid = "3b0c4c0e-7d3c-4c58-9f5f-2f9f3c1c0001";
  entry.config = {{"format", 1}};
  const auto added = queue.add(entry);
  QVERIFY(added.ok());
  std::string file;
  for (const auto& item : fs::directory_iterator(queue.path()))
    if (item.path().filename().string().find(entry.uuid) != std::string::npos) file = item.path().string();
  QVERIFY(!file.empty());
  makeOdd(kind, file);
  std::vector<Error> skipped;
  const auto entries = queue.entries(&skipped);
  QVERIFY(entries.ok() && entries->empty());
  makeOdd(kind, queue.path() + "/settings.json");
  (void)queue.settings();
  const auto lock = queue.lockRunner();
  QVERIFY(lock.ok() && *lock);
}

// Another user's folder, a loop of links, a name that is too long: rows like all others, shown as lost.
void OddFilesTest::linkedRunsThatCannotBeLookedAt() {
  addRun("good");
  const std::string loop = at("loop"), closed = at("closed"), tooLong = at(std::string(300, 'x'));
  fs::create_directories(closed);
  for (const std::string& path : {loop, closed + "/run"}) {
    QVERIFY(RunFolder::create(path, {"uuid-" + path, "", "2026", {}}).ok());
    QVERIFY(m_library->linkRun(path).ok());
  }
  fs::remove_all(loop);
  fs::create_symlink(loop, loop);
  SQLite::Statement insert(m_library->database(), "INSERT INTO linked_run (path) VALUES (?)");
  insert.bind(1, tooLong);
  insert.exec();
  // For root nothing is closed; somebody else looks then.
  const bool root = ::geteuid() == 0;
  for (const std::string& path : {m_dir->path().toStdString(), m_library->path(), m_library->runsPath()})
    QVERIFY(::chmod(path.c_str(), 0777) == 0);
  QVERIFY(::chmod(closed.c_str(), root ? 0700 : 0) == 0);
  if (root) QVERIFY(::seteuid(65534) == 0);
  const auto rows = listRuns(*m_library);
  const auto opened = RunFolder::open(closed + "/run");
  const auto scalars = readRunScalars(closed + "/run");
  const auto found = findRun(*m_library, closed + "/run");
  if (root) QVERIFY(::seteuid(0) == 0);
  QVERIFY(::chmod(closed.c_str(), 0700) == 0);
  QVERIFY2(rows.ok(), rows.ok() ? "" : rows.error().text().c_str());
  QCOMPARE(rows->size(), std::size_t{4});
  QVERIFY(!opened.ok() && !scalars.ok());
  QVERIFY(found.ok() && found->state == RunState::Lost);
  int lost = 0;
  for (const RunRow& row : *rows) {
    if (row.name == "good") continue;
    ++lost;
    QVERIFY2(row.state == RunState::Lost, row.path.c_str());
    QVERIFY2(!row.message.empty() && row.message.english().find(row.path) != std::string::npos,
             row.message.english().c_str());
  }
  QCOMPARE(lost, 3);
  QVERIFY(!fileExists(loop) && !folderExists(tooLong) && bytesBelow(loop) == 0);
  std::error_code code;
  QVERIFY(listFolder(tooLong, code).empty() && code);
}

void OddFilesTest::hugeFiles() {
  addRun("good");
  const RunFolder description = addRun("description"), events = addRun("events"), outcome = addRun("outcome");
  fs::resize_file(description.path() + "/run.json", std::uintmax_t{20} << 30);
  fs::resize_file(events.attemptPath(1) + "/events.jsonl", std::uintmax_t{100} << 30);
  fs::resize_file(outcome.attemptPath(1) + "/outcome.json", std::uintmax_t{20} << 30);
  const MemoryLimit limit(std::size_t{256} << 20);
  const auto rows = listRuns(*m_library);
  QVERIFY(rows.ok());
  QCOMPARE(rows->size(), std::size_t{4});
  for (const RunRow& row : *rows) {
    if (row.path == description.path() || row.path == events.path()) {
      QVERIFY(row.state == RunState::Lost);
      QVERIFY2(row.message.english().find("bytes") != std::string::npos, row.message.english().c_str());
    }
  }
  QVERIFY(!EventReader(events.attemptPath(1) + "/events.jsonl").poll().ok());
  QVERIFY(!readRunScalars(events.path()).ok());
  QVERIFY(!readFile(description.path() + "/run.json", 1 << 20).ok());
}

// The cost of a log is that of a piece of it.
void OddFilesTest::longLogInPieces() {
  const RunFolder run =
      RunFolder::create(m_library->runsPath() + "/long", {"uuid-long", "long", "2026", {}, {}}).value();
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const std::string path = run.attemptPath(attempt) + "/events.jsonl";
  std::string line =
      R"({"v":1,"seq":0,"t":1,"k":"step","step":1,"epoch":1,"tokens":1,"lr":0.1,"m":{"loss":2})";
  closeEventLine(line);
  std::string block;
  while (block.size() < (std::size_t{1} << 20)) block += line;
  std::string validation = R"({"v":1,"seq":1,"t":2,"k":"validation","step":1,"m":{"valid.nll":3})";
  closeEventLine(validation);
  {
    std::ofstream file(path);
    for (int i = 0; i < 64; ++i) file << block << (i == 20 ? validation : "");
  }
  const MemoryLimit limit(std::size_t{32} << 20);
  const auto row = readRunRow(run.path());
  QVERIFY2(row.ok(), row.ok() ? "" : row.error().text().c_str());
  QCOMPARE(row->best.at("valid.nll"), 3.0);
  QCOMPARE(row->last.at("loss"), 2.0);
}

void OddFilesTest::piecesGiveEveryLine() {
  const std::string path = at("lines");
  std::string text;
  int lines = 0;
  for (std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{70000}, std::size_t{1} << 19}) {
    for (int i = 0; i < 5; ++i, ++lines) text += std::string(length, 'a') + "\n";
  }
  const std::string before = text;
  text += std::string(std::size_t{5} << 20, 'b') + "\n";  // longer than a piece
  const std::string after = "c\nd\n";
  text += after + "torn";
  std::ofstream(path) << text;
  EventPieces pieces = EventPieces::open(path).value();
  QCOMPARE(pieces.size(), text.size());
  std::string read;
  while (true) {
    const auto piece = pieces.next();
    QVERIFY(piece.ok());
    if (piece->empty()) break;
    QVERIFY(piece->ends_with('\n'));
    read += *piece;
  }
  QVERIFY(read == before + after);
  QCOMPARE(pieces.tail(7).value(), std::string("d\n"));
  QCOMPARE(pieces.tail(3).value(), std::string());
  std::ofstream(path, std::ios::trunc) << "";
  QVERIFY(EventPieces::open(path)->next()->empty());
  QVERIFY(EventPieces::open(path)->tail(100)->empty());
}

// A sparse file is text at its head and one line to its end: it is given up, not read.
void OddFilesTest::lineWithoutAnEnd() {
  const std::string path = at("sparse.tsv");
  std::ofstream(path) << "a\tb\n" << std::string(5000, 'c');
  std::filesystem::resize_file(path, std::uintmax_t{200} << 30);
  LineReader reader = LineReader::open(path).value();
  LineReader::Line line;
  QVERIFY(reader.next(line).value());
  QCOMPARE(std::string(line.text), std::string("a\tb"));
  const auto more = reader.next(line);
  QVERIFY(!more.ok());
  QVERIFY(more.error().kind == ErrorKind::Data);
  QCOMPARE(more.error().line, 2);
  QVERIFY2(more.error().text().find("does not end") != std::string::npos, more.error().text().c_str());
  QVERIFY(reader.readBytes() < (std::int64_t{300} << 20));
  // One that is only long is passed over.
  const std::string longer = at("long.tsv");
  std::ofstream(longer) << std::string(std::size_t{2} << 20, 'c') << "\nnext\n";
  LineReader lines = LineReader::open(longer).value();
  QVERIFY(lines.next(line).value() && line.tooLong);
  QVERIFY(lines.next(line).value() && line.text == "next");
}

// Zeros behind a packed file are what tapes and block devices fill up with: nothing. Another packed file goes
// on; anything else is said.
void OddFilesTest::behindGzip() {
  const std::string text = "a\tb\nc\td\n", more = "e\tf\n";
  const auto packed = [&](const std::string& name, const std::string& bytes) {
    const auto writer = PackedWriter::create(at(name)).value();
    writer->write(bytes).value();
    writer->finish().value();
    return readFile(at(name)).value();
  };
  const std::string one = packed("one.gz", text), two = packed("two.gz", more);
  const auto lines = [](const std::string& path) -> Result<std::string> {
    FATHOM_TRY(LineReader reader, LineReader::open(path));
    std::string all;
    LineReader::Line line;
    while (true) {
      FATHOM_TRY(const bool another, reader.next(line));
      if (!another) return all;
      all.append(line.text) += '\n';
    }
  };
  const auto bytes = [](const std::string& path) -> Result<std::string> {
    FATHOM_TRY(const auto reader, PackedReader::open(path));
    std::string all, piece(1000, '\0');
    while (true) {
      FATHOM_TRY(const std::size_t got, reader->read(piece.data(), piece.size()));
      if (got == 0) return all;
      all.append(piece, 0, got);
    }
  };
  const auto whole = [](const std::string& path) { return readMaybeGzip(path); };
  const std::string zeros(512, '\0'), many(3 << 20, '\0');
  const std::tuple<std::string, std::string, bool> cases[] = {
      {one + zeros, text, true},      {one + many, text, true},
      {one + two, text + more, true}, {one + two + zeros, text + more, true},
      {one + "signature", "", false}, {one + zeros + "x", "", false},
      {one + zeros + two, "", false}, {one + two.substr(0, 9), "", false}};
  for (const auto& [content, wanted, good] : cases) {
    std::ofstream(at("case.gz"), std::ios::binary) << content;
    for (const Result<std::string>& read :
         {lines(at("case.gz")), bytes(at("case.gz")), whole(at("case.gz"))}) {
      QCOMPARE(read.ok(), good);
      if (good) QVERIFY(*read == wanted);
      if (!good)
        QVERIFY2(read.error().text().find("case.gz") != std::string::npos, read.error().text().c_str());
    }
  }
  std::ofstream(at("said.gz"), std::ios::binary) << one + zeros + "x";
  const std::string said = lines(at("said.gz")).error().text();
  QVERIFY2(said.find("byte " + std::to_string(one.size() + 513)) != std::string::npos, said.c_str());
}

// What is packed in another way is called by its name.
void OddFilesTest::otherPackings() {
  const std::pair<std::string, std::string> packings[] = {{"zstd", std::string("\x28\xb5\x2f\xfd\x04", 5)},
                                                          {"xz", std::string("\xfd\x37zXZ\0\0", 7)},
                                                          {"bzip2", "BZh91AY&SY"},
                                                          {"zip", std::string("PK\x03\x04\x14\0", 6)}};
  for (const auto& [name, magic] : packings) {
    std::ofstream(at("packed"), std::ios::binary) << magic + std::string(100, 'x');
    const auto reader = LineReader::open(at("packed"));
    QVERIFY(!reader.ok());
    QVERIFY2(reader.error().text().find("packed with " + name) != std::string::npos,
             reader.error().text().c_str());
  }
  const auto json = parseJson("\x1F\x8B\x08", "a.json.gz");
  QVERIFY(!json.ok() && json.error().text().find("packed with gzip") != std::string::npos);
  std::ofstream(at("BZ")) << "BZh is how it begins\n";
  QVERIFY(LineReader::open(at("BZ")).ok());
}

void OddFilesTest::boundaryOfThreads() {
  QVERIFY(!errorThrownBy([] {}));
  QVERIFY(errorThrownBy([] { throw std::bad_alloc(); })->resource == ResourceKind::HostMemory);
  QVERIFY(errorThrownBy([] { throw 5; })->kind == ErrorKind::Internal);
  QVERIFY(errorThrownBy([] { throw Failure(usageError("no")); })->message == "no");
}

QTEST_APPLESS_MAIN(OddFilesTest)
#include "tst_odd_files.moc"
