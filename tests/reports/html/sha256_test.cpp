#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "reports/html/sha256.hpp"

namespace bursar::sha256_test {
namespace {

std::string hex(const std::string& text) {
    std::string out;
    for (const std::uint8_t byte : sha256(text))
        out += fmt::format("{:02x}", byte);
    return out;
}

} // namespace

TEST_CASE("SHA-256 agrees with FIPS 180-4") {
    CHECK(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a policy names a style or a script by the base64 of its digest") {
    CHECK(content_hash_source("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

} // namespace bursar::sha256_test
