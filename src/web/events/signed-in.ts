/** The frame of a page that only a signed-in person sees. */
import type { EventsFrame } from "./frame.ts";
import type { Clock } from "./moments.ts";

export interface SignedInFrame extends EventsFrame {
  readonly account: NonNullable<EventsFrame["account"]>;
}

export function clockOf({ language, account, now }: SignedInFrame): Clock {
  return { language, timeZone: account.timeZone, now };
}
