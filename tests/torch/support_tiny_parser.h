// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <string>
#include <vector>

#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "core/train/loop/training_run.h"

namespace fathom::test {

// Small runs of SQL-SP on the generated data: two layers of an encoder, three relational ones, float64.
class TinyParsers {
 public:
  TinyParsers() : m_sample(writeMadeTextToSql(path("data"), 1, MadeDataSize::Check).value()) {}
  std::string path(const std::string& name) const { return (m_folder.path() + "/").toStdString() + name; }
  RunReport train(const std::string& name, const std::vector<std::string>& assignments = {},
                  RunAnalyst* analyst = nullptr) const {
    TrainRequest request;
    request.analyst = analyst;
    request.runPath = path(name);
    request.watchStandardInput = request.watchSignals = false;
    request.config.name = name;
    request.config.options = {{"task", "text_to_sql"},
                              {"model", "sql_sp"},
                              {"precision", "float64"},
                              {"spider.linking", "stems"},
                              {"spider.max_train", 40},
                              {"spider.max_validation", 20},
                              {"spider.item_order", "fixed"},
                              {"model.width", 16},
                              {"model.heads", 2},
                              {"model.feed_forward", 32},
                              {"encoder.layers", 2},
                              {"model.sql_sp.width", 16},
                              {"model.sql_sp.hidden", 16},
                              {"model.sql_sp.vector", 16},
                              {"model.sql_sp.decoder_heads", 2},
                              {"model.sql_sp.action_width", 8},
                              {"model.sql_sp.type_width", 8},
                              {"extra.layers", 3},
                              {"extra.residual", "unnormalised"},
                              {"extra.attention", "relation_aware"},
                              {"model.extra_layers.heads", 2},
                              {"model.extra_layers.feed_forward", 32},
                              {"init", "dt_fixup"},
                              {"init.dt_fixup.mu", "paper"},
                              {"batch.examples", 8},
                              {"batch.evaluation_examples", 8},
                              {"lr_schedule", "dt_fixup"},
                              {"lr_schedule.rate", 0.001},
                              {"lr_schedule.warmup", 0},
                              {"device", "cpu"},
                              {"threads", 1},
                              {"training.length", "10u"},
                              {"validation.interval", "10u"},
                              {"validation.score_interval", "never"},
                              {"checkpoint.interval", "10u"}};
    request.config.options.update(m_sample.options);
    request.assignments = assignments;
    return trainRun(request);
  }

 private:
  QTemporaryDir m_folder;
  MadeData m_sample;
};

}  // namespace fathom::test
