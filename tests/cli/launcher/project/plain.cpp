#include "hot.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace {
struct Shape {
    virtual ~Shape() = default;
    virtual double area(double size) const = 0;
};
struct Square : Shape {
    double area(double size) const override { return size * size + size / 3; }
};
thread_local unsigned calls = 0;
}  // namespace

extern "C" uint32_t checksum(const uint8_t *data, size_t n) {
    static const Square square;
    if (n > 1u << 20) throw std::length_error("too much: " + std::to_string(n));
    uint32_t sum = ++calls + static_cast<uint32_t>(static_cast<const Shape &>(square).area(static_cast<double>(n)));
    for (size_t i = 0; i < n; ++i) sum = (sum << 5 | sum >> 27) ^ data[i];
    return sum;
}
