/** What the app asks other services for: tasks of a planner, and newer versions. Loaded after the list. */
import type { Fetch, SyncClient } from "trellis/client";
import type { Config } from "./config.ts";
import type { LogEntry } from "./frame.ts";
import type { HabitData } from "./habit.ts";
import { createPlanner, type ImportedTasks, type Planner } from "./planner.ts";
import { createUpdates, type UpdateListener, type Updates } from "./updates.ts";

export interface BackgroundOptions {
  readonly config: Config;
  readonly sync: SyncClient;
  readonly data: HabitData;
  readonly fetch: Fetch;
  readonly log: (entry: LogEntry) => void;
}

export interface Background {
  readonly planner: Planner | null;
  readonly updates: Updates | null;
}

export function startBackground({ config, log, ...options }: BackgroundOptions): Background {
  const { storageName, events, release } = config;
  const onImport = ({ count, mayHaveMore }: ImportedTasks) => {
    if (count > 0) log({ event: "imported", count });
    if (mayHaveMore) log({ event: "may-have-more" });
  };
  const listener: UpdateListener = {
    onOffer: (version) => log({ event: "update-offered", version }),
    onManifestError: (reason) => log({ event: "update-refused", reason }),
  };
  return {
    planner:
      events === null ? null : createPlanner({ ...options, config: events, storageName, onImport }),
    updates: release === null ? null : createUpdates(release, storageName, options.fetch, listener),
  };
}
