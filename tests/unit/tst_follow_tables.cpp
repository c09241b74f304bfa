// SPDX-License-Identifier: Apache-2.0
// Tables that are followed: written anew in their place as they grow, caught half-way, of another training,
// in other encodings and dialects.
#include <QTest>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

class FollowTablesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void tablesWrittenAnew();
  void aTableCaughtTwice();
  void aTableOfAnotherTraining();
  void columnsOfTheRecord();
  void tablesThatBeginWithTheirHeader();
  void tablesInUtf16();
  void quotesInsideOfFields();
  void commasInTables();

 private:
  std::unique_ptr<Following> m_files;
};

// A program that writes its table anew for a new column: only that is new.
void FollowTablesTest::tablesWrittenAnew() {
  m_files->append("wide.csv", "step,loss\n" + followedRows(1, 5, ",1\n"));
  QVERIFY(m_files->look("wide.csv").ok());
  m_files->replace("wide.csv", "step,loss,acc\n" + followedRows(1, 8, ",1,0\n"));
  QVERIFY(m_files->look("wide.csv").ok());
  QCOMPARE(m_files->steps("loss"), Following::upTo(8));
  QCOMPARE(m_files->steps("acc"), Following::upTo(8));
  m_files = std::make_unique<Following>();
  m_files->append("long.csv", "step,metric,value\n" + followedRows(1, 5, ",loss,1\n"));
  QVERIFY(m_files->look("long.csv").ok());
  m_files->replace("long.csv", "step,metric,value,host\n" + followedRows(1, 8, ",loss,1,a\n"));
  QVERIFY(m_files->look("long.csv").ok());
  QCOMPARE(m_files->steps(), Following::upTo(8));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

// It is seen while it is being written anew, shorter than it was, once and again, by one follower and the
// next.
void FollowTablesTest::aTableCaughtTwice() {
  m_files->append("log.csv", "step,loss\n" + followedRows(1, 50, ",1\n"));
  QVERIFY(m_files->look("log.csv").ok());
  for (const char* begun :
       {"", "step,lo", "step,loss,acc\n1,1,1\n2,1,1\n", "step", "step,loss,acc\n1,1,1\n"}) {
    fs::remove(m_files->path("log.csv"));
    m_files->append("log.csv", begun);
    QVERIFY(m_files->look("log.csv").ok());
  }
  m_files->replace("log.csv", "step,loss,acc\n" + followedRows(1, 60, ",1,1\n"));
  QVERIFY(m_files->look("log.csv").ok());
  QCOMPARE(m_files->steps("loss"), Following::upTo(60));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

// It begins as the old one did, and goes on in another way.
void FollowTablesTest::aTableOfAnotherTraining() {
  m_files->replace("log.csv", "step,loss\n0,9\n" + followedRows(1, 5, ",1\n"));
  QVERIFY(m_files->look("log.csv").ok());
  for (const int last : {2, 8}) {
    m_files->replace("log.csv", "step,loss,acc\n0,9,1\n" + followedRows(1, last, ",2,1\n"));
    QVERIFY(m_files->look("log.csv").ok());
  }
  const auto curves = readRunScalars(m_files->runs().front()).value();
  const auto loss = std::find_if(curves.begin(), curves.end(),
                                 [](const ScalarSeries& curve) { return curve.metric == "loss"; });
  QVERIFY(loss != curves.end());
  QCOMPARE(loss->value, (std::vector<double>{9, 2, 2, 2, 2, 2, 2, 2, 2}));
  QCOMPARE(m_files->steps("acc").size(), std::size_t{9});
}

// A column that is not there is an error, with a record as without one, and so is another than the table was
// begun with.
void FollowTablesTest::columnsOfTheRecord() {
  m_files->append("log.csv", "step,other,loss\n1,2,1\n");
  ImportOptions options;
  options.stepColumn = "other";
  QVERIFY(m_files->look("log.csv", options).ok());
  m_files->append("log.csv", "1,3,1\n");
  options.stepColumn = "ohter";
  const auto grown = m_files->look("log.csv", options);
  QVERIFY(!grown.ok());
  QVERIFY2(grown.error().text().find("no column \"ohter\"") != std::string::npos,
           grown.error().text().c_str());
  options.stepColumn = "step";
  const auto refused = m_files->look("log.csv", options);
  QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::Usage);
  QVERIFY2(refused.error().text().find("by other columns") != std::string::npos,
           refused.error().text().c_str());
  for (const char* name : {"", "other"}) {
    options.stepColumn = name;
    QVERIFY(m_files->look("log.csv", options).ok());
  }
  QCOMPARE(m_files->steps(), (std::vector<double>{2, 3}));
}

void FollowTablesTest::tablesThatBeginWithTheirHeader() {
  m_files->append("log.tsv", "step\tloss\n");
  const auto follower = m_files->open("log.tsv").value();
  QVERIFY(follower->poll(StopToken()).ok());
  m_files->append("log.tsv", "1\t0,5\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(1));
  QCOMPARE(readRunScalars(m_files->runs().front())->front().value, (std::vector<double>{0.5}));
}

void FollowTablesTest::tablesInUtf16() {
  std::string text = "\xFF\xFE";
  for (const char c : std::string("step,loss\n1,1\n")) text += std::string{c, '\0'};
  m_files->append("log.csv", text);
  const auto grown = m_files->look("log.csv");
  QVERIFY(!grown.ok());
  QVERIFY2(grown.error().text().find("UTF-16") != std::string::npos, grown.error().text().c_str());
}

// A quote in the middle of a field is a letter like any other: what comes behind is no row that waits.
void FollowTablesTest::quotesInsideOfFields() {
  m_files->append("log.csv", "step,loss,note\n1,1,5\" disk\n2,1,\"a \"\"b\"\",\nc\"\n");
  const auto follower = m_files->open("log.csv").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  m_files->append("log.csv", "3,1,\"cut\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  m_files->append("log.csv", "off\"\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(3));
}

void FollowTablesTest::commasInTables() {
  const auto values = [this](const std::string& name, const std::string& text) {
    m_files->append(name, text);
    const auto runs = m_files->import(name);
    const auto curves = readRunScalars(runs.front().runPath).value();
    return curves.empty() ? std::vector<double>() : curves.front().value;
  };
  QCOMPARE(values("points.tsv", "step\tloss\tn\n1\t2.5\t1,234\n2\t1.5\t1,235\n"),
           (std::vector<double>{2.5, 1.5}));
  QCOMPARE(values("comma.tsv", "step\tloss\n1\t2,345\n2\t0,5\n"), (std::vector<double>{2.345, 0.5}));
  QCOMPARE(values("semicolon.csv", "step;loss\n1;2,345\n2;1,234\n"), (std::vector<double>{2.345, 1.234}));
  // 1,234 points are no 1.234.
  m_files->append("thousands.tsv", "step\tn\tloss\n1\t1,234\t3\n2\t1,235\t2\n");
  const auto runs = m_files->import("thousands.tsv");
  QCOMPARE(runs.front().metrics, (std::vector<std::string>{"loss"}));
  QVERIFY(warnsOf(runs.front().warnings, "column \"n\": 2 fields are not numbers"));
}

QTEST_APPLESS_MAIN(FollowTablesTest)
#include "tst_follow_tables.moc"
