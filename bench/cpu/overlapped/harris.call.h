#define REAL float
#define FIELDS 2
#define OUTPUTS 1
#define N 1500
#define M 1537
#define CELLS ((long)N * M)
#define VALUE(f, r) (f == 0 ? r : 0)
static void call(float **f)
{
  harris(N, M, (float (*)[M])f[0], (float (*)[M])f[1]);
}
