// Vectors that the region uses and exchanges, in main.
// RUN 20 7|3 4|50 0|17 1|5 5
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

int main(int argc, char *argv[])
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    const int iters = argc > 2 ? atoi(argv[2]) : 50;
    if (n < 3) {
        cerr << "n must be at least 3" << endl;
        return 1;
    }
    vector<double> a(n * n, 0.0), b(n * n, 0.0);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = 1.0;
#pragma scop
    for (int it = 0; it < iters; it++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
        swap(a, b);
    }
#pragma endscop
    double sum = 0;
    for (double x : a) sum += x;
    cout.precision(17);
    cout << sum << endl;
    return 0;
}
