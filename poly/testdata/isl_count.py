"""Checks counts with isl: reads lines SET|COUNT|LO|HI, and answers each with ok, or the first value of the parameter N
from LO to HI for which isl counts another number of points of SET than COUNT says."""

import sys

import islpy as isl


def value(count, n):
    space = isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 1).set_dim_name(isl.dim_type.param, 0, "N")
    point = isl.Set.universe(space).fix_val(isl.dim_type.param, 0, n).sample_point()
    return isl.PwQPolynomial("[N] -> { 0 }").add(count).eval(point)


def points(s, n):
    at = s.find_dim_by_name(isl.dim_type.param, "N")
    if at >= 0:
        s = s.fix_val(isl.dim_type.param, at, n).project_out(isl.dim_type.param, at, 1)
    return s.count_val()


def check(text, count, lo, hi):
    s, q = isl.Set(text), isl.PwQPolynomial(count)
    for n in range(lo, hi + 1):
        want, got = points(s, n), value(q, n)
        if not want.eq(got):
            return f"N={n}: {want}, not {got}"
    return "ok"


for line in sys.stdin:
    text, count, lo, hi = line.rstrip("\n").split("|")
    try:
        print(check(text, count, int(lo), int(hi)), flush=True)
    except Exception as e:
        print("error: " + str(e).replace("\n", " "), flush=True)
