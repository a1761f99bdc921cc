// matrix_format - what the readers and writers of matrices share.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <string_view>
#include <wale/matrix_file.hpp>

#include "io/byte_source.hpp"
#include "io/text_numbers.hpp"

namespace wale::io {

struct matrix_input {
    const byte_source& bytes;
    std::string name;  // for messages, without control bytes
    const matrix_file_options& options;

    [[noreturn]] void refuse(const std::string& what) const;  // bad_input "name: what"
    /// Packed memory; refuses more than options.max_bytes and what is beyond 2^63. Uninitialised.
    [[nodiscard]] matrix_file_data allocate(scalar type, index_t rows, index_t columns, storage_order order,
                                            matrix_format format) const;
    [[nodiscard]] std::string all_text() const;
};

using matrix_sink = std::function<void(std::string_view)>;

/// Any element, of a real matrix without an imaginary part.
using element = std::complex<double>;
/// The type of the parts of a complex number; a real one's own.
[[nodiscard]] constexpr scalar part_of(scalar type) {
    return is_single(type) ? scalar::f32 : scalar::f64;
}

/// Element i of a matrix's memory becomes v; rounds to float32 where that is the type of its parts. A real
/// matrix takes real elements only.
class element_writer {
public:
    explicit element_writer(matrix_file_data& data) : data_(data.elements.data()), type_(data.shape.type) {}
    void set(index_t i, element v) const {
        const index_t at = is_complex(type_) ? 2 * i : i;
        put(at, v.real());
        if (is_complex(type_)) put(at + 1, v.imag());
    }

private:
    void put(index_t at, double v) const {
        if (is_single(type_))
            static_cast<float*>(data_)[at] = static_cast<float>(v);
        else
            static_cast<double*>(data_)[at] = v;
    }
    void* data_;
    scalar type_;
};
/// Element (i, j) of a matrix of any type.
[[nodiscard]] element element_at(const const_matrices& m, index_t i, index_t j);

[[nodiscard]] bool is_matrix_market(std::string_view head);
[[nodiscard]] bool is_matrix_npy(std::string_view head);
/// Of numbers in lines: a table, or Rodinia's text.
[[nodiscard]] bool is_numbers(std::string_view head);

[[nodiscard]] matrix_file_data read_matrix_market(const matrix_input& in);
[[nodiscard]] matrix_file_data read_matrix_npy(const matrix_input& in);
[[nodiscard]] matrix_file_data read_numbers(const matrix_input& in);
[[nodiscard]] matrix_file_data read_table(const matrix_input& in, std::string_view all);

void write_matrix_market(const const_matrices& m, const matrix_sink& sink);
void write_matrix_npy(const const_matrices& m, const matrix_sink& sink);
void write_rodinia(const const_matrices& m, const matrix_sink& sink);
void write_csv(const const_matrices& m, const matrix_sink& sink);
void write_text(const const_matrices& m, const matrix_sink& sink);

[[nodiscard]] matrix_file_data read_any_matrix(const matrix_input& in, const std::string& member);
/// Writes to a sink: checked as by write_matrix().
void write_any_matrix(matrix_format format, const const_matrices& m, const matrix_sink& sink);

/// The shortest text that reads as the same number of its type.
void append_number(std::string& text, double v, scalar type);
[[nodiscard]] std::string number_text(double v, scalar type);

}  // namespace wale::io
