#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/network/collective.hpp"
#include "models/network/measured_curve.hpp"

#include "scenarios/catalog/links_and_servers.hpp"

#include "tests/shared_data.hpp"

namespace bursar::published_collectives_test {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

/// One row of collectives.csv that states a size and a time or a bandwidth.
struct Row {
    std::string source;
    Collective kind{};
    std::string gpu;
    std::int64_t gpus{};
    std::int64_t nodes{};
    std::string link;
    std::string algorithm;
    double bytes{};
    double seconds{};

    [[nodiscard]] bool one_node() const { return nodes == 1; }
};

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

std::vector<Row> read_rows(const std::filesystem::path& path) {
    std::ifstream in{path};
    std::string line;
    std::getline(in, line);
    REQUIRE(line == "id,source,source_ref,collective,gpu,n_gpus,nodes,link,algo,bytes,time_us,"
                    "algbw_GBps,busbw_GBps,spec_unidir_GBps,notes");
    std::vector<Row> rows;
    while (std::getline(in, line)) {
        const auto f = cells_of(line);
        std::string kind = f[3];
        for (char& c : kind)
            c = c == '_' ? '-' : c;
        Row row{f[1],
                find_collective(kind).value(),
                f[4],
                std::stoll(f[5]),
                std::stoll(f[6]),
                f[7],
                f[8],
                0,
                0};
        if (f[9].empty() || (f[10].empty() && f[12].empty()))
            continue; // a bandwidth without a size gives no time
        row.bytes = std::stod(f[9]);
        row.seconds = !f[10].empty()
                          ? std::stod(f[10]) * 1e-6
                          : row.bytes * bus_factor(row.kind, row.gpus) / (std::stod(f[12]) * 1e9);
        rows.push_back(std::move(row));
    }
    return rows;
}

LinkFacts link_called(std::string_view name) {
    const LinkFacts* found = builtin_links()->find(name);
    REQUIRE(found != nullptr);
    return *found;
}

LinkFacts node_link(const Row& row) {
    const auto starts = [&](std::string_view text) { return row.gpu.starts_with(text); };
    return link_called(row.link.starts_with("NVLink bridge") ? "NVLink bridge"
                       : starts("MI")                        ? "Infinity Fabric"
                       : starts("V100")                      ? "NVLink 2"
                       : starts("A100")                      ? "NVLink 3"
                       : starts("B200")                      ? "NVLink 5"
                                                             : "NVLink 4");
}

/// Each GPU's share of its node's NICs in the multi-node rows.
double nic_rate(const Row& row) {
    return row.gpu == "A100-SXM-40GB" ? 4 * 25e9 / 8 : 50e9;
}

double predicted(const Row& row, const LinkFacts& node) {
    const std::int64_t per_node = row.gpus / row.nodes;
    // A mesh joins eight GPUs, even if only some take part.
    const std::int64_t domain = row.one_node() && node.wiring != Wiring::switched ? 8 : per_node;
    LocalityTree tree;
    if (per_node > 1)
        tree.levels.push_back(link_level(node, "node", domain, ByteRate{node.gb_s * 1e9}));
    if (!row.one_node()) {
        const bool efa = row.link.find("EFA") != std::string::npos;
        const LinkFacts network = link_called(efa ? "EFA" : "RDMA network");
        tree.levels.push_back(link_level(network, "fabric", 1 << 20, ByteRate{nic_rate(row)}));
    }
    CollectiveTuning tuning;
    if (row.algorithm.starts_with("Ring"))
        tuning.algorithms = AlgorithmSet{CollectiveAlgorithm::ring};
    return collective_time(row.kind, ByteVolume{row.bytes}, {row.gpus, 1}, tree, tuning).count();
}

using Choice = std::function<bool(const Row&)>;

double mean_log_error(const std::vector<Row>& rows,
                      const Choice& chosen,
                      const std::function<LinkFacts(const Row&)>& link) {
    double sum = 0;
    int count = 0;
    for (const Row& row : rows) {
        if (!chosen(row))
            continue;
        sum += std::abs(std::log(predicted(row, link(row)) / row.seconds));
        ++count;
    }
    REQUIRE(count > 0);
    MESSAGE("mean |log error| ", sum / count, " over ", count, " rows");
    return sum / count;
}

/// The constants of another generation, with this one's data-sheet figures.
LinkFacts as_if_unmeasured(const LinkFacts& own, std::string_view other) {
    LinkFacts facts = link_called(other);
    facts.gb_s = own.gb_s;
    facts.wiring = own.wiring;
    facts.reduction_ranks = own.reduction_ranks;
    if (own.reduction_efficiency == 0)
        facts.reduction_efficiency = 0;
    return facts;
}

} // namespace

TEST_CASE("published collectives: the model with its own generation's constants") {
    const auto path = test::shared_data("validation/collectives.csv");
    if (!path)
        return;
    const auto rows = read_rows(*path);
    CHECK(mean_log_error(
              rows, [](const Row& row) { return row.one_node(); }, node_link) < 0.048);
    CHECK(mean_log_error(
              rows,
              [](const Row& row) { return row.one_node() && row.bytes < mebibyte; },
              node_link) < 0.03);
    CHECK(mean_log_error(
              rows,
              [](const Row& row) { return !row.one_node() && row.bytes >= mebibyte; },
              node_link) < 0.065);
}

TEST_CASE("published collectives: a generation predicted from another one") {
    const auto path = test::shared_data("validation/collectives.csv");
    if (!path)
        return;
    const auto rows = read_rows(*path);
    struct Unseen {
        std::string_view gpu;
        std::string_view constants_of;
        double reached; ///< mean log error, 2026-11, rounded up
    };
    for (const Unseen& unseen : {Unseen{"V100", "NVLink 3", 0.24},
                                 Unseen{"A100-SXM", "NVLink 4", 0.19},
                                 Unseen{"H200", "NVLink 5", 0.17},
                                 Unseen{"B200", "NVLink 4", 0.21},
                                 Unseen{"MI300X", "NVLink 4", 0.13}}) {
        CAPTURE(unseen.gpu);
        CHECK(mean_log_error(
                  rows,
                  [&](const Row& row) { return row.one_node() && row.gpu.starts_with(unseen.gpu); },
                  [&](const Row& row) {
                      return as_if_unmeasured(node_link(row), unseen.constants_of);
                  }) < unseen.reached);
    }
}

TEST_CASE("published collectives: every other size from the rest of its series") {
    const auto path = test::shared_data("validation/collectives.csv");
    if (!path)
        return;
    std::map<std::string, std::vector<Row>> series;
    for (const Row& row : read_rows(*path))
        series[row.source + row.gpu + std::to_string(row.gpus) + row.link + row.algorithm]
            .push_back(row);
    double curve_error = 0;
    double link_error = 0;
    int count = 0;
    for (const auto& [name, rows] : series) {
        if (rows.size() < 4)
            continue;
        std::vector<MeasuredPoint> points;
        for (std::size_t i = 0; i < rows.size(); i += 2)
            points.push_back({ByteVolume{rows[i].bytes}, Seconds{rows[i].seconds}});
        const MeasuredCurve curve{points};
        const double factor = bus_factor(rows[0].kind, rows[0].gpus);
        const FittedLink link = fit_link(points, factor);
        for (std::size_t i = 1; i < rows.size(); i += 2, ++count) {
            const ByteVolume volume{rows[i].bytes};
            curve_error += std::abs(std::log(curve.time(volume).count() / rows[i].seconds));
            link_error += std::abs(std::log(link.time(volume, factor).count() / rows[i].seconds));
        }
    }
    REQUIRE(count > 100);
    MESSAGE("mean |log error| by curve ", curve_error / count, ", by link ", link_error / count);
    CHECK(curve_error / count < 0.042);
    CHECK(link_error / count < 0.095);
}

} // namespace bursar::published_collectives_test
