// SPDX-License-Identifier: Apache-2.0
#include "core/text/pipeline_tokenizer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/byte_bpe_tokenizer.h"

namespace fathom {

namespace {

constexpr std::string_view kInnerMark = "##", kSpaceMark = "\xe2\x96\x81", kByteBlank = "\xc4\xa0";

// True if a pre-tokenizer, or one of a sequence, is of the type.
bool uses(const Json& json, const char* type) {
  if (!json.is_object()) return false;
  const auto own = json.find("type");
  if (own != json.end() && own->is_string() && own->get<std::string>() == type) return true;
  for (const char* key : {"pretokenizers", "normalizers"}) {
    const auto steps = json.find(key);
    if (steps == json.end() || !steps->is_array()) continue;
    for (const Json& step : *steps)
      if (uses(step, type)) return true;
  }
  return false;
}

std::string bytesOfPiece(const std::string& piece) {
  static const auto bytes = [] {
    std::array<int, 0x180> table{};
    table.fill(-1);
    for (int byte = 0; byte < 256; ++byte) {
      std::size_t at = 0;
      table[nextCodePoint(byteCharacter(static_cast<std::uint8_t>(byte)), at)] = byte;
    }
    return table;
  }();
  std::string text;
  for (const TextCharacter& one : charactersOf(piece))
    if (one.code < bytes.size() && bytes[one.code] >= 0) text.push_back(static_cast<char>(bytes[one.code]));
  return text;
}

// Bytes that belong to no character as U+FFFD.
std::string asUtf8(std::string bytes) {
  for (std::size_t bad = firstInvalidUtf8(bytes); bad != std::string::npos; bad = firstInvalidUtf8(bytes))
    bytes.replace(bad, 1, "\xef\xbf\xbd");
  return bytes;
}

// One step of a template: ("", type) for a text, (token, type) for a mark.
struct TemplateStep {
  std::string token, text;
  std::int64_t type = 0;
};

std::vector<TemplateStep> stepsOf(SettingsReader& from, const char* key, std::vector<std::string>& unknown) {
  std::vector<TemplateStep> steps;
  for (const Json& one : from.list(key)) {
    SettingsReader step(one, from.file(), from.path(key), unknown);
    const bool mark = step.has("SpecialToken");
    SettingsReader what = step.inside(mark ? "SpecialToken" : "Sequence");
    const std::string id = what.text("id", "");
    steps.push_back({mark ? id : "", mark ? "" : id, what.integer("type_id", 0)});
  }
  return steps;
}

// "c A0 s B1 s" without what the marks are called.
std::string shapeOf(const std::vector<TemplateStep>& steps) {
  std::string shape;
  for (const TemplateStep& step : steps)
    shape += (step.text.empty() ? "." : step.text) + std::to_string(step.type);
  return shape;
}

}  // namespace

Result<std::shared_ptr<const PipelineTokenizer>> PipelineTokenizer::fromJson(const Json& json,
                                                                             const std::string& file,
                                                                             TokenRoles roles,
                                                                             bool matchRoles, TextForm form) {
  try {
    const auto made = std::shared_ptr<PipelineTokenizer>(new PipelineTokenizer());
    made->m_roles = std::move(roles);
    made->read(json, file, matchRoles, form);
    return std::shared_ptr<const PipelineTokenizer>(made);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

void PipelineTokenizer::read(const Json& json, const std::string& file, bool matchRoles, TextForm form) {
  SettingsReader from(json, file, "", m_passedOver);
  from.passOver({"version", "decoder"});
  // Lengths are those of the task's options; a side on which rows are cut is another thing.
  for (const char* key : {"truncation", "padding"}) {
    if (!from.has(key)) continue;
    m_passedOver.emplace_back(key);
    SettingsReader cut = from.inside(key);
    if (cut.text("direction", "Right") != "Right") cut.refuse("direction");
  }
  m_model = makePieceModel(from.object("model"), file, "model", m_passedOver);
  m_normalizer = makeNormalizer(from.any("normalizer"), file, "normalizer", m_passedOver);
  m_cutter = makeCutter(from.any("pre_tokenizer"), file, "pre_tokenizer", m_passedOver);
  m_byteLevel = uses(from.any("pre_tokenizer"), "ByteLevel") || uses(from.any("normalizer"), "ByteLevel");
  readAdded(from);
  readPairs(from.any("post_processor"), from);
  from.rest();
  m_size = m_model->table().idEnd();
  for (const AddedToken& token : m_added) m_size = std::max(m_size, token.id + 1);
  readRoles(file, form);
  watchAdded(matchRoles);
}

// The library numbers them itself: a token of the model keeps its id, others come behind all pieces. A file
// that says otherwise would give other ids there than here.
void PipelineTokenizer::readAdded(SettingsReader& from) {
  std::int64_t largest = -1;
  const std::int64_t pieces = m_model->table().count();
  std::size_t index = 0;
  for (const Json& one : from.list("added_tokens")) {
    const std::string key = "added_tokens." + std::to_string(index++);
    const AddedToken token = addedTokenFromJson(one, from, key, -1, true, false);
    std::int64_t id = m_model->table().find(token.content);
    if (id < 0) id = largest >= pieces ? largest + 1 : pieces;
    largest = std::max(largest, id);
    if (token.id != id)
      from.wrong(key, Phrase::tr("gives '%1' the id %2, the tokenizers library gives it %3")(token.content,
                                                                                             token.id, id));
    m_added.push_back(token);
  }
}

void PipelineTokenizer::takeMarks(const SettingsReader& from, const std::string& key, const std::string& cls,
                                  const std::string& sep) {
  const auto take = [&](std::string& role, const std::string& mark) {
    if (!role.empty() && role != mark)
      from.wrong(key,
                 Phrase::tr("marks texts with '%1', tokenizer_config.json or special_tokens_map.json says "
                            "'%2'")(mark, role));
    role = mark;
  };
  take(m_roles.cls, cls);
  take(m_roles.sep, sep);
}

// BertProcessing and RobertaProcessing: {"cls": [text, id], "sep": [text, id]}
void PipelineTokenizer::readProcessing(SettingsReader& from, bool roberta) {
  const auto markOf = [&](const char* key) {
    const Json& mark = from.list(key);
    if (mark.size() != 2 || !mark[0].is_string() || !mark[1].is_number_integer())
      from.wrong(key, Phrase::tr("must be a token and its id"));
    if (find(mark[0].get<std::string>()) != mark[1].get<std::int64_t>())
      from.wrong(key, Phrase::tr("is %1, another id than the vocabulary gives it")(mark.dump()));
    return mark[0].get<std::string>();
  };
  const std::string cls = markOf("cls"), sep = markOf("sep");
  from.passOver({"trim_offsets", "add_prefix_space"});
  takeMarks(from, "cls", cls, sep);
  m_pairs = roberta ? PairLayout::Roberta : PairLayout::Bert;
  m_pairsKnown = true;
}

void PipelineTokenizer::readTemplate(SettingsReader& from) {
  const auto single = stepsOf(from, "single", m_passedOver), pair = stepsOf(from, "pair", m_passedOver);
  if (shapeOf(single) != ".0A0.0") from.refuse("single");
  const std::string shape = shapeOf(pair);
  const bool bert = shape == ".0A0.0B1.1", roberta = shape == ".0A0.0.0B0.0";
  if (!bert && !roberta) from.refuse("pair");
  const std::string cls = single.front().token, sep = single.back().token;
  for (std::size_t i = 0; i < pair.size(); ++i)
    if (pair[i].text.empty() && pair[i].token != (i == 0 ? cls : sep)) from.refuse("pair");
  const Json& marks = from.object("special_tokens");
  for (const std::string& mark : {cls, sep}) {
    const auto entry = marks.find(mark);
    const Json ids = entry == marks.end() || !entry->is_object() ? Json() : entry->value("ids", Json());
    if (ids != Json::array({find(mark)})) from.refuse("special_tokens");
  }
  takeMarks(from, "single", cls, sep);
  m_pairs = roberta ? PairLayout::Roberta : PairLayout::Bert;
  m_pairsKnown = true;
}

void PipelineTokenizer::readPairs(const Json& json, SettingsReader& parent) {
  if (json.is_null()) return;
  SettingsReader from(json, parent.file(), "post_processor", m_passedOver);
  const std::string type = from.text("type", "");
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    readProcessing(from, type == "RobertaProcessing");
  } else if (type == "TemplateProcessing") {
    readTemplate(from);
  } else if (type == "ByteLevel") {
    from.passOver({"trim_offsets", "add_prefix_space", "use_regex"});
  } else if (type == "Sequence") {
    for (const Json& step : from.list("processors")) readPairs(step, parent);
  } else {
    from.refuse("type");
  }
  from.rest();
}

// The token of a role: the one that is named, or the first of the usual ones that there is.
std::int64_t PipelineTokenizer::role(std::string& name, std::initializer_list<const char*> usual) const {
  for (const char* text : usual)
    if (name.empty() && find(text) >= 0) name = text;
  return name.empty() ? -1 : find(name);
}

void PipelineTokenizer::readRoles(const std::string& file, TextForm form) {
  if (m_roles.unknown.empty()) m_roles.unknown = m_model->unknownPiece();
  m_special.bos = role(m_roles.cls, {"[CLS]", "<s>"});
  m_special.eos = role(m_roles.sep, {"[SEP]", "</s>"});
  m_special.pad = role(m_roles.pad, {"[PAD]", "<pad>"});
  m_special.unk = role(m_roles.unknown, {"[UNK]", "<unk>"});
  m_mask = role(m_roles.mask, {"[MASK]", "<mask>"});
  if (!m_pairsKnown && m_roles.cls == "<s>") m_pairs = PairLayout::Roberta;
  if (form == TextForm::Running) return;
  const std::pair<const char*, std::int64_t> needed[] = {
      {"cls_token", m_special.bos}, {"sep_token", m_special.eos}, {"pad_token", m_special.pad}};
  const std::string names[] = {m_roles.cls, m_roles.sep, m_roles.pad};
  for (std::size_t i = 0; i < std::size(needed); ++i)
    if (needed[i].second < 0)
      throw Failure(dataErrorAt(
          file, 0,
          names[i].empty() ? Phrase::tr("the tokenizer names no %1")(needed[i].first)
                           : Phrase::tr("the vocabulary has no '%1' (%2)")(names[i], needed[i].first),
          Phrase::tr("use the vocabulary that belongs to the encoder")));
}

void PipelineTokenizer::watchAdded(bool matchRoles) {
  const std::string marks[] = {m_roles.cls, m_roles.sep, m_roles.pad, m_roles.unknown, m_roles.mask};
  const bool around = !m_roles.cls.empty() || !m_roles.sep.empty();
  for (const AddedToken& token : m_added) {
    const bool mark = std::find(std::begin(marks), std::end(marks), token.content) != std::end(marks);
    if (mark && around && !matchRoles) continue;
    TextCharacters content = charactersOf(token.content);
    if (token.normalized) m_normalizer(content);
    (token.normalized ? m_normalized : m_raw).add(token, content);
  }
}

std::int64_t PipelineTokenizer::find(std::string_view piece) const {
  for (const AddedToken& token : m_added)
    if (token.content == piece) return token.id;
  return m_model->table().find(piece);
}

std::string PipelineTokenizer::piece(std::int64_t id) const {
  for (const AddedToken& token : m_added)
    if (token.id == id) return token.content;
  const std::string& piece = m_model->table().piece(id);
  return piece.empty() ? m_roles.unknown : piece;
}

bool PipelineTokenizer::continuesWord(std::int64_t id) const {
  const std::string text = piece(id);
  if (model() == "WordPiece") return text.starts_with(kInnerMark);
  return !text.starts_with(m_byteLevel ? kByteBlank : kSpaceMark);
}

void PipelineTokenizer::encodePlain(TextCharacters characters, std::int64_t origin, EncodedText& into) const {
  m_normalizer(characters);
  const auto cut = [&](TextCharacters part, std::int64_t begin) {
    CutText parts;
    if (!part.empty()) parts.push_back({std::move(part), begin});
    m_cutter(parts);
    for (const CutPart& one : parts)
      if (!one.characters.empty()) m_model->encode(one.characters, into);
  };
  if (m_normalized.empty()) return cut(std::move(characters), origin);
  for (const AddedStretch& one : m_normalized.find(characters)) {
    const auto first = characters.begin();
    TextCharacters part(first + static_cast<std::ptrdiff_t>(one.begin),
                        first + static_cast<std::ptrdiff_t>(one.end));
    const TextRange range{part.front().range.begin, part.back().range.end};
    if (one.id >= 0)
      into.add(one.id, range);
    else
      cut(std::move(part), one.begin == 0 ? origin : range.begin);
  }
}

EncodedText PipelineTokenizer::encodeWithRanges(std::string_view text) const {
  EncodedText encoded;
  TextCharacters characters = charactersOf(text);
  if (m_raw.empty()) {
    if (!characters.empty()) encodePlain(std::move(characters), 0, encoded);
  } else {
    for (const AddedStretch& one : m_raw.find(characters)) {
      const auto first = characters.begin();
      TextCharacters part(first + static_cast<std::ptrdiff_t>(one.begin),
                          first + static_cast<std::ptrdiff_t>(one.end));
      const TextRange range{part.front().range.begin, part.back().range.end};
      if (one.id >= 0)
        encoded.add(one.id, range);
      else
        encodePlain(std::move(part), range.begin, encoded);
    }
  }
  for (TextRange& range : encoded.ranges) {  // the blank in front is no part of a word
    const auto blank = [&](std::int64_t at) { return text[static_cast<std::size_t>(at)] == ' '; };
    while (range.begin < range.end && blank(range.begin)) ++range.begin;
    while (range.end > range.begin && blank(range.end - 1)) --range.end;
  }
  return encoded;
}

std::string PipelineTokenizer::decode(std::span<const std::int64_t> ids) const {
  std::string text;
  for (const std::int64_t id : ids) {
    if (id == m_special.bos || id == m_special.pad || id == m_special.eos) continue;
    const std::string token = piece(id);
    const bool mark = id == m_special.unk || id == m_mask;
    if (m_byteLevel && !mark) {
      text += bytesOfPiece(token);
    } else if (model() == "WordPiece" || model() == "WordLevel") {
      const bool inside = token.starts_with(kInnerMark) && token.size() > kInnerMark.size() && !text.empty();
      text += inside ? token.substr(kInnerMark.size()) : (text.empty() ? "" : " ") + token;
    } else {
      text += token;
    }
  }
  if (m_byteLevel) return asUtf8(std::move(text));
  for (std::size_t at = text.find(kSpaceMark); at != std::string::npos; at = text.find(kSpaceMark, at))
    text.replace(at, kSpaceMark.size(), " ");
  const bool blank = model() != "WordPiece" && text.starts_with(' ');
  return blank ? text.substr(1) : text;
}

}  // namespace fathom
