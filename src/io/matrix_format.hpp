// matrix_format - what the readers and writers of matrices share.
#pragma once

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

/// Element i of a matrix's memory becomes v; rounds to float32 where that is the type.
class element_writer {
public:
    explicit element_writer(matrix_file_data& data) : data_(data.elements.data()), type_(data.shape.type) {}
    void set(index_t i, double v) const {
        if (type_ == scalar::f32)
            static_cast<float*>(data_)[i] = static_cast<float>(v);
        else
            static_cast<double*>(data_)[i] = v;
    }

private:
    void* data_;
    scalar type_;
};
/// Element (i, j) of a matrix of either type.
[[nodiscard]] double element_at(const const_matrices& m, index_t i, index_t j);

[[nodiscard]] bool is_matrix_market(std::string_view head);
[[nodiscard]] bool is_matrix_npy(std::string_view head);
[[nodiscard]] bool is_rodinia(std::string_view head);

[[nodiscard]] matrix_file_data read_matrix_market(const matrix_input& in);
[[nodiscard]] matrix_file_data read_matrix_npy(const matrix_input& in);
[[nodiscard]] matrix_file_data read_rodinia(const matrix_input& in);

void write_matrix_market(const const_matrices& m, const matrix_sink& sink);
void write_matrix_npy(const const_matrices& m, const matrix_sink& sink);
void write_rodinia(const const_matrices& m, const matrix_sink& sink);

[[nodiscard]] matrix_file_data read_any_matrix(const matrix_input& in);
/// Writes to a sink: checked as by write_matrix().
void write_any_matrix(matrix_format format, const const_matrices& m, const matrix_sink& sink);

/// The shortest text that reads as the same number of its type.
void append_number(std::string& text, double v, scalar type);
[[nodiscard]] std::string number_text(double v, scalar type);

}  // namespace wale::io
