// SPDX-License-Identifier: Apache-2.0
// Tables, windows, answers and predictions of the reading tasks against values computed elsewhere.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/files/atomic_file.h"
#include "core/tasks/glue/glue_scores.h"
#include "core/tasks/glue/glue_table.h"
#include "core/tasks/reclor/npy_text.h"
#include "core/tasks/reclor/reclor_file.h"
#include "core/tasks/squad/squad_decoding.h"
#include "core/text/answer_score.h"
#include "core/text/answer_text.h"
#include "tests/unit/support_golden_case.h"

using namespace fathom;

namespace {

std::string lines(const Json& vocabulary) {
  std::string text;
  for (const Json& token : vocabulary) text += token.get<std::string>() + "\n";
  return text;
}

TextEncoding wordPieces(const Json& vocabulary) {
  return TextEncoding::ofWordPieces(lines(vocabulary), "vocab.txt", true).value();
}

// Another folder of fixtures need not have all of them.
constexpr const char* kAbsentCase = "this folder of fixtures has no such case";

std::optional<golden::Case> caseNamed(const std::vector<golden::Case>& all, const std::string& name) {
  for (const golden::Case& one : all)
    if (one.name.ends_with("/" + name)) return one;
  return {};
}

// "" or how the row differs from ids, types (may be absent) and mask.
std::string differs(const TextRow& row, const Json& expected, std::int64_t pad) {
  const auto ids = expected.at("ids").get<std::vector<std::int64_t>>();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool real = i < row.ids.size();
    const std::int64_t own = real ? row.ids[i] : pad;
    const std::string at = " at " + std::to_string(i);
    if (own != ids[i]) return "id " + std::to_string(own) + " for " + std::to_string(ids[i]) + at;
    if (expected.contains("mask") && expected["mask"][i].get<int>() != (real ? 1 : 0)) return "mask" + at;
    const int type = real && i >= static_cast<std::size_t>(row.second) ? 1 : 0;
    if (expected.contains("types") && expected["types"][i].get<int>() != type) return "type" + at;
  }
  return row.ids.size() <= ids.size() ? "" : "too long";
}

bool near(double own, double expected, double abs, double rel) {
  if (std::isnan(expected)) return std::isnan(own);
  return std::abs(own - expected) <= abs + rel * std::abs(expected);
}

double orNan(std::optional<double> value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

GlueReading readingOf(const GlueRule& rule, bool test) {
  GlueReading reading;
  reading.columns = test ? rule.test : rule.labelled;
  reading.labels = rule.labels;
  reading.number = rule.number;
  reading.skipsShortRows = rule.skipsShortRows;
  return reading;
}

// Passages, questions and their windows as the squad cases give them.
struct PassageCase {
  TextEncoding encoding;
  SquadLayout layout;
  std::vector<SquadPassage> passages;
  explicit PassageCase(const Json& config) : encoding(wordPieces(config.at("vocabulary"))) {
    layout.maxLength = config.value("max_length", layout.maxLength);
    layout.stride = config.value("stride", layout.stride);
    layout.maxQuery = config.value("max_query", layout.maxQuery);
    for (const Json& context : config.at("contexts"))
      passages.push_back(makeSquadPassage(context.get<std::string>(), encoding));
  }
  static SquadQuestion question(const Json& json) {
    SquadQuestion made;
    made.id = json.at("id").get<std::string>();
    made.question = json.at("question").get<std::string>();
    made.passage = json.at("context").get<std::int64_t>();
    const Json answer = json.value("answer", Json());
    made.impossible = json.value("impossible", false) || answer.is_null();
    if (!made.impossible)
      made.answers.push_back({answer.get<std::string>(), json.at("answer_start").get<std::int64_t>()});
    return made;
  }
};

std::vector<AnsweredQuestion> answered(const Json& config) {
  std::vector<AnsweredQuestion> questions;
  for (const Json& json : config.at("questions")) {
    AnsweredQuestion one;
    one.id = json.at("id").get<std::string>();
    one.gold = json.at("golds").get<std::vector<std::string>>();
    if (config.at("predictions").contains(one.id))
      one.prediction = config.at("predictions").at(one.id).get<std::string>();
    if (config.contains("no_answer")) one.noAnswer = config.at("no_answer").at(one.id).get<double>();
    questions.push_back(std::move(one));
  }
  return questions;
}

}  // namespace

class FixturesReadingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"glue", "squad", "multiple_choice"}); !why.empty())
      QSKIP(why.c_str());
  }

  void tables() {
    int files = 0;
    for (const golden::Case& one : golden::casesOf("glue")) {
      const Json& config = one.json.at("config");
      if (!config.contains("files")) continue;
      const GlueRule rule = glueRule(valueOf(kGlueKinds, config.at("task").get<std::string>()));
      const TextEncoding encoding = wordPieces(config.at("vocabulary"));
      const auto longest = config.at("max_length").get<std::int64_t>();
      for (const Json& file : config.at("files")) {
        ++files;
        const auto name = file.at("name").get<std::string>();
        const std::string path = one.path.substr(0, one.path.rfind('/') + 1) + name;
        const GlueTable table = readGlueTable(path, readingOf(rule, file.at("set") == "test"), {}).value();
        const Json& expected = one.json.at("expected").at(name);
        QCOMPARE(table.shortLines, expected.at("skipped_lines").get<std::vector<std::int64_t>>());
        QCOMPARE(table.size(), static_cast<std::int64_t>(expected.at("rows").size()));
        for (std::size_t i = 0; i < expected.at("rows").size(); ++i)
          checkRow(table, static_cast<std::int64_t>(i), expected.at("rows")[i], encoding, longest);
      }
    }
    QVERIFY(files > 8);
  }

  void badTables() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_bad_tables");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const QTemporaryDir folder;
    for (const Json& table : one.json.at("config").at("tables")) {
      const std::string path = folder.filePath("table.tsv").toStdString();
      writeFileAtomically(path, table.at("text").get<std::string>()).value();
      const GlueRule rule = glueRule(valueOf(kGlueKinds, table.at("task").get<std::string>()));
      const auto read = readGlueTable(path, readingOf(rule, false), {});
      QVERIFY2(!read.ok(), table.at("why").get<std::string>().c_str());
      QCOMPARE(read.error().line, table.at("line").get<std::int64_t>());
      QCOMPARE(read.error().file, path);
    }
  }

  void truncation() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_truncation");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const Json& config = one.json.at("config");
    const auto encoded = [](const Json& ids) {
      EncodedText text;
      for (const Json& id : ids) text.add(id.get<std::int64_t>(), {});
      return text;
    };
    // Marks are those of the case.
    Json vocabulary = Json::array({"[PAD]", "[UNK]"});
    while (static_cast<std::int64_t>(vocabulary.size()) < config.at("cls").get<std::int64_t>())
      vocabulary.push_back("[unused" + std::to_string(vocabulary.size()) + "]");
    vocabulary.push_back("[CLS]");
    vocabulary.push_back("[SEP]");
    const TextEncoding encoding = wordPieces(vocabulary);
    QCOMPARE(encoding.sep(), config.at("sep").get<std::int64_t>());
    for (const Json& row : one.json.at("expected").at("rows")) {
      const auto longest = row.at("max_length").get<std::int64_t>();
      const EncodedText first = encoded(row.at("a"));
      const TextRow own = row.at("b").is_null() ? encoding.row(first, longest)
                                                : encoding.row(first, encoded(row.at("b")), longest);
      const std::string wrong = differs(own, row, 0);
      QVERIFY2(wrong.empty(), (row.dump() + ": " + wrong).c_str());
    }
  }

  void classMetrics() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_metrics_classification");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    for (const auto& [name, expected] : one.json.at("expected").items()) {
      if (name == "arg_max") {
        std::vector<std::int64_t> best;
        for (const Json& logits : one.json.at("config").at("logits"))
          best.push_back(bestClass(logits.get<std::vector<double>>()));
        QCOMPARE(best, expected.get<std::vector<std::int64_t>>());
        continue;
      }
      const auto own = classScores(expected.at("predictions").get<std::vector<std::int64_t>>(),
                                   expected.at("labels").get<std::vector<std::int64_t>>());
      QVERIFY2(near(own.accuracy, expected.at("accuracy"), abs, rel), name.c_str());
      QVERIFY2(near(own.f1, expected.at("f1"), abs, rel), name.c_str());
      QVERIFY2(near(own.matthews, expected.at("matthews"), abs, rel), name.c_str());
      QVERIFY(near(matthewsOfClasses(expected.at("predictions").get<std::vector<std::int64_t>>(),
                                     expected.at("labels").get<std::vector<std::int64_t>>()),
                   own.matthews, abs, 1e-9));
    }
  }

  void correlations() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_metrics_correlation");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    for (const auto& [name, expected] : one.json.at("expected").items()) {
      const auto first = expected.at("predictions").get<std::vector<double>>();
      const auto second = expected.at("labels").get<std::vector<double>>();
      const double least = name == "large_offset" ? 1e-9 : abs;
      QVERIFY2(near(orNan(pearson(first, second)), realFromJson(expected.at("pearson")).value(), least, rel),
               name.c_str());
      QVERIFY2(
          near(orNan(spearman(first, second)), realFromJson(expected.at("spearman")).value(), least, rel),
          name.c_str());
    }
  }

  void overall() {
    const auto found = caseNamed(golden::casesOf("glue"), "glue_overall");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    for (const auto& [name, scores] : one.json.at("config").at("scores").items()) {
      std::map<std::string, std::vector<double>> entries;
      for (const auto& [entry, value] : scores.items())
        entries[entry] =
            value.is_array() ? value.get<std::vector<double>>() : std::vector<double>{value.get<double>()};
      QCOMPARE(entries.size(), glueEntries().size());
      const double expected = one.json.at("expected").at("overall").at(name).get<double>();
      QVERIFY2(near(orNan(glueOverall(entries)), expected, abs, rel), name.c_str());
      entries.erase("rte");
      QVERIFY(!glueOverall(entries).has_value());
    }
  }

  void words() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_words");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const PassageCase made(one.json.at("config"));
    for (std::size_t i = 0; i < made.passages.size(); ++i) {
      std::vector<std::string> own;
      for (std::size_t w = 0; w < made.passages[i].words.size(); ++w)
        own.emplace_back(made.passages[i].word(w));
      QCOMPARE(own, one.json.at("expected").at("words")[i].get<std::vector<std::string>>());
    }
    const Json& questions = one.json.at("config").at("questions");
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Json& expected = one.json.at("expected").at("examples")[i];
      const SquadQuestion question = PassageCase::question(questions[i]);
      const SquadSpan span =
          findSquadSpan(question, made.passages[static_cast<std::size_t>(question.passage)], made.encoding);
      QCOMPARE(span.firstWord, expected.at("words")[0].get<std::int64_t>());
      QCOMPARE(span.lastWord, expected.at("words")[1].get<std::int64_t>());
      QCOMPARE(span.trained(), expected.at("used_in_training").get<bool>());
    }
  }

  void windows() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_features");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const PassageCase made(one.json.at("config"));
    const Json& questions = one.json.at("config").at("questions");
    for (std::size_t i = 0; i < questions.size(); ++i)
      checkWindows(made, PassageCase::question(questions[i]), one.json.at("expected").at("examples")[i]);
  }

  void decoding_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("1.1") << "squad_decode_v1";
    QTest::newRow("2.0") << "squad_decode_v2";
  }

  void decoding() {
    QFETCH(const QString, name);
    const auto found = caseNamed(golden::casesOf("squad"), name.toStdString());
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const Json& config = one.json.at("config");
    const PassageCase made(config);
    SquadDecoding how{config.at("version_2").get<bool>(), config.at("n_best").get<std::int64_t>(),
                      config.at("max_answer").get<std::int64_t>(), 0};
    const std::vector<double> starts = one.tensor("input.start_logits"),
                              ends = one.tensor("input.end_logits");
    const auto width = static_cast<std::size_t>(one.shape("input.start_logits").at(1));
    for (const Json& expected : one.json.at("expected").at("examples")) {
      const Json* context = nullptr;
      SquadRows rows;
      std::vector<SquadWindowScores> scores;
      for (std::size_t w = 0; w < config.at("windows").size(); ++w) {
        const Json& window = config.at("windows")[w];
        if (window.at("id") != expected.at("id")) continue;
        context = &window;
        rows.windows.push_back(
            {window.at("start").get<std::int64_t>(), window.at("length").get<std::int64_t>()});
        scores.push_back(squadWindowScores({starts.data() + w * width, width},
                                           {ends.data() + w * width, width}, how.nBest));
      }
      QVERIFY(context != nullptr);
      const SquadPassage& passage = passageOf(made, *context, rows);
      checkDecoded(how, rows, scores, passage, made.encoding, expected);
    }
  }

  void recovery() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_text_recovery");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    for (const char* list : {"rows", "cased"}) {
      for (const Json& row : one.json.at("expected").at(list))
        QCOMPARE(recoveredText(row.at("predicted").get<std::string>(), row.at("original").get<std::string>(),
                               std::string(list) == "rows"),
                 row.at("text").get<std::string>());
    }
  }

  void normalising() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_normalise");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    for (const Json& row : one.json.at("expected").at("rows"))
      QCOMPARE(normalizeAnswer(row.at("text").get<std::string>()), row.at("normalised").get<std::string>());
  }

  void scoresOfVersion1() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_score_v1");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const auto questions = answered(one.json.at("config"));
    const AnswerEvaluation own = evaluateAnswers(questions, AnswerRules::Answerable);
    checkEach(one, questions, own, one.json.at("expected").at("per_question"));
    QVERIFY(near(own.all.exact, one.json.at("expected").at("exact"), 1e-12, 1e-12));
    QVERIFY(near(own.all.f1, one.json.at("expected").at("f1"), 1e-12, 1e-12));
  }

  void scoresOfVersion2() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_score_v2");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const auto questions = answered(one.json.at("config"));
    checkEach(one, questions, evaluateAnswers(questions, AnswerRules::Unanswerable),
              one.json.at("expected").at("raw"));
    for (const auto& [threshold, expected] : one.json.at("expected").at("at_threshold").items()) {
      const AnswerEvaluation own =
          evaluateAnswers(questions, AnswerRules::Unanswerable, std::stod(threshold));
      const std::map<std::string, double> values = {
          {"exact", own.all.exact},
          {"f1", own.all.f1},
          {"total", static_cast<double>(own.all.total)},
          {"HasAns_exact", own.answerable.exact},
          {"HasAns_f1", own.answerable.f1},
          {"HasAns_total", static_cast<double>(own.answerable.total)},
          {"NoAns_exact", own.unanswerable.exact},
          {"NoAns_f1", own.unanswerable.f1},
          {"NoAns_total", static_cast<double>(own.unanswerable.total)}};
      for (const auto& [name, value] : expected.items())
        QVERIFY2(near(values.at(name), value, 1e-12, 1e-12), (threshold + " " + name).c_str());
    }
  }

  void thresholds() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_best_threshold");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const auto questions = answered(one.json.at("config"));
    const AnswerThresholds own =
        bestAnswerThresholds(questions, evaluateAnswers(questions, AnswerRules::Unanswerable).each);
    const Json& expected = one.json.at("expected");
    const auto check = [](const AnswerThreshold& mine, const Json& theirs) {
      QVERIFY(near(mine.score, theirs.at("score"), 1e-12, 1e-12));
      QCOMPARE(mine.threshold, theirs.at("threshold").get<double>());
    };
    check(own.exact, expected.at("exact"));
    check(own.f1, expected.at("f1"));
    check(own.reachableExact, expected.at("by_trying_every_threshold").at("exact"));
    check(own.reachableF1, expected.at("by_trying_every_threshold").at("f1"));
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
    for (const char* area : {"squad", "multiple_choice"}) {
      const std::string unread = fixtures::unreadArrays(area, [](const Json& json) {
        const std::string name = json.at("case").get<std::string>();
        return name.starts_with("squad_decode") || name == "multiple_choice_predictions";
      });
      QVERIFY2(unread.empty(), unread.c_str());
    }
  }

 private:
  static void checkRow(const GlueTable& table, std::int64_t i, const Json& expected,
                       const TextEncoding& encoding, std::int64_t longest) {
    const auto at = static_cast<std::size_t>(i);
    QCOMPARE(table.lines[at], expected.at("line").get<std::int64_t>());
    QCOMPARE(std::string(table.first[i]), expected.at("a").get<std::string>());
    const bool pair = !expected.at("b").is_null();
    QCOMPARE(table.pairs, pair);
    if (pair) QCOMPARE(std::string(table.second[i]), expected.at("b").get<std::string>());
    QCOMPARE(table.labels.empty(), expected.at("label").is_null());
    if (!table.labels.empty()) QCOMPARE(table.labels[at], expected.at("label").get<double>());
    const EncodedText first = encoding.encode(table.first[i]);
    const TextRow row =
        pair ? encoding.row(first, encoding.encode(table.second[i]), longest) : encoding.row(first, longest);
    const std::string wrong = differs(row, expected, encoding.pad());
    QVERIFY2(wrong.empty(), (expected.dump() + ": " + wrong).c_str());
  }

  static void checkWindows(const PassageCase& made, const SquadQuestion& question, const Json& expected) {
    const SquadPassage& passage = made.passages[static_cast<std::size_t>(question.passage)];
    const SquadRows rows = squadRows(question.question, passage, made.layout, made.encoding);
    const SquadSpan span = findSquadSpan(question, passage, made.encoding);
    const auto best = bestWindows(rows.windows, static_cast<std::int64_t>(passage.pieces.size()));
    QCOMPARE(span.trained(), expected.at("used_in_training").get<bool>());
    QCOMPARE(rows.windows.size(), expected.at("windows").size());
    const std::int64_t offset = squadOffset(rows, made.encoding);
    for (std::size_t w = 0; w < rows.windows.size(); ++w) {
      const Json& window = expected.at("windows")[w];
      const SquadWindow& own = rows.windows[w];
      QCOMPARE(own.start, window.at("start").get<std::int64_t>());
      QCOMPARE(own.length, window.at("length").get<std::int64_t>());
      const TextRow row = squadRow(rows, own, passage, made.encoding);
      const std::string wrong = differs(row, window, made.encoding.pad());
      QVERIFY2(wrong.empty(), (question.id + " window " + std::to_string(w) + ": " + wrong).c_str());
      for (std::size_t place = 0; place < window.at("word").size(); ++place) {
        const std::int64_t piece = static_cast<std::int64_t>(place) - offset;
        const bool inside = piece >= 0 && piece < own.length;
        const auto at = static_cast<std::size_t>(own.start + piece);
        QCOMPARE(inside ? passage.wordOfPiece[at] : -1, window.at("word")[place].get<int>());
        QCOMPARE(inside && best[at] == static_cast<std::int32_t>(w) ? 1 : 0,
                 window.at("max_context")[place].get<int>());
      }
      if (!window.contains("target")) continue;
      const SquadTarget target = squadTarget(span, own, offset);
      QCOMPARE(target.start, window.at("target")[0].get<std::int64_t>());
      QCOMPARE(target.end, window.at("target")[1].get<std::int64_t>());
    }
  }

  // The passage of a window, and the question's pieces from its ids.
  static const SquadPassage& passageOf(const PassageCase& made, const Json& window, SquadRows& rows) {
    const auto ids = window.at("ids").get<std::vector<std::int32_t>>();
    for (std::size_t i = 1; ids[i] != made.encoding.sep(); ++i) rows.query.push_back(ids[i]);
    for (const SquadPassage& passage : made.passages) {
      const SquadWindow own{window.at("start").get<std::int64_t>(), window.at("length").get<std::int64_t>()};
      if (own.start + own.length > static_cast<std::int64_t>(passage.pieces.size())) continue;
      if (differs(squadRow(rows, own, passage, made.encoding), window, made.encoding.pad()).empty())
        return passage;
    }
    throw Failure(dataError("no passage fits the window"));
  }

  static void checkDecoded(SquadDecoding how, const SquadRows& rows,
                           const std::vector<SquadWindowScores>& scores, const SquadPassage& passage,
                           const TextEncoding& encoding, const Json& expected) {
    const SquadDecoded own = decodeSquad(rows, scores, passage, how, encoding);
    QCOMPARE(own.nBest.size(), expected.at("n_best").size());
    for (std::size_t i = 0; i < own.nBest.size(); ++i) {
      const Json& guess = expected.at("n_best")[i];
      QCOMPARE(own.nBest[i].text, guess.at("text").get<std::string>());
      QCOMPARE(own.nBest[i].startLogit, guess.at("start_logit").get<double>());
      QCOMPARE(own.nBest[i].endLogit, guess.at("end_logit").get<double>());
      QVERIFY(near(own.nBest[i].probability, guess.at("probability"), 1e-12, 1e-12));
    }
    if (expected.contains("answer")) QCOMPARE(own.text, expected.at("answer").get<std::string>());
    if (!how.version2) return;
    QVERIFY(near(own.nullScore, expected.at("null_score"), 1e-12, 1e-12));
    QCOMPARE(own.nullDifference.has_value(), !expected.at("null_difference").is_null());
    if (own.nullDifference) QVERIFY(near(*own.nullDifference, expected.at("null_difference"), 1e-12, 1e-12));
    QCOMPARE(own.best.has_value(), !expected.at("best_non_null").is_null());
    if (own.best) QCOMPARE(own.nBest[*own.best].text, expected.at("best_non_null").get<std::string>());
    for (const auto& [threshold, text] : expected.at("answers").items()) {
      how.threshold = std::stod(threshold);
      QCOMPARE(decodeSquad(rows, scores, passage, how, encoding).text, text.get<std::string>());
    }
  }

  static void checkEach(const golden::Case& one, const std::vector<AnsweredQuestion>& questions,
                        const AnswerEvaluation& own, const Json& expected) {
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    QCOMPARE(questions.size(), expected.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Json& score = expected.at(questions[i].id);
      QVERIFY2(near(own.each[i].exact, score.at("exact"), abs, rel), questions[i].id.c_str());
      QVERIFY2(near(own.each[i].f1, score.at("f1"), abs, rel), questions[i].id.c_str());
    }
  }

  static TextEncoding byteEncoding(const Json& config) {
    Json vocabulary = Json::object();
    for (std::size_t i = 0; i < config.at("vocabulary").size(); ++i)
      vocabulary[config.at("vocabulary")[i].get<std::string>()] = i;
    return TextEncoding::ofBytes(vocabulary.dump(), "#version: 0.2\n" + lines(config.at("merges")),
                                 "vocab.json")
        .value();
  }
};

QTEST_APPLESS_MAIN(FixturesReadingTest)
#include "tst_fixtures_reading.moc"
