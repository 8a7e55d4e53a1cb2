/** The picture of the whole: devices, the server with its three services, and what stands behind each of them. */
import type { Language } from "../src/contract/language.ts";
import { html, trustedHtml, type Html } from "../src/web/html.ts";
import { WHOLE_ALTERNATIVE, WHOLE_TEXTS, type WholeTexts } from "./whole-texts.ts";

export interface WholePicture {
  readonly path: string;
  readonly language: Language;
  /** For a phone the columns become rows. */
  readonly shape: "wide" | "narrow";
}

/** This one is committed, for Markdown files. */
export const WHOLE_PICTURE: WholePicture = {
  path: "docs/pictures/whole.svg",
  language: "en",
  shape: "wide",
};

export const WHOLE_PICTURES: readonly WholePicture[] = [
  WHOLE_PICTURE,
  { path: "docs/pictures/whole-narrow.svg", language: "en", shape: "narrow" },
  { path: "docs/pictures/whole-de.svg", language: "de", shape: "wide" },
  { path: "docs/pictures/whole-narrow-de.svg", language: "de", shape: "narrow" },
];

export const WHOLE_SIZES = { wide: [960, 430], narrow: [360, 560] } as const;

const STYLE = `text{fill:#1b211e}.soft{fill:#56605a}.b{font-weight:650}.c{text-anchor:middle}
.paper{fill:#fff}.server{fill:#e6f0e9;stroke:#1b6748}.box{fill:#fff;stroke:#b9c2ba}.line,.glyph{fill:none;stroke:#1b6748;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}.tick{fill:#1b6748}.label{fill:#124d35}
@media (prefers-color-scheme:dark){text{fill:#e9ede9}.soft{fill:#a7b2ab}.paper{fill:#1a1f1c}.server{fill:#1d2d25;stroke:#86d6ac}.box{fill:#1a1f1c;stroke:#465049}.line,.glyph{stroke:#86d6ac}.tick{fill:#86d6ac}.label{fill:#a9e6c6}}`;

export function drawWhole({ language, shape }: WholePicture): string {
  const [width, height] = WHOLE_SIZES[shape];
  const texts = WHOLE_TEXTS[language];
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 ${width} ${height}"
    font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
    font-size="${shape === "wide" ? 16 : 14}"
    role="img"
  >
    <title>${WHOLE_ALTERNATIVE[language]}</title>
    <style>
      ${trustedHtml(STYLE)}
    </style>
    <rect width="${width}" height="${height}" rx="18" class="paper" />
    ${shape === "wide" ? wide(texts) : narrow(texts)}
  </svg> `.markup.replaceAll(/\n\s*/g, "\n");
}

function wide(texts: WholeTexts): Html {
  const rows = [84, 194, 304];
  return html`${panel(24, 24, 196, 382)} ${text(122, 60, texts.devices, "b c")} ${phone(65, 84)}
    ${laptop(52, 226)}
    ${texts.devicesNote.map((line, index) => text(122, 358 + index * 21, line, "soft c"))}
    <rect x="362" y="24" width="260" height="382" rx="18" class="server" />
    ${text(492, 60, texts.server, "b c")}
    ${rows.map((y, index) => {
      const [first = "", second = ""] = texts.notes[index] ?? [];
      const [title = "", note = ""] = texts.sources[index] ?? [];
      return html`${panel(380, y - 8, 224, 92)}
      ${text(396, y + 20, texts.services[index] ?? "", "b")} ${text(396, y + 44, first, "soft")}
      ${text(396, y + 65, second, "soft")} ${panel(736, y, 200, 76)}
      ${text(754, y + 33, title, "b")} ${text(754, y + 56, note, "soft")}
      ${arrow(232, y + 38, 368, index === 0 ? "both" : "left")}
      ${text(300, y + 26, texts.lanes[index] ?? "", "label c")}
      ${arrow(616, y + 38, 724, index === 0 ? "right" : "left")}`;
    })}`;
}

function narrow(texts: WholeTexts): Html {
  const columns = [66, 180, 294];
  return html`${panel(12, 12, 336, 150)} ${text(180, 36, texts.devices, "b c")}
    ${phone(56, 50, 0.72)} ${laptop(170, 56, 0.94)}
    ${text(180, 152, texts.devicesNote.join(" "), "soft c")}
    <rect x="12" y="238" width="336" height="172" rx="16" class="server" />
    ${text(180, 264, texts.server, "b c")}
    ${columns.map((x, index) => {
      const [title = "", note = ""] = texts.sources[index] ?? [];
      const words = (texts.notes[index] ?? []).join(" ").split(" ");
      return html`${panel(x - 50, 278, 100, 120)}
      ${text(x, 302, texts.services[index] ?? "", "b c")}
      ${wrap(words, 13).map((line, number) => text(x, 322 + number * 17, line, "soft c", 13))}
      ${upward(x, 232, 170, index === 0)} ${text(x, 205, texts.lanes[index] ?? "", "label c")}
      ${panel(x - 52, 466, 104, 80)} ${text(x, 492, title, "b c")}
      ${wrap(note.split(" "), 13).map((line, number) => text(x, 511 + number * 17, line, "soft c", 13))}
      ${index === 0 ? downward(x, 404, 460) : upward(x, 460, 404, false)}`;
    })}`;
}

const panel = (x: number, y: number, width: number, height: number): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" class="box" />`;

const text = (x: number, y: number, words: string, style: string, size?: number): Html =>
  html`<text x="${x}" y="${y}" class="${style}" ${size !== undefined && html`font-size="${size}"`}>
    ${words}
  </text>`;

function arrow(left: number, y: number, right: number, to: "left" | "right" | "both"): Html {
  const head = to === "right" ? "" : `M${left + 8} ${y - 7} ${left} ${y}l8 7`;
  const tail = to === "left" ? "" : `M${right - 8} ${y - 7} ${right} ${y}l-8 7`;
  return html`<path class="line" d="M${left} ${y}H${right}${head}${tail}" />`;
}

function upward(x: number, bottom: number, top: number, isBoth: boolean): Html {
  const tail = isBoth ? `M${x - 6} ${bottom - 7} ${x} ${bottom}l6-7` : "";
  const middle = bottom - top > 58 ? `V${top + 48}M${x} ${top + 20}` : "";
  return html`<path
    class="line"
    d="M${x} ${bottom}${middle}V${top}M${x - 6} ${top + 7} ${x} ${top}l6 7${tail}"
  />`;
}

const downward = (x: number, top: number, bottom: number): Html =>
  html`<path class="line" d="M${x} ${top}V${bottom}M${x - 6} ${bottom - 7} ${x} ${bottom}l6-7" />`;

function phone(x: number, y: number, scale = 1): Html {
  return html`<g transform="translate(${x + (scale === 1 ? 26 : 0)} ${y}) scale(${scale})">
    <rect width="62" height="116" rx="11" class="glyph" />
    ${ticks(12, 22, 38, 3)}
  </g>`;
}

function laptop(x: number, y: number, scale = 1): Html {
  return html`<g transform="translate(${x} ${y}) scale(${scale})">
    <path
      d="M16 72V8a6 6 0 0 1 6-6h96a6 6 0 0 1 6 6v64M4 72h132v4a6 6 0 0 1-6 6H10a6 6 0 0 1-6-6Z"
      class="glyph"
    />
    ${ticks(34, 16, 70, 3, 18)}
  </g>`;
}

/** The lines of a list with what is done. */
function ticks(x: number, y: number, width: number, count: number, step = 28): Html[] {
  return Array.from({ length: count }, (_, index) => {
    const top = y + index * step;
    return html`<rect
        x="${x}"
        y="${top}"
        width="10"
        height="10"
        rx="3"
        class="${index < 2 ? "tick" : "glyph"}"
      />
      <path class="glyph" d="M${x + 18} ${top + 5}h${width - 18 - (index === 1 ? 8 : 0)}" />`;
  });
}

function wrap(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
