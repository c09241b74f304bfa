// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_form_schema.h"

namespace fathom::test {

namespace {

OptionField field(const char* key, OptionType type, Json value, const char* title, const char* group) {
  OptionField result;
  result.key = key;
  result.type = type;
  result.defaultValue = std::move(value);
  result.title = title;
  result.help = std::string("What ") + title + " does, in one sentence.";
  result.group = group;
  return result;
}

OptionField ranged(OptionField base, double low, double high, const char* unit) {
  base.minimum = low;
  base.maximum = high;
  base.unit = unit;
  return base;
}

}  // namespace

OptionSchema formSchema() {
  std::vector<OptionField> fields;
  fields.push_back(field("data.train", OptionType::Path, "", "Training pairs", "Data"));
  auto share = field("data.validation_share", OptionType::Real, 0.1, "Validation share", "Data");
  share.enabledWhen = {{"data.train", OptionClause::Test::In, {Json("")}}};
  fields.push_back(share);
  auto header = field("data.header", OptionType::Flag, false, "Header", "Data");
  header.enabledWhen = {{"data.train", OptionClause::Test::NotIn, {Json("")}}};
  fields.push_back(header);
  fields.push_back(
      field("data.languages", OptionType::TextList, Json::array({"de", "en"}), "Languages", "Data"));
  fields.push_back(ranged(field("encoder.layers", OptionType::Integer, 6, "Encoder layers", "Model/Encoder"),
                          1, 200, "layers"));
  auto residual =
      field("encoder.residual", OptionType::Choice, "post_ln", "Residual scheme", "Model/Encoder");
  residual.choices = {{"post_ln", "Post-LN"}, {"pre_ln", "Pre-LN"}, {"admin", "Admin"}};
  residual.reference = "Admin §4.3";
  fields.push_back(residual);
  auto batches = ranged(field("encoder.residual.admin.profile_batches", OptionType::Integer, 1,
                              "Profile batches", "Model/Encoder"),
                        1, 64, "");
  batches.enabledWhen = {{"encoder.residual", OptionClause::Test::In, {Json("admin")}}};
  fields.push_back(batches);
  fields.push_back(
      ranged(field("model.width", OptionType::Integer, 512, "Width", "Model"), 8, 8192, "units"));
  fields.push_back(ranged(field("model.heads", OptionType::Integer, 8, "Heads", "Model"), 1, 128, "heads"));
  fields.push_back(ranged(field("model.dropout", OptionType::Real, 0.1, "Dropout", "Model"), 0, 0.9, ""));
  fields.push_back(field("optim.lr", OptionType::Real, 0.001, "Learning rate", "Optimiser"));
  fields.push_back(
      field("optim.betas", OptionType::RealList, Json::array({0.9, 0.98}), "Betas", "Optimiser"));
  fields.push_back(field("train.length", OptionType::Time, "300u", "Training length", "Training"));
  fields.push_back(field("train.share", OptionType::Flag, true, "Share embeddings", "Training"));
  fields.push_back(field("train.note", OptionType::Text, "", "Note", "Training"));
  std::vector<OptionRule> rules;
  OptionClause deep{"encoder.layers", OptionClause::Test::AtLeast, {Json(100)}};
  OptionClause post{"encoder.residual", OptionClause::Test::In, {Json("post_ln")}};
  rules.push_back({{deep, post},
                   "Post-LN does not train with 100 layers or more.",
                   {"encoder.layers", "encoder.residual"}});
  return OptionSchema(std::move(fields), std::move(rules));
}

}  // namespace fathom::test
