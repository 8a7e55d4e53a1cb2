/**
 * The scheduled backups of many instances: each has its own moment in the hour, the day or the week, and
 * few are made at once, so that ten thousand instances never do it together.
 */
import type { Instance } from "../configuration/instance.ts";
import { createInstanceSchedules, type InstanceScheduleSettings } from "./instance-schedules.ts";

export interface InstanceBackupSettings extends InstanceScheduleSettings {
  /** The names of all instances, also of suspended ones: what they have is not saved elsewhere. */
  listNames(): readonly string[];
  find(name: string): Instance | null;
}

export interface InstanceBackups {
  /** Makes the backups that are due, and resolves when all are made. A timer calls it. */
  check(): Promise<void>;
  /** Breaks off a backup of the instance and begins none for a while, so that a command can change it. */
  pause(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Each backup has a thread and up to 512 MB; the requests of all instances need the rest of the machine. */
const MAX_AT_ONCE = 2;
const CHECK_MS = 30_000;
/** The pause is longer than a command waits for an instance that it suspends. */
const PAUSE_MS = 2 * 60_000;
/** Times are looked up again so often, because another process or a clock may have changed them. */
const MAX_WAIT_MS = 3_600_000;

export function startInstanceBackups(settings: InstanceBackupSettings): InstanceBackups {
  const { now = Date.now } = settings;
  const schedules = createInstanceSchedules(settings);
  const nextAtByName = new Map<string, number>();
  const lanes = new Set<Promise<void>>();
  let queue: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function check(): Promise<void> {
    fillQueue();
    while (lanes.size < MAX_AT_ONCE && queue.length > 0) {
      const lane = runLane().finally(() => lanes.delete(lane));
      lanes.add(lane);
    }
    await Promise.all(lanes);
  }

  function fillQueue(): void {
    if (queue.length > 0) return;
    const listed = new Set(settings.listNames());
    for (const name of nextAtByName.keys()) {
      if (listed.has(name)) continue;
      nextAtByName.delete(name);
      schedules.forget(name);
    }
    queue = [...listed].filter((name) => isWorthALook(nextAtByName.get(name) ?? 0));
    // An instance is in one lane at a time: another check may come while it waits.
    for (const name of queue) nextAtByName.set(name, Infinity);
  }

  /** A time that is further away than any that is set was set before the clock was rolled back. */
  function isWorthALook(at: number): boolean {
    return at <= now() || (at > now() + MAX_WAIT_MS && at !== Infinity);
  }

  async function runLane(): Promise<void> {
    for (let name = takeNext(); name !== undefined; name = takeNext()) await backUp(name);
  }

  const takeNext = () => (isClosed ? undefined : queue.shift());

  async function backUp(name: string): Promise<void> {
    const isPaused = () => nextAtByName.get(name) !== Infinity;
    if (isPaused()) return;
    const instance = settings.find(name);
    const nextAt = instance === null ? null : await schedules.makeIfDue(instance);
    if (nextAt === null) nextAtByName.delete(name);
    else if (!isPaused()) nextAtByName.set(name, Math.min(nextAt, now() + MAX_WAIT_MS));
  }

  function plan(): void {
    // Several processes look at different times, so that the others find the backup of the first.
    timer = setTimeout(
      () => {
        void check();
        plan();
      },
      CHECK_MS * (0.5 + Math.random()),
    ).unref();
  }

  plan();
  // A time that was missed while the server was off is made up.
  void check();
  return {
    check,
    async pause(name) {
      nextAtByName.set(name, now() + PAUSE_MS);
      await schedules.end(name);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await schedules.endAll();
      await Promise.all(lanes);
    },
  };
}
