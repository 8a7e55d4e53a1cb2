/** What looking into one file may cost. It is the file of a stranger: every reader of a format spends from here. */

/** Why a reader stopped before it had seen what it looked for. */
export class UnreadableContentError extends Error {
  readonly reason: "too-complex" | "damaged";

  constructor(reason: "too-complex" | "damaged") {
    super(`The content is ${reason}`);
    this.reason = reason;
  }
}

export function damaged(): UnreadableContentError {
  return new UnreadableContentError("damaged");
}

export interface Spent {
  readBytes: number;
  inflatedBytes: number;
  entries: number;
}

export interface Budget {
  readonly spent: Readonly<Spent>;
  read(bytes: number): void;
  inflate(bytes: number): void;
  /** An entry of an archive, a directory, a table or a chain. */
  enter(): void;
  name(bytes: number): void;
}

const MEBIBYTE = 1024 * 1024;

export const BUDGET = {
  readBytes: 64 * MEBIBYTE,
  inflatedBytes: 64 * MEBIBYTE,
  entries: 10_000,
  nameBytes: 4096,
  /** Of the processor, so that a slow disk is no reason to give up. */
  milliseconds: 800,
} as const;

/** Reads cost at least this much, so that many small ones are bounded too. */
const PAGE_BYTES = 4096;

export function createBudget(
  limits: Readonly<Record<keyof typeof BUDGET, number>> = BUDGET,
  processorMilliseconds = readProcessorTime,
): Budget {
  const spent: Spent = { readBytes: 0, inflatedBytes: 0, entries: 0 };
  const start = processorMilliseconds();
  const spend = (what: keyof Spent, amount: number) => {
    spent[what] += amount;
    expect(spent[what] <= limits[what]);
    expect(processorMilliseconds() - start <= limits.milliseconds);
  };
  return {
    spent,
    read: (bytes) => spend("readBytes", Math.max(bytes, PAGE_BYTES)),
    inflate: (bytes) => spend("inflatedBytes", bytes),
    enter: () => spend("entries", 1),
    name: (bytes) => expect(bytes <= limits.nameBytes),
  };
}

function expect(isWithin: boolean): void {
  if (!isWithin) throw new UnreadableContentError("too-complex");
}

function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
