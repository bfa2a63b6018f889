// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <fmt/format.h>
#include <imgui.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <QtGlobal>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "app/base/wrap.h"
#include "app/cli/render.h"
#include "app/cli/reproduce.h"
#include "app/cli/run.h"
#include "app/cli/verify.h"
#include "app/window/window.h"
#include "core/base/build.h"
#include "core/base/edit_distance.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/scenario/scenario.h"
#include "render/painter.h"

namespace twosphere {

namespace {

using Names = std::vector<std::string>;

// Commands that this version does not have, and scenario files of these names are rare.
const Names other_commands{"study", "sweep"};

int misuse(std::string place, std::string message) {
  return complain({ErrorKind::usage, std::move(place),
                   std::move(message) + " (twosphere --help lists what is allowed)"});
}

/// Writes to standard output; the exit status.
int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return 0;
  return complain({ErrorKind::input_output, "standard output", "cannot be written"});
}

/// "  -x, --long=VALUE   what it does", one entry per option or command.
std::string entry(const std::string& label, const std::string& help) {
  constexpr std::size_t column = 26, width = 80;
  std::string out = "  " + label;
  if (out.size() + 2 > column)
    out.append(1, '\n').append(column, ' ');
  else
    out.append(column - out.size(), ' ');
  return out + wrapped(help, column, width) + '\n';
}

std::string label(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) out += "-" + name + ", ";
  if (out.empty()) out = "    ";
  out += "--" + option.get_lnames().front();
  if (option.get_expected_max() > 0) out += "=" + option.get_type_name();
  return out;
}

/// Everything that the command line can say.
struct Grammar {
  CLI::App app{"Simulates and shows mechanics on products of two-spheres.", "twosphere"};
  CLI::App* list = nullptr;
  CLI::App* show = nullptr;
  CLI::App* run = nullptr;
  CLI::App* render = nullptr;
  CLI::App* verify = nullptr;
  CLI::App* reproduce = nullptr;
  bool version = false, list_systems = false, list_integrators = false;
  WindowOptions window;
  std::string window_preset, shown;
  RunOptions options;
  PictureOptions picture;
  VerifyOptions proof;
  ReproduceOptions reproduction;

  Grammar() {
    app.set_help_flag("-h,--help", "show this help and exit");
    app.add_flag(
        "--version", version,
        "print version, instruction set, libraries, revision, compiler and licence, and leave");
    app.add_option("SCENARIO", window.scenario_path)->group("");
    text(app, "--preset", "NAME", window_preset,
         "open this preset, one of those that twosphere list names");

    list = app.add_subcommand("list", "list presets, systems or integrators");
    list->add_flag("--systems", list_systems, "list the systems");
    list->add_flag("--integrators", list_integrators, "list the integrators");

    show = app.add_subcommand("show", "print a preset as a scenario file");
    show->add_option("PRESET", shown)->group("");

    run = app.add_subcommand("run", "simulate without a window");
    start(*run, options, "run");
    text(*run, "--duration", "T", options.duration,
         "simulated time [s]; if it is not a whole number of steps the last one goes past it");
    text(*run, "--steps", "N", options.steps, "take exactly N steps, in place of a duration");
    text(*run, "--every", "K", options.every,
         "sample every K steps, and the first and last state; by default the smallest K that gives "
         "at most 10001 rows");
    set(*run, options);
    text(*run, "--csv", "FILE", options.csv,
         "write energies and errors as a table, and its description as FILE.json");
    text(*run, "--trajectory", "FILE", options.trajectory,
         "write directions and angular velocities (.csv), or positions and velocities as extended "
         "XYZ (.xyz), or as VTK PolyData, a file for each row in a folder beside their index "
         "(.pvd)");
    text(*run, "--field", "FILE", options.field,
         "write the local kinetic energy at the end (.csv): its mean over the bodies in and around "
         "each of the 5120 faces of an icosphere, and where that had to look further");
    text(*run, "--save-state", "FILE", options.save_state,
         "write a scenario that continues the run bit for bit");
    run->add_flag("--check", options.check,
                  "measure, at the state where the run ends, how far one more step is from "
                  "symplectic and how near 100 steps forth and back come to their start, each "
                  "beside what rounding alone gives, and add it to the summary");
    text(*run, "--threads", "N", options.threads,
         "share large sums by N threads, by default one for each processor; results are the same "
         "to every bit");
    run->add_flag("--json", options.json, "print the summary as JSON");
    run->add_flag("--quiet", options.quiet,
                  "no progress, no notes, and no summary unless --json asks for it");
    run->add_flag(
        "--strict", options.strict,
        "a warning of the run, that its results mean nothing from some time on, makes the "
        "exit status 1");

    render = app.add_subcommand("render", "draw a picture or a film without a window");
    start(*render, picture, "draw");
    set(*render, picture);
    text(*render, "--time", "T", picture.time,
         "time of the picture [s], 0 or more; between two steps the later one is shown");
    text(*render, "--png", "FILE", picture.png, "write the picture to this file");
    text(*render, "--film", "FILE", picture.film,
         "write a film, by ffmpeg: FILE ends in .mp4, .webm, .mkv or .gif, or in / for a folder of "
         "PNG frames, which needs no ffmpeg");
    text(*render, "--from", "T0", picture.from,
         "time at which the film begins [s]; by default the start");
    text(*render, "--to", "T1", picture.to, "and ends [s]; by default the end of the scenario");
    text(*render, "--fps", "N", picture.fps, "frames per second of the film; 30 by default");
    text(*render, "--speed", "X", picture.speed,
         "simulated seconds in a second of the film; 1 by default");
    text(*render, "--size", "WxH", picture.size,
         fmt::format("width and height [pixels], each from {} to {}; 1280x800 by default",
                     twosphere::render::Painter::smallest, twosphere::render::Painter::largest));
    text(*render, "--follow", "BODY", picture.follow,
         "have the camera move along with a body, from 1");
    text(*render, "--trail", "T", picture.trail,
         "time that the trail spans [s], 0 for none; 4 by default");
    text(*render, "--color", "QUANTITY", picture.color,
         "what colours show: usual (springs by tension, a rod by bending energy, molecules by "
         "speed), lane, speed, kinetic_energy, momentum or torque");
    text(*render, "--color-map", "NAME", picture.color_map,
         "viridis (by default), cividis, or paper: blue, green, yellow, red");
    text(*render, "--arrows", "LIST", picture.arrows,
         "arrows at every body, of angular_velocity, velocity, momentum, torque or several of "
         "them, separated by commas");
    render->add_flag("--field", picture.field,
                     "colour the unit sphere by the local kinetic energy");
    render->add_flag("--numbers", picture.numbers, "number the bodies, from 1");
    render->add_flag("--no-legend", picture.no_legend, "omit the legend of colours and arrows");
    render->add_flag("--light", picture.light, "draw on a light background, for print");
    render->add_flag("--transparent", picture.transparent,
                     "leave the background out: the picture has an alpha channel");
    render->add_flag("--no-ground", picture.no_ground, "leave the ground and its shadows out");
    render->add_flag("--quiet", picture.quiet, "no notes");

    verify = app.add_subcommand("verify", "check that a saved state continues a run exactly");
    verify->add_option("SCENARIO", proof.scenario)->group("");
    text(*verify, "--preset", "NAME", proof.preset,
         "verify this preset, one of those that twosphere list names");
    verify->add_flag("--all", proof.all,
                     "verify every preset with every integrator that applies to it");
    text(*verify, "--integrator", "ID", proof.integrators,
         "verify with this method, one of those that twosphere list --integrators names; may be "
         "repeated. By default that of the scenario, with --all every one");
    text(*verify, "--steps", "N", proof.steps,
         "compare 2N steps with N and N more; by default what a moment allows, at most 200");

    reproduce = app.add_subcommand("reproduce", "run the papers' experiments again");
    reproduce->add_option("EXAMPLE", reproduction.selection)->group("");
    text(*reproduce, "--out", "DIR", reproduction.out,
         "write the table, a report, every row of the runs and the paper's figures to this folder");
    for (CLI::App* a : {&app, list, show, run, render, verify, reproduce}) a->allow_extras();
  }
  Grammar(const Grammar&) = delete;
  Grammar& operator=(const Grammar&) = delete;

  template <class T>
  static void text(CLI::App& to, const char* name, const char* value, T& target,
                   const std::string& help) {
    to.add_option(name, target, help)
        ->type_name(value)
        ->allow_extra_args(false)
        ->check([](const std::string& given) { return given.empty() ? "missing" : ""; }, "");
  }

  /// What to start from: the same words for every command that simulates.
  static void start(CLI::App& to, PlanOptions& plan, const std::string& verb) {
    to.add_option("SCENARIO", plan.scenario)->group("");
    text(to, "--preset", "NAME", plan.preset,
         verb + " this preset, one of those that twosphere list names");
    text(to, "--integrator", "ID", plan.integrators,
         "use this method, one of those that twosphere list --integrators names; parameters that "
         "it does not have are dropped; given again: beside it, from the same start");
    text(to, "--step", "H", plan.step, "length of a step [s]");
  }
  static void set(CLI::App& to, PlanOptions& plan) {
    text(to, "--set", "PATH=VALUE", plan.set,
         "change a value of the scenario, as in system.masses[0]=2; may be repeated, and comes "
         "after --integrator and --step. VALUE is JSON, else a string");
  }

  CLI::App* command() const {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? nullptr : parsed.front();
  }

  std::string help() const {
    const CLI::App* chosen = command();
    std::string out;
    if (!chosen)
      out =
          "Usage: twosphere [SCENARIO.json | --preset NAME]\n"
          "   or: twosphere COMMAND [OPTION]...\n"
          "Simulates and shows mechanics on products of two-spheres: Lagrangian\n"
          "systems of bodies whose directions move on spheres. Without a command the\n"
          "window opens.\n";
    else if (chosen == list)
      out =
          "Usage: twosphere list [--systems | --integrators]\n"
          "Lists the presets, or the systems or integrators, one a line: key, tab, title.\n";
    else if (chosen == show)
      out =
          "Usage: twosphere show PRESET\n"
          "Prints a preset as a scenario file, to be changed and run.\n";
    else if (chosen == render)
      out =
          "Usage: twosphere render (SCENARIO.json | - | --preset NAME) --time T --png FILE\n"
          "                        [OPTION]...\n"
          "   or: twosphere render (SCENARIO.json | - | --preset NAME) --film FILE\n"
          "                        [OPTION]...\n"
          "Simulates up to a time and draws the scene as the window opens it, or makes a\n"
          "film of a stretch of time. - reads the scenario from standard input. Needs no\n"
          "display, only EGL.\n";
    else if (chosen == verify)
      out =
          "Usage: twosphere verify (SCENARIO.json | - | --preset NAME | --all) [OPTION]...\n"
          "Checks exact restart through real files in fresh processes: 2N steps in one\n"
          "process against N in a second, saved, and N more in a third. The states at the\n"
          "end and the rows of the second half must agree to every byte. Conditions to\n"
          "stop are left out. - reads the scenario from standard input.\n";
    else if (chosen == reproduce)
      out =
          "Usage: twosphere reproduce [1...6 | PRESET]... [OPTION]...\n"
          "Runs the examples of Lee, Leok and McClamroch (2009) again, every row sampled, and\n"
          "prints the numbers of the paper beside those that come of it. Without an example\n"
          "all of them. Needs no display.\n";
    else
      out =
          "Usage: twosphere run (SCENARIO.json | - | --preset NAME) [OPTION]...\n"
          "Simulates without a window and prints a summary. - reads the scenario from\n"
          "standard input. Needs no display.\n";
    if (!chosen) {
      out += "\nCommands:\n";
      for (const CLI::App* c : {list, show, run, render, verify, reproduce})
        out += entry(c->get_name(), c->get_description());
    }
    out += "\nOptions:\n";
    const CLI::App* shown_app = chosen ? chosen : &app;
    for (const CLI::Option* option : shown_app->get_options())
      if (!option->get_lnames().empty()) out += entry(label(*option), option->get_description());
    if (chosen == run)
      out +=
          "\nOne output FILE may be -, standard output; the summary then goes to standard\n"
          "error. Files appear whole or not at all. All quantities are in SI units. Means\n"
          "in the summary are over the sampled rows. Ctrl-C ends the run after the step\n"
          "in progress, or gives that up if it takes long, and keeps what is there.\n"
          "\nExamples:\n"
          "  twosphere run --preset double_spherical_pendulum --every 1 --csv energy.csv\n"
          "  twosphere run --preset chain_pendulum --integrator rk4 --set system.gravity=1.62\n"
          "  twosphere run --preset chain_pendulum --steps 1000 --save-state state.json\n"
          "  twosphere run state.json --steps 1000\n";
    if (chosen == render)
      out +=
          "\nThe FILE of a picture may be -, standard output. Pictures and films appear whole\n"
          "or not at all. Lines and corner axes grow with pictures larger than 1280x800.\n"
          "Frames are equally spaced in simulated time, whatever the machine takes for them:\n"
          "the same call gives the same film. Ctrl-C, a stop condition or a step that fails\n"
          "ends a film and keeps what is there.\n"
          "\nExamples:\n"
          "  twosphere render --preset double_spherical_pendulum --time 12 --png picture.png\n"
          "  twosphere render --preset chain_pendulum --time 5 --light --transparent\n"
          "      --size 3200x2400 --png figure.png\n"
          "  twosphere render --preset three_body --to 5 --speed 0.5 --film bodies.mp4\n";
    if (chosen == verify)
      out +=
          "\nA line for each scenario and integrator: ok, or FAILED with the first place\n"
          "that differs; then one that counts them.\n"
          "\nExamples:\n"
          "  twosphere verify --preset chain_pendulum --integrator variational --steps 1000\n"
          "  twosphere verify --all\n";
    if (chosen == reproduce)
      out +=
          "\nEnergies are compared in the paper's units. A number is reproduced if the table's\n"
          "column \"allowed\" says so: to the digits printed, or within the spread that chaos\n"
          "causes; consistent, if that holds with inputs chosen to fit, where the paper prints\n"
          "none or other ones; below, if it is an error of rounding and ours is smaller. The\n"
          "notes give the reason of each. What is not reproduced makes the exit status 1.\n"
          "\nDIR is made if need be. It gets reproduce.csv and reproduce.md, for every preset\n"
          "PRESET.csv with the energies and errors at every step, and figures 3.1 to 3.6 as SVG\n"
          "and PNG; 3.2 shows errors against the step and has a CSV of its own.\n"
          "\nExamples:\n"
          "  twosphere reproduce\n"
          "  twosphere reproduce 1 3\n"
          "  twosphere reproduce three_body --out three_body\n";
    if (!chosen) out += "\ntwosphere COMMAND --help explains a command.\n";
    if (chosen != list && chosen != show)
      out +=
          "\nExit status: 0 fine; 1 a check failed; 2 wrong usage, or a scenario that cannot\n"
          "be understood; 3 a step could not be taken; 4 a file could not be read or\n"
          "written; 70 an error of the program itself; 130 after Ctrl-C, 143 after SIGTERM.\n";
    return out;
  }

  Names option_names(const CLI::App& of) const {
    Names names;
    for (const CLI::Option* option : of.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
  }
};

int print_version() {
  return print(fmt::format(
      "twosphere {}\n"
      "Instruction set: {}\n"
      "Libraries: {}, CLI11 {}, Qt {}, Dear ImGui {}\n"
      "Revision: {}\n"
      "Compiler: {}\n"
      "Licence: GPL-3.0-or-later <https://www.gnu.org/licenses/gpl-3.0.html>\n"
      "This is free software; there is no warranty, to the extent permitted by law.\n",
      version, isa_level(), core_libraries(), CLI11_VERSION, qVersion(), IMGUI_VERSION,
      revision().empty() ? "unknown: not built from a git checkout" : revision(), compiler));
}

int print_list(const Grammar& grammar) {
  if (grammar.list_systems && grammar.list_integrators)
    return misuse("list", "give --systems or --integrators, not both");
  std::string out;
  const auto line = [&out](std::string_view key, std::string_view title) {
    out += fmt::format("{}\t{}\n", key, title);
  };
  if (grammar.list_systems) {
    for (const SystemInfo& s : systems()) line(s.key, s.title);
  } else if (grammar.list_integrators) {
    for (const IntegratorInfo& i : integrators()) line(i.key, i.title);
  } else {
    for (const Preset& p : presets()) {
      const auto scenario = read_scenario(p.text, p.key);
      if (!scenario) return complain(scenario.error());
      line(p.key, scenario->title);
    }
  }
  return print(out);
}

Names preset_names() {
  Names names;
  for (const Preset& p : presets()) names.emplace_back(p.key);
  return names;
}

std::string did_you_mean(std::string_view given, const Names& names) {
  const std::string near = nearest(given, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

int print_preset(const Grammar& grammar) {
  if (grammar.shown.empty()) return misuse("show", "give the name of a preset");
  if (const Preset* preset = find_preset(grammar.shown)) return print(std::string(preset->text));
  return complain(
      {ErrorKind::usage, "show",
       fmt::format("unknown preset {}{} (there are: {})", json::quote(grammar.shown),
                   did_you_mean(grammar.shown, preset_names()), fmt::join(preset_names(), ", "))});
}

/// What the parser says about an option, as "--option: what is wrong".
int misuse(const CLI::ParseError& error) {
  const std::string what = error.what();
  const auto colon = what.find(": ");
  if (colon == std::string::npos) return misuse("", what);
  const std::string place = what.substr(0, colon), message = what.substr(colon + 2);
  if (message.ends_with("missing")) return misuse(place, "a value is missing");
  if (message.find("received") != std::string::npos) return misuse(place, "may be given only once");
  return misuse(place, message);
}

int open_window(int argc, char** argv, Grammar& grammar) {
  const std::string& path = grammar.window.scenario_path;
  if (!path.empty() && ::access(path.c_str(), F_OK) != 0) {
    const Names commands{"list", "show", "run", "render", "verify", "reproduce"};
    if (path.find_first_of("./") == std::string::npos && !nearest(path, commands).empty())
      return misuse(path, "neither a file nor a command" + did_you_mean(path, commands));
  }
  if (!grammar.window_preset.empty()) {
    if (!path.empty()) return misuse("--preset", "give a scenario or a preset, not both");
    grammar.window.preset = grammar.window_preset;
  }
  grammar.window.named = !path.empty() || !grammar.window_preset.empty();
  return run_window(argc, argv, grammar.window);
}

}  // namespace

int command_line(int argc, char** argv) {
  // A reader that leaves and a file that grows too large are errors of writing, said as such.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // Before the parser, so that COMMAND --help says it too.
  if (argc > 1 &&
      std::find(other_commands.begin(), other_commands.end(), argv[1]) != other_commands.end() &&
      ::access(argv[1], F_OK) != 0)
    return misuse(argv[1], "is no command of this version");
  Grammar grammar;
  try {
    grammar.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(grammar.help());
  } catch (const CLI::ParseError& error) {
    return misuse(error);
  }
  const CLI::App* command = grammar.command();
  if (auto isa = force_isa_from_environment(); !isa) return complain(isa.error());
  if (grammar.version) return print_version();

  const std::string& first = grammar.window.scenario_path;
  for (const CLI::App* app : {static_cast<const CLI::App*>(&grammar.app), command}) {
    if (!app) continue;
    std::vector<std::string> extras = app->remaining();
    std::erase(extras, "--");  // only the end of the options
    for (const std::string& extra : extras) {
      const std::string name = extra.substr(0, extra.find('='));
      if (name.starts_with("-") && name.size() > 1)
        return misuse(
            name,
            "unknown option" + did_you_mean(name, grammar.option_names(command ? *command : *app)));
    }
    if (!extras.empty()) return misuse(extras.front(), "one argument too many");
  }
  if (command && !first.empty()) return misuse(first, "a command comes first");
  if (command && !grammar.window_preset.empty())
    return misuse("--preset", fmt::format("comes behind {}", command->get_name()));
  if (command == grammar.list) return print_list(grammar);
  if (command == grammar.show) return print_preset(grammar);
  if (command == grammar.reproduce) return reproduce(grammar.reproduction);
  if (!command) return open_window(argc, argv, grammar);

  if (command == grammar.verify) {
    const VerifyOptions& proof = grammar.proof;
    const int given = !proof.scenario.empty() + !proof.preset.empty() + proof.all;
    if (given == 0) return misuse("verify", "give a scenario file, -, --preset NAME or --all");
    if (given > 1) return misuse("verify", "give one of a scenario, a preset and --all");
    return verify(proof);
  }
  const bool draws = command == grammar.render;
  const PlanOptions& plan = draws ? static_cast<const PlanOptions&>(grammar.picture)
                                  : static_cast<const PlanOptions&>(grammar.options);
  if (plan.scenario.empty() == plan.preset.empty())
    return misuse(command->get_name(), plan.preset.empty()
                                           ? "give a scenario file, - or --preset NAME"
                                           : "give a scenario or a preset, not both");
  if (draws) {
    const PictureOptions& p = grammar.picture;
    const auto first_given =
        [](std::initializer_list<std::pair<const std::string*, const char*>> all) -> const char* {
      for (const auto& [value, name] : all)
        if (!value->empty()) return name;
      return nullptr;
    };
    if (!p.film.empty()) {
      if (const char* other = first_given({{&p.time, "--time"}, {&p.png, "--png"}}))
        return misuse(other, "is of a picture; a film has --from and --to");
      return draw_film(p);
    }
    if (const char* other = first_given(
            {{&p.from, "--from"}, {&p.to, "--to"}, {&p.fps, "--fps"}, {&p.speed, "--speed"}}))
      return misuse(other, "is of a film: give --film FILE");
    if (p.time.empty()) return misuse("--time", "give the time of the picture");
    if (p.png.empty()) return misuse("--png", "give the file for the picture, or --film FILE");
    return draw_picture(p);
  }
  if (plan.steps && plan.duration)
    return misuse("--steps", "give a number of steps or a duration, not both");
  return run(grammar.options);
}

}  // namespace twosphere
