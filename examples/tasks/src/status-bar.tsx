import { useSyncStatus } from "trellis/react";
import { client, signIn, type Attempt } from "./data.ts";
import { texts } from "./texts.ts";

/** What a person has to know about sync, and what they can do. */
export function StatusBar({ attempt }: { attempt: Attempt }) {
  const status = useSyncStatus(client);
  const { kind, pending, problem } = status;
  const needsSignIn = kind === "signed-out" || kind === "sign-in-needed" || kind === "storage-lost";
  return (
    <header className="row">
      <p role="status" data-kind={kind}>
        {texts.status[kind]}
        {pending > 0 && kind !== "signed-out" && ` · ${texts.toSend(pending)}`}
        {kind === "blocked" && problem !== undefined && `: ${problem.message}`}
      </p>
      {needsSignIn && (
        <button type="button" className="button" onClick={() => attempt(signIn())}>
          {texts.signIn}
        </button>
      )}
      {status.quarantined > 0 && <RefusedEdits attempt={attempt} />}
    </header>
  );
}

function RefusedEdits({ attempt }: { attempt: Attempt }) {
  const { list, retry, discard } = client.quarantine;
  return (
    <ul className="fields">
      {list().map(({ operationId, entityId, reason }) => (
        <li key={operationId} className="row buttons">
          <span>
            {entityId}: {reason}
          </span>
          <button type="button" className="button" onClick={() => attempt(retry(operationId))}>
            {texts.tryAgain}
          </button>
          <button type="button" className="button" onClick={() => attempt(discard(operationId))}>
            {texts.discard}
          </button>
        </li>
      ))}
    </ul>
  );
}
