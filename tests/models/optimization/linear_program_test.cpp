#include <atomic>
#include <chrono>
#include <csignal>
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

TEST_CASE("a program that nothing satisfies has no solution") {
    LinearProgram program{1};
    program.maximise(0);
    program.add_row({{0, 1}}, 1);
    program.add_row({{0, -1}}, -2);
    CHECK(program.solve().x.empty());
}

} // namespace bursar::test::linear_program_test
