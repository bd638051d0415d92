#pragma once

#include <string>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/known_names.hpp"

namespace bursar { inline namespace scenarios {

/// The JSON Schema (draft-07) of a scenario file as text, generated from the Reader's own key
/// table.
///
/// It says what single values and the keys of a mapping must look like. It cannot say what the
/// Reader checks across keys (names that must exist or be unique, ends before beginnings, keys for
/// one purchase only), which GPUs, stacks and networks the catalogues of a run hold, nor how large
/// a converted quantity may be. In a file with `include` no key of a merged mapping is required: an
/// included file may have it.
std::string scenario_schema(const KnownNames& names, const Catalogue& catalogue);

}} // namespace bursar::scenarios
