"""Checks results of package poly with isl: reads lines OP|A|B|GOT, and answers each with ok or what isl says."""

import sys

import islpy as isl


def uset(text):
    return isl.UnionSet(text)


def umap(text):
    return isl.UnionMap(text)


def flag(value):
    return "true" if value else "false"


# Operations on sets, and on relations, whose result is compared with isl's.
SETS = {
    "parse": lambda a, b: a,
    "union": lambda a, b: a.union(b),
    "intersect": lambda a, b: a.intersect(b),
    "subtract": lambda a, b: a.subtract(b),
    "coalesce": lambda a, b: a.union(b),
    "lexmin": lambda a, b: a.lexmin(),
    "lexmax": lambda a, b: a.lexmax(),
    "apply": lambda a, m: a.apply(m),
    "complement": lambda a, b: a.universe().subtract(a),
    "product": lambda a, b: a.product(b),
}
MAPS = {
    "parse map": lambda a, b: a,
    "inverse": lambda a, b: a.reverse(),
    "compose": lambda a, b: a.apply_range(b),
    "apply domain": lambda a, b: a.apply_domain(b),
    "map lexmin": lambda a, b: a.lexmin(),
    "map lexmax": lambda a, b: a.lexmax(),
    "subtract maps": lambda a, b: a.subtract(b),
    "range product": lambda a, b: a.flat_range_product(b),
    "domain product": lambda a, b: a.flat_domain_product(b),
}
SETS_OF_MAPS = {
    "domain": lambda a, b: a.domain(),
    "range": lambda a, b: a.range(),
    "deltas": lambda a, b: a.deltas(),
}
FLAGS = {
    "empty": lambda a, b: a.is_empty(),
    "subset": lambda a, b: a.is_subset(b),
    "equal": lambda a, b: a.is_equal(b),
}


def compare(want, got):
    return "ok" if want.is_equal(got) else str(want.coalesce())


def check(op, a, b, got):
    if op in SETS:
        second = (umap(b) if op == "apply" else uset(b)) if b else None
        return compare(SETS[op](uset(a), second), uset(got))
    if op in MAPS:
        return compare(MAPS[op](umap(a), umap(b) if b else None), umap(got))
    if op in SETS_OF_MAPS:
        return compare(SETS_OF_MAPS[op](umap(a), None), uset(got))
    if op in FLAGS:
        want = flag(FLAGS[op](uset(a), uset(b) if b else None))
        return "ok" if want == got else want
    if op == "gist":  # any set will do that agrees inside the context
        context = uset(b)
        return compare(uset(a).intersect(context), uset(got).intersect(context))
    if op == "hull":  # any superset will do
        return "ok" if uset(a).union(uset(b)).is_subset(uset(got)) else "a superset"
    if op.startswith("project"):  # project j: a dimension by its position
        first = int(op.split()[1])
        want = isl.Set(a).project_out(isl.dim_type.set, first, 1)
        return compare(isl.UnionSet.from_set(want), uset(got))
    return "unknown operation " + op


for line in sys.stdin:
    op, a, b, got = line.rstrip("\n").split("|")
    try:
        print(check(op, a, b, got).replace("\n", " "), flush=True)
    except Exception as e:
        print("error: " + str(e).replace("\n", " "), flush=True)
