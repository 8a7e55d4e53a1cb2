/** What a person should know about sync, and what they can do about it. */
import type { QuarantinedOperation } from "trellis/client";
import { isSignedOut, signIn, useApp } from "../app-context.ts";
import { useObservable } from "../use-observable.ts";
import { describeEntity } from "./describe-entity.ts";
import { formatMoment } from "./format-moment.ts";
import { describeStatus, useCalmKind } from "./status-chip.tsx";

export function SyncSection() {
  const app = useApp();
  const { sync, status, encryption, opensOffline, texts, locale, notify } = app;
  const kind = useCalmKind(status);
  const isKept = useObservable(opensOffline);
  const isSignedIn = !isSignedOut(status);
  const { pending, quarantined, lastSyncedAt, problem } = status;
  const signOut = async () => {
    await sync.signOut();
    notify(texts.sync.signedOut);
  };
  return (
    <section class="panel" aria-labelledby="sync-title">
      <h2 id="sync-title">{texts.sync.title}</h2>
      <p class="strong">{describeStatus(kind, status, texts)}</p>
      <p class="soft">{texts.sync.explain[kind]}</p>
      {problem !== undefined && kind === "blocked" && (
        <p class="soft">{texts.sync.problems[problem.kind]}</p>
      )}
      {!isKept && <p class="soft">{texts.sync.needsConnection}</p>}
      {isSignedIn && (
        <p class="device">
          {texts.sync.device}: <code>{sync.deviceId}</code>
        </p>
      )}
      {isSignedIn && encryption === null && <p class="soft">{texts.encryption.clear}</p>}
      {isSignedIn && pending > 0 && <p class="soft">{texts.sync.pending(pending)}</p>}
      {lastSyncedAt !== null && (
        <p class="soft">{texts.sync.lastSynced(formatMoment(lastSyncedAt, locale))}</p>
      )}
      <div class="row">
        {isSignedIn ? (
          <>
            <button type="button" class="primary" onClick={() => void sync.sync()}>
              {texts.sync.now}
            </button>
            <button type="button" aria-describedby="sign-out-hint" onClick={() => void signOut()}>
              {texts.sync.signOut}
            </button>
          </>
        ) : (
          <button type="button" class="primary" onClick={() => void signIn(app)}>
            {texts.sync.signIn}
          </button>
        )}
      </div>
      {isSignedIn && (
        <p id="sign-out-hint" class="hint">
          {texts.sync.signOutHint}
        </p>
      )}
      {quarantined > 0 && <Refused />}
    </section>
  );
}

function Refused() {
  const { sync, texts } = useApp();
  return (
    <div class="refused">
      <h3>{texts.sync.refusedTitle}</h3>
      <p class="soft">{texts.sync.refusedText}</p>
      <ul>
        {sync.quarantine.list().map((operation) => (
          <RefusedOperation key={operation.operationId} operation={operation} />
        ))}
      </ul>
    </div>
  );
}

function RefusedOperation({ operation }: { operation: QuarantinedOperation }) {
  const app = useApp();
  const { sync, texts, notify } = app;
  const { operationId, entityId, reason } = operation;
  const retry = async () => {
    const result = await sync.quarantine.retry(operationId);
    notify(
      result.kind === "refused"
        ? texts.sync.refusedAgain(result.reason)
        : texts.sync.retried[result.kind],
    );
  };
  const discard = async () => {
    await sync.quarantine.discard(operationId);
    notify(texts.sync.discarded);
  };
  return (
    <li>
      <p>
        {describeEntity(entityId, app)} <code>{reason}</code>
      </p>
      <div class="row">
        <button type="button" onClick={() => void retry()}>
          {texts.sync.retry}
        </button>
        <button type="button" class="danger" onClick={() => void discard()}>
          {texts.sync.discard}
        </button>
      </div>
    </li>
  );
}
