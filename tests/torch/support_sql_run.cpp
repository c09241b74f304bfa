// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_sql_run.h"

#include "core/base/files/atomic_file.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "core/train/parts/run_options.h"

namespace fathom::fixtures {

Json tinySqlOptions(const Json& data) {
  Json options = readJsonFile(FATHOM_SOURCE_DIR "/resources/presets/sql_sp_quick.json").value().at("options");
  options.update(data);
  const Json tiny = {{"model.width", 32},
                     {"model.heads", 4},
                     {"model.feed_forward", 64},
                     {"encoder.layers", 2},
                     {"model.dropout", 0.0},
                     {"model.attention_dropout", 0.0},
                     {"model.sql_sp.encoder", "trained"},
                     {"model.sql_sp.question_dropout", 0.0},
                     {"model.sql_sp.schema_dropout", 0.0},
                     {"model.sql_sp.vector_dropout", 0.0},
                     {"model.bert.weights", ""},
                     {"spider.linking", "stems"},
                     {"spider.max_train", 0},
                     {"spider.max_validation", 0},
                     {"device", "cpu"}};
  options.update(tiny);
  return options;
}

SqlSampleRun::SqlSampleRun(const std::vector<std::string>& assignments) {
  const MadeData made = writeMadeTextToSql(m_folder.path().toStdString(), 1, MadeDataSize::Check).value();
  RunConfig config;
  config.options = tinySqlOptions(made.options);
  const OptionValues options = runOptions(config, "test", assignments).value();
  m_parts = makeRunParts(options, {TaskSetup{}, "cpu"}).value();
  initialiseParts(m_parts, options, false).value();
}

DeviceBatch SqlSampleRun::batch(std::int64_t index) const {
  return toDevice(task().makeBatch(DataSplit::Train, index), torch::kCPU);
}

double SqlSampleRun::lossAndGradients(const DeviceBatch& batch) const {
  m_parts.model->parameters().zeroGradients();
  StepContext context;
  context.training = true;
  const LossTerms terms = objective().forward(model(), batch, context);
  terms.loss.backward();
  return terms.loss.item<double>();
}

std::map<std::string, torch::Tensor> SqlSampleRun::gradients() const {
  std::map<std::string, torch::Tensor> found;
  for (const Leaf& leaf : m_parts.model->parameters().leaves())
    if (leaf.tensor.grad().defined()) found[leaf.name] = leaf.tensor.grad().clone();
  return found;
}

}  // namespace fathom::fixtures
