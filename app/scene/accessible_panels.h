// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {

/// Makes the widgets of the panels, which Dear ImGui draws in the view, known to screen readers:
/// each is a child of the view with its name, role, state, value and position, that can be pressed
/// or changed from there. Call before the view is shown; further calls do nothing.
void install_accessible_panels();

}  // namespace twosphere
