/** Messages between the app and a page that shows it in a frame, both checked by origin. */
import type { SyncStatus } from "trellis/client";
import type { HabitFields } from "./habit.ts";
import type { Language } from "./texts.ts";

export type FrameMessage =
  /** From now on the app hears commands. */
  | { readonly type: "ready" }
  /** The page of a service on which a person agrees; it refuses to be framed. */
  | { readonly type: "authorize"; readonly url: string }
  /** `entities` is how many the app shows. */
  | { readonly type: "status"; readonly status: SyncStatus & { readonly entities: number } }
  | ({ readonly type: "log" } & LogEntry);

export interface LogEntry {
  readonly event:
    | "pushed"
    | "pulled"
    | "merged"
    | "recovered"
    | "offline"
    | "online"
    | "signed-in"
    | "imported"
    | "may-have-more"
    | "update-offered"
    | "update-refused";
  readonly count?: number;
  /** Why the device reads the log from the start, or refused a manifest. */
  readonly reason?: string;
  readonly version?: string;
}

export interface FrameCommands {
  setOnline(isOnline: boolean): void;
  setLanguage(language: Language): void;
  checkForUpdate(): void;
  /** Without effect on a device that is signed in, or connected. */
  signIn(): void;
  connectPlanner(): void;
  /** In the place of a person who types the recovery key. */
  useKey(recoveryKey: string): void;
  importTasks(): void;
  /** As a tap on the tick of today, which takes it back when it is there. */
  tick(habitId: string): void;
  edit(habitId: string, edit: HabitEdit): void;
  /** The parent has had `authorize` done: this is where the browser was redirected to. */
  completeReturn(url: string): void;
}

/** What a page may change of a habit. */
export interface HabitEdit {
  readonly changes: Readonly<Partial<Pick<HabitFields, EditedField>>>;
  /** Changes nothing unless the habit has one of these names. */
  readonly whenNamed?: readonly string[];
}

const EDITED_FIELDS = ["name", "tone", "icon"] as const;
type EditedField = (typeof EDITED_FIELDS)[number];

export interface Frame {
  readonly isConnected: boolean;
  readonly tell: Tell;
  obey(commands: FrameCommands): void;
}

export type Tell = (message: FrameMessage) => void;

/** Without a parent origin, or outside a frame, nothing is sent or heard. */
export function connectFrame(parentOrigin: string | undefined): Frame {
  if (parentOrigin === undefined || window.parent === window) {
    return { isConnected: false, tell: () => {}, obey: () => {} };
  }
  const tell: Tell = (message) => window.parent.postMessage(message, parentOrigin);
  return {
    isConnected: true,
    tell,
    obey(commands) {
      addEventListener("message", ({ origin, source, data }: MessageEvent<unknown>) => {
        if (origin !== parentOrigin || source !== window.parent) return;
        run(data, commands);
      });
      tell({ type: "ready" });
    },
  };
}

function run(data: unknown, commands: FrameCommands): void {
  if (typeof data !== "object" || data === null) return;
  const { type, isOnline, language, url, recoveryKey, habitId, ...rest } = data as Record<
    string,
    unknown
  >;
  switch (type) {
    case "network":
      if (typeof isOnline === "boolean") commands.setOnline(isOnline);
      break;
    case "language":
      if (language === "de" || language === "en") commands.setLanguage(language);
      break;
    case "check-for-update":
      return commands.checkForUpdate();
    case "sign-in":
      return commands.signIn();
    case "connect":
      return commands.connectPlanner();
    case "use-key":
      if (typeof recoveryKey === "string") commands.useKey(recoveryKey);
      break;
    case "import":
      return commands.importTasks();
    case "callback":
      if (typeof url === "string") commands.completeReturn(url);
      break;
    case "tick":
      if (typeof habitId === "string") commands.tick(habitId);
      break;
    case "edit":
      if (typeof habitId === "string") commands.edit(habitId, readEdit(rest));
  }
}

function readEdit({ changes, whenNamed }: Readonly<Record<string, unknown>>): HabitEdit {
  const given = typeof changes === "object" && changes !== null ? changes : {};
  const known = Object.entries(given).filter(
    ([field, value]) =>
      (EDITED_FIELDS as readonly string[]).includes(field) && typeof value === "string",
  );
  return {
    changes: Object.fromEntries(known),
    ...(Array.isArray(whenNamed) && { whenNamed: whenNamed.map(String) }),
  };
}
