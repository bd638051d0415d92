#include <memory>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/bytes/read_ahead_source.hpp"

namespace bursar::read_ahead_source_test {
namespace {

/// Delivers `good` bytes, one at a time, then fails.
class FailingSource final : public ByteSource {
  public:
    explicit FailingSource(int good) : left_{good} {}

    std::size_t read(std::span<char> into) override {
        if (left_-- == 0)
            throw std::runtime_error{"worn out"};
        into[0] = 'x';
        return 1;
    }

  private:
    int left_;
};

} // namespace

TEST_CASE("the bytes come in order, also at block boundaries") {
    for (const std::size_t size : {0UL, 1UL, 131'071UL, 131'072UL, 131'073UL, 1'000'000UL}) {
        CAPTURE(size);
        std::string text(size, ' ');
        for (std::size_t i = 0; i < size; ++i)
            text[i] = static_cast<char>(i % 251);
        ReadAheadSource source{std::make_unique<MemorySource>(text)};
        std::string got(size + 1, '\0');
        got.resize(read_fully(source, got));
        CHECK(got == text);
        CHECK(source.read(got) == 0);
    }
}

TEST_CASE("an error of the source is thrown in the reader") {
    ReadAheadSource source{std::make_unique<FailingSource>(300'000)};
    std::string into(1'000'000, '\0');
    CHECK_THROWS_WITH_AS(read_fully(source, into), "worn out", std::runtime_error);
}

TEST_CASE("a source may be destroyed before its end") {
    const std::string text(10'000'000, 'x');
    for (const std::size_t taken : {0UL, 1UL, 200'000UL}) {
        ReadAheadSource source{std::make_unique<MemorySource>(text)};
        std::string into(taken, '\0');
        CHECK(read_fully(source, into) == taken);
    }
}

} // namespace bursar::read_ahead_source_test
