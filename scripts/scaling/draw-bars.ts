/** Horizontal bars as an SVG that can be read on a light and on a dark page. */

export interface Bar {
  readonly label: string;
  readonly value: number;
}

const WIDTH = 720;
const LABEL_WIDTH = 300;
const BAR_WIDTH = 330;
const ROW = 34;
const TOP = 44;

export function drawBars(title: string, unit: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const height = TOP + bars.length * ROW + 12;
  const rows = bars.map(({ label, value }, index) => {
    const y = TOP + index * ROW;
    const width = Math.max(2, Math.round((value / most) * BAR_WIDTH));
    return [
      `<text x="${LABEL_WIDTH - 12}" y="${y + 15}" text-anchor="end">${escapeText(label)}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${y}" width="${width}" height="22" rx="3" class="bar"/>`,
      `<text x="${LABEL_WIDTH + width + 8}" y="${y + 15}">${formatRounded(value)}</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img">
<title>${escapeText(title)}</title>
<style>
text { fill: #1c1c1e }
.paper { fill: #fff }
.bar { fill: #1d6b4a }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e8ea }
  .paper { fill: #1b1b1f }
  .bar { fill: #4fb286 }
}
</style>
<rect width="100%" height="100%" class="paper"/>
<text x="12" y="24" font-weight="600">${escapeText(title)}, ${escapeText(unit)}</text>
${rows.join("\n")}
</svg>
`;
}

export function formatRounded(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
