/** Sync clients with one error each. */
import type { SyncTask } from "../../../conformance/index.ts";
import { CHANGES } from "../../../conformance/sync/changes.ts";
import { readCursorMembers } from "../../../conformance/sync/cursor.ts";
import { HABIT_PAYLOAD } from "../../../conformance/sync/driver/edits.ts";
import { errorReply } from "../../../conformance/sync/driver/played-account.ts";
import type { SyncTaskResult } from "../../../conformance/sync/driver/task.ts";
import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import type { Operation, Revision } from "../../../src/contract/sync/operation.ts";
import { operationIdOf } from "../../../src/rules/sync/operation.ts";
import {
  changeResponses,
  changeResult,
  changeTask,
  toClientBreaks,
  type ClientBreak,
} from "./driver-break.ts";

type Run = ClientBreak<SyncTask>["run"];

const PULL = "/v1/pull";
const PUSH = "/v1/push";
const REFRESH = "/v1/refresh";

const changeEnd = changeResult<SyncTask, SyncTaskResult>;

const changeKind = (from: SyncTaskResult["kind"], to: SyncTaskResult["kind"]): Run =>
  changeEnd((result) => (result.kind === from ? { ...result, kind: to } : result));

/** The client reads other operations in a page than the server sent. */
const changePages =
  (change: (operations: Operation[], task: SyncTask) => Operation[]): Run =>
  (task, run) =>
    changeResponses<SyncTask>(PULL, async (response) => {
      if (!response.ok) return response;
      const page = (await response.json()) as { operations: Operation[] };
      return Response.json({ ...page, operations: change(page.operations, task) });
    })(task, run);

const eachOperation = (change: (operation: Operation, index: number) => Operation): Run =>
  changePages((operations) => operations.map(change));

function withRevision(operation: Operation, changes: Partial<Revision>): Operation {
  const revision = { ...operation.revision, ...changes };
  return { ...operation, revision, operationId: operationIdOf(revision) };
}

/** The client sends other operations. */
const changePushes =
  (change: (operations: Operation[]) => Operation[]): Run =>
  (task, run) =>
    run(task, (url, init) => {
      if (!url.endsWith(PUSH)) return fetch(url, init);
      const { operations } = JSON.parse(init.body as string) as { operations: Operation[] };
      return fetch(url, { ...init, body: JSON.stringify({ operations: change(operations) }) });
    });

function refusal(code: SyncErrorCode): Response {
  const { status, body } = errorReply(code);
  return new Response(body as string, { status });
}

/** What the client stores under a name, from the text of its state. */
function storedText({ state }: { readonly state?: unknown }, name: string): string {
  const pattern = new RegExp(`\\\\"${name}\\\\":\\\\"([^"\\\\]+)`);
  return pattern.exec(JSON.stringify(state))?.[1] ?? "";
}

export const SYNC_CLIENT_BREAKS = toClientBreaks<SyncTask>({
  "sign-in-asks-with-pkce": {
    "has one state for every sign-in": changeEnd(({ authorizeUrl, ...result }) => ({
      ...result,
      authorizeUrl: authorizeUrl?.replace(/([?&]state=)[^&]*/, `$1${"A".repeat(43)}`),
    })),
  },
  "sign-in-redeems-the-code": {
    "redeems a code twice": changeResponses("/v1/token", (_response, init, url) =>
      fetch(url, init),
    ),
  },
  "foreign-callback-redeems-nothing": {
    "does not compare the state": changeTask((task) => {
      if (task.callbackUrl === undefined) return {};
      const callback = new URL(task.callbackUrl);
      callback.searchParams.set("state", storedText(task, "state"));
      return { callbackUrl: callback.href };
    }),
  },
  "refused-code-is-no-session": {
    "is signed in by any response": changeKind("not-signed-in", "signed-in"),
  },
  "edits-before-the-sign-in-are-sent-after-it, ended-session-keeps-the-edits": {
    "stores no edit without a session": changeEnd((result, { state }) =>
      result.kind === "sign-in-needed" ? { ...result, state } : result,
    ),
  },
  "expired-access-is-refreshed": {
    "does not refresh its tokens": changeResponses(REFRESH, () => refusal("internal_error")),
    "prints its access token": changeEnd((result) => ({
      ...result,
      refused: [storedText(result, "accessToken")],
    })),
  },
  "lost-refresh-is-repeated": {
    "takes a lost refresh for the end of its session": (task, run) =>
      run(task, async (url, init) => {
        try {
          return await fetch(url, init);
        } catch (error) {
          if (url.endsWith(REFRESH)) return refusal("invalid_refresh_token");
          throw error;
        }
      }),
  },
  "failed-refresh-ends-no-session": {
    "takes a failed refresh for the end of its session": changeResponses(REFRESH, (response) =>
      response.ok ? response : refusal("invalid_refresh_token"),
    ),
  },
  "ended-session-keeps-the-edits": {
    "does not say that its session has ended": changeKind("sign-in-needed", "failed"),
  },
  "sign-out-ends-the-session": {
    "signs out without telling the server": (task, run) =>
      run(task, async (url, init) =>
        url.endsWith("/v1/revoke") ? Response.json({ revoked: 1 }) : fetch(url, init),
      ),
    "keeps its tokens after the sign-out": changeEnd((result, { state }) =>
      result.kind === "signed-out" ? { ...result, state } : result,
    ),
  },
  "edits-reach-another-device": {
    "sends no deletions": changeTask(({ edits = [] }) => ({
      edits: edits.filter(({ kind }) => kind !== "delete"),
    })),
  },
  "unknown-members-are-ignored": {
    "refuses members that it does not know": changeResponses(PULL, async (response) => {
      const text = await response.text();
      return text.includes('"extra"') ? refusal("internal_error") : new Response(text, response);
    }),
  },
  "devices-that-edited-apart-agree, order-of-the-log-does-not-matter": {
    "lets the last operation in the log win": (task, run) => {
      let sequence = 100_000 + JSON.stringify(task.state).length;
      return eachOperation((operation) => withRevision(operation, { sequence: sequence++ }))(
        task,
        run,
      );
    },
  },
  "two-creates-become-one-entity": {
    "ignores a create of what it has": changePages((operations, { state }) =>
      operations.filter(
        ({ kind, document }) =>
          kind !== "create" || !JSON.stringify(state).includes(document.entityId),
      ),
    ),
  },
  "page-before-the-head-is-not-the-last": {
    "takes a page that is not full for the last": changeResponses(PULL, async (response) => {
      const page = (await response.json()) as { cursor: string };
      const { offset } = (readCursorMembers(page.cursor) ?? {}) as { offset?: number };
      return Response.json({ ...page, headOffset: offset }, response);
    }),
  },
  "restore-brings-back-every-field": {
    "restores what it is given alone": changeTask(({ edits = [] }) => ({
      edits: edits.map((edit) =>
        edit.kind === "restore" ? { payload: HABIT_PAYLOAD, ...edit } : edit,
      ),
    })),
  },
  "deletion-hides-later-patches": {
    "takes a patch for a restore": eachOperation((operation) =>
      operation.kind === "patch" ? { ...operation, kind: "restore" } : operation,
    ),
  },
  "own-clock-follows-what-was-seen": {
    "counts for itself": eachOperation((operation) =>
      operation.revision.sequence > 1000 ? withRevision(operation, { sequence: 7 }) : operation,
    ),
  },
  "fields-of-other-apps-stay": {
    "drops fields that it does not know": eachOperation((operation) => {
      const { ofAnotherApp: _left, ...payload } = operation.document.payload ?? {};
      const changedFields = operation.changedFields.filter((name) => name !== "ofAnotherApp");
      return { ...operation, document: { ...operation.document, payload }, changedFields };
    }),
  },
  "limits-of-the-server-are-kept": {
    "loses the last operation of a full page": changePages((operations) =>
      operations.length === 4 ? operations.slice(1) : operations,
    ),
  },
  "live-changes-are-followed": {
    "hears only the first event of a stream": (task, run) =>
      changeResponses<SyncTask>(CHANGES, (response) => {
        let isFirst = true;
        const first = new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            if (isFirst) controller.enqueue(chunk);
            isFirst = false;
          },
        });
        return new Response(response.body?.pipeThrough(first) ?? null, response);
      })({ ...task, seconds: 1 }, run),
  },
  "synced-device-sends-nothing-again": {
    "sends again what it has sent": (() => {
      let pushed: RequestInit | null = null;
      return (task, run) =>
        run(task, async (url, init) => {
          if (url.endsWith(PUSH)) pushed = init;
          else if (pushed !== null) await fetch(task.connectTo + PUSH, pushed);
          return fetch(url, init);
        });
    })(),
  },
  "refused-operations-are-set-aside, refused-header-is-read": {
    "sets aside more than was refused": changeResponses(PUSH, (response) => {
      if (response.status !== 409) return response;
      const headers = { "Trellis-Refused": "0=id_reused, 5=id_reused" };
      return new Response(response.body, { status: 409, headers });
    }),
  },
  "lost-push-is-not-doubled": {
    "makes a new operation of what it sends again": (() => {
      let pushes = 0;
      return changePushes((operations) => {
        pushes++;
        return operations.map((one) => withRevision(one, { deviceId: `-${pushes}` }));
      });
    })(),
  },
  "failed-push-keeps-the-edits": {
    "sets aside what the server cannot take now": changeResponses(PUSH, (response) =>
      response.status >= 429 ? refusal("invalid_sync_operation") : response,
    ),
  },
  "another-log-gets-what-it-lacks": {
    "never starts over": changeResponses(PULL, async (response) => {
      const text = await response.text();
      const changed = text.replace('"requiresSnapshot":true', '"requiresSnapshot":false');
      return new Response(changed, response);
    }),
  },
  "push-outlives-a-rollback": {
    "believes that what it pushed stays": (() => {
      let pushed: Operation[] = [];
      const listen = changePushes((operations) => (pushed = operations));
      const believe = changePages((operations) => [...operations, ...pushed]);
      return (task, run) => (pushed.length === 0 ? listen : believe)(task, run);
    })(),
  },
  "unknown-cursor-starts-over": {
    "gives up when its cursor is unknown": changeResponses(PULL, (response) =>
      response.status === 400 ? refusal("not_found") : response,
    ),
  },
  "unreadable-pages-change-nothing": {
    "skips what it cannot read": changeResponses(PULL, async (response) => {
      const text = await response.text();
      if (text.startsWith('{"operations":[') && response.ok) return new Response(text);
      return Response.json({ operations: [], cursor: "g1-1", requiresSnapshot: false });
    }),
  },
  "endless-page-is-refused": {
    "reads a page to its end": changeResponses(
      PULL,
      async (response) => new Response(await response.arrayBuffer(), response),
    ),
  },
  "pages-that-lead-back-end": {
    "asks for every page as often as it can": changeResponses(PULL, async (response, init, url) => {
      for (let count = 0; count < 10; count++) await fetch(url, init);
      return response;
    }),
  },
  "tokens-go-to-no-other-address": {
    "follows redirects": (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, redirect: "follow" })),
  },
  "slow-server-is-waited-for": {
    "gives up early": (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(500) })),
  },
});
