// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "app/window/errors/review_messages.h"
#include "core/library/figures/figure_recipe.h"

namespace fathom {

class FileChoice;
struct PaperTable;

// Figures and tables of a review as files. Asks for the file where it is empty, and says what was written.
class ReviewExport {
 public:
  // Borrowed; dialogs stand over `window`.
  ReviewExport(ReviewMessages messages, FileChoice* files, QWidget* window)
      : m_messages(messages), m_files(files), m_window(window) {}

  // A figure of the comparison, its recipe kept in the project.
  struct Figure {
    FigureRecipe recipe;
    std::function<Json(const std::string& name)> review;  // of which it is
    std::function<Result<Phrase>(FigureRecipe& recipe)> keep;
    std::function<Status(const FigureRecipe& recipe, const std::string& file)> write;
  };
  void writeFigure(Figure figure, QString file) const;
  void writeTable(const std::function<PaperTable()>& table, const QString& name, QString file) const;
  // `library` may be null: no project is open.
  static Result<Phrase> keepRecipe(ProjectLibrary* library, FigureRecipe& recipe);

 private:
  ReviewMessages m_messages;
  FileChoice* m_files;
  QWidget* m_window;
};

}  // namespace fathom
