// SPDX-License-Identifier: Apache-2.0
#include "core/library/figures/figure_composition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "core/base/files/hash.h"
#include "core/base/numbers/figure_limits.h"
#include "core/library/records/saved_documents.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr const char* kCompositionKind = "composition";
constexpr int kCompositionFormat = 1;
constexpr std::array<const char*, 4> kLetters = {"(a)", "a)", "A", ""};
constexpr std::array<const char*, 3> kFonts = {"", "serif", "sans"};

// Reads members of one object; the first wrong one is the error.
class Members {
 public:
  Members(const Json& json, Phrase place) : m_json(json), m_place(std::move(place)) {}
  void text(const char* key, std::string& value) {
    const auto it = m_json.find(key);
    if (it == m_json.end()) return;
    if (!it->is_string()) return wrong(key, Phrase::tr("must be a text"));
    value = it->get<std::string>();
  }
  void flag(const char* key, bool& value) {
    const auto it = m_json.find(key);
    if (it == m_json.end()) return;
    if (!it->is_boolean()) return wrong(key, Phrase::tr("must be true or false"));
    value = it->get<bool>();
  }
  void real(const char* key, double& value) {
    const auto it = m_json.find(key);
    if (it == m_json.end()) return;
    if (!it->is_number()) return wrong(key, Phrase::tr("must be a number"));
    value = it->get<double>();
  }
  void whole(const char* key, int& value) {
    const auto it = m_json.find(key);
    if (it == m_json.end()) return;
    constexpr std::int64_t kFar = 1000;
    if (!it->is_number_integer() || std::abs(it->get<std::int64_t>()) > kFar)
      return wrong(key, Phrase::tr("must be a small whole number"));
    value = it->get<int>();
  }
  void shares(const char* key, std::vector<double>& values) {
    const auto it = m_json.find(key);
    if (it == m_json.end()) return;
    if (!it->is_array()) return wrong(key, Phrase::tr("must be a list of numbers"));
    for (const Json& share : *it) {
      if (!share.is_number()) return wrong(key, Phrase::tr("must be a list of numbers"));
      values.push_back(share.get<double>());
    }
  }
  const Phrase& error() const { return m_error; }

 private:
  void wrong(const char* key, const Phrase& what) {
    if (m_error.empty()) m_error = Phrase::tr("\"%1\" of %2 %3")(key, m_place, what);
  }
  const Json& m_json;
  Phrase m_place, m_error;
};

Result<CompositionPanel> panelFromJson(const Json& json, const Phrase& place) {
  if (!json.is_object()) return dataError(Phrase::tr("%1 must be a JSON object")(place));
  CompositionPanel panel;
  Members members(json, place);
  members.whole("row", panel.row);
  members.whole("column", panel.column);
  members.whole("row_span", panel.rowSpan);
  members.whole("column_span", panel.columnSpan);
  members.text("title", panel.title);
  if (!members.error().empty()) return dataError(members.error());
  const auto recipe = json.find("recipe");
  if (recipe == json.end()) return dataError(Phrase::tr("%1 needs the member \"recipe\"")(place));
  FATHOM_TRY(panel.recipe, figureRecipeFromJson(*recipe));
  return panel;
}

bool inGrid(int first, int span) {
  return first >= 0 && span >= 1 && first + span <= FigureComposition::kMostTracks;
}

bool overlap(const CompositionPanel& a, const CompositionPanel& b) {
  return a.row < b.row + b.rowSpan && b.row < a.row + a.rowSpan && a.column < b.column + b.columnSpan &&
         b.column < a.column + a.columnSpan;
}

}  // namespace

Json FigureComposition::toJson() const {
  Json json = {{"format", kCompositionFormat},
               {"uuid", uuid},
               {"name", name},
               {"style", style},
               {"width_mm", widthMm},
               {"height_mm", heightMm},
               {"letters", letters},
               {"share_x", shareX},
               {"share_y", shareY},
               {"font", font},
               {"text_points", textPoints},
               {"created", created},
               {"panels", Json::array()}};
  if (!rowShares.empty()) json["row_shares"] = rowShares;
  if (!columnShares.empty()) json["column_shares"] = columnShares;
  if (dashes) json["dashes"] = true;
  for (const CompositionPanel& panel : panels)
    json["panels"].push_back({{"recipe", panel.recipe.toJson()},
                              {"row", panel.row},
                              {"column", panel.column},
                              {"row_span", panel.rowSpan},
                              {"column_span", panel.columnSpan},
                              {"title", panel.title}});
  return json;
}

Result<FigureComposition> figureCompositionFromJson(const Json& json) {
  FATHOM_CHECK(checkDocument(json, Phrase::tr("composition"), kCompositionFormat));
  FigureComposition made;
  Members members(json, Phrase::tr("the composition"));
  members.text("uuid", made.uuid);
  members.text("name", made.name);
  members.text("style", made.style);
  members.real("width_mm", made.widthMm);
  members.real("height_mm", made.heightMm);
  members.text("letters", made.letters);
  members.flag("share_x", made.shareX);
  members.flag("share_y", made.shareY);
  members.shares("row_shares", made.rowShares);
  members.shares("column_shares", made.columnShares);
  members.flag("dashes", made.dashes);
  members.text("font", made.font);
  members.real("text_points", made.textPoints);
  members.text("created", made.created);
  if (!members.error().empty()) return dataError(members.error());
  if (const auto panels = json.find("panels"); panels != json.end()) {
    if (!panels->is_array()) return dataError(Phrase::tr("\"panels\" of the composition must be a list"));
    for (std::size_t i = 0; i < panels->size(); ++i) {
      FATHOM_TRY(CompositionPanel panel,
                 panelFromJson((*panels)[i], Phrase::tr("panel %1 of the composition")(i + 1)));
      made.panels.push_back(std::move(panel));
    }
  }
  FATHOM_CHECK(checkComposition(made));
  return made;
}

namespace {

Status checkShares(const char* key, const std::vector<double>& shares) {
  if (shares.size() > std::size_t(FigureComposition::kMostTracks))
    return dataError(Phrase::tr("\"%1\" of the composition has %2 numbers")(key, shares.size()),
                     Phrase::tr("at most %1")(FigureComposition::kMostTracks));
  for (const double share : shares)
    if (!(share > 0 && share <= kLargestFigureMm))
      return dataError(Phrase::tr("\"%1\" of the composition holds %2")(key, jsonNumber(share)),
                       Phrase::tr("numbers above 0, up to %1")(jsonNumber(kLargestFigureMm)));
  return {};
}

}  // namespace

Status checkComposition(const FigureComposition& composition) {
  FATHOM_CHECK(checkShares("row_shares", composition.rowShares));
  FATHOM_CHECK(checkShares("column_shares", composition.columnShares));
  for (const auto& [name, value, most] :
       {std::tuple{"width_mm", composition.widthMm, kLargestFigureMm},
        std::tuple{"height_mm", composition.heightMm, kLargestFigureMm},
        std::tuple{"text_points", composition.textPoints, kLargestFigurePoints}})
    if (!(value >= 0 && value <= most))
      return dataError(Phrase::tr("\"%1\" of the composition is %2")(name, jsonNumber(value)),
                       Phrase::tr("0 to %1")(jsonNumber(most)));
  if (std::find(kLetters.begin(), kLetters.end(), composition.letters) == kLetters.end())
    return dataError(Phrase::tr("\"letters\" of the composition is \"%1\"")(composition.letters),
                     Phrase::tr("(a), a), A or empty"));
  if (std::find(kFonts.begin(), kFonts.end(), composition.font) == kFonts.end())
    return dataError(Phrase::tr("\"font\" of the composition is \"%1\"")(composition.font),
                     Phrase::tr("serif, sans or empty"));
  for (std::size_t i = 0; i < composition.panels.size(); ++i) {
    const CompositionPanel& panel = composition.panels[i];
    const Phrase place = Phrase::tr("panel %1")(i + 1);
    if (!inGrid(panel.row, panel.rowSpan) || !inGrid(panel.column, panel.columnSpan))
      return dataError(Phrase::tr("%1 lies outside the grid of %2 rows and columns")(
          place, FigureComposition::kMostTracks));
    for (std::size_t k = 0; k < i; ++k)
      if (overlap(panel, composition.panels[k]))
        return dataError(Phrase::tr("%1 lies on panel %2")(place, k + 1),
                         Phrase::tr("give each panel a place of its own"));
  }
  return {};
}

bool placePanel(FigureComposition& composition, std::size_t index, const CompositionPanel& wanted) {
  if (index >= composition.panels.size()) return false;
  FigureComposition next = composition;
  const CompositionPanel before = next.panels[index];
  CompositionPanel& moved = next.panels[index];
  moved.row = wanted.row;
  moved.column = wanted.column;
  moved.rowSpan = wanted.rowSpan;
  moved.columnSpan = wanted.columnSpan;
  for (std::size_t i = 0; i < next.panels.size(); ++i) {
    if (i == index || !overlap(next.panels[i], moved)) continue;
    next.panels[i].row = before.row;
    next.panels[i].column = before.column;
  }
  if (!checkComposition(next).ok()) return false;
  composition = std::move(next);
  return true;
}

PanelPlace freePlace(const FigureComposition& composition) {
  int columns = 2;
  for (const CompositionPanel& panel : composition.panels)
    columns = std::max(columns, panel.column + panel.columnSpan);
  for (int row = 0; row < FigureComposition::kMostTracks; ++row) {
    for (int column = 0; column < columns; ++column) {
      CompositionPanel wanted;
      wanted.row = row;
      wanted.column = column;
      const bool taken =
          std::any_of(composition.panels.begin(), composition.panels.end(),
                      [&wanted](const CompositionPanel& panel) { return overlap(panel, wanted); });
      if (!taken) return {row, column};
    }
  }
  return {FigureComposition::kMostTracks, 0};
}

Result<std::vector<FigureComposition>> figureCompositions(ProjectLibrary& library) {
  return readableDocuments(library, kCompositionKind, figureCompositionFromJson);
}

Result<FigureComposition> figureComposition(ProjectLibrary& library, const std::string& uuidOrName) {
  FATHOM_TRY(const auto documents, library.documents(kCompositionKind));
  std::vector<std::string> names;
  for (const SavedDocument& document : documents) {
    if (document.uuid == uuidOrName || document.name == uuidOrName)
      return figureCompositionFromJson(document.content);
    names.push_back(document.name);
  }
  return noSuchDocument(library, Phrase::tr("composition"), uuidOrName, names);
}

Result<std::string> saveFigureComposition(ProjectLibrary& library, FigureComposition composition) {
  FATHOM_CHECK(checkComposition(composition));
  if (composition.uuid.empty()) composition.uuid = makeUuid();
  if (composition.created.empty()) composition.created = isoTimeNow();
  FATHOM_TRY(const auto before, library.setDocument(kCompositionKind, {composition.uuid, composition.name, "",
                                                                       composition.toJson()}));
  return composition.uuid;
}

Status removeFigureComposition(ProjectLibrary& library, const std::string& uuid) {
  FATHOM_TRY(const auto before, library.removeDocument(kCompositionKind, uuid));
  if (!before) return unavailableError(Phrase::tr("there is no composition with the id %1")(uuid));
  return {};
}

}  // namespace fathom
