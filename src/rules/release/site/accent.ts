/** The colours that a page derives from the accent of its maker, each readable where it is used. */

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** What the accent is read on: the same as in `src/web/style/tokens.css`, which a test compares. */
export const PAGE_COLOURS = {
  light: { background: "#faf9f5", surface: "#ffffff", text: "#1b211e", softText: "#56605a" },
  dark: { background: "#121513", surface: "#1a1f1c", text: "#e9ede9", softText: "#a7b2ab" },
} as const satisfies Record<Theme, Record<string, HexColour>>;

export interface AccentPalette {
  readonly accent: HexColour;
  /** The accent under the pointer. */
  readonly strong: HexColour;
  /** The text on a button of the accent. */
  readonly onAccent: HexColour;
  /** The colour behind icons. */
  readonly tint: HexColour;
}

export type Accent = Readonly<Record<Theme, AccentPalette>>;

/** WCAG 2.2, 1.4.3: text of an ordinary size. Links and the version have it. */
export const MIN_TEXT_CONTRAST = 4.5;
/** WCAG 2.2, 1.4.11: icons. */
export const MIN_ICON_CONTRAST = 3;

const TOWARDS_TEXT = { light: "#000000", dark: "#ffffff" } as const;
const ON_ACCENT = { light: "#ffffff", dark: "#0b0f0d" } as const;
const TINT_SHARE = { light: 0.9, dark: 0.86 } as const;
const STRONG_SHARE = 0.25;

export interface AccentError {
  readonly theme: Theme;
  readonly colour: HexColour;
  readonly against: HexColour;
  readonly ratio: number;
  /** The nearest shade of the colour that can be read. */
  readonly suggestion: HexColour;
}

/** Null when the colour can be read everywhere in that theme. */
export function checkAccent(colour: HexColour, theme: Theme): AccentError | null {
  const { background, surface } = PAGE_COLOURS[theme];
  const against = contrast(colour, background) < contrast(colour, surface) ? background : surface;
  const ratio = contrast(colour, against);
  if (ratio >= MIN_TEXT_CONTRAST) return null;
  return { theme, colour, against, ratio, suggestion: makeReadable(colour, theme) };
}

/** The palettes of an accent that was checked. */
export function deriveAccent(light: HexColour, dark?: HexColour): Accent {
  return {
    light: palette(light, "light"),
    dark: palette(dark ?? makeReadable(light, "dark"), "dark"),
  };
}

/** Darker in a light theme and lighter in a dark one, in the smallest steps that suffice. */
function makeReadable(colour: HexColour, theme: Theme): HexColour {
  const { background, surface } = PAGE_COLOURS[theme];
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mix(colour, TOWARDS_TEXT[theme], share);
    if (Math.min(contrast(shade, background), contrast(shade, surface)) >= MIN_TEXT_CONTRAST) {
      return shade;
    }
  }
  return TOWARDS_TEXT[theme];
}

function palette(accent: HexColour, theme: Theme): AccentPalette {
  return {
    accent: accent.toLowerCase(),
    strong: mix(accent, TOWARDS_TEXT[theme], STRONG_SHARE),
    onAccent: ON_ACCENT[theme],
    tint: mix(accent, PAGE_COLOURS[theme].background, TINT_SHARE[theme]),
  };
}

/** Colours of six hexadecimal digits, and the contrast between two of them. */

/** A colour such as `#1b6748`. */
type HexColour = string;

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(a: HexColour, b: HexColour): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `share` of 1 is all of `other`. */
function mix(colour: HexColour, other: HexColour, share: number): HexColour {
  const from = channels(colour);
  const to = channels(other);
  const mixed = from.map((value, index) => value + ((to[index] ?? 0) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: HexColour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: HexColour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
