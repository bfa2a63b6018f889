// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tours/tour.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/document.h"
#include "core/scenario/reader.h"
#include "embedded/tour_files.h"

namespace twosphere {

namespace {

using document::Names;
using document::Value;
using Word = TourInstruction::Word;
using For = TourWait::For;

constexpr std::string_view tour_ending = ".json";

/// In the order of TourInstruction::Word.
const Names instruction_words{"action", "set", "plots", "lane", "play", "pause", "to", "pace"};

/// The word before the first colon, and what follows it.
std::pair<std::string_view, std::string_view> at_colon(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Error usage(std::string message) { return {ErrorKind::usage, "", std::move(message)}; }

Result<std::string> known_action(std::string_view id, const TourNames& names) {
  if (document::contains(names.actions, id)) return std::string(id);
  return usage(fmt::format("there is no action {}; {}the user guide lists their ids",
                           json::quote(id), document::suggestion(id, names.actions)));
}

std::optional<double> finite_number(std::string_view text) {
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

Result<TourWait> parse_wait(std::string_view text, const TourNames& names) {
  const auto [word, value] = at_colon(text);
  if (text == "enter") return TourWait{};
  if (text == "drag") return TourWait{.what = For::drag};
  if (word == "time") {
    const auto time = finite_number(value);
    if (!time) return usage(fmt::format("{} is not a time in seconds", json::quote(value)));
    return TourWait{.what = For::time, .time = *time};
  }
  if (word == "key") {
    const auto action = known_action(value, names);
    if (!action) return action.error();
    return TourWait{.what = For::key, .action = *action};
  }
  for (const auto& [name, what] : {std::pair<std::string_view, For>{"result:check", For::check},
                                   {"result:cloud", For::cloud},
                                   {"result:way_back", For::way_back}})
    if (text == name) return TourWait{.what = what};
  return usage(
      fmt::format("{} is nothing to wait for; that is enter, time:T, key:ID, drag, "
                  "result:check, result:cloud or result:way_back",
                  json::quote(text)));
}

/// The value of a result; an error becomes that of the text.
template <class T>
T checked(const Value& value, Result<T> result) {
  if (!result) value.fail(result.error().message);
  return std::move(*result);
}

std::string required_text(const Value& value) {
  const std::string& text = value.text();
  if (text.find_first_not_of(' ') == text.npos) value.fail("must not be empty");
  return text;
}

int count_words(std::string_view text) {
  int words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    words += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  return words;
}

/// A text, or a list of texts.
std::vector<Value> one_or_more(const Value& value) {
  return value.kind() == json::Kind::array ? value.items() : std::vector<Value>{value};
}

TourQuestion read_question(const Value& value, const Scenario& preset) {
  value.expect(json::Kind::object).object({"question", "options", "answer", "because", "holds"});
  TourQuestion ask{.question = required_text(value.member("question")),
                   .options = {},
                   .because = required_text(value.member("because"))};
  const Value options = value.member("options");
  constexpr std::size_t min_answers = 2, max_answers = 4;
  if (options.expect(json::Kind::array).size() < min_answers || options.size() > max_answers)
    options.fail(
        fmt::format("must have {} to {} texts, not {}", min_answers, max_answers, options.size()));
  for (const Value& option : options.items()) ask.options.push_back(required_text(option));
  ask.answer = value.member("answer").choice(ask.options, "option");
  if (const auto holds = value.find("holds"))
    for (const Value& claim : one_or_more(*holds))
      ask.holds.push_back(checked(claim, parse_claim(claim.text(), preset)));
  return ask;
}

TourStep read_step(const Value& value, const Scenario& preset, const TourNames& names) {
  value.expect(json::Kind::object).object({"say", "do", "wait", "ask", "ring"});
  const Value say = value.member("say");
  TourStep step{.say = required_text(say), .line = value.node().line};
  if (const int words = count_words(step.say); words > TourStep::max_words)
    say.fail(fmt::format("has {} words; the strip has room for {}", words, TourStep::max_words));
  if (const auto instructions = value.find("do"))
    for (const Value& one : instructions->items())
      step.instructions.push_back(checked(one, parse_instruction(one.text(), names)));
  if (const auto wait = value.find("wait"))
    step.wait = checked(*wait, parse_wait(wait->text(), names));
  if (const auto ask = value.find("ask")) step.ask = read_question(*ask, preset);
  if (const auto ring = value.find("ring")) step.ring = required_text(*ring);
  return step;
}

/// The scenario that a tour walks through; its key is known.
Scenario scenario_of(const Value& preset) {
  auto scenario = load_preset(preset.text());
  if (!scenario) preset.fail(scenario.error().message);
  return std::move(*scenario);
}

/// "no_drift" of "no_drift.json".
std::string name_of_file(std::string_view file) {
  return std::string(file.substr(0, file.size() - tour_ending.size()));
}

}  // namespace

Result<TourInstruction> parse_instruction(std::string_view text, const TourNames& names) {
  const auto [word, value] = at_colon(text);
  const auto found = std::find(instruction_words.begin(), instruction_words.end(), word);
  if (found == instruction_words.end())
    return usage(fmt::format(
        "{} is not an instruction; {}an instruction is action:ID, set:PATH=VALUE, plots:TEXT, "
        "lane:JSON, play, pause, to:T or pace:X",
        json::quote(text), document::suggestion(word, instruction_words)));
  TourInstruction instruction{.word = static_cast<Word>(found - instruction_words.begin()),
                              .text = std::string(text)};
  switch (instruction.word) {
    case Word::play:
    case Word::pause:
      if (text != word) return usage(fmt::format("{} takes no value", word));
      break;
    case Word::action: {
      auto action = known_action(value, names);
      if (!action) return action.error();
      instruction.action = std::move(*action);
      break;
    }
    case Word::set: {
      const std::size_t equals = value.find('=');
      if (equals == value.npos)
        return usage(fmt::format("{} must be set:PATH=VALUE", json::quote(text)));
      instruction.setting.path = SettingPath(value.substr(0, equals));
      if (!instruction.setting.path.valid()) return usage(instruction.setting.path.problem());
      auto given = json::parse_value(value.substr(equals + 1));
      if (!given) return usage(given.error().message);
      instruction.setting.value = std::move(*given);
      break;
    }
    case Word::plots:
      for (const std::string& plot : split(value, ';')) {
        const std::size_t from = std::min(plot.find_first_not_of(' '), plot.size());
        instruction.plots.push_back(plot.substr(from));
        if (!names.is_plot(instruction.plots.back()))
          return usage(
              fmt::format("{} is no plot; one is written as in \"view\" of a session, such "
                          "as energy_error logarithmic",
                          json::quote(instruction.plots.back())));
      }
      break;
    case Word::lane: {
      auto lane = json::parse(value, "");
      if (!lane || lane->kind != json::Kind::object)
        return usage(
            fmt::format("{} must be an object, such as {{\"type\": \"rk4\", \"step\": 0.01}}{}",
                        json::quote(value), lane ? "" : ": " + lane.error().message));
      instruction.lane = std::move(*lane);
      break;
    }
    case Word::to:
    case Word::pace: {
      const auto number = finite_number(value);
      if (!number || (instruction.word == Word::pace && !(*number > 0)))
        return usage(fmt::format("{} must be {}", json::quote(text),
                                 instruction.word == Word::to
                                     ? "to:T with a time in seconds"
                                     : "pace:X with a factor greater than 0"));
      instruction.number = *number;
      break;
    }
  }
  return instruction;
}

Result<Tour> read_tour(std::string_view text, std::string_view source, const TourNames& names) {
  const auto root = json::parse(text, source);
  if (!root) return root.error();
  try {
    const document::Origin from{source};
    const Value value(from, *root, "");
    value.expect(json::Kind::object).object({"tour", "title", "minutes", "preset", "steps"});
    (void)value.member("tour").whole(1, 1);
    constexpr std::int64_t longest = 60;
    Tour tour{.name = std::string(source),
              .title = required_text(value.member("title")),
              .minutes = static_cast<int>(value.member("minutes").whole(1, longest)),
              .preset = value.member("preset").text(),
              .steps = {}};
    (void)value.member("preset").choice(preset_keys(), "preset");
    const Scenario preset = scenario_of(value.member("preset"));
    const Value steps = value.member("steps");
    if (steps.expect(json::Kind::array).size() == 0) steps.fail("must have a step");
    for (const Value& step : steps.items()) tour.steps.push_back(read_step(step, preset, names));
    return tour;
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<Tour> load_tour(const std::string& name_or_path, const TourNames& names) {
  std::vector<std::string> known;
  for (const embedded::File& file : embedded::tour_files()) {
    known.push_back(name_of_file(file.name));
    if (known.back() != name_or_path) continue;
    auto tour = read_tour(file.text, file.name, names);
    if (tour) tour->name = name_or_path;
    return tour;
  }
  // A text without a dot and a slash is a name.
  if (name_or_path.find_first_of("./") == std::string::npos)
    return usage(fmt::format("{} is no tour; {}there are {}", json::quote(name_or_path),
                             document::suggestion(name_or_path, known), document::join(known)));
  const auto text = read_file(name_or_path, json::max_bytes);
  if (!text) return text.error();
  return read_tour(*text, name_or_path, names);
}

std::span<const TourEntry> tour_entries() {
  static const std::vector<TourEntry> list = [] {
    std::vector<TourEntry> all;
    for (const embedded::File& file : embedded::tour_files()) {
      // Only what lists show is read: actions and plots are not known here.
      const json::Node root = *json::parse(file.text, file.name);
      all.push_back({.name = name_of_file(file.name),
                     .title = root.find("title")->text,
                     .preset = root.find("preset")->text,
                     .minutes = static_cast<int>(root.find("minutes")->number),
                     .beginning = root.find("steps")->items.front().find("say")->text});
    }
    return all;
  }();
  return list;
}

}  // namespace twosphere
