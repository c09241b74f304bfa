// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "app/window/errors/review_loader.h"
#include "core/library/records/project_library.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;

// The filter of the predictions table gives what a plain look at every example gives, whatever was typed
// before.
class ReviewFilterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void wordsLetterByLetter_data();
  void wordsLetterByLetter();
  void patterns_data();
  void patterns();
  void patternsLetterByLetter_data() { patterns_data(); }
  void patternsLetterByLetter();
  void notesAreSearched();
  void anotherModelIsSearched();
  void countsAreRowsThereWouldBe();
  void sameRowsAreNoReset();

 private:
  QString textOf(int example) const {
    const int model = m_review.currentModel();
    return QStringList{questionOf(m_review, example), databaseOf(m_review, example),
                       goldSqlOf(m_review, example),
                       QString::fromStdString(m_review.judgements().note(std::size_t(example))),
                       m_review.predicted(model, example)}
        .join(u'\n')
        .toLower();
  }
  template <typename Matches>
  std::vector<int> plain(const Matches& matches) const {
    std::vector<int> rows;
    for (int i = 0; i < m_review.examples(); ++i)
      if (matches(textOf(i))) rows.push_back(i);
    return rows;
  }
  std::vector<int> withWords(const QString& text) const {
    const QStringList words = text.toLower().simplified().split(u' ', Qt::SkipEmptyParts);
    return plain([&words](const QString& all) {
      return std::all_of(words.begin(), words.end(),
                         [&all](const QString& word) { return all.contains(word); });
    });
  }
  std::vector<int> filtered(const QString& text) {
    if (!m_model.filter().setText(text)) return {-1};
    m_model.refresh();
    return m_model.filter().rows();
  }
  QTemporaryDir m_folder;
  SelectionModel m_selection;
  ReviewedPredictions m_review{&m_selection};
  PredictionTableModel m_model{&m_review};
};

void ReviewFilterTest::initTestCase() {
  const std::string project = m_folder.filePath("p.fathom").toStdString();
  QVERIFY(ProjectLibrary::openOrCreate(project).ok());
  const auto sources = sampleReviewSources(project);
  QVERIFY(sources.ok());
  Progress progress;
  auto open = loadReview(project, *sources, progress, {});
  QVERIFY2(open.ok(), open.ok() ? "" : open.error().text().c_str());
  m_review.setReview(std::move(*open));
  QVERIFY(m_review.examples() > 50);
}

void ReviewFilterTest::wordsLetterByLetter_data() {
  QTest::addColumn<QString>("text");
  for (const char* text :
       {"select count", "SELECT", "the  author", "group by year", "zzz", "e", "é中", "1", "'"})
    QTest::newRow(text) << QString::fromUtf8(text);
}

void ReviewFilterTest::wordsLetterByLetter() {
  QFETCH(QString, text);
  for (qsizetype length = 0; length <= text.size(); ++length)
    QCOMPARE(filtered(text.left(length)), withWords(text.left(length)));
  for (qsizetype length = text.size(); length >= 0; --length)
    QCOMPARE(filtered(text.left(length)), withWords(text.left(length)));
  // A letter in the middle: what was found for the longer word must not be taken for this one.
  QString changed = text;
  changed.insert(text.size() / 2, u'o');
  QCOMPARE(filtered(changed), withWords(changed));
}

void ReviewFilterTest::patterns_data() {
  QTest::addColumn<QString>("pattern");
  for (const char* pattern : {"order by.*desc",
                              "^select name",
                              "coun?t",
                              "x*select",
                              "ORDER BY",
                              "a|b",
                              "\\bin\\b",
                              "[0-9]{4}",
                              "name$",
                              ".",
                              "(se|wh)[a-z]+ct [a-z]+ f",
                              "or?d.r by",
                              "[st]e+l.*name$",
                              "se{1,2}l",
                              "(a|b)*count\\(",
                              "a|order by d",
                              "coun[^x]+by",
                              "[]x]by",
                              "[^]]by",
                              "[[:alpha:]]+ by",
                              "x{",
                              "y{0}ear",
                              "(?x)o r d",
                              "(?!x)ord",
                              "ord(er (by|to))? year",
                              "\\x73elect",
                              "(sel(ec)t|from) n",
                              "(by|name)?count",
                              "(by|order)+ n",
                              "(BY|zzz)",
                              "(by|)x",
                              "(by|na[m]e)",
                              "中?count",
                              "😀?count"})
    QTest::newRow(pattern) << QString::fromUtf8(pattern);
}

void ReviewFilterTest::patterns() {
  QFETCH(QString, pattern);
  const QRegularExpression expression(
      pattern, QRegularExpression::CaseInsensitiveOption | QRegularExpression::MultilineOption);
  const auto expected = plain([&expression](const QString& all) { return expression.match(all).hasMatch(); });
  QCOMPARE(filtered(u'/' + pattern + u'/'), expected);
  (void)filtered("select");
  QCOMPARE(filtered(u'/' + pattern), expected);
  const std::vector<int> before = m_model.filter().rows();
  QVERIFY(!m_model.filter().setText("/(/"));
  QCOMPARE(m_model.filter().rows(), before);
}

// What was found for the beginning is taken for the rest only where it may be.
void ReviewFilterTest::patternsLetterByLetter() {
  QFETCH(QString, pattern);
  for (qsizetype length = 1; length <= pattern.size(); ++length) {
    const QString typed = pattern.left(length).trimmed();
    const QRegularExpression expression(
        typed, QRegularExpression::CaseInsensitiveOption | QRegularExpression::MultilineOption);
    if (!expression.isValid() || (typed.endsWith(u'/') && length > 1)) continue;
    const auto expected =
        plain([&expression](const QString& all) { return expression.match(all).hasMatch(); });
    QCOMPARE(filtered(u'/' + typed), expected);
  }
}

void ReviewFilterTest::notesAreSearched() {
  QVERIFY(filtered("quokka").empty());
  QVERIFY(m_review.setNote(7, "Quokkas are not in the schema").ok());
  QCOMPARE(filtered("quokka"), std::vector<int>{7});
  QCOMPARE(filtered("/quokka.*schema/"), std::vector<int>{7});
  QCOMPARE(filtered("select quokka"), withWords("select quokka"));
  QVERIFY(m_review.setNote(7, {}).ok());
  QVERIFY(filtered("quokka").empty());
  QCOMPARE(filtered("select"), withWords("select"));
}

void ReviewFilterTest::anotherModelIsSearched() {
  for (const int model : {1, 0, 1}) {
    m_review.choose(model, 0, nullptr);
    for (const char* text : {"days", "distinct", "/count.*group/"}) {
      const QString word = QString::fromUtf8(text);
      const QRegularExpression expression("count.*group", QRegularExpression::CaseInsensitiveOption);
      const auto expected = word.startsWith(u'/')
                                ? plain([&](const QString& all) { return expression.match(all).hasMatch(); })
                                : withWords(word);
      QCOMPARE(filtered(word), expected);
    }
  }
}

// The number beside a value is the number of rows after ticking it.
void ReviewFilterTest::countsAreRowsThereWouldBe() {
  ReviewFilter& filter = m_model.filter();
  QVERIFY(m_review.setTags(3, {"odd", "even"}).ok());
  QVERIFY(m_review.setTags(4, {"odd"}).ok());
  for (const char* text : {"", "select count", "hardness:easy"}) {
    (void)filtered(QString::fromUtf8(text));
    const std::vector<ShownFacet> facets = filter.facets();
    for (std::size_t f = 0; f < facets.size(); ++f) {
      for (std::size_t v = 0; v < facets[f].values.size(); ++v) {
        filter.tick(int(f), int(v), true);
        m_model.refresh();
        QCOMPARE(m_model.rowCount(), facets[f].values[v].count);
        filter.tick(int(f), int(v), false);
      }
    }
  }
  filter.clear();
  QCOMPARE(filtered("tag:od"), std::vector<int>({3, 4}));
  QCOMPARE(filtered("tag:even select"), std::vector<int>{3});
}

void ReviewFilterTest::sameRowsAreNoReset() {
  (void)filtered("selec");
  int resets = 0, told = 0;
  const auto first = connect(&m_model, &QAbstractItemModel::modelReset, this, [&resets] { ++resets; });
  const auto second = connect(&m_model, &PredictionTableModel::filtered, this, [&told] { ++told; });
  QCOMPARE(filtered("select"), withWords("selec"));
  QCOMPARE(resets, 0);
  QCOMPARE(told, 1);
  (void)filtered("select count");
  QCOMPARE(resets, 1);
  disconnect(first);
  disconnect(second);
}

QTEST_MAIN(ReviewFilterTest)
#include "tst_review_filter.moc"
