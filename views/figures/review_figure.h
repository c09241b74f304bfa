// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/review/judged_review.h"
#include "core/review/reviewed_sql.h"
#include "core/spider/judgement/error_breakdown.h"
#include "views/figure/figure_spec.h"
#include "views/figures/figure_parts.h"
#include "views/files/latex_table.h"

namespace fathom {

// Input of figures of a review of predictions. Models have the colours series:0, series:1, … in the
// order of the review, as everywhere in the window.
struct ReviewFigureInput {
  const Review& review;                               // borrowed
  std::vector<std::vector<std::uint8_t>> categories;  // [model][example], people's verdicts first
  const Judgements* judgements = nullptr;             // of the same review, borrowed; null: nobody judged
};
// Content of SQL reviews alone; an internal error where a figure is listed for another kind that needs it.
Result<const SpiderReview*> spiderOf(const ReviewFigureInput& input);

// Selection strings of the examples behind the cells of a table, by row and column; empty, and what is
// missing at the end: a cell leads nowhere.
using CellSelections = std::vector<std::vector<std::string>>;

// A figure with its numbers as a table: the CSV file beside an exported figure.
struct ReviewFigure {
  FigureSpec spec;
  PaperTable table;
  CellSelections cells = {};  // of the table
  // The last row of the table leads there, in every cell.
  void lastRowLeadsTo(const std::string& selection);
};

// "set:graphix", with a category "set:graphix/cat:column", with examples "set:graphix/ex:3*,17".
std::string reviewSelection(const std::string& model, const std::string& category = {},
                            const std::vector<std::size_t>& examples = {});
// "set:graphix/ex:3*,17"; empty without examples, where reviewSelection() would name all of the model.
std::string selectionOfExamples(const std::string& model, const std::vector<std::size_t>& examples);
// "ex:3*,17", to be added to the selection of a mark; empty without examples.
std::string examplesPart(const std::vector<std::size_t>& examples);
std::string modelLabel(const ReviewModel& model);  // markup
MarkStyle modelStyle(std::size_t model);           // colour and marker
// A category axis with the names of the models, turned where they are long.
FigureAxis modelAxis(const Review& review);
// --set system=NAME: the one that is drawn; empty, or another review's: the first.
OptionField systemField();
std::size_t systemOf(const ReviewFigureInput& input, const OptionValues& options);
// --set verdicts=people: scores, differences and intervals count what people say of answers and gold.
OptionField verdictsField();
inline constexpr const char* kVerdictsOfMetric = "metric";
// The review by people's verdicts, where the option asks for them; the note says how many there are.
std::optional<JudgedReview> peoplesReview(const ReviewFigureInput& input, const OptionValues& options,
                                          FigureSpec& spec);
// Easy, medium, hard, extra, all.
const std::vector<std::string>& hardnessLabels();
// An axis with the first `levels` of them.
FigureAxis hardnessAxis(std::size_t levels);
FigureMark barsMark(std::vector<double> x, std::vector<double> height, double width, std::string colour);

}  // namespace fathom
