/** The person's key: to make or enter it on a device that needs it, and to keep it from there on. */
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { AppEncryption } from "../encryption.ts";
import { useObservable } from "../use-observable.ts";
import { KeyNeeded } from "./key-needed.tsx";
import { KeepRecoveryKey, ShowRecoveryKey } from "./recovery-key.tsx";
import { useCalmKind } from "./status-chip.tsx";

export function KeyPage({ encryption }: { encryption: AppEncryption }) {
  const { status } = useApp();
  const isNeeded = useCalmKind(status) === "key-needed";
  const isToKeep = useObservable(encryption.isKeyToKeep);
  const hadKey = useObservable(encryption.hadKey);
  const recoveryKey = useRecoveryKey(encryption, `${isNeeded}/${isToKeep}/${hadKey}`);
  if (recoveryKey === undefined) return null;
  if (isNeeded || recoveryKey === null) {
    return <KeyNeeded keys={encryption.keys} isReplaced={hadKey} />;
  }
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
