// npy_header - the literal {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and nothing else.
#include "io/npy_header.hpp"

#include <charconv>

#include "base/checked.hpp"
#include "io/escape.hpp"

namespace wale::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr index_t most_header_bytes = 1 << 16;
constexpr index_t header_alignment = 64;

class header_parser {
public:
    header_parser(const image_input& in, std::string_view text) : in_(in), text_(text) {}

    npy_header parse() {
        npy_header h;
        expect('{');
        while (!accept('}')) {
            field(h);
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        blanks();
        if (at_ != text_.size()) refuse("text after the header's '}'");
        if (!has_element_ || !has_order_ || !has_shape_)
            in_.refuse("damaged NPY: the header lacks descr, fortran_order or shape");
        return h;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        in_.refuse("damaged NPY: " + what + " at byte " + std::to_string(at_) + " of its header");
    }
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool accept(char c) {
        blanks();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c))
            refuse((at_ < text_.size() ? shown(text_[at_]) : "end") + std::string(", expected '") + c + "'");
    }
    std::string quoted() {
        blanks();
        const char quote = at_ < text_.size() ? text_[at_] : ' ';
        if (quote != '\'' && quote != '"') refuse("no quoted text");
        const std::size_t end = text_.find(quote, ++at_);
        if (end == std::string_view::npos) refuse("text without its closing quote");
        const std::string_view inside = text_.substr(at_, end - at_);
        at_ = end + 1;
        return std::string(inside);
    }
    bool truth() {
        blanks();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (!text_.substr(at_).starts_with(word)) continue;
            at_ += word.size();
            return value;
        }
        refuse("neither True nor False");
    }
    index_t extent() {
        blanks();
        index_t value = 0;
        const char* begin = text_.data() + at_;
        const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (code != std::errc() || value < 0) refuse("no extent of 0 to 2^63");
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }
    std::vector<index_t> extents() {
        std::vector<index_t> shape;
        expect('(');
        while (!accept(')')) {
            shape.push_back(extent());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return shape;
    }
    void field(npy_header& h) {
        const std::string key = quoted();
        expect(':');
        bool* seen = key == "descr"           ? &has_element_
                     : key == "fortran_order" ? &has_order_
                     : key == "shape"         ? &has_shape_
                                              : nullptr;
        if (seen == nullptr || *seen) refuse("key '" + escaped(key) + "'");
        *seen = true;
        if (key == "descr") {
            if (accept('[')) in_.refuse("an array of records, expected one of numbers");
            h.element = quoted();
        } else if (key == "fortran_order") {
            h.fortran = truth();
        } else {
            h.shape = extents();
        }
    }

    const image_input& in_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool has_element_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

npy_header read_npy_header(const image_input& in) {
    unsigned char head[12] = {};
    in.read(0, head, 8);
    const int version = head[6];
    if (version < 1 || version > 3 || head[7] != 0)
        in.refuse("NPY of version " + std::to_string(version) + "." + std::to_string(head[7]) +
                  ", expected 1.0, 2.0 or 3.0");
    const index_t start = version == 1 ? 10 : 12;
    in.read(8, head + 8, start - 8);
    index_t length = head[8] + 256 * index_t{head[9]};
    if (version > 1) length += 65536 * (head[10] + 256 * index_t{head[11]});
    if (length > most_header_bytes)
        in.refuse("damaged NPY: a header of " + std::to_string(length) + " bytes, expected at most " +
                  std::to_string(most_header_bytes));
    std::string text(static_cast<std::size_t>(length), ' ');
    in.read(start, text.data(), length);
    npy_header h = header_parser(in, text).parse();
    h.data = start + length;
    return h;
}

std::string npy_preamble(std::string_view element, bool fortran, const std::vector<index_t>& shape) {
    std::string extents;
    for (const index_t extent : shape) extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    if (shape.size() == 1) extents += ',';
    std::string text = "{'descr': '" + std::string(element) +
                       "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" + extents +
                       "), }";
    const index_t fixed = std::ssize(magic) + 4;
    const index_t whole = base::round_up(fixed + std::ssize(text) + 1, header_alignment);
    text.append(static_cast<std::size_t>(whole - fixed - std::ssize(text) - 1), ' ');
    text += '\n';
    const char sizes[4] = {1, 0, static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
    return std::string(magic) + std::string(sizes, sizeof sizes) + text;
}

}  // namespace wale::io
