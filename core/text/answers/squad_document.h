// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// SQuAD's questions as one list in the order of the file, in whichever layout it hands them on
// (docs/fine_tuning.md §5): articles of paragraphs of questions, paragraphs alone, or rows of `datasets` with
// passage and question in one; as {"data": […]}, as a list, or one a line.
class SquadDocument {
 public:
  struct Passage {
    std::string title, text;
    std::size_t article = 0;  // rows of one title share it, and those of one text the passage
  };
  static constexpr std::size_t kNoPassage = SIZE_MAX;
  struct Question {
    std::size_t passage = kNoPassage;  // none where there is a fault
    Json value;    // as the published files have it: "answers" is a list of {"text", "answer_start"}
    Phrase fault;  // why it cannot be read at all; otherwise empty, and the members are not checked
  };

  // The bytes must live as long as lines are asked for. Data errors name file and line, and what is there.
  static Result<SquadDocument> parse(std::string_view bytes, const std::string& path);

  std::vector<Passage> passages;
  std::vector<Question> questions;
  std::int64_t lineOf(std::size_t question) const;

 private:
  friend class SquadDocumentReader;
  // Places in lists from the record inwards, -1: the list is not there; or the line by itself.
  struct Place {
    std::int64_t line = 0, record = -1, paragraph = -1, question = -1;
  };
  std::string_view m_bytes;
  bool m_underData = false;
  std::vector<Place> m_places;
};

}  // namespace fathom
