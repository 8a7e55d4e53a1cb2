/** Runs the events client for the conformance kit: a task on standard input, its result on standard output. */
import type { EventsTask } from "../../../conformance/index.ts";
import {
  createEventsClient,
  importEvents,
  parseServiceOrigin,
  type EventsSyncState,
  type Fetch,
  type PendingLogin,
} from "../../../src/client/index.ts";
import { connectTo } from "./connect.ts";
import { printResult } from "./print-result.ts";

export async function runEvents(
  task: EventsTask,
  fetch: Fetch = globalThis.fetch,
): Promise<object> {
  const origin = parseServiceOrigin(task.address);
  if (origin.kind === "refused") return { kind: "address-refused" };
  const settings = { ...origin, clientId: task.clientId, redirectUri: task.redirectUri };
  const client = createEventsClient({ ...settings, fetch: connectTo(task.connectTo, fetch) });
  switch (task.do) {
    case "begin-login": {
      const begun = await client.beginLogin();
      if (begun.kind === "unsupported") throw new Error("There is no WebCrypto");
      return { ...begun, state: begun.pending };
    }
    case "complete-login": {
      const { callbackUrl = "", state } = task;
      return { kind: (await client.completeLogin(callbackUrl, state as PendingLogin)).kind };
    }
    case "sync": {
      const { accessToken = "", habits = [], serviceName } = task;
      const lastState = task.state as EventsSyncState | null;
      const result = await client.syncEvents({ accessToken, state: lastState });
      const report = importEvents(result.events, habits, { serviceName });
      const imported = report.imported.map(({ source, ...habit }) => ({ ...habit, ...source }));
      const { kind, state } = result;
      if (kind !== "synced") return { kind, imported, state };
      const { mayHaveMore, message } = result;
      return { kind, imported, mayHaveMore, message: message ?? "", state };
    }
  }
}

if (import.meta.main) void printResult(runEvents);
