/** Makes the demo's account, imports its calendar from a file, and notes some events by hand. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SCOPE } from "../../contract/events/values.ts";
import { createAdministration } from "../../events/administration.ts";
import { importFile } from "../../events/import/import-file.ts";
import type { EventsStore } from "../../events/store.ts";
import { openInstanceKey } from "../../identity/instance-key.ts";
import type { EventsConfiguration } from "../configuration-schema.ts";
import { openEventsStore } from "../open-events-store.ts";
import { DEMO_CODE_CHALLENGE, DEMO_PASSWORD, DEMO_STATE, DEMO_USERNAME } from "./demo-account.ts";
import { createDemoCalendar, createDemoNotes, DEMO_CALENDAR } from "./demo-events.ts";

export interface DemoEvents {
  /** The calendar that was imported, to change and import again. */
  readonly calendarPath: string;
  readonly events: number;
}

export async function prepareDemoEvents(
  { store: address, instanceKeyFile, timeZone }: EventsConfiguration,
  folder: string,
): Promise<DemoEvents> {
  const now = Date.now();
  const calendar = createDemoCalendar(now);
  const calendarPath = join(folder, DEMO_CALENDAR);
  await writeFile(calendarPath, calendar);
  const store = await openEventsStore(address);
  try {
    const instanceKey = openInstanceKey(instanceKeyFile);
    const outcome = await createAdministration({ store, instanceKey, timeZone }).createAccount(
      DEMO_USERNAME,
      DEMO_PASSWORD,
    );
    if (outcome.kind !== "done") throw new Error("The demo's own account was refused");
    const { accountId } = outcome.account;
    const imported = await importFile({
      store,
      accountId,
      bytes: Buffer.from(calendar),
      fileName: DEMO_CALENDAR,
      defaultTimeZone: timeZone,
    });
    if (imported.kind === "failed") throw new Error("The demo's own calendar was refused");
    const notes = await noteByHand(store, accountId, now);
    return { calendarPath, events: imported.summary.added + notes };
  } finally {
    await store.close();
  }
}

function noteByHand(store: EventsStore, accountId: string, now: number): Promise<number> {
  return store.transaction(async ({ sources, events }) => {
    const { sourceId } = await sources.findOrAdd({
      sourceId: "demo-manual",
      accountId,
      kind: "manual",
      name: "manual",
      createdAt: now,
    });
    const changes = createDemoNotes(now).map((content, index) => ({
      kind: "put" as const,
      eventId: `demo-note-${index + 1}`,
      content,
      createdAt: new Date(now).toISOString(),
    }));
    await events.write(accountId, sourceId, changes, now);
    return changes.length;
  });
}

/** Where an app would send a browser. */
export function demoAuthorizeUrl({ baseUrl, clients }: EventsConfiguration): string {
  const [client] = clients;
  const query = new URLSearchParams({
    client_id: client?.id ?? "",
    redirect_uri: client?.redirectUris[0] ?? "",
    response_type: "code",
    scope: SCOPE,
    state: DEMO_STATE,
    code_challenge: DEMO_CODE_CHALLENGE,
    code_challenge_method: "S256",
  });
  return `${baseUrl}/api/oauth/authorize?${query.toString()}`;
}
