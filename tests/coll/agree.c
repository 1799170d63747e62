/* SPDX-License-Identifier: BSD-3-Clause */
/* Every member of a team gets the same floating-point sum and product, bit for bit. */
#include "coll/call.h"
#include "harness/oracle.h"
#include "harness/types.h"

#include <float.h>
#include <math.h>

#define NAME float
#define TYPE float
#define EPSILON FLT_EPSILON
#include "coll/agree.inc"
#undef NAME
#undef TYPE
#undef EPSILON

#define NAME double
#define TYPE double
#define EPSILON DBL_EPSILON
#include "coll/agree.inc"
#undef NAME
#undef TYPE
#undef EPSILON

#define NAME longdouble
#define TYPE long double
#define EPSILON LDBL_EPSILON
#include "coll/agree.inc"
#undef NAME
#undef TYPE
#undef EPSILON

static const size_t sizes[] = {1, 2, 7, 8, 9, 100, 1000};
#define N_SIZES (sizeof sizes / sizeof sizes[0])
#define LARGE 20000

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    int n_shapes;

    check_init("coll/agree");
    n_shapes = shapes_open(shapes);
    call_open(&call, LARGE * sizeof(double));
    for (int s = 0; s < n_shapes; s++) {
        if (!call_shape(&call, &shapes[s], s))
            continue;
        for (size_t i = 0; i < N_SIZES; i++) {
            test_agreement_float(&call, sizes[i], 1, i & 1);
            test_agreement_double(&call, sizes[i], 1, false);
            test_agreement_double(&call, sizes[i], 1, true);
            test_agreement_longdouble(&call, sizes[i], 1, !(i & 1));
        }
        if (s % 5 == 0)
            test_agreement_double(&call, LARGE, 37, false);
    }
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
