// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/recipes/figure_builder.h"

namespace fathom {

class JobCenter;
class ProjectService;

// The figures of recipes as they were read from the open project in jobs, and what keeps one from being
// drawn.
class BuiltFigures {
  Q_DECLARE_TR_FUNCTIONS(BuiltFigures)
 public:
  // Both are borrowed.
  BuiltFigures(ProjectService* service, JobCenter* jobs) : m_service(service), m_jobs(jobs) {}

  // Reads those that are not known, in a job of `owner`, and calls `then`; at once where all are known.
  void read(const std::vector<FigureRecipe>& recipes, const QString& title, const QString& owner,
            const std::function<void(const Status&)>& then);
  // Computes and stores the results that figures of the page lack, in a job of `owner`, and forgets those
  // figures.
  void compute(const FigureComposition& page, const QString& owner,
               const std::function<void(const Status&)>& then);
  void forget();
  // The recipe was stored without naming its results: its figure shows what is newest.
  void noteUnpinned(const FigureRecipe& recipe);

  // Null: it was not read yet, or cannot be drawn.
  const FigureSpec* figure(const FigureRecipe& recipe) const;
  // Why it cannot be drawn, or may change by itself; empty: neither.
  QString problem(const FigureRecipe& recipe) const;
  // As the page shows them, an empty one where one cannot be drawn; std::nullopt while their data come.
  std::optional<std::vector<FigureSpec>> shownOn(const FigureComposition& page) const;
  // All of the page; std::nullopt where one of them cannot be drawn.
  std::optional<std::vector<FigureSpec>> figuresOf(const FigureComposition& page) const;
  // The panels that stay empty, and why, one line each; whether they lack what can be computed here.
  QStringList emptyPanels(const FigureComposition& page) const;
  bool canBeComputed(const FigureComposition& page) const { return !lacking(page).empty(); }
  // The page with the results named that its panels show; std::nullopt where they are named already. Panels
  // of `noteUnpinned` stay as they are.
  std::optional<FigureComposition> pinned(const FigureComposition& page);
  // Everything that was computed for the page is named by it, so that it stays what it is.
  bool allPinned(const FigureComposition& page) const;

 private:
  struct Built {
    Result<FigureSpec> spec;
    FigurePins pins;  // the stored results that it was made of
    std::map<std::string, std::string> runNames;
    std::optional<MissingResult> missing;  // what keeps it from being drawn
  };
  using ByKey = std::map<std::string, Built>;  // by recipeKey
  static Result<ByKey> build(const std::string& project, const std::vector<FigureRecipe>& recipes,
                             Progress& progress, const StopToken& stop);
  static QString whyEmpty(const Built& built);
  const Built* find(const FigureRecipe& recipe) const;
  std::vector<FigureRecipe> lacking(const FigureComposition& page) const;
  bool isUnpinned(const FigureRecipe& recipe) const;
  ProjectService* m_service;
  JobCenter* m_jobs;
  ByKey m_built;
  std::set<std::string> m_unpinned;
};

}  // namespace fathom
