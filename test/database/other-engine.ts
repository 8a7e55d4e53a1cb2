/**
 * PostgreSQL as an engine that speaks its protocol may be: no session outlives its transaction, it has no `LISTEN`,
 * advisory locks or functions about its own history, and it refuses every tenth commit.
 */
import { startFakePooler, type Tap } from "./fake-pooler.ts";
import { readStatement, toMessage, type PostgresMessage } from "./postgres-messages.ts";
import type { CleanUp } from "../fixtures/clean-up.ts";

export interface OtherEngine {
  readonly address: string;
  /** The statements that it does not have, of those that were sent. */
  readonly unknown: ReadonlySet<string>;
  /** How many commits it has refused. */
  refusals(): number;
}

/** As many as two processes have connections. */
const SESSIONS = 28;
const COMMITS_PER_REFUSAL = 10;

const UNKNOWN =
  /^\s*(?:un)?listen\b|^\s*notify\b|pg_notify|advisory|^\s*set\s+(?!local\b)|pg_control_|pg_walfile|pg_current_wal/i;
const COMMIT = /commit\s*;?\s*$/i;

export async function startOtherEngine(t: CleanUp, url: string): Promise<OtherEngine> {
  const unknown = new Set<string>();
  let commits = 0;
  let refusals = 0;

  function createTap(): Tap {
    let isRefusing = false;
    return {
      toServer(message) {
        const { name, text } = readStatement(message) ?? { name: "", text: "" };
        if (name !== "" || UNKNOWN.test(text)) {
          unknown.add(text);
          return replaceText(message, "the engine does not have this");
        }
        if (message.type !== "Q" || !COMMIT.test(text)) return message.bytes;
        isRefusing = ++commits % COMMITS_PER_REFUSAL === 0;
        return isRefusing ? replaceText(message, text.replace(COMMIT, "rollback")) : message.bytes;
      },
      toClient(message) {
        if (!isRefusing || !isRollback(message)) return message.bytes;
        isRefusing = false;
        refusals++;
        return SERIALIZATION_FAILURE;
      },
    };
  }

  const settings = {
    order: "the last one first",
    sessions: SESSIONS,
    forgets: true,
    createTap,
  } as const;
  const address = await startFakePooler(t, url, settings);
  // An operator writes so that there is nothing to listen to.
  return { address: `${address}?pool=transaction&listen=none`, unknown, refusals: () => refusals };
}

function replaceText({ type }: PostgresMessage, text: string): Buffer {
  return toMessage(type, type === "Q" ? `${text}\0` : `\0${text}\0\0\0`);
}

function isRollback({ type, body }: PostgresMessage): boolean {
  return type === "C" && body.toString("latin1") === "ROLLBACK\0";
}

/** ErrorResponse */
const SERIALIZATION_FAILURE = toMessage(
  "E",
  ["SERROR", "VERROR", "C40001", "Mit could not be serialized", "", ""].join("\0"),
);
