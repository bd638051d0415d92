#include "tools/batch/outcome_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace bursar { inline namespace tools {
namespace {

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error{errno, std::generic_category(), path};
}

int opened(const std::string& path) {
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); // less the umask
    if (descriptor < 0)
        fail(path);
    return descriptor;
}

void write_to(int descriptor, const std::string& text, const std::string& path) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t more = ::write(descriptor, text.data() + done, text.size() - done);
        if (more < 0 && errno != EINTR)
            fail(path);
        done += more > 0 ? static_cast<std::size_t>(more) : 0;
    }
}

std::string part_of(const std::string& path) {
    return path + ".part";
}

/// The target of a link; else the path.
std::string behind_links(const std::string& path) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    return error ? path : real.string();
}

/// Whether it exists and cannot be replaced: a pipe, a device.
bool is_no_file(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
}

void replace(const std::string& path, const std::string& text) {
    const std::string next = path + ".next";
    const int descriptor = opened(next);
    try {
        write_to(descriptor, text, next);
        if (::fsync(descriptor) != 0)
            fail(next);
    } catch (...) {
        ::close(descriptor);
        ::unlink(next.c_str());
        throw;
    }
    ::close(descriptor);
    if (std::rename(next.c_str(), path.c_str()) != 0)
        fail(path);
}

/// `text` with bytes that are neither printable ASCII nor a line feed as \xNN.
std::string printable_lines(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n' || (byte >= 0x20 && byte < 0x7F))
            out += c;
        else
            out.append("\\x").append(1, digits[byte >> 4U]).append(1, digits[byte & 0xFU]);
    }
    return out;
}

} // namespace

void write_standard_output(const std::string& text) {
    write_to(STDOUT_FILENO,
             ::isatty(STDOUT_FILENO) == 1 ? printable_lines(text) : text,
             "standard output");
}

void write_error_line(const std::string& line) {
    std::fprintf(stderr, "%s\n", printable_lines(line).c_str());
}

void write_whole_file(const std::string& path, const std::string& text) {
    const std::string real = behind_links(path);
    if (!is_no_file(real))
        return replace(real, text);
    const int descriptor = opened(real);
    try {
        write_to(descriptor, text, path);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    ::close(descriptor);
}

OutcomeFile::OutcomeFile(const std::string& path) : path_{behind_links(path)} {
    if (!path_.empty() && !is_no_file(path_))
        descriptor_ = opened(part_of(path_));
}

OutcomeFile::~OutcomeFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void OutcomeFile::add(const std::string& row) {
    if (descriptor_ >= 0)
        write_to(descriptor_, row, part_of(path_));
}

void OutcomeFile::finish(const std::vector<std::string>& rows) {
    std::string text;
    for (const std::string& row : rows)
        text += row;
    if (path_.empty()) {
        write_standard_output(text);
        return;
    }
    write_whole_file(path_, text);
    if (descriptor_ >= 0)
        ::unlink(part_of(path_).c_str());
}

}} // namespace bursar::tools
