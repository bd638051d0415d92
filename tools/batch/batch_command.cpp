#include "tools/batch/batch_command.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <thread>
#include <utility>

#include "tools/simulate/version.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view help =
    R"(bursar-batch: run plan files of `bursar compile`, one row of answers each

usage: bursar-batch [OPTIONS] PLAN...

  PLAN                  a plan file, or a folder whose *.bplan files are run in the order of their names
  -o, --output FILE     the table to write (CSV); default: standard output
  --device DEVICE       auto: GPUs where they are measured to pay, else the host (default)
                        host: threads of this machine
                        cuda: every GPU that CUDA shows
                        both: the host and the GPUs, and their answers must be equal; --check says the same
  --team TEAM           what makes a run on a GPU: warp, its 32 lanes together (default), or lane, each lane a run
  --threads N           threads of the host (default: one a core)
  --repeat N            run each plan N times, to measure; the answers must be equal (default 1)
  --times FILE          write what each device took (CSV)
  --devices             list the GPUs and do nothing else
  --version, --help

Exit codes: 0 all runs are answered; 1 a device or the machine failed, or answers differ; 2 a wrong command line
or plan file; 4 some runs have no answer, and the table says why.
)";

const std::pair<std::string_view, BatchOn> devices[]{{"auto", BatchOn::either},
                                                     {"host", BatchOn::host},
                                                     {"cuda", BatchOn::gpus},
                                                     {"both", BatchOn::both}};

BatchOn device_of(const std::string& word) {
    const auto* const found =
        std::ranges::find(devices, word, &std::pair<std::string_view, BatchOn>::first);
    if (found == std::end(devices))
        throw BadCommandLine{"--device: unknown \"" + word + "\"; one of: auto, host, cuda, both"};
    return found->second;
}

TeamKind team_of(const std::string& word) {
    if (word != "warp" && word != "lane")
        throw BadCommandLine{"--team: unknown \"" + word + "\"; one of: warp, lane"};
    return word == "warp" ? TeamKind::warp : TeamKind::lane;
}

std::size_t number_of(const std::string& option, const std::string& word) {
    constexpr std::size_t most = 1'000'000;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || number < 1 || number > most)
        throw BadCommandLine{option + ": expected a number from 1 to " + std::to_string(most) +
                             ", not \"" + word + "\""};
    return number;
}

/// The words of a command line, one after the other.
class Words {
  public:
    explicit Words(std::span<const std::string> words) : left_{words} {}

    [[nodiscard]] bool is_end() const { return left_.empty(); }
    std::string next() {
        const std::string word = left_.front();
        left_ = left_.subspan(1);
        return word;
    }
    /// What follows `option`, or stands in it behind a `=`.
    std::string value_of(const std::string& option, const std::optional<std::string>& in_it) {
        if (!in_it && is_end())
            throw BadCommandLine{option + ": a value is missing"};
        return in_it ? *in_it : next();
    }

  private:
    std::span<const std::string> left_;
};

void read_option(const std::string& word, Words& words, BatchCommand& options) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    std::optional<std::string> in_it;
    if (equals != std::string::npos)
        in_it = word.substr(equals + 1);
    const auto value = [&] { return words.value_of(name, in_it); };
    if (name == "-o" || name == "--output")
        options.output = value();
    else if (name == "--times")
        options.times = value();
    else if (name == "--device")
        options.on = device_of(value());
    else if (name == "--team")
        options.team = team_of(value());
    else if (name == "--threads")
        options.threads = number_of(name, value());
    else if (name == "--repeat")
        options.repeat = number_of(name, value());
    else if (word == "--check")
        options.on = BatchOn::both;
    else if (word == "--devices")
        options.lists_gpus = true;
    else
        throw BadCommandLine{"unknown option " + word + "; --help lists them"};
}

} // namespace

std::optional<BatchCommand> read_batch_command(std::span<const std::string> words,
                                               std::string& output) {
    BatchCommand options;
    options.threads = std::max(1U, std::thread::hardware_concurrency());
    bool only_plans = false;
    for (Words left{words}; !left.is_end();) {
        const std::string word = left.next();
        if (word == "--help" || word == "-h" || word == "--version") {
            output = word == "--version" ? "bursar-batch " + std::string{version} + "\n"
                                         : std::string{help};
            return std::nullopt;
        }
        if (!only_plans && word == "--")
            only_plans = true;
        else if (!only_plans && word.starts_with('-'))
            read_option(word, left, options);
        else
            options.plans.push_back(word);
    }
    if (options.plans.empty() && !options.lists_gpus)
        throw BadCommandLine{"no plan file is named; --help says how"};
    return options;
}

}} // namespace bursar::tools
