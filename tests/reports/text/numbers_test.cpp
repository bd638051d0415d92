#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar::numbers_test {
namespace {

std::string instant_text(std::optional<std::int64_t> zero, Duration time) {
    StringSink sink;
    InstantWriter{zero}.put(sink, time);
    return sink.text();
}

} // namespace

TEST_CASE("a sink formats numbers as text") {
    StringSink sink;
    sink.put_micro(-1'500'000);
    sink.put(' ');
    sink.put_number(0.1);
    CHECK(sink.text() == micro_text(-1'500'000) + " " + number_text(0.1));
    CHECK(number_text(0.1) == "0.1");
    CHECK(hash_text(0xabc0) == "000000000000abc0");
}

TEST_CASE("millionths print as the shortest exact decimal") {
    CHECK(micro_text(0) == "0");
    CHECK(micro_text(1) == "0.000001");
    CHECK(micro_text(-1'500'000) == "-1.5");
    CHECK(micro_text(1'000'010) == "1.00001");
    CHECK(micro_text(int128{1} << 100) == "1267650600228229401496703.205376");
    CHECK(rc::check("the digits of the number, with a point", [](std::int64_t n, bool is_large) {
        const int128 micro = is_large ? int128{n} * 1'000'003 : n;
        std::string digits = integer_text(micro < 0 ? -micro : micro);
        if (digits.size() < 7)
            digits.insert(0, 7 - digits.size(), '0');
        digits.insert(digits.size() - 6, ".");
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.')
            digits.pop_back();
        RC_ASSERT(micro_text(micro) == (micro < 0 ? "-" : "") + digits);
    }));
}

TEST_CASE("128-bit numbers read back") {
    CHECK(integer_text(-(int128{1} << 126)) == "-85070591730234615865843651857942052864");
    CHECK(
        rc::check("parse_integer(integer_text(n)) == n", [](std::int64_t high, std::uint64_t low) {
            const int128 value = (int128{high} << 60) + low % 1'000'000;
            RC_ASSERT(parse_integer(integer_text(value)) == value);
        }));
    for (const char* wrong : {"", "-", "1.0", "+1", "1e3", " 1", "0x1"})
        CHECK_FALSE(parse_integer(wrong));
    CHECK_FALSE(parse_integer(std::string(39, '1')));
}

TEST_CASE("rounding is half up") {
    CHECK(divide_half_up(5, 10) == 1);
    CHECK(divide_half_up(4, 10) == 0);
    CHECK(divide_half_up(-5, 10) == -1);
    CHECK(divide_half_up(7, 7) == 1);
    CHECK(divide_half_up(3, 2) == 2);
    const int128 past_64_bits = int128{1} << 70;
    CHECK(divide_half_up(past_64_bits + 1, past_64_bits * 2) == 1);
    CHECK(divide_half_up(past_64_bits - 1, past_64_bits * 2) == 0);
    CHECK(rc::check("alike in 64 and 128 bits", [](std::int64_t a) {
        const std::int64_t b = *rc::gen::positive<std::int64_t>();
        RC_ASSERT(divide_half_up(a, b) == divide_half_up_as(int128{a}, int128{b}));
    }));
}

TEST_CASE("figures for people group thousands") {
    CHECK(grouped_text(123'456'789, 2) == "1,234,567.89");
    CHECK(grouped_text(5, 2) == "0.05");
    CHECK(grouped_text(-100'000, 1) == "-10,000.0");
    CHECK(grouped_text(999, 0) == "999");
}

TEST_CASE("instants are UTC dates or seconds since the zero") {
    CHECK(instant_text(1'506'902'515'000, Duration{}) == "2017-10-02T00:01:55Z");
    CHECK(instant_text(0, Duration{951'782'400'007}) == "2000-02-29T00:00:00.007Z");
    CHECK(instant_text(-1, Duration{}) == "1969-12-31T23:59:59.999Z");
    CHECK(instant_text(253'402'300'799'999, Duration{1}) == "10000-01-01T00:00:00Z");
    CHECK(instant_text(-62'135'596'800'000, Duration{}) == "0001-01-01T00:00:00Z");
    CHECK(instant_text(std::nullopt, Duration{1'250}) == "1.25");
}

TEST_CASE("spans for people have two or three digits") {
    CHECK(span_text(Duration{}) == "0 s");
    CHECK(span_text(Duration{350}) == "350 ms");
    CHECK(span_text(1500 * millisecond) == "1.5 s");
    CHECK(span_text(22 * minute) == "22 min");
    CHECK(span_text(306 * minute) == "5.1 h");
    CHECK(span_text(60 * day) == "60 d");
}

TEST_CASE("a sink passes everything on, in order, for any sizes") {
    CHECK(rc::check("text in, text out", [](const std::vector<std::string>& texts) {
        StringSink sink;
        std::string expected;
        for (int round = 0; round < 300; ++round) {
            for (const std::string& text : texts) {
                sink.put(text);
                sink.put_integer(round);
                expected += text + std::to_string(round);
            }
        }
        sink.put(std::string(200'000, 'x'));
        RC_ASSERT(sink.text() == expected + std::string(200'000, 'x'));
    }));
}

} // namespace bursar::numbers_test
