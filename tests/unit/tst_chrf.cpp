// SPDX-License-Identifier: Apache-2.0
// chrF2 of corpora against a slow implementation straight from its definition (Popović 2015, and sacreBLEU's
// rule for short references), over random short corpora. SEED and N (corpora) from the environment.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/text/chrf.h"

using namespace fathom;

namespace {

constexpr std::size_t kOrders = 6;

struct Segment {
  std::u32string hypothesis, reference;
};

std::string utf8(const std::u32string& text) {
  std::string out;
  for (const char32_t c : text) {
    if (c < 0x80) {
      out += char(c);
    } else if (c < 0x800) {
      out += {char(0xC0 | c >> 6), char(0x80 | (c & 63))};
    } else if (c < 0x10000) {
      out += {char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
    } else {
      out += {char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 63)), char(0x80 | (c >> 6 & 63)),
              char(0x80 | (c & 63))};
    }
  }
  return out;
}

using Grams = std::map<std::u32string, int>;

Grams gramsOf(const std::u32string& text, std::size_t order) {
  std::u32string visible;
  for (const char32_t c : text)
    if (c != U' ' && c != U'\t' && c != U'\u3000' && c != U'\u00A0') visible += c;
  Grams grams;
  for (std::size_t i = 0; i + order <= visible.size(); ++i) ++grams[visible.substr(i, order)];
  return grams;
}

// For each order, sums over the segments of n-grams of the hypothesis, of the reference, and of both (each as
// often as in the one that has fewer). `always`: n-grams of the hypothesis count where the reference has
// none, too, which is another number.
double slowChrf(const std::vector<Segment>& corpus, bool always = false) {
  double precision = 0, recall = 0;
  int orders = 0;
  for (std::size_t order = 1; order <= kOrders; ++order) {
    double hypothesis = 0, reference = 0, both = 0;
    for (const Segment& segment : corpus) {
      const Grams ours = gramsOf(segment.hypothesis, order), theirs = gramsOf(segment.reference, order);
      for (const auto& [gram, count] : theirs) reference += count;
      for (const auto& [gram, count] : ours) {
        if (always || !theirs.empty()) hypothesis += count;
        if (const auto found = theirs.find(gram); found != theirs.end())
          both += std::min(count, found->second);
      }
    }
    if (hypothesis == 0 || reference == 0) continue;
    precision += both / hypothesis;
    recall += both / reference;
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * 5 * precision * recall / (4 * precision + recall);
}

double ourChrf(ChrfCounter& counter, const std::vector<Segment>& corpus) {
  std::array<double, kChrfOrders> hypothesis{}, reference{}, match{};
  for (const Segment& segment : corpus) {
    const ChrfCounts counts = counter.count(utf8(segment.hypothesis), utf8(segment.reference));
    for (std::size_t n = 0; n < kChrfOrders; ++n) {
      hypothesis[n] += counts.hypothesis[n];
      reference[n] += counts.reference[n];
      match[n] += counts.match[n];
    }
  }
  return chrfFromCounts(hypothesis, reference, match);
}

class CorpusMaker {
 public:
  explicit CorpusMaker(unsigned seed) : m_random(seed) {}
  std::vector<Segment> corpus() {
    std::vector<Segment> segments(1 + below(5));
    for (Segment& segment : segments) {
      segment.reference = text();
      segment.hypothesis = below(3) == 0 ? text() : changed(segment.reference);
    }
    return segments;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(m_random);
  }
  // Few characters, so that n-grams come again; beyond the first plane, combining ones and blanks among them.
  char32_t character() {
    constexpr char32_t kCharacters[] = {U'a',          U'b',  U'c',      U' ',      U'é',
                                        U'\u0301',     U'文', U'\u3000', U'\u00A0', U'\U0001F600',
                                        U'\U0002070E', U'a',  U'\uFFFD', U'.'};
    return kCharacters[below(std::size(kCharacters))];
  }
  std::u32string text() {
    constexpr std::size_t kLengths[] = {0, 1, 1, 2, 5, 6, 7, 20};
    std::u32string out;
    for (std::size_t left = kLengths[below(std::size(kLengths))]; left > 0; --left) out += character();
    return out;
  }
  std::u32string changed(std::u32string text) {
    for (std::size_t left = below(4); left > 0 && !text.empty(); --left) {
      const std::size_t at = below(text.size());
      if (below(2) == 0)
        text.erase(at, 1);
      else
        text.insert(at, 1, character());
    }
    return text;
  }
  std::mt19937 m_random;
};

}  // namespace

class ChrfTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isItsDefinition();
  void twoSegmentsByHand();
};

void ChrfTest::isItsDefinition() {
  const auto number = [](const char* name, unsigned otherwise) {
    return qEnvironmentVariableIsSet(name) ? unsigned(qEnvironmentVariableIntValue(name)) : otherwise;
  };
  const unsigned seed = number("SEED", 33), corpora = number("N", 2000);
  qInfo("SEED=%u N=%u", seed, corpora);
  CorpusMaker maker(seed);
  ChrfCounter counter;  // one for all: what it keeps of a reference must not reach the next
  unsigned ruleMatters = 0;
  for (unsigned i = 0; i < corpora; ++i) {
    const auto corpus = maker.corpus();
    const double right = slowChrf(corpus), ours = ourChrf(counter, corpus);
    ruleMatters += std::abs(right - slowChrf(corpus, true)) > 0.01;
    std::string shown;
    for (const Segment& segment : corpus)
      shown += "\n  " + utf8(segment.hypothesis) + " | " + utf8(segment.reference);
    QVERIFY2(std::abs(ours - right) < 1e-9,
             ("SEED=" + std::to_string(seed) + ", corpus " + std::to_string(i) + ": " + std::to_string(ours) +
              " instead of " + std::to_string(right) + shown)
                 .c_str());
  }
  QVERIFY2(ruleMatters > corpora / 20, std::to_string(ruleMatters).c_str());
}

// "ab" for "a": the bigram counts nowhere; "abc" for "abd": 2 of 3, 1 of 2, 0 of 1.
void ChrfTest::twoSegmentsByHand() {
  ChrfCounter counter;
  const std::vector<Segment> corpus = {{U"ab", U"a"}, {U"abc", U"abd"}};
  const double precision = (3.0 / 5 + 1.0 / 2 + 0) / 3, recall = (3.0 / 4 + 1.0 / 2 + 0) / 3;
  const double right = 100 * 5 * precision * recall / (4 * precision + recall);
  QVERIFY(std::abs(ourChrf(counter, corpus) - right) < 1e-9);
  QVERIFY(std::abs(slowChrf(corpus) - right) < 1e-9);
}

QTEST_APPLESS_MAIN(ChrfTest)
#include "tst_chrf.moc"
