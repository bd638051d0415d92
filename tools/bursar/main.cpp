#include <cstdio>

int main() {
    std::puts("bursar 0.1.0");
    return 0;
}
