#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/describe/option.hpp"

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// The value of a policy's option, by its OptionInfo: whole numbers in the option's unit. A list of
/// one element may be written without brackets.
struct OptionRule {
    using value_type = std::vector<std::int64_t>; ///< one number where it is no list and no file
    OptionInfo option;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    [[nodiscard]] static std::optional<value_type> read_file(const Reader& at);
    [[nodiscard]] std::optional<std::int64_t> read_one(const Reader& at) const;
    [[nodiscard]] std::optional<std::int64_t> read_number(const Reader& at) const;
    [[nodiscard]] Schema one_schema() const;
};

}} // namespace bursar::scenarios
