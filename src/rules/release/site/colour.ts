/** Colours of six hexadecimal digits, and the contrast between two of them. */

/** A colour such as `#1b6748`. */
export type HexColour = string;

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(a: HexColour, b: HexColour): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `share` of 1 is all of `other`. */
export function mix(colour: HexColour, other: HexColour, share: number): HexColour {
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
