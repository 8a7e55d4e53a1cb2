/** Replaces the key after a device was lost: what that protects, and what it cannot. */
import { Button } from "./button.tsx";
import { useState } from "preact/hooks";
import type { ClientEncryption } from "trellis/client";
import { useApp } from "../app-context.ts";
import type { KeyError } from "../encryption.ts";
import { KEY, leaveTo, SETTINGS } from "../route.ts";
import { describeKeyError, useOneAtATime } from "./key-needed.tsx";
import { Page } from "./page.tsx";
import { Bullets } from "./panel.tsx";

export function NewKey({ keys }: { keys: ClientEncryption }) {
  const { texts, notify } = useApp();
  const { newKey, newKeyHint, newKeyFacts, newKeyMade, making } = texts.encryption;
  const [isBusy, run] = useOneAtATime();
  const [error, setError] = useState<KeyError | null>(null);
  const onClick = () =>
    run(async () => {
      setError(null);
      const result = await keys.rotateKey();
      if (result.kind === "refused") return setError(result);
      notify(newKeyMade);
      leaveTo(KEY);
    });
  return (
    <Page title={newKey} backTo={SETTINGS}>
      <section class="panel stack">
        <p>{newKeyHint}</p>
        <Bullets items={newKeyFacts} />
        <div class="row buttons">
          <Button look="primary" aria-disabled={isBusy} onClick={onClick}>
            {isBusy ? making : newKey}
          </Button>
          <a class="button" href={SETTINGS}>
            {texts.cancel}
          </a>
        </div>
        <p class="field-error" role="alert">
          {error !== null && describeKeyError(error, texts)}
        </p>
      </section>
    </Page>
  );
}
