// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/made_nq.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/numbers/random_stream.h"
#include "core/base/text/text_list.h"
#include "core/tasks/long_text/made_pages.h"

namespace fathom {

namespace {

using WordPair = std::pair<std::int64_t, std::int64_t>;

// A page while it is written.
struct PageWriter {
  std::vector<std::string> words;
  std::vector<WordPair> candidates;

  std::int64_t count() const { return static_cast<std::int64_t>(words.size()); }
  void add(const std::string& text) {
    for (const std::string_view word : splitAt(text, ' ')) words.emplace_back(word);
  }
  void paragraph(const std::string& text) {
    const std::int64_t begin = count();
    add("<P> " + text + " </P>");
    candidates.emplace_back(begin, count());
  }
};

// A possible question about a bridge; `answer` is a text of the paragraph, "YES", "NO", "" = the paragraph
// alone.
struct Aspect {
  std::string paragraph, question, answer;
};

class NqDataMaker {
 public:
  explicit NqDataMaker(std::uint64_t seed)
      : m_random(streamSeed(seed, "nq.sample")), m_names(madeNames(120)) {}

  Json page(std::int64_t id, bool trained, bool answered) {
    const std::string name = any(m_names);
    std::vector<Aspect> aspects = aspectsOf(name);
    for (std::size_t i = aspects.size(); i > 1; --i) std::swap(aspects[i - 1], aspects[m_random.below(i)]);
    const std::size_t asked = static_cast<std::size_t>(m_random.below(aspects.size()));
    // A page whose paragraph is left out has no answer.
    const bool none = m_random.below(5) == 0 && !answered;
    PageWriter page;
    page.add("<H1> " + name + " Bridge </H1>");
    WordPair whole{-1, -1}, part{-1, -1};
    for (std::size_t a = 0; a < aspects.size(); ++a) {
      if (a == asked && none) continue;
      page.paragraph(aspects[a].paragraph);
      if (a != asked) continue;
      whole = page.candidates.back();
      part = placeOf(page, whole, aspects[a].answer);
    }
    const bool closed = !none && (aspects[asked].answer == "YES" || aspects[asked].answer == "NO");
    return record(id, page, aspects[asked].question, whole, part, closed ? aspects[asked].answer : "NONE",
                  trained);
  }

  std::vector<std::string> texts;

 private:
  template <typename List>
  std::string any(const List& list) {
    return std::string(list[static_cast<std::size_t>(m_random.below(std::size(list)))]);
  }

  std::vector<Aspect> aspectsOf(const std::string& name) {
    const std::string year = std::to_string(1820 + 4 * m_random.below(30));
    const std::string metres = std::to_string(100 + 20 * m_random.below(30));
    constexpr std::array kFirst = {"Anna", "Boris", "Clara", "David", "Edith", "Felix"};
    const std::string builder = any(kFirst) + " " + any(m_names);
    const bool cars = m_random.below(2) == 0;
    return {
        {"The bridge was opened in " + year + " by the county .", "when was the " + name + " bridge opened",
         year},
        {"It is " + metres + " metres long and made of stone .", "how long is the " + name + " bridge",
         metres + " metres"},
        {"Its builder was " + builder + " from the valley .", "who built the " + name + " bridge", builder},
        {std::string("Today it is ") + (cars ? "open" : "closed") + " to cars and lorries .",
         "may cars cross the " + name + " bridge", cars ? "YES" : "NO"},
        {"Old stories tell of a ferry and of cold winters by the river .",
         "tell me stories about the " + name + " bridge", ""}};
  }

  static WordPair placeOf(const PageWriter& page, const WordPair& whole, const std::string& answer) {
    if (answer.empty() || answer == "YES" || answer == "NO") return {-1, -1};
    const auto words = splitAt(answer, ' ');
    const auto first = page.words.begin() + whole.first, end = page.words.begin() + whole.second;
    const auto found = std::search(first, end, words.begin(), words.end());
    const std::int64_t begin = found - page.words.begin();
    return {begin, begin + static_cast<std::int64_t>(words.size())};
  }

  static Json rangeOf(const WordPair& range) {
    return {{"start_token", range.first}, {"end_token", range.second}};
  }

  Json record(std::int64_t id, const PageWriter& page, const std::string& question, const WordPair& whole,
              const WordPair& part, const std::string& yesNo, bool trained) {
    const std::string text = joined(page.words, " ");
    Json candidates = Json::array(), shorts = Json::array(), annotations = Json::array();
    for (const WordPair& one : page.candidates) {
      Json candidate = rangeOf(one);
      candidate["top_level"] = true;
      candidates.push_back(std::move(candidate));
    }
    if (part.first >= 0) shorts.push_back(rangeOf(part));
    const Json annotation = {
        {"long_answer", rangeOf(whole)}, {"short_answers", shorts}, {"yes_no_answer", yesNo}};
    constexpr int kAnnotators = 5;
    for (int i = 0; i < (trained ? 1 : kAnnotators); ++i) annotations.push_back(annotation);
    texts.push_back(text);
    texts.push_back(question);
    return {{"example_id", id},
            {"question_text", question},
            {"document_text", text},
            {"long_answer_candidates", std::move(candidates)},
            {"annotations", std::move(annotations)}};
  }

  RandomStream m_random;
  std::vector<std::string> m_names;
};

}  // namespace

Json madeNqFiles(const std::string& folder) {
  return madePageFiles(folder);
}

Result<MadeData> writeMadeNq(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  const bool check = size == MadeDataSize::Check;
  NqDataMaker maker(seed);
  MadePages pages;
  std::int64_t id = 1000;
  const auto fill = [&](std::vector<Json>& to, int count, bool trained) {
    for (int i = 0; i < count; ++i) to.push_back(maker.page(id++, trained, i == 0));
  };
  fill(pages.train, check ? 120 : 1600, true);
  fill(pages.validation, check ? 24 : 120, false);
  fill(pages.test, check ? 24 : 120, false);
  pages.texts = std::move(maker.texts);
  return writeMadePages(folder, pages, Json::object());
}

}  // namespace fathom
