#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <zlib.h>

#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace_options.hpp"

#include "tools/bench/packed.hpp"

/// Loading a trace, from bytes in memory to checked columns, on Philly-shaped rows. Every
/// repetition checks its answer, so a fast wrong reader fails. The floor of packed input is zlib
/// alone on the same bytes, in the same run.
namespace bursar { inline namespace tools { namespace {

constexpr std::int64_t first_day_utc_ms = 1'506'902'400'000; // 2017-10-02

/// Rows of the form "2017-10-09 07:01:55,66.0,1,66.0,11cb48" and the sum of their submit offsets.
struct PhillyText {
    std::string csv;
    std::int64_t rows{};
    std::int64_t submit_sum_ms{}; // from the earliest submit
};

/// A fixed generator (SplitMix64) so that every machine measures the same text.
class Draw {
  public:
    std::uint64_t operator()(std::uint64_t below) {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return (z ^ (z >> 31)) % below;
    }

  private:
    std::uint64_t state_{2017};
};

PhillyText philly_text(std::int64_t rows) {
    PhillyText text;
    text.rows = rows;
    text.csv = "timestamp,duration,num_gpus,gpu_time,cluster\n";
    Draw draw;
    std::int64_t submit_ms = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::uint64_t duration = draw(std::uint64_t{1} << (4 + draw(16)));
        const std::uint64_t gpus = std::uint64_t{1} << (draw(8) == 0 ? draw(4) : 0);
        text.csv += format_timestamp(first_day_utc_ms + submit_ms);
        text.csv += ',' + std::to_string(duration) + ".0," + std::to_string(gpus) + ',' +
                    std::to_string(duration * gpus) + ".0,vc" + std::to_string(1000 + draw(15)) +
                    '\n';
        text.submit_sum_ms += submit_ms;
        submit_ms += static_cast<std::int64_t>(draw(100)) * 1000;
    }
    return text;
}

const PhillyText& text_of(std::int64_t rows) {
    static std::vector<std::unique_ptr<PhillyText>> made;
    for (const auto& text : made)
        if (text->rows == rows)
            return *text;
    made.push_back(std::make_unique<PhillyText>(philly_text(rows)));
    return *made.back();
}

std::string check(const Trace& trace, const PhillyText& text) {
    std::int64_t sum = 0;
    for (const std::int64_t submit : trace.submit_ms)
        sum += submit;
    if (static_cast<std::int64_t>(trace.size()) != text.rows)
        return "wrong number of rows";
    return sum == text.submit_sum_ms ? "" : "wrong submit times";
}

void load(benchmark::State& state, std::string_view stored, const PhillyText& text) {
    TraceOptions options;
    options.file = "bench.csv";
    for (auto _ : state) {
        const Trace trace = read_trace(std::make_unique<MemorySource>(stored), options);
        state.PauseTiming();
        if (const std::string wrong = check(trace, text); !wrong.empty())
            state.SkipWithError(wrong.c_str());
        state.ResumeTiming();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * text.rows);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(text.csv.size()));
}

void load_plain(benchmark::State& state) {
    const PhillyText& text = text_of(state.range(0));
    load(state, text.csv, text);
}

void load_gzip(benchmark::State& state) {
    const PhillyText& text = text_of(state.range(0));
    load(state, gzip(text.csv), text);
}

/// The floor of load_gzip: the same bytes through zlib, thrown away a window at a time.
void inflate_only(benchmark::State& state) {
    const PhillyText& text = text_of(state.range(0));
    std::string packed = gzip(text.csv);
    std::string window(256 * 1024, '\0');
    for (auto _ : state) {
        z_stream stream{};
        inflateInit2(&stream, 15 + 16);
        stream.next_in = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_in = static_cast<uInt>(packed.size());
        int result = Z_OK;
        while (result == Z_OK) {
            stream.next_out = reinterpret_cast<Bytef*>(window.data());
            stream.avail_out = static_cast<uInt>(window.size());
            result = inflate(&stream, Z_NO_FLUSH);
        }
        if (result != Z_STREAM_END || stream.total_out != text.csv.size())
            state.SkipWithError("wrong inflated size");
        inflateEnd(&stream);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * text.rows);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(text.csv.size()));
}

BENCHMARK(load_plain)->ArgName("rows")->Arg(100'000)->Arg(1'000'000)->UseRealTime();
BENCHMARK(inflate_only)->ArgName("rows")->Arg(1'000'000)->UseRealTime();
BENCHMARK(load_gzip)->ArgName("rows")->Arg(1'000'000)->UseRealTime();

} // namespace
}} // namespace bursar::tools

BENCHMARK_MAIN();
