/** The metrics of several processes as those of one server. */
import type { MetricSnapshot, Sample } from "./metrics.ts";

export function mergeMetrics(all: readonly (readonly MetricSnapshot[])[]): MetricSnapshot[] {
  const byName = Map.groupBy(all.flat(), ({ name }) => name);
  return Array.from(byName.values(), (metrics) => {
    const [first, ...others] = metrics as [MetricSnapshot, ...MetricSnapshot[]];
    // One process has each series once, and ten thousand instances have many.
    if (others.length === 0) return first;
    const byLabels = Map.groupBy(
      metrics.flatMap(({ samples }) => samples),
      ({ labels }) => labels.join("\0"),
    );
    const samples = Array.from(byLabels.values(), (group) =>
      group.reduce((a, b) => mergeSamples(first.merge, a, b)),
    );
    return { ...first, samples };
  });
}

/** Keeps the metrics that go on counting when a process has ended: its gauges were about the process. */
export function keepTotals(metrics: readonly MetricSnapshot[]): MetricSnapshot[] {
  return metrics.filter(({ type }) => type !== "gauge");
}

function mergeSamples(merge: MetricSnapshot["merge"], a: Sample, b: Sample): Sample {
  return {
    labels: a.labels,
    value: merge === "sum" ? a.value + b.value : Math.max(a.value, b.value),
    counts: a.counts.map((count, index) => count + (b.counts[index] ?? 0)),
  };
}
