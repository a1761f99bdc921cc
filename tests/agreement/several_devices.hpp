// several_devices - the fixture of tests that compute over several devices: {0, 0} is one device with two
// parts; {0, 1} where two devices are there.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>
#include <wale/execution.hpp>

#include "cuda/device_api.hpp"

namespace wale::agreement {

/// The devices that a test asks: each list, as far as the devices are there.
class SeveralDevices : public testing::TestWithParam<std::vector<int>> {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
        for (const int device : GetParam())
            if (device >= cuda::require().device_count()) GTEST_SKIP() << "no device " << device;
        many.devices = GetParam();
    }
    on_cuda many;
    const on_cpu cpu{};
};

[[nodiscard]] inline auto device_lists() {
    return testing::Values(std::vector{0}, std::vector{0, 0}, std::vector{0, 0, 0}, std::vector{0, 1},
                           std::vector{1, 0, 1});
}
[[nodiscard]] inline std::string devices_name(const testing::TestParamInfo<std::vector<int>>& devices) {
    std::string name = "on";
    for (const int d : devices.param) name.append("_").append(std::to_string(d));
    return name;
}

}  // namespace wale::agreement
