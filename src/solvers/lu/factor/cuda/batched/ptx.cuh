// ptx - two instructions that C++ does not reach.
#pragma once

namespace wale::lu::batched {

/// to -= x * y where `there`, as one predicated instruction: what a finished row would compute from an
/// infinity or a NaN must not reach it.
__device__ inline void subtract_where(bool there, float& to, float x, float y) {
    asm("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %3, 0;\n\t@p fma.rn.f32 %0, %1, %2, %0;\n\t}"
        : "+f"(to)
        : "f"(-x), "f"(y), "r"(static_cast<int>(there)));
}

/// 1 / x, correctly rounded, for magnitudes from FLT_MIN to below 2^126: the hardware's guess and one Newton
/// step, as the compiler's own division does behind its check of that range.
__device__ inline float reciprocal_of_ordinary(float x) {
    float guess;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(x));
    return fma(guess, fma(-x, guess, 1.0f), guess);
}

}  // namespace wale::lu::batched
