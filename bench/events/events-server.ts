/** `trellis serve events` as a process on a store of its own, with a connected app. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventsTokenResponse } from "../../src/contract/events/schemas.ts";
import { FORM_TYPE, SCOPE } from "../../src/contract/events/values.ts";
import { createAdministration } from "../../src/events/maintenance/administration.ts";
import { createGrants } from "../../src/events/oauth/grants.ts";
import type { EventsRecords, StoredEvent } from "../../src/events/store.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { createSecurityLog } from "../../src/identity/security-log.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { openEventsStore } from "../../src/events/sql/open-store.ts";
import { createFolder } from "../create-folder.ts";
import { freePort, startService, type RunningService } from "../processes.ts";
import type { EventsStoreKind } from "./store-kinds.ts";

export interface EventsHome {
  readonly folder: string;
  /** The path of the configuration. */
  readonly config: string;
  readonly port: number;
  /** The address of the store. */
  readonly store: string;
  readonly kind: EventsStoreKind;
  readonly accountId: string;
  remove(): Promise<void>;
}

export const USERNAME = "owner";
const PASSWORD = "a password for the bench";
const APP = { id: "bench", name: "Bench", redirectUris: ["http://localhost:43823/callback"] };
const VERIFIER = "a-verifier-of-at-least-forty-three-characters-000";
export const SOURCE_ID = "planner";

/** A store with the account, and a configuration. */
export async function createHome(kind: EventsStoreKind): Promise<EventsHome> {
  const { path: folder, remove } = await createFolder();
  const store = await kind.createAddress(folder);
  const opened = await openEventsStore(store, folder);
  const instanceKey = openInstanceKey(keyPath(folder));
  const administration = createAdministration({ store: opened, instanceKey });
  const made = await administration.createAccount(USERNAME, PASSWORD);
  await opened.close();
  if (made.kind !== "done") throw new Error(`The account was not made: ${made.kind}`);
  const { accountId } = made.account;
  return { folder, store, kind, accountId, remove, ...(await writeConfiguration(folder, store)) };
}

/** Adds another server for the same store. */
export async function addServer(home: EventsHome): Promise<EventsHome> {
  return { ...home, ...(await writeConfiguration(home.folder, home.store)) };
}

/** Writes a configuration with a port of its own, and with rate limits that are never reached. */
async function writeConfiguration(folder: string, store: string) {
  const port = await freePort();
  const config = join(folder, `trellis-${port}.config.json`);
  const perMinute = 1_000_000;
  const events = {
    listen: { port },
    baseUrl: `http://localhost:${port}`,
    clients: [APP],
    limits: {
      authorizePerMinute: perMinute,
      tokenPerMinute: perMinute,
      eventsPerMinute: perMinute,
    },
    store,
    instanceKeyFile: keyPath(folder),
  };
  await writeFile(config, JSON.stringify({ dataDir: folder, events }));
  return { port, config };
}

function keyPath(folder: string): string {
  return join(folder, "instance.key");
}

export function fillHome(home: EventsHome, events: readonly StoredEvent[]): Promise<void> {
  return home.kind.fill(home.store, home.accountId, SOURCE_ID, events);
}

export interface EventsServer extends RunningService {
  readonly port: number;
  readonly token: string;
  /** Requests that redeem a new code each. They must be sent within a minute. */
  createTokenRequests(count: number): Promise<string[]>;
}

export async function startEventsServer(
  home: EventsHome,
  words: readonly string[] = [],
): Promise<EventsServer> {
  const { config, port, kind } = home;
  const healthUrl = `http://127.0.0.1:${port}/health`;
  const started = await startService("events", config, healthUrl, kind.roles.server, words);
  const codes = await openCodes(home);
  const [code = ""] = await codes.issue(1);
  const response = await fetch(`http://127.0.0.1:${port}/api/oauth/token`, {
    method: "POST",
    headers: { "Content-Type": FORM_TYPE },
    body: tokenForm(code),
  });
  if (response.status !== 200) throw new Error(`The token request got ${response.status}`);
  const { access_token: token } = (await response.json()) as EventsTokenResponse;
  return {
    ...started,
    port,
    token,
    createTokenRequests: async (count) => (await codes.issue(count)).map(tokenRequest),
    async stop() {
      await codes.close();
      await started.stop();
    },
  };
}

/** Makes codes beside the server, as a consent would have made them. */
async function openCodes({ folder, store: address, accountId }: EventsHome) {
  const store = await openEventsStore(address, folder);
  const now = Date.now;
  const security = createSecurityLog<EventsRecords>({ store, onEvent: undefined, now });
  const grants = createGrants({ store, security, randomBytes, clients: [APP], now });
  const request = {
    clientId: APP.id,
    redirectUri: APP.redirectUris[0] ?? "",
    state: null,
    codeChallenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    scope: SCOPE,
  };
  return {
    issue: (count: number) =>
      store.transaction(async (records) => {
        const codes: string[] = [];
        while (codes.length < count) {
          codes.push(await grants.issueCode(records, accountId, request));
        }
        return codes;
      }),
    close: () => store.close(),
  };
}

function tokenForm(code: string): string {
  return new URLSearchParams({
    grant_type: "authorization_code",
    code,
    client_id: APP.id,
    redirect_uri: APP.redirectUris[0] ?? "",
    code_verifier: VERIFIER,
  }).toString();
}

function tokenRequest(code: string): string {
  const body = tokenForm(code);
  return `POST /api/oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export function listRequest({ token }: EventsServer, query: string): string {
  return `GET /api/events?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}
