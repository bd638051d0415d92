#pragma once

#include <string>
#include <string_view>

namespace bursar {

/// The path of a file of this checkout, named from its root. One object of a test program knows
/// where the checkout is (places.cpp.in), so that a compiler cache serves other clones with the
/// rest.
std::string source_file(std::string_view relative);

/// The program that the build made, for the tests of the command line.
std::string program_file();

} // namespace bursar
