// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <thread>

#include "core/base/text/text_list.h"
#include "core/base/threads/thread_ranges.h"
#include "core/review/gold_options.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"
#include "core/review/text_difference.h"
#include "core/tasks/openkp/openkp_layout.h"
#include "core/tasks/openkp/openkp_scores.h"
#include "core/text/lower_case.h"

namespace fathom {

namespace {

enum PhraseCategory : std::uint8_t {
  kPhrasesRight,
  kPhrasesSome,
  kPhrasesLate,
  kPhrasesOverlap,
  kPhrasesNone,
  kPhrasesNotOnPage,
  kPhrasesMissing
};
constexpr std::size_t kMostPhrases = kPhraseDepths.back();
constexpr std::size_t kHeadingFlag = 6;  // of a block's feature
constexpr const char* kBetweenPhrases = "; ";

// Blocks as lines: a phrase does not cross their end.
std::string pageText(const OpenKpRecord& record) {
  return joined(record.blocks, "\n", [](const OpenKpRecord::Block& block) { return block.text; });
}

bool endsWord(const std::string& text, std::size_t at) {
  return at >= text.size() || text[at] == ' ' || text[at] == '\n';
}

// The places where whole words of a lower-cased page spell a phrase.
std::vector<TextSpan> placesOfPhrase(const std::string& page, const std::string& phrase) {
  constexpr std::size_t kMostPlaces = 100;
  std::vector<TextSpan> places;
  if (phrase.empty()) return places;
  // std::string::find stops at every first letter.
  const auto next = [&](std::size_t from) {
    const void* found = memmem(page.data() + from, page.size() - from, phrase.data(), phrase.size());
    return found == nullptr ? std::string::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - page.data());
  };
  for (std::size_t at = next(0); at != std::string::npos && places.size() < kMostPlaces; at = next(at + 1))
    if ((at == 0 || endsWord(page, at - 1)) && endsWord(page, at + phrase.size()))
      places.push_back({at, at + phrase.size()});
  return places;
}

// Lower case keeps every place only where it keeps the length, as nearly always.
std::string comparedPage(const std::string& text) {
  const std::string lower = toLowerCase(text);
  return lower.size() == text.size() ? lower : text;
}

bool inHeading(const OpenKpRecord& record, const std::vector<std::string>& phrases) {
  return std::any_of(record.blocks.begin(), record.blocks.end(), [&](const OpenKpRecord::Block& block) {
    if (block.feature[kHeadingFlag] <= 0) return false;
    const std::string text = comparedPage(block.text);
    return std::any_of(phrases.begin(), phrases.end(),
                       [&](const std::string& phrase) { return !placesOfPhrase(text, phrase).empty(); });
  });
}

Result<ReviewExample> readPage(const Json& json, const std::string& place, std::int64_t line) {
  const bool answered = json.is_object() && json.contains("KeyPhrases");
  FATHOM_TRY(const OpenKpRecord record, openKpRecord(json, place, answered));
  ReviewExample example;
  example.id = record.url;
  example.line = line;
  example.texts = {pageText(record), record.url};
  example.scored = answered && !record.phrases.empty();
  const std::string page = comparedPage(example.texts.front());
  for (const auto& words : record.phrases) {
    const std::string phrase = toLowerCase(joined(words, " "));
    if (std::find(example.references.begin(), example.references.end(), phrase) != example.references.end())
      continue;
    example.references.push_back(phrase);
    for (const TextSpan& span : placesOfPhrase(page, phrase)) example.marks.push_back(span);
  }
  example.label = inHeading(record, example.references) ? 1 : 0;
  return example;
}

// Of every line, several at once; nothing for a line of blanks.
Result<std::vector<std::optional<Result<ReviewExample>>>> readPages(
    const std::vector<std::string_view>& lines, const std::string& path) {
  constexpr unsigned kMostThreads = 8;
  const int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads));
  std::vector<std::optional<Result<ReviewExample>>> pages(lines.size());
  FATHOM_CHECK(forRanges(lines.size(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (trimmed(lines[i]).empty()) continue;
      const auto number = static_cast<std::int64_t>(i) + 1;
      const auto json = parseJson(lines[i]);
      if (json.ok())
        pages[i].emplace(readPage(*json, path + ":" + std::to_string(number), number));
      else
        pages[i].emplace(dataErrorAt(path, number, json.error().messagePhrase()));
    }
  }));
  return pages;
}

Result<ReviewGold> readPhrasesGold(const ReviewSources& sources) {
  FATHOM_TRY(const std::string bytes, readUnpacked(sources.gold));
  FATHOM_TRY(const auto lines, textLines(bytes, sources.gold));
  ReviewGold gold;
  gold.texts = {{"page", Phrase::tr("Page")}, {"url", Phrase::tr("Address")}};
  std::size_t without = 0;
  BadGold bad;
  FATHOM_TRY(auto pages, readPages(lines, sources.gold));
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!pages[i]) continue;
    const std::int64_t place = gold.records++;
    if (!pages[i]->ok()) {
      if (!skipsBadGold(sources)) return pages[i]->error();
      bad.add(static_cast<std::int64_t>(i) + 1, pages[i]->error().messagePhrase());
      continue;
    }
    gold.examples.push_back(std::move(pages[i]->value()));
    gold.examples.back().place = place;
    without += !gold.examples.back().scored;
  }
  noteBadGold(gold, bad);
  if (!gold.examples.empty() && without == gold.examples.size())
    return dataErrorAt(sources.gold, 0, Phrase::tr("no page has key phrases"),
                       Phrase::tr("the published test part has none: take the validation part"));
  if (without > 0) gold.notes.push_back(Phrase::tr("%1 pages have no key phrases: not scored")(without));
  return gold;
}

std::vector<TextSpan> phraseSpans(const std::string& text) {
  std::vector<TextSpan> spans;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(kBetweenPhrases, at), text.size());
    if (end > at) spans.push_back({at, end});
    at = end + std::string_view(kBetweenPhrases).size();
  }
  return spans;
}

std::vector<std::string> phrasesOf(const std::string& text) {
  std::vector<std::string> phrases;
  for (const TextSpan& span : phraseSpans(text))
    phrases.push_back(text.substr(span.begin, span.end - span.begin));
  return phrases;
}

Status takePhrases(ReviewGold&, const ReviewExample&, const ImportedPrediction& read, ReviewOutput& output) {
  if (read.phrases.empty() && !read.text)
    return dataError(
        Phrase::tr("a list of phrases is expected"),
        Phrase::tr("\"KeyPhrases\" as the benchmark takes them, or phrases with \"; \" between"));
  output.text = joined(read.phrases.empty() ? phrasesOf(*read.text) : read.phrases, kBetweenPhrases);
  return {};
}

std::vector<TextSpan> placesOfPhrases(const ReviewExample& example, const ReviewOutput& output) {
  const std::vector<std::string> phrases = phrasesOf(output.text);
  const std::string page = comparedPage(example.texts.front());
  std::vector<TextSpan> places;
  for (std::size_t i = 0; i < std::min(kMostPhrases, phrases.size()); ++i)
    for (const TextSpan& span : placesOfPhrase(page, toLowerCase(phrases[i]))) places.push_back(span);
  return places;
}

bool sharesAWord(const std::string& a, const std::string& b) {
  const auto words = splitAt(a, ' ');
  const std::set<std::string_view> known(words.begin(), words.end());
  const auto others = splitAt(b, ' ');
  return std::any_of(others.begin(), others.end(),
                     [&](std::string_view word) { return known.contains(word); });
}

// `phrase` in lower case.
bool isKeyPhrase(const ReviewExample& example, const std::string& phrase) {
  return std::find(example.references.begin(), example.references.end(), phrase) != example.references.end();
}

// Whole phrases: one is right or it is not.
std::vector<TextSpan> wrongPhraseSpans(const ReviewExample& example, const ReviewOutput& output) {
  std::vector<TextSpan> spans = phraseSpans(output.text);
  std::erase_if(spans, [&](const TextSpan& span) {
    return isKeyPhrase(example, toLowerCase(output.text.substr(span.begin, span.end - span.begin)));
  });
  return spans;
}

std::uint8_t wrongPhrases(const ReviewExample& example, const std::vector<std::string>& phrases,
                          std::size_t found) {
  if (found > 0) return isKeyPhrase(example, phrases.front()) ? kPhrasesSome : kPhrasesLate;
  if (example.marks.empty()) return kPhrasesNotOnPage;
  for (const std::string& phrase : phrases)
    for (const std::string& reference : example.references)
      if (sharesAWord(phrase, reference)) return kPhrasesOverlap;
  return kPhrasesNone;
}

void judgePhrases(const ReviewGold&, const ReviewExample& example, const ReviewOutput& output,
                  ReviewVerdict& verdict, std::span<std::int32_t>) {
  if (!example.scored) return;
  std::vector<std::string> phrases = phrasesOf(output.text);
  if (phrases.size() > kMostPhrases) phrases.resize(kMostPhrases);
  for (std::string& phrase : phrases) phrase = toLowerCase(phrase);
  const PhraseScore score = phraseScore(phraseHits(example.references, phrases), example.references.size());
  const auto found = static_cast<std::size_t>(
      std::count_if(example.references.begin(), example.references.end(), [&](const std::string& phrase) {
        return std::find(phrases.begin(), phrases.end(), phrase) != phrases.end();
      }));
  verdict.numbers = {score.f1[1], score.f1[0], score.f1[2], static_cast<double>(found)};
  verdict.score = verdict.numbers[0];
  verdict.right = output.given && found == example.references.size();
  verdict.wrong = !verdict.right;
  if (!output.given)
    verdict.category = kPhrasesMissing;
  else if (verdict.wrong)
    verdict.category = wrongPhrases(example, phrases, found);
}

// As good as the key phrases themselves: F1 at a depth is below 1 where there are fewer or more of them.
void judgePhrasesAsRight(const ReviewGold& gold, const ReviewExample& example, const ReviewOutput&,
                         ReviewVerdict& verdict, std::span<std::int32_t> counts) {
  ReviewOutput wanted;
  wanted.given = true;
  wanted.text = joined(example.references, kBetweenPhrases);
  judgePhrases(gold, example, wanted, verdict, counts);
}

// The counts of judgePhrases(): F1 at k is twice the hits over k and the number of key phrases.
PhraseHits hitsOf(const ReviewVerdict& verdict, std::size_t wanted) {
  const std::array<double, 3> f1 = {verdict.numbers[1], verdict.numbers[0], verdict.numbers[2]};
  PhraseHits hits{};
  for (std::size_t d = 0; d < hits.size(); ++d)
    hits[d] =
        static_cast<std::size_t>(std::lround(f1[d] * static_cast<double>(kPhraseDepths[d] + wanted) / 2));
  return hits;
}

std::vector<ReviewScore> scoresOfPhrases(const ReviewGold& gold, const ReviewModel& model) {
  std::vector<PhraseScore> all;
  double complete = 0;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    if (!gold.examples[i].scored) continue;
    const std::size_t wanted = gold.examples[i].references.size();
    all.push_back(phraseScore(hitsOf(model.verdicts[i], wanted), wanted));
    complete += model.verdicts[i].right;
  }
  const PhraseScore mean = meanPhraseScore(all);
  std::vector<ReviewScore> scores;
  constexpr const char* kDepths[] = {"1", "3", "5"};
  const auto share = [&](std::string id, const Phrase& title, double value) {
    ReviewScore score{std::move(id), title, {}, 2, Phrase::tr("no page has key phrases")};
    if (!all.empty()) score.value = 100 * value;
    scores.push_back(std::move(score));
  };
  const auto add = [&](const char* id, Phrase::Text title, const std::array<double, 3>& values) {
    for (std::size_t k = 0; k < values.size(); ++k)
      share(std::string(id) + kDepths[k], title(kDepths[k]), values[k]);
  };
  add("f1_at_", Phrase::tr("F1@%1, %"), mean.f1);
  add("precision_at_", Phrase::tr("precision@%1, %"), mean.precision);
  add("recall_at_", Phrase::tr("recall@%1, %"), mean.recall);
  share("complete", Phrase::tr("pages with all phrases among five, %"),
        complete / static_cast<double>(all.size()));
  return scores;
}

template <typename NumberOf>
ReviewFacet limitsFacet(const ReviewGold& gold, const char* id, const Phrase& title,
                        const std::vector<std::size_t>& limits, const std::vector<const char*>& words,
                        const NumberOf& numberOf) {
  ReviewFacet facet{id, title, {}, {}, {}};
  for (const char* word : words) facet.values.push_back({word, Phrase::words(word)});
  for (const ReviewExample& example : gold.examples) {
    const std::size_t number = numberOf(example);
    std::int32_t value = 0;
    for (const std::size_t limit : limits) value += number > limit;
    facet.ofExample.push_back(example.scored ? value : -1);
  }
  return facet;
}

std::vector<ReviewFacet> phrasesFacets(const Review& review) {
  const ReviewGold& gold = review.gold;
  const auto longest = [](const ReviewExample& example) {
    std::size_t most = 1;
    for (const std::string& phrase : example.references) most = std::max(most, wordCount(phrase));
    return most;
  };
  ReviewFacet place{"place",
                    Phrase::tr("Where the phrases stand"),
                    {{"heading", Phrase::tr("in a heading")},
                     {"text", Phrase::tr("in the text alone")},
                     {"nowhere", Phrase::tr("nowhere on the page")}},
                    {},
                    {}};
  for (const ReviewExample& example : gold.examples)
    place.ofExample.push_back(!example.scored ? -1 : example.label == 1 ? 0 : example.marks.empty() ? 2 : 1);
  return {limitsFacet(gold, "phrases", Phrase::tr("Key phrases of the page"), {1, 2}, {"1", "2", "3+"},
                      [](const ReviewExample& example) { return example.references.size(); }),
          limitsFacet(gold, "longest", Phrase::tr("Words of the longest phrase"), {1, 2, 3, 4, 5},
                      {"1", "2", "3", "4", "5", "6+"}, longest),
          limitsFacet(gold, "words", Phrase::tr("Words of the page"), {100, 300, 1000, 3000},
                      {"1-100", "101-300", "301-1000", "1001-3000", "3001+"},
                      [](const ReviewExample& example) { return wordCount(example.texts.front()); }),
          std::move(place)};
}

std::vector<ReviewCategory> phrasesCategories() {
  return {{"right", Phrase::tr("Right"), "✓", Phrase::tr("All key phrases are among the first five")},
          {"some", Phrase::tr("Some are missing"), "S",
           Phrase::tr("The first phrase is right, others are missing; then the next one")},
          {"late", Phrase::tr("First one wrong"), "L",
           Phrase::tr("A right phrase stands behind a wrong one; then the next one")},
          {"overlap", Phrase::tr("Other ends"), "O",
           Phrase::tr("A phrase shares words with a right one; then the next one")},
          {"none", Phrase::tr("None found"), "N", Phrase::tr("Other phrases altogether; then the next one")},
          {"not_on_page", Phrase::tr("Not on the page"), "X", Phrase::tr("No key phrase stands on the page"),
           false},
          missingCategory(),
          {"synonym", Phrase::tr("Means the same"), "Y",
           Phrase::tr("Other words for a right phrase; then the next one")},
          goldErrorCategory(Phrase::tr("The key phrases of the file are wrong; then the next one")),
          rightAfterAllCategory()};
}

}  // namespace

ReviewKind phrasesReviewEntry() {
  return {.id = "phrases",
          .title = Phrase::tr("Phrases"),
          .description = Phrase::tr("The key phrases of a page, as in OpenKP"),
          .goldHelp = Phrase::tr("OpenKP's JSON lines: url, VDOM, KeyPhrases"),
          .predictionsHelp = Phrase::tr("JSON lines: url and KeyPhrases, as the benchmark takes them; a "
                                        "prediction set; or phrases with \"; \" between"),
          .options = goldOptions(),
          .categories = phrasesCategories(),
          .numbers = {{"f1_at_3", Phrase::tr("F1@3"), 3},
                      {"f1_at_1", Phrase::tr("F1@1"), 3},
                      {"f1_at_5", Phrase::tr("F1@5"), 3},
                      {"found", Phrase::tr("Found"), 0}},
          .test = PairTest::Bootstrap,
          .compared = Phrase::tr("F1@3, points"),
          .figures = {"phrase_scores", "example_scores"},
          .readGold = readPhrasesGold,
          .take = takePhrases,
          .judge = judgePhrases,
          .judgeAsRight = judgePhrasesAsRight,
          .scores = scoresOfPhrases,
          .wrongParts = wrongPhraseSpans,
          .places = placesOfPhrases,
          .facets = phrasesFacets};
}

}  // namespace fathom
