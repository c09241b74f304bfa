// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// What foreign queries may cost: one that is too large is said to be, ten thousand of them stay within 300 MB
// (measured in a process of its own), and nothing that a thread throws leaves it.
#include <sys/resource.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "core/base/threads/sanitizers.h"
#include "core/base/threads/thread_ranges.h"
#include "core/spider/judgement/spider_review.h"
#include "core/spider/scoped/value_plugin.h"
#include "core/spider/sql_limits.h"
#include "tests/unit/support_program.h"

using namespace fathom;

namespace {

// Resident memory of ten thousand hostile predictions; the sanitizers keep what was freed, and notes, for a
// while.
constexpr int kMostMegabytes = kThreadSanitizer ? 2000 : kAddressSanitizer ? 1000 : 300;

constexpr const char* kTables = R"([{"db_id":"clubs","table_names_original":["person","club"],
  "column_names_original":[[-1,"*"],[0,"id"],[0,"name"],[0,"age"],[1,"id"],[1,"name"]],
  "primary_keys":[1,4],"foreign_keys":[]}])";
constexpr const char* kGold = "SELECT name FROM person WHERE age IN (1, 2)";

std::string repeated(const std::string& part, int times, const std::string& between) {
  std::string text = part;
  for (int i = 1; i < times; ++i) text += between + part;
  return text;
}

std::string inList(int literals) {
  return "SELECT name FROM person WHERE age IN (" + repeated("1", literals, ",") + ")";
}

// Each table of WITH names the one before twice: 2^tables readings.
std::string doublingTables(int tables) {
  std::string sql = "WITH c0 AS (SELECT age FROM person)";
  for (int i = 1; i <= tables; ++i) {
    const std::string before = "c" + std::to_string(i - 1);
    sql += ", c" + std::to_string(i) + " AS (SELECT a.age FROM " + before + " AS a, " + before + " AS b)";
  }
  return sql + " SELECT age FROM c" + std::to_string(tables);
}

// Each result column stands for twice the one below: 2^levels parts.
std::string doublingColumns(int levels) {
  std::string sql = "SELECT age AS x FROM person";
  for (int i = 0; i < levels; ++i) sql = "SELECT x + x AS x FROM (" + sql + ")";
  return sql;
}

std::vector<std::string> hostileQueries() {
  return {
      inList(25000),
      inList(1500),
      doublingTables(19),
      doublingColumns(40),
      "SELECT name FROM person WHERE " + repeated("age > 1", 250, " AND "),
      repeated("SELECT name FROM person", 90, " UNION "),
      "SELECT " + repeated("nowhere", 900, ", ") + " FROM " + repeated("(SELECT * FROM person)", 100, ", "),
      "SELECT name FROM person WHERE " + repeated("id IN (SELECT id FROM club)", 120, " OR "),
      "SELECT count(*) FROM person GROUP BY " + repeated("id, name", 400, ", "),
      "SELECT " + std::string(4000, '(') + "name FROM person",
      "SELECT name FROM person WHERE name = '" + std::string(5000, 'x'),
      std::string(3000, 'q')};
}

CategoryVerdict judge(const std::string& predicted) {
  const auto schemas = parseSpiderTables(kTables, "made").value();
  const std::vector<SpiderPair> pairs = {{"clubs", kGold, predicted}};
  const auto evaluation = evaluateSpider(pairs, schemas).value();
  return categoriseAll(pairs, evaluation, schemas, {categoryPresets()[0], 1, {}}).value().front();
}

// The child: opens a review of ten thousand hostile predictions and prints what it took.
int measure(const std::string& folder) {
  constexpr int kPredictions = 10000;
  const auto queries = hostileQueries();
  std::ofstream gold(folder + "/gold.sql"), predicted(folder + "/pred.sql");
  std::ofstream(folder + "/tables.json") << kTables;
  for (int i = 0; i < kPredictions; ++i) {
    // Those that take longest are one in fifty, the last two (long, but refused at once) are the rest.
    const auto n = static_cast<std::size_t>(i);
    const std::size_t kind = n % 50 == 0 ? n / 50 % (queries.size() - 2) : queries.size() - 1 - n % 2;
    gold << kGold << "\tclubs\n";
    predicted << queries[kind] << "\n";
  }
  gold.close();
  predicted.close();
  SpiderSources sources;
  sources.gold = folder + "/gold.sql";
  sources.tables = folder + "/tables.json";
  sources.predictions = {spiderPredictions(folder + "/pred.sql")};
  SpiderReviewOptions options;
  options.threads = 2;
  Progress progress;
  const auto review = openSpiderReview(sources, options, progress);
  if (!review) {
    std::fprintf(stderr, "%s\n", review.error().text().c_str());
    return 1;
  }
  std::vector<ErrorCategory> categories;
  for (const auto& verdict : review->models[0].verdicts) categories.push_back(verdict.category);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%ld %d\n", usage.ru_maxrss / 1024, countCategories(categories).wrong());
  return 0;
}

}  // namespace

class TestSpiderLimits : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tooLargeIsSaid_data() {
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("IN of 25,000 literals") << QByteArray::fromStdString(inList(25000));
    QTest::newRow("WITH doubled") << QByteArray::fromStdString(doublingTables(19));
    QTest::newRow("WITH in each other") << QByteArray::fromStdString([] {
      std::string sql = "WITH c0 AS (SELECT age FROM person)";
      for (int i = 1; i < 60; ++i)
        sql += ", c" + std::to_string(i) + " AS (SELECT age FROM c" + std::to_string(i - 1) + ")";
      return sql + " SELECT age FROM c59";
    }());
    QTest::newRow("columns doubled") << QByteArray::fromStdString(doublingColumns(40));
    QTest::newRow("conditions") << QByteArray::fromStdString("SELECT name FROM person WHERE " +
                                                             repeated("age > 1", 1200, " AND "));
    QTest::newRow("brackets") << QByteArray("SELECT " + QByteArray(4000, '(') + "name FROM person");
    QTest::newRow("bytes") << QByteArray("SELECT name FROM person WHERE name = '" + QByteArray(70000, 'x') +
                                         "'");
  }
  void tooLargeIsSaid() {
    QFETCH(QByteArray, sql);
    QElapsedTimer timer;
    timer.start();
    const CategoryVerdict verdict = judge(sql.toStdString());
    QCOMPARE(verdict.category, ErrorCategory::Both);
    QCOMPARE(verdict.subType, std::string("too large"));
    QCOMPARE(verdict.reasons.size(), std::size_t{1});
    const std::string text = verdict.reasons[0].text();
    QVERIFY2(text.starts_with("the prediction is too large to be compared: ") && text.size() < 200,
             text.c_str());
  }

  // Large, and judged like any other.
  void largeIsJudged() {
    const CategoryVerdict verdict = judge(inList(4000));
    QCOMPARE(verdict.subType == "too large", false);
    QVERIFY(judge("SELECT age FROM person WHERE " + repeated("age > 1", 400, " AND ")).category ==
            ErrorCategory::Both);
    QCOMPARE(judge(doublingTables(3)).subType, std::string());
  }

  void whatIsKeptIsSmall() {
    for (const auto& sql : hostileQueries()) {
      const CategoryVerdict verdict = judge(sql);
      std::size_t kept = 0;
      for (const auto& reason : verdict.reasons) kept += reason.text().size() + reason.clause.size();
      QVERIFY2(kept < 20000, (std::to_string(kept) + ": " + sql.substr(0, 60)).c_str());
      const auto schemas = parseSpiderTables(kTables, "made").value();
      const auto official = parseOfficialSql(sql, schemas.at("clubs"));
      QVERIFY(official.ok() || official.error().message.size() < 400);
      std::size_t variants = 0;
      for (const auto& variant : pluggedQueries("SELECT name FROM person WHERE age IN (1, 2, 3)", sql))
        variants += variant.size();
      QVERIFY2(variants < std::size_t{2} << 20, std::to_string(variants).c_str());
    }
  }

  void tenThousandHostilePredictions() {
    QTemporaryDir folder;
    const auto child = tests::runProgram(
        {QCoreApplication::applicationFilePath().toStdString(), "--measure", folder.path().toStdString()});
    QCOMPARE(child.code, 0);
    const QList<QByteArray> words = QByteArray::fromStdString(child.output).trimmed().split(' ');
    QCOMPARE(words.size(), 2);
    QCOMPARE(words[1].toInt(), 10000);
    qInfo("at most %d MB", words[0].toInt());
    QVERIFY2(words[0].toInt() <= kMostMegabytes, words[0].constData());
  }

  void rangesCoverEverything() {
    for (const int threads : {1, 2, 7, 64}) {
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{1000}}) {
        std::vector<std::atomic<int>> seen(count);
        QVERIFY(forRanges(count, threads, [&](std::size_t first, std::size_t last) {
                  for (std::size_t i = first; i < last; ++i) ++seen[i];
                }).ok());
        for (const auto& times : seen) QCOMPARE(times.load(), 1);
      }
    }
  }

  void nothingThrownLeavesAThread() {
    for (const int threads : {1, 4}) {
      std::atomic<int> ended = 0;
      const auto failing = [&](auto thrown) {
        return forRanges(100, threads, [&, thrown](std::size_t first, std::size_t last) {
          if (last == 100) throw thrown;
          ++ended;
        });
      };
      const Status memory = failing(std::bad_alloc());
      QVERIFY(!memory.ok());
      QCOMPARE(memory.error().kind, ErrorKind::Resource);
      QCOMPARE(memory.error().resource, ResourceKind::HostMemory);
      QCOMPARE(ended.load(), threads - 1);  // the others ran to their ends
      QCOMPARE(failing(Failure(dataError("odd"))).error().message, std::string("odd"));
      QCOMPARE(failing(std::runtime_error("worse")).error().kind, ErrorKind::Internal);
      QCOMPARE(failing(7).error().kind, ErrorKind::Internal);
    }
    // Of several the lowest range's.
    const Status first = forRanges(4, 4, [](std::size_t begin, std::size_t) {
      throw Failure(dataError("part " + std::to_string(begin)));
    });
    QCOMPARE(first.error().message, std::string("part 0"));
  }
};

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--measure") == 0) return measure(argv[2]);
  QCoreApplication application(argc, argv);
  TestSpiderLimits test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_spider_limits.moc"
