/** The collection of tasks that every process has open, and what its subscribers are told. */
import type { CollectionResult, OrderPlace, SyncClient } from "../../../src/client/index.ts";

export interface Task {
  readonly title?: string;
  readonly project?: string;
  readonly spent: number;
  readonly tags: readonly string[];
  readonly position: string;
}

export type ShownTask = Task & { readonly id: string };

export const TASK_IDS = ["t0", "t1", "t2", "t3"] as const;
/** Tasks that are never removed, so that every increment of them counts. */
export const KEPT_TASK_IDS: readonly string[] = TASK_IDS.slice(0, 2);

const KINDS = { spent: "counter", tags: "set", position: "order" } as const;

export type Tasks = ReturnType<typeof openTasks>;

export function openTasks(client: SyncClient) {
  return client.collection<Task, typeof KINDS, "project">("task", {
    indexes: ["project"],
    kinds: KINDS,
  });
}

/** What an edit of a collection and one of a transaction have in common. */
export interface TaskCalls<Result> {
  create(fields: object, options: { readonly id: string }): Result;
  patch(id: string, fields: object): Result;
  remove(id: string): Result;
  restore(id: string): Result;
  increment(id: string, field: "spent", by: number): Result;
  addTo(id: string, field: "tags", element: string): Result;
  removeFrom(id: string, field: "tags", element: string): Result;
  move(id: string, place: OrderPlace): Result;
}

export type TaskResult = Promise<CollectionResult>;

export interface TaskWatch {
  /** What is wrong at this moment with the lists, or with what subscribers were told. */
  errors(): string[];
}

/** Lists must be what a list made anew would be, and nothing changes of which subscribers were not told. */
export function watchTasks(client: SyncClient, tasks: Tasks): TaskWatch {
  let told = tasks.list();
  const toldById = new Map<string, unknown>(TASK_IDS.map((id) => [id, tasks.get(id)]));
  tasks.subscribe(() => {
    told = tasks.list();
  });
  for (const id of TASK_IDS) tasks.subscribeTo(id, () => toldById.set(id, tasks.get(id)));
  return {
    errors() {
      const all = client.entities
        .list("task")
        .flatMap(({ entityId }) => tasks.get(entityId.slice("task/".length)) ?? []);
      const byProject = all
        .filter(({ project }) => project !== undefined)
        .sort((one, other) => compare(one.project, other.project) || compare(one.id, other.id));
      return [
        ...compareLists("The list of tasks", tasks.list(), sortTasks(all)),
        ...compareLists("The list by project", tasks.list({ orderBy: "project" }), byProject),
        ...compareLists("What a subscriber was told", told, tasks.list()),
        ...TASK_IDS.flatMap((id) =>
          toldById.get(id) === tasks.get(id) ? [] : [`A subscriber was not told of task/${id}`],
        ),
      ];
    },
  };
}

/** A device changes both together, so no listener may see one without the other. */
export function watchPair(client: SyncClient, [one, other]: readonly [string, string]): TaskWatch {
  const errors: string[] = [];
  const check = () => {
    const shown = [one, other].map((id) => client.entities.get(id)?.payload["value"]);
    if (shown[0] === shown[1]) return;
    errors.push(`A listener saw a part of a transaction: ${JSON.stringify(shown)}`);
  };
  client.subscribe(check);
  return {
    errors() {
      check();
      return errors.splice(0);
    },
  };
}

/** By position, without one last; then by id. */
export function sortTasks<T extends Pick<ShownTask, "id" | "position">>(all: readonly T[]): T[] {
  return all.toSorted(
    (one, other) =>
      Number(one.position === "") - Number(other.position === "") ||
      compare(one.position, other.position) ||
      compare(one.id, other.id),
  );
}

function compare(one = "", other = ""): number {
  return one < other ? -1 : Number(one > other);
}

function compareLists(
  what: string,
  found: readonly ShownTask[],
  wanted: readonly ShownTask[],
): string[] {
  const isSame = found.length === wanted.length && found.every((one, at) => one === wanted[at]);
  return isSame ? [] : [`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
}
