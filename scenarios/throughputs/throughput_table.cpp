#include "scenarios/throughputs/throughput_table.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::string text_of(ByteSource& bytes) {
    std::string text;
    std::array<char, 1 << 16> part{};
    while (const std::size_t size = read_fully(bytes, part)) {
        text.append(part.data(), size);
        if (text.size() > max_document_bytes)
            break; // the parser refuses it
    }
    return text;
}

/// A job type and its number of GPUs: "('A3C', 1)".
struct JobKey {
    std::string_view type;
    std::uint32_t gpus{};
};

std::optional<JobKey> job_key(std::string_view text) {
    const std::size_t end = text.rfind("', ");
    if (!text.starts_with("('") || !text.ends_with(')') || end == std::string_view::npos || end < 3)
        return std::nullopt;
    JobKey key{text.substr(2, end - 2)};
    const char* const last = text.data() + text.size() - 1;
    const auto [rest, error] = std::from_chars(text.data() + end + 3, last, key.gpus);
    return error == std::errc{} && rest == last && key.gpus > 0 ? std::optional{key} : std::nullopt;
}

std::optional<double> rate_of(const std::string& text) {
    double rate = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, rate);
    return error == std::errc{} && rest == end && std::isfinite(rate) && rate >= 0
               ? std::optional{rate}
               : std::nullopt;
}

/// The catalogue's name of a kind of worker.
const std::string& gpu_of(const Node& worker, const Catalogue& catalogue, const GpuNames& names) {
    const auto named = names.find(worker.text);
    const std::string& name = named == names.end() ? worker.text : named->second;
    const Gpu* gpu = catalogue.find(name);
    if (gpu == nullptr)
        fail_input(worker.place(),
                   {},
                   mistake("no GPU is named " + in_quotes(name),
                           suggestion(name, catalogue.names()),
                           fmt::format("`gpus: {{{}: ...}}` beside the file says what it is",
                                       worker.text)));
    return gpu->name;
}

JobKey read_key(const Node& key) {
    const std::optional<JobKey> read = job_key(key.text);
    if (!read)
        fail_input(key.place(),
                   {},
                   mistake(in_quotes(key.text) + " is no job",
                           "expected a type and its GPUs such as \"('A3C', 1)\""));
    return *read;
}

double read_rate(const Node& rate) {
    const std::optional<double> read = rate_of(rate.text);
    if (!read)
        fail_input(rate.place(), {}, mistake(shown(rate) + " is no number of steps a second"));
    return *read;
}

/// What was measured of a job beside others. Gangs of another size can't share all their GPUs.
void add_shared(const Pair& job,
                const JobKey& key,
                const std::string& gpu,
                ThroughputTable& table) {
    for (const Pair& both : job.value.pairs) {
        if (both.key.text == "null")
            continue;
        const JobKey other = read_key(both.key);
        if (both.value.kind != NodeKind::sequence || both.value.items.size() != 2)
            fail_input(both.value.place(),
                       {},
                       mistake("is no pair of numbers",
                               "expected the steps a second of both jobs such as [5.2, 3.1]"));
        const double first = read_rate(both.value.items[0]);
        const double second = read_rate(both.value.items[1]);
        if (other.gpus == key.gpus)
            table.add_shared(key.type, other.type, gpu, key.gpus, first, second);
    }
}

void add_job(const Pair& job, const std::string& gpu, ThroughputTable& table) {
    const JobKey key = read_key(job.key);
    add_shared(job, key, gpu, table);
    const Node* alone = job.value.find("null");
    if (alone == nullptr)
        return; // measured only together with other jobs on the GPU
    table.add(key.type, gpu, key.gpus, read_rate(*alone));
}

} // namespace

void ThroughputTable::add(std::string_view job_type,
                          std::string_view gpu,
                          std::uint32_t gpus,
                          double steps_per_s) {
    steps_per_s_[{numbered(job_type), std::string{gpu}, gpus}] = steps_per_s;
}

void ThroughputTable::add_shared(std::string_view job_type,
                                 std::string_view other_type,
                                 std::string_view gpu,
                                 std::uint32_t gpus,
                                 double steps_per_s,
                                 double other_steps_per_s) {
    const std::uint32_t type = numbered(job_type);
    const std::uint32_t other = numbered(other_type);
    if (type == other) // neither is the first
        steps_per_s = other_steps_per_s = (steps_per_s + other_steps_per_s) / 2;
    shared_[{type, other, std::string{gpu}, gpus}] = steps_per_s;
    shared_[{other, type, std::string{gpu}, gpus}] = other_steps_per_s;
}

std::uint32_t ThroughputTable::numbered(std::string_view job_type) {
    const auto next = static_cast<std::uint32_t>(types_.size() + 1);
    return types_.try_emplace(std::string{job_type}, next).first->second;
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

std::optional<double> ThroughputTable::steps_per_s(std::string_view job_type,
                                                   std::string_view gpu,
                                                   std::uint32_t gpus) const {
    const auto found = steps_per_s_.find({number_of(job_type), std::string{gpu}, gpus});
    return found == steps_per_s_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<double> ThroughputTable::shared_ratio(std::uint32_t job_type,
                                                    std::uint32_t other_type,
                                                    std::string_view gpu,
                                                    std::uint32_t gpus) const {
    const auto shared = shared_.find({job_type, other_type, std::string{gpu}, gpus});
    const auto alone = steps_per_s_.find({job_type, std::string{gpu}, gpus});
    if (shared == shared_.end() || alone == steps_per_s_.end() || alone->second <= 0)
        return std::nullopt;
    return shared->second / alone->second;
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
    for (const auto& [key, steps_per_s] : shared_) {
        add(std::get<2>(key));
        hash = combined_hash(combined_hash(hash, std::get<0>(key)), std::get<1>(key));
        hash = combined_hash(combined_hash(hash, std::get<3>(key)),
                             std::bit_cast<std::uint64_t>(steps_per_s));
    }
    return hash;
}

ThroughputTable
read_gavel_throughputs(const std::string& path, const Catalogue& catalogue, const GpuNames& names) {
    return read_gavel_throughputs(*open_bytes(path), path, catalogue, names);
}

ThroughputTable read_gavel_throughputs(ByteSource& bytes,
                                       const std::string& file,
                                       const Catalogue& catalogue,
                                       const GpuNames& names) {
    const auto source = std::make_shared<Source>();
    source->name = file;
    const Node root = parse_document(text_of(bytes), source);
    ThroughputTable table{file};
    if (root.kind != NodeKind::mapping)
        fail_input(file, mistake("holds no throughputs", "expected JSON by kind of worker"));
    for (const Pair& worker : root.pairs) {
        if (worker.key.text.ends_with("_unconsolidated"))
            continue;
        const std::string& gpu = gpu_of(worker.key, catalogue, names);
        for (const Pair& job : worker.value.pairs)
            add_job(job, gpu, table);
    }
    return table;
}

}} // namespace bursar::scenarios
