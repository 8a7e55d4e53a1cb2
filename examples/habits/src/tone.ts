/** The colours of habits, by name. Older versions of the app stored the colour itself. */
export const TONES = {
  green: "#2e7d5b",
  teal: "#1f7a85",
  blue: "#2f6fb3",
  violet: "#7a5bc0",
  rose: "#b8476b",
  amber: "#9a6516",
} as const;

export type Tone = keyof typeof TONES;

export const TONE_NAMES = Object.keys(TONES) as Tone[];

/** The nearest tone: other apps of the account store any colour. */
export function toTone(color: unknown): Tone {
  if (typeof color !== "string") throw new TypeError("the colour is no text");
  const distances = TONE_NAMES.map((tone) => ({ tone, distance: distance(color, TONES[tone]) }));
  const nearest = distances.reduce((one, other) => (other.distance < one.distance ? other : one));
  return nearest.tone;
}

/** What is no colour is as far from each tone. */
function distance(one: string, other: string): number {
  const [a, b] = [toParts(one), toParts(other)];
  return a.reduce((sum, part, index) => sum + (part - (b[index] ?? 0)) ** 2, 0);
}

function toParts(color: string): readonly number[] {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? [];
  return hex.slice(1).map((part) => Number.parseInt(part, 16));
}
