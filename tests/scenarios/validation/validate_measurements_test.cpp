#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/scaling/loss_surface.hpp"

#include "scenarios/measurements/training_case.hpp"
#include "scenarios/validation/training_rows.hpp"
#include "scenarios/validation/validate_measurements.hpp"

#include "tests/shared_data.hpp"

namespace bursar::validate_measurements_test {
namespace {

Validation validated(const char* text) {
    static const Catalogue gpus = builtin_catalogue();
    const KnownWorld world{gpus, builtin_architectures(), builtin_stacks()};
    return validate_file(read_measurement_text(text, "f.csv"), world);
}

/// All published files, read once; empty if they are absent.
const Validation* published() {
    static const auto folder = test::shared_data("validation");
    if (!folder)
        return nullptr;
    static const Catalogue gpus = builtin_catalogue();
    static const Validation all =
        validate_measurements(folder->string(), {gpus, builtin_architectures(), builtin_stacks()});
    return &all;
}

/// Sources published after the memory model was made, without a limit on its error.
bool is_new_source(const std::string& file) {
    static const std::set<std::string> files{"bigscience_a100_early.csv",
                                             "internevo_memory_odd.csv",
                                             "jax_h100_odd.csv",
                                             "llm_foundry_a100_40.csv",
                                             "megatron_bridge_gb200.csv",
                                             "simumax_b200_odd.csv",
                                             "torchtitan_part.csv"};
    return files.contains(file);
}

/// A machine whose products run at half of the GPU's usual rate: any profile of another machine is
/// worse on it than one utilisation for the whole file, 39 % against 23 %. Calibrating on three
/// rows gives 6 % (VALIDATION.md).
bool is_slow_machine(const std::string& file) {
    return file == "simumax_b200_odd.csv";
}

/// Errors of all rows in a file's groups of this profile.
ErrorStatistics errors(const Validation& all, const char* file, const char* profile) {
    std::vector<Prediction> predictions;
    for (const ValidatedRow& row : all.rows)
        if (row.file == file && row.profile == profile && row.predicted)
            predictions.push_back({*row.predicted, row.measured});
    return error_statistics(predictions);
}

} // namespace

TEST_CASE("every row is in n, answered or not") {
    const Validation result = validated("id,gpu,gpus,layers,hidden,seq,global_batch,precision,"
                                        "framework,step_s,mem_gb\n"
                                        "good,A100,8,24,2048,1024,64,fp16,new stack,1.2,\n"
                                        "both,A100,8,24,2048,1024,64,fp16,new stack,1.2,30\n"
                                        "memory,A100,8,24,2048,1024,64,fp16,new stack,,30\n"
                                        "nothing,A100,8,24,2048,1024,64,fp16,new stack,,\n"
                                        "negative,A100,8,24,2048,1024,64,fp16,new stack,-1,\n"
                                        "no bf16,V100,8,24,2048,1024,64,bf16,new stack,1.2,\n"
                                        "no gpu,FutureGPU,8,24,2048,1024,64,bf16,new stack,1.2,\n"
                                        "too,many,8,24,2048,1024,64,bf16,x,1.2,3,4,5,6\n");
    CHECK(result.rows.size() == 10); // two rows published two quantities
    std::size_t n = 0;
    std::size_t answered = 0;
    for (const ValidationGroup& group : result.groups) {
        n += group.n;
        answered += group.error.n;
    }
    CHECK(n == 10);
    CHECK(answered == 4);
    for (const ValidatedRow& row : result.rows) {
        CAPTURE(row.id);
        CHECK(row.predicted.has_value() == row.why.empty());
    }
}

TEST_CASE("whether constants saw a row follows from its source and id, not from its file name") {
    const auto tuning = [](const std::string& id, const std::string& source) {
        const Validation result = validated(
            ("id,source,gpu,gpus,layers,hidden,seq,global_batch,precision,framework,step_s\n" + id +
             "," + source + ",A100,8,24,2048,1024,64,fp16,Megatron-DeepSpeed,1.2\n")
                .c_str());
        REQUIRE(result.rows.size() == 1);
        return result.rows.front().tuning;
    };
    const std::string vtrain = "vTrain (MICRO 2024) measured data";
    CHECK(tuning("vtrain-multi-0007", vtrain) == Tuning::tuned);
    CHECK(tuning("vtrain-single-0001", vtrain) == Tuning::tuned);
    CHECK(tuning("vtrain-single-0003", vtrain) == Tuning::held_out);
    CHECK(tuning("", vtrain) == Tuning::tuned); // it may be any of them
    CHECK(tuning("vtrain-multi-0007", "another") == Tuning::unseen);
}

TEST_CASE("memory is compared with the same content and unit") {
    const auto figure = [](const std::string& framework, const std::string& notes) {
        const Validation result = validated(
            ("id,gpu,gpus,layers,hidden,ffn,heads,kv_heads,vocab,arch,seq,global_batch,micro_batch,"
             "sharding,precision,recompute,attention,framework,mem_gb,notes\n"
             "a,H100,8,32,4096,14336,32,8,128256,llama,8192,8,1,fsdp,bf16,full,flash," +
             framework + ",40," + notes + "\n")
                .c_str());
        REQUIRE(result.rows.size() == 1);
        REQUIRE(result.rows.front().predicted);
        return *result.rows.front().predicted;
    };
    const double whole = figure("NewTrainer", "");
    const double reserved = figure("NewTrainer", "max reserved");
    CHECK(reserved < whole);
    CHECK(figure("NewTrainer", "max allocated") < reserved);
    CHECK(figure("NewTrainer", "max reserved GiB") ==
          doctest::Approx(reserved * 1e9 / 1073741824.0));
    CHECK(figure("torchtitan eager", "") == figure("torchtitan eager", "max reserved GiB"));
}

TEST_CASE("losses on repeated data are grouped by epochs and by the size of the model") {
    const Validation result = validated("params,tokens,unique_tokens,loss\n"
                                        "1e8,4e9,4e9,3.3\n"
                                        "1e8,4e10,4e9,3\n"
                                        "4e9,4e10,4e8,3.2\n"
                                        "2e8,4e10,,3\n");
    REQUIRE(result.rows.size() == 4);
    CHECK(result.rows[0].predicted == loss(default_loss_surface(), Parameters{1e8}, Tokens{4e9}));
    CHECK(*result.rows[1].predicted > loss(default_loss_surface(), Parameters{1e8}, Tokens{4e10}));
    CHECK(*result.rows[1].predicted < *result.rows[0].predicted);
    CHECK(result.rows[0].profile == "besiroglu2024, 1 epoch");
    CHECK(result.rows[1].profile == "besiroglu2024, <= 44 epochs, N <= 10 N_opt");
    CHECK(result.rows[2].profile == "besiroglu2024, > 44 epochs, N > 10 N_opt");
    CHECK(result.rows[3].why.find("unique_tokens") != std::string::npos);
}

TEST_CASE("no row is scored by the three rows that it is among") {
    for (const std::size_t rows : {6, 7, 8, 23}) {
        CAPTURE(rows);
        const auto triples = triples_of(rows);
        REQUIRE(triples.size() == rows / 3);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto& scored_by = triples[(row % triples.size() + 1) % triples.size()];
            CHECK(scored_by.size() == 3);
            CHECK(std::ranges::find(scored_by, row) == scored_by.end());
        }
    }
    CHECK(triples_of(2).empty());
}

TEST_CASE("an unknown header loses no row") {
    const Validation result = validated("colour,shape\nred,round\n");
    REQUIRE(result.rows.size() == 1);
    CHECK_FALSE(result.rows.front().why.empty());
    CHECK(result.groups.front().n == 1);
}

TEST_CASE("times between failures follow from the size of the job") {
    const Validation all = validated("id,topic,source,quantity,value,unit\n"
                                     "a,reliability,s,projected MTTF at 16384 GPUs,1.8,h\n"
                                     "b,reliability,s,measured MTTF at 1024 GPUs,7.9,h\n"
                                     "c,reliability,s,node failure rate,6.5,per day\n"
                                     "d,reliability,s,measured MTTF at many GPUs,2,h\n");
    REQUIRE(all.rows.size() == 4);
    CHECK(all.rows[0].predicted.value_or(0) == doctest::Approx(1.803).epsilon(1e-3));
    CHECK(all.rows[0].tuning == Tuning::exact);
    CHECK(all.rows[1].predicted.value_or(0) == doctest::Approx(7.9).epsilon(1e-9));
    CHECK(all.rows[1].tuning == Tuning::tuned);
    CHECK(all.rows[2].why.find("take as input") != std::string::npos);
    CHECK(all.rows[3].why.find("number of GPUs") != std::string::npos);
}

TEST_CASE("jobs of other sources are compared with the default failure rates") {
    const Validation all =
        validated("id,topic,source,quantity,value,unit,context\n"
                  "a,reliability,Some 100B,unexpected mean time between interruptions,3,h,\n"
                  "b,reliability,Some 100B,job interruptions in 54 days,466,count,16384 H100\n"
                  "c,reliability,Some 100B,unexpected mean time between interruptions,3,h,\n"
                  "d,reliability,Some 100B,effective training time,90,%,\n"
                  "e,reliability,s,machine replacements,2,per day,124 nodes of 8 A100\n"
                  "f,checkpoint,Some-100B,synchronous save time,40,s,384 writers\n");
    REQUIRE(all.rows.size() == 6);
    CHECK_FALSE(all.rows[0].predicted.has_value()); // of how many nodes is not said before
    CHECK_FALSE(all.rows[1].predicted.has_value());
    CHECK(all.rows[2].predicted.value_or(0) == doctest::Approx(1.803).epsilon(1e-3));
    CHECK(all.rows[2].tuning == Tuning::unseen);
    CHECK(all.rows[2].figure == "Some 100B: unexpected mean time between interruptions, h");
    CHECK(all.rows[3].predicted.value_or(0) > 90);
    CHECK(all.rows[3].predicted.value_or(0) < 99);
    CHECK(all.rows[4].predicted.value_or(0) == doctest::Approx(124 * 0.0065).epsilon(1e-9));
    // 14 bytes a parameter at 57 GB/s
    CHECK(all.rows[5].predicted.value_or(0) == doctest::Approx(1400.0 / 57).epsilon(1e-9));
    CHECK(all.rows[5].tuning == Tuning::tuned);
}

TEST_CASE("memory to which a constant was fitted is predicted without its source, too") {
    const std::string header = "id,source,framework,gpu,gpus,layers,hidden,heads,seq,global_batch,"
                               "micro_batch,precision,attention,step_s,mem_gb\n";
    const std::string row = ",8,32,4096,32,8192,8,1,bf16,flash,1,50\n";
    const Validation result = validated((header + "r1,own,Megatron-LM,H100" + row +
                                         "r2,torchtitan benchmarks,torchtitan compile,H100" + row)
                                            .c_str());
    const auto memory_of = [&result](std::string_view id, bool is_refit) {
        const auto found = std::ranges::find_if(result.rows, [&](const ValidatedRow& one) {
            return one.id == id && one.quantity == "mem_gb" && one.is_refit == is_refit;
        });
        return found == result.rows.end() ? 0 : found->predicted.value_or(0);
    };
    CHECK(memory_of("r1", false) > 0);
    CHECK(memory_of("r1", true) == 0);
    CHECK(memory_of("r2", true) > 0);
    CHECK(memory_of("r2", true) < memory_of("r2", false)); // less is reserved by default
}

TEST_CASE("collectives without a published time are compared by bandwidth") {
    const Validation result =
        validated("id,source,collective,gpu,n_gpus,nodes,link,algo,bytes,time_us,busbw_GBps\n"
                  "a,s,AllReduce,H100-SXM,8,1,NVLink4,Ring,,,370\n"
                  "b,s,all_gather,H100-SXM,16,2,NVLink4 + 8x400Gbps,,1e9,30000,\n"
                  "c,s,all_reduce,H100-SXM,1,1,NVLink4,,1e9,1,\n"
                  "d,s,gossip,H100-SXM,8,1,NVLink4,,1e9,1,\n");
    REQUIRE(result.rows.size() == 4);
    CHECK(result.rows[0].quantity == "busbw_GBps");
    CHECK(*result.rows[0].predicted == doctest::Approx(370).epsilon(0.1));
    CHECK(result.rows[1].predicted.has_value());
    CHECK(result.rows[2].why.find("n_gpus") != std::string::npos);
    CHECK(result.rows[3].why.find("gossip") != std::string::npos);
}

TEST_CASE("throughput of an unseen GPU comes from the others") {
    const Validation result = validated("id,gpu,num_gpu,model,precision,global_batch,throughput\n"
                                        "a,A100,1,net,fp16,64,2000\n"
                                        "b,V100,1,net,fp16,64,900\n"
                                        "c,H100,1,net,fp16,64,3300\n"
                                        "d,H100,1,other,fp16,64,3300\n");
    REQUIRE(result.rows.size() == 4);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(result.rows[i].predicted.has_value());
    CHECK(result.rows[3].why.find("no other GPU") != std::string::npos);
}

TEST_CASE("a validation is the same every time") {
    const char* text = "id,source,gpu,gpus,layers,hidden,seq,global_batch,framework,step_s\n"
                       "a,s,A100,8,24,2048,1024,64,x,1.2\n";
    CHECK(validated(text).rows.front().predicted == validated(text).rows.front().predicted);
}

// Limits from issue 3, rounded up; the page of `bursar model` has the last run.
TEST_CASE("step times stay within their limits on rows that no constant saw") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    const char* single = "vtrain_singlenode_a100_train.csv";
    const char* multi = "vtrain_multinode_a100.csv";
    const ErrorStatistics odd_even = errors(*all, single, "refit on odd rows, scored on even");
    CHECK(odd_even.n == 360);
    CHECK(odd_even.mape < 0.055);
    CHECK(errors(*all, single, "megatron-deepspeed-2022 (held-out rows)").mape < 0.065);
    const ErrorStatistics folds = errors(*all, multi, "refit, 5-fold");
    CHECK(folds.n == 109);
    CHECK(folds.mape < 0.08);
}

// Limits from issue 10, rounded up. These constants saw these rows; their errors on others are
// tested below.
TEST_CASE("step times of stacks of today stay within their limits") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    CHECK(errors(*all, "llm_foundry_a100_40.csv", "composer").mape < 0.05);
    CHECK(errors(*all, "jax_h100_odd.csv", "maxtext").mape < 0.06);
    CHECK(errors(*all, "bigscience_a100_early.csv", "megatron-deepspeed-bloom").mape < 0.05);
    CHECK(errors(*all, "torchtitan_part.csv", "torchtitan").mape < 0.10);
    CHECK(errors(*all, "torchtitan_part.csv", "torchtitan-async-tp").mape < 0.07);
    std::vector<Prediction> mixtures;
    std::vector<Prediction> dense; // in fp8
    for (const ValidatedRow& row : all->rows)
        if (row.file == "megatron_bridge_gb200.csv" && row.profile == "megatron-core-h100" &&
            row.predicted && row.asked)
            (row.asked->is_mixture ? mixtures : dense).push_back({*row.predicted, row.measured});
    CHECK(mixtures.size() == 5);
    CHECK(error_statistics(mixtures).mape < 0.07);
    CHECK(dense.size() == 3);
    CHECK(error_statistics(dense).mape < 0.13);
    // NVFP4 and fp8 on Blackwell, and fp8 on H200: these constants never saw them.
    CHECK(errors(*all, "mlperf_v51_third.csv", "megatron-core-h100").mape < 0.06);
}

/// Mean absolute error of the profile on rows of these files with the text in their framework.
double error_elsewhere(const char* profile,
                       const std::vector<std::pair<const char*, const char*>>& rows) {
    static const Catalogue gpus = builtin_catalogue();
    const KnownWorld world{gpus, builtin_architectures(), builtin_stacks()};
    const StackProfile& constants = *builtin_stacks().find(profile);
    std::vector<Prediction> predictions;
    for (const auto& [name, framework] : rows) {
        const MeasurementFile file =
            read_measurement_file((*test::shared_data("validation") / name).string());
        for (const MeasurementRow& row : file.rows) {
            if (file.text(row, "framework").find(framework) == std::string_view::npos)
                continue;
            const TrainingCase one = training_case(training_measurement(file, row), world);
            if (one.job.model.experts) // megatron-core-h100 saw them
                continue;
            predictions.push_back({modelled_time(one.job, one.cluster, one.part, constants).count(),
                                   one.speed->step().count()});
        }
    }
    return error_statistics(predictions).mape;
}

TEST_CASE("a profile's held-out error equals its error on other sources") {
    if (!test::shared_data("validation"))
        return;
    using Rows = std::vector<std::pair<const char*, const char*>>;
    const std::vector<std::pair<const char*, Rows>> elsewhere{
        {"megatron-core-h100",
         {{"transformer_published.csv", "Megatron-Core"}, {"megatron_bridge_gb200.csv", ""}}},
        {"megatron-deepspeed-2022", {{"bigscience_a100_early.csv", ""}}},
        {"megatron-deepspeed-bloom", {{"vtrain_multinode_a100.csv", ""}}},
        {"megatron-lm-2021", {{"v100_gpt_oneflow_megatron.csv", ""}}},
        {"fsdp-flash", {{"llm_foundry_a100_40.csv", ""}}},
        {"torchtitan",
         {{"torch_compile_b200.csv", ""},
          {"llm_foundry_a100_40.csv", ""},
          {"jax_h100_odd.csv", ""}}},
        {"composer",
         {{"transformer_published.csv", "flash-attn"},
          {"transformer_published.csv", "Liger"},
          {"torchtitan_part.csv", ""},
          {"jax_h100_odd.csv", ""}}}};
    for (const auto& [profile, rows] : elsewhere) {
        CAPTURE(profile);
        CHECK(builtin_stacks().find(profile)->held_out_error.value_or(0) ==
              doctest::Approx(error_elsewhere(profile, rows)).epsilon(0.05));
    }
}

TEST_CASE("published Megatron rows stay within their limit, jointly and by unseen source") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    for (const char* framework : {"Megatron-LM 2020", "Megatron-LM 2021", "Megatron-LM 2022"}) {
        CAPTURE(framework);
        const auto group = [&](const char* profile) {
            return *std::ranges::find_if(all->groups, [&](const ValidationGroup& candidate) {
                return candidate.framework == framework && candidate.profile == profile;
            });
        };
        CHECK(group("refit jointly").error.mape < 0.05);
        CHECK(is_tuned(group("refit jointly").tuning));
        CHECK(group("refit without this source").error.mape < 0.08);
        CHECK_FALSE(is_tuned(group("refit without this source").tuning));
    }
}

TEST_CASE("collectives between measured sizes stay within their limit") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    const ErrorStatistics curves =
        errors(*all, "collectives.csv", "measured curve, alternate sizes");
    CHECK(curves.n == 110);
    CHECK(curves.mean_log_error < 0.05);
}

TEST_CASE("memory: closed forms are exact, errors of measurements are within limits") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    for (const ValidationGroup& group : all->groups) {
        if (group.file != "memory.csv")
            continue;
        CAPTURE(group.quantity);
        const bool exact = group.quantity == "activations per GPU" ||
                           group.quantity == "params+grads+optimizer per GPU";
        CHECK(group.error.n == group.n);
        CHECK(group.error.mape < (exact ? 1e-9 : 0.12));
    }
    for (const ValidationGroup& group : all->groups) {
        if (group.quantity != "mem_gb" || is_new_source(group.file))
            continue;
        CAPTURE(group.framework);
        CHECK(group.error.mape < 0.12);
    }
}

TEST_CASE("throughput of an unseen GPU stays within its limit on every GPU") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    std::size_t gpus = 0;
    for (const ValidationGroup& group : all->groups) {
        if (group.file != "lambda_throughput.csv")
            continue;
        CAPTURE(group.gpu);
        CHECK(group.error.n == group.n);
        CHECK(group.error.mape <= 0.20);
        ++gpus;
    }
    CHECK(gpus == 8);
}

TEST_CASE("the model beats one utilisation for a whole file") {
    const Validation* all = published();
    if (all == nullptr)
        return;
    std::size_t held = 0;
    for (const BaselineGuess& guess : all->baselines) {
        CAPTURE(guess.file);
        if (is_slow_machine(guess.file))
            continue;
        CHECK(guess.model.mape < guess.guess.mape);
        ++held;
    }
    CHECK(held == 8);
}

} // namespace bursar::validate_measurements_test
