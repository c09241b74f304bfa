// SPDX-License-Identifier: Apache-2.0
// Rows and predictions of multiple choice against values computed elsewhere.
#include <QFile>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/tasks/glue/glue_scores.h"
#include "core/tasks/reclor/npy_text.h"
#include "core/tasks/reclor/reclor_file.h"
#include "tests/unit/support_reading_case.h"

using namespace fathom;
using namespace fathom::golden;

class FixturesMultipleChoiceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"multiple_choice"}); !why.empty()) QSKIP(why.c_str());
  }

  void choices() {
    int rows = 0;
    for (const golden::Case& one : golden::casesOf("multiple_choice")) {
      const Json& config = one.json.at("config");
      if (!config.contains("records")) continue;
      const bool bytes = config.contains("merges");
      const TextEncoding encoding = bytes ? byteEncoding(config) : wordPieces(config.at("vocabulary"));
      const std::int64_t pad = config.value("pad_id", encoding.pad());
      std::int64_t cut = 0;
      for (std::size_t i = 0; i < config.at("records").size(); ++i) {
        const ReclorQuestion question = reclorQuestion(config.at("records")[i]).value();
        const Json& expected = one.json.at("expected").at("examples")[i];
        QCOMPARE(question.id, expected.at("id_string").get<std::string>());
        if (!expected.at("label").is_null())
          QCOMPARE(question.label, expected.at("label").get<std::int64_t>());
        QCOMPARE(question.answers.size(), expected.at("options").size());
        for (std::size_t a = 0; a < question.answers.size(); ++a, ++rows) {
          const Json& option = expected.at("options")[a];
          const std::string text = answerText(question.question, question.answers[a]);
          QCOMPARE(text, option.at("text_b").get<std::string>());
          const TextRow row = encoding.row(encoding.encode(question.context), encoding.encode(text),
                                           config.at("max_length").get<std::int64_t>(), &cut);
          const std::string wrong = differs(row, option, pad);
          QVERIFY2(wrong.empty(), (one.name + " " + text + ": " + wrong).c_str());
        }
      }
      if (one.json.at("expected").contains("rows_cut"))
        QCOMPARE(cut, one.json.at("expected").at("rows_cut").get<std::int64_t>());
    }
    QVERIFY(rows > 0);
  }

  void predictionFile() {
    const auto found = caseNamed(golden::casesOf("multiple_choice"), "multiple_choice_predictions");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const std::vector<double> logits = one.tensor("input.logits"), labels = one.tensor("input.labels");
    const auto choices = static_cast<std::size_t>(one.shape("input.logits").at(1));
    std::vector<std::int64_t> chosen;
    double right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      chosen.push_back(bestClass({logits.data() + i * choices, choices}));
      right += static_cast<double>(chosen.back()) == labels[i] ? 1 : 0;
    }
    const Json& expected = one.json.at("expected");
    QCOMPARE(chosen, expected.at("predictions").get<std::vector<std::int64_t>>());
    QCOMPARE(right / static_cast<double>(labels.size()), expected.at("accuracy").get<double>());
    const std::string file =
        one.path.substr(0, one.path.rfind('/') + 1) + expected.at("file").get<std::string>();
    const std::string path =
        QFile::exists(QString::fromStdString(file)) ? file : one.path + ".test_preds.npy";
    QVERIFY(readFile(path).value() == npyOfIntegers(chosen));
  }

  // Last: every array of the cases that need no torch was looked at.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays("multiple_choice", [](const Json& json) {
      return json.at("case").get<std::string>() == "multiple_choice_predictions";
    });
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  static TextEncoding byteEncoding(const Json& config) {
    Json vocabulary = Json::object();
    for (std::size_t i = 0; i < config.at("vocabulary").size(); ++i)
      vocabulary[config.at("vocabulary")[i].get<std::string>()] = i;
    OptionValues options(OptionSchema(textEncodingFields(), {}));
    options.setText("text.vocabulary.kind=byte_bpe").value();
    TaskSetup kept;  // as of a run that has its vocabulary
    kept.artifacts = {{"vocabulary.json", vocabulary.dump()},
                      {"merges.txt", "#version: 0.2\n" + lines(config.at("merges"))}};
    return TextEncoding::make(options, kept).value();
  }
};

QTEST_APPLESS_MAIN(FixturesMultipleChoiceTest)
#include "tst_fixtures_multiple_choice.moc"
