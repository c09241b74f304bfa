// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/library/figures/figure_recipe.h"
#include "views/look/engine_text.h"

namespace fathom {

class FileChoice;
class MessageBar;
class PredictionPanel;
struct PaperTable;

// What the reviews of queries and those of other predictions say and ask alike.
class ReviewTalk {
 public:
  // Borrowed; dialogs stand over `window`.
  ReviewTalk(MessageBar* messages, FileChoice* files, QWidget* window)
      : m_messages(messages), m_files(files), m_window(window) {}

  // An error; all is well: the one before is not true any more.
  void report(const Status& status) const;
  // What was remarked while the files were read, of all and of each model.
  template <typename Models>
  void showRemarks(const std::vector<Phrase>& ofAll, const Models& models) const {
    QStringList remarks;
    for (const Phrase& note : ofAll) remarks.append(phraseText(note));
    for (const auto& model : models)
      for (const Phrase& note : model.notes)
        remarks.append(QStringLiteral("%1: %2").arg(fromUtf8(model.name), phraseText(note)));
    showRemarks(remarks);
  }
  // Only wrong predictions have a category: says so where this is none.
  bool canHaveCategory(bool wrong) const;
  // A category was set: on to the next wrong one.
  void goOn(const Status& set, PredictionPanel* list) const;
  void goWrong(int direction, PredictionPanel* list) const;

  // A figure of the comparison, its recipe kept in the project, and a table. Asks for the file where it is
  // empty.
  struct Figure {
    FigureRecipe recipe;
    std::function<Json(const std::string& name)> review;  // of which it is
    std::function<Result<Phrase>(FigureRecipe& recipe)> keep;
    std::function<Status(const FigureRecipe& recipe, const std::string& file)> write;
  };
  void exportFigure(Figure figure, QString file) const;
  void exportTable(const std::function<PaperTable()>& table, const QString& name, QString file) const;
  // `library` may be null: no project is open.
  static Result<Phrase> keepRecipe(ProjectLibrary* library, FigureRecipe& recipe);

 private:
  void showRemarks(const QStringList& remarks) const;
  MessageBar* m_messages;
  FileChoice* m_files;
  QWidget* m_window;
};

}  // namespace fathom
