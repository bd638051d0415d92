#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan_file/plan_file.hpp"

#include "policies/choice/policy_members.hpp"
#include "policies/stored/stored_run.hpp"

#include "tests/contains.hpp"
#include "tests/plan_builder.hpp"

namespace bursar::test::stored_run_test {
namespace {

struct Parts {
    bool plan{true}, choice{true}, terms{true};
};

std::vector<std::byte>
file_of(const PolicyChoice& choice, const RunTerms& terms, const Parts& with = {}) {
    PlanFileWriter file;
    if (with.plan)
        add_plan(plan_of({{0, 10, 1}, {5, 10, 2}}, {pool_of(1, 4)}), file);
    if (with.choice)
        file.add_record(policy_section, choice);
    if (with.terms)
        file.add_record(terms_section, terms);
    return std::move(file).finish();
}

std::string refusal(const std::vector<std::byte>& bytes) {
    try {
        static_cast<void>(read_run(PlanFile{bytes}, "1.2"));
    } catch (const BadPlan& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a run is read back as it was stored") {
    RunTerms terms{"1.2", Duration{7'000}, true, false, {"its budgets act on the run"}};
    const std::vector<std::byte> bytes = file_of({.queue = "las", .seed = 4}, terms);
    const StoredRun run = read_run(PlanFile{bytes}, "1.2");
    CHECK(run.choice == PolicyChoice{.queue = "las", .seed = 4});
    CHECK(run.plan.num_jobs() == 2);
    CHECK(run.terms.drawn_until == Duration{7'000});
    CHECK(run.terms.draws_world);
    CHECK_FALSE(run.terms.draws_prices);
    CHECK(run.terms.beyond == terms.beyond);
}

TEST_CASE("a file without a part of a run, or of another version, is refused") {
    const RunTerms terms{"1.2"};
    CHECK(refusal(file_of({}, terms)).empty());
    CHECK(contains(refusal(file_of({}, terms, {.plan = false})), "no plan"));
    CHECK(contains(refusal(file_of({}, terms, {.choice = false})), "without `policy`"));
    CHECK(contains(refusal(file_of({}, terms, {.terms = false})), "an older program"));
    CHECK(refusal(file_of({}, {"1.1"})) == "it was compiled by bursar 1.1, and this is bursar 1.2; "
                                           "compile the scenario again");
    CHECK(contains(refusal(file_of({.queue = "fastest"}, terms)), "unknown queue \"fastest\""));
}

} // namespace bursar::test::stored_run_test
