/** Encryption in the settings: its state, the recovery key, and what cannot be read. */
import { isSignedOut, useApp } from "../app-context.ts";
import type { AppEncryption } from "../encryption.ts";
import { KEY, NEW_KEY } from "../route.ts";
import { describeEntity } from "./describe-entity.ts";
import { Bullets, Panel } from "./panel.tsx";

export function EncryptionSection({ encryption }: { encryption: AppEncryption }) {
  const { status, texts } = useApp();
  const words = texts.encryption;
  const { kind } = encryption.keys.state;
  const isNeeded = kind !== "ready";
  // Before the first sign-in nothing is sent, so there is nothing to say yet.
  if (isSignedOut(status) && kind === "unknown") return null;
  return (
    <Panel id="encryption-title" title={words.title}>
      <p class="label">{isNeeded ? words.needed : words.on}</p>
      {!isNeeded && <p class="meta">{words.onText}</p>}
      <div class="row buttons">
        {isNeeded ? (
          <a class="button primary" href={KEY}>
            {words.goOn}
          </a>
        ) : (
          <>
            <a class="button" href={KEY}>
              {words.show}
            </a>
            <a class="button" href={NEW_KEY} aria-describedby="new-key-hint">
              {words.newKey}
            </a>
          </>
        )}
      </div>
      {!isNeeded && (
        <p id="new-key-hint" class="hint">
          {words.newKeyHint}
        </p>
      )}
      <details class="more">
        <summary>{words.facts}</summary>
        <Bullets items={words.protected} />
      </details>
      <Unreadable />
    </Panel>
  );
}

function Unreadable() {
  const app = useApp();
  const { sync, texts } = app;
  const words = texts.encryption;
  const unreadable = sync.unreadable.list();
  if (unreadable.length === 0) return null;
  return (
    <div class="stack">
      <h3>{words.unreadableTitle(unreadable.length)}</h3>
      <p class="meta">{words.unreadableText}</p>
      <ul class="stack">
        {unreadable.map(({ entityId, reason }, index) => (
          <li key={index}>
            <p>{entityId === undefined ? words.unreadableEntry : describeEntity(entityId, app)}</p>
            <p class="meta">{words.unreadable[reason]}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
