/** Messages between the app and a page that shows it in a frame, both checked by origin. */
import type { SyncStatus } from "trellis/client";
import type { Language } from "./texts.ts";

export type FrameMessage =
  | { readonly type: "status"; readonly status: SyncStatus }
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
    | "update-offered";
  readonly count?: number;
  readonly cursor?: string;
  /** Why the device reads the log from the start. */
  readonly reason?: string;
  readonly version?: string;
}

export interface FrameCommands {
  setOnline(isOnline: boolean): void;
  setLanguage(language: Language): void;
  checkForUpdate(): void;
}

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
  return {
    isConnected: true,
    tell: (message) => window.parent.postMessage(message, parentOrigin),
    obey(commands) {
      addEventListener("message", ({ origin, source, data }: MessageEvent<unknown>) => {
        if (origin !== parentOrigin || source !== window.parent) return;
        run(data, commands);
      });
    },
  };
}

function run(data: unknown, { setOnline, setLanguage, checkForUpdate }: FrameCommands): void {
  if (typeof data !== "object" || data === null) return;
  const { type, isOnline, language } = data as Record<string, unknown>;
  if (type === "network" && typeof isOnline === "boolean") setOnline(isOnline);
  if (type === "language" && (language === "de" || language === "en")) setLanguage(language);
  if (type === "check-for-update") checkForUpdate();
}
