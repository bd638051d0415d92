#include "models/optimization/linear_program.hpp"

#include <algorithm>
#include <cmath>

#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <CoinPackedMatrix.hpp>

namespace bursar { inline namespace models {

void LinearProgram::add_row(const std::vector<Term>& terms, double limit) {
    for (const Term& term : terms) {
        row_of_.push_back(static_cast<int>(limits_.size()));
        variable_of_.push_back(static_cast<int>(term.variable));
        factors_.push_back(term.factor);
    }
    limits_.push_back(limit);
}

bool LinearProgram::satisfies(const std::vector<double>& x) const {
    constexpr double tolerance = 1e-5; // of a row's largest part
    std::vector<double> sum(limits_.size(), 0.0);
    std::vector<double> largest(limits_.size(), 1.0);
    for (std::size_t i = 0; i < factors_.size(); ++i) {
        const auto row = static_cast<std::size_t>(row_of_[i]);
        const double part = factors_[i] * x[static_cast<std::size_t>(variable_of_[i])];
        sum[row] += part;
        largest[row] = std::max(largest[row], std::abs(part));
    }
    for (std::size_t row = 0; row < limits_.size(); ++row)
        if (!(sum[row] - limits_[row] <= tolerance * largest[row]))
            return false;
    return true;
}

LinearProgram::Solution LinearProgram::solve() const {
    ClpSimplex program;
    load(program);
    ClpSolve method;
    method.setSolveType(ClpSolve::useBarrierNoCross);
    method.setPresolveType(ClpSolve::presolveOff);
    method.setSpecialOption(2, 1); // leaves SIGINT to the program, and is safe with threads
    program.initialSolve(method);
    const double* x = program.getColSolution();
    Solution best{{x, x + objective_.size()}, false};
    // The barrier method does not prove that nothing does.
    if (program.status() != 0 || !satisfies(best.x)) {
        program.allSlackBasis(true); // not where the barrier method ended
        best = corner_of(program);
    }
    return best;
}

LinearProgram::Solution LinearProgram::solve_at_corner() const {
    ClpSimplex program;
    load(program);
    return corner_of(program);
}

void LinearProgram::load(ClpSimplex& program) const {
    const CoinPackedMatrix rows{false,
                                row_of_.data(),
                                variable_of_.data(),
                                factors_.data(),
                                static_cast<CoinBigIndex>(factors_.size())};
    const std::vector<double> none_below(limits_.size(), -COIN_DBL_MAX);
    const std::vector<double> zero(objective_.size(), 0.0);
    const std::vector<double> unbounded(objective_.size(), COIN_DBL_MAX);
    program.setLogLevel(0);
    program.setOptimizationDirection(-1);
    program.loadProblem(
        rows, zero.data(), unbounded.data(), objective_.data(), none_below.data(), limits_.data());
}

LinearProgram::Solution LinearProgram::corner_of(ClpSimplex& program) const {
    program.dual();
    if (!program.isProvenOptimal() && !program.isProvenPrimalInfeasible())
        program.primal();
    if (!program.isProvenOptimal())
        return {{}, true};
    const double* x = program.getColSolution();
    return {{x, x + objective_.size()}, true};
}

}} // namespace bursar::models
