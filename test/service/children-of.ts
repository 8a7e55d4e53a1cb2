import { readdir, readFile } from "node:fs/promises";

/** The child processes, read from /proc. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  const children = (await Promise.all(lists)).join(" ").split(" ").filter(Boolean).map(Number);
  const areZombies = await Promise.all(children.map(isZombie));
  return children.filter((_, index) => !areZombies[index]);
}

/** The processes that were started with this in their environment, such as `HOME=/somewhere`. */
export async function livingWith(variable: string): Promise<number[]> {
  const pids = await listProcesses();
  const environments = await Promise.all(pids.map((pid) => read(`/proc/${pid}/environ`)));
  return pids.filter((_, index) => environments[index]?.split("\0").includes(variable));
}

async function listProcesses(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
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
