/** The app's data: a client of Trellis, its collections, and what TanStack DB makes of them. */
import { BasicIndex, createCollection, createTransaction } from "@tanstack/react-db";
import { createIndexedDbStorage, createSyncClient } from "trellis/client";
import { storeTransaction, trellisCollectionOptions } from "trellis/tanstack-db";

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

/** Shows why something did not work. TanStack DB takes back an edit that was refused. */
export type Attempt = (work: Promise<unknown>) => void;

const kinds = { spent: "counter", tags: "set", position: "order" } as const;

export const client = await createSyncClient({
  baseUrl: SYNC_URL,
  redirectUri: `${location.origin}/callback`,
  storage: createIndexedDbStorage("tasks"),
  profile: "open",
});

const projects = client.collection<Project>("project");
export const tasks = client.collection<Task, typeof kinds>("task", { kinds });

/** An index is made for what a query filters, joins and sorts by. */
const index = { autoIndex: "eager", defaultIndexType: BasicIndex<string> } as const;
export const projectRows = createCollection({ ...trellisCollectionOptions(projects), ...index });
export const taskRows = createCollection({ ...trellisCollectionOptions(tasks), ...index });

/** Adds a task and, if there is none of that name, its project: both or none. */
export async function addTask(title: string, projectName: string): Promise<void> {
  const adding = createTransaction({ mutationFn: storeTransaction });
  adding.mutate(() => {
    const found = projectRows.toArray.find(({ name }) => name === projectName);
    const project = found?.id ?? crypto.randomUUID();
    if (found === undefined) projectRows.insert({ id: project, name: projectName });
    taskRows.insert({ title, project, done: false, spent: 0, tags: [] });
  });
  await adding.when("settled");
}

/** Moves a task past its neighbour on that side. */
export async function moveTask(id: string, side: "up" | "down"): Promise<void> {
  const listed = tasks.list();
  const index = listed.findIndex((task) => task.id === id);
  const neighbour = listed[side === "up" ? index - 1 : index + 1]?.id;
  if (neighbour === undefined) return;
  const result = await tasks.move(id, side === "up" ? { before: neighbour } : { after: neighbour });
  if (result.kind === "refused") throw new Error(result.message);
}

export async function signIn(): Promise<void> {
  const result = await client.beginSignIn();
  if (result.kind === "not-signed-in") throw new Error(result.error.message);
  location.assign(result.url);
}

/** Finishes a sign-in when this page is where it leads. */
export async function completeSignIn(): Promise<void> {
  if (location.pathname !== "/callback") return;
  const callback = location.href;
  // The one-time code leaves the address before anything else happens.
  history.replaceState(null, "", "/");
  const result = await client.completeSignIn(callback);
  if (result.kind === "not-signed-in") throw new Error(result.error.message);
}
