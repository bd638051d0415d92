#include "scenarios/throughputs/throughput_table.hpp"

#include <bit>

#include "scenarios/document/canonical_hash.hpp"

namespace bursar { inline namespace scenarios {

void ThroughputTable::add(std::string_view job_type,
                          std::string_view gpu,
                          std::uint32_t gpus,
                          double steps_per_s) {
    const auto next = static_cast<std::uint32_t>(types_.size() + 1);
    const auto [type, is_new] = types_.try_emplace(std::string{job_type}, next);
    steps_per_s_[{type->second, std::string{gpu}, gpus}] = steps_per_s;
}

std::uint32_t ThroughputTable::number_of(std::string_view job_type) const {
    const auto type = types_.find(job_type);
    return type == types_.end() ? 0 : type->second;
}

std::optional<double> ThroughputTable::ratio(std::uint32_t job_type,
                                             std::string_view from,
                                             std::string_view to,
                                             std::uint32_t gpus) const {
    const auto first = steps_per_s_.lower_bound({job_type, std::string{from}, 0});
    auto at = steps_per_s_.upper_bound({job_type, std::string{from}, gpus});
    while (at != first) {
        --at;
        const auto there = steps_per_s_.find({job_type, std::string{to}, std::get<2>(at->first)});
        if (there != steps_per_s_.end() && at->second > 0)
            return there->second / at->second;
    }
    return std::nullopt;
}

std::uint64_t ThroughputTable::hash() const {
    std::uint64_t hash = steps_per_s_.size();
    const auto add = [&](std::string_view text) {
        for (const char c : text)
            hash = combined_hash(hash, static_cast<unsigned char>(c));
    };
    for (const auto& [type, number] : types_) {
        add(type);
        hash = combined_hash(hash, number);
    }
    for (const auto& [key, steps_per_s] : steps_per_s_) {
        add(std::get<1>(key));
        hash = combined_hash(combined_hash(hash, std::get<0>(key)), std::get<2>(key));
        hash = combined_hash(hash, std::bit_cast<std::uint64_t>(steps_per_s));
    }
    return hash;
}

}} // namespace bursar::scenarios
