#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/power_law.hpp"

#include "tests/properties.hpp"
#include "tests/shared_data.hpp"

namespace bursar::power_law_test {
namespace {

const PowerLaw& law(std::string_view id) {
    const PowerLaw* found = find_power_law(id);
    REQUIRE(found != nullptr);
    return *found;
}

/// Whether `value`, rounded to the digits of a table, equals the printed value.
bool prints_as(double value, double printed, double digits = 3) {
    const double unit = std::pow(10.0, std::floor(std::log10(printed)) - digits + 1);
    return std::abs(std::round(value / unit) * unit - printed) < 1e-6 * printed;
}

struct Printed {
    double params;
    double tokens;
    double ratio; ///< one decimal
};

struct PrintedColumn {
    const char* id;
    std::array<Printed, 8> rows; ///< C = 1e19 .. 1e26
};

/// Worked out by hand from FORMULAS 1.2.
const std::array<PrintedColumn, 5> printed{{{"hoffmann_a1",
                                             {{{2.89e8, 5.78e9, 20.0},
                                               {9.08e8, 1.83e10, 20.2},
                                               {2.86e9, 5.83e10, 20.4},
                                               {9.01e9, 1.85e11, 20.6},
                                               {2.84e10, 5.88e11, 20.7},
                                               {8.93e10, 1.87e12, 20.9},
                                               {2.81e11, 5.93e12, 21.1},
                                               {8.85e11, 1.88e13, 21.3}}}},
                                            {"hoffmann_a2",
                                             {{{2.95e8, 5.65e9, 19.1},
                                               {9.12e8, 1.83e10, 20.1},
                                               {2.82e9, 5.92e10, 21.0},
                                               {8.70e9, 1.91e11, 22.0},
                                               {2.69e10, 6.20e11, 23.0},
                                               {8.31e10, 2.01e12, 24.1},
                                               {2.57e11, 6.49e12, 25.3},
                                               {7.93e11, 2.10e13, 26.5}}}},
                                            {"hoffmann_a3",
                                             {{{2.71e8, 6.15e9, 22.7},
                                               {7.75e8, 2.15e10, 27.8},
                                               {2.22e9, 7.52e10, 33.9},
                                               {6.34e9, 2.63e11, 41.4},
                                               {1.81e10, 9.18e11, 50.6},
                                               {5.19e10, 3.21e12, 61.8},
                                               {1.49e11, 1.12e13, 75.5},
                                               {4.25e11, 3.92e13, 92.3}}}},
                                            {"besiroglu2024",
                                             {{{2.62e8, 6.36e9, 24.2},
                                               {8.53e8, 1.95e10, 22.9},
                                               {2.78e9, 6.00e10, 21.6},
                                               {9.05e9, 1.84e11, 20.4},
                                               {2.94e10, 5.66e11, 19.2},
                                               {9.59e10, 1.74e12, 18.1},
                                               {3.12e11, 5.34e12, 17.1},
                                               {1.02e12, 1.64e13, 16.1}}}},
                                            {"blog",
                                             {{{7.85e8, 5.63e9, 7.2},
                                               {2.48e9, 1.78e10, 7.2},
                                               {7.83e9, 5.64e10, 7.2},
                                               {2.47e10, 1.79e11, 7.2},
                                               {7.81e10, 5.66e11, 7.2},
                                               {2.47e11, 1.79e12, 7.3},
                                               {7.79e11, 5.67e12, 7.3},
                                               {2.46e12, 1.80e13, 7.3}}}}}};

/// params, flops and tokens of the rows of chinchilla_tables.csv with this approach.
std::vector<std::array<double, 3>> table_rows(const std::string& path,
                                              const std::string& approach) {
    std::ifstream file{path};
    std::vector<std::array<double, 3>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields{line};
        std::array<std::string, 5> field;
        for (std::string& text : field)
            std::getline(fields, text, ',');
        if (field[1] == approach)
            rows.push_back({std::stod(field[2]), std::stod(field[3]), std::stod(field[4])});
    }
    return rows;
}

/// Largest relative error of a law's parameters on those rows.
double worst_params(const PowerLaw& checked, const std::vector<std::array<double, 3>>& rows) {
    double worst = 0;
    for (const auto& [params, flops, tokens] : rows)
        worst =
            std::max(worst, std::abs(allocate(checked, Flops{flops}).params.count() / params - 1));
    return worst;
}

} // namespace

TEST_CASE("published allocations agree with their printed values to every digit") {
    for (const PrintedColumn& column : printed) {
        for (std::size_t row = 0; row < column.rows.size(); ++row) {
            const Flops budget{std::pow(10.0, 19.0 + static_cast<double>(row))};
            const Allocation run = allocate(law(column.id), budget);
            CAPTURE(column.id);
            CAPTURE(budget.count());
            CAPTURE(run.params.count());
            CAPTURE(run.tokens.count());
            CHECK(prints_as(run.params.count(), column.rows[row].params));
            CHECK(prints_as(run.tokens.count(), column.rows[row].tokens));
            CHECK(std::abs(tokens_per_param(run) - column.rows[row].ratio) < 0.0501);
        }
    }
}

TEST_CASE("published factors and exponents agree with FORMULAS 1.2") {
    struct Row {
        const char* id;
        double kn, a, kd, b;
    };
    const std::array<Row, 6> rows{{{"hoffmann_a1", 0.09916, 0.4981, 1.6808, 0.5019},
                                   {"hoffmann_a2", 0.14488, 0.4899, 1.1504, 0.5101},
                                   {"hoffmann_a3", 0.57374, 0.4565, 0.29049, 0.5435},
                                   {"hoffmann_a3_rounded", 0.5987, 0.4516, 0.27838, 0.5484},
                                   {"besiroglu2024", 0.047747, 0.5126, 3.4906, 0.4874},
                                   {"tokens_20x", 0.091287, 0.5, 1.82574, 0.5}}};
    for (const Row& row : rows) {
        CAPTURE(row.id);
        const PowerLaw& found = law(row.id);
        CHECK(found.params_factor == doctest::Approx(row.kn).epsilon(5e-5));
        CHECK(std::abs(found.params_exponent - row.a) < 5.1e-5);
        CHECK(found.tokens_factor == doctest::Approx(row.kd).epsilon(5e-5));
        CHECK(std::abs(found.tokens_exponent - row.b) < 5.1e-5);
    }
}

TEST_CASE("every published law but the blog's spends its budget to a part in 1e9") {
    CHECK(check_property([] {
        const Flops budget{std::pow(10.0, drawn::in_range(17'000, 27'000) / 1000.0)};
        for (const PowerLaw& each : published_power_laws()) {
            const double factor = overspend(each, budget);
            if (each.id == "blog")
                RC_ASSERT(std::abs(factor - 2.6512) < 5e-5);
            else
                RC_ASSERT(std::abs(factor - 1) < 1e-9);
        }
    }));
}

TEST_CASE("a surface's power law is its closed form") {
    CHECK(check_property([] {
        const Flops budget{std::pow(10.0, drawn::in_range(17'000, 27'000) / 1000.0)};
        for (const LossSurface& surface : published_loss_surfaces()) {
            const Allocation closed = compute_optimal(surface, budget);
            const Allocation power = allocate(power_law_of(surface), budget);
            RC_ASSERT(std::abs(power.params / closed.params - 1) < 1e-9);
            RC_ASSERT(std::abs(power.tokens / closed.tokens - 1) < 1e-9);
        }
    }));
}

TEST_CASE("the widely copied formula is recognised, also with rounded constants") {
    PowerLaw copied = law("blog");
    CHECK(is_blog_formula(copied));
    copied.params_factor = 0.25;
    copied.params_exponent = 0.5;
    copied.tokens_factor = 1.7;
    copied.tokens_exponent = 0.5;
    CHECK(is_blog_formula(copied));
    for (const PowerLaw& each : published_power_laws())
        CHECK(is_blog_formula(each) == (each.id == "blog"));
}

TEST_CASE("the corrected formula spends the budget and is near Approach 1") {
    const PowerLaw honest = corrected(law("blog"), Flops{1e22});
    CHECK(overspend(honest, Flops{1e22}) == doctest::Approx(1).epsilon(1e-12));
    CHECK(honest.params_factor == doctest::Approx(0.0957).epsilon(1e-3));
    for (const double flops : {1e19, 1e21, 1e23}) {
        const double ratio = allocate(honest, Flops{flops}).params /
                             allocate(law("hoffmann_a1"), Flops{flops}).params;
        CHECK(std::abs(ratio - 1) < 0.04);
    }
    CHECK_FALSE(is_blog_formula(honest));
}

TEST_CASE("a law with invalid factors is an error") {
    PowerLaw broken = law("tokens_20x");
    broken.params_factor = -0.1;
    CHECK_THROWS_AS((void)allocate(broken, Flops{1e22}), ModelError);
    broken = law("tokens_20x");
    broken.params_exponent = 1e6; // overflows
    CHECK_THROWS_AS((void)allocate(broken, Flops{1e22}), ModelError);
}

TEST_CASE("the laws reproduce the tables they were fitted to") {
    const auto path = test::shared_data("validation/chinchilla_tables.csv");
    if (!path)
        return;
    CHECK(worst_params(law("hoffmann_a1"), table_rows(*path, "1")) < 0.0125);
    CHECK(worst_params(law("hoffmann_a2"), table_rows(*path, "2")) < 0.0330);
    CHECK(table_rows(*path, "1").size() == 9);
}

} // namespace bursar::power_law_test
