// SPDX-License-Identifier: Apache-2.0
#include "core/text/encoder_tokenizer.h"

#include <algorithm>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/text/vocabulary_lines.h"

namespace fathom {

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr const char* kEndOfText = "<|endoftext|>";  // GPT-2's one mark
constexpr const char* kReadNames[] = {kTokenizerJson,      kTokenizerConfig, "special_tokens_map.json",
                                      "added_tokens.json", "vocab.txt",      "vocab.json",
                                      "merges.txt"};

// Files of a base without tokenizer.json; the roles are set where nobody named them.
class BaseMaker {
 public:
  BaseMaker(const TokenizerFiles& files, TokenizerSettings& settings, std::vector<Phrase>& notes,
            TextForm form)
      : m_files(files), m_settings(settings), m_notes(notes), m_rows(form == TextForm::Rows) {}

  Json make() {
    Json base = {{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr}};
    base["added_tokens"] = Json::array();
    if (m_files.has("vocab.txt")) return wordPieces(std::move(base));
    if (m_files.has("vocab.json")) return bytePieces(std::move(base));
    throw Failure(dataError(
        Phrase::tr("%1 holds no vocabulary: no tokenizer.json, vocab.txt or vocab.json")(m_files.folder),
        Phrase::tr("copy the tokenizer's files beside the weights")));
  }

 private:
  void needRole(std::string& role, const char* usual, const char* member, const std::string& file,
                const Json& vocabulary, bool needed) {
    if (role.empty() && vocabulary.contains(usual)) role = usual;
    if (!role.empty() || !needed) return;
    throw Failure(dataErrorAt(m_files.path(file), 0,
                              Phrase::tr("the vocabulary has no '%1' (%2)")(usual, member),
                              Phrase::tr("use the vocabulary that belongs to the encoder")));
  }
  void addRole(Json& base, const std::string& role, bool left = false) {
    const Json& vocabulary = base["model"]["vocab"];
    if (role.empty() || !vocabulary.contains(role)) return;
    for (const AddedToken& token : m_settings.added)
      if (token.content == role) return;
    AddedToken token;
    token.content = role;
    token.id = vocabulary[role].get<std::int64_t>();
    token.special = true;
    token.left = left;
    for (const Json& there : base["added_tokens"])
      if (there["content"] == role) return;
    base["added_tokens"].push_back(addedTokenToJson(token));
  }
  void addRoles(Json& base, bool maskTakesBlank) {
    const TokenRoles& roles = m_settings.roles;
    for (const std::string& role : {roles.pad, roles.unknown, roles.cls, roles.sep}) addRole(base, role);
    addRole(base, roles.mask, maskTakesBlank);
    auto& added = base["added_tokens"];
    std::sort(added.begin(), added.end(), [](const Json& a, const Json& b) {
      return a["id"].get<std::int64_t>() < b["id"].get<std::int64_t>();
    });
  }

  Json wordPieces(Json base) {
    const std::string name = "vocab.txt";
    VocabularyLines lines = vocabularyLines(m_files.bytes.at(name), m_files.path(name));
    m_notes.insert(m_notes.end(), lines.notes.begin(), lines.notes.end());
    Json vocabulary = Json::object();
    std::map<std::string, std::int64_t> ids;
    for (std::size_t i = 0; i < lines.tokens.size(); ++i) ids[lines.tokens[i]] = static_cast<std::int64_t>(i);
    auto& members = vocabulary.get_ref<Json::object_t&>();
    for (std::size_t i = 0; i < lines.tokens.size(); ++i) {
      const std::string& token = lines.tokens[i];
      if (!validUtf8(token))
        throw Failure(dataErrorAt(m_files.path(name), static_cast<std::int64_t>(i) + 1,
                                  Phrase::tr("token is not UTF-8"),
                                  Phrase::tr("a vocab.txt of BERT is expected")));
      // An insertion would look through all that are there.
      if (ids[token] == static_cast<std::int64_t>(i)) members.emplace_back(token, i);
    }
    TokenRoles& roles = m_settings.roles;
    needRole(roles.unknown, "[UNK]", "unk_token", name, vocabulary, true);
    needRole(roles.cls, "[CLS]", "cls_token", name, vocabulary, true);
    needRole(roles.sep, "[SEP]", "sep_token", name, vocabulary, true);
    needRole(roles.pad, "[PAD]", "pad_token", name, vocabulary, true);
    needRole(roles.mask, "[MASK]", "mask_token", name, vocabulary, false);
    const bool lower = m_settings.lowerCase.value_or(true);
    base["normalizer"] = {
        {"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", m_settings.hanApart.value_or(true)},
        {"strip_accents", m_settings.stripAccents ? Json(*m_settings.stripAccents) : Json()},
        {"lowercase", lower}};
    base["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    base["post_processor"] = Json();
    base["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
    base["model"] = {{"type", "WordPiece"},
                     {"unk_token", roles.unknown},
                     {"continuing_subword_prefix", "##"},
                     {"max_input_chars_per_word", 100},
                     {"vocab", std::move(vocabulary)}};
    addRoles(base, false);
    const auto mark = [&](const std::string& role) {
      const Json& table = base["model"]["vocab"];
      return Json::array({role, table.contains(role) ? table[role] : Json(-1)});
    };
    base["post_processor"] = {{"type", "BertProcessing"}, {"sep", mark(roles.sep)}, {"cls", mark(roles.cls)}};
    return base;
  }

  Json bytePieces(Json base) {
    const std::string path = m_files.path("vocab.json");
    if (!m_files.has("merges.txt"))
      throw Failure(dataErrorAt(m_files.path("merges.txt"), 0, Phrase::tr("is missing"),
                                Phrase::tr("it belongs to %1")(path)));
    Json vocabulary = parseJson(m_files.bytes.at("vocab.json"), path).value();
    Json merges = Json::array();
    std::string_view rest = m_files.bytes.at("merges.txt");
    for (bool first = true; !rest.empty(); first = false) {
      std::string_view line = takeUntil(rest, '\n');
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty() && !(first && line.starts_with("#version"))) merges.push_back(std::string(line));
    }
    TokenRoles& roles = m_settings.roles;
    needRole(roles.cls, "<s>", "cls_token", "vocab.json", vocabulary, m_rows);
    needRole(roles.sep, "</s>", "sep_token", "vocab.json", vocabulary, m_rows);
    needRole(roles.pad, "<pad>", "pad_token", "vocab.json", vocabulary, m_rows);
    needRole(roles.unknown, "<unk>", "unk_token", "vocab.json", vocabulary, false);
    if (!m_rows) needRole(roles.unknown, kEndOfText, "unk_token", "vocab.json", vocabulary, false);
    needRole(roles.mask, "<mask>", "mask_token", "vocab.json", vocabulary, false);
    base["normalizer"] = Json();
    base["pre_tokenizer"] = {{"type", "ByteLevel"},
                             {"add_prefix_space", m_settings.prefixBlank.value_or(false)},
                             {"trim_offsets", true},
                             {"use_regex", true}};
    base["post_processor"] = Json();
    base["decoder"] = {
        {"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", true}, {"use_regex", true}};
    base["model"] = {{"type", "BPE"},
                     {"dropout", nullptr},
                     {"unk_token", nullptr},
                     {"continuing_subword_prefix", ""},
                     {"end_of_word_suffix", ""},
                     {"fuse_unk", false},
                     {"vocab", std::move(vocabulary)},
                     {"merges", std::move(merges)}};
    addRoles(base, true);
    const auto mark = [&](const std::string& role) {
      const Json& table = base["model"]["vocab"];
      return Json::array({role, table.contains(role) ? table[role] : Json(-1)});
    };
    if (roles.cls.empty() || roles.sep.empty()) {
      base["post_processor"] = {
          {"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", false}, {"use_regex", true}};
      return base;
    }
    base["post_processor"] = {{"type", "RobertaProcessing"},
                              {"sep", mark(roles.sep)},
                              {"cls", mark(roles.cls)},
                              {"trim_offsets", true},
                              {"add_prefix_space", m_settings.prefixBlank.value_or(false)}};
    return base;
  }

  const TokenizerFiles& m_files;
  TokenizerSettings& m_settings;
  std::vector<Phrase>& m_notes;
  bool m_rows;
};

// Calls `visit` with every step of a kind of the file, inside of sequences, too.
template <typename Visit>
void eachStep(Json& json, const char* inside, const Visit& visit) {
  if (!json.is_object()) return;
  const auto steps = json.find(inside);
  if (steps != json.end() && steps->is_array()) {
    for (Json& step : *steps) eachStep(step, inside, visit);
  } else {
    visit(json, memberText(json, "type"));
  }
}

// A tokenizer.json and the settings beside it have to agree: transformers would follow the settings.
void checkAgreement(Json& base, const TokenizerSettings& settings, const std::string& jsonPath,
                    const std::string& configPath) {
  const auto agree = [&](const char* member, const char* theirs, const std::optional<bool>& wanted,
                         const Json& there) {
    if (!wanted || !there.is_boolean() || there == Json(*wanted)) return;
    throw Failure(dataErrorAt(configPath, 0,
                              Phrase::tr("member '%1' is %2, but '%3' of %4 is %5")(
                                  member, Json(*wanted).dump(), theirs, jsonPath, there.dump()),
                              Phrase::tr("delete the one that is wrong: the pieces would differ")));
  };
  eachStep(base["normalizer"], "normalizers", [&](Json& step, const std::string& type) {
    if (type != "BertNormalizer") return;
    const Json lower = step.value("lowercase", Json(true));
    agree("do_lower_case", "normalizer.lowercase", settings.lowerCase, lower);
    Json strip = step.value("strip_accents", Json());
    agree("strip_accents", "normalizer.strip_accents", settings.stripAccents,
          strip.is_null() ? lower : strip);
    agree("tokenize_chinese_chars", "normalizer.handle_chinese_chars", settings.hanApart,
          step.value("handle_chinese_chars", Json(true)));
  });
  eachStep(base["pre_tokenizer"], "pretokenizers", [&](Json& step, const std::string& type) {
    if (type == "ByteLevel")
      agree("add_prefix_space", "pre_tokenizer.add_prefix_space", settings.prefixBlank,
            step.value("add_prefix_space", Json(true)));
  });
}

// Added tokens that tokenizer.json has not, in the order of their ids, those without one last.
void mergeAdded(Json& base, const TokenizerSettings& settings, const std::string& path) {
  auto& there = base["added_tokens"];
  if (!there.is_array()) return;  // said when it is read
  std::vector<AddedToken> missing;
  for (const AddedToken& token : settings.added) {
    const auto same = std::find_if(there.begin(), there.end(), [&](const Json& one) {
      return memberText(one, "content") == token.content;
    });
    if (same == there.end()) {
      missing.push_back(token);
    } else if (token.id >= 0 && memberInteger(*same, "id", -1) != token.id) {
      throw Failure(dataErrorAt(path, 0,
                                Phrase::tr("'%1' has the id %2 among added_tokens, another file says %3")(
                                    token.content, memberInteger(*same, "id", -1), token.id)));
    }
  }
  std::stable_sort(missing.begin(), missing.end(), [](const AddedToken& a, const AddedToken& b) {
    return (a.id < 0 ? INT64_MAX : a.id) < (b.id < 0 ? INT64_MAX : b.id);
  });
  const Json& vocabulary = memberObject(memberObject(base, "model"), "vocab");
  auto next = static_cast<std::int64_t>(vocabulary.size());
  for (const Json& one : there) next = std::max(next, memberInteger(one, "id", -1) + 1);
  for (AddedToken& token : missing) {
    if (token.id < 0) token.id = memberInteger(vocabulary, token.content.c_str(), next);
    next = std::max(next, token.id + 1);
    there.push_back(addedTokenToJson(token));
  }
}

Json configOf(const EncoderTokenizer& made, const TokenizerSettings& settings, const Json& base) {
  const TokenRoles& roles = made.pipeline->roles();
  const bool words = made.pipeline->model() == "WordPiece", bytes = made.pipeline->byteLevel();
  Json config;
  config["tokenizer_class"] = !settings.tokenizerClass.empty() ? settings.tokenizerClass
                              : words && memberText(base["normalizer"], "type") == "BertNormalizer"
                                  ? "BertTokenizer"
                              : bytes && roles.cls.empty() ? "GPT2Tokenizer"
                              : bytes                      ? "RobertaTokenizer"
                                                           : "PreTrainedTokenizerFast";
  const std::pair<const char*, std::string> names[] = {{"cls_token", roles.cls},
                                                       {"sep_token", roles.sep},
                                                       {"pad_token", roles.pad},
                                                       {"unk_token", roles.unknown},
                                                       {"mask_token", roles.mask}};
  for (const auto& [key, name] : names)
    if (!name.empty()) config[key] = name;
  const Json& normalizer = base["normalizer"];
  if (memberText(normalizer, "type") == "BertNormalizer") {
    config["do_lower_case"] = memberFlag(normalizer, "lowercase", true);
    const Json strip = normalizer.value("strip_accents", Json());
    if (!strip.is_null()) config["strip_accents"] = strip;
    config["tokenize_chinese_chars"] = memberFlag(normalizer, "handle_chinese_chars", true);
  }
  const Json& cutter = base["pre_tokenizer"];
  if (memberText(cutter, "type") == "ByteLevel")
    config["add_prefix_space"] = memberFlag(cutter, "add_prefix_space", true);
  return config;
}

bool lowers(Json normalizer) {
  bool lower = false;
  eachStep(normalizer, "normalizers", [&](Json& step, const std::string& type) {
    lower = lower || type == "Lowercase" || (type == "BertNormalizer" && memberFlag(step, "lowercase", true));
  });
  return lower;
}

// The default settings of BERT's tokenizers with the usual marks.
bool isPlainWordPiece(const PipelineTokenizer& made, const Json& base) {
  const Json& normalizer = base["normalizer"];
  const bool lower = memberFlag(normalizer, "lowercase", true);
  const Json strip = memberObject(base, "normalizer").value("strip_accents", Json());
  const Json& model = base["model"];
  const TokenRoles& roles = made.roles();
  const bool marks = roles.cls == "[CLS]" && roles.sep == "[SEP]" && roles.pad == "[PAD]" &&
                     roles.unknown == "[UNK]" && (roles.mask.empty() || roles.mask == "[MASK]");
  const bool others = std::any_of(made.added().begin(), made.added().end(), [&](const AddedToken& token) {
    const auto& text = token.content;
    return text != roles.cls && text != roles.sep && text != roles.pad && text != roles.unknown &&
           text != roles.mask;
  });
  return made.model() == "WordPiece" && memberText(normalizer, "type") == "BertNormalizer" &&
         memberFlag(normalizer, "clean_text", true) && memberFlag(normalizer, "handle_chinese_chars", true) &&
         (strip.is_null() || strip == Json(lower)) &&
         memberText(base["pre_tokenizer"], "type") == "BertPreTokenizer" && marks && !others &&
         memberText(model, "continuing_subword_prefix", "##") == "##" &&
         memberInteger(model, "max_input_chars_per_word", 100) == 100 && made.pairs() == PairLayout::Bert;
}

std::map<std::string, std::string> plainFilesOf(const PipelineTokenizer& made, const Json& base) {
  const PieceTable& table = made.table();
  if (table.count() != table.idEnd()) return {};
  if (made.model() == "WordPiece") {
    std::string text;
    for (std::int64_t id = 0; id < table.idEnd(); ++id) text += table.piece(id) + "\n";
    return {{"vocab.txt", std::move(text)}};
  }
  if (made.model() != "BPE" || !made.byteLevel()) return {};
  std::string merges = "#version: 0.2\n";
  for (const Json& merge : memberList(base["model"], "merges"))
    merges += (merge.is_array() ? merge[0].get<std::string>() + " " + merge[1].get<std::string>()
                                : merge.get<std::string>()) +
              "\n";
  return {{"vocab.json", base["model"]["vocab"].dump() + "\n"}, {"merges.txt", std::move(merges)}};
}

EncoderTokenizer readAll(const TokenizerFiles& files, bool matchRoles, bool prefixBlank, TextForm form) {
  EncoderTokenizer made;
  TokenizerSettings settings = readTokenizerSettings(files);
  made.passedOver = settings.passedOver;
  const std::string path = files.path(kTokenizerJson);
  Json base;
  if (files.has(kTokenizerJson)) {
    base = parseJson(files.bytes.at(kTokenizerJson), path).value();
    if (!base.is_object()) throw Failure(dataErrorAt(path, 0, Phrase::tr("is not a JSON object")));
    checkAgreement(base, settings, path, files.path(kTokenizerConfig));
    if (!base.contains("added_tokens") || base["added_tokens"].is_null())
      base["added_tokens"] = Json::array();
    for (const char* key : {"normalizer", "pre_tokenizer", "post_processor", "decoder", "model"})
      if (!base.contains(key)) base[key] = Json();
  } else {
    base = BaseMaker(files, settings, made.notes, form).make();
  }
  mergeAdded(base, settings, path);
  if (prefixBlank)
    eachStep(base["pre_tokenizer"], "pretokenizers", [](Json& step, const std::string& type) {
      if (type == "ByteLevel") step["add_prefix_space"] = true;
    });
  made.pipeline = PipelineTokenizer::fromJson(base, path, settings.roles, matchRoles, form).value();
  const auto& passed = made.pipeline->passedOver();
  for (const std::string& key : passed) made.passedOver.push_back(std::string(kTokenizerJson) + ": " + key);
  base["truncation"] = nullptr;
  base["padding"] = nullptr;
  made.files[kTokenizerJson] = base.dump(1) + "\n";
  made.files[kTokenizerConfig] = configOf(made, settings, base).dump(1) + "\n";
  made.plainFiles = plainFilesOf(*made.pipeline, base);
  if (files.has("vocab.txt")) made.plainFiles = {{"vocab.txt", files.bytes.at("vocab.txt")}};
  made.lowerCase = lowers(base["normalizer"]);
  made.plainWordPiece = made.plainFiles.contains("vocab.txt") && isPlainWordPiece(*made.pipeline, base);
  return made;
}

}  // namespace

Result<EncoderTokenizer> readEncoderTokenizer(const TokenizerFiles& files, bool matchRoles, bool prefixBlank,
                                              TextForm form) {
  try {
    return readAll(files, matchRoles, prefixBlank, form);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<TokenizerFiles> tokenizerFilesIn(const std::string& folder) {
  TokenizerFiles files;
  files.folder = folder;
  for (const char* name : kReadNames) {
    const std::string path = files.path(name);
    if (!fileExists(path)) continue;
    FATHOM_TRY(files.bytes[name], readFile(path, kMostBytes));
  }
  return files;
}

}  // namespace fathom
