#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace bursar { inline namespace sim {

/// Notes of a report beside its figures.
struct Notes {
    std::vector<std::string> warnings{};
    std::vector<std::string> decisive{};   ///< assumptions on which every figure rests: bills
                                           ///< say it in their first lines
    std::vector<std::string> assumed{};    ///< not specified by the scenario
    std::vector<std::string> unmodelled{}; ///< requested or usual, but not modelled in this run

    /// Appends the notes of `more`.
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
