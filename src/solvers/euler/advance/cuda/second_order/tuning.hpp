// tuning - measured choices of cuda/second_order.
#pragma once

#include "tuning/override.hpp"

namespace wale::euler {

/// A block of `threads` takes a tile that aims at `own` cells of its own, and `blocks` of them share a
/// multiprocessor and its memory. Where `face_threads` is not 0, gradients are a kernel of their own, so that
/// none is found twice, and fluxes another, whose blocks have `face_threads`: states at faces then pass
/// through device memory, and each kernel needs so little shared memory that more than `blocks` fit.
struct second_order_policy {
    int threads, blocks, own, face_threads;
};
inline constexpr tuning::row<second_order_policy> second_order_policies[] = {
    {90, 4, {384, 2, 480, 0}, "untuned"},
    {90, 8, {256, 1, 480, 256}, "untuned"},
    {0, 0, {192, 1, 100, 0}, "untuned"},
};
static_assert(tuning::well_formed(second_order_policies));

/// The same of each of several devices: gradients are no kernel of their own, as their values would have to
/// travel.
inline constexpr tuning::row<second_order_policy> shared_second_order_policies[] = {
    {90, 4, {512, 2, 480, 0}, "untuned"},
    {90, 8, {512, 1, 480, 0}, "untuned"},
    {0, 0, {192, 1, 100, 0}, "untuned"},
};
static_assert(tuning::well_formed(shared_second_order_policies));

/// The most threads of a multiprocessor, which bounds the registers of each: 64 of floats, also where 768
/// threads are all that run, and 128 of doubles.
template <class Real>
inline constexpr int second_order_threads = sizeof(Real) == 4 ? 1024 : 512;

}  // namespace wale::euler
