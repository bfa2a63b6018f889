// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/studies/order_study.h"

namespace twosphere {

/// The table as CSV (RFC 4180), a row per run.
std::string order_table(const OrderStudy& study, const OrderStudyResult& result);
/// The file beside the table, TABLE.json: the plan and, of a study that was stopped, what it takes
/// to continue.
std::string order_companion(const OrderStudy& study, const OrderStudyResult& result);
/// The result so far in such a file; none if it is complete, or not of this study.
std::optional<OrderStudyResult> unfinished_study(const OrderStudy& study,
                                                 std::string_view companion);

}  // namespace twosphere
