#include "reports/text/human_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include <fmt/format.h>

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// A multiple and the size from which it is used.
struct Multiple {
    double from{};
    double factor{};
    std::string_view name;
};

struct Family {
    std::string_view unit;
    std::span<const Multiple> multiples; ///< from small to large
};

constexpr std::array times{Multiple{0, 1e-6, "us"},
                           Multiple{1e-3, 1e-3, "ms"},
                           Multiple{1, 1, "s"},
                           Multiple{600, 60, "min"},
                           Multiple{7200, 3600, "h"},
                           Multiple{48 * 3600.0, 86400, "d"}};
constexpr std::array volumes{Multiple{0, 1, "B"},
                             Multiple{1e3, 1e3, "kB"},
                             Multiple{1e6, 1e6, "MB"},
                             Multiple{1e9, 1e9, "GB"},
                             Multiple{1e13, 1e12, "TB"},
                             Multiple{1e16, 1e15, "PB"}};
constexpr std::array byte_rates{Multiple{0, 1, "B/s"},
                                Multiple{1e3, 1e3, "kB/s"},
                                Multiple{1e6, 1e6, "MB/s"},
                                Multiple{1e9, 1e9, "GB/s"},
                                Multiple{1e13, 1e12, "TB/s"}};
constexpr std::array works{Multiple{0, 1, "FLOP"},
                           Multiple{1e6, 1e6, "MFLOP"},
                           Multiple{1e9, 1e9, "GFLOP"},
                           Multiple{1e12, 1e12, "TFLOP"},
                           Multiple{1e15, 1e15, "PFLOP"},
                           Multiple{1e18, 1e18, "EFLOP"},
                           Multiple{1e21, 1e21, "ZFLOP"}};
constexpr std::array work_rates{Multiple{0, 1, "FLOP/s"},
                                Multiple{1e6, 1e6, "MFLOP/s"},
                                Multiple{1e9, 1e9, "GFLOP/s"},
                                Multiple{1e12, 1e12, "TFLOP/s"},
                                Multiple{1e16, 1e15, "PFLOP/s"},
                                Multiple{1e19, 1e18, "EFLOP/s"}};
constexpr std::array powers{
    Multiple{0, 1, "W"}, Multiple{1e4, 1e3, "kW"}, Multiple{1e7, 1e6, "MW"}};
constexpr std::array energies{Multiple{0, 1, "J"},
                              Multiple{1e4, 1e3, "kJ"},
                              Multiple{3.6e6, 3.6e6, "kWh"},
                              Multiple{3.6e10, 3.6e9, "MWh"},
                              Multiple{3.6e13, 3.6e12, "GWh"}};
constexpr std::array masses{Multiple{0, 1, "g"}, Multiple{1e3, 1e3, "kg"}, Multiple{1e7, 1e6, "t"}};
constexpr std::array shares{Multiple{0, 0.01, "%"}};

constexpr std::array families{Family{"s", times},
                              Family{"B", volumes},
                              Family{"B/s", byte_rates},
                              Family{"FLOP", works},
                              Family{"FLOP/s", work_rates},
                              Family{"W", powers},
                              Family{"J", energies},
                              Family{"g", masses},
                              Family{"fraction", shares}};

constexpr int digits_shown = 4;
constexpr int min_fixed_exponent = -4; ///< smaller numbers are written with a power of ten
constexpr int max_fixed_exponent = 5;  ///< larger ones too

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

} // namespace

ShownUnit shown_unit(std::string_view unit, double magnitude) {
    const auto* family = std::ranges::find(families, unit, &Family::unit);
    if (family == families.end())
        return {1, unit};
    const Multiple* shown = &family->multiples.front();
    for (const Multiple& multiple : family->multiples)
        if (magnitude >= multiple.from)
            shown = &multiple;
    if (magnitude == 0 && unit == "s")
        return {1, unit}; // "0 s", not "0 us"
    return {shown->factor, shown->name};
}

int leading_exponent(double value) {
    const std::string scientific = fmt::format("{:.{}e}", value, digits_shown - 1);
    return std::atoi(scientific.c_str() + scientific.find('e') + 1); // NOLINT(cert-err34-c)
}

std::string human_number(double value) {
    if (!std::isfinite(value))
        return "-";
    if (value == 0)
        return "0";
    const int exponent = leading_exponent(value);
    if (exponent >= min_fixed_exponent && exponent <= max_fixed_exponent) {
        const int places = std::max(0, digits_shown - 1 - exponent);
        return without_trailing_zeros(human_number(value, places));
    }
    const int power = static_cast<int>(std::floor(exponent / 3.0)) * 3;
    const int places = digits_shown - 1 - (exponent - power);
    const double mantissa = value / std::pow(10.0, power);
    return without_trailing_zeros(fmt::format("{:.{}f}", mantissa, places)) +
           fmt::format("e{}", power);
}

std::string human_number(double value, int places) {
    if (!std::isfinite(value))
        return "-";
    std::string text = fmt::format("{:.{}f}", value, places);
    const std::size_t first = text.front() == '-' ? 1 : 0;
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > first + 3; at -= 3)
        text.insert(at - 3, 1, ',');
    return text;
}

std::string human_count(std::int64_t value) {
    return grouped_text(value, 0);
}

}} // namespace bursar::reports
