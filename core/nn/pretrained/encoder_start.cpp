// SPDX-License-Identifier: Apache-2.0
// Pre-trained weights into a model (encoder_folder.h).
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/numbers/random_stream.h"
#include "core/nn/parameter_store.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/gpt2_names.h"
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/lifting.h"
#include "core/nn/pretrained/option_names.h"
#include "core/nn/pretrained/run_encoder.h"
#include "core/nn/pretrained/token_table.h"
#include "core/nn/pretrained/weights_file.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr const char* kWeightsKeys[] = {kBertWeights, kEtcWeights, kCausalWeights};
constexpr const char* kSegmentTable = "embedding.segment.weight";
constexpr const char* kTokenTable = "embedding.token.weight";
constexpr const char* kTwoStreams = "etc";

bool isHead(const std::string& name) {
  return name.starts_with("mlm.") || name.starts_with("nsp.");
}

// Rows for a table that the weights do not have in this size.
torch::Tensor freshSegments(const torch::Tensor& table, std::uint64_t seed) {
  constexpr double kDeviation = 0.02;
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(streamSeed(seed, kSegmentTable));
  return at::empty(table.sizes(), torch::kFloat32).normal_(0, kDeviation, generator);
}

Error doesNotFit(const std::string& file, const std::string& name, const torch::Tensor& own,
                 const torch::Tensor& theirs) {
  if (name == kTokenTable)
    return dataErrorAt(
        file, 0,
        Phrase::tr(
            "the vocabulary has %1 tokens, the token table of the pre-trained weights %2 rows of width %3")(
            own.size(0), theirs.size(0), theirs.size(1)),
        Phrase::tr("use the vocabulary that belongs to the weights"));
  return dataErrorAt(file, 0,
                     Phrase::tr("'%1' has shape %2 in the pre-trained weights, the model needs %3")(
                         name, shapeText(theirs.sizes()), shapeText(own.sizes())),
                     Phrase::tr("the options of the model differ from those of the weights"));
}

// The source of one parameter, and its values; nothing where it keeps its own.
struct Taken {
  std::string source;
  torch::Tensor values;
};

class WeightsTaker {
 public:
  WeightsTaker(const Model& model, const EncoderWeights& weights, std::uint64_t seed)
      : m_weights(weights),
        m_seed(seed),
        m_lifts(model.id() == kTwoStreams && weights.model() != kTwoStreams) {}

  Result<std::optional<Taken>> take(const ParameterInfo& info, const torch::Tensor& own) const {
    const std::string& name = info.name;
    const auto lifted = m_lifts ? liftedFrom(name) : LiftedFrom{name};
    if (!lifted) return std::optional<Taken>();
    const auto found = m_weights.tensors.find(lifted->name);
    const bool there = found != m_weights.tensors.end();
    const bool stack = info.stack == StackKind::Encoder || info.stack == StackKind::Global ||
                       info.stack == StackKind::Decoder;
    const bool part = stack || name.starts_with("embedding.");
    if (!part && (!there || (isHead(name) && found->second.sizes() != own.sizes())))
      return std::optional<Taken>();
    if (!there)
      return dataErrorAt(m_weights.file, 0, Phrase::tr("the pre-trained weights lack '%1'")(lifted->name),
                         Phrase::tr("the options of the model differ from those of the weights"));
    const torch::Tensor& theirs = found->second;
    const bool table = theirs.dim() == 2 && own.dim() == 2 && theirs.size(1) == own.size(1);
    if (lifted->firstRow && table && theirs.size(0) > 0)
      return std::optional<Taken>(Taken{lifted->name, theirs.narrow(0, 0, 1).expand_as(own)});
    if (theirs.sizes() == own.sizes()) return std::optional<Taken>(Taken{lifted->name, theirs});
    if (name == kSegmentTable && table && theirs.size(0) == 1 && own.size(0) > 1)
      return std::optional<Taken>(Taken{"", freshSegments(own, m_seed)});
    return doesNotFit(m_weights.file, name, own, theirs);
  }

 private:
  const EncoderWeights& m_weights;
  std::uint64_t m_seed;
  bool m_lifts;
};

// Options under which the same tensors would be another function.
Status checkMeaning(const OptionValues& options, const EncoderWeights& weights, const std::string& folder) {
  const bool lifted = options.text("model") == kTwoStreams && weights.model() != kTwoStreams;
  const bool both = options.text("model") == kTwoStreams && weights.model() == kTwoStreams;
  if (options.text("model") != kTwoStreams && weights.model() == kTwoStreams)
    return aboutKey(
        "model", dataError(Phrase::tr("the weights in %1 are those of ETC, a model of two streams")(folder),
                           Phrase::tr("choose model=etc and model.etc.weights")));
  const bool causal = options.text("model") == kCausalModel;
  if (causal != weights.causal())
    return aboutKey(
        "model", causal
                     ? dataError(Phrase::tr("the weights in %1 are those of an encoder, which reads both "
                                            "sides of a token")(folder),
                                 Phrase::tr("name those of a GPT-2 or of a run of causal_decoder"))
                     : dataError(Phrase::tr("the weights in %1 are those of a decoder alone (GPT-2)")(folder),
                                 Phrase::tr("choose model=causal_decoder and model.causal_decoder.weights")));
  std::vector<std::string> keys = {"model.heads"};
  if (causal) keys.insert(keys.end(), {"decoder.residual", "model.activation", kCausalNormEps});
  if (lifted || !weights.run.empty()) keys.insert(keys.end(), {"encoder.residual", "model.activation"});
  if (both) keys.emplace_back("encoder.attention.global_local.distance");
  for (const std::string& key : keys) {
    const auto theirs = weights.options.find(key);
    if (theirs == weights.options.end() || *theirs == options.value(key)) continue;
    return aboutKey(key, dataError(Phrase::tr("%1=%2, but the weights in %3 were trained with %4")(
                                       key, options.value(key).dump(), folder, theirs->dump()),
                                   Phrase::tr("set %1 as the weights have it")(key)));
  }
  return {};
}

}  // namespace

Json WeightsTaken::toJson() const {
  Json json = {{"from", from}, {"sources", sources}, {"unused", unused}};
  if (!run.empty()) json["run"] = run;
  if (!checkpoint.empty()) json["checkpoint"] = checkpoint;
  return json;
}

Result<WeightsTaken> loadEncoderWeights(Model& model, const EncoderWeights& weights, std::uint64_t seed) {
  WeightsTaken taken;
  taken.run = weights.run;
  taken.checkpoint = weights.checkpoint;
  std::vector<std::pair<const Parameter*, torch::Tensor>> copies;
  std::set<std::string> used;
  const WeightsTaker taker(model, weights, seed);
  const ParameterStore& store = model.parameters();
  for (const Parameter& parameter : store.parameters()) {
    FATHOM_TRY(const auto one, taker.take(parameter.info, store.value(parameter)));
    if (!one) {
      taken.kept.push_back(parameter.info.name);
      continue;
    }
    taken.sources[parameter.info.name] = one->source;
    used.insert(one->source);
    copies.emplace_back(&parameter, one->values);
  }
  for (const auto& [name, tensor] : weights.tensors)
    if (used.count(name) == 0) taken.unused.push_back(name);
  taken.unused.insert(taken.unused.end(), weights.ignored.begin(), weights.ignored.end());
  const at::NoGradGuard noGrad;
  for (const auto& [parameter, tensor] : copies) store.value(*parameter).copy_(tensor);
  return taken;
}

namespace {

// Tables are padded to a multiple, of 1,024 at most; larger vocabularies leave room for more.
constexpr std::int64_t kPadding = 1024;
// A vocabulary that was cut down to some languages leaves several rows for each piece that stayed.
constexpr std::int64_t kSpareForEachPiece = 15;

struct TokenTable {
  std::int64_t rows = 0;
  std::int64_t pieces = 0;  // of the vocabulary that came with it; 0: not known
};

// The pieces a run kept of the table it began with (Task::keptFiles).
std::int64_t keptPieces(const std::string& run) {
  const auto kept = readJsonFile(RunFolder(run).artifactsPath() + "/token_table.json");
  return kept.ok() ? memberInteger(*kept, "pieces") : 0;
}

Result<TokenTable> tokenTableOf(const std::string& folder) {
  TokenTable table;
  if (const auto run = runOfWeights(folder)) {
    FATHOM_TRY(table.rows, runTokenRows(*run, folder));
    table.pieces = keptPieces(*run);
    return table;
  }
  FATHOM_TRY(const WeightsFile file, WeightsFile::open(folder));
  if (const auto safe = SafetensorsFile::open(file.path()); safe.ok()) {
    const auto pieces = safe->metadata().find(kPiecesFact);
    if (pieces != safe->metadata().end()) table.pieces = std::atoll(pieces->second.c_str());
  }
  for (const WeightsFile::Head& head : file.heads()) {
    const std::size_t dot = head.name.find('.');
    const auto own = ownEncoderName(head.name), inside = ownEncoderName(head.name.substr(dot + 1));
    const bool is = head.name == kTokenTable || withoutGpt2Prefix(head.name) == kGpt2Tokens ||
                    own.value_or("") == kTokenTable || inside.value_or("") == kTokenTable;
    if (!is || head.shape.size() != 2) continue;
    table.rows = head.shape[0];
    break;
  }
  return table;
}

}  // namespace

std::int64_t mostSpareRows(std::int64_t pieces) {
  return std::max(kPadding, kSpareForEachPiece * pieces);
}

std::int64_t pretrainedTokenRows(const OptionValues& options, std::int64_t pieces) {
  for (const char* key : kWeightsKeys) {
    const bool known = options.schema().find(key) != nullptr && options.active(key);
    if (!known || options.text(key).empty()) continue;
    const auto table = tokenTableOf(options.text(key));
    if (!table.ok()) return 0;
    const std::int64_t most =
        table->pieces == pieces ? mostSpareRows(pieces) : std::max(kPadding, table->rows / 20);
    return table->rows - pieces <= most ? table->rows : 0;
  }
  return 0;
}

Result<std::optional<WeightsTaken>> loadPretrained(const OptionValues& options, Model& model) {
  for (const char* key : kWeightsKeys) {
    const std::string folder = options.active(key) ? options.text(key) : "";
    if (folder.empty()) continue;
    FATHOM_TRY(const EncoderWeights weights, readEncoder(folder));
    FATHOM_CHECK(checkMeaning(options, weights, folder));
    const auto seed = options.schema().find("seed") == nullptr ? std::int64_t{1} : options.integer("seed");
    FATHOM_TRY(WeightsTaken taken, loadEncoderWeights(model, weights, static_cast<std::uint64_t>(seed)));
    taken.from = folder;
    return std::optional<WeightsTaken>(std::move(taken));
  }
  return std::optional<WeightsTaken>();
}

}  // namespace fathom
