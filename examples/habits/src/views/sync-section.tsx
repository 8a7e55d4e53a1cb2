/** What a person should know about sync, and what they can do about it. */
import { Button } from "./button.tsx";
import type { QuarantinedOperation } from "trellis/client";
import { isSignedOut, signIn, useApp } from "../app-context.ts";
import { useObservable } from "../use-observable.ts";
import { describeEntity } from "./describe-entity.ts";
import { formatMoment } from "./format-moment.ts";
import { describeStatus, useCalmKind } from "./status-chip.tsx";
import { Panel } from "./panel.tsx";

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
    <Panel id="sync-title" title={texts.sync.title}>
      <p class="label">{describeStatus(kind, status, texts)}</p>
      <p class="meta">{texts.sync.explain[kind]}</p>
      {problem !== undefined && kind === "blocked" && (
        <p class="meta">{texts.sync.problems[problem.kind]}</p>
      )}
      {!isKept && <p class="meta">{texts.sync.needsConnection}</p>}
      {isSignedIn && (
        <p class="meta">
          {texts.sync.device}: <code>{sync.deviceId}</code>
        </p>
      )}
      {isSignedIn && encryption === null && <p class="meta">{texts.encryption.clear}</p>}
      {isSignedIn && pending > 0 && <p class="meta">{texts.sync.pending(pending)}</p>}
      {lastSyncedAt !== null && (
        <p class="meta">{texts.sync.lastSynced(formatMoment(lastSyncedAt, locale))}</p>
      )}
      <div class="row buttons">
        {isSignedIn ? (
          <>
            <Button look="primary" onClick={() => void sync.sync()}>
              {texts.sync.now}
            </Button>
            <Button aria-describedby="sign-out-hint" onClick={() => void signOut()}>
              {texts.sync.signOut}
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => void signIn(app)}>
            {texts.sync.signIn}
          </Button>
        )}
      </div>
      {isSignedIn && (
        <p id="sign-out-hint" class="hint">
          {texts.sync.signOutHint}
        </p>
      )}
      {quarantined > 0 && <Refused />}
    </Panel>
  );
}

function Refused() {
  const { sync, texts } = useApp();
  return (
    <div class="stack">
      <h3>{texts.sync.refusedTitle}</h3>
      <p class="meta">{texts.sync.refusedText}</p>
      <ul class="stack">
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
      <div class="row buttons">
        <Button onClick={() => void retry()}>{texts.sync.retry}</Button>
        <Button look="danger" onClick={() => void discard()}>
          {texts.sync.discard}
        </Button>
      </div>
    </li>
  );
}
