#include "tools/model/layout_tables.hpp"

#include <cstddef>

#include "models/training/job/names.hpp"

namespace bursar { inline namespace tools {
namespace {

using Cells = std::vector<AnswerCell>;

const std::vector<AnswerColumn> columns_of_layout{{"tensor", "tp", ""},
                                                  {"pipeline", "pp", ""},
                                                  {"chunks", "vp", ""},
                                                  {"context", "cp", ""},
                                                  {"expert", "ep", ""},
                                                  {"data", "dp", ""},
                                                  {"micro_batch", "batch", ""},
                                                  {"micro_batches", "passes", ""},
                                                  {"sequence_parallel", "sp", ""},
                                                  {"recompute", "recompute", ""},
                                                  {"sharding", "shard", ""},
                                                  {"precision", "format", ""},
                                                  {"step_s", "step", "s"},
                                                  {"memory_b", "memory", "B"}};

} // namespace

const std::vector<AnswerColumn>& layout_columns() {
    return columns_of_layout;
}

Cells layout_cells(const RankedLayout& ranked) {
    const Layout& layout = ranked.layout;
    return {layout.tensor,
            layout.pipeline,
            layout.chunks,
            layout.context,
            layout.expert,
            layout.data,
            layout.micro_batch,
            layout.micro_batches,
            layout.sequence_parallel,
            std::string{recompute_names[static_cast<std::size_t>(layout.recompute)]},
            std::string{sharding_names[static_cast<std::size_t>(layout.sharding)]},
            std::string{name(ranked.precision)},
            ranked.step.count(),
            ranked.memory.count()};
}

double usd(MoneyRate price) {
    return static_cast<double>(price.count()) / static_cast<double>(nano_usd_per_usd);
}

AnswerTable layout_table(const std::string& key,
                         const std::string& title,
                         const std::vector<RankedLayout>& layouts,
                         double tokens_per_step,
                         std::optional<MoneyRate> price) {
    AnswerTable table{key, title, layout_columns(), {}};
    table.columns.push_back({"tokens_per_s", "rate", "tokens/s"});
    if (price)
        table.columns.push_back({"tokens_per_usd", "per dollar", "tokens/USD"});
    for (const RankedLayout& ranked : layouts) {
        Cells row = layout_cells(ranked);
        const double rate = tokens_per_step / ranked.step.count();
        row.emplace_back(rate);
        if (price) {
            const auto gpus = static_cast<double>(ranked.layout.gpus());
            row.emplace_back(rate * 3600 / (gpus * usd(*price)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

AnswerSection best_section(const StepTime& step) {
    return {"best",
            "A step under the fastest layout",
            {{"compute_s",
              "compute",
              step.compute().count(),
              "s",
              "models/FORMULAS.md sections 4.1-4.5, 4.11"},
             {"communication_s",
              "communication",
              step.communication().count(),
              "s",
              "exposed (sections 4.6-4.10)"},
             {"bubble_s", "bubble", step.bubble.count(), "s", "section 4.9"},
             {"straggler_s", "stragglers", step.straggler.count(), "s", "section 4.11"},
             {"step_s", "step", step.total().count(), "s", "`bursar model step` has every term"}}};
}

AnswerSection search_section(std::int64_t evaluated, std::int64_t by_rule, std::int64_t by_memory) {
    return {"search",
            "Layouts looked at",
            {{"evaluated", "timed", evaluated, "", ""},
             {"excluded_by_rule",
              "excluded by rule",
              by_rule,
              "",
              "combinations that cannot be; a branch counts once"},
             {"excluded_by_memory", "excluded by memory", by_memory, "", "larger than the GPU"}}};
}

AnswerTable plan_table(const std::string& key,
                       const std::string& title,
                       const std::vector<FleetPlan>& plans,
                       const std::vector<FleetOption>& options,
                       const TrainingGoal& goal) {
    AnswerTable table{key, title, {{"gpu", "GPU", ""}, {"gpus", "GPUs", ""}}, {}};
    table.columns.insert(table.columns.end(),
                         {{"duration_s", "time", "s"},
                          {"cost_usd", "cost", "USD"},
                          {"meets_goal", "meets goal", ""}});
    table.columns.insert(table.columns.end(), columns_of_layout.begin(), columns_of_layout.end());
    for (const FleetPlan& plan : plans) {
        const FleetOption& option = options[plan.option];
        Cells row{option.cluster.gpu.name,
                  option.gpus,
                  plan.duration.count(),
                  plan.usd,
                  meets(plan, goal)};
        const Cells layout = layout_cells(plan.layout);
        row.insert(row.end(), layout.begin(), layout.end());
        table.rows.push_back(std::move(row));
    }
    return table;
}

}} // namespace bursar::tools
