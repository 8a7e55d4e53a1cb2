import { readdir, readFile } from "node:fs/promises";

/** The child processes, read from /proc. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  const children = (await Promise.all(lists)).join(" ").split(" ").filter(Boolean).map(Number);
  const areZombies = await Promise.all(children.map(isZombie));
  return children.filter((_, index) => !areZombies[index]);
}

/** The processes of a group, read from /proc. */
export async function livingInGroup(group: number): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(readStat));
  return pids.filter((_, index) => {
    const [state, , processGroup] = stats[index] ?? [];
    return processGroup === String(group) && state !== "Z";
  });
}

async function isZombie(pid: number): Promise<boolean> {
  const [state = "Z"] = await readStat(pid);
  return state === "Z";
}

/** The fields that follow the name: state, parent, group; none when the process has ended. */
async function readStat(pid: number): Promise<string[]> {
  const stat = await read(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Empty when the process has ended. */
function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
