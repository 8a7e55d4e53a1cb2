/** Replaces the key after a device was lost: what that protects, and what it cannot. */
import { useState } from "preact/hooks";
import type { ClientEncryption } from "trellis/client";
import { useApp } from "../app-context.ts";
import type { KeyRefusal } from "../encryption.ts";
import { KEY, leaveTo, SETTINGS } from "../route.ts";
import { describeRefusal, useOneAtATime } from "./key-needed.tsx";
import { Page } from "./page.tsx";

export function NewKey({ keys }: { keys: ClientEncryption }) {
  const { texts, notify } = useApp();
  const { newKey, newKeyHint, newKeyFacts, newKeyMade, making } = texts.encryption;
  const [isBusy, run] = useOneAtATime();
  const [refusal, setRefusal] = useState<KeyRefusal | null>(null);
  const onClick = () =>
    run(async () => {
      setRefusal(null);
      const result = await keys.rotateKey();
      if (result.kind === "refused") return setRefusal(result);
      notify(newKeyMade);
      leaveTo(KEY);
    });
  return (
    <Page title={newKey} backTo={SETTINGS}>
      <section class="panel">
        <p>{newKeyHint}</p>
        <ul class="facts-list">
          {newKeyFacts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <div class="row">
          <button type="button" class="primary" aria-disabled={isBusy} onClick={onClick}>
            {isBusy ? making : newKey}
          </button>
          <a class="button" href={SETTINGS}>
            {texts.cancel}
          </a>
        </div>
        <p class="error news" role="alert">
          {refusal !== null && describeRefusal(refusal, texts)}
        </p>
      </section>
    </Page>
  );
}
