"""Makes loops by isl: a question is a line of JSON on the standard input, its answer one on the standard output."""
import json, re, sys, time
import islpy as isl


def split(text):
    text = re.sub(r"#[^\n]*", "", text)
    parts = [p.strip() + "}" for p in text.split("}") if p.strip()]
    return parts + ["{ : }", "{ }"][len(parts) - 1 :]


def loops(text):
    ctx = isl.DEFAULT_CONTEXT
    if re.match(r"\s*(#[^\n]*\n\s*)*\{?\s*[a-z]+\s*:", text):
        schedule = isl.Schedule.read_from_str(ctx, text)
        start = time.perf_counter()
        build = isl.AstBuild.alloc(ctx)
        node = build.node_from_schedule(schedule)
    else:
        times, context, options = split(text)
        times, context, options = isl.UnionMap(times), isl.Set(context), isl.UnionMap(options)
        start = time.perf_counter()
        build = isl.AstBuild.from_context(context).set_options(options)
        node = build.node_from_schedule_map(times)
    took = time.perf_counter() - start
    return node, took


for line in sys.stdin:
    question = json.loads(line)
    try:
        node, took = loops(question["Text"])
        best = took
        for _ in range(question["Runs"] - 1):
            if took > 0.2:
                break
            node, took = loops(question["Text"])
            best = min(best, took)
        answer = {"Text": node.to_C_str(), "Time": int(best * 1e9)}
    except Exception as e:
        answer = {"Err": str(e)}
    print(json.dumps(answer), flush=True)
