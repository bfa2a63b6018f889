// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog.h"

#include <algorithm>
#include <vector>

#include "embedded/help_files.h"
#include "embedded/preset_files.h"

// The lists. A system or an integrator is one file in systems/ or integrators/ and one line here.
#define TWOSPHERE_SYSTEMS(ENTRY) \
  ENTRY(chain_pendulum)          \
  ENTRY(n_body)                  \
  ENTRY(pendulum_network)        \
  ENTRY(elastic_rod)             \
  ENTRY(dipole_array)            \
  ENTRY(lennard_jones)           \
  ENTRY(conformal_particles)

#define TWOSPHERE_INTEGRATORS(ENTRY) \
  ENTRY(variational)                 \
  ENTRY(variational4)                \
  ENTRY(variational6)                \
  ENTRY(variational8)                \
  ENTRY(variational_cayley)          \
  ENTRY(rotation)                    \
  ENTRY(rotation4)                   \
  ENTRY(rotation6)                   \
  ENTRY(rk2)                         \
  ENTRY(heun)                        \
  ENTRY(rk2_projected)               \
  ENTRY(rk4)                         \
  ENTRY(rk45)

#define TWOSPHERE_PRESETS(ENTRY)   \
  ENTRY(double_spherical_pendulum) \
  ENTRY(three_body)                \
  ENTRY(pendulum_network)          \
  ENTRY(elastic_rod)               \
  ENTRY(elastic_rod_consistent)    \
  ENTRY(dipole_array)              \
  ENTRY(lennard_jones)             \
  ENTRY(chain_pendulum)            \
  ENTRY(conformal_particle)        \
  ENTRY(conformal_pair)

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
  static const std::vector<IntegratorInfo> list{TWOSPHERE_INTEGRATORS(TWOSPHERE_CALL)};
  return list;
}

namespace {

template <class List>
auto find(const List& list, std::string_view key) -> decltype(list.data()) {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.key == key; });
  return it == list.end() ? nullptr : &*it;
}

std::string_view embedded_file(std::span<const embedded::File> files, std::string_view key) {
  for (const auto& file : files)
    if (file.name.substr(0, file.name.rfind('.')) == key) return file.text;
  return {};
}

}  // namespace

const SystemInfo* find_system(std::string_view key) { return find(systems(), key); }
const IntegratorInfo* find_integrator(std::string_view key) { return find(integrators(), key); }

const ParameterInfo& step_parameter() {
  static const ParameterInfo info{.key = "step",
                                  .symbol = "h",
                                  .label = "step",
                                  .unit = "s",
                                  .help = "Length of one time step.",
                                  .domain = Domain::positive,
                                  .required = true,
                                  .low = 1e-6,
                                  .high = 1,
                                  .logarithmic = true};
  return info;
}

std::span<const Preset> presets() {
#define TWOSPHERE_PRESET(name)                            \
  {#name, embedded_file(embedded::preset_files(), #name), \
   embedded_file(embedded::help_files(), #name)},
  static const std::vector<Preset> list{TWOSPHERE_PRESETS(TWOSPHERE_PRESET)};
  return list;
}

const Preset* find_preset(std::string_view key) { return find(presets(), key); }

}  // namespace twosphere
