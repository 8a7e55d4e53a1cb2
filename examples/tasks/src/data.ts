/** The app's data: a client of Trellis, its collections, and edits. */
import { createIndexedDbStorage, createSyncClient, type CollectionResult } from "trellis/client";

/** The address of the sync server, set by the bundler. */
declare const SYNC_URL: string;

export interface Project {
  name: string;
}

export interface Task {
  title: string;
  done: boolean;
  project: string;
  /** Minutes; those of all devices are added up. */
  spent: number;
  /** Tags of all devices stay. */
  tags: string[];
  /** The place of the task in the list. */
  position: string;
}

/** Shows why something did not work: an error, or an edit that was refused. */
export type Attempt = (work: Promise<unknown>) => void;

const kinds = { spent: "counter", tags: "set", position: "order" } as const;

export const client = await createSyncClient({
  baseUrl: SYNC_URL,
  redirectUri: `${location.origin}/callback`,
  storage: createIndexedDbStorage("tasks"),
  profile: "open",
});

export const projects = client.collection<Project, {}, "name">("project", { indexes: ["name"] });
export const tasks = client.collection<Task, typeof kinds, "done">("task", {
  kinds,
  indexes: ["done"],
});

/** Adds a task and, if there is none of that name, its project: both or none. */
export async function addTask(title: string, projectName: string): Promise<void> {
  const [found] = projects.list({ where: { name: projectName }, limit: 1 });
  const result = await client.transaction((edit) => {
    const project = found?.id ?? edit(projects).create({ name: projectName });
    edit(tasks).create({ title, project, done: false, spent: 0, tags: [] });
  });
  if (result.kind === "refused") throw new Error(result.message);
}

/** What an edit resolves with is a value; the app shows a refusal as it shows an error. */
export async function store(edit: Promise<CollectionResult>): Promise<void> {
  const result = await edit;
  if (result.kind === "refused") throw new Error(result.message);
}

/** Moves a task past its neighbour on that side. */
export async function moveTask(id: string, side: "up" | "down"): Promise<void> {
  const listed = tasks.list();
  const index = listed.findIndex((task) => task.id === id);
  const neighbour = listed[side === "up" ? index - 1 : index + 1]?.id;
  if (neighbour === undefined) return;
  await store(tasks.move(id, side === "up" ? { before: neighbour } : { after: neighbour }));
}

export async function signIn(): Promise<void> {
  const result = await client.beginSignIn();
  if (result.kind === "not-signed-in") throw new Error(result.error.message);
  location.assign(result.url);
}

/** Begins a sign-in at the address to which the link of `trellis dev` leads, and finishes one at its own. */
export async function continueSignIn(): Promise<void> {
  if (location.hash === "#sign-in") return signIn();
  if (location.pathname !== "/callback") return;
  const callback = location.href;
  // The one-time code leaves the address before anything else happens.
  history.replaceState(null, "", "/");
  const result = await client.completeSignIn(callback);
  if (result.kind === "not-signed-in") throw new Error(result.error.message);
}
