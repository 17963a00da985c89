"""Says whether isl reads two schedules as the same: lines of JSON, each a list of two texts."""
import json, sys
import islpy as isl


def same(a, b):
    if a.get_type() != b.get_type() or a.n_children() != b.n_children():
        return "nodes %s and %s" % (a.get_type(), b.get_type())
    if a.get_type() == isl.schedule_node_type.band:
        x, y = a.band_get_ast_build_options(), b.band_get_ast_build_options()
        if not x.is_equal(y):
            return "options %s and %s" % (x, y)
        if a.band_get_permutable() != b.band_get_permutable():
            return "permutable"
        for i in range(a.band_n_member()):
            if a.band_member_get_coincident(i) != b.band_member_get_coincident(i):
                return "coincident"
    if a.get_type() == isl.schedule_node_type.mark and a.mark_get_id().get_name() != b.mark_get_id().get_name():
        return "marks"
    if a.get_type() == isl.schedule_node_type.extension and not a.extension_get_extension().is_equal(b.extension_get_extension()):
        return "extensions"
    for i in range(a.n_children()):
        wrong = same(a.child(i), b.child(i))
        if wrong:
            return wrong
    return ""


for line in sys.stdin:
    try:
        a, b = (isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, t) for t in json.loads(line))
        wrong = same(a.get_root(), b.get_root())
        extended = "extension" in line
        if not wrong and not extended and not a.get_map().is_equal(b.get_map()):
            wrong = "maps %s and %s" % (a.get_map(), b.get_map())
    except Exception as e:
        wrong = str(e)
    print(json.dumps(wrong), flush=True)
