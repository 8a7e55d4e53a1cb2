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
import { changeResponses, changeResult, changeTask, type ClientBreak } from "./driver-break.ts";

type SyncClientBreak = ClientBreak<SyncTask>;
type Run = SyncClientBreak["run"];

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

export const SYNC_CLIENT_BREAKS: readonly SyncClientBreak[] = [
  {
    name: "has one state for every sign-in",
    caughtBy: ["sign-in-asks-with-pkce"],
    run: changeEnd(({ authorizeUrl, ...result }) => ({
      ...result,
      authorizeUrl: authorizeUrl?.replace(/([?&]state=)[^&]*/, `$1${"A".repeat(43)}`),
    })),
  },
  {
    name: "redeems a code twice",
    caughtBy: ["sign-in-redeems-the-code"],
    run: changeResponses("/v1/token", (_response, init, url) => fetch(url, init)),
  },
  {
    name: "does not compare the state",
    caughtBy: ["foreign-callback-redeems-nothing"],
    run: changeTask((task) => {
      if (task.callbackUrl === undefined) return {};
      const callback = new URL(task.callbackUrl);
      callback.searchParams.set("state", storedText(task, "state"));
      return { callbackUrl: callback.href };
    }),
  },
  {
    name: "is signed in by any response",
    caughtBy: ["refused-code-is-no-session"],
    run: changeKind("not-signed-in", "signed-in"),
  },
  {
    name: "stores no edit without a session",
    caughtBy: ["edits-before-the-sign-in-are-sent-after-it", "ended-session-keeps-the-edits"],
    run: changeEnd((result, { state }) =>
      result.kind === "sign-in-needed" ? { ...result, state } : result,
    ),
  },
  {
    name: "does not refresh its tokens",
    caughtBy: ["expired-access-is-refreshed"],
    run: changeResponses(REFRESH, () => refusal("internal_error")),
  },
  {
    name: "prints its access token",
    caughtBy: ["expired-access-is-refreshed"],
    run: changeEnd((result) => ({ ...result, refused: [storedText(result, "accessToken")] })),
  },
  {
    name: "takes a lost refresh for the end of its session",
    caughtBy: ["lost-refresh-is-repeated"],
    run: (task, run) =>
      run(task, async (url, init) => {
        try {
          return await fetch(url, init);
        } catch (error) {
          if (url.endsWith(REFRESH)) return refusal("invalid_refresh_token");
          throw error;
        }
      }),
  },
  {
    name: "takes a failed refresh for the end of its session",
    caughtBy: ["failed-refresh-ends-no-session"],
    run: changeResponses(REFRESH, (response) =>
      response.ok ? response : refusal("invalid_refresh_token"),
    ),
  },
  {
    name: "does not say that its session has ended",
    caughtBy: ["ended-session-keeps-the-edits"],
    run: changeKind("sign-in-needed", "failed"),
  },
  {
    name: "signs out without telling the server",
    caughtBy: ["sign-out-ends-the-session"],
    run: (task, run) =>
      run(task, async (url, init) =>
        url.endsWith("/v1/revoke") ? Response.json({ revoked: 1 }) : fetch(url, init),
      ),
  },
  {
    name: "keeps its tokens after the sign-out",
    caughtBy: ["sign-out-ends-the-session"],
    run: changeEnd((result, { state }) =>
      result.kind === "signed-out" ? { ...result, state } : result,
    ),
  },
  {
    name: "sends no deletions",
    caughtBy: ["edits-reach-another-device"],
    run: changeTask(({ edits = [] }) => ({ edits: edits.filter(({ kind }) => kind !== "delete") })),
  },
  {
    name: "refuses members that it does not know",
    caughtBy: ["unknown-members-are-ignored"],
    run: changeResponses(PULL, async (response) => {
      const text = await response.text();
      return text.includes('"extra"') ? refusal("internal_error") : new Response(text, response);
    }),
  },
  {
    name: "lets the last operation in the log win",
    caughtBy: ["devices-that-edited-apart-agree", "order-of-the-log-does-not-matter"],
    run: (task, run) => {
      let sequence = 100_000 + JSON.stringify(task.state).length;
      return eachOperation((operation) => withRevision(operation, { sequence: sequence++ }))(
        task,
        run,
      );
    },
  },
  {
    name: "ignores a create of what it has",
    caughtBy: ["two-creates-become-one-entity"],
    run: changePages((operations, { state }) =>
      operations.filter(
        ({ kind, document }) =>
          kind !== "create" || !JSON.stringify(state).includes(document.entityId),
      ),
    ),
  },
  {
    name: "takes a page that is not full for the last",
    caughtBy: ["page-before-the-head-is-not-the-last"],
    run: changeResponses(PULL, async (response) => {
      const page = (await response.json()) as { cursor: string };
      const { offset } = (readCursorMembers(page.cursor) ?? {}) as { offset?: number };
      return Response.json({ ...page, headOffset: offset }, response);
    }),
  },
  {
    name: "restores what it is given alone",
    caughtBy: ["restore-brings-back-every-field"],
    run: changeTask(({ edits = [] }) => ({
      edits: edits.map((edit) =>
        edit.kind === "restore" ? { payload: HABIT_PAYLOAD, ...edit } : edit,
      ),
    })),
  },
  {
    name: "takes a patch for a restore",
    caughtBy: ["deletion-hides-later-patches"],
    run: eachOperation((operation) =>
      operation.kind === "patch" ? { ...operation, kind: "restore" } : operation,
    ),
  },
  {
    name: "counts for itself",
    caughtBy: ["own-clock-follows-what-was-seen"],
    run: eachOperation((operation) =>
      operation.revision.sequence > 1000 ? withRevision(operation, { sequence: 7 }) : operation,
    ),
  },
  {
    name: "drops fields that it does not know",
    caughtBy: ["fields-of-other-apps-stay"],
    run: eachOperation((operation) => {
      const { ofAnotherApp: _left, ...payload } = operation.document.payload ?? {};
      const changedFields = operation.changedFields.filter((name) => name !== "ofAnotherApp");
      return { ...operation, document: { ...operation.document, payload }, changedFields };
    }),
  },
  {
    name: "loses the last operation of a full page",
    caughtBy: ["limits-of-the-server-are-kept"],
    run: changePages((operations) => (operations.length === 4 ? operations.slice(1) : operations)),
  },
  {
    name: "hears only the first event of a stream",
    caughtBy: ["live-changes-are-followed"],
    run: (task, run) =>
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
  {
    name: "sends again what it has sent",
    caughtBy: ["synced-device-sends-nothing-again"],
    run: (() => {
      let pushed: RequestInit | null = null;
      return (task, run) =>
        run(task, async (url, init) => {
          if (url.endsWith(PUSH)) pushed = init;
          else if (pushed !== null) await fetch(task.connectTo + PUSH, pushed);
          return fetch(url, init);
        });
    })(),
  },
  {
    name: "sets aside more than was refused",
    caughtBy: ["refused-operations-are-set-aside", "refused-header-is-read"],
    run: changeResponses(PUSH, (response) => {
      if (response.status !== 409) return response;
      const headers = { "Trellis-Refused": "0=id_reused, 5=id_reused" };
      return new Response(response.body, { status: 409, headers });
    }),
  },
  {
    name: "makes a new operation of what it sends again",
    caughtBy: ["lost-push-is-not-doubled"],
    run: (() => {
      let pushes = 0;
      return changePushes((operations) => {
        pushes++;
        return operations.map((one) => withRevision(one, { deviceId: `-${pushes}` }));
      });
    })(),
  },
  {
    name: "sets aside what the server cannot take now",
    caughtBy: ["failed-push-keeps-the-edits"],
    run: changeResponses(PUSH, (response) =>
      response.status >= 429 ? refusal("invalid_sync_operation") : response,
    ),
  },
  {
    name: "never starts over",
    caughtBy: ["another-log-gets-what-it-lacks"],
    run: changeResponses(PULL, async (response) => {
      const text = await response.text();
      const changed = text.replace('"requiresSnapshot":true', '"requiresSnapshot":false');
      return new Response(changed, response);
    }),
  },
  {
    name: "believes that what it pushed stays",
    caughtBy: ["push-outlives-a-rollback"],
    run: (() => {
      let pushed: Operation[] = [];
      const listen = changePushes((operations) => (pushed = operations));
      const believe = changePages((operations) => [...operations, ...pushed]);
      return (task, run) => (pushed.length === 0 ? listen : believe)(task, run);
    })(),
  },
  {
    name: "gives up when its cursor is unknown",
    caughtBy: ["unknown-cursor-starts-over"],
    run: changeResponses(PULL, (response) =>
      response.status === 400 ? refusal("not_found") : response,
    ),
  },
  {
    name: "skips what it cannot read",
    caughtBy: ["unreadable-pages-change-nothing"],
    run: changeResponses(PULL, async (response) => {
      const text = await response.text();
      if (text.startsWith('{"operations":[') && response.ok) return new Response(text);
      return Response.json({ operations: [], cursor: "g1-1", requiresSnapshot: false });
    }),
  },
  {
    name: "reads a page to its end",
    caughtBy: ["endless-page-is-refused"],
    run: changeResponses(
      PULL,
      async (response) => new Response(await response.arrayBuffer(), response),
    ),
  },
  {
    name: "asks for every page as often as it can",
    caughtBy: ["pages-that-lead-back-end"],
    run: changeResponses(PULL, async (response, init, url) => {
      for (let count = 0; count < 10; count++) await fetch(url, init);
      return response;
    }),
  },
  {
    name: "follows redirects",
    caughtBy: ["tokens-go-to-no-other-address"],
    run: (task, run) => run(task, (url, init) => fetch(url, { ...init, redirect: "follow" })),
  },
  {
    name: "gives up early",
    caughtBy: ["slow-server-is-waited-for"],
    run: (task, run) =>
      run(task, (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(500) })),
  },
];
