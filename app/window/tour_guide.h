// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/instruction_queue.h"
#include "core/scenario/scenario.h"
#include "core/tours/tour.h"
#include "core/worker/worker.h"
#include "ui/shell/step_check.h"
#include "ui/shell/tour_card.h"

namespace twosphere {

class DocumentController;
class LiveRun;
class Messages;
class Viewport;

/// Leads through a tour: opens its preset, does what each step does, waits for what it waits for,
/// and shows the strip below the scene. A step goes through these phases in order, without those
/// that it does not have:
///
///   asks ──► does ──► waits ──► told
///
/// Where there is a question, the instructions follow the answer. A tour ends with its last step,
/// where another scenario is opened, and by leave(). Nothing is written.
class TourGuide : public QObject {
  Q_OBJECT
 public:
  TourGuide(LiveRun& run, Viewport& viewport, DocumentController& document,
            InstructionQueue& instructions, Messages& messages);

  /// Begins a tour by its name or file; says why if it cannot be read.
  void begin(const std::string& name_or_path);
  /// Begins one that has been read.
  void begin(Tour tour);
  /// Carries out an instruction of the help page of a preset, "set:integrator.step=0.005": on the
  /// present scenario if it is of this preset, else on the preset, which is opened.
  void do_exercise(const QString& preset, const QString& instruction);
  /// What the user wants.
  void call(const ui::TourCall& call);
  void leave();
  bool active() const { return tour_.has_value(); }
  /// What the strip shows; null without a tour.
  const ui::TourCard* card() const { return card_.get(); }

  /// Call after every frame.
  void update();
  // What a step may wait for.
  void note(ui::Action action);
  void note(const Command& command);
  void note(const ui::StepCheck& check);

 private:
  enum class Phase { asks, does, waits, told };
  const TourStep& step() const { return tour_->steps[at_]; }
  void enter(std::size_t index);
  void open_section_of_ring();
  void answer(std::size_t option);
  void do_instructions();
  void go_back();
  void happen();
  bool has_happened() const;
  std::string awaited() const;
  void show();

  LiveRun& run_;
  Viewport& viewport_;
  DocumentController& document_;
  InstructionQueue& instructions_;
  Messages& messages_;
  std::optional<Tour> tour_;
  std::shared_ptr<const Scenario> opened_;  ///< of the document that the tour belongs to
  std::size_t at_ = 0;                      ///< index of the present step
  Phase phase_ = Phase::told;
  bool by_hand_ = false;  ///< a body was moved or pulled since the instructions of the step
  /// Of each step so far: the edits before it, the option that was chosen, and the run and its step
  /// at the time that was waited for.
  struct Visit {
    std::size_t edits = 0;
    std::optional<std::size_t> chosen{};
    std::optional<std::pair<std::uint64_t, std::int64_t>> end{};
  };
  std::vector<Visit> visits_;
  std::shared_ptr<const ui::TourCard> card_;
};

}  // namespace twosphere
