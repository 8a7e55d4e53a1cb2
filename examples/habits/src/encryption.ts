/** End-to-end encryption as this app uses it: whether the server asks for it, and the person's key. */
import type { Fetch, SyncClient } from "trellis/client";
import type { Config } from "./config.ts";
import { createLocalValue } from "./local-value.ts";
import { createObservable, type Observable } from "./observable.ts";
import { fetchIsSealed } from "./trellis.ts";

type Keys = SyncClient["encryption"];
type RefusalOf<Result> = Extract<Result, { kind: "refused" }> extends { reason: infer Reason } ? Reason : never;
export type KeyRefusal = RefusalOf<
  Awaited<ReturnType<Keys["createKey"] | Keys["useKey"] | Keys["rotateKey"]>>
>;

/** What this device knows about the server; the key itself is never kept here. */
export interface ServerKind {
  /** Whether the server takes only what is encrypted. Once known, it stays so on this device. */
  readonly isSealed: boolean;
  /** Asks again, before a sign-in. Returns whether the app must start anew with encryption. */
  check(): Promise<boolean>;
}

/** Asks the server at the first start; without a response the app begins without encryption, and sends nothing. */
export async function openServerKind(
  { storageName, sync }: Config,
  fetch: Fetch,
): Promise<ServerKind> {
  const saved = createLocalValue<boolean>(`${storageName}/sealed`);
  const ask = async () => {
    const isSealed = await fetchIsSealed(sync.baseUrl, fetch);
    if (isSealed !== null) saved.write(isSealed);
    return isSealed ?? false;
  };
  const isSealed = saved.read() ?? (await ask());
  if (!isSealed) {
    // Another tab has learned it.
    addEventListener("storage", ({ key }) => {
      if (key === `${storageName}/sealed` && saved.read() === true) location.reload();
    });
  }
  return { isSealed, check: async () => !isSealed && (await ask()) };
}

export interface AppEncryption extends Pick<Keys, "useKey" | "showRecoveryKey"> {
  makeKey: Keys["createKey"];
  replaceKey: Keys["rotateKey"];
  /** Whether the person has yet to show that they have kept the recovery key. */
  readonly isKeyToKeep: Observable<boolean>;
}

export function createAppEncryption({ encryption }: SyncClient, storageName: string): AppEncryption {
  const saved = createLocalValue<true>(`${storageName}/recovery-key-to-keep`);
  const isKeyToKeep = createObservable(saved.read() === true);
  isKeyToKeep.subscribe(() => (isKeyToKeep.get() ? saved.write(true) : saved.remove()));
  /** Reminds from before there is a new key, because the app may be closed at any moment. */
  const reminding = async <Result extends { readonly kind: string }>(make: () => Promise<Result>) => {
    const wasToKeep = isKeyToKeep.get();
    isKeyToKeep.set(true);
    const result = await make();
    if (result.kind === "refused") isKeyToKeep.set(wasToKeep);
    return result;
  };
  return {
    makeKey: () => reminding(() => encryption.createKey()),
    replaceKey: () => reminding(() => encryption.rotateKey()),
    useKey: (text) => encryption.useKey(text),
    showRecoveryKey: () => encryption.showRecoveryKey(),
    isKeyToKeep,
  };
}
