#include "models/calibration/workload_rates.hpp"

#include <cassert>
#include <limits>
#include <vector>

#include <Eigen/QR>

namespace bursar { inline namespace models {

WorkloadRates::Terms WorkloadRates::terms(const WorkloadSetting& setting) {
    assert(setting.batch_per_gpu > 0);
    // In units that bring all terms near one, so that the normal equations are well scaled.
    const double matrix = 1e14 / setting.matrix_peak.count();
    const double vector = 1e13 / setting.vector_peak.count();
    const double memory = 1e12 / setting.memory.count();
    return {matrix,
            memory,
            vector,
            vector / setting.batch_per_gpu,
            setting.gpus > 1 ? 1.0 / setting.batch_per_gpu : 0.0};
}

std::optional<WorkloadRates> WorkloadRates::fit(std::span<const Observation> observations) {
    if (observations.empty())
        return std::nullopt;
    // Each row is scaled by its measured rate: a residual is a relative error of the time.
    Eigen::MatrixXd rows{static_cast<Eigen::Index>(observations.size()),
                         static_cast<Eigen::Index>(num_terms)};
    for (std::size_t i = 0; i < observations.size(); ++i) {
        const Observation& seen = observations[i];
        const Terms row = terms(seen.setting);
        const double rate = seen.samples_per_s / seen.setting.gpus;
        for (std::size_t j = 0; j < num_terms; ++j)
            rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j] * rate;
    }
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows.rows());
    WorkloadRates best;
    double least = std::numeric_limits<double>::infinity();
    for (unsigned active = 1; active < 1U << num_terms; ++active) {
        std::vector<Eigen::Index> columns;
        for (std::size_t j = 0; j < num_terms; ++j)
            if ((active >> j & 1U) != 0)
                columns.push_back(static_cast<Eigen::Index>(j));
        const Eigen::MatrixXd part = rows(Eigen::all, columns);
        const Eigen::VectorXd solution = part.colPivHouseholderQr().solve(ones);
        const double error = (part * solution - ones).squaredNorm();
        if (solution.minCoeff() < 0 || !(error < least - 1e-12))
            continue;
        least = error;
        best.coefficients_ = {};
        for (std::size_t k = 0; k < columns.size(); ++k)
            best.coefficients_[static_cast<std::size_t>(columns[k])] =
                solution[static_cast<Eigen::Index>(k)];
    }
    return best;
}

double WorkloadRates::samples_per_s(const WorkloadSetting& setting) const {
    const Terms row = terms(setting);
    double time = 0;
    for (std::size_t j = 0; j < num_terms; ++j)
        time += coefficients_[j] * row[j];
    return setting.gpus / time;
}

}} // namespace bursar::models
