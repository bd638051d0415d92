#pragma once

#include <optional>
#include <string>

#include "models/units/units.hpp"

#include "sim/ledger/leaf.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The leaf on which most of what was paid and was not productive went.
struct LargestDrain {
    Leaf leaf{};
    Money cost{};
    SlotTime held{};
};

/// By dollars, of two equal ones the first in the order of leaves; absent where all that cost
/// something was productive.
[[nodiscard]] std::optional<LargestDrain> largest_drain(const Result& result);

/// What makes less of a leaf, as an imperative with the keys of a scenario that it takes; of leaves
/// that are not productive. Of time without demand it names the pool where most of it
/// was paid for; empty where there are no pools. Of GPUs that are too few for waiting gangs it
/// depends on what these wait for.
[[nodiscard]] std::string advice_on(Leaf leaf, const Result& result);

/// "lost, job failed: 81,653.10 USD, 22.5 % of what GPU time cost; stop jobs that will fail
/// earlier"; with several seeds, of the first. Empty where there is none.
[[nodiscard]] std::string drain_sentence(const Result& result);

}} // namespace bursar::reports
