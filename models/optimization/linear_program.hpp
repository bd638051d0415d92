#pragma once

#include <cstddef>
#include <vector>

class ClpSimplex;

namespace bursar { inline namespace models {

/// A linear program: maximise objective * x with x >= 0 and rows * x <= limits. Solved by CLP.
///
/// CLP ends the process on some small programs that maximise a sum over several variables of which
/// a row holds some at 0 (2 of 2,000 random ones). It did on none of 21,000 that maximise one
/// variable below the speeds of all jobs.
class LinearProgram {
  public:
    /// One coefficient of a row.
    struct Term {
        std::size_t variable{};
        double factor{};
    };

    explicit LinearProgram(std::size_t num_variables) : objective_(num_variables, 0.0) {}

    void maximise(std::size_t variable, double factor = 1.0) { objective_[variable] = factor; }
    /// Adds sum(terms) <= limit.
    void add_row(const std::vector<Term>& terms, double limit);

    /// One of the best x.
    struct Solution {
        std::vector<double> x; ///< empty: none was found, as none satisfies the rows or the best is
                               ///< without bound
        bool is_corner{};      ///< found by the simplex method
    };

    /// A solution inside the set of all best ones, not at a corner of it, so that equal variables
    /// are equal (CLP's barrier method without crossover). At a corner only where that method
    /// finds none.
    [[nodiscard]] Solution solve() const;
    /// A solution at a corner of the set of all best ones, by the simplex method: variables that
    /// need not be between their limits are not. For any program.
    [[nodiscard]] Solution solve_at_corner() const;

  private:
    void load(ClpSimplex& program) const;
    [[nodiscard]] Solution corner_of(ClpSimplex& program) const;
    [[nodiscard]] bool satisfies(const std::vector<double>& x) const;

    std::vector<double> objective_;
    std::vector<int> row_of_, variable_of_;
    std::vector<double> factors_;
    std::vector<double> limits_;
};

}} // namespace bursar::models
