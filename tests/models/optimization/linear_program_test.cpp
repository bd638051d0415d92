#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "models/optimization/linear_program.hpp"

namespace bursar::test::linear_program_test {

TEST_CASE("the best point of a small program, by hand") {
    LinearProgram program{2};
    program.maximise(0, 3);
    program.maximise(1, 2);
    program.add_row({{0, 1}, {1, 1}}, 4);
    program.add_row({{0, 1}}, 3);
    const std::vector<double> x = program.solve().x;
    REQUIRE(x.size() == 2);
    CHECK(x[0] == doctest::Approx(3).epsilon(1e-4));
    CHECK(x[1] == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("among equally good points the one inside: equal variables get equal values") {
    LinearProgram program{3};
    for (std::size_t variable = 0; variable < 3; ++variable)
        program.maximise(variable);
    program.add_row({{0, 1}, {1, 1}, {2, 1}}, 6);
    const std::vector<double> x = program.solve().x;
    REQUIRE(x.size() == 3);
    for (const double each : x)
        CHECK(each == doctest::Approx(2).epsilon(1e-3));
}

namespace {

std::atomic<int> num_interrupts{0};

/// As of 200 jobs on 3 pools, some milliseconds of work.
LinearProgram large_program() {
    LinearProgram program{600};
    for (std::size_t variable = 0; variable < 600; ++variable)
        program.maximise(variable, 1.0 + 0.001 * static_cast<double>(variable % 7));
    for (std::size_t pool = 0; pool < 3; ++pool) {
        std::vector<LinearProgram::Term> held;
        for (std::size_t job = 0; job < 200; ++job)
            held.push_back({job * 3 + pool, 1.0});
        program.add_row(held, 20);
    }
    for (std::size_t job = 0; job < 200; ++job)
        program.add_row({{job * 3, 1}, {job * 3 + 1, 1}, {job * 3 + 2, 1}}, 1);
    return program;
}

} // namespace

TEST_CASE("an interrupt while a program is solved reaches its handler") {
    struct sigaction before {};
    struct sigaction counts {};
    counts.sa_handler = [](int) { ++num_interrupts; };
    REQUIRE(sigaction(SIGINT, &counts, &before) == 0);
    num_interrupts = 0;
    constexpr int num_sent = 30;
    std::atomic<bool> is_over{false};
    std::jthread sender{[&] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
        for (int sent = 0; sent < num_sent; ++sent) {
            kill(getpid(), SIGINT);
            while (num_interrupts <= sent && std::chrono::steady_clock::now() < end)
                std::this_thread::yield();
        }
        is_over = true;
    }};
    const LinearProgram program = large_program();
    while (!is_over)
        CHECK(program.solve().x.size() == 600);
    sender.join();
    REQUIRE(sigaction(SIGINT, &before, nullptr) == 0);
    CHECK(num_interrupts == num_sent);
}

namespace {

/// The highest level of speed of some jobs with shares of three pools, as allocators ask for it.
/// Not all jobs can use all pools, and some pools have no GPUs.
LinearProgram random_shares(std::uint32_t seed) {
    std::mt19937 random{seed};
    const auto draw = [&](std::size_t most) { return random() % (most + 1); };
    constexpr std::size_t pools = 3;
    const std::size_t jobs = 1 + draw(29);
    LinearProgram program{jobs * (pools + 1)};
    std::vector<double> speed(jobs * pools);
    for (double& each : speed)
        each = draw(3) == 0 ? 0.0 : static_cast<double>(1 + draw(999)) * (draw(2) == 0 ? 30 : 1);
    for (std::size_t pool = 0; pool < pools; ++pool) {
        std::vector<LinearProgram::Term> held;
        for (std::size_t job = 0; job < jobs; ++job)
            held.push_back({job * pools + pool, draw(3) == 0 ? 0.25 : 8.0});
        program.add_row(held, static_cast<double>(draw(16)));
    }
    for (std::size_t job = 0; job < jobs; ++job) {
        std::vector<LinearProgram::Term> whole;
        std::vector<LinearProgram::Term> work{{jobs * pools + job, draw(5) == 0 ? 1e-1 : 1e3}};
        for (std::size_t at = job * pools; at < (job + 1) * pools; ++at) {
            whole.push_back({at, 1.0});
            work.push_back({at, -speed[at]});
            if (speed[at] == 0)
                program.add_row({{at, 1.0}}, 0.0);
        }
        program.add_row(whole, 1.0);
        program.add_row(work, 0.0);
        if (job > 0)
            program.add_row({{jobs * pools + job, 1.0}, {jobs * pools + job - 1, -1.0}}, 0.0);
    }
    program.maximise(jobs * pools + jobs - 1);
    return program;
}

} // namespace

TEST_CASE("a bounded program that x = 0 satisfies has a solution") {
    // The simplex method found none for these two where the barrier method had ended.
    std::vector<std::uint32_t> seeds{13153, 95694};
    for (std::uint32_t seed = 0; seed < 300; ++seed)
        seeds.push_back(seed);
    for (const std::uint32_t seed : seeds) {
        CAPTURE(seed);
        CHECK(!random_shares(seed).solve().x.empty());
    }
}

namespace {

/// The highest level of 500 jobs of 1 to 8 GPUs on three pools of 600, in multiples of an equal
/// share, as max-min asks for it: a copy of the level for each job, at most that of the one before.
LinearProgram shares_of_500_jobs() {
    constexpr std::size_t jobs = 500;
    constexpr std::size_t pools = 3;
    constexpr double gpus_of_pool[pools]{100, 200, 300};
    std::mt19937 random{1};
    LinearProgram program{jobs * (pools + 1)};
    std::vector<std::vector<LinearProgram::Term>> held(pools);
    for (std::size_t job = 0; job < jobs; ++job) {
        const double gpus = 1U << random() % 4;
        const double speeds[pools]{1.0,
                                   0.2 + 0.006 * static_cast<double>(random() % 100),
                                   0.05 + 0.003 * static_cast<double>(random() % 100)};
        std::vector<LinearProgram::Term> whole;
        std::vector<LinearProgram::Term> work{{jobs * pools + job, 0.0}};
        for (std::size_t pool = 0; pool < pools; ++pool) {
            held[pool].push_back({job * pools + pool, gpus});
            whole.push_back({job * pools + pool, 1.0});
            work.push_back({job * pools + pool, -speeds[pool]});
            work[0].factor += speeds[pool] * gpus_of_pool[pool] / jobs / gpus;
        }
        program.add_row(whole, 1.0);
        program.add_row(work, 0.0);
        if (job > 0)
            program.add_row({{jobs * pools + job, 1.0}, {jobs * pools + job - 1, -1.0}}, 0.0);
    }
    for (std::size_t pool = 0; pool < pools; ++pool)
        program.add_row(held[pool], gpus_of_pool[pool]);
    program.maximise(jobs * (pools + 1) - 1);
    return program;
}

/// Of this process.
double cpu_ms() {
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

TEST_CASE("a program of 500 jobs on three pools takes less than 50 ms") {
    const LinearProgram program = shares_of_500_jobs();
    double least_ms = 1e9;
    LinearProgram::Solution solution;
    for (int i = 0; i < 5; ++i) {
        const double begin_ms = cpu_ms();
        solution = program.solve();
        least_ms = std::min(least_ms, cpu_ms() - begin_ms);
    }
    CHECK(!solution.is_corner);
    CHECK(solution.x.back() == doctest::Approx(program.solve_at_corner().x.back()).epsilon(1e-4));
    CHECK(least_ms < 50);
}

TEST_CASE("a sum over variables that a row holds at 0 is solved at a corner") {
    LinearProgram program{3};
    for (std::size_t variable = 0; variable < 3; ++variable)
        program.maximise(variable, 1.0 + static_cast<double>(variable));
    program.add_row({{2, 1}}, 0);
    program.add_row({{0, 1}, {1, 1}, {2, 1}}, 2);
    const LinearProgram::Solution solution = program.solve_at_corner();
    CHECK(solution.is_corner);
    REQUIRE(solution.x.size() == 3);
    CHECK(solution.x[0] == doctest::Approx(0));
    CHECK(solution.x[1] == doctest::Approx(2));
    CHECK(solution.x[2] == doctest::Approx(0));
}

TEST_CASE("a program that nothing satisfies has no solution") {
    LinearProgram program{1};
    program.maximise(0);
    program.add_row({{0, 1}}, 1);
    program.add_row({{0, -1}}, -2);
    CHECK(program.solve().x.empty());
}

} // namespace bursar::test::linear_program_test
