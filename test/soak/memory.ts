/** Memory of the servers over time, as a table and as a picture. */

export interface MemorySeries {
  readonly name: string;
  /** Minutes since the start, and megabytes. */
  readonly samples: (readonly [minute: number, megabytes: number])[];
}

export interface MemorySummary {
  readonly name: string;
  readonly early: number;
  readonly late: number;
  readonly peak: number;
}

/** Of the second and the last quarter, because the first one fills caches. */
export function summarizeMemory({ name, samples }: MemorySeries): MemorySummary {
  const sizes = samples.map(([, size]) => size);
  const quarter = Math.ceil(sizes.length / 4);
  return {
    name,
    early: median(sizes.slice(quarter, 2 * quarter)),
    late: median(sizes.slice(-quarter)),
    peak: Math.max(0, ...sizes),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const WIDTH = 800;
const HEIGHT = 300;
const MARGIN = 50;
const COLORS = ["#1b6ca8", "#b5541c", "#3f7d3a", "#7a4b9d"];

export function drawMemory(series: readonly MemorySeries[], minutes: number): string {
  const top = Math.max(100, ...series.map((one) => summarizeMemory(one).peak)) * 1.1;
  const x = (minute: number) => MARGIN + (minute / minutes) * (WIDTH - 2 * MARGIN);
  const y = (size: number) => HEIGHT - MARGIN - (size / top) * (HEIGHT - 2 * MARGIN);
  const lines = series.map(({ name, samples }, index) => {
    const color = COLORS[index % COLORS.length];
    const points = samples.map(([minute, size]) => `${x(minute).toFixed(1)},${y(size).toFixed(1)}`);
    return `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${points.join(" ")}"/>
<text x="${MARGIN + 160 * index}" y="24" fill="${color}">${name}</text>`;
  });
  const steps = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const size = (top / 1.1) * part;
    return `<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y(size)}" y2="${y(size)}" stroke="#ddd"/>
<text x="8" y="${y(size) + 4}">${Math.round(size)} MB</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${steps.join("\n")}
${lines.join("\n")}
<text x="${WIDTH - MARGIN}" y="${HEIGHT - 20}" text-anchor="end">${minutes} minutes</text>
</svg>
`;
}
