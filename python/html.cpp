// html - what notebooks show of results.
#include <nanobind/stl/pair.h>

#include "bindings.hpp"

namespace wale::python {

void bind_html(nb::module_& m) {
    m.def(
        "html_table",
        [](nb::handle result, const std::vector<std::pair<std::string, std::string>>& fields) {
            std::vector<shown_field> shown;
            for (const auto& [name, text] : fields) shown.push_back({name.c_str(), text.c_str()});
            return html_table(result, shown);
        },
        nb::arg("result"), nb::arg("fields"));
}

namespace {

/// A value's text, of long ones the beginning: series have thousands of numbers.
std::string beginning(const nb::object& text) {
    constexpr Py_ssize_t longest = 60;  // characters
    if (PyUnicode_GetLength(text.ptr()) <= longest) return nb::cast<std::string>(text);
    return nb::cast<std::string>(text[nb::slice(nb::int_(0), nb::int_(longest), nb::int_(1))]) + " ...";
}

}  // namespace

std::string plain_fields(nb::handle result, const std::vector<shown_field>& fields) {
    std::string text = nb::cast<std::string>(result.type().attr("__name__")) + "(";
    for (const shown_field& f : fields) {
        const nb::object value = result.attr(f.name);
        const nb::object shown = nb::repr(value);
        const bool whole = nb::isinstance<nb::str>(value) || nb::hasattr(value, "_repr_html_");
        text += std::string(&f == fields.data() ? "" : ", ") + f.name + "=";
        text += whole ? nb::cast<std::string>(shown) : beginning(shown);
    }
    return text + ")";
}

std::string html_table(nb::handle result, const std::vector<shown_field>& fields) {
    const nb::object escape = nb::module_::import_("html").attr("escape");
    const auto escaped = [&escape](const nb::handle text) { return nb::cast<std::string>(escape(text)); };
    std::string table = "<table><caption>" + escaped(result.type().attr("__name__")) + "</caption>";
    for (const shown_field& f : fields) {
        const nb::object value = result.attr(f.name);
        table += "<tr><th>" + std::string(f.name) + "</th><td>";
        if (nb::hasattr(value, "_repr_html_")) {
            table += nb::cast<std::string>(value.attr("_repr_html_")());
        } else {
            table += escaped(nb::cast(beginning(nb::str(value))));
        }
        table += "</td><td>" + escaped(nb::str(f.text)) + "</td></tr>";
    }
    return table + "</table>";
}

}  // namespace wale::python
