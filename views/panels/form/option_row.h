// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "views/look/qt_names.h"
#include "views/panels/form/option_search.h"

namespace fathom {

class ElidedLabel;
class ExperimentDraft;
struct OptionField;

// One option of the experiment form: title, editor with unit, arrow back to the base value, help sentence
// (beside the editor where there is room, else under it, always whole); under them the range error or the
// reasons of broken rules. Changed values are bold, options not in use grey.
class OptionRow : public QWidget {
  Q_OBJECT
 public:
  // `field` and `draft` outlive the row.
  OptionRow(const OptionField& field, ExperimentDraft* draft, QWidget* parent = nullptr);
  const QString& key() const { return m_key; }
  QWidget* editor() const { return m_editor; }
  // Stops of the Tab key, in order.
  QWidgetList tabStops() const;
  // The texts by which it is found.
  const OptionWords& words() const { return m_words; }
  // Takes over value, error, activity and emphasis from the draft, as far as they are others than before.
  void refresh();
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void focused(const QString& key);
  void browseRequested(const QString& key);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Shown {
    bool active = false, changed = false;
    QString base;  // of a changed one
    QStringList problems;
    bool operator==(const Shown&) const = default;
  };
  Shown shownNow() const;
  void dress();
  void colour();
  // Places for a size of texts that came while the row was out of sight.
  void catchUp();
  QWidget* makeEditor();
  void makeChoice();
  void makeLine();
  void layOut();
  void sizeTexts();
  void sizeEditor();
  // Help beside the editor, in wide rows or where it fits in two lines; under it; everything under each
  // other.
  enum class Shape { Wide, Beside, Medium, Narrow };
  bool takesAllWidth() const;
  Shape shapeFor(int width) const;
  int cellWidth(Shape shape) const;
  void fitShape();
  bool keepsColumn(Shape shape) const;
  bool helpFitsBeside(int width) const;
  void place(Shape shape);
  bool isBeingTyped(const QString& text) const;
  void refreshEditor();
  void refreshTip();
  void refreshProblem();
  const OptionField& m_field;
  ExperimentDraft* m_draft;
  QString m_key;
  OptionWords m_words;
  ElidedLabel* m_title = nullptr;
  QWidget* m_editor = nullptr;
  QLineEdit* m_line = nullptr;
  QCheckBox* m_check = nullptr;
  QComboBox* m_combo = nullptr;
  QToolButton* m_browse = nullptr;
  QLabel* m_unit = nullptr;
  QToolButton* m_revert = nullptr;
  QLabel* m_help = nullptr;
  QGridLayout* m_grid = nullptr;
  Shape m_shape = Shape::Medium;
  QWidget* m_cell = nullptr;
  QWidget* m_problem = nullptr;
  QLabel* m_problemIcon = nullptr;
  QLabel* m_problemText = nullptr;
  std::optional<Shown> m_shown;
  bool m_oldSizes = false;
};

}  // namespace fathom
