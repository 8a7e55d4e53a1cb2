/** End-to-end encryption as this app uses it: whether the server asks for it, and the person's key. */
import type {
  ClientEncryption,
  CreateKeyResult,
  Fetch,
  RotateKeyResult,
  UseKeyResult,
} from "trellis/client";
import type { Config } from "./config.ts";
import { createLocalValue } from "./local-value.ts";
import { createObservable, type Observable } from "./observable.ts";
import { fetchIsSealed } from "./trellis.ts";

/** What this device knows about the server; the key itself is never kept here. */
export interface ServerKind {
  /** Whether the server takes only what is encrypted. Once known, it stays so on this device. */
  readonly isSealed: boolean;
  /** Whether the app has restarted for a sign-in that the person asked for. */
  readonly isToSignIn: boolean;
  /** Asks again, before a sign-in. True: the app restarts with encryption. */
  startsAnew(): Promise<boolean>;
}

/**
 * Asks the server at the first start. The app does not wait for the response: it begins without encryption, sends
 * nothing before the person signs in, and asks again then. In a frame it waits, because its page gives commands
 * that must not meet a new start.
 */
export async function openServerKind(
  { storageName, sync }: Config,
  fetch: Fetch,
  isFramed: boolean,
): Promise<ServerKind> {
  const saved = createLocalValue<boolean>(`${storageName}/sealed`);
  const ask = async () => {
    const isSealed = await fetchIsSealed(sync.baseUrl, fetch);
    if (isSealed !== null) saved.write(isSealed);
    return isSealed ?? false;
  };
  const isSealed = saved.read() ?? (isFramed && (await ask()));
  if (!isSealed) {
    // Another tab has learned it.
    addEventListener("storage", ({ key }) => {
      if (key === `${storageName}/sealed` && saved.read() === true) location.reload();
    });
  }
  const wish = createLocalValue<true>("sign-in", () => sessionStorage);
  const isToSignIn = wish.read() === true;
  wish.remove();
  return {
    isSealed,
    isToSignIn,
    async startsAnew() {
      if (isSealed || !(await ask())) return false;
      wish.write(true);
      location.reload();
      return true;
    },
  };
}

export interface AppEncryption {
  readonly keys: ClientEncryption;
  /** Whether the person has yet to show that they have kept the recovery key. */
  readonly isKeyToKeep: Observable<boolean>;
}

export function createAppEncryption(keys: ClientEncryption, storageName: string): AppEncryption {
  const isKeyToKeep = createMark(`${storageName}/recovery-key-to-keep`);
  /** Reminds from before there is a new key, because the app may be closed at any moment. */
  const reminding = async <Result extends KeyResult>(make: () => Promise<Result>) => {
    const wasToKeep = isKeyToKeep.get();
    isKeyToKeep.set(true);
    const result = await make();
    if (result.kind === "refused") isKeyToKeep.set(wasToKeep);
    return result;
  };
  return {
    keys: {
      get state() {
        return keys.state;
      },
      useKey: keys.useKey,
      showRecoveryKey: keys.showRecoveryKey,
      createKey: () => reminding(keys.createKey),
      rotateKey: () => reminding(keys.rotateKey),
    },
    isKeyToKeep,
  };
}

/** A fact that this device keeps. */
function createMark(key: string): Observable<boolean> {
  const saved = createLocalValue<true>(key);
  const mark = createObservable(saved.read() === true);
  mark.subscribe(() => (mark.get() ? saved.write(true) : saved.remove()));
  return mark;
}

type KeyResult = CreateKeyResult | UseKeyResult | RotateKeyResult;
export type KeyError = Extract<KeyResult, { kind: "refused" }>;
