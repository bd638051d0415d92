#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace bursar::test {

/// Rows of a CSV file whose cells before any quoted one are plain, by column name.
inline std::vector<std::map<std::string, std::string>>
read_rows(const std::filesystem::path& file) {
    std::ifstream in{file};
    const auto cells = [](const std::string& line) {
        std::vector<std::string> out;
        std::istringstream text{line};
        for (std::string cell; std::getline(text, cell, ',');)
            out.push_back(cell);
        return out;
    };
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> header = cells(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(in, line)) {
        std::map<std::string, std::string>& row = rows.emplace_back();
        const std::vector<std::string> values = cells(line);
        for (std::size_t i = 0; i < header.size() && i < values.size(); ++i)
            row[header[i]] = values[i];
    }
    return rows;
}

/// The whole numbers of a file with one a line, below its header.
inline std::vector<std::int64_t> read_numbers(const std::filesystem::path& file) {
    std::ifstream in{file};
    std::string header;
    std::getline(in, header);
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 0; in >> number;)
        numbers.push_back(number);
    return numbers;
}

/// "1234.0" seconds as milliseconds.
inline std::int64_t milliseconds(const std::string& seconds) {
    return static_cast<std::int64_t>(std::stod(seconds)) * 1000;
}

} // namespace bursar::test
