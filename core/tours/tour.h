// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/setting.h"
#include "core/tours/tour_claim.h"

/// Tours: guided walks through a preset, one short step after another. They are files, read here;
/// the window shows them, and TourPlayer plays them without one.
namespace twosphere {

/// The names of the window that a tour may use, which the core does not know.
struct TourNames {
  std::vector<std::string> actions;               ///< ids of its actions
  std::function<bool(std::string_view)> is_plot;  ///< a plot in the notation of settings files
};

/// What a step of a tour, or a link of a help page, does: a word, and after a colon its value.
struct TourInstruction {
  enum class Word {
    action,  ///< "action:ID": an action of the window
    set,     ///< "set:PATH=VALUE": a setting of the scenario
    plots,   ///< "plots:TEXT; TEXT": exactly these plots
    lane,    ///< "lane:{…}": one more lane, as in the list "lanes" of a scenario
    play,
    pause,
    to,    ///< "to:T": the instant at T seconds, which is computed if the run is not there yet
    pace,  ///< "pace:X": X seconds of the run in one of real time
  };
  Word word = Word::play;
  std::string text{};                ///< as it is written
  std::string action{};              ///< its id
  std::vector<std::string> plots{};  ///< one line for each
  Setting setting{};
  json::Node lane{};
  double number = 0;  ///< the time [s], or the pace
};

/// What a step waits for before the next one can follow.
struct TourWait {
  enum class For {
    enter,     ///< nothing
    time,      ///< "time:T": the run has reached T seconds
    key,       ///< "key:ID": the user performs this action
    drag,      ///< the user moves or pulls a body
    check,     ///< "result:check": the step has been checked for symplecticity
    cloud,     ///< "result:cloud": a cloud has a rate of growth
    way_back,  ///< "result:way_back": the run has come back to its start
  };
  For what = For::enter;
  double time = 0;       ///< [s]
  std::string action{};  ///< its id
};

/// A question to the reader before the instructions of a step are done.
struct TourQuestion {
  std::string question;
  std::vector<std::string> options;
  std::size_t answer = 0;  ///< the index of the right one
  std::string because;     ///< what is said then
  /// What the answer rests on: true once the instructions are done and what the step waits for has
  /// happened. The window does not need it; the tests of the program check it.
  std::vector<TourClaim> holds{};
};

struct TourStep {
  std::string say;  ///< at most max_words
  std::vector<TourInstruction> instructions{};
  TourWait wait{};
  std::optional<TourQuestion> ask{};
  std::string ring{};  ///< the widget that a ring is drawn around; empty: none
  int line = 0;        ///< of the file

  static constexpr int max_words = 30;
};

struct Tour {
  std::string name;  ///< "no_drift", or the path of the user's file
  std::string title;
  int minutes = 0;     ///< how long it takes
  std::string preset;  ///< key in the catalogue
  std::vector<TourStep> steps;
};

/// Reads an instruction. Errors have no location.
Result<TourInstruction> parse_instruction(std::string_view text, const TourNames& names);
/// Reads a tour (format 1). `name`: Tour::name. Locations of errors are "SOURCE:LINE: path".
Result<Tour> read_tour(std::string_view text, std::string_view source, const TourNames& names);
/// One that comes with the program, by its name, or the file at a path.
Result<Tour> load_tour(const std::string& name_or_path, const TourNames& names);

/// A tour in lists.
struct TourEntry {
  std::string name, title, preset;
  int minutes = 0;
  std::string beginning;  ///< what its first step says
};
/// Those that come with the program: the files in resources/tours, by name.
std::span<const TourEntry> tour_entries();

}  // namespace twosphere
