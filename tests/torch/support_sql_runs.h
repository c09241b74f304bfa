// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <string>
#include <vector>

#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "core/train/loop/training_run.h"
#include "tests/torch/support_tiny_run.h"

namespace fathom::test {

// Small runs of questions to SQL on the made data: an encoder of two layers without weights of its
// own, one layer above it; a second or two each.
class SqlRuns {
 public:
  SqlRuns() : m_options(writeMadeTextToSql(path("data"), 1, MadeDataSize::Check).value().options) {}
  std::string path(const std::string& name) const { return (m_folder.path() + "/").toStdString() + name; }
  RunReport train(const std::string& name, const std::vector<std::string>& assignments = {},
                  RunWatcher* watcher = nullptr) const {
    TrainRequest request;
    request.watcher = watcher;
    request.runPath = path(name);
    request.watchStandardInput = request.watchSignals = false;
    request.config.name = name;
    request.config.options = m_options;
    request.config.options.update(small());
    request.assignments = assignments;
    return trainRun(request);
  }
  RunReport resume(const std::string& name, const std::string& checkpoint = {}) const {
    ResumeRequest request;
    request.runPath = path(name);
    request.checkpoint = checkpoint;
    request.watchStandardInput = request.watchSignals = false;
    return resumeRun(request);
  }

 private:
  static Json small() {
    return {{"task", "text_to_sql"},
            {"model", "sql_sp"},
            {"spider.linking", "stems"},
            {"spider.max_train", 24},
            {"spider.max_validation", 6},
            {"spider.max_pieces", 300},
            {"spider.item_order", "fixed"},
            {"batch.examples", 6},
            {"model.width", 16},
            {"model.heads", 2},
            {"model.feed_forward", 16},
            {"model.bert.max_positions", 300},
            {"encoder.layers", 2},
            {"extra.layers", 1},
            {"extra.attention", "relation_aware"},
            {"model.extra_layers.heads", 2},
            {"model.extra_layers.feed_forward", 16},
            {"model.sql_sp.width", 16},
            {"model.sql_sp.hidden", 16},
            {"model.sql_sp.vector", 16},
            {"model.sql_sp.decoder_heads", 2},
            {"model.sql_sp.action_width", 8},
            {"model.sql_sp.type_width", 8},
            {"lr_schedule.warmup", 2},
            {"lr_schedule.rate", 0.003},
            {"device", "cpu"},
            {"threads", 1},
            {"training.length", "8u"},
            {"validation.interval", "never"},
            {"validation.score_interval", "never"},
            {"validation.beam", 1},
            {"validation.max_steps", 20},
            {"predict.max_steps", 20},
            {"checkpoint.interval", "2u"},
            {"checkpoint.keep_last", 10},
            {"divergence.not_learning_after", 0}};
  }

  QTemporaryDir m_folder;
  Json m_options;
};

// What a run tells while it goes on.
class MessagesOfRun : public RunWatcher {
 public:
  void message(const std::string& text) override { texts.push_back(text); }
  bool has(const std::string& part) const {
    for (const std::string& text : texts)
      if (text.find(part) != std::string::npos) return true;
    return false;
  }
  std::vector<std::string> texts;
};

}  // namespace fathom::test
