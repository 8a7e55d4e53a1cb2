/** A store without a database, of which the broken stores are made. */
import type { SignInItem } from "../../../src/contract/identity.ts";
import { entityIdOfRow, joinRows } from "../../../src/sync/log/entity-rows.ts";
import { createMark } from "../../../src/sync/log/cursor.ts";
import { planAppend, type LedgerEntry } from "../../../src/sync/log/plan-append.ts";
import { EMPTY_LOG_CLOCK, type LogClock } from "../../../src/rules/sync/log-clock.ts";
import { isSuperseded } from "../../../src/rules/sync/superseded.ts";
import type { EntityState } from "../../../src/rules/sync/merge.ts";
import { parseEntityState } from "../../../src/rules/sync/entity-state-text.ts";
import { parseOperation } from "../../../src/rules/sync/operation-text.ts";
import type {
  AccountRecord,
  NewChallenge,
  IdentityRecords,
  NewKnownBrowser,
  SecretRecord,
} from "../../../src/identity/identity-records.ts";
import type {
  BrowserSession,
  BrowserSessionRecords,
} from "../../../src/identity/browser-sessions.ts";
import type {
  PasskeyRecord,
  PasskeyRecords,
} from "../../../src/identity/passkeys/passkey-records.ts";
import type { SecurityCount } from "../../../src/identity/security-event.ts";
import type { RateLimitCounters } from "../../../src/http/shared-rate-limit.ts";
import type { AccountKey } from "../../../src/contract/sync/schemas.ts";
import type { KnownKeys } from "../../../src/sync/keys/key-proof.ts";
import { planKey } from "../../../src/sync/keys/plan-key.ts";
import type { FailureRecord } from "../../../src/rules/identity/throttle.ts";
import type {
  AccountKeyStore,
  DeviceSession,
  LogHead,
  LogRecords,
  MarkedHead,
  ListedDevice,
  NewAccess,
  OperationStore,
  SessionRecords,
  StreamRecord,
  StreamRecords,
  SyncStore,
} from "../../../src/sync/store.ts";

const DAY_MS = 86_400_000;

interface KnownToken extends NewKnownBrowser {
  /** A counter, equal for all tokens of a browser; 0 until it came back. */
  readonly lastUsed: number;
}

interface Records {
  accounts: AccountRecord[];
  /** In the order of adding, as are the known browsers. */
  challenges: NewChallenge[];
  knownBrowsers: KnownToken[];
  passkeys: PasskeyRecord[];
  hitsBySubject: Map<string, { readonly hits: number; readonly end: number }>;
  secretsByHash: Map<string, SecretRecord & { readonly usedAt: number | null }>;
  failuresBySubject: Map<string, FailureRecord>;
  securityCounts: SecurityCount[];
  /** In the order of adding. */
  signIns: (SignInItem & { readonly accountId: string; readonly firstAt: number })[];
  sessions: ListedDevice[];
  browserSessions: Omit<BrowserSession, "username">[];
  tokens: (NewAccess & { readonly family: string })[];
  generation: string;
  history: string | null;
  /** How often the log was cleared. */
  clearings: number;
  streams: (StreamRecord & { readonly expiresAt: number })[];
}

/** The disk of this store. */
export interface Memory {
  records: Records;
  readonly log: { readonly offset: number; readonly text: string }[];
  readonly days: Map<number, number>;
  readonly ledger: Map<string, LedgerEntry>;
  /** The rows of all states, by their ids. */
  readonly rowsById: Map<string, string>;
  readonly keys: AccountKey[];
  head: LogHead;
  clock: LogClock;
  /** Of each commit, with its last offset. */
  readonly marks: { readonly offset: number; readonly mark: string }[];
  /** The last transaction, which the next one waits for. */
  lastWork: Promise<unknown>;
  /** Of every process. */
  readonly watchers: Set<() => void>;
}

export function createMemory(): Memory {
  const generation = crypto.randomUUID();
  return {
    records: {
      accounts: [],
      challenges: [],
      knownBrowsers: [],
      passkeys: [],
      hitsBySubject: new Map(),
      secretsByHash: new Map(),
      failuresBySubject: new Map(),
      securityCounts: [],
      signIns: [],
      sessions: [],
      browserSessions: [],
      tokens: [],
      generation,
      history: null,
      clearings: 0,
      streams: [],
    },
    log: [],
    days: new Map(),
    ledger: new Map(),
    rowsById: new Map(),
    keys: [],
    head: { generation, headOffset: 0, compactionFloor: 0 },
    clock: EMPTY_LOG_CLOCK,
    marks: [{ offset: 0, mark: createMark(null) }],
    lastWork: Promise.resolve(),
    watchers: new Set(),
  };
}

export function openMemoryStore(memory: Memory): SyncStore {
  /** Changes a copy, which replaces the records when `work` resolves. */
  const change = <T>(work: (records: Records) => Promise<T>): Promise<T> => {
    const running = memory.lastWork.then(async () => {
      const copy = structuredClone(memory.records);
      const result = await work(copy);
      if (copy.clearings > memory.records.clearings) clearLog(memory);
      memory.records = copy;
      memory.head = { ...memory.head, generation: copy.generation };
      notify(memory);
      return result;
    });
    memory.lastWork = running.catch(() => {});
    return running;
  };
  return {
    transaction: (work) =>
      change((records) =>
        work({
          identity: createIdentity(records),
          sessions: createSessions(records),
          browserSessions: createBrowserSessions(records),
          log: createLog(records),
          rateLimitCounters: createCounters(records),
          streams: createStreams(records),
        }),
      ),
    async findAccess(tokenHash, now) {
      const token = memory.records.tokens.find(({ hash }) => hash === tokenHash);
      const session = memory.records.sessions.find(({ family }) => family === token?.family);
      return token !== undefined && now < token.expiresAt && session && isAlive(session, now)
        ? { session: withoutName(session), accessExpiresAt: token.expiresAt }
        : null;
    },
    async findBrowserSession(wanted, now) {
      const session = memory.records.browserSessions.find(
        ({ sessionHash }) => sessionHash === wanted,
      );
      return session !== undefined && isAlive(session, now)
        ? { ...session, username: nameOf(memory.records, session.accountId) }
        : null;
    },
    findKnownBrowsers: (hashes, now) =>
      createIdentity(memory.records).findKnownBrowsers(hashes, now),
    readFailures: (subjects) => createIdentity(memory.records).readFailures(subjects),
    hasAccount: async () => memory.records.accounts.length > 0,
    readUsage: async (from) => ({
      bytes: null,
      days: [...memory.days]
        .filter(([startsAt]) => startsAt > from - DAY_MS)
        .sort(([a], [b]) => a - b)
        .map(([startsAt, operations]) => ({ startsAt, operations })),
    }),
    listFamilies: async (now) =>
      memory.records.sessions
        .filter((session) => isAlive(session, now))
        .map(({ family }) => family),
    watch(onChange) {
      // Another object for each watch, also of one listener.
      const watcher = () => onChange();
      memory.watchers.add(watcher);
      return { close: async () => void memory.watchers.delete(watcher) };
    },
    operations: createOperations(memory),
    keys: createKeys(memory),
    async ping() {},
    async probeWrite() {},
    prune: (now) => change((records) => prune(records, now)),
    async close() {},
  };
}

function clearLog({ log, days, ledger, rowsById, keys, marks, head }: Memory): void {
  log.length = 0;
  keys.length = 0;
  for (const map of [days, ledger, rowsById]) map.clear();
  marks.splice(0, marks.length, { offset: head.headOffset, mark: createMark(null) });
}

function notify({ watchers }: Memory): void {
  for (const watcher of watchers) watcher();
}

/** The states of all entities, by id. */
function listStates(rowsById: ReadonlyMap<string, string>): [entityId: string, state: string][] {
  const groups = Map.groupBy(rowsById, ([rowId]) => entityIdOfRow(rowId));
  return [...groups]
    .map(([id, rows]): [string, string] => [id, joinRows(rows.map(([, text]) => text))])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function isOwner(state: EntityState, text: string): boolean {
  const operation = parseOperation(text);
  return operation.entityId === state.entityId && !isSuperseded(state, operation);
}

/** Removes superseded operations. */
export function compactMemory({ log, rowsById }: Memory): void {
  const states = new Map(listStates(rowsById));
  const kept = log.filter(({ text }) => {
    const operation = parseOperation(text);
    const state = states.get(operation.entityId);
    return state === undefined || !isSuperseded(parseEntityState(state), operation);
  });
  log.splice(0, log.length, ...kept);
}

function createKeys(memory: Memory): AccountKeyStore {
  return {
    async *list() {
      yield* memory.keys;
    },
    // Without an await, so that it is atomic.
    async add(record, proof) {
      const { keys, records } = memory;
      if (isClosed(records)) return { kind: "cleared" };
      const same = keys.find(({ keyId }) => keyId === record.keyId);
      const { length } = keys;
      const characters = keys.reduce((sum, one) => sum + sizeOf(one), 0);
      const plan = planKey(record, proof, { ...knownKeys(memory), length, characters, same });
      if (plan.kind === "repeated") return { ...plan, keyId: keys.at(-1)?.keyId ?? "" };
      if (plan.kind !== "added") return plan;
      keys.push(record);
      notify(memory);
      return { ...plan, keyId: record.keyId };
    },
  };
}

function sizeOf({ keys, from = "" }: AccountKey): number {
  return keys.length + from.length;
}

function knownKeys({ keys }: Memory): KnownKeys {
  const last = keys.at(-1);
  return {
    current: last === undefined ? null : { keyId: last.keyId, writeHash: last.write },
    has: (wanted) => keys.some(({ keyId }) => keyId === wanted),
  };
}

function isClosed({ sessions, clearings }: Records): boolean {
  return clearings > 0 && sessions.length === 0;
}

function createOperations(memory: Memory): OperationStore {
  const { log, ledger, rowsById, marks } = memory;
  const markAt = (place: number) => marks.find(({ offset }) => offset >= place)?.mark ?? null;
  const readHead = (): MarkedHead => ({
    ...memory.head,
    mark: markAt(memory.head.headOffset) ?? "",
    keyId: memory.keys.at(-1)?.keyId ?? null,
  });
  return {
    // Without an await, so that it is atomic.
    async append(operations, now, proof = null) {
      if (isClosed(memory.records)) return { kind: "cleared" };
      const mark = createMark(memory.records.history);
      const { headOffset } = memory.head;
      const place = { headOffset, clock: memory.clock, mark, keys: knownKeys(memory), proof };
      const plan = planAppend(operations, ledger, rowsById, place);
      if (plan.kind !== "plan") return plan;
      for (const { offset, operationId, text } of plan.added) {
        log.push({ offset, text });
        ledger.set(operationId, { offset, mark, text, contentHash: "" });
      }
      for (const [id, state] of plan.states) rowsById.set(id, state);
      memory.head = { ...memory.head, headOffset: plan.headOffset };
      memory.clock = plan.clock;
      if (plan.added.length > 0) {
        marks.push({ offset: plan.headOffset, mark });
        const day = now - (now % DAY_MS);
        memory.days.set(day, (memory.days.get(day) ?? 0) + plan.added.length);
      }
      notify(memory);
      return { kind: "stored", generation: memory.head.generation, receipts: plan.receipts };
    },
    head: async () => readHead(),
    async page(after, limit) {
      const head = readHead();
      const rest = log.filter(({ offset }) => offset > after);
      const endOf = (place = 0) => marks.find(({ offset }) => offset >= place)?.offset;
      const isInside = (count: number) =>
        rest[count] !== undefined && endOf(rest[count - 1]?.offset) === endOf(rest[count].offset);
      let count = Math.min(limit, rest.length);
      while (count > 0 && isInside(count)) count--;
      const endsInside = count === 0 && rest.length > 0;
      const rows = rest.slice(0, endsInside ? limit : count);
      const end = rows.length < rest.length ? (rows.at(-1)?.offset ?? after) : head.headOffset;
      const lastOffset = Math.max(after, end);
      return {
        ...head,
        text: rows.map(({ text }) => text).join(","),
        count: rows.length,
        lastOffset,
        lastMark: markAt(lastOffset) ?? head.mark,
        afterMark: markAt(after),
        endsInside,
      };
    },
    async *snapshot() {
      const head = readHead();
      const states = listStates(rowsById);
      if (states.length === 0) yield { head, state: null };
      for (const [, state] of states) yield { head, state };
    },
    async *sealedSnapshot() {
      const head = readHead();
      const states = listStates(rowsById);
      if (states.length === 0) yield { head, entity: null };
      for (const [, state] of states) {
        const owned = log.filter(({ text }) => isOwner(parseEntityState(state), text));
        yield { head, entity: { state, operations: owned.map(({ text }) => text) } };
      }
    },
  };
}

function createIdentity(records: Records): IdentityRecords {
  const { challenges, secretsByHash, failuresBySubject } = records;
  return {
    findAccount: async (name) => records.accounts.find(({ username }) => username === name) ?? null,
    listAccounts: async () => records.accounts,
    addAccount: async (account) =>
      records.accounts.length === 0 && records.accounts.push(account) > 0,
    async replaceVerifier(id, sealedVerifier, passwordChangedAt, hasPassword = true) {
      records.accounts = records.accounts.map((account) =>
        account.accountId === id
          ? { ...account, sealedVerifier, passwordChangedAt, hasPassword }
          : account,
      );
    },
    async addChallenge(challenge, { maxLive, maxKnown }) {
      challenges.push(challenge);
      for (;;) {
        const known = challenges.filter(({ client }) => client.isKnown).length;
        if (known <= maxKnown && challenges.length <= maxLive) return;
        const isKnown = known > maxKnown || known === challenges.length;
        const evicted = findEvicted(challenges.filter(({ client }) => client.isKnown === isKnown));
        challenges.splice(challenges.indexOf(evicted), 1);
      }
    },
    async removeChallenges(name) {
      const others = challenges.filter(({ username }) => username !== name);
      challenges.splice(0, challenges.length, ...others);
    },
    async takeChallenge(id) {
      const index = challenges.findIndex(({ challengeId }) => challengeId === id);
      const [taken] = index === -1 ? [] : challenges.splice(index, 1);
      if (taken === undefined) return null;
      const { client: _, ...challenge } = taken;
      return challenge;
    },
    async addSecret(secret) {
      secretsByHash.set(secret.hash, { ...secret, usedAt: null });
    },
    async addUsedSecret(secret, now) {
      if (secretsByHash.has(secret.hash)) return false;
      secretsByHash.set(secret.hash, { ...secret, usedAt: now });
      return true;
    },
    async consumeSecret(hash, purpose, now) {
      const secret = secretsByHash.get(hash);
      if (secret?.purpose !== purpose) return null;
      const { bound, expiresAt, usedAt } = secret;
      secretsByHash.set(hash, { ...secret, usedAt: usedAt ?? now });
      return { bound, expiresAt, usedBefore: usedAt };
    },
    findSecret: async (hash, purpose) =>
      listUnused(secretsByHash, purpose).find((secret) => secret.hash === hash) ?? null,
    listSecrets: async (purpose) =>
      listUnused(secretsByHash, purpose).toSorted(
        (a, b) => a.expiresAt - b.expiresAt || (a.hash < b.hash ? -1 : 1),
      ),
    removeSecret: async (hash, purpose) =>
      listUnused(secretsByHash, purpose).some((secret) => secret.hash === hash) &&
      secretsByHash.delete(hash),
    async removeUnusedSecrets(wanted) {
      for (const [hash, { purpose, usedAt }] of secretsByHash) {
        if (purpose === wanted && usedAt === null) secretsByHash.delete(hash);
      }
    },
    findKnownBrowsers: async (hashes, now) =>
      records.knownBrowsers
        .filter(({ hash, expiresAt }) => hashes.includes(hash) && now < expiresAt)
        .map(({ lastUsed: _lastUsed, ...token }) => ({
          ...token,
          username: nameOf(records, token.accountId),
        })),
    async addKnownBrowser(browser, { maxTokens, maxUnconfirmed }) {
      const ofBrowser = tokensOf(records, browser);
      const evicted = ofBrowser.slice(1, Math.max(1, ofBrowser.length + 2 - maxTokens));
      const lastUsed = ofBrowser[0]?.lastUsed ?? 0;
      records.knownBrowsers.push({ ...browser, lastUsed });
      const unconfirmed = records.knownBrowsers.filter(
        ({ accountId, lastUsed: used }) => accountId === browser.accountId && used === 0,
      );
      const first = Math.floor(maxUnconfirmed / 2);
      const excess = Math.max(0, unconfirmed.length - maxUnconfirmed);
      evicted.push(...unconfirmed.slice(first, first + excess));
      records.knownBrowsers = records.knownBrowsers.filter((known) => !evicted.includes(known));
    },
    async confirmKnownBrowser(browser, { maxConfirmed }) {
      const own = tokensOf(records, browser);
      const earlier = new Set(
        own.slice(
          0,
          own.findIndex(({ hash }) => hash === browser.hash),
        ),
      );
      const lastUsed = Math.max(...records.knownBrowsers.map((token) => token.lastUsed)) + 1;
      const kept = records.knownBrowsers
        .filter((token) => !earlier.has(token))
        .map((token) => (own.includes(token) ? { ...token, lastUsed } : token));
      const latestFirst = kept
        .filter(({ accountId, lastUsed: used }) => accountId === browser.accountId && used > 0)
        .sort((a, b) => b.lastUsed - a.lastUsed);
      const confirmed = [...new Set(latestFirst.map(({ browserId }) => browserId))];
      const evicted = new Set(confirmed.slice(maxConfirmed));
      records.knownBrowsers = kept.filter(({ browserId }) => !evicted.has(browserId));
    },
    async limitKnownBrowser(wanted, expiresAt) {
      records.knownBrowsers = records.knownBrowsers.map((token) =>
        token.hash === wanted
          ? { ...token, expiresAt: Math.min(token.expiresAt, expiresAt) }
          : token,
      );
    },
    async removeKnownBrowsers(wanted) {
      records.knownBrowsers = records.knownBrowsers.filter(({ accountId }) => accountId !== wanted);
    },
    ...createPasskeys(records),
    readFailures: async (subjects) =>
      new Map([...failuresBySubject].filter(([subject]) => subjects.includes(subject))),
    async writeFailure(subject, record) {
      failuresBySubject.set(subject, record);
    },
    async clearFailures(subjects) {
      for (const subject of subjects) failuresBySubject.delete(subject);
    },
    async noteSignIn(accountId, signIn, { maxEach, windowMs }) {
      const isOfWindow = (known: (typeof records.signIns)[number]) =>
        known.result === "refused" &&
        known.network === signIn.network &&
        known.firstAt > signIn.at - windowMs;
      const counted = signIn.result === "refused" ? records.signIns.find(isOfWindow) : undefined;
      if (counted !== undefined) {
        const tries = counted.tries + 1;
        records.signIns = records.signIns.map((known) =>
          known === counted ? { ...known, ...signIn, tries } : known,
        );
        return;
      }
      records.signIns.push({ ...signIn, accountId, tries: 1, firstAt: signIn.at });
      const alike = records.signIns.filter(({ result }) => result === signIn.result);
      const evicted = new Set(alike.slice(0, Math.max(0, alike.length - maxEach)));
      records.signIns = records.signIns.filter((known) => !evicted.has(known));
    },
    listSignIns: async (wanted) =>
      records.signIns
        .filter(({ accountId }) => accountId === wanted)
        .map(({ accountId: _account, firstAt: _first, ...signIn }) => signIn)
        .sort((a, b) => b.at - a.at),
    async removeAll() {
      for (const map of [secretsByHash, failuresBySubject]) map.clear();
      const { accounts, knownBrowsers, passkeys, signIns, browserSessions } = records;
      for (const list of [
        challenges,
        accounts,
        knownBrowsers,
        passkeys,
        signIns,
        browserSessions,
      ]) {
        list.length = 0;
      }
    },
    async countSecurityEvent(kind, lastAt) {
      const known = records.securityCounts.find((count) => count.kind === kind);
      records.securityCounts = [
        ...records.securityCounts.filter((count) => count !== known),
        { kind, total: (known?.total ?? 0) + 1, lastAt },
      ];
    },
    listSecurityCounts: async () => records.securityCounts,
  };
}

function createPasskeys(records: Records): PasskeyRecords {
  const ofAccount = (id: string) => records.passkeys.filter(({ accountId }) => accountId === id);
  const replace = (wanted: string, given: Partial<PasskeyRecord>) => {
    records.passkeys = records.passkeys.map((passkey) =>
      passkey.credentialId === wanted ? { ...passkey, ...given } : passkey,
    );
  };
  const remove = (removed: readonly PasskeyRecord[]) => {
    records.passkeys = records.passkeys.filter((passkey) => !removed.includes(passkey));
    return removed.length;
  };
  const find = (id: string, wanted: string) =>
    ofAccount(id).filter(({ credentialId }) => credentialId === wanted);
  return {
    async findPasskey(wanted) {
      const passkey = records.passkeys.find(({ credentialId }) => credentialId === wanted);
      return passkey ? { ...passkey, username: nameOf(records, passkey.accountId) } : null;
    },
    listPasskeys: async (id) =>
      ofAccount(id).sort(
        (a, b) => a.createdAt - b.createdAt || (a.credentialId < b.credentialId ? -1 : 1),
      ),
    addPasskey: async (passkey) =>
      records.passkeys.every(({ credentialId }) => credentialId !== passkey.credentialId) &&
      records.passkeys.push(passkey) > 0,
    usePasskey: async (wanted, counter, lastUsedAt) => replace(wanted, { counter, lastUsedAt }),
    async renamePasskey(id, wanted, name) {
      if (find(id, wanted).length === 0) return false;
      replace(wanted, { name });
      return true;
    },
    removePasskey: async (id, wanted) => remove(find(id, wanted)) > 0,
    removePasskeys: async (id) => remove(ofAccount(id)),
  };
}

/** The first of the narrowest group that has most, in the wider ones that have most. */
function findEvicted(challenges: readonly NewChallenge[]): NewChallenge {
  let left = challenges;
  for (const level of [0, 1, 2] as const) {
    const counts = new Map<string, number>();
    for (const { client } of left) {
      counts.set(client.groups[level], (counts.get(client.groups[level]) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const first = left.find(({ client }) => counts.get(client.groups[level]) === most);
    left = left.filter(({ client }) => client.groups[level] === first?.client.groups[level]);
  }
  const [evicted] = left;
  if (evicted === undefined) throw new Error("There is no challenge to evict");
  return evicted;
}

/** In the order of adding. */
function tokensOf(records: Records, { accountId, browserId }: NewKnownBrowser): KnownToken[] {
  return records.knownBrowsers.filter(
    (token) => token.accountId === accountId && token.browserId === browserId,
  );
}

function listUnused(secretsByHash: Records["secretsByHash"], wanted: string): SecretRecord[] {
  return [...secretsByHash.values()]
    .filter(({ purpose, usedAt }) => purpose === wanted && usedAt === null)
    .map(({ usedAt: _unused, ...secret }) => secret);
}

function nameOf({ accounts }: Records, wanted: string): string {
  return accounts.find(({ accountId }) => accountId === wanted)?.username ?? "";
}

function createCounters({ hitsBySubject }: Records): RateLimitCounters {
  return {
    async take(subject, { start, end }, wanted, limit) {
      const key = `${start} ${subject}`;
      const hits = hitsBySubject.get(key)?.hits ?? 0;
      hitsBySubject.set(key, { hits: hits + wanted, end });
      return Math.max(0, Math.min(wanted, limit - hits));
    },
  };
}

function createLog(records: Records): LogRecords {
  return {
    readHistory: async () => records.history,
    async nameHistory(name) {
      records.history = name;
    },
    async beginGeneration() {
      records.generation = crypto.randomUUID();
    },
    async clear() {
      records.generation = crypto.randomUUID();
      records.history = null;
      records.clearings++;
    },
  };
}

function createSessions(records: Records): SessionRecords {
  const end = (isEnded: (session: DeviceSession) => boolean): number => {
    const ended = records.sessions.filter(isEnded);
    const families = new Set(ended.map(({ family }) => family));
    records.sessions = records.sessions.filter((session) => !isEnded(session));
    records.tokens = records.tokens.filter(({ family }) => !families.has(family));
    return ended.length;
  };
  return {
    async open(session, given = null) {
      const isReplaced = ({ deviceId }: DeviceSession) => deviceId === session.deviceId;
      const name = records.sessions.find(isReplaced)?.name ?? given;
      end(isReplaced);
      records.sessions.push({ ...session, name });
    },
    async find(wanted) {
      const found = records.sessions.find(({ family }) => family === wanted);
      return found === undefined ? null : withoutName(found);
    },
    async renew(renewed) {
      records.sessions = records.sessions.map((session) =>
        session.family === renewed.family ? { ...session, ...renewed } : session,
      );
    },
    async addAccess(family, access) {
      records.tokens.push({ ...access, family });
    },
    revokeFamily: async (wanted) => end(({ family }) => family === wanted) > 0,
    revokeDevice: async (wanted) => end(({ deviceId }) => deviceId === wanted) > 0,
    revokeAll: async () => end(() => true),
    list: async (now) =>
      records.sessions
        .filter((session) => isAlive(session, now))
        .sort((a, b) => b.createdAt - a.createdAt),
    async nameDevice(wanted, name) {
      const isNamed = records.sessions.some(({ deviceId }) => deviceId === wanted);
      records.sessions = records.sessions.map((session) =>
        session.deviceId === wanted ? { ...session, name } : session,
      );
      return isNamed;
    },
  };
}

function withoutName(device: ListedDevice): DeviceSession {
  const { name: _, ...session } = device;
  return session;
}

function createBrowserSessions(records: Records): BrowserSessionRecords {
  const keep = (isKept: (session: Omit<BrowserSession, "username">) => boolean): number => {
    const before = records.browserSessions.length;
    records.browserSessions = records.browserSessions.filter(isKept);
    return before - records.browserSessions.length;
  };
  return {
    isLive: async (wanted, now) =>
      records.browserSessions.some(
        ({ sessionHash, idleExpiresAt, absoluteExpiresAt }) =>
          sessionHash === wanted && Math.min(idleExpiresAt, absoluteExpiresAt) > now,
      ),
    async open(session) {
      records.browserSessions.push(session);
    },
    async touch(wanted, idleExpiresAt) {
      records.browserSessions = records.browserSessions.map((session) =>
        session.sessionHash === wanted ? { ...session, idleExpiresAt } : session,
      );
    },
    close: async (wanted) => keep(({ sessionHash }) => sessionHash !== wanted) > 0,
    list: async (wanted, now) =>
      records.browserSessions
        .filter((session) => session.accountId === wanted && isAlive(session, now))
        .sort((a, b) => b.createdAt - a.createdAt),
    closeAll: async (wanted) => keep(({ accountId }) => accountId !== wanted),
  };
}

function createStreams(records: Records): StreamRecords {
  const without = (ids: readonly string[]) =>
    records.streams.filter(({ streamId }) => !ids.includes(streamId));
  return {
    async open(stream, { expiresAt, now, limits }) {
      const alive = records.streams.filter((open) => now < open.expiresAt);
      const own = alive.filter(({ deviceId }) => deviceId === stream.deviceId);
      if (alive.length >= limits.perInstance || own.length >= limits.perDevice) return false;
      records.streams.push({ ...stream, expiresAt });
      return true;
    },
    async renew(streams, expiresAt) {
      const renewed = streams.map((stream) => ({ ...stream, expiresAt }));
      records.streams = [...without(streams.map(({ streamId }) => streamId)), ...renewed];
    },
    async close(streamIds) {
      records.streams = without(streamIds);
    },
  };
}

async function prune(records: Records, now: number): Promise<void> {
  const { secretsByHash, failuresBySubject, hitsBySubject } = records;
  for (const [key, { end }] of hitsBySubject) if (end <= now) hitsBySubject.delete(key);
  records.challenges = records.challenges.filter(({ expiresAt }) => now < expiresAt);
  records.knownBrowsers = records.knownBrowsers.filter(({ expiresAt }) => now < expiresAt);
  records.sessions = records.sessions.filter((session) => isAlive(session, now));
  records.browserSessions = records.browserSessions.filter((session) => isAlive(session, now));
  records.signIns = records.signIns.filter(({ at }) => now < at + 90 * DAY_MS);
  records.tokens = records.tokens.filter(
    ({ family, expiresAt }) =>
      now < expiresAt && records.sessions.some((session) => session.family === family),
  );
  records.streams = records.streams.filter(({ expiresAt }) => now < expiresAt);
  for (const [hash, { keepUntil }] of secretsByHash) {
    if (keepUntil <= now) secretsByHash.delete(hash);
  }
  for (const [subject, { lastFailureAt }] of failuresBySubject) {
    if (lastFailureAt + DAY_MS <= now) failuresBySubject.delete(subject);
  }
}

function isAlive(
  { idleExpiresAt, absoluteExpiresAt }: Pick<DeviceSession, "idleExpiresAt" | "absoluteExpiresAt">,
  now: number,
): boolean {
  return now < idleExpiresAt && now < absoluteExpiresAt;
}
