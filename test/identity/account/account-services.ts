/** The services with accounts, as the cases that both must pass see them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createEventsPages } from "../../../src/events/account/web-pages.ts";
import { createAdministration as createEventsAdministration } from "../../../src/events/maintenance/administration.ts";
import type { RequestLogEntry } from "../../../src/http/request-log.ts";
import type { IdentityRecords } from "../../../src/identity/identity-records.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { STORE_KINDS, type StoreKind } from "../../database/on-both-stores.ts";
import { replaceRecords, startInstance } from "../../events/service/events-instance.ts";
import { createPlace as createEventsPlace } from "../../events/store/on-both-stores.ts";
import { createPlace as createSyncPlace } from "../../sync/operations/on-both-stores.ts";
import { startSyncService } from "../../sync/service/sync-service.ts";
import { createAccountBrowser, type AccountBrowser, type ServicePaths } from "./account-browser.ts";

export const ANNA = { username: "anna", password: "correct horse battery staple" };
export const MINUTE_MS = 60_000;
export const NOT_FRESH_MS = 15 * MINUTE_MS;
const KEY = createInstanceKey(new Uint8Array(32).fill(7));

export interface AccountsUnderTest {
  readonly paths: ServicePaths;
  readonly clock: { now: number };
  readonly log: readonly RequestLogEntry[];
  /** The kinds of the security events. */
  readEvents(): readonly string[];
  transaction<T>(work: (records: { readonly identity: IdentityRecords }) => Promise<T>): Promise<T>;
  query(sql: string): Promise<readonly object[]>;
  /** Each makes a link, and returns its secret. */
  invite(username?: string | null): Promise<string>;
  resetLink(): Promise<string>;
  signInLink(): Promise<string>;
  setPassword(password: string): Promise<void>;
  createAccount(username: string, password: string): Promise<string>;
  listLinks(): Promise<readonly { readonly id: string }[]>;
  revokeLinks(id: string | null): Promise<unknown>;
  createBrowser(userAgent?: string, address?: string): AccountBrowser;
}

export interface StartOptions {
  readonly store?: StoreKind;
  /** By default an address where browsers have passkeys. */
  readonly baseUrl?: string;
  /** Begun sign-ins in a minute. */
  readonly signInsPerMinute?: number;
  /** No account is there yet. */
  readonly isEmpty?: boolean;
  /** Whether a session that was found is still live in the transaction that changes something. */
  readonly isLive?: () => boolean;
}

export interface ServiceUnderTest {
  readonly name: "sync" | "events";
  start(t: TestContext, options?: StartOptions): Promise<AccountsUnderTest>;
}

export const SYNC_PATHS: ServicePaths = {
  origin: "http://localhost:4811",
  purpose: "trellis-sync-login",
  signInPage: "/",
  waysInPage: "/?tab=sign-in",
  forms: "/",
  signIn: "/owner/sign-in",
  signInWithPasskey: "/owner/passkey",
  password: "/owner/password",
  addPasskey: "/owner/passkeys",
  signOut: { path: "/", members: { action: "sign-out" } },
  everywhere: "signOutDevices",
  home: "/",
};

export const EVENTS_PATHS: ServicePaths = {
  origin: "http://localhost:4821",
  purpose: "trellis-events-login",
  signInPage: "/sign-in",
  waysInPage: "/account/settings",
  forms: "/account/settings",
  signIn: "/sign-in",
  signInWithPasskey: "/sign-in/passkey",
  password: "/account/settings",
  addPasskey: "/account/passkeys",
  signOut: { path: "/sign-out", members: {} },
  everywhere: "disconnectApps",
  home: "/",
};

const pathsAt = (paths: ServicePaths, baseUrl = paths.origin): ServicePaths => ({
  ...paths,
  origin: new URL(baseUrl).origin,
});

const sync: ServiceUnderTest = {
  name: "sync",
  async start(t, { store: kind = "SQLite", baseUrl, signInsPerMinute, ...options } = {}) {
    const store = await (await createSyncPlace(t, kind)).open();
    const events: string[] = [];
    const log: RequestLogEntry[] = [];
    const { isLive = () => true, isEmpty = false } = options;
    const service = await startSyncService(
      {
        ...store,
        transaction: (work, settings) =>
          store.transaction(
            (records) =>
              work({
                ...records,
                browserSessions: onlyWhile(isLive, records.browserSessions),
              }),
            settings,
          ),
      },
      {
        onNotice: (notice) => notice.kind === "security-event" && events.push(notice.event.kind),
        log: (entry) => log.push(entry),
        ...(baseUrl !== undefined && { baseUrl }),
        ...(signInsPerMinute !== undefined && {
          limits: { authorizePerMinute: signInsPerMinute },
        }),
      },
    );
    if (isEmpty) {
      await store.database.transaction((tx) => tx.query("DELETE FROM identity_accounts"));
    }
    const { administration, clock, askFrom } = service;
    const paths = pathsAt(SYNC_PATHS, baseUrl);
    return {
      paths,
      clock,
      log,
      readEvents: () => events,
      transaction: store.transaction,
      query: (sql) => store.database.query(sql),
      async invite(username = null) {
        const result = await administration.invite(username);
        assert.ok(result.kind === "done", result.kind);
        return result.link.secret;
      },
      resetLink: async () => (await administration.createResetLink())?.secret ?? "",
      signInLink: async () => (await administration.createSignInLink())?.secret ?? "",
      setPassword: async (password) => void (await administration.changePassword(password)),
      createAccount: async (...given) => (await administration.createAccount(...given)).kind,
      listLinks: administration.listLinks,
      revokeLinks: administration.revokeLinks,
      createBrowser: (userAgent, address = "192.0.2.1") =>
        createAccountBrowser(paths, askFrom(address), userAgent),
    };
  },
};

const events: ServiceUnderTest = {
  name: "events",
  async start(t, { store: kind = "SQLite", baseUrl, signInsPerMinute, ...options } = {}) {
    const { isLive = () => true, isEmpty = false } = options;
    const place = await createEventsPlace(t, kind);
    const instance = await startInstance(t, {
      place,
      instanceKey: KEY,
      pages: createEventsPages,
      accounts: isEmpty ? [] : [ANNA],
      wrapStore: replaceRecords(({ sessions }) => ({ sessions: onlyWhile(isLive, sessions) })),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(signInsPerMinute !== undefined && {
        limits: { authorize: { requests: signInsPerMinute, windowSeconds: 60 } },
      }),
    });
    const { clock, store, log, notices, ask } = instance;
    const administration = createEventsAdministration({
      store,
      instanceKey: KEY,
      now: () => clock.now,
    });
    const { database } = await place.open();
    const paths = pathsAt(EVENTS_PATHS, baseUrl);
    return {
      paths,
      clock,
      log,
      readEvents: () =>
        notices.flatMap((notice) => (notice.kind === "security-event" ? [notice.event.kind] : [])),
      transaction: store.transaction,
      query: (sql) => database.query(sql),
      async invite(username = null) {
        const result = await administration.invite([username]);
        assert.ok(result.kind === "done", result.kind);
        return result.links[0]?.secret ?? "";
      },
      resetLink: async () =>
        (await administration.createResetLink(ANNA.username, true))?.secret ?? "",
      signInLink: async () => (await administration.createSignInLink(ANNA.username))?.secret ?? "",
      setPassword: async (password) =>
        void (await administration.changePassword(ANNA.username, password, false)),
      createAccount: async (...given) => (await administration.createAccount(...given)).kind,
      listLinks: administration.listLinks,
      revokeLinks: administration.revokeLinks,
      createBrowser: (userAgent, address = "192.0.2.1") =>
        createAccountBrowser(
          paths,
          (path, init = {}) => {
            const headers = new Headers(init.headers);
            headers.set("X-Forwarded-For", address);
            return ask(path, { ...init, headers });
          },
          userAgent,
        ),
    };
  },
};

/** Sessions that have ended, for a transaction, while the function says so. */
function onlyWhile<S extends { isLive(hash: string, now: number): Promise<boolean> }>(
  isLive: () => boolean,
  sessions: S,
): S {
  return { ...sessions, isLive: async (...given) => isLive() && sessions.isLive(...given) };
}

export type StartAccounts = (options?: StartOptions) => Promise<AccountsUnderTest>;

/** Runs the case on each service with accounts. */
export function testOnBothServices(
  name: string,
  run: (start: StartAccounts, service: ServiceUnderTest) => Promise<void>,
): void {
  for (const service of [sync, events]) {
    test(`${name} (${service.name})`, (t) => run((options) => service.start(t, options), service));
  }
}

/** The same on each of the stores: for cases that are about what a statement does. */
export function testOnBothServicesAndStores(
  name: string,
  run: (start: StartAccounts, service: ServiceUnderTest) => Promise<void>,
): void {
  for (const store of STORE_KINDS) {
    testOnBothServices(`${name}, ${store}`, (start, service) =>
      run((options) => start({ store, ...options }), service),
    );
  }
}
