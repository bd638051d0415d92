#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/units/units.hpp"

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// A unit by name, as a whole number of the program's smallest unit.
struct Unit {
    std::string_view name;
    std::int64_t size{}; ///< >= 1
};

/// A dimension of written values: its units, its name in messages, and its largest value. Larger
/// values are mistakes: they would overflow or become infinite elsewhere.
struct Dimension {
    constexpr Dimension(std::string_view what_it_is,
                        std::string_view such_as,
                        std::span<const Unit> all_units,
                        std::int64_t max_count,
                        std::string_view max_in_words)
        : what{what_it_is}, example{such_as}, units{all_units}, max{max_count},
          max_text{max_in_words} {}

    std::string_view what;    ///< "a duration"
    std::string_view example; ///< "15 min"
    std::span<const Unit> units;
    std::int64_t max{};        ///< in the smallest unit
    std::string_view max_text; ///< the same for messages
};

/// A value in the smallest unit of its dimension.
struct Measure {
    std::int64_t count{};
    const Unit* unit{}; ///< as written
};

/// Whether a quantity may be zero.
enum class Zero : std::uint8_t { allowed, refused };

/// Reads "2.10 USD/gpu-h": a decimal number, any spaces, a unit of the dimension. The number is
/// converted exactly; fractions of the smallest unit round half up. Reports a missing or
/// unknown unit, signs, NaN, infinity and values past int64, each with its own message.
std::optional<Measure> read_measure(const Reader& at, const Dimension& dimension, Zero zero);

/// The same for a text outside documents, e.g. an option of the command line. place: its name in
/// messages ("--node-network"). Throws ScenarioError.
std::int64_t quantity_of(std::string_view text,
                         const Dimension& dimension,
                         const std::string& place,
                         Zero zero = Zero::refused);

Schema measure_schema(const Dimension& dimension, Zero zero);

extern const Dimension
    durations; ///< simulated time, inside the horizon; in milliseconds; y is 365 d
extern const Dimension lifetimes;      ///< of goods and contracts: durations of up to 100 y
extern const Dimension gpu_times;      ///< number of GPUs times how long they are held; in
                                       ///< GPU-milliseconds
extern const Dimension byte_counts;    ///< in bytes
extern const Dimension powers;         ///< in milliwatts
extern const Dimension gpu_prices;     ///< in nano-dollars per GPU-hour or node-hour, as written
extern const Dimension job_values;     ///< in nano-dollars per job or GPU-hour, as written
extern const Dimension capital_prices; ///< in nano-dollars per GPU or node, as written
extern const Dimension energy_prices;  ///< in nano-dollars per kWh
extern const Dimension sums_of_money;  ///< in nano-dollars
extern const Dimension spending_rates; ///< in nano-dollars per hour
extern const Dimension colo_prices;    ///< in nano-dollars per kW and month
extern const Dimension byte_rates;     ///< in bytes per second
extern const Dimension flop_rates;     ///< in FLOP/s
extern const Dimension carbon_masses;  ///< in grams of CO2e; t is metric
extern const Dimension carbon_intensities; ///< in milligrams of CO2e per kWh; t is metric

/// A quantity of one dimension, converted by `make`.
template <class T>
class QuantityRule {
  public:
    using value_type = T;
    using Make = T (*)(Measure);

    QuantityRule(const Dimension& dimension, Zero zero, Make make)
        : dimension_{&dimension}, zero_{zero}, make_{make} {}

    [[nodiscard]] std::optional<T> read(const Reader& at) const {
        const std::optional<Measure> measure = read_measure(at, *dimension_, zero_);
        return measure ? std::optional{make_(*measure)} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return measure_schema(*dimension_, zero_); }

  private:
    const Dimension* dimension_;
    Zero zero_;
    Make make_;
};

inline QuantityRule<Duration> lifetime(Zero zero = Zero::allowed) {
    return {lifetimes, zero, [](Measure m) { return Duration{m.count}; }};
}

inline QuantityRule<Duration> duration(Zero zero = Zero::allowed) {
    return {durations, zero, [](Measure m) { return Duration{m.count}; }};
}

/// The plain number in the dimension's smallest unit.
inline QuantityRule<std::int64_t> amount(const Dimension& dimension, Zero zero = Zero::allowed) {
    return {dimension, zero, [](Measure m) { return m.count; }};
}

}} // namespace bursar::scenarios
