// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of every kind but SQL, of small made files.
#include <QAction>
#include <QStackedWidget>

#include "app/pictures/screenshot_stage.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/jobs/job_center.h"
#include "app/window/main/main_window.h"
#include "core/base/files/atomic_file.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/text_example_panel.h"

namespace fathom {

namespace {

constexpr int kMadeExamples = 60;

struct MadeFiles {
  std::string gold, source, first, second;
};

std::string probability(double p) {
  return "[" + std::to_string(1 - p) + ", " + std::to_string(p) + "]";
}

MadeFiles madeClasses() {
  MadeFiles files{"sentence1\tsentence2\tlabel\n", "", "", ""};
  const char* things[] = {"bridge", "ferry", "tower", "harbour"};
  for (int i = 0; i < kMadeExamples; ++i) {
    const std::string thing = things[i % 4];
    const bool label = i % 3 == 0;
    files.gold += "The " + thing + " of Ostwick was opened in " + std::to_string(1850 + i) + ".\tThe " +
                  thing + (label ? " is closed.\tnot_entailment\n" : " was opened.\tentailment\n");
    const double p = (label ? 0.4 : 0.16) + 0.01 * (i * 7 % 40), q = 0.02 * (i * 11 % 50);
    files.first += "{\"index\":" + std::to_string(i) + ",\"probabilities\":" + probability(p) + "}\n";
    files.second += "{\"index\":" + std::to_string(i) + ",\"probabilities\":" + probability(q) + "}\n";
  }
  return files;
}

MadeFiles madeNumbers() {
  MadeFiles files{"sentence1\tsentence2\tscore\n", "", "", ""};
  for (int i = 0; i < kMadeExamples; ++i) {
    const double value = 0.25 * (i % 21);
    files.gold += "A ferry leaves at " + std::to_string(i % 24) + ".\tA boat leaves at noon.\t" +
                  std::to_string(value) + "\n";
    files.first += std::to_string(value * 0.8 + 0.5 + 0.1 * (i * 7 % 9 - 4)) + "\n";
    files.second += std::to_string(2.5 + 0.4 * (i * 5 % 11 - 5)) + "\n";
  }
  return files;
}

MadeFiles madeSpans() {
  const std::string context =
      "The old bridge of Ostwick was built in 1884 by the engineers of the county. Before that a ferry "
      "crossed the bay every hour. Today most people walk.";
  const char* asked[][4] = {{"When was the bridge built?", "1884", "1884", "in 1884"},
                            {"Who built the bridge?", "the engineers of the county", "engineers", "a ferry"},
                            {"What crossed the bay?", "a ferry", "a ferry", "ferry crossed the bay"},
                            {"How often did it cross?", "every hour", "hour. Today", "every hour"}};
  Json questions = Json::array(), first = Json::object(), second = Json::object();
  for (int i = 0; i < 24; ++i) {
    const auto& row = asked[i % 4];
    const std::string id = "q" + std::to_string(i);
    questions.push_back({{"id", id},
                         {"question", row[0]},
                         {"answers", {{{"text", row[1]}, {"answer_start", context.find(row[1])}}}}});
    first[id] = row[2];
    second[id] = row[3];
  }
  const Json gold = {
      {"version", "1.1"},
      {"data", {{{"title", "Ostwick"}, {"paragraphs", {{{"context", context}, {"qas", questions}}}}}}}};
  return {gold.dump(), "", first.dump(), second.dump()};
}

MadeFiles madeChoices() {
  Json gold = Json::array();
  MadeFiles files;
  for (int i = 0; i < 24; ++i) {
    gold.push_back(
        {{"context", "All ferries of the bay are painted red. The Dorrin is a ferry of the bay."},
         {"question", "Which one of the following follows?"},
         {"answers", {"The Dorrin is red.", "The Dorrin is new.", "All boats are red.", "None is blue."}},
         {"label", i % 5 == 0 ? 2 : 0},
         {"id_string", "val_" + std::to_string(i)}});
    const std::string id = "{\"id\":\"val_" + std::to_string(i) + "\",\"scores\":";
    files.first += id + "[2.1, 0.3, " + std::to_string(0.1 * (i * 7 % 30)) + ", -1]}\n";
    files.second += id + "[0.5, " + std::to_string(0.1 * (i * 3 % 20)) + ", 0.9, 0.2]}\n";
  }
  files.gold = gold.dump();
  return files;
}

MadeFiles madeTranslations() {
  MadeFiles files;
  const char* lines[][4] = {
      {"Die alte Brücke ist seit Montag gesperrt.", "The old bridge has been closed since Monday.",
       "The old bridge is closed since Monday.", "Die alte Brücke ist seit Montag gesperrt."},
      {"Niemand kennt den Grund.", "Nobody knows the reason.", "Nobody knows the reason.", "No one knows."},
      {"Die Fähre fährt jede Stunde.", "The ferry leaves every hour.", "The ferry drives each hour.",
       "The ferry leaves every hour and every day and every night."}};
  for (int i = 0; i < 30; ++i) {
    const auto& row = lines[i % 3];
    files.source += std::string(row[0]) + "\n";
    files.gold += std::string(row[1]) + "\n";
    files.first += std::string(row[2]) + "\n";
    files.second += std::string(row[3]) + "\n";
  }
  return files;
}

// The first model finds what headings name, the second one what stands in the text.
MadeFiles madePhrases() {
  MadeFiles files;
  const char* things[][3] = {{"Ostwick", "ferry", "tide tables"},
                             {"Dorrin", "lighthouse", "opening hours"},
                             {"Velmora", "market", "fresh bread"}};
  for (int i = 0; i < 24; ++i) {
    const auto& [name, thing, text] = things[i % 3];
    const std::string url = "http://example.invalid/" + std::to_string(i),
                      named = name + std::string(" ") + thing;
    Json blocks = Json::array();
    const std::string texts[] = {named, "Here you find " + std::string(text) + " of the " + thing + "."};
    for (std::size_t b = 0; b < std::size(texts); ++b) {
      std::vector<int> feature(20, 1);
      feature[6] = b == 0 ? 1 : 0;
      blocks.push_back({{"text", texts[b]}, {"feature", feature}});
    }
    const Json gold = {{"url", url},
                       {"VDOM", blocks.dump()},
                       {"KeyPhrases", Json::array({Json{name, thing}, Json::array({thing})})}};
    const auto line = [&](const Json& phrases) {
      return Json{{"url", url}, {"KeyPhrases", phrases}}.dump() + "\n";
    };
    files.gold += gold.dump() + "\n";
    files.first += line(i % 4 == 0 ? Json{name, named} : Json{named, thing, text});
    files.second += line(i % 5 == 0 ? Json{text, "here you"} : Json{text, named});
  }
  return files;
}

// HotpotQA's records: an answer and the sentences that support it.
MadeFiles madeFacts() {
  Json gold = Json::array(), first, second;
  const char* bays[] = {"Ostwick", "Dorrin", "Velmora"};
  const auto fact = [](const std::string& title, int sentence) { return Json::array({title, sentence}); };
  for (int i = 0; i < 24; ++i) {
    const std::string id = "h" + std::to_string(i), bay = bays[i % 3], ferry = bay + std::string(" ferry");
    const Json crossing = {ferry,
                           Json::array({"The " + ferry + " crosses the bay of " + bay + ".", " It is red."})};
    const Json place = {bay, Json::array({bay + " lies in the north.", " Its bridge was built in 1884."})};
    gold.push_back({{"_id", id},
                    {"question", "When was the bridge of the bay built that the " + ferry + " crosses?"},
                    {"answer", "1884"},
                    {"supporting_facts", Json::array({fact(ferry, 0), fact(bay, 1)})},
                    {"context", Json::array({crossing, place})}});
    const bool all = i % 3 == 0;
    first["answer"][id] = all ? "1884" : "in 1884";
    first["sp"][id] = Json::array({all ? fact(ferry, 0) : fact(bay, 0), fact(bay, 1)});
    second["answer"][id] = i % 2 == 0 ? "the north" : "1884";
    second["sp"][id] = Json::array({fact(bay, i % 2)});
  }
  return {gold.dump(), "", first.dump(), second.dump()};
}

// WikiHop's records: candidates as options.
MadeFiles madeCandidates() {
  Json gold = Json::array(), first, second;
  const Json candidates = {"ostwick", "dorrin", "the bay", "the northern mainland"};
  for (int i = 0; i < 24; ++i) {
    const std::string id = "w" + std::to_string(i);
    const std::size_t right = i % 5 == 0 ? 2 : 0;
    gold.push_back({{"id", id},
                    {"query", "located_in_the_administrative_territorial_entity old bridge"},
                    {"candidates", candidates},
                    {"answer", candidates[right]},
                    {"supports",
                     {"The old bridge is the longest of its county. It was opened in 1884.",
                      "The county has its seat in Ostwick, on the northern mainland beside the bay."}}});
    first[id] = candidates[i % 7 == 0 ? 3 : right];
    second[id] = candidates[static_cast<std::size_t>(i) % 4];
  }
  return {gold.dump(), "", first.dump(), second.dump()};
}

// Natural Questions: every third answer of the first system and every second of the other is the wrong
// paragraph.
MadeFiles madePages() {
  const auto words = [](int first, int end) { return Json{{"start_token", first}, {"end_token", end}}; };
  std::string gold;
  Json lists[] = {Json::array(), Json::array()};
  for (int i = 0; i < 24; ++i) {
    Json candidates = Json::array(), annotations = Json::array(), parts = Json::array();
    for (const auto& [first, end] : {std::pair{0, 6}, std::pair{6, 13}}) {
      Json candidate = words(first, end);
      candidate["top_level"] = true;
      candidates.push_back(std::move(candidate));
    }
    parts.push_back(words(11, 12));
    annotations.push_back(
        Json{{"long_answer", words(6, 13)}, {"short_answers", parts}, {"yes_no_answer", "NONE"}});
    const std::string year = std::to_string(1880 + i);
    gold += Json{{"example_id", i + 1},
                 {"question_text", "when was bridge " + std::to_string(i + 1) + " opened"},
                 {"document_text", "<P> A bridge of stone </P> <P> It was opened in " + year + " </P>"},
                 {"long_answer_candidates", candidates},
                 {"annotations", annotations}}
                .dump() +
            "\n";
    for (int system = 0; system < 2; ++system) {
      const bool right = i % (system == 0 ? 3 : 2) != 0;
      Json found = Json::array();
      found.push_back(right ? words(11, 12) : words(2, 3));
      lists[system].push_back(Json{{"example_id", i + 1},
                                   {"long_answer", right ? words(6, 13) : words(0, 6)},
                                   {"long_answer_score", 1.0 + i},
                                   {"short_answers", found},
                                   {"short_answers_score", 2.0 + i},
                                   {"yes_no_answer", "NONE"}});
    }
  }
  return {gold, "", Json{{"predictions", lists[0]}}.dump(), Json{{"predictions", lists[1]}}.dump()};
}

MadeFiles madeFiles(const QString& kind) {
  if (kind == QLatin1String("page")) return madePages();
  if (kind == QLatin1String("facts")) return madeFacts();
  if (kind == QLatin1String("candidates")) return madeCandidates();
  if (kind == QLatin1String("phrases")) return madePhrases();
  if (kind == QLatin1String("class")) return madeClasses();
  if (kind == QLatin1String("number")) return madeNumbers();
  if (kind == QLatin1String("span")) return madeSpans();
  return kind == QLatin1String("choice") ? madeChoices() : madeTranslations();
}

Result<ReviewSources> writtenSources(const QString& folder, const QString& kind) {
  const std::string beside = toUtf8(folder) + "/made_" + toUtf8(kind);
  FATHOM_CHECK(makeFolders(beside));
  const MadeFiles made = madeFiles(kind);
  const QString id = kind == QLatin1String("facts")        ? QStringLiteral("span")
                     : kind == QLatin1String("candidates") ? QStringLiteral("choice")
                                                           : kind;
  ReviewSources sources{toUtf8(id), beside + "/gold"};
  FATHOM_CHECK(writeFileAtomically(sources.gold, made.gold));
  if (!made.source.empty()) {
    sources.files["source"] = beside + "/source";
    FATHOM_CHECK(writeFileAtomically(sources.files["source"], made.source));
  }
  FATHOM_CHECK(writeFileAtomically(beside + "/careful", made.first));
  FATHOM_CHECK(writeFileAtomically(beside + "/hasty", made.second));
  sources.predictions = {{"careful", beside + "/careful"}, {"hasty", beside + "/hasty"}};
  return sources;
}

Result<ErrorsWorkspace*> showKind(ScreenshotStage& stage, MainWindow& window, const QString& kind) {
  window.action(QStringLiteral("view.errors"))->trigger();
  ErrorsWorkspace* errors = window.errors();
  ScreenshotStage::settle(&window, 200);
  FATHOM_TRY(const ReviewSources sources, writtenSources(stage.folder(), kind));
  errors->open(sources);
  const bool ready = ScreenshotStage::waitFor(
      [&] { return errors->page() == ErrorsWorkspace::kReview && window.jobs()->count() == 0; }, 300);
  if (!ready) return unavailableError("the predictions could not be opened");
  TextReviewPage* page = errors->textPage();
  page->review()->choose(0, 0, nullptr);
  page->goWrong(1);
  return errors;
}

QStringList kindNames(ScreenshotStage&, MainWindow&) {
  QStringList names;
  for (const ReviewKind& kind : reviewKinds())
    if (kind.panels != "sql") names.append(fromUtf8(kind.id));
  return names;
}

}  // namespace

QList<ScreenshotView> textReviewViews() {
  using Scene = ScreenshotStage::Scene;
  return {{"errors_kind",
           Scene::Review,
           {"PredictionPanel", "TextExamplePanel", "JudgementBar", "NoteLines", "TextReviewPage"},
           [](ScreenshotStage& stage, MainWindow& window) {
             return kindNames(stage, window) + QStringList{"facts", "candidates"};
           },
           [](ScreenshotStage& stage, MainWindow& window, const QString& kind) -> Result<ShownView> {
             FATHOM_TRY(ErrorsWorkspace * errors, showKind(stage, window, kind));
             (void)errors;
             ScreenshotStage::settle(&window, 300);
             return wholeWindow(window);
           }},
          {"errors_kind_pinned",
           Scene::Review,
           {"TextExamplePanel"},
           [](ScreenshotStage&, MainWindow&) { return QStringList{"span"}; },
           [](ScreenshotStage& stage, MainWindow& window, const QString& kind) -> Result<ShownView> {
             FATHOM_TRY(ErrorsWorkspace * errors, showKind(stage, window, kind));
             TextExamplePanel* example = errors->textPage()->example();
             example->togglePin();
             errors->textPage()->goWrong(1);
             ScreenshotStage::settle(&window, 300);
             return wholeWindow(window, [example] { example->togglePin(); });
           }},
          {"errors_kind_comparison",
           Scene::Review,
           {"ComparisonPanel", "MarkCanvasView"},
           kindNames,
           [](ScreenshotStage& stage, MainWindow& window, const QString& kind) -> Result<ShownView> {
             FATHOM_TRY(ErrorsWorkspace * errors, showKind(stage, window, kind));
             errors->show(ErrorsWorkspace::kCompare);
             ScreenshotStage::settle(&window, 500);
             return wholeWindow(window, [errors] { errors->show(ErrorsWorkspace::kReview); });
           }},
          {"errors_open_kind",
           Scene::Review,
           {"OpenPage"},
           [](ScreenshotStage&, MainWindow&) { return QStringList{"class"}; },
           [](ScreenshotStage& stage, MainWindow& window, const QString& kind) -> Result<ShownView> {
             FATHOM_TRY(ErrorsWorkspace * errors, showKind(stage, window, kind));
             errors->showOpenPage(false);
             ScreenshotStage::settle(&window, 200);
             return wholeWindow(window, [errors] { errors->show(ErrorsWorkspace::kReview); });
           }}};
}

}  // namespace fathom
