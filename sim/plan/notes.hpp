#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace bursar { inline namespace sim {

/// What a report says of a run beside its figures.
struct Notes {
    std::vector<std::string> warnings{};
    std::vector<std::string> decisive{};   ///< as `assumed`, and every figure rests on it: bills
                                           ///< say it in their first lines
    std::vector<std::string> assumed{};    ///< taken for granted, the scenario does not say
    std::vector<std::string> unmodelled{}; ///< asked for or usual, but not part of this run

    /// Appends those of `more`.
    void add(Notes more) {
        for (const auto list :
             {&Notes::warnings, &Notes::decisive, &Notes::assumed, &Notes::unmodelled})
            (this->*list)
                .insert((this->*list).end(),
                        std::move_iterator{(more.*list).begin()},
                        std::move_iterator{(more.*list).end()});
    }
    bool operator==(const Notes&) const = default;
};

}} // namespace bursar::sim
