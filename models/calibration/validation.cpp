#include "models/calibration/validation.hpp"

#include <map>
#include <tuple>

namespace bursar { inline namespace models {

std::vector<ValidationGroup> grouped(const std::vector<ValidatedRow>& rows) {
    using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, Tuning>;
    std::map<Key, std::size_t> places;
    std::vector<ValidationGroup> groups;
    std::vector<std::vector<Prediction>> predictions;
    for (const ValidatedRow& row : rows) {
        const Key key{row.file, row.framework, row.gpu, row.quantity, row.profile, row.tuning};
        const auto [found, added] = places.emplace(key, groups.size());
        if (added) {
            groups.push_back(
                {row.file, row.framework, row.gpu, row.quantity, row.profile, row.tuning, 0, {}});
            predictions.emplace_back();
        }
        ++groups[found->second].n;
        if (row.predicted)
            predictions[found->second].push_back({*row.predicted, row.measured});
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i].error = error_statistics(predictions[i]);
    return groups;
}

}} // namespace bursar::models
