// least_squares - the small problem of GMRES for one right-hand side: min |beta e1 - H y|, H upper
// Hessenberg, kept triangular by Givens rotations as its columns come (Saad and Schultz 1986).
#pragma once

#include <cmath>
#include <vector>

namespace wale::lu {

class least_squares {
public:
    explicit least_squares(double beta) : right_{beta} {}

    /// h: the next column of H, as many entries as columns so far, and one below.
    void add_column(std::vector<double> h) {
        const std::size_t k = rotations_.size();
        for (std::size_t i = 0; i < k; ++i) rotations_[i].turn(h[i], h[i + 1]);
        const double length = std::hypot(h[k], h[k + 1]);
        rotation r;
        if (length > 0) r = {h[k] / length, h[k + 1] / length};
        r.turn(h[k], h[k + 1]);
        right_.push_back(0);
        r.turn(right_[k], right_[k + 1]);
        h.resize(k + 1);
        columns_.push_back(h);
        rotations_.push_back(r);
    }
    [[nodiscard]] double residual() const { return std::fabs(right_.back()); }
    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    [[nodiscard]] std::vector<double> solution() const {
        std::vector<double> y(right_.begin(), right_.end() - 1);
        for (std::size_t i = y.size(); i-- > 0;) {
            y[i] = columns_[i][i] == 0 ? 0 : y[i] / columns_[i][i];
            for (std::size_t t = 0; t < i; ++t) y[t] -= columns_[i][t] * y[i];
        }
        return y;
    }

private:
    struct rotation {
        double c = 1, s = 0;
        void turn(double& a, double& b) const {
            const double upper = c * a + s * b;
            b = c * b - s * a;
            a = upper;
        }
    };
    std::vector<std::vector<double>> columns_;
    std::vector<rotation> rotations_;
    std::vector<double> right_;
};

}  // namespace wale::lu
