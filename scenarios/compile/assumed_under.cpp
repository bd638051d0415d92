#include "scenarios/compile/assumed_under.hpp"

namespace bursar { inline namespace scenarios {

std::vector<std::string> assumed_under(const PolicyChoice& choice,
                                       std::vector<std::string> assumed) {
    std::erase_if(assumed, [&](const std::string& text) {
        return (text == knows_run_times && !needs_run_times(choice)) ||
               (text == youngest_leave && choice.capacity != capacity_count);
    });
    return assumed;
}

}} // namespace bursar::scenarios
