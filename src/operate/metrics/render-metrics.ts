/** Metrics in the text format of Prometheus, version 0.0.4. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { MetricSnapshot, Sample } from "./metrics.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const MANY_SAMPLES = 1000;

/** Requests have their turn between metrics of thousands of instances. */
export async function renderMetrics(metrics: readonly MetricSnapshot[]): Promise<string> {
  let text = "";
  for (const metric of metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    text += renderFamily(metric);
    if (metric.samples.length >= MANY_SAMPLES) await nextTurn();
  }
  return text;
}

function renderFamily(metric: MetricSnapshot): string {
  const { name, help, type, samples } = metric;
  const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  const render = type === "histogram" ? renderHistogram : renderNumber;
  return head + samples.map((sample) => render(metric, sample)).join("");
}

function renderNumber({ name, labelNames }: MetricSnapshot, { labels, value }: Sample): string {
  return `${name}${renderLabels(labelNames, labels)} ${formatNumber(value)}\n`;
}

function renderHistogram(metric: MetricSnapshot, { labels, value, counts }: Sample): string {
  const { name, labelNames, bounds } = metric;
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const bound = formatNumber(bounds[index] ?? Infinity);
    const bucketLabels = renderLabels([...labelNames, "le"], [...labels, bound]);
    return `${name}_bucket${bucketLabels} ${total}\n`;
  });
  const own = renderLabels(labelNames, labels);
  return `${buckets.join("")}${name}_sum${own} ${formatNumber(value)}\n${name}_count${own} ${total}\n`;
}

/** To Prometheus an empty label is the same as none. */
function renderLabels(names: readonly string[], values: readonly string[]): string {
  let pairs = "";
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? "";
    if (value !== "") pairs += `${pairs === "" ? "" : ","}${name}="${escapeLabel(value)}"`;
  }
  return pairs === "" ? "" : `{${pairs}}`;
}

function formatNumber(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
