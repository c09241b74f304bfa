// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/openkp/made_openkp.h"

#include <array>
#include <vector>

#include "core/base/numbers/random_stream.h"
#include "core/base/text/text_list.h"
#include "core/tasks/long_text/made_pages.h"

namespace fathom {

namespace {

constexpr std::array kPageThings = {"ferry",   "museum", "market",  "garden",  "lighthouse",
                                    "harbour", "castle", "railway", "library", "festival"};
constexpr std::array kSentences = {"You may also like the %1 near the river", "Many people come by way of %1",
                                   "Opening hours differ from those of the %1", "Read more about the %1 here",
                                   "Photographs of the %1 are sold at the door"};

class OpenKpDataMaker {
 public:
  explicit OpenKpDataMaker(std::uint64_t seed)
      : m_random(streamSeed(seed, "openkp.sample")), m_names(madeNames(60)) {}

  Json page(std::int64_t number, bool answered) {
    m_blocks = Json::array();
    m_top = 40;
    Json phrases = Json::array();
    const std::size_t headings = 1 + static_cast<std::size_t>(m_random.below(2));
    for (std::size_t h = 0; h < headings; ++h) {
      const std::string name = capital(any(m_names)), thing = any(kPageThings);
      addBlock(name + " " + thing, true);
      phrases.push_back(Json{name, thing});
      for (std::size_t b = 2 + m_random.below(3); b > 0; --b) {
        std::string sentence = any(kSentences);
        replaceAll(sentence, "%1", any(m_names) + " " + any(kPageThings));
        addBlock(sentence, false);
      }
    }
    Json record = {{"url", "http://example.invalid/page" + std::to_string(number)},
                   {"text", m_text},
                   {"VDOM", m_blocks.dump()}};
    if (answered) record["KeyPhrases"] = std::move(phrases);
    texts.push_back(std::move(m_text));
    m_text.clear();
    return record;
  }

  std::vector<std::string> texts;

 private:
  template <typename List>
  std::string any(const List& list) {
    return std::string(list[static_cast<std::size_t>(m_random.below(std::size(list)))]);
  }
  static std::string capital(std::string name) {
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
  }
  // x, width, y, height, block, inline, heading, leaf, font size, bold: of the block, then of its parent.
  void addBlock(const std::string& text, bool heading) {
    const int height = heading ? 48 : 20;
    const int flag = heading ? 1 : 0;
    m_blocks.push_back(
        {{"Id", m_blocks.size()},
         {"text", text},
         {"feature", {60, 700,  m_top, height, 1, 0, flag, 1, heading ? 32 : 14, flag, 40, 1000,
                      0,  4000, 1,     0,      0, 0, 14,   0}}});
    m_top += height + 12;
    m_text += (m_text.empty() ? "" : " ") + text;
  }

  RandomStream m_random;
  std::vector<std::string> m_names;
  Json m_blocks;
  int m_top = 0;
  std::string m_text;
};

}  // namespace

Json madeOpenKpFiles(const std::string& folder) {
  return madePageFiles(folder);
}

Result<MadeData> writeMadeOpenKp(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  const bool check = size == MadeDataSize::Check;
  OpenKpDataMaker maker(seed);
  MadePages pages;
  std::int64_t number = 1;
  const auto fill = [&](std::vector<Json>& to, int count) {
    for (int i = 0; i < count; ++i) to.push_back(maker.page(number++, true));
  };
  fill(pages.train, check ? 120 : 1600);
  fill(pages.validation, check ? 24 : 120);
  fill(pages.test, check ? 24 : 120);
  pages.texts = std::move(maker.texts);
  return writeMadePages(folder, pages, Json::object());
}

}  // namespace fathom
