// SPDX-License-Identifier: Apache-2.0
#include "core/library/figures/style_sheet.h"

#include <utility>

#include "core/base/files/hash.h"
#include "core/library/records/saved_documents.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr const char* kSheetKind = "style_sheet";
constexpr int kSheetFormat = 1;

}  // namespace

Json StyleSheet::toJson() const {
  return {{"format", kSheetFormat},
          {"uuid", uuid},
          {"name", name},
          {"style", style},
          {"width_mm", widthMm},
          {"font", font},
          {"text_points", textPoints},
          {"letters", letters},
          {"dashes", dashes}};
}

// The members are those of a page, and so are their limits.
Result<StyleSheet> styleSheetFromJson(const Json& json) {
  FATHOM_CHECK(checkDocument(json, Phrase::tr("style sheet"), kSheetFormat));
  Json page = json;
  page.erase("panels");
  FATHOM_TRY(const FigureComposition read, figureCompositionFromJson(page));
  StyleSheet sheet = styleSheetOf(read, read.name);
  sheet.uuid = read.uuid;
  if (sheet.name.empty()) return dataError(Phrase::tr("a style sheet needs the member \"name\""));
  return sheet;
}

StyleSheet styleSheetOf(const FigureComposition& page, const std::string& name) {
  StyleSheet sheet;
  sheet.name = name;
  sheet.style = page.style;
  sheet.widthMm = page.widthMm;
  sheet.font = page.font;
  sheet.textPoints = page.textPoints;
  sheet.letters = page.letters;
  sheet.dashes = page.dashes;
  return sheet;
}

FigureComposition withStyleSheet(FigureComposition page, const StyleSheet& sheet) {
  page.style = sheet.style;
  page.widthMm = sheet.widthMm;
  page.font = sheet.font;
  page.textPoints = sheet.textPoints;
  page.letters = sheet.letters;
  page.dashes = sheet.dashes;
  return page;
}

bool looksLike(const FigureComposition& page, const StyleSheet& sheet) {
  return page.style == sheet.style && page.widthMm == sheet.widthMm && page.font == sheet.font &&
         page.textPoints == sheet.textPoints && page.letters == sheet.letters && page.dashes == sheet.dashes;
}

Result<std::vector<StyleSheet>> styleSheets(ProjectLibrary& library) {
  return readableDocuments(library, kSheetKind, styleSheetFromJson);
}

Result<StyleSheet> styleSheet(ProjectLibrary& library, const std::string& uuidOrName) {
  FATHOM_TRY(const auto sheets, styleSheets(library));
  std::vector<std::string> names;
  for (const StyleSheet& sheet : sheets) {
    if (sheet.uuid == uuidOrName || sheet.name == uuidOrName) return sheet;
    names.push_back(sheet.name);
  }
  return noSuchDocument(library, Phrase::tr("style sheet"), uuidOrName, names);
}

Status saveStyleSheet(ProjectLibrary& library, StyleSheet sheet) {
  if (sheet.uuid.empty()) sheet.uuid = makeUuid();
  FATHOM_TRY(const StyleSheet checked, styleSheetFromJson(sheet.toJson()));
  FATHOM_TRY(const auto before,
             library.setDocument(kSheetKind, {sheet.uuid, checked.name, "", sheet.toJson()}));
  return {};
}

Status removeStyleSheet(ProjectLibrary& library, const std::string& uuid) {
  FATHOM_TRY(const auto before, library.removeDocument(kSheetKind, uuid));
  if (!before) return unavailableError(Phrase::tr("there is no style sheet with the id %1")(uuid));
  return {};
}

}  // namespace fathom
