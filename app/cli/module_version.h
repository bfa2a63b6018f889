// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The program_version() with which the module of the program, WindowModule, was built. The program
/// reads it before anything else of the module, whose objects are those of its own version only.
extern "C" const char twosphere_window_version[];
