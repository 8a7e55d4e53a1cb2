/** A device is counted under each number that it is behind by, or more. */
export const LAG_STEPS = [1, 10, 100, 1000, 10_000] as const;

export interface DeviceLags {
  /** How many devices have a noted pull. */
  readonly devices: number;
  /** How many operations the device furthest behind is behind. */
  readonly furthest: number;
  /** How many devices are behind by each step or more, in the order of the steps. */
  readonly behind: readonly number[];
}

/** `lags` are sorted, the furthest first. */
export function summarizeLags(lags: readonly number[]): DeviceLags {
  return {
    devices: lags.length,
    furthest: lags[0] ?? 0,
    behind: LAG_STEPS.map((step) => lags.filter((operations) => operations >= step).length),
  };
}
