// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// Projects of so many runs that several threads read them.
#include <fcntl.h>
#include <sys/stat.h>

#include <QElapsedTimer>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "tests/unit/support_listed_runs.h"

using namespace fathom;
namespace fs = std::filesystem;

class ManyRunsTest : public QObject, private test::ListedRuns {
  Q_OBJECT
 private Q_SLOTS:
  void init() { makeProject(); }
  void fromFolders();
  void fromTheIndex();
};

void ManyRunsTest::fromFolders() {
  const RunFolder first = addRun("run0", 300);
  for (int i = 1; i < 500; ++i) {
    const std::string copy = m_library->runsPath() + "/run" + std::to_string(i);
    fs::copy(first.path(), copy, fs::copy_options::recursive);
    std::ofstream(copy + "/run.json")
        << R"({"uuid":"u)" << i << R"(","format":1,"name":"n","created":"2026"})";
  }
  RunListing listing(*m_library);
  QElapsedTimer timer;
  timer.start();
  QCOMPARE(listing.rows()->size(), std::size_t{500});
  const auto cold = timer.restart();
  QCOMPARE(listing.rows()->size(), std::size_t{500});
  const auto warm = timer.elapsed();
  qInfo("500 runs of 300 updates: %lld ms, again %lld ms", static_cast<long long>(cold),
        static_cast<long long>(warm));
}

// A second listing reads no folder: every file of every run is made unreadable as JSON without its stamp
// knowing, and the answers stay.
void ManyRunsTest::fromTheIndex() {
  constexpr int kRuns = 2000;
  addCopies(kRuns);
  std::vector<std::string> before;
  {
    const auto index = CurveIndex::open(project()).value();
    RunListing listing(*m_library, index.get());
    for (const RunRow& row : *listing.rows()) before.push_back(runRowToJson(row).dump() + row.path);
    QCOMPARE(before.size(), std::size_t(kRuns));
    QCOMPARE(listing.foldersRead(), std::int64_t{kRuns});
    QVERIFY(listing.rows().ok());
    QCOMPARE(listing.foldersRead(), std::int64_t{kRuns});
  }
  std::string broken;
  for (const auto& entry : fs::recursive_directory_iterator(m_library->runsPath())) {
    if (!entry.is_regular_file()) continue;
    struct stat info {};
    QVERIFY(::stat(entry.path().c_str(), &info) == 0);
    broken.assign(entry.file_size(), '?');
    std::ofstream(entry.path(), std::ios::in | std::ios::out) << broken;
    const timespec times[] = {info.st_atim, info.st_mtim};
    QVERIFY(::utimensat(AT_FDCWD, entry.path().c_str(), times, 0) == 0);
  }
  const auto index = CurveIndex::open(project()).value();
  RunListing listing(*m_library, index.get());
  std::vector<std::string> after;
  QVERIFY(listing
              .visit(RowParts::All,
                     [&](const RunRow& row) { after.push_back(runRowToJson(row).dump() + row.path); })
              .ok());
  QVERIFY(after == before);
  QCOMPARE(listing.foldersRead(), std::int64_t{0});
  QCOMPARE(listing.foldersLookedAt(), std::int64_t{kRuns});
  int without = 0;
  QVERIFY(listing.visit(RowParts::WithoutOptions, [&](const RunRow& row) { without += row.options.empty(); })
              .ok());
  QCOMPARE(without, kRuns);
}

QTEST_APPLESS_MAIN(ManyRunsTest)
#include "tst_many_runs.moc"
