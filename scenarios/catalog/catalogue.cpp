#include "scenarios/catalog/catalogue.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/catalog/links_and_servers.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Words that drivers, vendors and shops add to a model's name; sorted.
constexpr std::array<std::string_view, 14> added_words{"amd",
                                                       "aws",
                                                       "geforce",
                                                       "google",
                                                       "gpu",
                                                       "hbm2",
                                                       "hbm2e",
                                                       "hbm3",
                                                       "hbm3e",
                                                       "instinct",
                                                       "intel",
                                                       "nvidia",
                                                       "quadro",
                                                       "tesla"};
static_assert(std::ranges::is_sorted(added_words));

/// The words that identify a model, in lower case and sorted.
std::vector<std::string> identifying_words(std::string_view name) {
    std::vector<std::string> words = words_of(name);
    std::erase_if(words, [](const std::string& word) {
        return std::ranges::binary_search(added_words, word);
    });
    std::ranges::sort(words);
    return words;
}

/// Whether two spellings name one GPU: the same words in any order and case, with any characters
/// between them, with or without vendor, brand and kind of memory. "NVIDIA A100 80GB
/// SXM4" is "A100-SXM4-80GB"; "A100" is not.
bool same_gpu_name(std::string_view a, std::string_view b) {
    const std::vector<std::string> words = identifying_words(a);
    return !words.empty() && words == identifying_words(b);
}

/// A quantity as a double of gpu.hpp: `Per` smallest units are one of its units.
template <std::int64_t Per>
QuantityRule<double> fact(const Dimension& dimension) {
    return {dimension, Zero::refused, [](Measure m) {
                return static_cast<double>(m.count) / static_cast<double>(Per);
            }};
}

constexpr std::int64_t giga = 1'000'000'000;
constexpr std::int64_t tera = 1'000 * giga;

template <Precision Format>
Key<Gpu> peak_row() {
    return {key_row<Gpu>(
                std::string{name(Format)},
                Presence::optional,
                [](Gpu& gpu) -> std::optional<double>& {
                    return gpu.dense_peak_tflops[static_cast<std::size_t>(Format)];
                },
                fact<tera>(flop_rates)),
            "dense peak, without sparsity"};
}

Table<Gpu> peak_keys() {
    return table<Gpu>({peak_row<Precision::fp32>(),
                       peak_row<Precision::tf32>(),
                       peak_row<Precision::fp16>(),
                       peak_row<Precision::bf16>(),
                       peak_row<Precision::fp8>(),
                       peak_row<Precision::mxfp8>(),
                       peak_row<Precision::nvfp4>()});
}

template <Precision Format>
Key<Gpu> achievable_row() {
    return {key_row<Gpu>(
                std::string{name(Format)},
                Presence::optional,
                [](Gpu& gpu) -> std::optional<double>& {
                    return gpu.achievable_fraction[static_cast<std::size_t>(Format)];
                },
                fact<tera>(flop_rates)),
            "rate of its best matrix product"};
}

/// The rates as written; as_shares() makes them the fractions that gpu.hpp holds.
Table<Gpu> achievable_keys() {
    return table<Gpu>({achievable_row<Precision::fp32>(),
                       achievable_row<Precision::tf32>(),
                       achievable_row<Precision::fp16>(),
                       achievable_row<Precision::bf16>(),
                       achievable_row<Precision::fp8>(),
                       achievable_row<Precision::mxfp8>(),
                       achievable_row<Precision::nvfp4>()});
}

/// Turns the measured rates of a GPU into shares of its peaks. at: the GPU.
void as_shares(const Reader& at, Gpu& gpu, const KeysRead& read) {
    const std::optional<Reader> rates = at.find("achievable");
    if (!rates || !read.good("achievable") || !read.good("peaks"))
        return;
    for (std::size_t i = 0; i < precision_names.size(); ++i) {
        std::optional<double>& share = gpu.achievable_fraction[i];
        if (!share)
            continue;
        const std::optional<double>& peak = gpu.dense_peak_tflops[i];
        if (peak && *share <= *peak)
            *share /= *peak;
        else
            rates->mistake_at(precision_names[i],
                              peak ? "above the peak" : "a rate without a peak",
                              peak ? fmt::format("the peak is {:g} TFLOP/s", *peak)
                                   : std::string{"it is kept as a share of the peak"});
    }
}

/// An optional fact: unpublished ones are left out.
Table<Gpu> gpu_keys() {
    return table<Gpu, as_shares>({
        {required("name", &Gpu::name, text()), "name with form factor and memory size, unique"},
        {optional("aliases", &Gpu::aliases, list_of(text(), 0)), "other names, unique"},
        {required("vendor", &Gpu::vendor, text()), "its maker"},
        {optional("memory", &Gpu::memory_gb, fact<giga>(byte_counts)),
         "memory that a process sees"},
        {optional("memory_bandwidth", &Gpu::memory_bandwidth_gb_s, fact<giga>(byte_rates)),
         "bandwidth of its memory"},
        {optional("scaleup_bandwidth", &Gpu::scaleup_gb_s, fact<giga>(byte_rates)),
         "bandwidth to other GPUs, one direction"},
        {optional("scaleup_domain", &Gpu::scaleup_domain, whole_number(2, 1'000'000)),
         "GPUs that its link joins, over several servers (those of one)"},
        {optional("tdp", &Gpu::tdp_w, fact<1000>(powers)), "the vendor's highest design power"},
        {optional("multiprocessors", &Gpu::multiprocessors, whole_number(1, 100'000)),
         "units that compute tiles of a matrix product"},
        {section("peaks", Presence::optional, peak_keys()), "dense peak rates by number format"},
        {section("achievable", Presence::optional, achievable_keys()),
         "rates that the best-shaped matrix product was measured at"},
        {required("source", &Gpu::source, text()), "where the facts were published"},
        {required("date", &Gpu::date, calendar_day()), "when they were read"},
    });
}

struct GpuFile {
    std::vector<Gpu> gpus;
    std::vector<LinkFacts> links;     ///< empty: the built-in ones
    std::vector<ServerFacts> servers; ///< likewise
};

CatalogueFile<GpuFile> gpu_file() {
    return CatalogueFile{
        table<GpuFile>({{required("gpus", &GpuFile::gpus, list_of(gpu_keys())), "the GPU models"},
                        {optional("links", &GpuFile::links, list_of(link_keys())),
                         "their links (the built-in ones)"},
                        {optional("servers", &GpuFile::servers, list_of(server_keys())),
                         "what they stand in (the built-in ones)"}}),
        [](const Reader& root) {
            UniqueNames{}.claim_names(root, "gpus");
            UniqueNames{}.claim_names(root, "links");
            UniqueNames{}.claim_names(root, "servers");
        }};
}

/// The file's own list as a table that its GPUs share; the built-in table if the list is empty.
template <class Table, class Facts>
std::shared_ptr<const Table> own_or(std::vector<Facts> own, std::shared_ptr<const Table> builtin) {
    return own.empty() ? std::move(builtin) : std::make_shared<const Table>(Table{std::move(own)});
}

/// Gives the GPUs their links and servers.
Catalogue catalogue_of(GpuFile file) {
    Catalogue catalogue{std::move(file.gpus),
                        own_or(std::move(file.links), builtin_links()),
                        own_or(std::move(file.servers), builtin_servers())};
    for (Gpu& gpu : catalogue.gpus) {
        gpu.links = catalogue.links;
        gpu.servers = catalogue.servers;
    }
    return catalogue;
}

} // namespace

const Gpu* Catalogue::find(std::string_view name_or_alias) const {
    const auto called = [&](const auto& same) {
        return std::ranges::find_if(gpus, [&](const Gpu& gpu) {
            return same(gpu.name, name_or_alias) ||
                   std::ranges::any_of(gpu.aliases, [&](const std::string& alias) {
                       return same(alias, name_or_alias);
                   });
        });
    };
    auto found = called(std::equal_to<std::string_view>{});
    if (found == gpus.end())
        found = called(same_gpu_name);
    return found == gpus.end() ? nullptr : &*found;
}

std::vector<std::string> Catalogue::names() const {
    std::vector<std::string> names;
    for (const Gpu& gpu : gpus) {
        names.push_back(gpu.name);
        names.insert(names.end(), gpu.aliases.begin(), gpu.aliases.end());
    }
    return names;
}

const Catalogue& builtin_catalogue() {
    static const Catalogue catalogue = read_catalogue_text(builtin_gpus_yaml, "gpus.yaml");
    return catalogue;
}

Catalogue read_catalogue(const std::string& path) {
    return catalogue_of(gpu_file().read(path));
}

Catalogue read_catalogue_text(std::string_view text, const std::string& file) {
    return catalogue_of(gpu_file().read_text(text, file));
}

}} // namespace bursar::scenarios
