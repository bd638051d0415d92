#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bursar { inline namespace policies {

/// What an option's number means; every option is a whole number, or a list of them.
enum class OptionKind : std::uint8_t {
    count,         ///< a plain number
    duration,      ///< milliseconds
    gpu_time,      ///< GPU-milliseconds
    milli,         ///< thousandths: 1.5 is 1500
    choice,        ///< position in OptionInfo::choices
    gpu_time_file, ///< GPU times of a file, in GPU-milliseconds; no bounds, empty by default
};

/// Up to `max` whole numbers, in a constant expression.
struct FewNumbers {
    static constexpr std::size_t max = 8; ///< of numbers
    std::int64_t values[max]{};
    std::size_t size{};

    constexpr FewNumbers(std::initializer_list<std::int64_t> given) : size{given.size()} {
        std::size_t i = 0;
        for (const std::int64_t value : given)
            values[i++] = value;
    }
};

/// One option of a policy: its values in scenarios, its text in `bursar policies` and its default.
/// Declared here and nowhere else.
struct OptionInfo {
    std::string_view name;
    OptionKind kind{OptionKind::count};
    FewNumbers fallback{0};
    std::string_view meaning;
    /// 1 .. FewNumbers::max limits, each above the one before it; of choices in any order, each
    /// once.
    bool is_list{false};
    std::int64_t min{0}; ///< of the number, or of each in a list
    std::int64_t max{std::int64_t{1} << 40U};
    std::string_view choices[7]{}; ///< OptionKind::choice: the words, "" past the last
    /// The choice option of the same policy that must have the value `only_with_value` for this
    /// option to be allowed. Empty: always allowed.
    std::string_view only_with{};
    std::int64_t only_with_value{0};
    bool max_is_no_limit{false}; ///< `max` is written `unlimited`
};

/// The options of one policy that a scenario gives; the rest have their defaults.
class PolicyOptions {
  public:
    void set(std::string name, std::vector<std::int64_t> values) {
        given_[std::move(name)] = std::move(values);
    }
    /// Precondition: `info` is no list.
    [[nodiscard]] std::int64_t value(const OptionInfo& info) const {
        const auto at = given_.find(info.name);
        return at == given_.end() ? info.fallback.values[0] : at->second.front();
    }
    [[nodiscard]] std::vector<std::int64_t> list(const OptionInfo& info) const {
        const auto at = given_.find(info.name);
        if (at != given_.end())
            return at->second;
        return {info.fallback.values, info.fallback.values + info.fallback.size};
    }
    /// The given values, by the options' names.
    [[nodiscard]] const std::map<std::string, std::vector<std::int64_t>, std::less<>>&
    given() const {
        return given_;
    }
    bool operator==(const PolicyOptions&) const = default;

    /// As in sim/plan/plan_members.hpp.
    template <class Self, class Visit>
        requires std::same_as<std::remove_const_t<Self>, PolicyOptions>
    friend void each_member(Self& self, const Visit& visit) {
        visit("given", self.given_);
    }

  private:
    std::map<std::string, std::vector<std::int64_t>, std::less<>> given_;
};

}} // namespace bursar::policies
