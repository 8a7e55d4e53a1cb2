/** The events service as its operator runs it: an account, its events, then `trellis serve events`. */
import {
  startServiceProcess,
  type ServiceProcess,
  type ServiceProcessSettings,
} from "./service-process.ts";

export type EventsProcess = ServiceProcess;

export interface EventsProcessSettings extends Pick<ServiceProcessSettings, "store" | "settings"> {
  readonly username: string;
  readonly password: string;
}

const DAY_MS = 86_400_000;

export function startEventsProcess(options: EventsProcessSettings): Promise<EventsProcess> {
  const { username, password, store, settings } = options;
  const create = ["account", "create", "--username", username, "--password-stdin"];
  const bring = ["import", "plan.json", "--account", username, "--source", "plan"];
  const events = [3, 9, 27, -9, -27].map(createEvent);
  return startServiceProcess({
    service: "events",
    store,
    settings: { ...settings, limits: PLENTY },
    files: {
      "plan.json": JSON.stringify({ events: [...events, createEvent(1)] }),
      "later.json": JSON.stringify({ events }),
    },
    commands: [
      { words: create, stdin: `${password}\n` },
      { words: bring },
      // What the second list does not have is deleted.
      { words: [...bring.with(1, "later.json"), "--replace", "--yes"] },
    ],
  });
}

const PLENTY = { authorizePerMinute: 100_000, tokenPerMinute: 100_000, eventsPerMinute: 100_000 };

function createEvent(days: number) {
  const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return { id: `plan-${days}`, type: "homework", subject_name: "Biology", title: "Leaves", date };
}
