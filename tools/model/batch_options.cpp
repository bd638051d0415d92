#include "tools/model/batch_options.hpp"

#include <array>
#include <string_view>

namespace bursar { inline namespace tools {
namespace {

/// By BatchRounding.
constexpr std::array<std::string_view, 3> rounding_names{"none", "multiple-of-8", "power-of-two"};

} // namespace

void BatchOptions::add_to(Command command) {
    job_.add_to(command);
    command.add_choice<BatchRounding>(
        "--round", rounding_, rounding_names, "how the batch is rounded down (default: none)");
}

}} // namespace bursar::tools
