#include "tools/model/checkpoint_options.hpp"

#include <fmt/format.h>

#include "models/training/job/names.hpp"

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/catalog/storage_tiers.hpp"

namespace bursar { inline namespace tools {

void CheckpointOptions::add_size_options(Command command) {
    shape_.add_to(command);
    machines_.add_to(command);
    command.remove_option("--node-network"); // checkpoints do not ask for it
    command.option("--gpus").required().description("GPUs of the job");
    command
        .add_option("--params", params_, any_size, "parameters of the model, in place of --model")
        .excludes(command.option("--model"))
        .type_name("N");
    command.add_choice<StateRecipe>(
        "--recipe",
        recipe_,
        recipe_names,
        "weights and optimizer states (mixed-adam: 14 B per parameter)");
    command.add_choice<CheckpointContents>(
        "--contents", contents_, checkpoint_contents_names, "what is saved (default: full)");
}

void CheckpointOptions::add_saving_options(Command command) {
    command.add_choice<Mode>(
        "--mode", mode_, mode_names, "how checkpoints are written (default: sync)");
    command.add_option("--write", write_, "write rate of the storage system (default: 57 GB/s)")
        .type_name("RATE");
    command
        .add_option(
            "--writers", writers_, any_size, "processes that write at once (default: one per GPU)")
        .type_name("N");
    command
        .add_option("--writer-rate", writer_rate_, "maximum rate of one writer (default: no limit)")
        .type_name("RATE");
    command
        .add_option(
            "--copy-rate", copy_rate_, "async: rate from one GPU to its host (default: 20 GB/s)")
        .type_name("RATE");
    command
        .add_option("--interference",
                    interference_,
                    any_share,
                    "async: share of training speed lost during a write (default: 0.015)")
        .type_name("SHARE");
    command
        .add_option(
            "--synchronise", synchronise_, "time until all ranks have stopped (default: 0 s)")
        .type_name("TIME");
    command
        .add_option("--changed",
                    changed_,
                    any_share,
                    "incremental: share of bytes that change between checkpoints (default: 0.1)")
        .type_name("SHARE");
    command
        .add_option("--full-every",
                    full_every_,
                    RealRange{1.0, 1e6},
                    "incremental: one checkpoint in N is full (default: 10)")
        .type_name("N");
}

void CheckpointOptions::add_failure_options(Command command) {
    command
        .add_option(
            "--rates", rates_, "failure rates of `bursar catalog failures` (default: the first)")
        .type_name("NAME")
        .completes([] { return builtin_failure_rates().names(); });
    command
        .add_option(
            "--failures", rates_file_, "failure-rate catalogue in place of the built-in one")
        .type_name("FILE");
    command
        .add_option("--node-failures-per-1000-days",
                    node_failures_,
                    RealRange{0, 1e9},
                    "failures per 1000 nodes and day")
        .excludes(command.option("--rates"))
        .type_name("N");
    command
        .add_option("--job-failures-per-day",
                    job_failures_,
                    RealRange{0, 1e9},
                    "failures per job and day, at any size")
        .excludes(command.option("--rates"))
        .type_name("N");
    command
        .add_option("--preemptions-per-day",
                    preemptions_,
                    RealRange{0, 1e9},
                    "preemptions of the whole job (default: 0)")
        .type_name("N");
    Option mtbf = command.add_option("--mtbf", mtbf_, "mean time between failures of the job");
    Option survival =
        command.add_option("--survival", survival_, "CSV of a curve: time_s,surviving_share");
    mtbf.type_name("TIME");
    survival.type_name("FILE").excludes(mtbf);
    for (const char* other : {"--rates",
                              "--node-failures-per-1000-days",
                              "--job-failures-per-day",
                              "--preemptions-per-day"}) {
        mtbf.excludes(command.option(other));
        survival.excludes(command.option(other));
    }
    command
        .add_option("--restart",
                    restart_,
                    "time from a failure to training again, without loading (default: 10 min)")
        .type_name("TIME");
    command.add_option("--read", read_, "rate at which a checkpoint is loaded (default: instantly)")
        .type_name("RATE");
}

void CheckpointOptions::add_use_options(Command command) {
    command.add_option("--interval", interval_, "compute interval to evaluate beside the best ones")
        .type_name("TIME");
    command.add_option("--notice", notice_, "notice before an interruption, as with spot capacity")
        .type_name("TIME");
    command.add_option("--run", run_, "length of the run (default: 30 d)").type_name("TIME");
    command
        .add_option("--tier",
                    tier_,
                    "storage tier of checkpoints, of `bursar catalog storage` (default: the first)")
        .type_name("NAME")
        .completes([] { return builtin_storage_tiers().names(); });
    command
        .add_option("--cold-tier",
                    cold_tier_,
                    "storage tier of older checkpoints (default: they are deleted)")
        .type_name("NAME")
        .completes([] { return builtin_storage_tiers().names(); });
    command.add_option("--tiers", tiers_file_, "storage catalogue in place of the built-in one")
        .type_name("FILE");
    command.add_option("--keep", keep_, up_to(1'000'000), "checkpoints kept in the first tier")
        .show_default()
        .type_name("N");
    command.add_option("--region", region_, "cloud region, for energy and CO2e")
        .type_name("NAME")
        .completes([] { return builtin_carbon_catalogue().region_names(); });
    command.add_option("--carbon", carbon_file_, "carbon catalogue in place of the built-in one")
        .type_name("FILE");
    command
        .add_option("--utilization",
                    utilization_,
                    any_share,
                    "busy share of the GPUs (default: 0.794, 82.5 % of TDP)")
        .type_name("SHARE");
    command.add_option("--energy-price", energy_price_, "e.g. 0.08 USD/kWh").type_name("PRICE");
}

void CheckpointOptions::add_to(Command command) {
    add_size_options(command);
    add_saving_options(command);
    add_failure_options(command);
    add_use_options(command);
}

}} // namespace bursar::tools
