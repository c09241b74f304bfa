// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/built_figures.h"

#include <algorithm>
#include <utility>

#include "app/recipes/missing_results.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_parts.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

// Stands where a figure cannot be drawn.
FigureSpec emptyFigure(const QString& text) {
  FigureSpec spec;
  spec.id = "missing";
  FigurePanel panel;
  panel.x.scale = panel.y.scale = AxisScale::None;
  panel.x.minimum = panel.y.minimum = 0;
  panel.x.maximum = panel.y.maximum = 1;
  panel.marks.push_back(textMark(0.5, 0.5, markupOf(toUtf8(text))));
  panel.marks.back().style.colour = "secondary";
  spec.panels.push_back(std::move(panel));
  return spec;
}

}  // namespace

Result<BuiltFigures::ByKey> BuiltFigures::build(const std::string& project,
                                                const std::vector<FigureRecipe>& recipes, Progress& progress,
                                                const StopToken& stop) {
  FATHOM_TRY(const auto builder, FigureBuilder::open(project));
  ByKey built;
  for (const FigureRecipe& recipe : recipes) {
    if (stop.stopRequested()) return interruptedError();
    FigureRecipe pinned = recipe;
    auto spec = builder->buildAndPin(pinned, progress, stop);
    built.insert_or_assign(recipeKey(recipe), Built{std::move(spec), pinned.pins.value_or(FigurePins()),
                                                    pinned.runNames, builder->missing()});
  }
  return built;
}

void BuiltFigures::read(const std::vector<FigureRecipe>& recipes, const QString& title, const QString& owner,
                        const std::function<void(const Status&)>& then) {
  std::vector<FigureRecipe> wanted;
  std::copy_if(recipes.begin(), recipes.end(), std::back_inserter(wanted),
               [this](const FigureRecipe& recipe) { return find(recipe) == nullptr; });
  if (wanted.empty()) return then({});
  m_jobs->start<ByKey>(
      title, owner,
      [project = toUtf8(m_service->path()), wanted](Progress& progress, const StopToken& stop) {
        return build(project, wanted, progress, stop);
      },
      [this, then](Result<ByKey> built) {
        if (!built.ok()) return then(built.error());
        for (auto& [key, each] : *built) m_built.insert_or_assign(key, std::move(each));
        then({});
      });
}

void BuiltFigures::compute(const FigureComposition& page, const QString& owner,
                           const std::function<void(const Status&)>& then) {
  const std::vector<FigureRecipe> recipes = lacking(page);
  m_jobs->start<bool>(
      tr("Computing what the page lacks"), owner,
      [project = toUtf8(m_service->path()), recipes](Progress& progress,
                                                     const StopToken& stop) -> Result<bool> {
        for (const FigureRecipe& recipe : recipes)
          FATHOM_CHECK(computeMissingResults(recipe, project, progress, stop));
        return true;
      },
      [this, recipes, then](const Result<bool>& computed) {
        for (const FigureRecipe& recipe : recipes) m_built.erase(recipeKey(recipe));
        then(computed.ok() ? Status() : Status(computed.error()));
      });
}

void BuiltFigures::forget() {
  m_built.clear();
  m_unpinned.clear();
}

void BuiltFigures::noteUnpinned(const FigureRecipe& recipe) {
  m_unpinned.insert(recipeKey(recipe));
}

const BuiltFigures::Built* BuiltFigures::find(const FigureRecipe& recipe) const {
  const auto known = m_built.find(recipeKey(recipe));
  return known == m_built.end() ? nullptr : &known->second;
}

const FigureSpec* BuiltFigures::figure(const FigureRecipe& recipe) const {
  const Built* built = find(recipe);
  return built != nullptr && built->spec.ok() ? &*built->spec : nullptr;
}

// In words of the window: it computes what a shell would be told to.
QString BuiltFigures::whyEmpty(const Built& built) {
  if (!built.missing) return phraseText(built.spec.error().phrase());
  const AnalysisEntry* entry = findAnalysisEntry(built.missing->analysis);
  return tr("“%1” of run “%2” is not computed yet.")
      .arg(entry != nullptr ? engineText(entry->title) : fromUtf8(built.missing->analysis),
           fromUtf8(built.missing->run.name));
}

bool BuiltFigures::isUnpinned(const FigureRecipe& recipe) const {
  const Built* built = find(recipe);
  return built != nullptr && m_unpinned.contains(recipeKey(recipe)) && !built->pins.empty();
}

QString BuiltFigures::problem(const FigureRecipe& recipe) const {
  const Built* built = find(recipe);
  if (built != nullptr && !built->spec.ok()) return whyEmpty(*built);
  if (isUnpinned(recipe)) return tr("Not pinned: it shows what was computed last. Regenerate pins it.");
  return {};
}

std::optional<std::vector<FigureSpec>> BuiltFigures::shownOn(const FigureComposition& page) const {
  std::vector<FigureSpec> specs;
  for (const CompositionPanel& panel : page.panels) {
    const Built* built = find(panel.recipe);
    if (built == nullptr) return std::nullopt;
    specs.push_back(built->spec.ok() ? *built->spec : emptyFigure(tr("no data")));
  }
  return specs;
}

std::optional<std::vector<FigureSpec>> BuiltFigures::figuresOf(const FigureComposition& page) const {
  std::vector<FigureSpec> specs;
  for (const CompositionPanel& panel : page.panels) {
    const FigureSpec* spec = figure(panel.recipe);
    if (spec == nullptr) return std::nullopt;
    specs.push_back(*spec);
  }
  return specs;
}

QStringList BuiltFigures::emptyPanels(const FigureComposition& page) const {
  QStringList empty;
  for (std::size_t i = 0; i < page.panels.size(); ++i)
    if (const Built* built = find(page.panels[i].recipe); built != nullptr && !built->spec.ok())
      empty.append(tr("Panel (%1): %2").arg(QChar(u'a' + char16_t(i))).arg(whyEmpty(*built)));
  return empty;
}

std::vector<FigureRecipe> BuiltFigures::lacking(const FigureComposition& page) const {
  std::vector<FigureRecipe> recipes;
  for (const CompositionPanel& panel : page.panels)
    if (const Built* built = find(panel.recipe); built != nullptr && !built->spec.ok() && built->missing)
      recipes.push_back(panel.recipe);
  return recipes;
}

std::optional<FigureComposition> BuiltFigures::pinned(const FigureComposition& page) {
  FigureComposition next = page;
  bool changed = false;
  for (CompositionPanel& panel : next.panels) {
    const std::string key = recipeKey(panel.recipe);
    const auto known = m_built.find(key);
    if (known == m_built.end() || !known->second.spec.ok() || m_unpinned.contains(key)) continue;
    if (!panel.recipe.review.is_null() || panel.recipe.pins == known->second.pins) continue;
    panel.recipe.pins = known->second.pins;
    panel.recipe.runNames = known->second.runNames;
    m_built.insert_or_assign(recipeKey(panel.recipe), known->second);
    changed = true;
  }
  if (!changed) return std::nullopt;
  // The next panel of this kind sees what is newest then.
  for (std::size_t i = 0; i < next.panels.size(); ++i)
    if (!page.panels[i].recipe.pins && next.panels[i].recipe.pins)
      m_built.erase(recipeKey(page.panels[i].recipe));
  return next;
}

bool BuiltFigures::allPinned(const FigureComposition& page) const {
  return std::none_of(page.panels.begin(), page.panels.end(),
                      [this](const CompositionPanel& panel) { return isUnpinned(panel.recipe); });
}

}  // namespace fathom
