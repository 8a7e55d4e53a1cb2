/** The person's key: to make or enter it on a device that needs it, and to keep it from there on. */
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { AppEncryption } from "../encryption.ts";
import { useObservable } from "../use-observable.ts";
import { KeyNeeded } from "./key-needed.tsx";
import { KeepRecoveryKey, ShowRecoveryKey } from "./recovery-key.tsx";

export function KeyPage({ encryption }: { encryption: AppEncryption }) {
  // The app is drawn again whenever the status changes, and the state with it.
  useApp();
  const { state } = encryption.keys;
  const isToKeep = useObservable(encryption.isKeyToKeep);
  const recoveryKey = useRecoveryKey(encryption, `${state.kind}/${isToKeep}`);
  if (state.kind !== "ready") return <KeyNeeded keys={encryption.keys} state={state} />;
  if (recoveryKey === undefined || recoveryKey === null) return null;
  return isToKeep ? (
    <KeepRecoveryKey encryption={encryption} recoveryKey={recoveryKey} />
  ) : (
    <ShowRecoveryKey recoveryKey={recoveryKey} />
  );
}

/** Null: this device has none; undefined: not known yet. It is only ever in memory. */
function useRecoveryKey({ keys }: AppEncryption, state: string): string | null | undefined {
  const [recoveryKey, setRecoveryKey] = useState<string | null>();
  useEffect(() => {
    let isCurrent = true;
    void keys.showRecoveryKey().then((text) => {
      if (isCurrent) setRecoveryKey(text);
    });
    return () => void (isCurrent = false);
  }, [keys, state]);
  return recoveryKey;
}
