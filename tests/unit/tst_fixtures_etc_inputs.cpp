// SPDX-License-Identifier: Apache-2.0
// Records of WikiHop, HotpotQA, Natural Questions and OpenKP as long and global streams, and their scores,
// against golden values: ids, places and texts exactly.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/tasks/hotpotqa/hotpotqa_layout.h"
#include "core/tasks/hotpotqa/hotpotqa_scores.h"
#include "core/tasks/natural_questions/natural_questions_layout.h"
#include "core/tasks/natural_questions/nq_decoding.h"
#include "core/tasks/natural_questions/nq_scores.h"
#include "core/tasks/openkp/openkp_layout.h"
#include "core/tasks/openkp/openkp_scores.h"
#include "core/tasks/wikihop/wikihop_layout.h"
#include "core/tasks/wikihop/wikihop_scores.h"
#include "core/text/wordpiece_tokenizer.h"
#include "tests/unit/support_fixtures.h"
#include "tests/unit/support_tensor_values.h"

using namespace fathom;

namespace {

// The small vocabulary of a case.
class CasePieces {
 public:
  explicit CasePieces(const Json& config) {
    std::string text;
    for (const Json& piece : config.at("vocabulary")) text += piece.get<std::string>() + "\n";
    m_tokenizer =
        std::make_unique<WordPieceTokenizer>(WordPieceTokenizer::fromText(text, "vocabulary").value());
    pieces.encode = [this](std::string_view one) { return m_tokenizer->encode(one); };
    pieces.piece = [this](std::int64_t id) { return m_tokenizer->piece(id); };
    pieces.cls = m_tokenizer->find("[CLS]");
    pieces.sep = m_tokenizer->find("[SEP]");
    pieces.pad = m_tokenizer->find("[PAD]");
  }
  LongPieces pieces;

 private:
  std::unique_ptr<WordPieceTokenizer> m_tokenizer;
};

// A list of a layout, padded as the case's.
std::vector<std::int64_t> padded(const std::vector<std::int32_t>& own, std::size_t length, std::int64_t pad) {
  std::vector<std::int64_t> all(own.begin(), own.end());
  all.resize(length, pad);
  return all;
}

void compareLists(const Json& expected, const LongLayout& layout, const char* word = "long_word") {
  const auto longs = expected.at("long_token_ids").size(), globals = expected.at("global_token_ids").size();
  const auto same = [&](const char* name, const std::vector<std::int32_t>& own, std::size_t length,
                        std::int64_t pad) {
    if (!expected.contains(name)) return;
    const auto wanted = expected.at(name).get<std::vector<std::int64_t>>();
    QVERIFY2(padded(own, length, pad) == wanted,
             (std::string(name) + ": " + Json(padded(own, length, pad)).dump() + " instead of " +
              expected.at(name).dump())
                 .c_str());
  };
  std::vector<std::int32_t> kinds;
  for (const GlobalKind kind : layout.globalKinds) kinds.push_back(static_cast<std::int32_t>(kind));
  same("long_token_ids", layout.tokens, longs, 0);
  same("long_type_ids", layout.types, longs, 0);
  same("long_sentence_ids", layout.sentence, longs, -1);
  same("long_paragraph_ids", layout.paragraph, longs, -1);
  same("l2g_linked_ids", layout.link, longs, -1);
  same("long_breakpoints", layout.breaks, longs, 0);
  same(word, layout.word, longs, -1);
  same("global_token_ids", layout.globalTokens, globals, 0);
  same("global_type_ids", layout.globalTypes, globals, 0);
  same("global_breakpoints", layout.globalBreaks, globals, 0);
  same("global_kinds", kinds, globals, 0);
}

// The candidate that each long token is of, and each global one, whose first long token says it; -1: none.
std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> candidatesOf(const NqPage& page,
                                                                             const LongLayout& layout) {
  std::vector<std::int32_t> longs(layout.word.size(), -1), globals(layout.globalTokens.size(), -1);
  for (std::size_t i = longs.size(); i-- > 0;) {
    for (std::size_t c = 0; c < page.candidates.size(); ++c) {
      const auto [first, behind] = page.candidates[c];
      if (layout.word[i] >= first && layout.word[i] < behind) longs[i] = static_cast<std::int32_t>(c);
    }
    globals.at(static_cast<std::size_t>(layout.sentence[i])) = longs[i];
  }
  return {longs, globals};
}

// An array of a case, and row `row` of one of `columns`.
std::vector<double> arrayOf(const fixtures::Case& place, const std::string& name) {
  return fixtures::readDoubles(SafetensorsFile::open(place.file(".safetensors")).value(), name).value();
}
std::vector<double> rowOf(const std::vector<double>& all, std::size_t row, std::size_t columns) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * columns);
  return {first, first + static_cast<std::ptrdiff_t>(columns)};
}

std::vector<double> numbersOf(const Json& list) {
  return list.get<std::vector<double>>();
}

}  // namespace

class TestFixturesEtcInputs : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const std::string why = fixtures::absence({"etc_inputs"});
    if (!why.empty()) QSKIP(why.c_str());
  }

  void everyCase_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const fixtures::Case& place : fixtures::cases("etc_inputs"))
      QTest::newRow(place.name.c_str()) << index++;
  }

  void everyCase() {
    QFETCH(int, index);
    const fixtures::Case place = fixtures::cases("etc_inputs").at(static_cast<std::size_t>(index));
    const Json json = fixtures::readJson(place.file(".json"));
    const Json &config = json.at("config"), &expected = json.at("expected");
    const std::string task = config.value("task", json.at("case").get<std::string>());
    if (task == "wikihop") return wikiHop(place, config, expected);
    if (task == "hotpotqa") return hotpot(place, config, expected);
    if (task == "natural_questions") return naturalQuestions(place, config, expected);
    if (task == "openkp") return openKp(place, config, expected);
    if (task == "score_wikihop") return scoreWikiHop(config, expected);
    if (task == "score_hotpotqa") return scoreHotpot(config, expected);
    if (task == "score_natural_questions") return scoreNq(config, expected);
    if (task == "score_openkp") return scoreOpenKp(config, expected);
    QFAIL(("unknown case " + task).c_str());
  }

 private:
  static void wikiHop(const fixtures::Case& place, const Json& config, const Json& expected) {
    const CasePieces pieces(config);
    const WikiHopLimits limits{config.at("long_length").get<std::int64_t>(),
                               config.at("global_length").get<std::int64_t>(),
                               config.at("max_sentences").get<std::int64_t>()};
    const Json& records = config.at("records");
    QCOMPARE(records.size(), expected.at("examples").size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      const WikiHopRecord record = wikiHopRecord(records[i], "case").value();
      const WikiHopExample example = layWikiHop(record, pieces.pieces, limits).value();
      const Json& wanted = expected.at("examples")[i];
      compareLists(wanted, example.layout);
      QCOMPARE(example.label, wanted.at("label").get<std::int64_t>());
      QVERIFY(Json(example.sentences) == wanted.at("sentences"));
      QVERIFY(Json(example.kept) == wanted.at("sentences_kept"));
      // The best of the candidates' global tokens.
      const std::vector<double> logits =
          rowOf(arrayOf(place, "output.logits"), i, wanted.at("global_token_ids").size());
      const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
      QCOMPARE(static_cast<std::int64_t>(best), expected.at("prediction")[i].get<std::int64_t>());
      QCOMPARE(record.candidates.at(static_cast<std::size_t>(best)),
               expected.at("predicted_answers")[i].get<std::string>());
    }
  }

  static void hotpot(const fixtures::Case& place, const Json& config, const Json& expected) {
    const CasePieces pieces(config);
    const HotpotLimits limits{config.at("long_length").get<std::int64_t>(),
                              config.at("global_length").get<std::int64_t>()};
    const Json& records = config.at("records");
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const HotpotRecord record = hotpotRecord(records[i], "case").value();
      const HotpotExample example = layHotpot(record, pieces.pieces, limits).value();
      const Json& wanted = expected.at("examples")[i];
      compareLists(wanted, example.layout);
      const auto globals = wanted.at("global_token_ids").size();
      QVERIFY(Json(padded(example.globalParagraph, globals, -1)) == wanted.at("global_paragraph"));
      QVERIFY(Json(padded(example.globalSentence, globals, -1)) == wanted.at("global_sentence"));
      QVERIFY(Json(padded(example.supporting, globals, 0)) == wanted.at("supporting_facts"));
      QCOMPARE(static_cast<int>(example.type), wanted.at("answer_type").get<int>());
      QVERIFY((Json{example.span.first, example.span.second} == wanted.at("answer_span")));
      Json spans = Json::array();
      for (const auto& [first, last] : example.spans) spans.push_back({first, last});
      QVERIFY2(spans == wanted.at("all_answer_spans"), spans.dump().c_str());
      QVERIFY(Json(example.skipped) == wanted.at("skipped"));
      QCOMPARE(example.trainable, wanted.at("used_in_training").get<bool>());
      if (example.trainable) used.push_back(i);
      const auto longs = wanted.at("long_token_ids").size();
      const Json& decoded = expected.at("decoded")[i];
      HotpotLogits logits;
      logits.begin = rowOf(arrayOf(place, "output.begin_logits"), i, longs);
      logits.end = rowOf(arrayOf(place, "output.end_logits"), i, longs);
      logits.supporting = rowOf(arrayOf(place, "output.supporting_logits"), i, globals);
      const auto type = numbersOf(decoded.at("answer_type_logits"));
      std::copy(type.begin(), type.end(), logits.type.begin());
      const HotpotPrediction own = hotpotPrediction(
          record, example,
          chooseHotpot({example.layout.sentence, example.layout.paragraph, example.globalSentence}, logits,
                       config.at("max_answer").get<std::int64_t>()),
          pieces.pieces);
      QCOMPARE(own.answer, decoded.at("answer").get<std::string>());
      QVERIFY(own.facts == facts(decoded.at("supporting_facts")));
      if (!decoded.at("span").is_null())
        QVERIFY((Json{own.span.first, own.span.second} == decoded.at("span")));
    }
    QVERIFY(Json(used) == expected.at("used_in_training"));
  }

  static void naturalQuestions(const fixtures::Case& place, const Json& config, const Json& expected) {
    const CasePieces pieces(config);
    NqLimits limits;
    limits.longLength = config.at("long_length").get<std::int64_t>();
    limits.globalLength = config.at("global_length").get<std::int64_t>();
    limits.stride = config.at("stride").get<std::int64_t>();
    limits.questionLength = config.at("question_length").get<std::int64_t>();
    std::size_t at = 0;
    for (const Json& simple : config.at("records")) {
      const Json line = released(simple);
      const NqRecord record = nqRecord(line, "case").value();
      Json shorter = line;  // the simplified layout: words between single blanks
      shorter.erase("document_tokens");
      std::string text;
      for (const std::string& word : record.words) text += (text.empty() ? "" : " ") + word;
      shorter["document_text"] = text;
      QVERIFY(nqRecord(shorter, "case").value().words == record.words);
      const NqPage page = nqPage(record, pieces.pieces, limits);
      for (std::int64_t w = 0; w < nqWindowCount(page, limits); ++w) {
        const NqWindow window = layNqWindow(page, w, pieces.pieces, limits);
        QVERIFY(at < expected.at("windows").size());
        const Json& wanted = expected.at("windows")[at++];
        QCOMPARE(record.id, wanted.at("example_id").dump());
        QCOMPARE(window.start, wanted.at("start").get<std::int64_t>());
        QCOMPARE(window.pieces, wanted.at("pieces").get<std::int64_t>());
        compareLists(wanted, window.layout);
        const auto longs = wanted.at("long_token_ids").size(), globals = wanted.at("global_token_ids").size();
        const auto [ofLong, ofGlobal] = candidatesOf(page, window.layout);
        QVERIFY(Json(padded(ofLong, longs, -1)) == wanted.at("long_candidate"));
        QVERIFY(Json(padded(ofGlobal, globals, -1)) == wanted.at("global_candidate"));
        QCOMPARE(window.shortStart, wanted.at("sa_start").get<std::int64_t>());
        QCOMPARE(window.shortEnd, wanted.at("sa_end").get<std::int64_t>());
        QCOMPARE(window.longStart, wanted.at("la_start").get<std::int64_t>());
        QCOMPARE(window.longEnd, wanted.at("la_end").get<std::int64_t>());
        QCOMPARE(static_cast<int>(window.type), wanted.at("answer_type").get<int>());
      }
    }
    QCOMPARE(at, expected.at("windows").size());
    decodedPages(place, config, expected);
  }

  // Pages from the logits of their windows.
  static void decodedPages(const fixtures::Case& place, const Json& config, const Json& expected) {
    NqDecoding how;
    how.maxShort = config.at("max_short").get<std::int64_t>();
    how.top = config.at("top").get<std::int64_t>();
    how.candidates = false;
    const auto width = config.at("long_length").get<std::size_t>();
    const std::vector<double> logits = arrayOf(place, "output.position_logits"),
                              types = arrayOf(place, "output.answer_type_logits");
    const Json& windows = expected.at("windows");
    for (const Json& wanted : expected.at("predictions")) {
      std::vector<NqWindowScores> scores;
      for (std::size_t w = 0; w < windows.size(); ++w) {
        if (windows[w].at("example_id") != wanted.at("example_id")) continue;
        const auto words = windows[w].at("long_word").get<std::vector<std::int64_t>>();
        scores.push_back(nqWindowScores(rowOf(logits, w, 4 * width), words, rowOf(types, w, 5), how.top));
      }
      const NqPrediction own =
          decodeNqPage({}, nqPageSpansFrom(nqPageSpansJson(nqPageSpans(scores, how))), how);
      Json shorts = Json::array();
      for (const WordRange& range : own.answer.shortAnswers) shorts.push_back({range.first, range.second});
      QVERIFY((Json{own.answer.longAnswer->first, own.answer.longAnswer->second} == wanted.at("long")));
      QVERIFY2(shorts == wanted.at("short"), shorts.dump().c_str());
      QCOMPARE(own.answer.yesNo, wanted.at("yes_no").get<std::string>());
      QVERIFY(std::abs(own.longScore - wanted.at("long_score").get<double>()) < 1e-10);
      QVERIFY(std::abs(own.shortScore - wanted.at("short_score").get<double>()) < 1e-10);
    }
  }

  // The case's short form as a line of the original layout.
  static Json released(const Json& simple) {
    const auto range = [](const Json& pair) {
      return Json{{"start_token", pair.is_null() ? Json(-1) : pair[0]},
                  {"end_token", pair.is_null() ? Json(-1) : pair[1]}};
    };
    Json line = {{"example_id", simple.at("example_id")}, {"question_text", simple.at("question")}};
    for (const Json& word : simple.at("tokens")) line["document_tokens"].push_back({{"token", word}});
    for (const Json& pair : simple.at("candidates")) line["long_answer_candidates"].push_back(range(pair));
    const Json& answer = simple.at("annotation");
    Json annotation = {{"long_answer", range(answer.at("long"))}, {"yes_no_answer", answer.at("yes_no")}};
    annotation["short_answers"] = Json::array();
    for (const Json& pair : answer.at("short")) annotation["short_answers"].push_back(range(pair));
    line["annotations"] = Json::array({annotation});
    return line;
  }

  static void openKp(const fixtures::Case& place, const Json& config, const Json& expected) {
    const CasePieces pieces(config);
    const OpenKpLimits limits{config.at("long_length").get<std::int64_t>(),
                              config.at("global_length").get<std::int64_t>(),
                              config.at("max_phrase").get<std::int64_t>()};
    const OpenKpRecord record = openKpRecord(config.at("record"), "case").value();
    const OpenKpExample example = layOpenKp(record, pieces.pieces, limits);
    compareLists(expected.at("features"), example.layout);
    QVERIFY(Json(example.words) == expected.at("words"));
    QCOMPARE(example.blocks, expected.at("blocks_used").get<std::int64_t>());
    Json labels = Json::object();
    for (const auto& [phrase, at] : example.labels) labels[phrase] = {at.first, at.second};
    QVERIFY2(labels == expected.at("labels"), labels.dump().c_str());
    QVERIFY(Json(example.missing) == expected.at("missing_phrases"));
    const auto same = [](const std::vector<double>& own, const std::vector<double>& wanted) {
      QCOMPARE(own.size(), wanted.size());
      for (std::size_t i = 0; i < own.size(); ++i) QVERIFY(std::abs(own[i] - wanted[i]) < 1e-10);
    };
    // Equal mass on the labels and 1e-4 in all spread evenly, together 1.
    const auto cells = static_cast<std::size_t>(limits.maxPhrase * limits.longLength);
    std::vector<double> target(cells, 1e-4 / static_cast<double>(cells) / (1 + 1e-4));
    for (const auto& [phrase, at] : example.labels)
      target[static_cast<std::size_t>((at.second - 1) * limits.longLength + at.first)] +=
          1 / static_cast<double>(example.labels.size()) / (1 + 1e-4);
    same(target, arrayOf(place, "input.target"));
    std::vector<double> visual;
    for (const auto& one : example.visual) visual.insert(visual.end(), one.begin(), one.end());
    visual.resize(8 * static_cast<std::size_t>(limits.globalLength), 0);
    same(visual, arrayOf(place, "output.visual"));
    QVERIFY(Json(decodeOpenKp(example, arrayOf(place, "output.logits"), limits)) ==
            expected.at("predicted_phrases"));
  }

  static void scoreWikiHop(const Json& config, const Json& expected) {
    const double own = wikiHopAccuracy(config.at("gold").get<std::map<std::string, std::string>>(),
                                       config.at("predictions").get<std::map<std::string, std::string>>());
    QVERIFY(std::abs(own - expected.at("accuracy").get<double>()) < 1e-12);
  }

  static std::vector<SupportingFact> facts(const Json& list) {
    std::vector<SupportingFact> all;
    for (const Json& one : list) all.push_back({one[0].get<std::string>(), one[1].get<std::int64_t>()});
    return all;
  }
  static void comparePart(const Json& expected, const std::string& prefix, const HotpotScore::Part& part) {
    const auto same = [&](const char* name, double own) {
      QVERIFY2(std::abs(own - expected.at(prefix + name).get<double>()) < 1e-12,
               (prefix + name + ": " + std::to_string(own)).c_str());
    };
    same("em", part.exact);
    same("f1", part.f1);
    same("prec", part.precision);
    same("recall", part.recall);
  }
  static void scoreHotpot(const Json& config, const Json& expected) {
    std::vector<HotpotScore> scores;
    const Json& predictions = config.at("predictions");
    for (const Json& gold : config.at("gold")) {
      const std::string id = gold.at("_id").get<std::string>();
      std::optional<std::string> answer;
      std::optional<std::vector<SupportingFact>> own;
      if (predictions.at("answer").contains(id)) answer = predictions.at("answer").at(id).get<std::string>();
      if (predictions.at("sp").contains(id)) own = facts(predictions.at("sp").at(id));
      scores.push_back(hotpotScore({gold.at("answer").get<std::string>(), facts(gold.at("supporting_facts"))},
                                   answer, own));
      const Json& wanted = expected.at("per_example").at(id);
      comparePart(wanted, "", scores.back().answer);
      comparePart(wanted, "sp_", scores.back().facts);
      comparePart(wanted, "joint_", scores.back().joint);
    }
    const HotpotScore mean = meanHotpotScore(scores);
    comparePart(expected.at("total"), "", mean.answer);
    comparePart(expected.at("total"), "sp_", mean.facts);
    comparePart(expected.at("total"), "joint_", mean.joint);
  }

  static NqAnnotation annotation(const Json& json) {
    const auto range = [](const Json& pair) {
      return WordRange{pair[0].get<std::int64_t>(), pair[1].get<std::int64_t>()};
    };
    NqAnnotation one;
    if (!json.at("long").is_null()) one.longAnswer = range(json.at("long"));
    for (const Json& part : json.at("short")) one.shortAnswers.push_back(range(part));
    one.yesNo = json.at("yes_no").get<std::string>();
    return one;
  }
  static void scoreNq(const Json& config, const Json& expected) {
    std::vector<std::vector<NqAnnotation>> pages;
    std::vector<NqPrediction> predictions;
    for (const Json& page : config.at("pages")) {
      pages.emplace_back();
      for (const Json& one : page.at("annotations")) pages.back().push_back(annotation(one));
      const Json& own = page.at("prediction");
      predictions.push_back(
          {annotation(own), own.at("long_score").get<double>(), own.at("short_score").get<double>()});
    }
    double sum = 0;
    for (const bool shortAnswers : {false, true}) {
      const NqScore score = nqScore(pages, predictions, shortAnswers);
      const Json& wanted = expected.at(shortAnswers ? "short" : "long");
      const auto same = [&](const char* name, double own) {
        QVERIFY2(std::abs(own - wanted.at(name).get<double>()) < 1e-12, name);
      };
      same("f1", score.f1);
      same("precision", score.precision);
      same("recall", score.recall);
      same("threshold", score.threshold.value());
      QCOMPARE(score.gold, wanted.at("gold").get<std::int64_t>());
      QCOMPARE(score.curve.size(), wanted.at("curve").size());
      for (std::size_t i = 0; i < score.curve.size(); ++i)
        for (std::size_t k = 0; k < 4; ++k)
          QVERIFY(std::abs(score.curve[i][k] - wanted.at("curve")[i][k].get<double>()) < 1e-12);
      sum += score.f1;
    }
    QVERIFY(std::abs(sum / 2 - expected.at("average_f1").get<double>()) < 1e-12);
  }

  static void scoreOpenKp(const Json& config, const Json& expected) {
    std::vector<PhraseScore> scores;
    const auto compare = [](const Json& wanted, const PhraseScore& own) {
      for (std::size_t d = 0; d < 3; ++d) {
        QVERIFY(std::abs(own.precision[d] - numbersOf(wanted.at("precision"))[d]) < 1e-12);
        QVERIFY(std::abs(own.recall[d] - numbersOf(wanted.at("recall"))[d]) < 1e-12);
        QVERIFY(std::abs(own.f1[d] - numbersOf(wanted.at("f1"))[d]) < 1e-12);
      }
    };
    for (std::size_t i = 0; i < config.at("pages").size(); ++i) {
      const Json& page = config.at("pages")[i];
      scores.push_back(phraseScore(page.at("gold").get<std::vector<std::string>>(),
                                   page.at("predictions").get<std::vector<std::string>>()));
      compare(expected.at("per_page")[i], scores.back());
    }
    compare(expected, meanPhraseScore(scores));
  }
};

QTEST_APPLESS_MAIN(TestFixturesEtcInputs)
#include "tst_fixtures_etc_inputs.moc"
