// SPDX-License-Identifier: GPL-3.0-or-later
// Part of the application's precompiled header of preset `dev` (Precompiled.cmake), never included by a
// source file.
#pragma once

#include <CLI/CLI.hpp>
#include <QActionGroup>

#include "app/command.h"
#include "app/recipes/figure_builder.h"
#include "app/recipes/library_source.h"
#include "app/runner/engine_description.h"
#include "app/runner/event_follower.h"
#include "app/window/attention/analysis_loader.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/session/appearance.h"
#include "app/window/train/curve_stack.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/results/analysis_store.h"
#include "core/review/review_judgements.h"
#include "core/review/stored_review.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/data/data_page.h"
#include "views/panels/figures/figure_list_panel.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/train/grid_editor.h"
#include "views/tables/error_review.h"

namespace fathom {

// As in edit_loop_code.h.
inline void compiledWithTheWindow(QList<QAction*>& a, QList<QAction*>& b, std::vector<FigureMark>& marks,
                                  FigureMark& mark, FigureComposition& page, EngineDescription& engine,
                                  std::optional<EngineDescription>& known) {
  a = b;
  a.append(nullptr);
  a.push_back(a.first());
  for (QAction* action : std::as_const(a)) action->setEnabled(true);
  marks.push_back(mark);
  marks.push_back(std::move(mark));
  std::unique_ptr<FigureBuilder> builder;
  builder.reset();
  std::map<std::string, std::unique_ptr<FigureReview>> reviews;
  reviews.clear();
  FigureComposition copy = page;
  page = copy;
  page = std::move(copy);
  std::optional<FigureComposition> open = page;
  open = page;
  open = std::move(page);
  known = engine;
  known = std::move(engine);
  std::unique_ptr<CurveIndex> index;
  index.reset();
  QList<DataSummary::Example> examples, others = examples;
  examples.append(others);
  std::vector<RunRow> rows;
  rows.push_back(RunRow());
  QList<RunItem> items, moreItems = items;
  items.append(RunItem());
  items.append(moreItems);
  (void)QMetaType::fromType<std::shared_ptr<const EventBatch>>();
}

}  // namespace fathom
