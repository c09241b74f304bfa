// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/made_predictions.h"

#include <array>
#include <functional>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr std::array kSyllables = {"ka", "to", "mi", "ne", "ro", "su", "li", "va",
                                   "de", "po", "ha", "gu", "je", "wi", "zo", "be"};
constexpr int kOptions = 4, kAnswersAtOnce = 5;

std::string word(RandomStream& random) {
  std::string text;
  const std::uint64_t length = 1 + random.below(3);
  for (std::uint64_t i = 0; i < length; ++i) text += kSyllables[random.below(kSyllables.size())];
  return text;
}

std::string sentence(RandomStream& random, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += (i == 0 ? "" : " ") + word(random);
  return text;
}

RandomStream ofModel(int model) {
  return RandomStream(streamSeed(1, "model", {model}));
}

// Writes the gold file, then one file for each model.
class Writer {
 public:
  Writer(std::string kind, std::string folder) : m_folder(std::move(folder)) {
    m_sources.kind = std::move(kind);
  }
  Status gold(const std::string& name, const std::string& bytes) {
    m_sources.gold = m_folder + "/" + name;
    return writeFileAtomically(m_sources.gold, bytes);
  }
  Status predictions(int model, const std::string& ending, const std::string& bytes) {
    const std::string path = m_folder + "/model" + std::to_string(model) + ending;
    m_sources.predictions.push_back({"model " + std::to_string(model), path});
    return writeFileAtomically(path, bytes);
  }
  Result<ReviewSources> done() { return std::move(m_sources); }

 private:
  std::string m_folder;
  ReviewSources m_sources;
};

Result<ReviewSources> makeClasses(Writer writer, int examples, int models) {
  static constexpr std::array kLabels = {"contradiction", "entailment", "neutral"};
  RandomStream random(1);
  std::string text = "index\tsentence1\tsentence2\tlabel\n";
  std::vector<std::size_t> gold;
  for (int i = 0; i < examples; ++i) {
    gold.push_back(random.below(kLabels.size()));
    text += std::to_string(i) + "\t" + sentence(random, 20) + "\t" + sentence(random, 10) + "\t" +
            kLabels[gold.back()] + "\n";
  }
  FATHOM_CHECK(writer.gold("gold.tsv", text));
  for (int m = 0; m < models; ++m) {
    RandomStream own = ofModel(m);
    text.clear();
    for (int i = 0; i < examples; ++i) {
      const std::size_t label = own.uniform() < 0.7 ? gold[std::size_t(i)] : own.below(kLabels.size());
      Json probabilities = {0.1, 0.1, 0.1};
      probabilities[label] = 0.8;
      text += Json{{"index", i}, {"prediction", kLabels[label]}, {"probabilities", probabilities}}.dump();
      text += '\n';
    }
    FATHOM_CHECK(writer.predictions(m, ".jsonl", text));
  }
  return writer.done();
}

Result<ReviewSources> makeNumbers(Writer writer, int examples, int models) {
  RandomStream random(1);
  std::string text = "index\tsentence1\tsentence2\tscore\n";
  std::vector<double> gold;
  for (int i = 0; i < examples; ++i) {
    gold.push_back(5 * random.uniform());
    text += std::to_string(i) + "\t" + sentence(random, 12) + "\t" + sentence(random, 12) + "\t" +
            formatted("%.3f", gold.back()) + "\n";
  }
  FATHOM_CHECK(writer.gold("gold.tsv", text));
  for (int m = 0; m < models; ++m) {
    RandomStream own = ofModel(m);
    text = "index\tprediction\n";
    for (int i = 0; i < examples; ++i)
      text += std::to_string(i) + "\t" + formatted("%.4f", gold[std::size_t(i)] + own.normal()) + "\n";
    FATHOM_CHECK(writer.predictions(m, ".tsv", text));
  }
  return writer.done();
}

Result<ReviewSources> makeSpans(Writer writer, int examples, int models) {
  RandomStream random(1);
  Json articles = Json::array();
  std::vector<std::vector<std::string>> answers;  // words of each passage that somebody may answer
  for (int i = 0; i < examples; i += kAnswersAtOnce) {
    Json questions = Json::array();
    std::string passage;
    std::vector<std::string> spans;
    for (int q = 0; q < kAnswersAtOnce && i + q < examples; ++q) {
      passage += sentence(random, 12) + " ";
      const std::size_t start = passage.size();
      spans.push_back(sentence(random, 3));
      passage += spans.back() + " " + sentence(random, 9) + ". ";
      questions.push_back({{"id", "q" + std::to_string(i + q)},
                           {"question", sentence(random, 10) + "?"},
                           {"answers", Json::array({{{"text", spans.back()}, {"answer_start", start}}})}});
    }
    articles.push_back({{"title", "passage " + std::to_string(i)},
                        {"paragraphs", Json::array({{{"context", passage}, {"qas", questions}}})}});
    answers.push_back(std::move(spans));
  }
  FATHOM_CHECK(writer.gold("gold.json", Json{{"version", "1.1"}, {"data", articles}}.dump()));
  for (int m = 0; m < models; ++m) {
    RandomStream own = ofModel(m);
    Json out = Json::object();
    for (int i = 0; i < examples; ++i) {
      const auto& spans = answers[std::size_t(i / kAnswersAtOnce)];
      const std::size_t place =
          own.uniform() < 0.7 ? std::size_t(i % kAnswersAtOnce) : own.below(spans.size());
      out["q" + std::to_string(i)] = spans[place];
    }
    FATHOM_CHECK(writer.predictions(m, ".json", out.dump()));
  }
  return writer.done();
}

Result<ReviewSources> makeChoices(Writer writer, int examples, int models) {
  RandomStream random(1);
  Json questions = Json::array();
  for (int i = 0; i < examples; ++i) {
    Json options = Json::array();
    for (int k = 0; k < kOptions; ++k) options.push_back(sentence(random, 8));
    questions.push_back({{"id_string", "test_" + std::to_string(i)},
                         {"context", sentence(random, 70)},
                         {"question", sentence(random, 12) + "?"},
                         {"answers", options},
                         {"label", random.below(kOptions)}});
  }
  FATHOM_CHECK(writer.gold("gold.json", questions.dump()));
  for (int m = 0; m < models; ++m) {
    RandomStream own = ofModel(m);
    std::string text;
    for (int i = 0; i < examples; ++i) {
      std::vector<double> scores(kOptions);
      for (double& score : scores) score = own.normal();
      scores[questions[std::size_t(i)]["label"].get<std::size_t>()] += 1;
      text += Json{{"id", "test_" + std::to_string(i)}, {"scores", scores}}.dump() + "\n";
    }
    FATHOM_CHECK(writer.predictions(m, ".jsonl", text));
  }
  return writer.done();
}

Result<ReviewSources> makeTranslations(Writer writer, int examples, int models) {
  RandomStream random(1);
  std::vector<std::string> references;
  std::string text;
  for (int i = 0; i < examples; ++i) {
    references.push_back(sentence(random, 5 + int(random.below(30))));
    text += references.back() + "\n";
  }
  FATHOM_CHECK(writer.gold("references.txt", text));
  for (int m = 0; m < models; ++m) {
    RandomStream own = ofModel(m);
    text.clear();
    for (const std::string& reference : references) {
      std::string line;  // the reference with some words changed
      for (const std::string_view wanted : splitAt(reference, ' ')) {
        line += line.empty() ? "" : " ";
        line += own.uniform() < 0.6 ? std::string(wanted) : word(own);
      }
      text += line + "\n";
    }
    FATHOM_CHECK(writer.predictions(m, ".txt", text));
  }
  return writer.done();
}

// Pages of a heading and three blocks, in OpenKP's lines.
Result<ReviewSources> makePhrases(Writer writer, int examples, int models) {
  constexpr int kFeatures = 20, kHeading = 6, kBlocks = 4, kWords = 40, kGuesses = 5;
  RandomStream random(1);
  const auto phrase = [](RandomStream& stream, const std::vector<std::string>& words) {
    const std::size_t at = stream.below(words.size() - 1);
    return Json::array({words[at], words[at + 1]});
  };
  std::vector<std::vector<std::string>> pages;
  std::vector<Json> gold;
  std::string text;
  for (int i = 0; i < examples; ++i) {
    std::vector<std::string>& words = pages.emplace_back();
    Json blocks = Json::array();
    for (int b = 0; b < kBlocks; ++b) {
      Json feature = Json::array();
      for (int f = 0; f < kFeatures; ++f) feature.push_back(f == kHeading && b == 0 ? 1 : 0);
      std::string block;
      for (int w = 0; w < (b == 0 ? kWords / 4 : kWords); ++w) {
        words.push_back(word(random));
        block += (w == 0 ? "" : " ") + words.back();
      }
      blocks.push_back({{"text", block}, {"feature", feature}});
    }
    gold.push_back(Json::array({phrase(random, words), phrase(random, words)}));
    text += Json{{"url", "page" + std::to_string(i)}, {"VDOM", blocks.dump()}, {"KeyPhrases", gold.back()}}
                .dump();
    text += '\n';
  }
  FATHOM_CHECK(writer.gold("gold.jsonl", text));
  for (int m = 0; m < models; ++m) {
    RandomStream own = ofModel(m);
    text.clear();
    for (int i = 0; i < examples; ++i) {
      Json guesses = Json::array();
      if (own.uniform() < 0.5) guesses.push_back(gold[std::size_t(i)][0]);
      while (guesses.size() < kGuesses) guesses.push_back(phrase(own, pages[std::size_t(i)]));
      text += Json{{"url", "page" + std::to_string(i)}, {"KeyPhrases", guesses}}.dump() + "\n";
    }
    FATHOM_CHECK(writer.predictions(m, ".jsonl", text));
  }
  return writer.done();
}

using Maker = Result<ReviewSources> (*)(Writer, int examples, int models);

struct MadeKind {
  const char* id;
  Maker make;
};
constexpr MadeKind kMadeKinds[] = {
    {"class", makeClasses},  {"number", makeNumbers},           {"span", makeSpans},
    {"choice", makeChoices}, {"translation", makeTranslations}, {"phrases", makePhrases}};

}  // namespace

Result<ReviewSources> makePredictions(const std::string& kind, int examples, int models,
                                      const std::string& folder) {
  for (const MadeKind& made : kMadeKinds)
    if (kind == made.id) return made.make(Writer(kind, folder), examples, models);
  return usageError(Phrase::tr("no predictions of the kind \"%1\" can be made up")(kind),
                    Phrase::tr("name files with --gold and --predictions"));
}

}  // namespace fathom
