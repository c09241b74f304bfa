// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the Figures workspace: its data and its picture, and its output: pages into the
// project, into files and into the clipboard.
#include "app/window/figures/figures_workspace.h"
#include "core/base/json/json_members.h"
#include "views/figures/figure_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QSplitter>
#include <algorithm>
#include <utility>

#include "app/recipes/figure_builder.h"
#include "app/recipes/missing_results.h"
#include "app/window/figures/figures_actions.h"
#include "app/window/files/export_notices.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/figure/figure_picture.h"
#include "views/figures/composition_page.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

const QString kData = QStringLiteral("figures data");
const QString kFiguresPage = QStringLiteral("figures page");
const QString kPictures = QStringLiteral("figures pictures");
constexpr QSize kThumbnail{224, 160};

struct BuiltFigure {
  std::string key;
  Result<FigureSpec> spec;
  FigurePins pins;
  std::optional<MissingResult> missing;
};

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

Result<std::vector<BuiltFigure>> buildAll(const std::string& project, const std::vector<FigureRecipe>& wanted,
                                          Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto builder, FigureBuilder::open(project));
  std::vector<BuiltFigure> built;
  for (const FigureRecipe& recipe : wanted) {
    if (stop.stopRequested()) return interruptedError();
    FigureRecipe pinned = recipe;
    auto spec = builder->buildAndPin(pinned, progress, stop);
    built.push_back(
        {recipeKey(recipe), std::move(spec), pinned.pins.value_or(FigurePins()), builder->missing()});
  }
  return built;
}

const QString kComputing = QStringLiteral("figures compute");
const QString kCopying = QStringLiteral("figures copy");
const QString kExporting = QStringLiteral("figures export");

}  // namespace

bool FiguresWorkspace::settled() const {
  return !m_reading && !m_building && !m_writing && m_pending.isEmpty() && !m_wait.isActive() &&
         m_thumbnails.empty();
}

// Reads the data of panels that have none yet, then draws.
void FiguresWorkspace::build() {
  std::vector<FigureRecipe> wanted;
  if (m_open)
    for (const CompositionPanel& panel : m_open->panels)
      if (m_built.find(recipeKey(panel.recipe)) == m_built.end()) wanted.push_back(panel.recipe);
  if (wanted.empty()) return draw();
  m_building = true;
  m_jobs->start<std::vector<BuiltFigure>>(
      tr("Reading the data of the page"), kData,
      [project = toUtf8(m_service->path()), wanted](Progress& progress, const StopToken& stop) {
        return buildAll(project, wanted, progress, stop);
      },
      [this](Result<std::vector<BuiltFigure>> built) {
        m_building = false;
        if (!built.ok()) return m_messages->showError(built.error(), kData);
        for (BuiltFigure& each : *built)
          m_built.insert_or_assign(each.key, Built{std::move(each.spec), std::move(each.pins), each.missing});
        pinPanels();
        draw();
      });
}

// Pins the results that a panel shows when it is made: its recipe names those results from now on.
// No edit of a person's, so nothing to undo; panels that were stored without pins wait for Regenerate.
void FiguresWorkspace::pinPanels() {
  if (!m_open) return;
  FigureComposition next = *m_open;
  bool changed = false;
  for (CompositionPanel& panel : next.panels) {
    const std::string key = recipeKey(panel.recipe);
    const auto known = m_built.find(key);
    if (known == m_built.end() || !known->second.spec.ok() || m_unpinned.contains(key)) continue;
    if (!panel.recipe.review.is_null() || panel.recipe.pins == known->second.pins) continue;
    panel.recipe.pins = known->second.pins;
    m_built.insert_or_assign(recipeKey(panel.recipe), known->second);
    changed = true;
  }
  if (!changed) return;
  // The next panel of this kind sees what is newest then.
  for (std::size_t i = 0; i < next.panels.size(); ++i)
    if (!m_open->panels[i].recipe.pins && next.panels[i].recipe.pins)
      m_built.erase(recipeKey(m_open->panels[i].recipe));
  if (canBeChanged()) store(m_open, next);
  m_open = std::move(next);
  m_form->setComposition(*m_open, m_selected);
}

// In words of the window: it computes what a shell would be told to.
QString FiguresWorkspace::whyEmpty(const Built& built) {
  if (!built.missing) return phraseText(built.spec.error().phrase());
  const AnalysisEntry* entry = findAnalysisEntry(built.missing->analysis);
  return tr("“%1” of run “%2” is not computed yet.")
      .arg(entry != nullptr ? engineText(entry->title) : fromUtf8(built.missing->analysis),
           fromUtf8(built.missing->run.name));
}

// The panels that stay empty, and whether they lack what can be computed here.
void FiguresWorkspace::showChecks() {
  QStringList empty;
  bool computable = false;
  for (std::size_t i = 0; i < m_open->panels.size(); ++i) {
    const Built& built = m_built.at(recipeKey(m_open->panels[i].recipe));
    if (built.spec.ok()) continue;
    empty.append(tr("Panel (%1): %2").arg(QChar(u'a' + char16_t(i))).arg(whyEmpty(built)));
    computable = computable || built.missing;
  }
  m_checks->setChecks(m_page->checks(), empty, computable && canBeChanged());
}

void FiguresWorkspace::computeMissing() {
  if (!m_open) return;
  std::vector<FigureRecipe> lacking;
  for (const CompositionPanel& panel : m_open->panels)
    if (const auto known = m_built.find(recipeKey(panel.recipe));
        known != m_built.end() && !known->second.spec.ok() && known->second.missing)
      lacking.push_back(panel.recipe);
  m_jobs->start<bool>(
      tr("Computing what the page lacks"), kComputing,
      [project = toUtf8(m_service->path()), lacking](Progress& progress,
                                                     const StopToken& stop) -> Result<bool> {
        for (const FigureRecipe& recipe : lacking)
          FATHOM_CHECK(computeMissingResults(recipe, project, progress, stop));
        return true;
      },
      [this, lacking](const Result<bool>& computed) {
        if (!computed.ok()) m_messages->showError(computed.error(), kComputing);
        for (const FigureRecipe& recipe : lacking) m_built.erase(recipeKey(recipe));
        build();
      });
}

// Why the selected panel stays empty, or may change by itself.
void FiguresWorkspace::showProblem() {
  if (!m_open || m_selected < 0) return m_form->setProblem({});
  const std::string key = recipeKey(m_open->panels[std::size_t(m_selected)].recipe);
  const auto known = m_built.find(key);
  QString problem;
  if (known != m_built.end() && !known->second.spec.ok()) {
    problem = whyEmpty(known->second);
  } else if (known != m_built.end() && m_unpinned.contains(key) && !known->second.pins.empty()) {
    problem = tr("Not pinned: it shows what was computed last. Regenerate pins it.");
  }
  m_form->setProblem(problem);
}

void FiguresWorkspace::draw() {
  if (!m_open || m_open->panels.empty()) return;
  std::vector<FigureSpec> specs;
  for (const CompositionPanel& panel : m_open->panels) {
    const auto known = m_built.find(recipeKey(panel.recipe));
    if (known == m_built.end()) return;  // its data come
    specs.push_back(known->second.spec.ok() ? *known->second.spec : emptyFigure(tr("no data")));
  }
  showProblem();
  const auto style = compositionStyle(*m_open);
  if (!style.ok()) return m_messages->showError(style.error(), kFiguresPage);
  if (giveRowOfItsOwn(specs)) return;
  const auto page = composePage(compositionPage(*m_open, std::move(specs), *style), *style);
  const Status shown = page.ok() ? m_page->setPage(*page, *style) : Status(page.error());
  if (!shown.ok()) return m_messages->showError(shown.error(), kFiguresPage);
  m_messages->closeErrors(kFiguresPage);
  m_page->setSelectedFigure(m_selected);
  showChecks();
  const QSizeF units(unitsOfMm(m_page->pageSize().widthMm), unitsOfMm(m_page->pageSize().heightMm));
  const double scale = std::min(kThumbnail.width() / units.width(), kThumbnail.height() / units.height());
  m_list->setPicture(fromUtf8(m_open->uuid), m_page->picture(scale));
  Q_EMIT changed();
}

// A figure that was put beside others of another height would be stretched, or stretch them: it goes below,
// as wide as the page. True: it did, and the page is drawn again.
bool FiguresWorkspace::giveRowOfItsOwn(const std::vector<FigureSpec>& specs) {
  const auto fresh = static_cast<std::size_t>(std::exchange(m_fresh, -1));
  const auto style = compositionStyle(*m_open);
  if (fresh >= m_open->panels.size() || !style.ok() || !canBeChanged()) return false;
  constexpr double kAlike = 1.15;
  const FigurePage page = compositionPage(*m_open, specs, *style);
  const auto heightOf = [&](std::size_t i) { return figureSize(page.figures[i].spec, *style).heightMm; };
  bool apart = false;
  int rows = 0, columns = 1;
  for (std::size_t i = 0; i < m_open->panels.size(); ++i) {
    const CompositionPanel& panel = m_open->panels[i];
    columns = std::max(columns, panel.column + panel.columnSpan);
    if (i == fresh) continue;
    rows = std::max(rows, panel.row + panel.rowSpan);
    const bool beside =
        panel.row <= m_open->panels[fresh].row && m_open->panels[fresh].row < panel.row + panel.rowSpan;
    const double larger = std::max(heightOf(i), heightOf(fresh)),
                 smaller = std::min(heightOf(i), heightOf(fresh));
    apart = apart || (beside && larger > kAlike * smaller);
  }
  if (!apart) return false;
  FigureComposition next = *m_open;
  next.panels[fresh].row = rows;
  next.panels[fresh].column = 0;
  // Columns that no other panel uses are gone; the new panel spans all that are left.
  int left = 1;
  for (std::size_t i = 0; i < next.panels.size(); ++i)
    if (i != fresh) left = std::max(left, next.panels[i].column + next.panels[i].columnSpan);
  next.panels[fresh].columnSpan = left;
  if (!checkComposition(next).ok()) return false;
  if (m_done > 0 && m_steps[m_done - 1].after) m_steps[m_done - 1].after = next;  // part of the same edit
  store(m_open, next);
  show(m_open, next);
  return true;
}

// Draws the stored figures whose data was not read yet, in one job, so that predictions are opened once.
void FiguresWorkspace::readThumbnails() {
  std::vector<FigureRecipe> wanted;
  m_thumbnails.clear();
  for (const FigureRecipe& recipe : m_shelf.recipes) {
    if (m_pictured.contains(fromUtf8(recipeKey(recipe)))) continue;
    m_thumbnails.push_back(recipe);
    if (m_built.find(recipeKey(recipe)) == m_built.end()) wanted.push_back(recipe);
  }
  if (wanted.empty()) return nextThumbnail();
  m_jobs->start<std::vector<BuiltFigure>>(
      tr("Drawing the list of figures"), kPictures,
      [project = toUtf8(m_service->path()), wanted](Progress& progress, const StopToken& stop) {
        return buildAll(project, wanted, progress, stop);
      },
      [this](Result<std::vector<BuiltFigure>> built) {
        if (built.ok())
          for (BuiltFigure& each : *built)
            m_built.insert_or_assign(each.key,
                                     Built{std::move(each.spec), std::move(each.pins), each.missing});
        nextThumbnail();
      });
}

// Each drawn in a turn of the event loop of its own.
void FiguresWorkspace::nextThumbnail() {
  if (m_thumbnails.empty()) return;
  const FigureRecipe recipe = m_thumbnails.back();
  m_thumbnails.pop_back();
  const auto known = m_built.find(recipeKey(recipe));
  const auto style = figureStyle(fromUtf8(recipe.style));
  if (known != m_built.end() && known->second.spec.ok() && style.ok()) {
    m_list->setPicture(fromUtf8(recipe.uuid), figureThumbnail(*known->second.spec, *style, kThumbnail));
    m_pictured.insert(fromUtf8(known->first));
  }
  QTimer::singleShot(0, this, &FiguresWorkspace::nextThumbnail);
}

// Builds the page again with results computed meanwhile; undo brings back the former ones.
void FiguresWorkspace::regenerate() {
  m_built.clear();
  m_pictured.clear();
  m_unpinned.clear();
  if (m_open) {
    FigureComposition next = *m_open;
    for (CompositionPanel& panel : next.panels)
      if (panel.recipe.pins && !panel.recipe.pins->empty()) panel.recipe.pins.reset();
    if (canBeChanged()) {
      apply(next);
    } else {
      m_open = std::move(next);
    }
  }
  build();
  readShelf();
}

void FiguresWorkspace::setGray(bool gray) {
  m_page->setGray(gray);
  m_actions->action(QStringLiteral("figures.gray"))->setChecked(gray);
}

void FiguresWorkspace::showHelp() {
  QStringList pages = {QStringLiteral("figures_workspace")};
  if (m_open && m_selected >= 0)
    pages.append(fromUtf8(m_open->panels[std::size_t(m_selected)].recipe.figure));
  HelpWindow::openAt(m_window, pages);
}

bool FiguresWorkspace::focusFilter() {
  m_list->filterBox()->setFocus(Qt::ShortcutFocusReason);
  m_list->filterBox()->selectAll();
  return true;
}

QList<QWidget*> FiguresWorkspace::places() const {
  QList<QWidget*> parts = {m_list};
  if (!m_open) return parts;
  parts.append(m_pages->currentWidget());
  parts.append(m_form);
  return parts;
}

QByteArray FiguresWorkspace::saveView() const {
  Json json;
  json["columns"] = m_columns->saveState().toBase64().toStdString();
  json["zoom"] = m_page->zoom();
  json["gray"] = m_page->gray();
  if (m_open) json["composition"] = m_open->uuid;
  return QByteArray::fromStdString(json.dump());
}

void FiguresWorkspace::restoreView(const QByteArray& view) {
  const Json json = Json::parse(view.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  m_columns->restoreState(QByteArray::fromBase64(QByteArray::fromStdString(memberText(json, "columns"))));
  m_place = fromUtf8(memberText(json, "composition"));
  if (json.contains("zoom") && json["zoom"].is_number()) m_page->setZoom(json["zoom"].get<double>());
  if (json.contains("gray") && json["gray"].is_boolean()) setGray(json["gray"].get<bool>());
}

void FiguresWorkspace::store(const Wanted& before, const Wanted& after) {
  const std::string uuid = after ? after->uuid : before ? before->uuid : std::string();
  if (uuid.empty()) return;
  auto& known = m_shelf.compositions;
  const auto at = std::find_if(known.begin(), known.end(),
                               [&](const FigureComposition& each) { return each.uuid == uuid; });
  const bool renamed =
      at == known.end() || !after || at->name != after->name || at->panels.size() != after->panels.size();
  if (!after) {
    if (at != known.end()) known.erase(at);
  } else if (at == known.end()) {
    known.push_back(*after);
  } else {
    *at = *after;
  }
  if (renamed) fillList();
  m_pending.insert(fromUtf8(uuid), after);
  writePending();
}

// One after the other, so that an older state never comes last.
void FiguresWorkspace::writePending() {
  if (m_writing || m_pending.isEmpty()) return;
  m_writing = true;
  const auto pending = std::exchange(m_pending, {});
  m_jobs->start<bool>(
      tr("Storing the page"), {},
      [project = toUtf8(m_service->path()), pending](Progress&, const StopToken&) -> Result<bool> {
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        for (auto it = pending.cbegin(); it != pending.cend(); ++it) {
          if (it.value()) {
            FATHOM_TRY(const auto uuid, saveFigureComposition(*library, *it.value()));
          } else {
            (void)removeFigureComposition(*library, toUtf8(it.key()));  // one that was never stored
          }
        }
        return true;
      },
      [this](const Result<bool>& written) {
        m_writing = false;
        if (!written.ok()) m_messages->showError(written.error());
        writePending();
      });
}

void FiguresWorkspace::keep() {
  if (!m_service->isOpen() || m_pending.isEmpty()) return;
  const auto library = ProjectLibrary::open(toUtf8(m_service->path()));
  if (!library.ok()) return m_messages->showError(library.error());
  for (auto it = m_pending.cbegin(); it != m_pending.cend(); ++it) {
    if (it.value()) {
      if (const auto kept = saveFigureComposition(**library, *it.value()); !kept.ok())
        m_messages->showError(kept.error());
    } else {
      (void)removeFigureComposition(**library, toUtf8(it.key()));
    }
  }
  m_pending.clear();
}

// Figures that the panels show; std::nullopt where one of them shows none.
std::optional<std::vector<FigureSpec>> FiguresWorkspace::shownSpecs() const {
  std::vector<FigureSpec> specs;
  for (const CompositionPanel& panel : m_open->panels) {
    const auto known = m_built.find(recipeKey(panel.recipe));
    if (known == m_built.end() || !known->second.spec.ok()) return std::nullopt;
    specs.push_back(*known->second.spec);
  }
  return specs;
}

void FiguresWorkspace::copyPage() {
  if (!m_open || !m_page->hasPage()) return;
  auto specs = shownSpecs();
  if (!specs) {
    m_messages->showNote(tr("A panel of the page has no data: it cannot be copied."));
    return;
  }
  const auto style = compositionStyle(*m_open);
  if (!style.ok()) return m_messages->showError(style.error(), kCopying);
  const auto page = composePage(compositionPage(*m_open, *std::move(specs), *style), *style);
  if (!page.ok()) return m_messages->showError(page.error(), kCopying);
  auto* data = new QMimeData;
  for (const auto& [format, type] :
       {std::pair{FigureFormat::Pdf, "application/pdf"}, std::pair{FigureFormat::Svg, "image/svg+xml"},
        std::pair{FigureFormat::Png, "image/png"}}) {
    const auto bytes = figureBytes(page->spec, *style, format, exportOptionsAt(m_open->created));
    if (!bytes.ok()) {
      delete data;
      return m_messages->showError(bytes.error(), kCopying);
    }
    data->setData(QString::fromLatin1(type), *bytes);
    if (format == FigureFormat::Png) data->setImageData(QImage::fromData(*bytes, "PNG"));
  }
  QGuiApplication::clipboard()->setMimeData(data);
  m_messages->closeErrors(kCopying);
  m_messages->showNote(tr("The page was copied as picture, SVG and PDF."));
}

// True if everything that was computed for the page is named by it, so that it stays what it is.
bool FiguresWorkspace::allPinned() const {
  return std::none_of(m_open->panels.begin(), m_open->panels.end(), [this](const CompositionPanel& panel) {
    const auto known = m_built.find(recipeKey(panel.recipe));
    return m_unpinned.contains(recipeKey(panel.recipe)) && known != m_built.end() &&
           !known->second.pins.empty();
  });
}

void FiguresWorkspace::exportPage(QString file) {
  if (!m_open || m_open->panels.empty()) return;
  if (file.isEmpty())
    file = m_files->figureToWrite(
        m_window,
        QString(fromUtf8(m_open->name)).replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".pdf"),
        true, tr("Export the page"));
  if (file.isEmpty()) return;
  struct Written {
    bool pinned = true;
    QStringList cut;
  };
  m_jobs->start<Written>(
      tr("Exporting the page"), kExporting,
      [project = toUtf8(m_service->path()), composition = *m_open, path = toUtf8(file), shown = shownSpecs(),
       pinned = allPinned()](Progress& progress, const StopToken& stop) -> Result<Written> {
        FigureChecks seen;
        if (shown) {  // a run that goes on has logged more since
          FATHOM_CHECK(exportCompositionPage(composition, *shown, path, &seen));
          return Written{pinned, seen.cut};
        }
        FATHOM_TRY(const auto builder, FigureBuilder::open(project));
        FATHOM_TRY(auto specs, builder->build(composition, progress, stop));
        FigureChecks found;
        FATHOM_CHECK(exportCompositionPage(composition, std::move(specs), path, &found));
        return Written{builder->allPinned(), found.cut};
      },
      [this, file](const Result<Written>& written) {
        if (!written.ok()) return m_messages->showError(written.error(), kExporting);
        QString note =
            tr("%1 was written, its numbers beside it as CSV.").arg(file) + ExportNotices::cut(written->cut);
        if (!written->pinned)
          note += QLatin1Char(' ') +
                  tr("A panel is not pinned: it shows what was computed last. Regenerate pins it.");
        m_messages->showNote(note);
      });
}

}  // namespace fathom
