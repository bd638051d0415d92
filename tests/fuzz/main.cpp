// All fuzz targets as one libFuzzer program: one link in place of twenty. --target=NAME chooses;
// --list prints the names. libFuzzer passes both to the processes that it starts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "tests/fuzz/targets.hpp"

namespace {

using namespace bursar::fuzz;

constexpr std::array targets = std::to_array<std::pair<std::string_view, FuzzTarget*>>({
    {"availability", availability},
    {"catalogues", catalogues},
    {"comparison", comparison},
    {"conditions", conditions},
    {"fabric", fabric},
    {"focus", focus},
    {"grid", grid},
    {"kubectl", kubectl},
    {"lsf", lsf},
    {"measurements", measurements},
    {"outputs", outputs},
    {"overrides", overrides},
    {"pbs", pbs},
    {"plan", plan},
    {"plan_sections", plan_sections},
    {"prices", prices},
    {"result", result},
    {"sacct", sacct},
    {"scaling_runs", scaling_runs},
    {"scenario", scenario},
    {"sweep_rows", sweep_rows},
    {"throughputs", throughputs},
    {"trace", trace},
    {"variants", variants},
});

FuzzTarget* chosen = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(const int* argc, char*** argv) {
    constexpr std::string_view option = "--target=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view word = (*argv)[i];
        for (const auto& [name, target] : targets) {
            if (word == "--list")
                std::printf("%s\n", name.data());
            if (word.starts_with(option) && word.substr(option.size()) == name)
                chosen = target;
        }
        if (word == "--list")
            std::exit(0);
    }
    if (chosen == nullptr) {
        std::fputs("fuzz: --target=NAME is required; --list prints the names\n", stderr);
        std::exit(2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    chosen({reinterpret_cast<const char*>(bytes), size}); // NOLINT: bytes are text
    return 0;
}
