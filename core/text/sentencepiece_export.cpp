// SPDX-License-Identifier: Apache-2.0
#include "core/text/sentencepiece_export.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/text/sentencepiece_file.h"
#include "core/text/sentencepiece_tokenizer.h"

namespace fathom {

namespace {

using File = SentencePieceFile;
constexpr const char* kBlankMark = "\xe2\x96\x81";

Error noRules(const std::string& name, const Phrase& what) {
  return usageError(Phrase::tr("%1: tokenizer.json cannot say this SentencePiece model: %2")(name, what),
                    Phrase::tr("write the weights without a tokenizer (--tokenizer none), and cut texts with "
                               "the model's own file"));
}

std::string asBase64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text.push_back(i <= count ? kDigits[bits >> (18 - 6 * i) & 63] : '=');
  }
  return text;
}

// Beginning of each character, and the end.
std::vector<std::size_t> startsOf(const std::string& text) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t at = 0; at < text.size(); starts.push_back(at)) nextCodePoint(text, at);
  return starts;
}

class JsonMaker {
 public:
  JsonMaker(const File& file, std::string name) : m_file(file), m_name(std::move(name)) {
    for (std::size_t id = 0; id < file.pieces.size(); ++id)
      if (file.pieces[id].sort == File::Sort::Normal) m_normal.emplace(file.pieces[id].text, id);
  }

  Status check() const {
    if (m_file.model != File::Model::Bpe && m_file.model != File::Model::Unigram)
      return noRules(m_name, Phrase::tr("it is of words or of characters"));
    if (m_file.suffix || !m_file.marksBlanks)
      return noRules(m_name, Phrase::tr("blanks do not stand before their words"));
    for (const File::Piece& piece : m_file.pieces) {
      if (piece.sort == File::Sort::UserDefined)
        return noRules(m_name, Phrase::tr("it has a piece of a user's own, '%1'")(piece.text));
      if (piece.sort == File::Sort::Unused)
        return noRules(m_name, Phrase::tr("its piece '%1' is marked as not used")(piece.text));
    }
    return m_file.model == File::Model::Bpe ? checkMerges() : Status();
  }

  Json model(std::int64_t unknown) const {
    Json model = {{"type", m_file.model == File::Model::Bpe ? "BPE" : "Unigram"}};
    if (m_file.model == File::Model::Unigram) {
      model["unk_id"] = unknown;
      model["vocab"] = Json::array();
      for (const File::Piece& piece : m_file.pieces)
        model["vocab"].push_back(Json::array({piece.text, static_cast<double>(piece.score)}));
      model["byte_fallback"] = m_file.byteFallback;
      return model;
    }
    model["dropout"] = nullptr;
    model["unk_token"] = m_file.pieces[static_cast<std::size_t>(unknown)].text;
    model["continuing_subword_prefix"] = nullptr;
    model["end_of_word_suffix"] = nullptr;
    model["fuse_unk"] = true;
    model["byte_fallback"] = m_file.byteFallback;
    model["ignore_merges"] = false;
    Json vocabulary = Json::object();
    auto& members = vocabulary.get_ref<Json::object_t&>();
    for (std::size_t id = 0; id < m_file.pieces.size(); ++id)
      members.emplace_back(m_file.pieces[id].text, id);
    model["vocab"] = std::move(vocabulary);
    model["merges"] = merges();
    return model;
  }

  Json normalizer() const {
    Json steps = Json::array();
    // The library looks a group of marks up as a whole or each alone; composed before, the usual ones are
    // one.
    const bool composes = m_file.normalization.find("nfkc") != std::string::npos;
    if (!m_file.charsmap.empty()) {
      if (composes) steps.push_back({{"type", "NFC"}});
      steps.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", asBase64(m_file.charsmap)}});
    }
    if (m_file.singleBlanks) {
      steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
      steps.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
    }
    if (steps.empty()) return {};
    return {{"type", "Sequence"}, {"normalizers", std::move(steps)}};
  }

  // Words alone are faster; where a piece knows blanks inside, or a blank has no piece, the text is one part.
  Json blanks() const {
    const bool inside = std::any_of(m_normal.begin(), m_normal.end(), [](const auto& one) {
      return one.first.find(kBlankMark, 1) != std::string::npos;
    });
    return {{"type", "Metaspace"},
            {"replacement", kBlankMark},
            {"prepend_scheme", m_file.prefixBlank ? "always" : "never"},
            {"split", m_file.singleBlanks && !inside && m_normal.contains(kBlankMark)}};
  }

 private:
  // Pieces of more than one character, the best first.
  std::vector<const File::Piece*> merged() const {
    std::vector<const File::Piece*> list;
    for (const File::Piece& piece : m_file.pieces)
      if (piece.sort == File::Sort::Normal && startsOf(piece.text).size() > 2) list.push_back(&piece);
    std::stable_sort(list.begin(), list.end(),
                     [](const auto* a, const auto* b) { return a->score > b->score; });
    return list;
  }

  // Merges there are pairs with a rank each, here pieces with a score.
  Status checkMerges() const {
    const File::Piece* before = nullptr;
    for (const File::Piece* piece : merged()) {
      if (before != nullptr && before->score == piece->score)
        return noRules(m_name,
                       Phrase::tr("the pieces '%1' and '%2' have one score")(before->text, piece->text));
      before = piece;
      const std::vector<std::size_t> starts = startsOf(piece->text);
      for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        if (!m_normal.contains(piece->text.substr(starts[i], starts[i + 1] - starts[i])))
          return noRules(m_name, Phrase::tr("a character of its piece '%1' is no piece")(piece->text));
    }
    return {};
  }

  Json merges() const {
    Json list = Json::array();
    for (const File::Piece* piece : merged())
      for (const std::size_t cut : cutsOf(piece->text))
        if (m_normal.contains(piece->text.substr(0, cut)) && m_normal.contains(piece->text.substr(cut)))
          list.push_back(Json::array({piece->text.substr(0, cut), piece->text.substr(cut)}));
    return list;
  }

  // Places where a piece may be put together, in bytes. Of two ways that overlap ("x y" and "y z" of one
  // piece, in "x y z") the left one comes first, as among equal scores.
  static std::vector<std::size_t> cutsOf(const std::string& text) {
    std::vector<std::size_t> cuts = startsOf(text);
    cuts.erase(cuts.begin());
    cuts.pop_back();
    std::reverse(cuts.begin(), cuts.end());
    const auto goesOn = [&](std::size_t cut) {  // what is behind this cut may begin the piece again
      return std::string_view(text).substr(cut) == std::string_view(text).substr(0, text.size() - cut);
    };
    for (std::size_t& cut : cuts) {
      const auto other = std::find(cuts.begin(), cuts.end(), text.size() - cut);
      if (cut > text.size() / 2 && other != cuts.end() && goesOn(*other) && !goesOn(cut))
        std::swap(cut, *other);
    }
    return cuts;
  }

  const File& m_file;
  std::string m_name;
  std::unordered_map<std::string, std::size_t> m_normal;
};

// A name that is no piece: "[MASK]", else "[MASK]2", ...
std::string freeName(const File& file, const std::string& name) {
  std::set<std::string> taken;
  for (const File::Piece& piece : file.pieces) taken.insert(piece.text);
  std::string free = name;
  for (int i = 2; taken.contains(free); ++i) free = name + std::to_string(i);
  return free;
}

// The marks by their ids: those of the model, those behind its pieces, and that of masked words.
TokenRoles addMarks(const File& file, const SentencePieceTokenizer& own, Json& added) {
  const auto pieces = static_cast<std::int64_t>(file.pieces.size());
  std::vector<std::pair<std::int64_t, std::string>> marks;
  const auto mark = [&](std::int64_t id, const char* usual) {
    const std::string text =
        id < pieces ? file.pieces[static_cast<std::size_t>(id)].text : freeName(file, usual);
    marks.emplace_back(id, text);
    return text;
  };
  const SpecialIds special = own.special();
  TokenRoles roles;
  roles.cls = mark(special.bos, "<s>");
  roles.pad = mark(special.pad, "<pad>");
  roles.sep = mark(special.eos, "</s>");
  roles.unknown = mark(special.unk, "<unk>");
  roles.mask = freeName(file, "[MASK]");
  marks.emplace_back(own.vocabularySize(), roles.mask);
  std::sort(marks.begin(), marks.end());
  for (const auto& [id, text] : marks) {
    AddedToken token;
    token.content = text;
    token.id = id;
    token.special = true;
    added.push_back(addedTokenToJson(token));
  }
  return roles;
}

std::vector<std::string> trialTexts(const File& file) {
  std::vector<std::string> texts = {
      "",
      " ",
      "  two  blanks   three ",
      "tab\tnew\nline\r\nend",
      "caf\xc3\xa9 cafe\xcc\x81 \xc3\x84\xc3\x96\xc3\x9c\xc3\x9f",
      "\xe5\x8c\x97\xe4\xba\xac \xe5\xa4\xa7\xe5\xad\xa6 \xe6\x96\x87\xe6\x97\xa5",
      "\xef\xbc\xa1\xef\xbd\x82\xef\xbc\x91 \xef\xac\x81ne \xc2\xbd",
      "\xf0\x9f\x98\x80 zero\xe2\x80\x8bwidth \xef\xbb\xbfmark",
      "don't a-b_c.d,e;f:g!h? 12 345.67"};
  for (const File::Piece& piece : file.pieces) {
    if (piece.sort != File::Sort::Normal) continue;
    std::string text = piece.text;
    replaceAll(text, kBlankMark, " ");
    texts.push_back(std::move(text));
  }
  return texts;
}

// Ways to cut a text of equal scores: which of them a unigram model takes is a matter of rounding.
bool tied(const File& file, const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  const auto pieces = static_cast<std::int64_t>(file.pieces.size());
  const auto sum = [&](const std::vector<std::int64_t>& ids) {
    double score = 0;
    for (const std::int64_t id : ids)
      if (id < pieces) score += static_cast<double>(file.pieces[static_cast<std::size_t>(id)].score);
    return score;
  };
  constexpr double kRounding = 1e-5;
  return file.model == File::Model::Unigram &&
         std::abs(sum(a) - sum(b)) <= kRounding * (1 + std::abs(sum(a)));
}

}  // namespace

Result<SentencePieceJson> sentencePieceJson(std::string_view model, const std::string& name) {
  FATHOM_TRY(const File file, File::parse(model, name));
  FATHOM_TRY(const auto own, SentencePieceTokenizer::fromBytes(model, name, true));
  const JsonMaker maker(file, name);
  FATHOM_CHECK(maker.check());
  SentencePieceJson made;
  Json added = Json::array();
  made.roles = addMarks(file, *own, added);
  const SpecialIds special = own->special();
  made.tokenizer = {{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr}};
  made.tokenizer["added_tokens"] = std::move(added);
  made.tokenizer["normalizer"] = maker.normalizer();
  made.tokenizer["pre_tokenizer"] = maker.blanks();
  made.tokenizer["post_processor"] = {{"type", "BertProcessing"},
                                      {"sep", Json::array({made.roles.sep, special.eos})},
                                      {"cls", Json::array({made.roles.cls, special.bos})}};
  const Json blanks = maker.blanks();
  made.tokenizer["decoder"] =
      file.byteFallback
          ? Json{{"type", "Sequence"}, {"decoders", Json::array({Json{{"type", "ByteFallback"}}, blanks})}}
          : blanks;
  made.tokenizer["model"] = maker.model(special.unk);
  FATHOM_TRY(const auto read, PipelineTokenizer::fromJson(made.tokenizer, name, made.roles));
  for (const std::string& text : trialTexts(file))
    if (read->encode(text) != own->encode(text) && !tied(file, read->encode(text), own->encode(text)))
      return noRules(name, Phrase::tr("the text '%1' would become other pieces")(text));
  if (file.model == File::Model::Unigram)
    made.notes.push_back(Phrase::tr(
        "Unigram: where two ways to cut a word have equal scores, such as 'aa' 'a' and 'a' 'aa', the "
        "tokenizers library may take the other one."));
  return made;
}

}  // namespace fathom
