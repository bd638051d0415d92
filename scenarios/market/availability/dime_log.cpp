#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"

/// Logs of training_on_a_dime: an instance of each kind is started in each zone and checked every
/// 10 to 15 minutes; a lost instance is started again.
///
///     [2020-03-15T10:07:33.000Z] Created instance i-1 with 8 GPU(s) of type v100 in zone
///     us-east-1b [2020-03-15T10:21:23.000Z] Instance i-1 running in zone us-east-1b
///     [2020-03-15T15:03:20.000Z] Instance i-1 not running in zone us-east-1b
///     [2020-03-15T10:11:21.000Z] Instance with 8 GPU(s) of type k80 creation failed
namespace bursar { inline namespace scenarios {
namespace {

/// An instance that is logged as created and, within this time, as not running was a failed launch,
/// not a reclaimed node: no check in between saw it running.
constexpr std::int64_t failed_launch_ms = 60'000;

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> out;
    while (true) {
        const std::size_t begin = text.find_first_not_of(' ');
        if (begin == std::string_view::npos)
            return out;
        text.remove_prefix(begin);
        const std::size_t size = std::min(text.find(' '), text.size());
        out.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
}

/// An instance that may be up, and the event of its start.
struct Instance {
    std::size_t event{};
    bool seen{}; ///< a check found it running
};

class DimeLog {
  public:
    explicit DimeLog(const AvailabilityOptions& options) : options_{options} {}

    void add(std::string_view line, std::uint64_t number) {
        const std::size_t close = line.find("] ");
        const auto time = line.starts_with('[') && close != std::string_view::npos
                              ? parse_timestamp(line.substr(1, close - 1), options_.time_zone_ms)
                              : std::nullopt;
        if (!time)
            fail(
                number, 1, mistake("no time stamp in brackets", "expected [2020-03-15T10:07:33Z]"));
        const auto words = words_of(line.substr(close + 2));
        first_ms_ = std::min(first_ms_.value_or(*time), *time);
        last_ms_ = std::max(last_ms_, *time);
        if (words.size() == 12 && words[0] == "Created" && words[1] == "instance")
            created(words, *time, number);
        else if (words.size() >= 3 && words[0] == "Instance" && words[2] == "running")
            found_running(words[1]);
        else if (words.size() >= 4 && words[0] == "Instance" && words[2] == "not")
            found_gone(words[1], *time, number);
        else if (!is_known(words))
            fail(number, close + 3, mistake("not a line of such a log"));
    }

    NodeCounts counts() {
        if (kinds_.empty())
            fail(0, 0, mistake("no instance was ever created"));
        if (events_.empty())
            fail(0, 0, mistake("no instance of that kind", "the log has " + listed_names(kinds())));
        std::erase_if(events_, [](const NodeEvent& event) { return event.name.empty(); });
        NodeCounts out = count_nodes(std::move(events_), options_.file);
        out.dated = true;
        out.steps.insert(out.steps.begin(), {*first_ms_, 0});
        out.end_ms = last_ms_;
        if (num_failed_ > 0)
            out.notes.push_back({{options_.file},
                                 "",
                                 fmt::format("{} of {} instances are taken as launches that failed",
                                             num_failed_,
                                             num_created_),
                                 "they were gone within a minute, when first looked at",
                                 ""});
        if (selected_kinds_.size() > 1)
            out.notes.push_back(
                {{options_.file},
                 "",
                 fmt::format("{} kinds of instances are counted together", selected_kinds_.size()),
                 listed_names(
                     std::vector<std::string>{selected_kinds_.begin(), selected_kinds_.end()}),
                 "choose with zone, gpu and gpus"});
        return out;
    }

  private:
    [[noreturn]] void fail(std::uint64_t line, std::uint64_t column, Finding finding) const {
        fail_input({options_.file, line, column}, {}, std::move(finding));
    }

    static bool is_known(const std::vector<std::string_view>& words) {
        if (words.size() < 4)
            return false;
        const bool failed = words[words.size() - 2] == "creation" && words.back() == "failed";
        return failed || (words[0] == "Successfully" && words[1] == "deleted");
    }

    // Created instance NAME with N GPU(s) of type GPU in zone ZONE
    void
    created(const std::vector<std::string_view>& words, std::int64_t time, std::uint64_t line) {
        const std::string_view gpus = words[4];
        const std::string_view gpu = words[8];
        const std::string_view zone = words[11];
        const auto num_gpus = parse_count(gpus);
        if (!num_gpus)
            fail(line, 0, mistake(in_quotes(gpus) + " is not a number of GPUs"));
        std::string kind = fmt::format("{} x {} in {}", gpus, gpu, zone);
        kinds_.insert(kind);
        const bool selected = (options_.zone.empty() || options_.zone == zone) &&
                              (options_.gpu.empty() || options_.gpu == gpu) &&
                              (!options_.gpus_per_node || *options_.gpus_per_node == *num_gpus);
        if (!selected)
            return;
        selected_kinds_.insert(std::move(kind));
        ++num_created_;
        instances_[std::string{words[2]}] = {events_.size()};
        events_.push_back({time, true, std::string{words[2]}, line, 1});
    }

    void found_running(std::string_view name) {
        if (const auto found = instances_.find(name); found != instances_.end())
            found->second.seen = true;
    }

    void found_gone(std::string_view name, std::int64_t time, std::uint64_t line) {
        const auto found = instances_.find(name);
        if (found == instances_.end())
            return; // a failed launch, or another kind
        NodeEvent& came = events_[found->second.event];
        if (!found->second.seen && time - came.time_ms <= failed_launch_ms) {
            came.name.clear();
            ++num_failed_;
        } else {
            events_.push_back({time, false, std::string{name}, line, 1});
        }
        instances_.erase(found);
    }

    [[nodiscard]] std::vector<std::string> kinds() const { return {kinds_.begin(), kinds_.end()}; }

    const AvailabilityOptions& options_;
    std::optional<std::int64_t> first_ms_;
    std::int64_t last_ms_{};
    std::map<std::string, Instance, std::less<>> instances_;
    std::vector<NodeEvent> events_; ///< events without a name are ignored
    std::set<std::string> kinds_;
    std::set<std::string> selected_kinds_;
    std::int64_t num_created_{};
    std::int64_t num_failed_{};
};

NodeCounts read_dime_log(std::string_view text, const AvailabilityOptions& options) {
    MemorySource bytes{text};
    LineReader lines{bytes, options.file};
    DimeLog log{options};
    while (const auto line = lines.next())
        if (!line->empty())
            log.add(*line, lines.line());
    return log.counts();
}

bool recognises_dime_log(std::string_view text) {
    return text.size() > 6 && text[0] == '[' && text[5] == '-' &&
           text.substr(1, 4).find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

const AvailabilityFormat dime_log{"dime-log",
                                  "[2020-03-15T10:07:33.000Z] Created instance ...",
                                  recognises_dime_log,
                                  read_dime_log};

}} // namespace bursar::scenarios
