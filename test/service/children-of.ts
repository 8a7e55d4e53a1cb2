import { readdir, readFile } from "node:fs/promises";

/** The child processes, read from /proc. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  const children = (await Promise.all(lists)).join(" ").split(" ").filter(Boolean).map(Number);
  const areZombies = await Promise.all(children.map(isZombie));
  return children.filter((_, index) => !areZombies[index]);
}

async function isZombie(pid: number): Promise<boolean> {
  const stat = await read(`/proc/${pid}/stat`);
  return stat === "" || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** Empty when the process has ended. */
function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
