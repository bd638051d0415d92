#include "scenarios/catalog/profiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

WholeNumberRule weight() {
    return whole_number(1, std::numeric_limits<std::uint32_t>::max());
}

/// A number of the given size, either sign.
NumberRule number_within(double size) {
    return {-size, Bound::included, size};
}

NumberRule share() {
    return {0, Bound::excluded, 1};
}

Table<GangWeight> gang_keys() {
    constexpr std::int64_t max_gpus = (std::int64_t{1} << 24) - 1; // the most of a pool
    return table<GangWeight>({
        {required("gpus", &GangWeight::gpus, whole_number(1, max_gpus)), "size of the gang"},
        {optional("gpu_milli", &GangWeight::gpu_milli, whole_number(1, 1'000)),
         "thousandths of each GPU (1000)"},
        {required("weight", &GangWeight::weight, weight()), "how often, relative to the others"},
    });
}

Table<EndProfile> end_keys() {
    const ChoiceRule<JobEnd> ends{{{"completed", JobEnd::completed},
                                   {"failed", JobEnd::failed},
                                   {"cancelled", JobEnd::cancelled},
                                   {"node_failed", JobEnd::node_failed},
                                   {"stopped", JobEnd::stopped}}};
    return table<EndProfile>({
        {required("end", &EndProfile::end, ends), "how a job ends"},
        {required("weight", &EndProfile::weight, weight()), "how often, relative to the others"},
        {required("log_median", &EndProfile::log_median_s, number_within(30)),
         "ln of the median run time in s of one-GPU jobs, before it is cut"},
    });
}

Table<TenantWeight> tenant_keys() {
    return table<TenantWeight>({
        {required("name", &TenantWeight::name, text()), "its name, unique"},
        {required("weight", &TenantWeight::weight, weight()), "how many jobs, relatively"},
    });
}

Table<Burstiness> burst_keys() {
    return table<Burstiness>({
        {required("share", &Burstiness::burst_share, share()), "of jobs submitted during bursts"},
        {required("gap", &Burstiness::burst_gap, share()), "mean gap in a burst over that of all"},
        {required("jobs", &Burstiness::burst_jobs, NumberRule{1, Bound::excluded, 1e9}),
         "mean jobs of a burst"},
    });
}

Table<Target> target_keys() {
    return table<Target>({
        {required("name", &Target::name, text()), "what was published"},
        {required("value", &Target::value, number_within(1e15)), "its value"},
        {required("source", &Target::source, text()), "where"},
    });
}

/// A day as 24 rates.
struct HoursRule {
    using value_type = std::array<double, 24>;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const auto rates = list_of(positive_number()).read(at);
        if (!rates)
            return std::nullopt;
        value_type hours{};
        if (rates->size() != hours.size())
            return at.mistake(fmt::format("{} rates", rates->size()), "a day has 24 hours");
        std::ranges::copy(*rates, hours.begin());
        return hours;
    }
    [[nodiscard]] Schema schema() const { return list_of(positive_number()).schema(); }
};

/// An instant in UTC, ms since 1970.
struct InstantRule {
    using value_type = std::int64_t;

    [[nodiscard]] std::optional<std::int64_t> read(const Reader& at) const {
        const std::optional<std::string> text = instant().read(at);
        if (!text)
            return std::nullopt;
        const std::optional<std::int64_t> ms = parse_date_or_timestamp(*text, 0);
        return ms ? ms : at.mistake(in_quotes(*text) + " is not a date");
    }
    [[nodiscard]] Schema schema() const { return instant().schema(); }
};

/// Run times above the longest are drawn again, so at least one in a thousand must be below it.
void check_run_times(const Reader& at, SyntheticProfile& profile, const KeysRead& read) {
    for (const char* key : {"gangs", "ends", "size_exponent", "log_sigma", "max_run"})
        if (!read.good(key))
            return;
    constexpr double lowest_quantile = -3; // of the standard normal: 0.0013
    for (const GangWeight& gang : profile.gangs)
        for (const EndProfile& end : profile.ends) {
            const double gpus =
                static_cast<double>(gang.gpus) * static_cast<double>(gang.gpu_milli) / 1'000;
            const double location = end.log_median_s + profile.size_exponent * std::log(gpus);
            if ((std::log(profile.max_run_s) - location) / profile.log_sigma < lowest_quantile)
                return at.mistake_at("max_run",
                                     "almost all runs are longer",
                                     fmt::format("those of {} GPUs among them", gpus));
        }
}

Table<SyntheticProfile> profile_keys() {
    using T = SyntheticProfile;
    const QuantityRule<double> seconds{
        durations, Zero::refused, [](Measure m) { return static_cast<double>(m.count) / 1'000; }};
    return table<T, check_run_times>({
        {required("name", &T::name, text()), "unique; the value of `like`"},
        {required("origin", &T::origin, text()), "which trace it resembles"},
        {required("zero", &T::zero_utc_ms, InstantRule{}), "instant of the first submission"},
        {required("gangs", &T::gangs, list_of(gang_keys())), "gang sizes"},
        {required("ends", &T::ends, list_of(end_keys())), "end states and their run times"},
        {required("tenants", &T::tenants, list_of(tenant_keys())), "tenants"},
        {required("size_exponent", &T::size_exponent, number_within(10)),
         "power of the gang's size in the median run time"},
        {required("log_sigma", &T::log_sigma, positive_number()), "of the lognormal run times"},
        {required("max_run", &T::max_run_s, seconds), "longer runs are drawn again"},
        {required("bursts", &T::burstiness, burst_keys()), "how submissions crowd"},
        {required("hours", &T::hours, HoursRule{}), "relative submission rate by hour of the day"},
        {optional("targets", &T::targets, list_of(target_keys(), 0)), "published statistics"},
    });
}

} // namespace

const SyntheticProfile& Profiles::profile(std::string_view name) const {
    if (const SyntheticProfile* const found = find_named(all, name))
        return *found;
    Finding finding;
    finding.path = "like";
    finding.problem = "unknown workload " + in_quotes(name);
    finding.suggestion = suggestion(name, names());
    throw ScenarioError{std::move(finding)};
}

std::vector<std::string> Profiles::names() const {
    return names_of(all);
}

const Profiles& builtin_profiles() {
    static const Profiles profiles = read_profiles_text(builtin_profiles_yaml, "profiles.yaml");
    return profiles;
}

Profiles read_profiles(const std::string& path) {
    return {read_named_file(path, "profiles", profile_keys())};
}

Profiles read_profiles_text(std::string_view text, const std::string& file) {
    return {read_named_text(text, file, "profiles", profile_keys())};
}

}} // namespace bursar::scenarios
