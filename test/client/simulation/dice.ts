/** The random decisions of a simulation, all from one seed. */
import { createSeededRandom, type SeededRandom } from "../../fixtures/seeded-random.ts";

export interface Dice extends SeededRandom {
  /** True so often in a hundred. */
  chance(percent: number): boolean;
  /** From `low` to `high`. */
  between(low: number, high: number): number;
  /** One of the names, each as likely as its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed);
  return {
    ...random,
    chance: (percent) => random.below(100) < percent,
    between: (low, high) => low + random.below(high - low + 1),
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>) {
      const entries = Object.entries<number>(weights) as [Name, number][];
      let rest = random.below(entries.reduce((sum, [, weight]) => sum + weight, 0));
      for (const [name, weight] of entries) if ((rest -= weight) < 0) return name;
      throw new Error("No weight is positive");
    },
    bytes: (length) => Uint8Array.from({ length }, () => random.below(256)),
  };
}
