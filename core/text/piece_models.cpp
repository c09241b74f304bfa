// SPDX-License-Identifier: Apache-2.0
#include "core/text/piece_models.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "core/base/text/utf8.h"

namespace fathom {

void PieceTable::add(const std::string& piece, std::int64_t id) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= m_pieces.size()) m_pieces.resize(index + 1);
  m_pieces[index] = piece;
  m_ids.insert_or_assign(piece, id);
  m_longest = std::max(m_longest, piece.size());
}

std::int64_t PieceTable::find(std::string_view piece) const {
  const auto found = m_ids.find(piece);
  return found == m_ids.end() ? -1 : found->second;
}

const std::string& PieceTable::piece(std::int64_t id) const {
  static const std::string none;
  return id >= 0 && id < idEnd() ? m_pieces[static_cast<std::size_t>(id)] : none;
}

namespace {

constexpr std::int64_t kMostIds = std::int64_t{1} << 24;

// {"piece": id}
void readTable(SettingsReader& from, PieceTable& table) {
  std::set<std::int64_t> seen;
  const Json& vocabulary = from.object("vocab");
  for (const auto& [piece, id] : vocabulary.items()) {
    const bool good =
        id.is_number_integer() && id.get<std::int64_t>() >= 0 && id.get<std::int64_t>() < kMostIds;
    if (!good) from.wrong("vocab", Phrase::tr("gives '%1' the id %2")(piece, id.dump()));
    if (!seen.insert(id.get<std::int64_t>()).second)
      from.wrong("vocab", Phrase::tr("gives the id %1 twice")(id.get<std::int64_t>()));
    table.add(piece, id.get<std::int64_t>());
  }
  if (table.count() == 0) from.wrong("vocab", Phrase::tr("holds no pieces"));
}

TextRange rangeOf(const TextCharacters& part, std::size_t begin, std::size_t end) {
  return {part[begin].range.begin, part[end - 1].range.end};
}

// The part as UTF-8, and where each character begins in it, with the end.
struct PartBytes {
  explicit PartBytes(const TextCharacters& part) {
    for (const TextCharacter& one : part) {
      starts.push_back(text.size());
      appendCodePoint(text, one.code);
    }
    starts.push_back(text.size());
  }
  std::string_view between(std::size_t begin, std::size_t end) const {
    return std::string_view(text).substr(starts[begin], starts[end] - starts[begin]);
  }
  std::string text;
  std::vector<std::size_t> starts;
};

class WordPieceModel final : public PieceModel {
 public:
  explicit WordPieceModel(SettingsReader& from) {
    m_type = "WordPiece";
    readTable(from, m_table);
    m_unknownPiece = from.text("unk_token", "[UNK]");
    m_inside = from.text("continuing_subword_prefix", "##");
    const std::int64_t most = from.integer("max_input_chars_per_word", 100);
    if (most < 0) from.wrong("max_input_chars_per_word", Phrase::tr("must not be negative"));
    m_most = static_cast<std::size_t>(most);
    m_unknown = m_table.find(m_unknownPiece);
    if (m_unknown < 0) from.wrong("unk_token", Phrase::tr("is '%1', which is no piece")(m_unknownPiece));
  }
  void encode(const TextCharacters& part, EncodedText& into) const override {
    const std::size_t before = into.ids.size();
    if (part.size() <= m_most && matches(part, into)) return;
    into.ids.resize(before);
    into.ranges.resize(before);
    into.add(m_unknown, rangeOf(part, 0, part.size()));
  }

 private:
  bool matches(const TextCharacters& part, EncodedText& into) const {
    const PartBytes bytes(part);
    std::string piece;
    for (std::size_t begin = 0; begin < part.size();) {
      const std::string& prefix = begin == 0 ? m_none : m_inside;
      std::size_t end = part.size();
      std::int64_t id = -1;
      for (; end > begin; --end) {
        const std::string_view own = bytes.between(begin, end);
        if (own.size() + prefix.size() > m_table.longest()) continue;
        piece.assign(prefix).append(own);
        id = m_table.find(piece);
        if (id >= 0) break;
      }
      if (id < 0) return false;
      into.add(id, rangeOf(part, begin, end));
      begin = end;
    }
    return true;
  }
  std::string m_inside, m_none;
  std::size_t m_most = 100;
  std::int64_t m_unknown = -1;
};

class WordLevelModel final : public PieceModel {
 public:
  explicit WordLevelModel(SettingsReader& from) {
    m_type = "WordLevel";
    readTable(from, m_table);
    m_unknownPiece = from.text("unk_token", "<unk>");
  }
  void encode(const TextCharacters& part, EncodedText& into) const override {
    std::int64_t id = m_table.find(utf8Of(part));
    if (id < 0) id = m_table.find(m_unknownPiece);
    if (id >= 0) into.add(id, rangeOf(part, 0, part.size()));
  }
};

// Ids of <0x00> to <0xFF>; -1 where the table has none.
std::vector<std::int64_t> bytePieces(const PieceTable& table) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::vector<std::int64_t> ids;
  for (std::size_t byte = 0; byte < 256; ++byte)
    ids.push_back(table.find(std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">"));
  return ids;
}

// The bytes of a text as pieces; nothing where one has none.
std::optional<std::vector<std::int64_t>> asBytes(std::string_view text,
                                                 const std::vector<std::int64_t>& pieces) {
  std::vector<std::int64_t> ids;
  for (const char byte : text) {
    ids.push_back(pieces[static_cast<unsigned char>(byte)]);
    if (ids.back() < 0) return std::nullopt;
  }
  return ids;
}

class BpeModel final : public PieceModel {
 public:
  explicit BpeModel(SettingsReader& from) {
    m_type = "BPE";
    readTable(from, m_table);
    const Json& dropout = from.any("dropout");
    if (!dropout.is_null() && !(dropout.is_number() && dropout.get<double>() == 0)) from.refuse("dropout");
    m_unknownPiece = from.text("unk_token", "");
    m_inside = from.text("continuing_subword_prefix", "");
    m_end = from.text("end_of_word_suffix", "");
    m_fuses = from.flag("fuse_unk", false);
    m_wholeFirst = from.flag("ignore_merges", false);
    m_unknown = m_unknownPiece.empty() ? -1 : m_table.find(m_unknownPiece);
    if (!m_unknownPiece.empty() && m_unknown < 0)
      from.wrong("unk_token", Phrase::tr("is '%1', which is no piece")(m_unknownPiece));
    if (from.flag("byte_fallback", false)) m_bytes = bytePieces(m_table);
    readMerges(from);
  }
  void encode(const TextCharacters& part, EncodedText& into) const override {
    const PartBytes bytes(part);
    if (m_wholeFirst) {
      if (const std::int64_t id = m_table.find(bytes.text); id >= 0)
        return into.add(id, rangeOf(part, 0, part.size()));
    }
    std::vector<Symbol> symbols = symbolsOf(part, bytes);
    mergeAll(symbols);
    for (const Symbol& one : symbols) into.add(one.id, one.range);
  }

 private:
  struct Symbol {
    std::int64_t id = 0;
    TextRange range;
  };
  struct Merge {
    std::int64_t rank = 0, result = 0;
  };
  static std::uint64_t keyOf(std::int64_t left, std::int64_t right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
  }
  // "a b", or ["a", "b"]; a pair that comes twice has the later rank.
  void readMerges(SettingsReader& from) {
    std::int64_t rank = 0;
    for (const Json& merge : from.list("merges")) {
      std::string left, right;
      if (merge.is_string()) {
        const std::string both = merge.get<std::string>();
        const std::size_t blank = both.find(' ');
        left = both.substr(0, blank);
        right = blank == std::string::npos ? "" : both.substr(blank + 1);
      } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
        left = merge[0].get<std::string>();
        right = merge[1].get<std::string>();
      }
      const bool inside = right.starts_with(m_inside);
      const std::int64_t first = m_table.find(left), second = m_table.find(right);
      const std::int64_t result =
          inside ? m_table.find(left + right.substr(m_inside.size())) : std::int64_t{-1};
      if (first < 0 || second < 0 || result < 0)
        from.wrong("merges", Phrase::tr("names %1, and not all of its pieces are in the vocabulary")(
                                 merge.dump().substr(0, 80)));
      m_merges.insert_or_assign(keyOf(first, second), Merge{rank++, result});
    }
  }
  // In the order in which the library writes them: a pending unknown character stands behind bytes.
  std::vector<Symbol> symbolsOf(const TextCharacters& part, const PartBytes& bytes) const {
    std::vector<Symbol> symbols;
    std::optional<Symbol> pending;
    const auto flush = [&] {
      if (pending) symbols.push_back(*pending);
      pending.reset();
    };
    std::string piece;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::string_view own = bytes.between(i, i + 1);
      piece.assign(i > 0 ? m_inside : std::string()).append(own);
      if (i + 1 == part.size()) piece += m_end;
      if (const std::int64_t id = m_table.find(piece); id >= 0) {
        flush();
        symbols.push_back({id, part[i].range});
        continue;
      }
      const auto fallback = m_bytes.empty() ? std::nullopt : asBytes(piece, m_bytes);
      if (fallback) {
        for (const std::int64_t id : *fallback) symbols.push_back({id, part[i].range});
      } else if (m_unknown >= 0) {
        if (pending && m_fuses) {
          pending->range.end = part[i].range.end;
        } else {
          flush();
          pending = Symbol{m_unknown, part[i].range};
        }
      }
    }
    flush();
    return symbols;
  }
  // Joins the neighbours of the lowest rank, the leftmost of equals first.
  void mergeAll(std::vector<Symbol>& symbols) const {
    while (symbols.size() > 1) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max(), result = -1;
      std::size_t place = 0;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        const auto found = m_merges.find(keyOf(symbols[i].id, symbols[i + 1].id));
        if (found == m_merges.end() || found->second.rank >= best) continue;
        best = found->second.rank;
        result = found->second.result;
        place = i;
      }
      if (result < 0) return;
      symbols[place].id = result;
      symbols[place].range.end = symbols[place + 1].range.end;
      symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
  }
  std::string m_inside, m_end;
  bool m_fuses = false, m_wholeFirst = false;
  std::int64_t m_unknown = -1;
  std::vector<std::int64_t> m_bytes;
  std::unordered_map<std::uint64_t, Merge> m_merges;
};

class UnigramModel final : public PieceModel {
 public:
  explicit UnigramModel(SettingsReader& from) {
    m_type = "Unigram";
    for (const Json& entry : from.list("vocab")) {
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
        from.wrong("vocab", Phrase::tr("has the entry %1; a piece and its score are expected")(
                                entry.dump().substr(0, 80)));
      m_table.add(entry[0].get<std::string>(), static_cast<std::int64_t>(m_scores.size()));
      m_scores.push_back(entry[1].get<double>());
      if (m_table.idEnd() > kMostIds) from.wrong("vocab", Phrase::tr("holds too many pieces"));
    }
    if (m_scores.empty()) from.wrong("vocab", Phrase::tr("holds no pieces"));
    m_unknown = from.integer("unk_id", -1);
    if (m_unknown >= m_table.idEnd()) from.wrong("unk_id", Phrase::tr("is %1, which is no piece")(m_unknown));
    m_unknownPiece = m_table.piece(m_unknown);
    if (from.flag("byte_fallback", false)) m_bytes = bytePieces(m_table);
    constexpr double kPenalty = 10;  // SentencePiece's
    m_unknownScore = *std::min_element(m_scores.begin(), m_scores.end()) - kPenalty;
  }
  void encode(const TextCharacters& part, EncodedText& into) const override {
    const PartBytes bytes(part);
    const std::vector<Step> best = viterbi(bytes, part.size());
    std::vector<std::pair<std::size_t, std::size_t>> found;  // backwards; neighbours that are unknown are one
    bool fusing = false;
    for (std::size_t end = part.size(); end > 0; end = best[end].from) {
      const bool unknown = best[end].id == m_unknown && m_unknown >= 0;
      if (unknown && fusing)
        found.back().first = best[end].from;
      else
        found.emplace_back(best[end].from, end);
      fusing = unknown;
    }
    for (auto one = found.rbegin(); one != found.rend(); ++one)
      put(part, bytes, one->first, one->second, into);
  }

 private:
  struct Step {
    std::int64_t id = -1;
    double score = 0;
    std::size_t from = 0;
    bool reached = false;
  };
  static void take(Step& to, double score, std::int64_t id, std::size_t from) {
    if (to.reached && score <= to.score) return;
    to = {id, score, from, true};
  }
  std::vector<Step> viterbi(const PartBytes& bytes, std::size_t count) const {
    std::vector<Step> best(count + 1);
    for (std::size_t begin = 0; begin < count; ++begin) {
      bool single = false;
      for (std::size_t end = begin + 1; end <= count; ++end) {
        const std::string_view piece = bytes.between(begin, end);
        if (piece.size() > m_table.longest()) break;
        const std::int64_t id = m_table.find(piece);
        if (id < 0) continue;
        take(best[end], m_scores[static_cast<std::size_t>(id)] + best[begin].score, id, begin);
        single = single || end == begin + 1;
      }
      if (single) continue;
      if (m_unknown < 0)
        throw Failure(dataError(Phrase::tr("'%1' has no piece, and the vocabulary none for what is unknown")(
            std::string(bytes.between(begin, begin + 1)))));
      take(best[begin + 1], m_unknownScore + best[begin].score, m_unknown, begin);
    }
    return best;
  }
  void put(const TextCharacters& part, const PartBytes& bytes, std::size_t begin, std::size_t end,
           EncodedText& into) const {
    const TextRange range = rangeOf(part, begin, end);
    const std::string_view piece = bytes.between(begin, end);
    const std::int64_t id = m_table.find(piece);
    const auto fallback = id >= 0 || m_bytes.empty() ? std::nullopt : asBytes(piece, m_bytes);
    if (!fallback) return into.add(id >= 0 ? id : m_unknown, range);
    for (const std::int64_t byte : *fallback) into.add(byte, range);
  }
  std::vector<double> m_scores;
  std::int64_t m_unknown = -1;
  double m_unknownScore = 0;
  std::vector<std::int64_t> m_bytes;
};

// Files of before 2020 do not say their type.
std::string typeOf(SettingsReader& from) {
  const std::string type = from.text("type", "");
  if (!type.empty()) return type;
  if (from.any("vocab").is_array()) return "Unigram";
  return from.has("merges") ? "BPE" : from.has("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

}  // namespace

std::shared_ptr<const PieceModel> makePieceModel(const Json& json, const std::string& file,
                                                 const std::string& path, std::vector<std::string>& unknown) {
  SettingsReader from(json, file, path, unknown);
  const std::string type = typeOf(from);
  std::shared_ptr<const PieceModel> made;
  if (type == "WordPiece") made = std::make_shared<const WordPieceModel>(from);
  if (type == "WordLevel") made = std::make_shared<const WordLevelModel>(from);
  if (type == "BPE") made = std::make_shared<const BpeModel>(from);
  if (type == "Unigram") made = std::make_shared<const UnigramModel>(from);
  if (made == nullptr) from.refuse("type");
  from.rest();
  return made;
}

}  // namespace fathom
