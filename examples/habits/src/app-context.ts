/** What every view needs. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SignInError, SyncClient, SyncStatus } from "trellis/client";
import type { AppEncryption, ServerKind } from "./encryption.ts";
import type { HabitData } from "./habit.ts";
import type { Observable } from "./observable.ts";
import type { Planner } from "./planner.ts";
import type { Preferences } from "./preferences.ts";
import type { Language, Texts } from "./texts.ts";
import type { Updates } from "./updates.ts";

export interface Services {
  readonly sync: SyncClient;
  readonly data: HabitData;
  readonly serverKind: ServerKind;
  /** Null at a server that takes habits in the clear. */
  readonly encryption: AppEncryption | null;
  readonly planner: Planner | null;
  readonly updates: Updates | null;
  readonly preferences: Observable<Preferences>;
  /** Whether the browser keeps the app itself. */
  readonly opensOffline: Observable<boolean>;
  /** Opens a page of a service: here, or in a window of its own if the app is in a frame. */
  openPage(url: string): void;
}

export interface App extends Services {
  readonly status: SyncStatus;
  readonly language: Language;
  /** How the person writes dates and numbers: their own variant of the language. */
  readonly locale: string;
  readonly texts: Texts;
  /** The day on this device, as `YYYY-MM-DD`. */
  readonly today: string;
  /** Says something for a few seconds. */
  notify(message: string, undo?: () => unknown): void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("useApp needs an AppContext");
  return app;
}

export async function signIn(app: App): Promise<void> {
  const { sync, serverKind, language, texts, openPage, notify } = app;
  if (await serverKind.startsAnew()) return;
  const begun = await sync.beginSignIn({ lang: language });
  if (begun.kind === "begun") openPage(begun.url);
  else notify(describeSignInError(begun.error, texts));
}

export function describeSignInError({ kind }: SignInError, { sync }: Texts): string {
  const reasons: Readonly<Record<string, string>> = { ...sync.problems, ...sync.signInProblems };
  return `${sync.signInFailed}. ${reasons[kind] ?? ""}`;
}

/** Whether the person must sign in before anything is exchanged. */
export function isSignedOut(status: SyncStatus): status is SyncStatus & { kind: SignedOutKind } {
  const kinds: readonly string[] = ["signed-out", "sign-in-needed", "storage-lost"];
  return kinds.includes(status.kind);
}

type SignedOutKind = "signed-out" | "sign-in-needed" | "storage-lost";
