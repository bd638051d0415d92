#include "scenarios/measurements/collective_measurement.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"

namespace bursar { inline namespace scenarios {
namespace {

AlgorithmSet stated_algorithms(std::string_view words, std::int64_t ranks) {
    const std::string text = lower_case(words);
    if (ranks == 2 && text == "tree")
        return AlgorithmSet{CollectiveAlgorithm::ring}; // two ranks have one algorithm
    if (text.starts_with("ring"))
        return AlgorithmSet{CollectiveAlgorithm::ring};
    if (text == "nvls" || text == "sharp")
        return AlgorithmSet{CollectiveAlgorithm::in_network};
    if (text == "tree")
        return AlgorithmSet{CollectiveAlgorithm::tree};
    return AlgorithmSet::nccl();
}

/// The number that ends at `end`; blanks may be between.
std::optional<double> number_ending(std::string_view text, std::size_t end) {
    while (end > 0 && text[end - 1] == ' ')
        --end;
    std::size_t begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0)
        --begin;
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc{} && begin < end ? std::optional{value} : std::nullopt;
}

/// All NICs of a node in Gbit/s, from "8x400Gbps", "4x HDR200", "16x200Gbps", "400Gbps NIC per
/// rank"; absent: not in the text.
std::optional<double> stated_node_gbps(const std::string& link, std::int64_t gpus_per_node) {
    const std::string text = lower_case(link);
    for (std::size_t x = text.find('x'); x != std::string::npos; x = text.find('x', x + 1)) {
        const std::optional<double> count = number_ending(text, x);
        const std::size_t digits = text.find_first_of("0123456789", x);
        if (!count || digits == std::string::npos || digits > x + 6)
            continue;
        const std::size_t end = text.find_first_not_of("0123456789", digits);
        if (const std::optional<double> each =
                number_ending(text, end == std::string::npos ? text.size() : end))
            return *count * *each;
    }
    const std::size_t unit = std::min(text.find("gbps"), text.find("gbit"));
    if (unit != std::string::npos)
        if (const std::optional<double> each = number_ending(text, unit))
            return *each * (contains(text, "per node") ? 1.0 : static_cast<double>(gpus_per_node));
    return std::nullopt;
}

/// The link generation named in a text: "NVLink3", "NVLink4+EFA ...", "NVLink bridge".
std::optional<LinkFacts> stated_link(const LinkTable& links, const std::string& words) {
    const std::string first = words.substr(0, words.find('+'));
    if (const LinkFacts* exact = links.find(first))
        return *exact;
    const std::string text = lower_case(first);
    for (const LinkFacts& facts : links.all)
        if (text.starts_with(lower_case(facts.name)))
            return facts;
    return std::nullopt;
}

struct GroupPlace {
    std::int64_t ranks{};
    std::int64_t nodes{};
    std::int64_t gpus_per_node{};
    std::string link;
    std::optional<double> spec_gb_s; ///< one direction, per GPU inside a node
};

Cluster stated_cluster(const GroupPlace& place, Gpu gpu, CollectiveMeasurement& measured) {
    std::optional<LinkFacts> link = stated_link(*gpu.links, place.link);
    if (place.nodes == 1 && place.spec_gb_s && (!link || !gpu.scaleup_gb_s))
        gpu.scaleup_gb_s = place.spec_gb_s;
    if (!gpu.scaleup_gb_s && link)
        gpu.scaleup_gb_s = link->gb_s;
    ByteRate network = usual_node_network(gpu, place.gpus_per_node);
    if (const std::optional<double> gbps = stated_node_gbps(place.link, place.gpus_per_node))
        network = ByteRate{*gbps * 1e9 / 8.0};
    else if (place.nodes > 1)
        measured.assumptions.emplace_back("network: as usual with this GPU");
    const std::string words = lower_case(place.link);
    const LinkFacts* efa = contains(words, "efa") ? gpu.links->find("EFA") : nullptr;
    const LinkFacts between = efa != nullptr ? *efa : node_network_link(gpu);
    Cluster cluster = make_cluster(gpu, place.gpus_per_node, network, {}, between);
    if (place.nodes > 1)
        measured.link_source = between.source;
    if (place.gpus_per_node > 1) {
        if (!link)
            link = scaleup_link(gpu, place.gpus_per_node);
        else if (place.nodes == 1)
            cluster.tree.levels.front() =
                link_level(*link, "node", place.gpus_per_node, ByteRate{link->gb_s * 1e9});
        measured.link_source += (measured.link_source.empty() ? "" : "; ");
        measured.link_source += link->source;
    }
    return cluster;
}

void read_result(const MeasurementFile& file,
                 const MeasurementRow& row,
                 CollectiveMeasurement& measured) {
    const auto ranks = measured.group.size;
    const double factor = bus_factor(measured.kind, ranks);
    if (const std::optional<double> time = file.positive(row, "time_us")) {
        measured.quantity = "time_us";
        measured.measured = *time;
    } else if (const std::optional<double> bus = file.positive(row, "busbw_GBps")) {
        measured.quantity = "busbw_GBps";
        measured.measured = *bus;
    } else if (const std::optional<double> algorithm = file.positive(row, "algbw_GBps")) {
        measured.quantity = "busbw_GBps";
        measured.measured = *algorithm * factor;
    } else {
        throw ModelError{"time_us", "neither time nor bandwidth is published", ""};
    }
}

} // namespace

Collective stated_collective(std::string_view words) {
    std::string letters;
    for (const char c : lower_case(words))
        if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            letters += c;
    for (std::size_t i = 0; i < collective_names.size(); ++i) {
        std::string name{collective_names[i]};
        std::erase(name, '-');
        if (letters.starts_with(name))
            return static_cast<Collective>(i);
    }
    if (letters == "reduce")
        return Collective::broadcast; // the same traffic in the other direction
    throw ModelError{"collective", in_quotes(words) + " is not known", ""};
}

double CollectiveMeasurement::figure(Seconds time) const {
    if (quantity == "time_us")
        return time.count() * 1e6;
    return volume.count() * bus_factor(kind, group.size) / time.count() / bytes_per_gb;
}

Seconds CollectiveMeasurement::time() const {
    if (quantity == "time_us")
        return Seconds{measured * 1e-6};
    return Seconds{volume.count() * bus_factor(kind, group.size) / (measured * bytes_per_gb)};
}

CollectiveMeasurement collective_measurement(const MeasurementFile& file,
                                             const MeasurementRow& row,
                                             const Catalogue& gpus) {
    CollectiveMeasurement measured;
    measured.id = file.id(row);
    measured.source = file.text(row, "source");
    measured.kind = stated_collective(file.text(row, "collective"));
    GroupPlace place;
    place.ranks = file.count(row, "n_gpus").value_or(0);
    if (place.ranks < 2)
        throw ModelError{"n_gpus", "a collective needs two GPUs or more", ""};
    place.nodes = file.count(row, "nodes").value_or(1);
    if (place.ranks % place.nodes != 0)
        throw ModelError{"nodes", "the GPUs are not spread evenly over them", ""};
    // A group inside one node may leave some of its GPUs out.
    place.gpus_per_node =
        place.nodes > 1 ? place.ranks / place.nodes : std::max<std::int64_t>(place.ranks, 8);
    place.link = file.text(row, "link");
    place.spec_gb_s = file.positive(row, "spec_unidir_GBps");
    measured.group = {place.ranks, 1};
    if (const std::optional<double> bytes = file.positive(row, "bytes")) {
        measured.volume = ByteVolume{*bytes};
    } else {
        measured.volume = ByteVolume{8.0 * bytes_per_gib};
        measured.assumptions.emplace_back(
            "bytes: 8 GiB, as bandwidths are quoted of large buffers");
    }
    Gpu gpu = measured_gpu(file.text(row, "gpu"),
                           place.spec_gb_s ? std::optional{1000.0} : std::nullopt,
                           gpus,
                           measured.assumptions);
    if (gpu.source.starts_with("assumed"))
        gpu.scaleup_gb_s.reset(); // the row states the link itself
    measured.tuning.algorithms = stated_algorithms(file.text(row, "algo"), place.ranks);
    measured.cluster = stated_cluster(place, std::move(gpu), measured);
    read_result(file, row, measured);
    for (const std::string_view column :
         {"source", "collective", "gpu", "n_gpus", "nodes", "link", "algo"})
        measured.series += std::string{file.text(row, column)} + '\n';
    return measured;
}

MeasuredCurve read_collective_curve(const std::string& path) {
    constexpr double us = 1e-6;
    const auto bytes = open_bytes(path);
    CsvReader reader{*bytes, path};
    const CsvHeader header{reader};
    const std::size_t size = header.require("bytes");
    const std::size_t time = header.require("time_us");
    std::vector<MeasuredPoint> points;
    while (const TextRow* row = reader.next())
        points.push_back({ByteVolume{number_in(*row, size, "bytes", reader)},
                          Seconds{number_in(*row, time, "time_us", reader) * us}});
    try {
        return MeasuredCurve{std::move(points)};
    } catch (const ModelError& error) {
        fail_input(path, mistake(error.problem(), {}, error.remedy()));
    }
}

}} // namespace bursar::scenarios
