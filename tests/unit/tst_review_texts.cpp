// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// Reviews of answers that are text: spans, candidates and choices, phrases, translations.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/library/records/project_library.h"
#include "core/record/formats/array_file.h"
#include "core/review/class_scores.h"
#include "core/review/judgements.h"
#include "core/review/review.h"
#include "support_fixtures.h"
#include "support_review_files.h"

using namespace fathom;
using test::openedReview;
using test::scoreOf;

namespace {

// A page of three blocks, the first a heading.
Json phrasePage(const std::string& url, const Json& phrases) {
  Json blocks = Json::array();
  for (const char* text : {"Velmora Ferry", "The ferry runs at high tide", "Tide tables of Velmora"}) {
    Json feature = Json::array();
    for (int i = 0; i < 20; ++i) feature.push_back(i == 6 && blocks.empty() ? 1 : 0);
    blocks.push_back({{"text", text}, {"feature", feature}});
  }
  return {{"url", url}, {"VDOM", blocks.dump()}, {"KeyPhrases", phrases}};
}

}  // namespace

class ReviewTextsTest : public QObject, private test::ReviewFiles {
  Q_OBJECT
 private Q_SLOTS:
  void spans();
  void unanswerable();
  void nullOddsBeside();
  void spanThresholdOfFixture();
  void publishedSpans();
  void supportedSpans();
  void candidates();
  void choices();
  void probabilitiesOfChoices();
  void halvesOfChoices();
  void phrases();
  void badPhrases();
  void choicesOfFixture();
  void publishedTranslations();
  void translationCategories();
  void spanRows();
  void shortTranslations_data();
  void shortTranslations();
  void silentSystems();
};

void ReviewTextsTest::spans() {
  const char* gold =
      R"({"version":"1.1","data":[{"title":"T","paragraphs":[{"context":"Zoë sat in the old café. Later Bob came home. He slept.",
    "qas":[{"id":"q1","question":"Where sat Zoë?","answers":[{"text":"the old café","answer_start":11}]},
           {"id":"q2","question":"Who came?","answers":[{"text":"Bob","answer_start":31},{"text":"Bob","answer_start":31}]},
           {"id":"q3","question":"Who?","answers":[{"text":"Anna","answer_start":3}]}]}]}]})";
  ReviewSources sources{"span", write("squad.json", gold)};
  const auto with = [&](const char* name, const char* first, const char* second) {
    const Json json = {{"q1", first}, {"q2", second}, {"q3", "Anna"}};
    return ReviewPredictions{name, write(name, QByteArray::fromStdString(json.dump()))};
  };
  sources.predictions = {with("right", "old café", "bob!"), with("long", "in the old café", "Later Bob came"),
                         with("short", "café", "home"), with("far", "Bob", "slept"),
                         with("none", "", "Carl")};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.gold.notes.size(), std::size_t{1});  // Anna
  const auto category = [&review](std::size_t model, std::size_t example) {
    return review.kind->categories[review.models[model].verdicts[example].category].id;
  };
  QCOMPARE(category(0, 0), std::string("right"));
  QCOMPARE(category(0, 1), std::string("right"));
  QCOMPARE(category(1, 0), std::string("too_long"));
  QCOMPARE(category(1, 1), std::string("too_long"));
  QCOMPARE(category(2, 0), std::string("too_short"));
  QCOMPARE(category(2, 1), std::string("same_sentence"));
  QCOMPARE(category(3, 0), std::string("sentence"));
  QCOMPARE(category(3, 1), std::string("sentence"));
  QCOMPARE(category(4, 0), std::string("abstained"));
  QCOMPARE(category(4, 1), std::string("not_in_passage"));
  const ReviewExample& first = review.gold.examples[0];
  QCOMPARE(first.texts[0].substr(first.marks[0].begin, first.marks[0].end - first.marks[0].begin),
           std::string("the old café"));
  QVERIFY(std::abs(double(review.models[1].verdicts[0].numbers[0]) - 0.8) < 1e-6);
}

void ReviewTextsTest::unanswerable() {
  const char* gold = R"({"version":"v2.0","data":[{"title":"T","paragraphs":[{"context":"Bob came home.",
    "qas":[{"id":"a","question":"Who?","is_impossible":false,"answers":[{"text":"Bob","answer_start":0}]},
           {"id":"b","question":"When?","is_impossible":true,"answers":[]}]}]}]})";
  ReviewSources sources{"span", write("v2.json", gold)};
  sources.predictions = {{"m", write("v2.p.json", R"({"a": "Bob", "b": "home"})"),
                          write("v2.odds.json", R"({"a": -3.5, "b": 2})")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(scoreOf(review.models[0], "exact"), 50.0);
  QCOMPARE(scoreOf(review.models[0], "has_answer_exact"), 100.0);
  QCOMPARE(scoreOf(review.models[0], "no_answer_exact"), 0.0);
  QCOMPARE(scoreOf(review.models[0], "best_exact"), 100.0);
  QCOMPARE(scoreOf(review.models[0], "best_exact_threshold"), -3.5);
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("unanswerable"));
}

// Nobody names them: the file beside the predictions, or what the predictions of a run say themselves.
void ReviewTextsTest::nullOddsBeside() {
  const char* gold = R"({"version":"v2.0","data":[{"title":"T","paragraphs":[{"context":"Bob came home.",
    "qas":[{"id":"a","question":"Who?","is_impossible":false,"answers":[{"text":"Bob","answer_start":0}]},
           {"id":"b","question":"When?","is_impossible":true,"answers":[]}]}]}]})";
  ReviewSources sources{"span", write("n.gold.json", gold)};
  const auto thresholdOf = [&sources](const std::string& path) -> std::optional<double> {
    sources.predictions = {{"m", path}};
    const Review review = openedReview(sources).value();
    for (const ReviewScore& score : review.models[0].scores)
      if (score.id == "best_exact_threshold") return score.value;
    return std::nullopt;
  };
  const char* answers = R"({"a": "Bob", "b": "home"})";
  QVERIFY(!thresholdOf(write("own.json", answers)));
  write("null_odds.json", R"({"a": -1, "b": 2})");
  QCOMPARE(thresholdOf(write("own.json", answers)).value(), -1.0);
  write("own.null_odds.json", R"({"a": -2, "b": 2})");
  QCOMPARE(thresholdOf(write("own.json", answers)).value(), -2.0);
  QCOMPARE(thresholdOf(write("predictions.json", answers)).value(), -1.0);
  QVERIFY(!thresholdOf(write("other.json", answers)));  // null_odds.json is that of predictions.json now
  write("eval_null_odds.json", R"({"a": -3, "b": 2})");
  QCOMPARE(thresholdOf(write("eval_predictions.json", answers)).value(), -3.0);
  // The difference to the best answer counts, not the null answer's score alone.
  QCOMPARE(thresholdOf(write("set.jsonl",
                             R"({"format":1,"split":"validation","fields":{}}
{"example":0,"prediction":"Bob","details":{"id":"a","null_score":7,"null_difference":-4}}
{"example":1,"prediction":"home","details":{"id":"b","null_score":3,"null_difference":2}}
)"))
               .value(),
           -4.0);
}

void ReviewTextsTest::spanThresholdOfFixture() {
  for (const auto& one : fixtures::cases("squad")) {
    const Json json = fixtures::readJson(one.file(".json"));
    if (json.at("case") != "squad_best_threshold") continue;
    const Json& config = json.at("config");
    Json questions = Json::array();
    for (const Json& question : config.at("questions")) {
      Json answers = Json::array();
      for (const Json& text : question.at("golds")) answers.push_back({{"text", text}, {"answer_start", 0}});
      questions.push_back({{"id", question.at("id")},
                           {"question", "?"},
                           {"is_impossible", answers.empty()},
                           {"answers", answers}});
    }
    const Json gold = {
        {"version", "v2.0"},
        {"data", {{{"title", "T"}, {"paragraphs", {{{"context", "text"}, {"qas", questions}}}}}}}};
    ReviewSources sources{"span", write("f.json", QByteArray::fromStdString(gold.dump()))};
    sources.predictions = {{"m",
                            write("f.p.json", QByteArray::fromStdString(config.at("predictions").dump())),
                            write("f.o.json", QByteArray::fromStdString(config.at("no_answer").dump()))}};
    const Review review = openedReview(sources).value();
    const Json& expected = json.at("expected");
    const Json& reachable = expected.at("by_trying_every_threshold");
    for (const std::string metric : {"exact", "f1"}) {
      const auto near = [&](const std::string& id, const Json& wanted) {
        return std::abs(scoreOf(review.models[0], id) - wanted.get<double>()) < 1e-5;
      };
      QVERIFY(near("best_" + metric, expected.at(metric).at("score")));
      QVERIFY(near("best_" + metric + "_threshold", expected.at(metric).at("threshold")));
      QVERIFY(near("reachable_" + metric, reachable.at(metric).at("score")));
    }
    return;
  }
  QSKIP("no fixtures");
}

// EM and F1 of two published systems as the data set states them.
void ReviewTextsTest::publishedSpans() {
  const std::string folder = fixtures::dataPath("squad_v1.1_xquad_en");
  if (folder.empty()) QSKIP("no data");
  ReviewSources sources{"span", folder + "/dev.json"};
  sources.predictions = {{"bert_ensemble", folder + "/pred.dev.bert_ensemble.json"},
                         {"logistic_regression", folder + "/pred.dev.logistic_regression.json"}};
  const Review review = openedReview(sources).value();
  const auto table = fixtures::readLines(folder + "/expected_scores.dev.tsv");
  QCOMPARE(table.size(), std::size_t{3});
  for (std::size_t m = 0; m < 2; ++m) {
    const QStringList cells = QString::fromStdString(table[m + 1]).split(QLatin1Char('\t'));
    QCOMPARE(QString::fromStdString(review.models[m].name), cells[0]);
    QCOMPARE(QString::number(scoreOf(review.models[m], "exact"), 'f', 3), cells[4]);
    QCOMPARE(QString::number(scoreOf(review.models[m], "f1"), 'f', 3), cells[5]);
  }
  QVERIFY(review.gold.notes.empty());
}

// HotpotQA: facts are marked in their sentences, scores are those of the official script; its own file of
// predictions and a prediction set of ours say the same.
void ReviewTextsTest::supportedSpans() {
  const char* gold =
      R"([{"_id":"a","question":"Where?","answer":"Paris","supporting_facts":[["T",1],["U",0],["V",9]],
    "context":[["T",["It is old."," It is in Paris."]],["U",["Paris is big."]]]},
   {"_id":"b","question":"Is it?","answer":"yes","supporting_facts":[["T",0]],"context":[["T",["It is."]]]}])";
  ReviewSources sources{"span", write("hotpot.json", gold)};
  sources.predictions = {
      {"official",
       write("h.json", R"({"answer":{"a":"Paris","b":"no"},"sp":{"a":[["T",1],["T",0]],"b":[["T",0]]}})")},
      {"set", write("h.jsonl",
                    "{\"id\":\"a\",\"prediction\":\"Paris\",\"details\":{\"facts\":[[\"T\",1],[\"T\",0]]}}\n"
                    "{\"id\":\"b\",\"prediction\":\"no\",\"details\":{\"facts\":[[\"T\",0]]}}\n")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.gold.notes.size(), std::size_t{1});  // V
  const ReviewExample& first = review.gold.examples[0];
  const auto cut = [&](const TextSpan& span) {
    return first.texts[0].substr(span.begin, span.end - span.begin);
  };
  QCOMPARE(first.evidence.size(), std::size_t{3});
  QCOMPARE(cut(first.sentences[first.evidence[0]].span), std::string(" It is in Paris."));
  QCOMPARE(first.marks.size(), std::size_t{2});
  QCOMPARE(cut(first.marks[1]), std::string("Paris"));
  for (const ReviewModel& model : review.models) {
    QCOMPARE(scoreOf(model, "exact"), 50.0);
    QCOMPARE(scoreOf(model, "facts_exact"), 50.0);
    QVERIFY(std::abs(scoreOf(model, "facts_f1") - 70) < 1e-9);
    QVERIFY(std::abs(scoreOf(model, "joint_f1") - 20) < 1e-9);
    QCOMPARE(model.outputs[0].evidence.size(), std::size_t{2});
    QVERIFY(model.verdicts[0].right && model.verdicts[1].wrong);
  }
}

// WikiHop: candidates are options, given in their words though these be numbers.
void ReviewTextsTest::candidates() {
  ReviewSources sources{
      "choice",
      write(
          "w.json",
          R"([{"id":"q0","query":"year bridge","candidates":["1884","1","2"],"answer":"2","supports":["a","b"]},
    {"id":"q1","query":"year","candidates":["x","y"],"answer":"x","supports":[]}])")};
  sources.predictions = {{"m", write("w.p.json", R"({"q0": "2", "q1": "y"})")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.gold.examples[0].texts[0], std::string("a\n\nb"));
  QCOMPARE(review.models[0].outputs[0].label, 2);
  QCOMPARE(scoreOf(review.models[0], "accuracy"), 50.0);
}

void ReviewTextsTest::choices() {
  ReviewSources sources{
      "choice",
      write(
          "r.json",
          R"([{"context":"c","question":"Which one?","answers":["w","x","y","z"],"label":2,"id_string":"val_0"},
    {"context":"d","question":"q","answers":["1","2"],"label":0,"id_string":"val_1"}])")};
  sources.predictions = {
      {"lines", write("r.txt", "2\n1\n")},
      {"letters", write("r.tsv", "id\tprediction\nval_1\tB\nval_0\tC\n")},
      {"words", write("rw.json", R"({"val_0": "y", "val_1": "2"})")},
      {"scores", write("rs.jsonl",
                       "{\"id\":\"val_0\",\"scores\":[0,0,3,1]}\n{\"id\":\"val_1\",\"scores\":[0.99,1]}\n")}};
  const Review review = openedReview(sources).value();
  for (const ReviewModel& model : review.models) {
    QCOMPARE(model.outputs[0].label, 2);
    QCOMPARE(model.outputs[1].label, 1);
    QCOMPARE(scoreOf(model, "accuracy"), 50.0);
    QCOMPARE(model.identity, review.models[0].identity);
  }
  QCOMPARE(review.kind->categories[review.models[3].verdicts[1].category].id, std::string("nearly"));
}

// What a run says: probabilities stay what they are, scores beside them are not asked.
void ReviewTextsTest::probabilitiesOfChoices() {
  ReviewSources sources{
      "choice",
      write("p.json", R"([{"context":"c","question":"q","answers":["w","x"],"label":0,"id_string":"v0"},
    {"context":"d","question":"q","answers":["w","x"],"label":0,"id_string":"v1"}])")};
  sources.predictions = {
      {"run",
       write("p.jsonl", R"({"id":"v0","prediction":"A","details":{"scores":[4,0],"probabilities":[0.95,0.05]}}
{"id":"v1","prediction":"B","details":{"scores":[0,1],"probabilities":[0.25,0.75]}}
)")},
      {"logits", write("l.jsonl", "{\"id\":\"v0\",\"scores\":[2,-1]}\n{\"id\":\"v1\",\"scores\":[0,2]}\n")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.models[0].verdicts[0].numbers[0], 0.95);
  QCOMPARE(review.models[0].verdicts[1].numbers[0], 0.75);
  QCOMPARE(review.models[0].verdicts[1].numbers[1], 0.25);
  QVERIFY(std::abs(double(review.models[1].verdicts[0].numbers[0]) - 1 / (1 + std::exp(-3))) < 1e-6);
}

// Halves by ids, however they are spelt.
void ReviewTextsTest::halvesOfChoices() {
  Json questions = Json::array();
  for (const char* id : {"test_EASY_1", "Hard-2", "easy_3", "val_4"})
    questions.push_back(
        {{"context", "c"}, {"question", "q"}, {"answers", {"x", "y"}}, {"label", 0}, {"id_string", id}});
  ReviewSources sources{"choice", write("halves.json", QByteArray::fromStdString(questions.dump()))};
  sources.predictions = {{"m", write("halves.txt", "0\n0\n1\n1\n")}};
  const Review review = openedReview(sources).value();
  const auto facet = std::find_if(review.facets.begin(), review.facets.end(),
                                  [](const ReviewFacet& one) { return one.id == "difficulty"; });
  QVERIFY(facet != review.facets.end());
  QCOMPARE(facet->ofExample, (std::vector<std::int32_t>{0, 1, 0, -1}));
}

void ReviewTextsTest::phrases() {
  const Json both = Json::array({Json::array({"velmora", "ferry"}), Json::array({"tide", "tables"})});
  std::string lines;
  for (const char* url : {"all", "some", "late", "ends", "none"})
    lines += phrasePage(url, both).dump() + "\n";
  lines += phrasePage("gone", Json::array({Json{"not", "here"}})).dump() + "\n";
  lines += phrasePage("open", Json::array()).dump() + "\n";
  ReviewSources sources{"phrases", write("pages.jsonl", QByteArray::fromStdString(lines))};
  // As the benchmark takes them, as a prediction set of ours, and with "; " between.
  sources.predictions = {
      {"benchmark", write("k.jsonl",
                          R"({"url":"all","KeyPhrases":[["Tide","Tables"],["a"],["velmora","ferry"]]}
{"url":"some","KeyPhrases":[["velmora","ferry"],["a"]]}
{"url":"late","KeyPhrases":[["a"],["velmora","ferry"]]}
{"url":"ends","KeyPhrases":[["the","ferry"],["a"]]}
{"url":"none","KeyPhrases":[["high"]]}
{"url":"gone","KeyPhrases":[]}
)")},
      {"set", write("set.jsonl", R"({"format":1,"split":"validation","fields":{}}
{"example":0,"prediction":"Tide Tables; a; velmora ferry","details":{"phrases":["Tide Tables","a","velmora ferry"]}}
{"example":1,"prediction":"velmora ferry; a"}
{"example":2,"prediction":"a; velmora ferry"}
{"example":3,"prediction":"the ferry; a"}
{"example":4,"prediction":"high"}
{"example":5,"prediction":""}
)")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.gold.examples[0].references, (std::vector<std::string>{"velmora ferry", "tide tables"}));
  QCOMPARE(review.gold.examples[0].marks.size(), std::size_t{2});
  QVERIFY(!review.gold.examples[6].scored);
  for (const ReviewModel& model : review.models) {
    std::vector<std::string> categories;
    for (const ReviewVerdict& verdict : model.verdicts)
      categories.push_back(review.kind->categories[verdict.category].id);
    QCOMPARE(categories, (std::vector<std::string>{"right", "some", "late", "overlap", "none", "not_on_page",
                                                   "right"}));  // the last one is not scored
    QCOMPARE(model.missing, 0);                                 // what is not scored needs no prediction
    // Of six pages; at 3: P 2/3, R 1; P 1/3, R 1/2 twice.
    QVERIFY(std::abs(scoreOf(model, "f1_at_3") - 100 * (0.8 + 0.4 + 0.4) / 6) < 1e-9);
    QVERIFY(std::abs(scoreOf(model, "precision_at_1") - 100 * 2.0 / 6) < 1e-9);
    QVERIFY(std::abs(scoreOf(model, "complete") - 100.0 / 6) < 1e-9);
    QCOMPARE(model.identity, review.models[0].identity);
    // "Tide Tables", "velmora ferry"; no word of the page is "a".
    QCOMPARE(review.kind->places(review.gold.examples[0], model.outputs[0]),
             (std::vector<TextSpan>{{42, 53}, {0, 13}}));
    // Whole phrases are wrong, whatever words they share with right ones.
    const auto wrong = [&](std::size_t i) {
      return review.kind->wrongParts(review.gold.examples[i], model.outputs[i]);
    };
    QCOMPARE(wrong(0), (std::vector<TextSpan>{{13, 14}}));          // of "Tide Tables; a; velmora ferry"
    QCOMPARE(wrong(3), (std::vector<TextSpan>{{0, 9}, {11, 12}}));  // "the ferry; a"
  }
  const auto facet = std::find_if(review.facets.begin(), review.facets.end(),
                                  [](const ReviewFacet& one) { return one.id == "place"; });
  QVERIFY(facet != review.facets.end());
  QCOMPARE(facet->ofExample, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 2, -1}));
}

void ReviewTextsTest::badPhrases() {
  const auto refused = [&](const char* gold, const char* predictions, const char* word) {
    ReviewSources sources{"phrases", write("bad_pages.jsonl", gold)};
    sources.predictions = {{"a", write("bad_phrases.jsonl", predictions)}};
    const auto review = openedReview(sources);
    QVERIFY(!review.ok());
    QVERIFY2(review.error().text().find(word) != std::string::npos, review.error().text().c_str());
  };
  const QByteArray good =
      QByteArray::fromStdString(phrasePage("u", Json::array({Json::array({"tide"})})).dump() + "\n");
  refused("{\"url\": \"u\"}\n", "{}", "bad_pages.jsonl:1");
  refused((good + good).constData(), R"({"url":"u","KeyPhrases":[["a"]]})", "twice");
  refused(good.constData(),
          "{\"url\":\"u\",\"KeyPhrases\":[[\"a\"]]}\n{\"url\":\"u\",\"KeyPhrases\":[[\"b\"]]}\n",
          "answered twice");
  refused(good.constData(), "{\"url\":\"u\",\"scores\":[1,2]}\n{\"url\":\"v\",\"scores\":[1,2]}\n",
          "list of phrases");
}

void ReviewTextsTest::choicesOfFixture() {
  for (const auto& one : fixtures::cases("multiple_choice")) {
    if (one.file(".npy").empty()) continue;
    const Json json = fixtures::readJson(one.file(".json"));
    const auto predicted = json.at("expected").at("predictions").get<std::vector<int>>();
    Json questions = Json::array();
    for (std::size_t i = 0; i < predicted.size(); ++i)
      questions.push_back({{"context", ""},
                           {"question", ""},
                           {"answers", {"a", "b", "c", "d"}},
                           {"label", 0},
                           {"id_string", json.at("config").at("ids")[i]}});
    ReviewSources sources{"choice", write("mc.json", QByteArray::fromStdString(questions.dump()))};
    sources.predictions = {{"m", one.file(".npy")}};
    const Review review = openedReview(sources).value();
    for (std::size_t i = 0; i < predicted.size(); ++i)
      QCOMPARE(review.models[0].outputs[i].label, predicted[i]);
    return;
  }
  QSKIP("no fixtures");
}

// Corpus BLEU as published; chrF2 and sentence scores as sacreBLEU 2.6.0 gives them.
void ReviewTextsTest::publishedTranslations() {
  const std::string folder = fixtures::dataPath("wmt17_en_de_systems");
  if (folder.empty()) QSKIP("no data");
  ReviewSources sources{"translation", folder + "/newstest2017.ref.de.gz"};
  struct Expected {
    const char* system;
    double bleu, chrf, sentenceChrf[3], sentenceBleu[3];
  };
  constexpr Expected kExpected[] = {{"C-3MA.4959",
                                     22.6746,
                                     51.95328040239268,
                                     {48.02481, 49.94205, 50.340227},
                                     {19.969396, 34.487397, 20.164946}},
                                    {"online-F.0",
                                     15.4517,
                                     49.25878359196682,
                                     {55.204965, 53.621328, 49.254133},
                                     {26.269099, 31.123452, 14.323145}},
                                    {"uedin-nmt.4722",
                                     28.3012,
                                     57.722703142284985,
                                     {57.057347, 51.263193, 70.833329},
                                     {24.384183, 13.951992, 46.713798}}};
  for (const Expected& each : kExpected)
    sources.predictions.push_back({each.system, folder + "/newstest2017." + each.system + ".de.gz"});
  const Review review = openedReview(sources).value();
  QCOMPARE(review.examples(), std::size_t{3004});
  for (std::size_t m = 0; m < 3; ++m) {
    const Expected& wanted = kExpected[m];
    QVERIFY(std::abs(scoreOf(review.models[m], "bleu") - wanted.bleu) < 5.1e-5);
    QVERIFY2(std::abs(scoreOf(review.models[m], "chrf") - wanted.chrf) < 1e-9,
             std::to_string(scoreOf(review.models[m], "chrf")).c_str());
    constexpr std::size_t kLines[] = {0, 7, 100};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& numbers = review.models[m].verdicts[kLines[k]].numbers;
      QVERIFY(std::abs(double(numbers[0]) - wanted.sentenceChrf[k]) < 1e-5);
      QVERIFY(std::abs(double(numbers[1]) - wanted.sentenceBleu[k]) < 1e-5);
    }
  }
}

// Rows of `datasets` are the same gold as SQuAD's own file.
void ReviewTextsTest::spanRows() {
  const std::string first =
      R"({"id": "q1", "title": "T", "context": "Zoë sat in the café.", "question": "Where?", "answers": {"text": ["the café"], "answer_start": [11]}})";
  const std::string second =
      R"({"id": 2, "title": "T", "context": "Zoë sat in the café.", "question": "When?", "answers": {"text": [], "answer_start": []}})";
  for (const std::string& text : {first + "\n" + second + "\n", "[" + first + ", " + second + "]",
                                  R"({"version": "2", "data": [)" + first + ",\n" + second + "]}"}) {
    ReviewSources sources{"span", write("gold", QByteArray::fromStdString(text))};
    sources.predictions = {{"m", write("pred.json", R"({"q1": "the café", "2": ""})")}};
    const Review review = openedReview(sources).value();
    QCOMPARE(review.examples(), std::size_t{2});
    QVERIFY(review.gold.unanswerable && review.gold.examples[1].scored);
    QCOMPARE(scoreOf(review.models[0], "exact"), 100.0);
    const auto& mark = review.gold.examples[0].marks.at(0);
    QCOMPARE(review.gold.examples[0].texts[0].substr(mark.begin, mark.end - mark.begin),
             std::string("the café"));
  }
  ReviewSources bad{
      "span", write("gold", QByteArray::fromStdString(first + "\n{\"id\": \"b\", \"question\": \"q\"}\n"))};
  bad.predictions = {{"m", write("pred.json", "{}")}};
  const std::string said = openedReview(bad).error().text();
  QVERIFY2(said.find("gold:2: question b: there is no text \"context\"") != std::string::npos, said.c_str());
}

// Corpus values of sacreBLEU 2.6.0 (BLEU().corpus_score, CHRF().corpus_score), where hypotheses and
// references are shorter than the orders, or empty.
void ReviewTextsTest::shortTranslations_data() {
  QTest::addColumn<QByteArray>("references");
  QTest::addColumn<QByteArray>("hypotheses");
  QTest::addColumn<double>("bleu");
  QTest::addColumn<double>("chrf");
  QTest::newRow("reference of four letters")
      << QByteArray("Yes.\nThe cat sat on the mat.\n")
      << QByteArray("Yes, it really is.\nThe cat sat on a mat.\n") << 29.031925903299722 << 61.24774634398686;
  QTest::newRow("empty reference") << QByteArray("a\nthe ferry sails at noon\n\n")
                                   << QByteArray("ab\nthe ferry leaves at noon\nx\n") << 27.77619034011791
                                   << 60.07531988459392;
  QTest::newRow("empty hypothesis") << QByteArray("a bridge\nthe ferry leaves at noon\nabcdefgh\n")
                                    << QByteArray("\nthe ferry leaves\na\n") << 0.0 << 48.1327840746343;
  QTest::newRow("only empty references") << QByteArray("\n\n") << QByteArray("a b\nx\n") << 0.0 << 0.0;
}

void ReviewTextsTest::shortTranslations() {
  QFETCH(const QByteArray, references);
  QFETCH(const QByteArray, hypotheses);
  QFETCH(const double, bleu);
  QFETCH(const double, chrf);
  ReviewSources sources{"translation", write("ref", references)};
  sources.predictions = {{"m", write("hyp", hypotheses)}};
  const Review review = openedReview(sources).value();
  const double ofBleu = scoreOf(review.models[0], "bleu"), ofChrf = scoreOf(review.models[0], "chrf");
  QVERIFY2(std::abs(ofBleu - bleu) < 1e-9, std::to_string(ofBleu).c_str());
  QVERIFY2(std::abs(ofChrf - chrf) < 1e-9, std::to_string(ofChrf).c_str());
}

// A system that says nothing every time has scores; a file without a line has none.
void ReviewTextsTest::silentSystems() {
  ReviewSources sources{"translation", write("ref", "the otter swims\nthe heron flies\n")};
  for (const char* silent : {"\n\n", "  \n \n", "\r\n\r\n", "\n \t"}) {
    sources.predictions = {{"m", write("hyp", silent)}};
    const Review review = openedReview(sources).value();
    QCOMPARE(scoreOf(review.models[0], "bleu"), 0.0);
    QCOMPARE(scoreOf(review.models[0], "chrf"), 0.0);
    QCOMPARE(review.models[0].outputs.size(), std::size_t{2});
    QVERIFY(review.models[0].outputs[1].given);
  }
  sources.predictions = {{"m", write("hyp", "")}};
  QVERIFY(!openedReview(sources).ok());
  const char* gold = R"({"version":"1.1","data":[{"title":"T","paragraphs":[{"context":"An otter swam.",
    "qas":[{"id":"q0","question":"What swam?","answers":[{"text":"An otter","answer_start":0}]}]}]}]})";
  ReviewSources spans{"span", write("squad.json", gold)};
  spans.predictions = {{"m", write("spans", "\n")}};
  QCOMPARE(scoreOf(openedReview(spans).value().models[0], "f1"), 0.0);
}

void ReviewTextsTest::translationCategories() {
  ReviewSources sources{"translation", write("ref", "the small house is old\nit rains\n{ brace }\n")};
  sources.files["source"] = write("src", "das kleine Haus ist alt\nes regnet\n{ Klammer }\n");
  sources.predictions = {{"good", write("h1", "the small house is old\nit rains\n{ brace }\n")},
                         {"bad", write("h2", "das kleine Haus ist alt\n\nx y z x y z x y z x y z\n")}};
  const Review review = openedReview(sources).value();
  QVERIFY(std::abs(scoreOf(review.models[0], "bleu") - 100) < 1e-6);
  QCOMPARE(scoreOf(review.models[0], "chrf"), 100.0);
  const auto category = [&review](std::size_t example) {
    return review.kind->categories[review.models[1].verdicts[example].category].id;
  };
  QCOMPARE(category(0), std::string("copied"));
  QCOMPARE(category(1), std::string("short"));
  QCOMPARE(category(2), std::string("long"));
  const ReviewPair pair = comparePairs(review).value().front();
  QCOMPARE(pair.onlyFirst, 3);
  QVERIFY(pair.difference > 50);
  // Words that differ are marked in a fair translation, too.
  ReviewOutput fair;
  fair.text = "the small house is very old";
  QCOMPARE(review.kind->wrongParts(review.gold.examples[0], fair), (std::vector<TextSpan>{{19, 23}}));
}

QTEST_APPLESS_MAIN(ReviewTextsTest)
#include "tst_review_texts.moc"
