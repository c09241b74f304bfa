// SPDX-License-Identifier: Apache-2.0
// The made data of tasks that read texts: what is gold follows from the texts, no example comes
// twice, and the vocabulary has every word.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/text/text_list.h"
#include "core/tasks/task.h"
#include "core/text/byte_bpe_tokenizer.h"

using namespace fathom;

namespace {

constexpr const char* kParts[] = {"train", "validation", "test"};

class Written {
 public:
  explicit Written(const std::string& task, std::uint64_t seed = 1)
      : m_sample(findTask(task)
                     ->madeData.write(m_place.filePath("sample").toStdString(), seed, MadeDataSize::Check)
                     .value()) {}
  std::string text(const std::string& key) const {
    return readFile(m_sample.options.at(key).get<std::string>()).value();
  }
  std::string part(const std::string& part) const { return text("data." + part); }
  Json json(const std::string& part) const { return parseJson(this->part(part), part).value(); }
  ByteBpeTokenizer tokenizer() const {
    return ByteBpeTokenizer::fromFiles(text("text.vocabulary.file"), "vocab.json",
                                       text("text.vocabulary.merges"), "merges.txt")
        .value();
  }
  int pieces() const { return m_sample.pieces; }

 private:
  QTemporaryDir m_place;
  MadeData m_sample;
};

}  // namespace

class MadeReadingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sameSeedSameFiles_data() {
    QTest::addColumn<QString>("task");
    for (const char* task : {"glue", "squad", "reclor"}) QTest::newRow(task) << task;
  }
  void sameSeedSameFiles() {
    QFETCH(const QString, task);
    const Written one(task.toStdString()), again(task.toStdString()), other(task.toStdString(), 2);
    for (const char* part : kParts) {
      QVERIFY(one.part(part) == again.part(part));
      QVERIFY(one.part(part) != other.part(part));
    }
    QCOMPARE(one.tokenizer().vocabularySize(), std::int64_t{one.pieces()});
  }

  // A claim is entailed where it is one of the statements.
  void claimsFollow() {
    const Written sample("glue");
    std::set<std::string> seen;
    int entailed = 0, all = 0;
    for (const char* part : kParts) {
      const std::string text = sample.part(part);
      const auto lines = splitAt(text, '\n');
      for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        const auto cells = splitAt(lines[i], '\t');
        QCOMPARE(cells.size(), std::size_t{4});
        const bool stated = cells[1].find(cells[2]) != std::string_view::npos;
        QCOMPARE(cells[3], std::string_view(stated ? "entailment" : "not_entailment"));
        QVERIFY(seen.insert(std::string(cells[1]) + "\t" + std::string(cells[2])).second);
        entailed += stated;
        ++all;
      }
    }
    QVERIFY(entailed > all / 3 && entailed < 2 * all / 3);
  }

  void answersLieWhereTheyAreSaidTo() {
    const Written sample("squad");
    std::set<std::string> contexts, ids;
    for (const char* part : kParts) {
      const Json file = sample.json(part);
      for (const Json& article : file.at("data")) {
        for (const Json& paragraph : article.at("paragraphs")) {
          const std::string context = paragraph.at("context");
          contexts.insert(context);
          for (const Json& question : paragraph.at("qas")) {
            QVERIFY(ids.insert(question.at("id").get<std::string>()).second);
            const Json& answer = question.at("answers").at(0);
            const std::string text = answer.at("text");
            QCOMPARE(context.substr(answer.at("answer_start").get<std::size_t>(), text.size()), text);
          }
        }
      }
    }
    QVERIFY(contexts.size() > 100);
  }

  void oneAnswerIsTold() {
    const Written sample("reclor");
    std::set<int> labels;
    for (const char* part : kParts) {
      for (const Json& question : sample.json(part)) {
        const std::string context = question.at("context");
        const int label = question.at("label").get<int>();
        labels.insert(label);
        for (int i = 0; i < int(question.at("answers").size()); ++i) {
          const std::string answer = question.at("answers").at(static_cast<std::size_t>(i));
          QCOMPARE(context.find(answer) != std::string::npos, i == label);
        }
      }
    }
    QCOMPARE(labels.size(), std::size_t{4});
  }

  void everyWordIsAPiece() {
    const Written sample("reclor");
    const ByteBpeTokenizer tokenizer = sample.tokenizer();
    const Json questions = sample.json("test");
    QVERIFY(!questions.empty());
    for (const Json& question : questions) {
      const std::string context = question.at("context");
      const auto words = std::count(context.begin(), context.end(), ' ') + 1,
                 stops = std::count(context.begin(), context.end(), '.');
      const auto ids = tokenizer.encode(context);
      QCOMPARE(std::int64_t(ids.size()), std::int64_t(words + stops));
      QCOMPARE(tokenizer.decode(ids), context);
    }
  }
};

QTEST_APPLESS_MAIN(MadeReadingTest)
#include "tst_made_reading.moc"
