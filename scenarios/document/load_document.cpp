#include "scenarios/document/load_document.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/errors/in_quotes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

namespace fs = std::filesystem;

/// Limits the work of documents that include one another many times.
constexpr std::uint32_t max_files = 1000;

ScenarioError too_large(const std::string& path) {
    return ScenarioError{
        Finding{{path},
                {},
                "the document is too large",
                fmt::format("at most {} MiB with all that it includes", max_document_bytes >> 20),
                {}}};
}

std::string canonical(const std::string& path) {
    std::error_code ignored; // a file that does not exist is reported when it is opened
    return fs::weakly_canonical(path, ignored).string();
}

} // namespace

std::string resolved_path(std::string_view path, const Source& source) {
    return (fs::path{source.directory} / path).lexically_normal().string();
}

DocumentFacts document_facts(const std::string& path) {
    Findings findings;
    const Node root = DocumentLoader{findings}.load_file(path);
    findings.throw_if_any();
    return {canonical_hash(root), findings.files()};
}

Node merged(Node base, Node winner) {
    if (base.kind != NodeKind::mapping || winner.kind != NodeKind::mapping)
        return winner;
    // A base's repeated keys stay behind its first ones, so that they are still reported.
    for (Pair& pair : winner.pairs) {
        Node* mine = pair.repeated ? nullptr : base.find(pair.key.text);
        if (mine == nullptr) {
            base.pairs.push_back(std::move(pair));
        } else {
            *mine = merged(std::move(*mine), std::move(pair.value));
        }
    }
    base.source = winner.source;
    base.line = winner.line;
    base.column = winner.column;
    return base;
}

std::shared_ptr<const Source> DocumentLoader::next_source(const std::string& name,
                                                          std::string directory) {
    return std::make_shared<const Source>(
        Source{name, std::move(directory), num_sources_++, /*has_lines=*/true});
}

Node DocumentLoader::load_file(const std::string& path) {
    try {
        return read(path);
    } catch (const std::system_error& error) {
        findings_.add(
            num_sources_,
            ScenarioError{Finding{{path}, {}, "cannot read the file", error.code().message(), {}}});
    }
    return {};
}

Node DocumentLoader::load_text(std::string_view text, const std::string& name) {
    const std::shared_ptr<const Source> source =
        next_source(name, fs::path{name}.parent_path().string());
    if (text.size() > max_document_bytes) {
        findings_.add(source->order, too_large(name));
        return {};
    }
    num_bytes_ += text.size();
    return parse(text, source);
}

/// The bytes of a file, at most one more than the rest of this document's limit. Throws
/// std::system_error.
std::string DocumentLoader::read_bytes(const std::string& path) {
    if (fs::is_directory(path))
        throw std::system_error{std::make_error_code(std::errc::is_a_directory)};
    const std::size_t max_bytes = max_document_bytes - num_bytes_;
    errno = 0;
    std::ifstream in{path, std::ios::binary};
    std::string text;
    char block[1 << 16];
    while (in && text.size() <= max_bytes) {
        in.read(block, sizeof block);
        text.append(block, static_cast<std::size_t>(in.gcount()));
    }
    if (!in.eof() && text.size() <= max_bytes)
        throw std::system_error{errno, std::generic_category()};
    return text;
}

Node DocumentLoader::read(const std::string& path) {
    findings_.add_file(path);
    const std::string place = canonical(path);
    if (const auto known = known_.find(place); known != known_.end())
        return known->second;
    const std::string text = read_bytes(path);
    const std::shared_ptr<const Source> source =
        next_source(path, fs::path{path}.parent_path().string());
    if (text.size() > max_document_bytes - num_bytes_) {
        findings_.add(source->order, too_large(path));
        num_bytes_ = max_document_bytes; // nothing more is read
        return {};
    }
    num_bytes_ += text.size();
    open_files_.push_back(place);
    Node node = parse(text, source);
    open_files_.pop_back();
    return known_.emplace(place, std::move(node)).first->second;
}

Node DocumentLoader::parse(std::string_view text, const std::shared_ptr<const Source>& source) {
    try {
        return with_includes(parse_document(text, source));
    } catch (const ScenarioError& error) {
        findings_.add(source->order, error);
    }
    Node nothing;
    nothing.source = source;
    return nothing;
}

Node DocumentLoader::with_includes(Node node) {
    const Node* found = node.kind == NodeKind::mapping ? node.find("include") : nullptr;
    if (found == nullptr)
        return node;
    const Node include = *found;
    std::erase_if(node.pairs, [](const Pair& p) { return p.key.text == "include" && !p.repeated; });
    Node base;
    base.kind = NodeKind::mapping;
    if (include.kind == NodeKind::sequence)
        for (const Node& name : include.items)
            merge_included(base, name);
    else
        merge_included(base, include);
    return merged(std::move(base), std::move(node));
}

void DocumentLoader::merge_included(Node& base, const Node& name) {
    if (name.kind != NodeKind::scalar || name.text.empty() ||
        name.text.find('\0') != std::string::npos) {
        findings_.add(name,
                      {{},
                       "include",
                       shown(name) + " is not a file name",
                       "one file or a list of files",
                       {}});
        return;
    }
    const std::string path = resolved_path(name.text, *name.source);
    if (std::ranges::find(open_files_, canonical(path)) != open_files_.end()) {
        findings_.add(
            name,
            {{}, "include", in_quotes(name.text) + " includes itself", "through this file", {}});
        return;
    }
    if (num_sources_ >= max_files) {
        findings_.add(name,
                      {{}, "include", "too many files", fmt::format("at most {}", max_files), {}});
        return;
    }
    Node included;
    try {
        included = read(path);
    } catch (const std::system_error& error) {
        findings_.add(
            name, {{}, "include", "cannot read " + in_quotes(path), error.code().message(), {}});
    }
    if (included.kind == NodeKind::mapping)
        base = merged(std::move(base), std::move(included));
    else if (included.kind != NodeKind::null)
        findings_.add(
            included,
            {{}, {}, "expected a mapping, found " + shown(included), "an included file", {}});
}

}} // namespace bursar::scenarios
