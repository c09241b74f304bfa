// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/record/formats/array_file.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/checkpoint_folder.h"
#include "tests/unit/support_npy_bytes.h"

using namespace fathom;
namespace fs = std::filesystem;

class CheckpointFolderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void writeAndVerify();
  void abandoned();
  void everyFault();
  void everyFlippedByte();
  void newestGood();
  void replaced();
  void retentionPolicy();
  void retentionOnDisk();
  void lockedStays();
  void sweep();
  void arrays();
  void badArrays();

 private:
  std::string run() const { return m_dir->path().toStdString(); }
  Result<CheckpointManifest> save(int attempt, std::int64_t step, const std::string& bytes = "weights",
                                  const Json& details = Json::object()) const {
    FATHOM_TRY(CheckpointWriter writer, CheckpointWriter::begin(run(), attempt, step));
    FATHOM_CHECK(writeFileAtomically(writer.folder() + "/model.safetensors", bytes));
    FATHOM_CHECK(writeFileAtomically(writer.folder() + "/state.json", "{}"));
    return writer.commit(details);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& manifest : listCheckpoints(run())) all.push_back(manifest.name);
    return all;
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void CheckpointFolderTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  FileFaults::clear();
}

void CheckpointFolderTest::writeAndVerify() {
  const auto manifest = save(1, 300, "abc", {{"score", 2.5}, {"epoch", 3}});
  QVERIFY(manifest.ok());
  QCOMPARE(manifest->name, std::string("0001-00000300"));
  QCOMPARE(manifest->bytes(), std::uint64_t{5});
  const auto verified = verifyCheckpoint(manifest->path);
  QVERIFY(verified.ok());
  QCOMPARE(verified->step, std::int64_t{300});
  QCOMPARE(verified->score().value(), 2.5);
  QCOMPARE(verified->files[0].sha256,
           std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  QVERIFY(!fs::exists(run() + "/checkpoints/0001-00000300.tmp"));
}

void CheckpointFolderTest::abandoned() {
  {
    auto writer = CheckpointWriter::begin(run(), 1, 5);
    QVERIFY(writer.ok());
    QVERIFY(writeFileAtomically(writer->folder() + "/model.safetensors", "x").ok());
  }
  QVERIFY(names().empty());
  QVERIFY(fs::is_empty(run() + "/checkpoints"));
}

// A fault at every place: an error, the checkpoint before untouched, nothing half visible.
void CheckpointFolderTest::everyFault() {
  QVERIFY(save(1, 1).ok());
  using Call = FileFaults::Call;
  for (const Call call : {Call::Write, Call::Sync, Call::Rename, Call::Open}) {
    bool reached = true;
    for (int countdown = 0; reached; ++countdown) {
      FileFaults::arm(call, countdown, call == Call::Sync ? EIO : ENOSPC, false);
      const auto manifest = save(1, 2);
      FileFaults::clear();
      reached = !manifest.ok();
      if (!reached) {
        QVERIFY(countdown > 0);
        QVERIFY(deleteCheckpoint(run(), manifest->name).ok());
        continue;
      }
      QCOMPARE(manifest.error().kind, ErrorKind::Resource);
      QCOMPARE(names(), (std::vector<std::string>{"0001-00000001"}));
      QVERIFY(verifyCheckpoint(run() + "/checkpoints/0001-00000001").ok());
      QVERIFY(!fs::exists(run() + "/checkpoints/0001-00000002.tmp"));
    }
  }
}

void CheckpointFolderTest::everyFlippedByte() {
  const auto manifest = save(1, 1, std::string(300, 'w'));
  const std::string file = manifest->path + "/model.safetensors";
  const std::string bytes = readFile(file).value();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    std::ofstream(file, std::ios::trunc) << flipped;
    const auto bad = verifyCheckpoint(manifest->path);
    QVERIFY(!bad.ok());
    QVERIFY(bad.error().text().find("model.safetensors") != std::string::npos);
  }
  std::ofstream(file, std::ios::trunc) << bytes.substr(1);
  QVERIFY(!verifyCheckpoint(manifest->path).ok());
  fs::remove(file);
  QVERIFY(!verifyCheckpoint(manifest->path).ok());
  std::ofstream(manifest->path + "/manifest.json", std::ios::trunc)
      << R"({"format":1,"attempt":1,"step":1,"files":[{"name":"../../x","bytes":1,"sha256":""}]})";
  QVERIFY(!verifyCheckpoint(manifest->path).ok());
}

void CheckpointFolderTest::newestGood() {
  QVERIFY(save(1, 1).ok() && save(1, 2).ok() && save(2, 2).ok());
  std::ofstream(run() + "/checkpoints/0002-00000002/model.safetensors") << "Weights";
  std::ofstream(run() + "/checkpoints/0001-00000002/manifest.json") << "{";
  std::vector<std::string> damaged;
  const auto good = newestGoodCheckpoint(run(), &damaged);
  QVERIFY(good && good->name == "0001-00000001");
  QCOMPARE(damaged, (std::vector<std::string>{"0002-00000002", "0001-00000002"}));
  // Who only reads changes nothing and says what is wrong with the one it was asked for.
  QVERIFY(fs::exists(run() + "/checkpoints/0002-00000002/model.safetensors"));
  const auto asked = chooseCheckpoint(run(), "0001-00000002");
  QVERIFY(!asked.ok() && asked.error().text().find("0001-00000002") != std::string::npos);
  QVERIFY2(asked.error().text().find("is damaged") != std::string::npos, asked.error().text().c_str());
  QVERIFY(setCheckpointsAside(run(), damaged).ok());
  QVERIFY(fs::exists(run() + "/checkpoints/0002-00000002.damaged/model.safetensors"));
  for (const char* wanted : {"0002-00000002", "2"}) {
    const auto aside = chooseCheckpoint(run(), wanted);
    QVERIFY(!aside.ok());
    QVERIFY2(aside.error().text().find("set aside as 0002-00000002.damaged") != std::string::npos,
             aside.error().text().c_str());
    QVERIFY(aside.error().text().find("there are: 0001-00000001") != std::string::npos);
  }
}

void CheckpointFolderTest::replaced() {
  QVERIFY(save(1, 1, "old").ok());
  QVERIFY(save(1, 1, "new").ok());
  QCOMPARE(readFile(run() + "/checkpoints/0001-00000001/model.safetensors").value(), std::string("new"));
  QCOMPARE(names().size(), std::size_t{1});
}

void CheckpointFolderTest::retentionPolicy() {
  std::vector<RetentionItem> items;
  for (int i = 1; i <= 10; ++i) items.push_back({"c" + std::to_string(i), 1, i * 100, std::abs(i - 4) + 0.5});
  items.push_back({"nan", 1, 50, std::nan("")});
  items.push_back({"later", 2, 150, std::nullopt});  // a later attempt is newer, whatever its step
  const auto gone = [&](RetentionPolicy policy) { return checkpointsToDelete(policy, items); };
  QCOMPARE(gone({2, 1, 300}), (std::vector<std::string>{"nan", "c1", "c2", "c5", "c7", "c8"}));
  QCOMPARE(gone({100, 0, 0}).size(), std::size_t{0});
  QCOMPARE(gone({0, 0, 0}).size(), std::size_t{11});  // the newest always stays
  QCOMPARE(gone({1, 2, 0}),
           (std::vector<std::string>{"nan", "c1", "c2", "c5", "c6", "c7", "c8", "c9", "c10"}));
  QVERIFY(checkpointsToDelete({}, {}).empty());
}

void CheckpointFolderTest::retentionOnDisk() {
  for (int step = 1; step <= 6; ++step) QVERIFY(save(1, step, "w", {{"score", 10.0 + step}}).ok());
  QCOMPARE(applyRetention(run(), {2, 1, 0}).value(),
           (std::vector<std::string>{"0001-00000002", "0001-00000003", "0001-00000004"}));
  QCOMPARE(names(), (std::vector<std::string>{"0001-00000001", "0001-00000005", "0001-00000006"}));
  // The newest one is damaged: nothing may go.
  std::ofstream(run() + "/checkpoints/0001-00000006/model.safetensors") << "W";
  QVERIFY(!applyRetention(run(), {1, 0, 0}).ok());
  QCOMPARE(names().size(), std::size_t{3});
}

// A probe in another process holds the checkpoint it reads.
void CheckpointFolderTest::lockedStays() {
  QVERIFY(save(1, 1).ok() && save(1, 2).ok());
  int ready[2], done[2];
  QVERIFY(::pipe(ready) == 0 && ::pipe(done) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = CheckpointLock::share(run() + "/checkpoints/0001-00000001");
    const char answer = lock.ok() ? 'y' : 'n';
    char wait = 0;
    const bool told = ::write(ready[1], &answer, 1) == 1 && ::read(done[0], &wait, 1) == 1;
    ::_exit(told ? 0 : 1);
  }
  char answer = 0;
  QCOMPARE(::read(ready[0], &answer, 1), ssize_t{1});
  QCOMPARE(answer, 'y');
  QVERIFY(CheckpointLock::share(run() + "/checkpoints/0001-00000001").ok());  // shared
  const Status refused = deleteCheckpoint(run(), "0001-00000001");
  QVERIFY(!refused.ok());
  QVERIFY(refused.error().message.find("in use") != std::string::npos);
  QVERIFY(applyRetention(run(), {1, 0, 0})->empty());
  QCOMPARE(::write(done[1], "x", 1), ssize_t{1});
  ::waitpid(child, nullptr, 0);
  QCOMPARE(applyRetention(run(), {1, 0, 0})->size(), std::size_t{1});
  QVERIFY(!CheckpointLock::share(run() + "/checkpoints/0001-00000001").ok());
  QVERIFY(!deleteCheckpoint(run(), "../x").ok());
}

void CheckpointFolderTest::sweep() {
  QVERIFY(save(1, 1).ok());
  fs::create_directories(run() + "/checkpoints/0001-00000002.tmp");
  fs::create_directories(run() + "/checkpoints/.trash/old");
  sweepCheckpoints(run());
  QVERIFY(!fs::exists(run() + "/checkpoints/0001-00000002.tmp"));
  QVERIFY(!fs::exists(run() + "/checkpoints/.trash"));
  QCOMPARE(names().size(), std::size_t{1});
  sweepCheckpoints(run() + "/nothing");
}

void CheckpointFolderTest::arrays() {
  const std::vector<float> reals = {1.5, std::nanf(""), -0.0F, 1e30F, 5, 6};
  QVERIFY(writeArrayFile(run() + "/f.npy", {2, 3}, reals).ok());
  QVERIFY(writeArrayFile(run() + "/s.npy", {}, std::span(reals).first(1)).ok());
  QVERIFY(writeArrayFile(run() + "/e.npy", {0, 4}, {}).ok());
  const auto read = readArrayFile(run() + "/f.npy");
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
  QCOMPARE(read->shape, (std::vector<std::int64_t>{2, 3}));
  const auto values = read->doubles();
  QVERIFY(values[0] == 1.5 && std::isnan(values[1]) && std::signbit(values[2]) && values[3] == 1e30F);
  // Of other types, as NumPy writes them.
  const std::vector<double> doubles = {1.5, -0.0, 1e300};
  const auto wide = parseArray(test::npyBytes("<f8", "(3,)", doubles), "d.npy");
  QCOMPARE(wide->doubles(), doubles);
  QVERIFY(std::signbit(wide->doubles()[1]));
  const std::vector<std::int64_t> whole = {-1, 1ll << 60};
  const auto integers = parseArray(test::npyBytes("<i8", "(2,)", whole), "i.npy");
  QCOMPARE(integers->doubles(), std::vector<double>(whole.begin(), whole.end()));
  QCOMPARE(integers->shape, (std::vector<std::int64_t>{2}));
  const std::vector<std::int32_t> few = {-7, 1 << 30};
  QCOMPARE(parseArray(test::npyBytes("<i4", "(2,)", few), "i.npy")->doubles(),
           std::vector<double>(few.begin(), few.end()));
  const std::vector<std::uint8_t> bytes = {0, 255};
  QCOMPARE(parseArray(test::npyBytes("|u1", "(2,)", bytes), "u.npy")->doubles(),
           (std::vector<double>{0, 255}));
  QCOMPARE(readArrayFile(run() + "/s.npy")->count(), std::int64_t{1});
  QCOMPARE(readArrayFile(run() + "/e.npy")->count(), std::int64_t{0});
  // As NumPy writes it: the data starts at a multiple of 64.
  QCOMPARE(readFile(run() + "/f.npy")->size() % 64, std::size_t{24});
  QVERIFY(readFile(run() + "/f.npy").value() == test::npyBytes("<f4", "(2,3)", reals));
  QVERIFY(!writeArrayFile(run() + "/x.npy", {7}, reals).ok());
}

void CheckpointFolderTest::badArrays() {
  const std::vector<float> reals(6, 1);
  QVERIFY(writeArrayFile(run() + "/d.npy", {2, 3}, reals).ok());
  const std::string good = readFile(run() + "/d.npy").value();
  for (std::size_t cut = 0; cut < good.size(); ++cut) QVERIFY(!parseArray(good.substr(0, cut), "a.npy").ok());
  QVERIFY(!parseArray(good + "x", "a.npy").ok());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return parseArray(text.replace(text.find(from), from.size(), to), "a.npy");
  };
  QVERIFY(!with("False", "True ").ok());
  QVERIFY(!with("<f4", ">f4").ok());
  QVERIFY(!with("<f4", "|O4").ok());
  QVERIFY(!with("(2,3)", "(9,9)").ok());
  QVERIFY(!with("(2,3)", "(2,-3").ok());
  QVERIFY(with("(2,3)", "(3,2)").ok());
}

QTEST_APPLESS_MAIN(CheckpointFolderTest)
#include "tst_checkpoint_folder.moc"
