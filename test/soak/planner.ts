/** An honest person who imports events, and an honest app that lists them. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventList, EventsTokenResponse } from "../../src/contract/events/schemas.ts";
import { SCOPE } from "../../src/contract/events/values.ts";
import { createGrants } from "../../src/events/oauth/grants.ts";
import type { EventsRecords } from "../../src/events/store.ts";
import { createSecurityLog } from "../../src/identity/security-log.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { openEventsStore } from "../../src/events/sql/open-store.ts";
import { ACCOUNT, APP, REDIRECT_URI, type Home } from "./prepare.ts";
import { describeFailure, describeResponse, type Tally } from "./tally.ts";

const VERIFIER = "a-verifier-of-at-least-forty-three-characters-000";
const IMPORT_MS = 20_000;
const ASK_MS = 1000;
const ROWS = 5;

export interface Planner {
  work(isOver: () => boolean): Promise<void>;
  check(): Promise<{ readonly imported: number; readonly lost: readonly string[] }>;
}

export async function createPlanner(home: Home, tally: Tally): Promise<Planner> {
  const base = `http://127.0.0.1:${home.ports.events}`;
  const token = await obtainToken(home, base);
  const imported: string[] = [];

  /** A file with the next rows alone: importing adds, and deletes nothing. */
  async function importRows(round: number): Promise<void> {
    const titles = Array.from({ length: ROWS }, (_, index) => `Homework ${round}-${index}`);
    const rows = titles.map((title, index) => `${round}-${index},homework,${title},2027-01-15`);
    const file = join(home.folder, "planner.csv");
    await writeFile(file, `id,type,title,date\n${rows.join("\n")}\n`);
    const words = ["events", "import", file, "--account", ACCOUNT.username];
    try {
      await home.run([...words, "--source", "planner", "--config", home.config]);
      imported.push(...titles);
      tally.count("honest import", "done");
    } catch (error) {
      // On a full disk; the import is tried again with other rows.
      tally.count("honest import", error instanceof Error ? firstLine(error) : "failed");
    }
  }

  async function listAll(): Promise<ReadonlySet<string>> {
    const titles = new Set<string>();
    let query = "?limit=1000";
    for (;;) {
      const response = await fetch(`${base}/api/events${query}`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(20_000),
      });
      tally.count("honest app, events", await describeResponse(response.clone()));
      if (response.status !== 200) {
        if (response.status !== 503) tally.report(`The list of events was ${response.status}`);
        return titles;
      }
      const list = (await response.json()) as EventList;
      for (const { title } of list.events) if (title !== null) titles.add(title);
      const next = list.next_updated_since;
      if (!list.has_more || next === undefined) return titles;
      query = `?limit=1000&updated_since=${encodeURIComponent(next)}`;
    }
  }

  return {
    async work(isOver) {
      const importing = (async () => {
        for (let round = 0; !isOver(); round++) {
          await importRows(round);
          for (let waited = 0; waited < IMPORT_MS && !isOver(); waited += 500) await sleep(500);
        }
      })();
      while (!isOver()) {
        await listAll().catch((error: unknown) =>
          tally.count("honest app, events", describeFailure(error)),
        );
        await sleep(ASK_MS);
      }
      await importing;
    },
    async check() {
      const listed = await listAll();
      const lost = imported.filter((title) => !listed.has(title));
      return { imported: imported.length, lost };
    },
  };
}

/** As a consent would have issued it: the pages are not what is tried here. */
async function obtainToken(home: Home, base: string): Promise<string> {
  const dataDir = home.disk ?? join(home.folder, "data");
  const store = await openEventsStore(`sqlite:${join(dataDir, "events.db")}`, dataDir);
  try {
    const now = Date.now;
    const security = createSecurityLog<EventsRecords>({ store, onEvent: undefined, now });
    const grants = createGrants({ store, security, randomBytes, clients: [APP], now });
    const request = {
      clientId: APP.id,
      redirectUri: REDIRECT_URI,
      state: null,
      codeChallenge: createHash("sha256").update(VERIFIER).digest("base64url"),
      scope: SCOPE,
    };
    const code = await store.transaction(async (records) => {
      const account = await records.identity.findAccount(ACCOUNT.username);
      if (account === null) throw new Error("The account is missing");
      return grants.issueCode(records, account.accountId, request);
    });
    const response = await fetch(`${base}/api/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        client_id: APP.id,
        redirect_uri: REDIRECT_URI,
        code_verifier: VERIFIER,
      }),
    });
    if (response.status !== 200) throw new Error(`The token request returned ${response.status}`);
    return ((await response.json()) as EventsTokenResponse).access_token;
  } finally {
    await store.close();
  }
}

function firstLine({ message }: Error): string {
  return message.split("\n").find((line) => /503|space|lock|full|store/i.test(line)) ?? "failed";
}
