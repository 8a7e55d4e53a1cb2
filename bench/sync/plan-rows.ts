/** The very rows that the service would write for a push. */
import { EMPTY_LOG_CLOCK } from "../../src/rules/sync/log-clock.ts";
import { createMark } from "../../src/sync/log/cursor.ts";
import { planAppend } from "../../src/sync/log/plan-append.ts";
import { readNewOperation } from "../../src/sync/log/read-push.ts";

export interface PushRows {
  readonly operations: readonly (readonly [number, string, string, number])[];
  readonly ledger: readonly (readonly [string, number])[];
  readonly entities: readonly (readonly [string, string])[];
  readonly headOffset: number;
  readonly mark: string;
}

/** Plans the pushes of one run, in their order, after a log that ends at `headBefore`. */
export function createPushPlanner(headBefore: number): (texts: readonly string[]) => PushRows {
  const states = new Map<string, string>();
  let headOffset = headBefore;
  let clock = EMPTY_LOG_CLOCK;
  return (texts) => {
    const mark = createMark(null);
    const place = { headOffset, clock, mark };
    const planned = planAppend(texts.map(readNewOperation), new Map(), states, place);
    if (planned.kind !== "plan") throw new Error("The rows contradict each other");
    ({ headOffset, clock } = planned);
    for (const [id, state] of planned.states) states.set(id, state);
    const now = Date.now();
    return {
      operations: planned.added.map(({ offset, entityId, text }) => [offset, entityId, text, now]),
      ledger: planned.added.map(({ operationId, offset }) => [operationId, offset]),
      entities: [...planned.states],
      headOffset,
      mark,
    };
  };
}
