#include "scenarios/reader/quantity_rule.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t kilo = 1'000;
constexpr std::int64_t mega = 1'000 * kilo;
constexpr std::int64_t giga = 1'000 * mega;
constexpr std::int64_t tera = 1'000 * giga;
constexpr std::int64_t peta = 1'000 * tera;
constexpr std::int64_t usd = nano_usd_per_usd;

constexpr std::array duration_units{Unit{"ms", millisecond.count()},
                                    Unit{"s", second.count()},
                                    Unit{"min", minute.count()},
                                    Unit{"h", hour.count()},
                                    Unit{"d", day.count()},
                                    Unit{"w", 7 * day.count()},
                                    Unit{"y", year.count()}};
constexpr std::array gpu_time_units{Unit{"gpu-s", second.count()},
                                    Unit{"gpu-min", minute.count()},
                                    Unit{"gpu-h", hour.count()},
                                    Unit{"gpu-d", day.count()}};
constexpr std::array byte_units{Unit{"B", 1},
                                Unit{"kB", kilo},
                                Unit{"MB", mega},
                                Unit{"GB", giga},
                                Unit{"TB", tera},
                                Unit{"KiB", std::int64_t{1} << 10},
                                Unit{"MiB", std::int64_t{1} << 20},
                                Unit{"GiB", std::int64_t{1} << 30},
                                Unit{"TiB", std::int64_t{1} << 40}};
constexpr std::array power_units{Unit{"W", kilo}, Unit{"kW", mega}};
constexpr std::array gpu_price_units{Unit{"USD/gpu-h", usd}, Unit{"USD/node-h", usd}};
constexpr std::array job_value_units{Unit{"USD", usd}, Unit{"USD/gpu-h", usd}};
constexpr std::array money_units{Unit{"USD", usd}};
constexpr std::array spending_units{Unit{"USD/h", usd}};
constexpr std::array capital_units{Unit{"USD/gpu", usd}, Unit{"USD/node", usd}};
constexpr std::array energy_units{Unit{"USD/kWh", usd}};
constexpr std::array colo_units{Unit{"USD/kW-month", usd}};
constexpr std::array byte_rate_units{Unit{"MB/s", mega},
                                     Unit{"GB/s", giga},
                                     Unit{"TB/s", tera},
                                     Unit{"Mbit/s", mega / 8},
                                     Unit{"Gbit/s", giga / 8},
                                     Unit{"Tbit/s", tera / 8}};
constexpr std::array flop_rate_units{Unit{"TFLOP/s", tera}, Unit{"PFLOP/s", peta}};
constexpr std::array carbon_units{Unit{"g/kWh", kilo}, Unit{"kg/kWh", mega}, Unit{"t/kWh", giga}};
constexpr std::array carbon_mass_units{Unit{"g", 1}, Unit{"kg", kilo}, Unit{"t", mega}};

std::vector<std::string> unit_names(const Dimension& dimension) {
    std::vector<std::string> names;
    for (const Unit& unit : dimension.units)
        names.emplace_back(unit.name);
    return names;
}

/// The text before the first character that cannot belong to a number.
std::string_view number_part(std::string_view text) {
    return text.substr(0, text.find_first_not_of("0123456789.,_+-"));
}

std::string_view without_spaces_before(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

bool names_no_number(std::string_view text) {
    const std::string lower = lower_case(text.substr(0, 5));
    const auto begins = [&](std::string_view word) {
        return std::string_view{lower}.starts_with(word);
    };
    return begins("nan") || begins(".nan") || begins("inf") || begins(".inf") || begins("-inf") ||
           begins("-.inf");
}

std::string such_as(const Dimension& dimension) {
    return fmt::format("expected {} such as \"{}\"", dimension.what, dimension.example);
}

/// Whether the text after the digits begins with an exponent, as in "1e3 s".
bool begins_with_exponent(std::string_view text) {
    if (!text.starts_with('e') && !text.starts_with('E'))
        return false;
    const std::size_t digit = text.find_first_not_of("+-", 1);
    return digit != std::string_view::npos && text[digit] >= '0' && text[digit] <= '9';
}

/// The mistake of a number that parse_decimal refused.
std::nullopt_t
refuse_number(const Reader& at, std::string_view number, const Dimension& dimension) {
    const std::string text = in_quotes(at.node().text);
    if (number.starts_with('-') && parse_decimal(number.substr(1)))
        return at.mistake(text + " is negative", fmt::format("{} is zero or more", dimension.what));
    if (number.find_first_not_of("0123456789.") == std::string_view::npos &&
        std::ranges::count(number, '.') <= 1 && number.size() > max_decimal_digits)
        return at.mistake(text + " has too many digits",
                          fmt::format("at most {} before and after the point", max_decimal_digits));
    return at.mistake(text + " does not start with a number", such_as(dimension));
}

} // namespace

const Dimension durations{
    "a duration", "15 min", duration_units, horizon_ms - 1, "34.8 years, the simulation's horizon"};
const Dimension lifetimes{"a duration", "4 y", duration_units, 100 * year.count(), "100 years"};
const Dimension gpu_times{
    "a GPU time", "3250 gpu-s", gpu_time_units, 1'000'000'000 * hour.count(), "1000000000 gpu-h"};
const Dimension byte_counts{"a size", "20 GB", byte_units, 1'000'000 * tera, "1000000 TB"};
const Dimension powers{"a power", "700 W", power_units, 1'000 * mega, "1000 kW"};
const Dimension gpu_prices{
    "a rate", "2.10 USD/gpu-h", gpu_price_units, 1'000'000 * nano_usd_per_usd, "1000000 USD"};
const Dimension job_values{"an amount of money or a rate",
                           "100 USD",
                           job_value_units,
                           1'000'000'000 * nano_usd_per_usd,
                           "1000000000 USD"};
const Dimension sums_of_money{"an amount of money",
                              "10000 USD",
                              money_units,
                              1'000'000'000 * nano_usd_per_usd,
                              "1000000000 USD"};
const Dimension spending_rates{"spending per hour",
                               "500 USD/h",
                               spending_units,
                               1'000'000'000 * nano_usd_per_usd,
                               "1000000000 USD/h"};
const Dimension capital_prices{
    "a purchase price", "30000 USD/gpu", capital_units, 1'000'000'000 * usd, "1000000000 USD"};
const Dimension energy_prices{
    "an energy price", "0.08 USD/kWh", energy_units, 1'000'000 * usd, "1000000 USD/kWh"};
const Dimension colo_prices{"a colocation price",
                            "150 USD/kW-month",
                            colo_units,
                            1'000'000'000 * usd,
                            "1000000000 USD/kW-month"};
const Dimension byte_rates{
    "a bandwidth", "900 GB/s", byte_rate_units, 1'000'000 * tera, "1000000 TB/s"};
const Dimension flop_rates{
    "a peak rate", "125 TFLOP/s", flop_rate_units, 1'000 * peta, "1000 PFLOP/s"};
const Dimension carbon_masses{"a mass of CO2e", "150 kg", carbon_mass_units, mega, "1 t"};
const Dimension carbon_intensities{
    "a carbon intensity", "57 g/kWh", carbon_units, 5 * mega, "5 kg/kWh, more than any grid"};

std::optional<Measure> read_measure(const Reader& at, const Dimension& dimension, Zero zero) {
    const Node& node = at.node();
    if (node.kind != NodeKind::scalar)
        return at.expected(fmt::format("{} such as \"{}\"", dimension.what, dimension.example));
    const std::string_view number = number_part(node.text);
    const std::string_view unit_name =
        without_spaces_before(std::string_view{node.text}.substr(number.size()));
    if (names_no_number(node.text))
        return at.mistake(in_quotes(node.text) + " is not a finite number", such_as(dimension));
    const std::optional<Decimal> decimal = parse_decimal(number);
    if (!decimal)
        return refuse_number(at, number, dimension);
    if (begins_with_exponent(unit_name))
        return at.mistake(in_quotes(node.text) + " has an exponent",
                          "exponents are not supported",
                          "write the number out");
    if (unit_name.empty())
        return at.mistake(in_quotes(node.text) + " has no unit", such_as(dimension));
    const auto unit = std::ranges::find(dimension.units, unit_name, &Unit::name);
    if (unit == dimension.units.end())
        return at.mistake(
            fmt::format("{} has the unknown unit {}", in_quotes(node.text), in_quotes(unit_name)),
            such_as(dimension),
            fmt::format("units: {}", fmt::join(unit_names(dimension), ", ")));
    const std::optional<std::int64_t> count = decimal->times(unit->size);
    if (!count)
        return at.mistake(in_quotes(node.text) + " is too large to be counted");
    if (*count > dimension.max)
        return at.mistake(in_quotes(node.text) + " is too large",
                          fmt::format("at most {}", dimension.max_text));
    if (zero == Zero::refused && *count == 0)
        return at.mistake(in_quotes(node.text) +
                              (decimal->approximate() > 0 ? " rounds to zero" : " is zero"),
                          fmt::format("{} above zero", dimension.what));
    return Measure{*count, &*unit};
}

std::int64_t quantity_of(std::string_view text,
                         const Dimension& dimension,
                         const std::string& place,
                         Zero zero) {
    Node node;
    node.kind = NodeKind::scalar;
    node.text = text;
    node.source = std::make_shared<const Source>(Source{place, {}, 0, false});
    Findings findings;
    const std::optional<Measure> measure = read_measure(Reader{node, findings}, dimension, zero);
    findings.throw_if_any();
    return measure->count;
}

Schema measure_schema(const Dimension& dimension, Zero zero) {
    std::string pattern{"^"};
    if (zero == Zero::refused)
        pattern += "(?=[0-9.]*[1-9])";
    pattern += fmt::format("{} *({})$", decimal_pattern, fmt::join(unit_names(dimension), "|"));
    return {{"type", "string"}, {"pattern", pattern}, {"examples", {dimension.example}}};
}

}} // namespace bursar::scenarios
