#pragma once

// tools/mutants includes this file in its copy of tests/main.cpp.

#include <chrono>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "tests/mutants/mutant.hpp"

namespace bursar_mutant {

/// Writes a line for each test case to the file that BURSAR_MUTANT_TRACE names: the seconds that it
/// took, whether it passed, the mutants that it reached, its name.
class Listener : public doctest::IReporter {
  public:
    explicit Listener(const doctest::ContextOptions&) {
        if (const char* name = std::getenv("BURSAR_MUTANT_TRACE"))
            out_.open(name);
    }
    void test_case_start(const doctest::TestCaseData& test) override {
        name_ = test.m_name;
        state().reached = {};
        begin_ = std::chrono::steady_clock::now();
    }
    void test_case_end(const doctest::CurrentTestCaseStats& end) override {
        if (!out_)
            return;
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
        out_ << took.count() << '\t' << end.testCaseSuccess << '\t';
        for (int number = 0; number < max_mutants; ++number)
            if (state().reached[static_cast<std::size_t>(number)])
                out_ << number << ' ';
        out_ << '\t' << name_ << std::endl;
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

  private:
    std::ofstream out_;
    std::string name_;
    std::chrono::steady_clock::time_point begin_;
};

REGISTER_LISTENER("mutants", 1, Listener);

} // namespace bursar_mutant
