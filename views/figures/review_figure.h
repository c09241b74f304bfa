// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/spider/judgement/error_breakdown.h"
#include "core/spider/judgement/spider_review.h"
#include "views/figure/figure_spec.h"
#include "views/figures/figure_parts.h"
#include "views/files/latex_table.h"

namespace fathom {

// What figures of a review of predictions are made of. Models have the colours series:0, series:1, … in the
// order of the review, as everywhere in the window.
struct ReviewFigureInput {
  const SpiderReview& review;                          // borrowed
  std::vector<std::vector<ErrorCategory>> categories;  // [model][example], people's verdicts first
};

// A figure with its numbers as a table: the CSV file beside an exported figure.
struct ReviewFigure {
  FigureSpec spec;
  PaperTable table;
};

// "set:graphix", with a category "set:graphix/cat:column", with examples "set:graphix/ex:3,17".
std::string reviewSelection(const std::string& model, const std::string& category = {},
                            const std::vector<std::size_t>& examples = {});
std::string modelLabel(const ReviewModel& model);  // markup
MarkStyle modelStyle(std::size_t model);           // colour and marker
// A category axis with the names of the models, turned where they are long.
FigureAxis modelAxis(const SpiderReview& review);
// Easy, medium, hard, extra, all.
const std::vector<std::string>& hardnessLabels();
// An axis with the first `levels` of them.
FigureAxis hardnessAxis(std::size_t levels);
std::vector<SpiderHardness> exampleHardness(const SpiderReview& review);
FigureMark barsMark(std::vector<double> x, std::vector<double> height, double width, std::string colour);

}  // namespace fathom
