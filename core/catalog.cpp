// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/integrators/family_look.h"
#include "embedded/custom_help_files.h"
#include "embedded/custom_preset_files.h"
#include "embedded/help_files.h"
#include "embedded/preset_files.h"

// The lists. A system or an integrator is one file in systems/ or integrators/ and one line here.
#define TWOSPHERE_SYSTEMS(ENTRY) \
  ENTRY(chain_pendulum)          \
  ENTRY(free_chain)              \
  ENTRY(n_body)                  \
  ENTRY(pendulum_network)        \
  ENTRY(elastic_rod)             \
  ENTRY(dipole_array)            \
  ENTRY(lennard_jones)           \
  ENTRY(conformal_particles)     \
  ENTRY(spins)                   \
  ENTRY(vortices)                \
  ENTRY(rigid_body)              \
  ENTRY(custom_system)

#define TWOSPHERE_INTEGRATORS(ENTRY) \
  ENTRY(variational)                 \
  ENTRY(variational4)                \
  ENTRY(variational6)                \
  ENTRY(variational8)                \
  ENTRY(variational_cayley)          \
  ENTRY(rattle)                      \
  ENTRY(rotation)                    \
  ENTRY(rotation4)                   \
  ENTRY(rotation6)                   \
  ENTRY(rotation8)                   \
  ENTRY(rk2)                         \
  ENTRY(heun)                        \
  ENTRY(rk2_projected)               \
  ENTRY(rk4)                         \
  ENTRY(rkmk4)                       \
  ENTRY(rk45)                        \
  ENTRY(rk78)                        \
  ENTRY(gauss16)                     \
  ENTRY(variational_adaptive)        \
  ENTRY(rotation6_adaptive)          \
  ENTRY(rotation8_adaptive)          \
  ENTRY(spherical_midpoint)          \
  ENTRY(spherical_midpoint4)         \
  ENTRY(spherical_midpoint6)         \
  ENTRY(spherical_midpoint8)         \
  ENTRY(pair_rotation)               \
  ENTRY(pair_rotation4)              \
  ENTRY(sublattice_rotation)         \
  ENTRY(implicit_midpoint)           \
  ENTRY(depondt_mertens)             \
  ENTRY(semi_implicit)               \
  ENTRY(heun_projected)

namespace twosphere {

#define TWOSPHERE_DECLARE(name) const SystemInfo& name();
TWOSPHERE_SYSTEMS(TWOSPHERE_DECLARE)
#undef TWOSPHERE_DECLARE
#define TWOSPHERE_DECLARE(name) const IntegratorInfo& name();
TWOSPHERE_INTEGRATORS(TWOSPHERE_DECLARE)
#undef TWOSPHERE_DECLARE

#define TWOSPHERE_CALL(name) name(),

std::span<const SystemInfo> systems() {
  static const std::vector<SystemInfo> list{TWOSPHERE_SYSTEMS(TWOSPHERE_CALL)};
  return list;
}

std::span<const IntegratorInfo> integrators() {
  static const std::vector<IntegratorInfo> list = [] {
    std::vector<IntegratorInfo> made{TWOSPHERE_INTEGRATORS(TWOSPHERE_CALL)};
    give_looks(made);
    return made;
  }();
  return list;
}

namespace {

template <class List>
auto find(const List& list, std::string_view key) -> decltype(list.data()) {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.key == key; });
  return it == list.end() ? nullptr : &*it;
}

/// Records that were added. None is ever removed: runs refer to them.
template <class Info>
class Added {
 public:
  const Info* find(std::string_view key) const {
    const std::shared_lock lock(mutex_);
    const auto last =
        std::find_if(list_.rbegin(), list_.rend(), [&](const Info& x) { return x.key == key; });
    return last == list_.rend() ? nullptr : &*last;
  }
  Result<void> add(Info info, std::span<const Info> listed) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (info.key.empty() || !std::all_of(info.key.begin(), info.key.end(), fits))
      return Error{ErrorKind::usage, "",
                   fmt::format("a name has letters, digits and _, not {}", json::quote(info.key))};
    if (twosphere::find(listed, info.key))
      return Error{ErrorKind::usage, "",
                   fmt::format("{} is the name of a built-in one", json::quote(info.key))};
    const std::unique_lock lock(mutex_);
    list_.push_back(std::move(info));
    return {};
  }

 private:
  mutable std::shared_mutex mutex_;
  std::deque<Info> list_;
};

template <class Info>
Added<Info>& added() {
  static Added<Info> records;
  return records;
}

// Presets are the files that lie in resources/presets. Lists begin with these, in this order; the
// others follow by name.
constexpr std::array<std::string_view, 15> first_presets{
    "double_spherical_pendulum", "three_body",       "pendulum_network",   "elastic_rod",
    "elastic_rod_consistent",    "dipole_array",     "lennard_jones",      "chain_pendulum",
    "inverted_double_pendulum",  "close_encounters", "conformal_particle", "conformal_pair",
    "vortex_leapfrog",           "vortex_polygons",  "tumbling_tops",
};

std::string_view key_of(const embedded::File& file) {
  return file.name.substr(0, file.name.rfind('.'));
}

/// The page of a preset; empty if there is none.
std::string_view page_of(const embedded::File& preset, std::span<const embedded::File> pages) {
  for (const embedded::File& page : pages)
    if (key_of(page) == key_of(preset)) return page.text;
  return {};
}

std::vector<Preset> all_presets() {
  std::vector<Preset> list;
  for (const embedded::File& file : embedded::preset_files())
    list.push_back({key_of(file), file.text, page_of(file, embedded::help_files())});
  const auto rank = [](const Preset& preset) {
    return std::pair(std::find(first_presets.begin(), first_presets.end(), preset.key), preset.key);
  };
  std::sort(list.begin(), list.end(),
            [&](const Preset& a, const Preset& b) { return rank(a) < rank(b); });
  return list;
}

}  // namespace

const SystemInfo* find_system(std::string_view key) {
  const SystemInfo* listed = find(systems(), key);
  return listed ? listed : added<SystemInfo>().find(key);
}
const IntegratorInfo* find_integrator(std::string_view key) {
  const IntegratorInfo* listed = find(integrators(), key);
  return listed ? listed : added<IntegratorInfo>().find(key);
}

bool has_tangent_map(const IntegratorInfo& method, const System& system) {
  return method.supports(system) &&
         method.create(default_values(method.parameters))->tangent_map(system);
}
const IntegratorInfo* method_with_tangent_map(const System& system) {
  for (const IntegratorInfo& method : integrators())
    if (has_tangent_map(method, system)) return &method;
  return nullptr;
}

Result<void> add_system(SystemInfo info) {
  return added<SystemInfo>().add(std::move(info), systems());
}
Result<void> add_integrator(IntegratorInfo info) {
  info.look = family_look(info, integrators());
  return added<IntegratorInfo>().add(std::move(info), integrators());
}

bool is_listed(const SystemInfo& info) { return find(systems(), info.key) != nullptr; }
bool is_listed(const IntegratorInfo& info) { return find(integrators(), info.key) != nullptr; }

const ParameterInfo& step_parameter() {
  static const ParameterInfo info{.key = "step",
                                  .symbol = "h",
                                  .label = "step",
                                  .unit = "s",
                                  .help = "Time step.",
                                  .domain = Domain::positive,
                                  .required = true,
                                  .low = 1e-6,
                                  .high = 1,
                                  .logarithmic = true};
  return info;
}

std::span<const Preset> presets() {
  static const std::vector<Preset> list = all_presets();
  return list;
}

std::span<const Preset> custom_presets() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> made;
    for (const embedded::File& file : embedded::custom_preset_files())
      made.push_back(std::string(custom_system().key) + '/' + std::string(key_of(file)));
    return made;
  }();
  static const std::vector<Preset> list = [] {
    std::vector<Preset> made;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const embedded::File& file = embedded::custom_preset_files()[i];
      made.push_back({keys[i], file.text, page_of(file, embedded::custom_help_files())});
    }
    return made;
  }();
  return list;
}

const Preset* find_preset(std::string_view key) {
  const Preset* preset = find(presets(), key);
  return preset ? preset : find(custom_presets(), key);
}

std::vector<std::string> preset_keys() {
  std::vector<std::string> keys;
  for (const auto& list : {presets(), custom_presets()})
    for (const Preset& p : list) keys.emplace_back(p.key);
  return keys;
}

}  // namespace twosphere
