/** How far the clock of a log may move at once, so that no device can use it up for the others. */
import {
  MAX_FIRST_SEQUENCE,
  MAX_SEQUENCE,
  MAX_CLOCK_STEP,
} from "../../contract/sync/operation-limits.ts";

/** What is known of the sequences in a log. */
export interface LogClock {
  /** The greatest sequence of all operations that the log ever had; 0 before the first. */
  readonly greatestSequence: number;
  /** Whether the next operation may have any first sequence: nothing is known of the clocks of devices. */
  readonly takesAnySequence: boolean;
}

/** The clock of a log without operations, which a new store starts with. */
export const EMPTY_LOG_CLOCK: LogClock = { greatestSequence: 0, takesAnySequence: true };

export function isSequenceJump(
  { greatestSequence, takesAnySequence }: LogClock,
  sequence: number,
): boolean {
  const reach = greatestSequence + MAX_CLOCK_STEP;
  return sequence > (takesAnySequence ? Math.max(reach, MAX_FIRST_SEQUENCE) : reach);
}

/** The clock once the log has an operation of that sequence. */
export function advanceClock({ greatestSequence }: LogClock, sequence: number): LogClock {
  return { greatestSequence: Math.max(greatestSequence, sequence), takesAnySequence: false };
}

/** The clock of a log that replaces or follows others. */
export function joinClocks(clocks: readonly LogClock[]): LogClock {
  return {
    greatestSequence: Math.max(...clocks.map(({ greatestSequence }) => greatestSequence)),
    takesAnySequence: clocks.every(({ takesAnySequence }) => takesAnySequence),
  };
}

/** Whether no further step fits behind a sequence: a log that has it leaves devices no room to count. */
export function isLastStep(sequence: number): boolean {
  return sequence > MAX_SEQUENCE - MAX_CLOCK_STEP;
}
