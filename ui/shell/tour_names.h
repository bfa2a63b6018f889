// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tours/tour.h"

namespace twosphere::ui {

/// The actions and the plots that tours and links of help pages may name.
const TourNames& tour_names();

}  // namespace twosphere::ui
