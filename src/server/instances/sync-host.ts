/** Many personal instances in one process: the host of a request chooses the instance (decision 30). */
import type { HttpService } from "../../http/create-http-service.ts";
import { handleFetch } from "../../http/fetch.ts";
import type { RawRequest } from "../../http/request.ts";
import type { RequestLines, RequestLog } from "../../http/request-log.ts";
import type { HttpResponse } from "../../http/response.ts";
import { guardNotices } from "../../http/stored-service.ts";
import type { Administration } from "../../sync/administration.ts";
import { createPushReaders } from "../../sync/push-readers.ts";
import type { PutBackFindings } from "../../sync/sql/put-back-watch.ts";
import { runBackupInThread } from "../backups/run-in-thread.ts";
import type {
  InstanceSettings,
  InstancesByName,
  SyncConfiguration,
} from "../configuration-schema.ts";
import { openKeyedSyncStore } from "../stored-sync.ts";
import type { ServiceObservers } from "../service-observers.ts";
import { startInstanceBackups } from "./back-up-instances.ts";
import { securityEventOf, type HostNotice } from "./host-notice.ts";
import { createHostTable } from "./host-table.ts";
import { resolveInstance, type Instance } from "./instance.ts";
import { startMaintenance } from "./maintain-instances.ts";
import { openInstance, type OpenInstance } from "./open-instance.ts";
import { AllInUseError, createOpenInstances } from "./open-instances.ts";
import { createRefusingService, HOST_ERRORS, type HostError } from "./refuse-request.ts";
import { watchBody } from "./watch-body.ts";
import { createInstancesWatch } from "./watch-instances.ts";

export interface HostSettings {
  readonly sync: SyncConfiguration;
  readonly dataDir: string;
  readonly instances: InstancesByName;
  /** Whether an instance without a folder is a new one; else a command makes the folder. */
  readonly createsFolders: boolean;
  readonly trustedProxies: readonly string[];
  /** How long a snapshot may wait for its client. */
  readonly streamIdleTimeoutMs: number;
  readonly idleMs?: number;
  /** The log of an instance; null for requests that reach none. */
  log(instance: string | null): RequestLog | RequestLines | undefined;
  onNotice(notice: HostNotice, instance: string): void;
  readonly observers?: ServiceObservers;
}

export interface InstanceState {
  readonly name: string;
  readonly settings: InstanceSettings;
}

/** What a host counts, for metrics. */
export interface HostCounts {
  readonly instances: number;
  readonly open: number;
  readonly inUse: number;
}

export interface RunningHost {
  readonly http: HttpService;
  fetch(request: Request): Promise<Response>;
  /** The instances from now on. Those that are gone, suspended or changed are closed. */
  replaceInstances(instances: InstancesByName): Promise<void>;
  listInstances(): InstanceState[];
  /** Opens an instance as a request does. Rejects when there is none of this name. */
  use<T>(name: string, work: (instance: OpenInstance) => Promise<T>): Promise<T>;
  administer<T>(name: string, work: (administration: Administration) => Promise<T>): Promise<T>;
  /** Prunes and compacts the instance whose turn it is; a timer does it, spread over the day. */
  maintainNext(): Promise<string | null>;
  /** Makes the scheduled backups that are due; a timer does it. */
  backUpDue(): Promise<void>;
  /** Rejects when the store of the instance that was used last cannot be written. */
  probeWrite(): Promise<void>;
  counts(): HostCounts;
  endStreams(): void;
  close(): Promise<void>;
}

/** Longer than the pause between two refreshes of an access token, so that an app in use stays fast. */
const IDLE_MS = 10 * 60_000;
const TELL_IN_USE_MS = 60_000;

export function startSyncHost(settings: HostSettings): RunningHost {
  const { sync, dataDir, observers } = settings;
  const pushReaders = createPushReaders();
  let { instances } = settings;
  let hosts = createHostTable(instances);
  let toldInUseAt = Number.NEGATIVE_INFINITY;
  let unknownHost = createUnknownHost(instances);
  const notifyOf = (name: string) =>
    guardNotices((notice: HostNotice) => {
      const kind = securityEventOf(notice);
      if (kind !== null) observers?.metrics?.sync.countSecurityEvent(kind);
      settings.onNotice(notice, name);
    });

  const open = createOpenInstances<OpenInstance>({
    maxOpen: sync.maxOpen,
    idleMs: settings.idleMs ?? IDLE_MS,
    now: () => performance.now(),
    async open(name) {
      const notify = notifyOf(name);
      // It may be gone since it was asked for, which is no failure of it.
      const instance = resolve(name);
      try {
        return await openInstance(instance, {
          store: sync.store,
          createsFolder: settings.createsFolders,
          trustedProxies: settings.trustedProxies,
          streamIdleTimeoutMs: settings.streamIdleTimeoutMs,
          pushReaders,
          log: settings.log(name),
          observers,
          onNotice: notify,
          onFigures: (figures) => watch.note(name, figures),
          ...tellOpening(name),
        });
      } catch (error) {
        notify({ kind: "instance-failed", error });
        throw error;
      }
    },
    onCloseFailed: (name, error) => notifyOf(name)({ kind: "close-failed", error }),
  });

  /** What is noticed while a store is opened. */
  function tellOpening(name: string) {
    const notify = notifyOf(name);
    return {
      onUpgradeCopy: (file: string) => notify({ kind: "upgrade-copied", file }),
      onPutBack: ({ wasPutBack, sessionsWereRevoked }: PutBackFindings) => {
        if (!wasPutBack && !sessionsWereRevoked) return;
        notify({ kind: "put-back", wasPutBack, sessionsWereRevoked });
      },
    };
  }

  function find(name: string): Instance | null {
    const given = Object.hasOwn(instances, name) ? instances[name] : undefined;
    return given === undefined ? null : resolveInstance(name, given, sync, dataDir);
  }

  function resolve(name: string): Instance {
    const instance = find(name);
    if (instance === null) throw new Error(`There is no instance "${name}"`);
    return instance;
  }

  /** Of no instance, but with the headers that https needs where the instances have it. */
  function createUnknownHost(present: InstancesByName): HttpService {
    const isHttps = Object.values(present).some(({ baseUrl }) => baseUrl.startsWith("https:"));
    const own = isHttps ? { ...sync, baseUrl: "https://unknown.invalid" } : sync;
    const observer = observers?.requests("sync");
    return createRefusingService(HOST_ERRORS.unknownHost, own, settings.log(null), observer);
  }

  function refuse(name: string, hostError: HostError, request: RawRequest) {
    const isIntended = hostError === HOST_ERRORS.suspended;
    const meter = isIntended ? { responded() {} } : observers?.sync(name);
    const observer = meter && observers?.requests("sync", { name, meter });
    const log = settings.log(name);
    return createRefusingService(hostError, resolve(name).sync, log, observer).respond(request);
  }

  function noteFailure(name: string, error: unknown): void {
    if (!(error instanceof AllInUseError) || performance.now() - toldInUseAt < TELL_IN_USE_MS) {
      return;
    }
    toldInUseAt = performance.now();
    notifyOf(name)({ kind: "all-in-use", maxOpen: sync.maxOpen });
  }

  async function respondAt(host: string | null, request: RawRequest): Promise<HttpResponse> {
    const name = hosts.find(host);
    if (name === undefined) return unknownHost.respond(request);
    const isSuspended = () => instances[name]?.suspended === true;
    if (isSuspended()) return refuse(name, HOST_ERRORS.suspended, request);
    try {
      const used = await open.acquire(name);
      if (!isSuspended()) return await respondWith(used, request);
      // While it waited for the instance: a command may wait for the store that it has opened.
      used.release();
      void open.close(name);
      return refuse(name, HOST_ERRORS.suspended, request);
    } catch (error) {
      noteFailure(name, error);
      // It may have been removed meanwhile.
      return find(name) === null
        ? unknownHost.respond(request)
        : refuse(name, HOST_ERRORS.unavailable, request);
    }
  }

  /** A body that is a stream keeps the instance open until it ends. */
  async function respondWith(
    { value, release }: Awaited<ReturnType<typeof open.acquire>>,
    request: RawRequest,
  ): Promise<HttpResponse> {
    let body: HttpResponse["body"] = null;
    try {
      const response = await value.http.respond(request);
      ({ body } = response);
      return body instanceof ReadableStream
        ? { ...response, body: watchBody(body, release) }
        : response;
    } finally {
      if (!(body instanceof ReadableStream)) release();
    }
  }

  const use: RunningHost["use"] = async (name, work) => {
    const { value, release } = await open.acquire(name);
    try {
      return await work(value);
    } finally {
      release();
    }
  };
  const listInstances = () =>
    Object.entries(instances).map(([name, given]) => ({ name, settings: given }));
  const maintenance = startMaintenance({
    host: { listInstances, use },
    dataDir,
    onFailed: (name, error) => notifyOf(name)({ kind: "maintenance-failed", error }),
  });
  const watch = createInstancesWatch({
    dataDir,
    list: listInstances,
    readOpen(name) {
      const held = open.hold(name);
      // When its store is away, what is known of it is old.
      return (
        held &&
        held.value
          .readFigures()
          .catch(() => null)
          .finally(held.release)
      );
    },
  });
  observers?.metrics?.shared.watchInstances(watch.read);
  observers?.metrics?.sync.watchHost(() => open.counts());
  const backups =
    sync.backup === undefined
      ? null
      : startInstanceBackups({
          listNames: () => Object.keys(instances),
          find,
          async openStore({ name, dataDir: folder, sync: own }) {
            const told = tellOpening(name);
            const options = { access: "change", isSmall: true, ...told } as const;
            const store = await openKeyedSyncStore(own, folder, options);
            told.onPutBack(store);
            return store;
          },
          make: runBackupInThread,
          onNotice: (name, notice) => notifyOf(name)(notice),
        });
  const http: HttpService = {
    respond: (request) => respondAt(request.header("host"), request),
    protocolErrorResponse: (error, cause) => unknownHost.protocolErrorResponse(error, cause),
  };
  return {
    http,
    fetch: (request) => {
      const { host } = new URL(request.url);
      return handleFetch({ ...http, respond: (raw) => respondAt(host, raw) }, request);
    },
    async replaceInstances(next) {
      const stale = Object.entries(instances).filter(
        ([name, given]) => JSON.stringify(next[name]) !== JSON.stringify(given),
      );
      instances = next;
      hosts = createHostTable(next);
      unknownHost = createUnknownHost(next);
      await Promise.all(
        stale.flatMap(([name]) => [open.close(name), backups?.pause(name) ?? Promise.resolve()]),
      );
      for (const [name] of stale) {
        if (find(name) === null) observers?.metrics?.sync.forget(name);
      }
    },
    listInstances,
    maintainNext: maintenance.runNext,
    backUpDue: async () => backups?.check(),
    use,
    administer: (name, work) => use(name, ({ administration }) => work(administration)),
    async probeWrite() {
      const held = open.hold();
      try {
        await held?.value.store.probeWrite(Date.now());
      } finally {
        held?.release();
      }
    },
    counts: () => ({ instances: Object.keys(instances).length, ...open.counts() }),
    endStreams: open.endStreams,
    async close() {
      maintenance.close();
      await backups?.close();
      await open.closeAll();
      await pushReaders.close();
    },
  };
}
