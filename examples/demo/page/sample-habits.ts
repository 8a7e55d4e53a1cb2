/**
 * The habits of the demo's account, those of the steps first: half a phone shows two of them. Their colours and icons
 * are among those that the app offers.
 */
import type { Language } from "../../../src/contract/language.ts";

export interface SampleHabit {
  readonly id: string;
  readonly icon: string;
  /** What the server has of it from the beginning. */
  readonly color: string;
  /** The app's name of that colour. */
  readonly tone: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly categories: Readonly<Record<Language, string>>;
}

const HEALTH = { en: "Health", de: "Gesundheit" };

export const WATER: SampleHabit = {
  id: "water",
  icon: "drop",
  color: "#2f6fb3",
  tone: "blue",
  names: { en: "Drink water", de: "Wasser trinken" },
  categories: HEALTH,
};

export const WALK: SampleHabit = {
  id: "walk",
  icon: "walk",
  color: "#2e7d5b",
  tone: "green",
  names: { en: "Take a walk", de: "Spazieren gehen" },
  categories: HEALTH,
};

const READ: SampleHabit = {
  id: "read",
  icon: "book",
  color: "#7a5bc0",
  tone: "violet",
  names: { en: "Read ten pages", de: "Zehn Seiten lesen" },
  categories: { en: "Mind", de: "Geist" },
};

export const SAMPLE_HABITS: readonly SampleHabit[] = [WATER, WALK, READ];

/** What the devices make of the walk while they have no network: one the name, the other the looks. */
export const CHANGED_WALK = {
  names: { en: "Take a long walk", de: "Lange spazieren gehen" },
  tone: "amber",
  icon: "sun",
} as const;
