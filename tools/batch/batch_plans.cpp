#include "tools/batch/batch_plans.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/plan_file/plan_file.hpp"
#include "sim/record/outcome.hpp"

#include "policies/runs/simulate.hpp"
#include "policies/stored/stored_run.hpp"

#include "tools/simulate/mapped_file.hpp"
#include "tools/simulate/version.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t max_listed = 20; // mistakes that a message lists

std::vector<std::byte> bytes_of(const Plan& plan) {
    PlanFileWriter file;
    add_plan(plan, file);
    return std::move(file).finish();
}

/// Plans by content: equal ones are stored once, in the memory of host and device.
class PlanShelf {
  public:
    std::shared_ptr<const Plan> put(Plan plan) {
        const std::vector<std::byte> bytes = bytes_of(plan);
        const std::lock_guard lock{mutex_};
        std::vector<std::shared_ptr<const Plan>>& alike = plans_[content_hash(bytes)];
        for (const std::shared_ptr<const Plan>& known : alike)
            if (bytes_of(*known) == bytes)
                return known;
        return alike.emplace_back(std::make_shared<const Plan>(std::move(plan)));
    }

  private:
    std::mutex mutex_;
    std::map<std::uint64_t, std::vector<std::shared_ptr<const Plan>>> plans_;
};

std::string refusal_of(const BatchPlan& plan) {
    std::string why;
    if (plan.choice.allocator != allocator_none)
        why = "allocators decide on the host, by libraries that bursar-batch does without";
    if (plan.plan->has_dependencies())
        why += (why.empty() ? "" : "; ") + std::string{"its jobs wait for others"};
    if (plan.plan->drops_late())
        why += (why.empty() ? "" : "; ") + std::string{"jobs that must be late are dropped"};
    if (plan.plan->staging.is_on())
        why += (why.empty() ? "" : "; ") + std::string{"its jobs stage data ahead of their start"};
    for (const std::string& beyond : plan.terms.beyond)
        why += (why.empty() ? "" : "; ") + beyond;
    if (!why.empty())
        return why + ": `bursar run` makes this run";
    return round_limit(*plan.plan, plan.choice).value_or("");
}

BatchPlan load(const std::string& path, PlanShelf& shelf) {
    try {
        const MappedFile file{path};
        StoredRun run = read_run(PlanFile{file.bytes()}, version);
        if (run.plan.num_jobs() == 0)
            throw BadPlan{"it holds no job"};
        BatchPlan plan{path, content_hash(file.bytes())};
        plan.plan = shelf.put(std::move(run.plan));
        plan.choice = std::move(run.choice);
        plan.terms = std::move(run.terms);
        plan.refusal = refusal_of(plan);
        plan.order = std::make_shared<const JobOrder>(order_for(*plan.plan, plan.choice));
        return plan;
    } catch (const BadPlan& error) {
        throw BadPlan{path + ": " + error.what()};
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::not_enough_memory)
            throw std::system_error{error.code(), path}; // an error of the machine
        throw BadPlan{path + ": cannot read the file (" + error.code().message() + ")"};
    }
}

[[noreturn]] void throw_all(const std::vector<std::string>& mistakes) {
    std::string text;
    for (std::size_t i = 0; i < std::min(mistakes.size(), max_listed); ++i)
        text += (i == 0 ? "" : "\n") + mistakes[i];
    if (mistakes.size() > max_listed)
        text += "\nand " + std::to_string(mistakes.size() - max_listed) + " more";
    throw BadPlan{text};
}

std::string limit_of(RunStatus status) {
    switch (status) {
    case RunStatus::ok:
        break;
    case RunStatus::arena_full:
        return "more jobs run at once than there is room for";
    case RunStatus::horizon_exceeded:
        return "a job would end more than 34.8 years (2^40 ms) after the first submit";
    case RunStatus::too_many_preemptions:
        return "more than " + std::to_string(max_preemptions) + " preemptions";
    }
    return {};
}

} // namespace

std::vector<std::string> plan_files(const std::vector<std::string>& named) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& name : named) {
        std::error_code error;
        if (!fs::is_directory(name, error)) {
            files.push_back(name);
            continue;
        }
        std::vector<std::string> inside;
        for (const fs::directory_entry& entry : fs::directory_iterator{name, error})
            if (entry.path().extension() == ".bplan")
                inside.push_back(entry.path().string());
        if (error)
            throw BadPlan{name + ": cannot read the folder (" + error.message() + ")"};
        if (inside.empty())
            throw BadPlan{name + ": the folder holds no plan file (*.bplan)"};
        std::ranges::sort(inside);
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

std::vector<BatchPlan> load_plans(const std::vector<std::string>& files, std::size_t threads) {
    std::vector<BatchPlan> plans(files.size());
    std::vector<std::string> mistakes(files.size());
    PlanShelf shelf;
    std::exception_ptr failed;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < files.size(); i = next++) {
            try {
                plans[i] = load(files[i], shelf);
            } catch (const BadPlan& error) {
                mistakes[i] = error.what();
            } catch (...) { // an error of the machine, such as no memory
                const std::lock_guard lock{mutex};
                failed = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(threads, files.size()); ++i)
            others.emplace_back(work);
        work();
    }
    if (failed)
        std::rethrow_exception(failed);
    std::erase(mistakes, "");
    if (!mistakes.empty())
        throw_all(mistakes);
    return plans;
}

std::string flaw_of(const BatchPlan& plan, const Outcome& outcome) {
    const RunTerms& terms = plan.terms;
    if (terms.drawn_until) {
        const bool needs_world = terms.draws_world && needs_more_world(outcome, *terms.drawn_until);
        const bool needs_prices = terms.draws_prices && outcome.end >= *terms.drawn_until;
        if (needs_world || needs_prices)
            return "it goes on behind what is drawn of its world and prices: give `until`, or let "
                   "`bursar run` make this run";
    }
    if (!plan.plan->until && waits_for_good(outcome))
        return "jobs wait that can never start, while its world goes on: give `until`, or let "
               "`bursar run` end this run";
    return limit_of(outcome.status);
}

}} // namespace bursar::tools
