/** Replaces the key after a device was lost: what that protects, and what it cannot. */
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { AppEncryption, KeyRefusal } from "../encryption.ts";
import { KEY, leaveTo, SETTINGS } from "../route.ts";
import { useOneAtATime } from "./key-needed.tsx";
import { Page } from "./page.tsx";

export function NewKey({ encryption }: { encryption: AppEncryption }) {
  const { texts, notify } = useApp();
  const { newKey, newKeyHint, newKeyFacts, newKeyMade, making, refusals } = texts.encryption;
  const [isBusy, run] = useOneAtATime();
  const [refusal, setRefusal] = useState<KeyRefusal | null>(null);
  const onClick = () =>
    run(async () => {
      setRefusal(null);
      const result = await encryption.replaceKey();
      if (result.kind === "refused") return setRefusal(result.reason);
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
          {refusal !== null && refusals[refusal]}
        </p>
      </section>
    </Page>
  );
}
