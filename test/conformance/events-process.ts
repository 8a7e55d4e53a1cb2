/** The events service with an account and events, as a process. */
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { openEventsStore } from "../../src/server/open-events-store.ts";
import { addEventsAccount } from "../events/add-account.ts";
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
    async prepare(home) {
      const opened = await openEventsStore(home.store);
      const account = { username, password };
      await addEventsAccount(opened, openInstanceKey(home.instanceKeyFile), account);
      await opened.close();
    },
    // The second list deletes an event.
    commands: [bring, [...bring.with(1, "later.json"), "--replace", "--yes"]],
  });
}

const PLENTY = { authorizePerMinute: 100_000, tokenPerMinute: 100_000, eventsPerMinute: 100_000 };

function createEvent(days: number) {
  const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return { id: `plan-${days}`, type: "homework", subject_name: "Biology", title: "Leaves", date };
}
