// SPDX-License-Identifier: Apache-2.0
#include <QElapsedTimer>
#include <QTest>
#include <ctime>
#include <filesystem>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/threads/sanitizers.h"
#include "tests/fuzz/support_allocation_meter.h"
#include "tests/fuzz/support_fuzz_targets.h"

using namespace fathom;
namespace fs = std::filesystem;

// Every file of every corpus, then seeded mutations of them. N (default 300 per target) and SEED from the
// environment.
class FuzzReplay : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyCorpusHasATarget();
  void replay_data();
  void replay();
};

namespace {

// Unoptimised; with sanitizers everything takes several times as long.
constexpr double kMostSeconds = kAddressSanitizer ? 40 : 8;

constexpr std::size_t kShort = 4096;

const std::string kCorpora = FATHOM_SOURCE_DIR "/tests/fuzz/corpus/";

std::string mutated(const std::vector<std::string>& seeds, RandomStream& random) {
  std::string bytes = seeds[random.below(seeds.size())];
  for (std::uint64_t edits = 1 + random.below(8); edits > 0; --edits) {
    const std::size_t at = random.below(bytes.size() + 1);
    const std::size_t length = 1 + random.below(16);
    switch (random.below(6)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1u << random.below(8)));
        break;
      case 1:
        bytes.insert(at, 1, static_cast<char>(random.below(256)));
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 4: {
        const std::string& other = seeds[random.below(seeds.size())];
        bytes.insert(at, other.substr(random.below(other.size() + 1), length));
        break;
      }
      default:
        if (at < bytes.size()) bytes[at] = "0{}[]\",:-9\0\xFF"[random.below(12)];
    }
  }
  return bytes;
}

struct Dearest {
  double seconds = 0, megabytes = 0;
};

// One input within the target's memory and a few seconds of processor time (other programs do not count).
void measured(const FuzzTarget& target, std::string_view bytes, const std::string& what, Dearest& dearest) {
  startAllocationMeter();
  const std::clock_t start = std::clock();
  target.run(bytes);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const double megabytes = static_cast<double>(allocationPeak()) / (1 << 20);
  dearest = {std::max(dearest.seconds, seconds), std::max(dearest.megabytes, megabytes)};
  if (qEnvironmentVariableIsSet("FATHOM_FUZZ_COSTS"))
    qInfo("%s: %.3f s, %.1f MB", what.c_str(), seconds, megabytes);
  QVERIFY2(megabytes < static_cast<double>(target.megabytes),
           (what + ": " + std::to_string(megabytes) + " MB").c_str());
  QVERIFY2(seconds < kMostSeconds, (what + ": " + std::to_string(seconds) + " s").c_str());
}

}  // namespace

void FuzzReplay::everyCorpusHasATarget() {
  int count = 0;
  const FuzzTarget* targets = fuzzTargets(count);
  std::set<std::string> folders, names;
  for (const auto& entry : fs::directory_iterator(kCorpora)) folders.insert(entry.path().filename().string());
  for (int i = 0; i < count; ++i) names.insert(targets[i].name);
  QVERIFY(folders == names);
}

void FuzzReplay::replay_data() {
  QTest::addColumn<int>("index");
  int count = 0;
  const FuzzTarget* targets = fuzzTargets(count);
  for (int i = 0; i < count; ++i) QTest::newRow(targets[i].name) << i;
}

void FuzzReplay::replay() {
  QFETCH(int, index);
  int count = 0;
  const FuzzTarget& target = fuzzTargets(count)[index];
  std::vector<std::string> seeds;
  Dearest dearest;
  for (const auto& entry : fs::directory_iterator(kCorpora + target.name)) {
    seeds.push_back(readFile(entry.path().string()).value());
    measured(target, seeds.back(), entry.path().filename().string(), dearest);
    if (QTest::currentTestFailed()) return;
  }
  QVERIFY(!seeds.empty());
  const int rounds = qEnvironmentVariable("N", QStringLiteral("300")).toInt();
  const auto seed = qEnvironmentVariable("SEED", QStringLiteral("1")).toULongLong();
  // Every mutation of a long file costs as much as the file: they are one in sixteen.
  std::vector<std::string> shorter;
  for (const auto& file : seeds) {
    if (file.size() <= kShort) shorter.push_back(file);
  }
  RandomStream random(streamSeed(seed, target.name));
  QElapsedTimer timer;
  timer.start();
  for (int i = 0; i < rounds; ++i) {
    measured(target, mutated(i % 16 == 15 || shorter.empty() ? seeds : shorter, random),
             "mutation " + std::to_string(i), dearest);
    if (QTest::currentTestFailed()) return;
  }
  qInfo("%s: %zu files, %d mutations of seed %llu in %lld ms; the dearest %.2f s, %.1f MB", target.name,
        seeds.size(), rounds, seed, static_cast<long long>(timer.elapsed()), dearest.seconds,
        dearest.megabytes);
}

QTEST_APPLESS_MAIN(FuzzReplay)
#include "tst_fuzz_replay.moc"
