/** Names the program that listens on a port. Linux shows it in /proc; other systems do not. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Words for a sentence, such as `nginx (process 812, in /)`; null when the system does not show it. */
export function findPortHolder(port: number): string | null {
  const sockets = listListeningSockets(port);
  if (sockets.length === 0) return null;
  const pid = listProcesses().find((id) => hasSocket(id, sockets));
  return pid === undefined ? "a program of another user" : describeProcess(pid);
}

const LISTENING = "0A";

/** What a link in /proc/PID/fd leads to, for each socket that listens on the port. */
function listListeningSockets(port: number): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((path) => tryRead(() => readFileSync(path, "utf8").split("\n")) ?? [])
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => state === LISTENING && local.endsWith(end))
    .map((fields) => `socket:[${fields[9]}]`);
}

/** The oldest first: it is the one that a person started, and its children may share the socket. */
function listProcesses(): number[] {
  const names = tryRead(() => readdirSync("/proc")) ?? [];
  return names
    .map(Number)
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b);
}

/** Only the files of the user's own processes can be read. */
function hasSocket(pid: number, sockets: readonly string[]): boolean {
  const folder = `/proc/${pid}/fd`;
  return (tryRead(() => readdirSync(folder)) ?? []).some((name) => {
    const target = tryRead(() => readlinkSync(`${folder}/${name}`));
    return target !== null && sockets.includes(target);
  });
}

function describeProcess(pid: number): string {
  const words = tryRead(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")) ?? [];
  const program = tryRead(() => basename(readlinkSync(`/proc/${pid}/exe`))) ?? "a program";
  const folder = tryRead(() => readlinkSync(`/proc/${pid}/cwd`));
  const place = folder === null ? "" : `, in ${folder}`;
  return `${nameTrellis(words) ?? program} (process ${pid}${place})`;
}

/** Null for other programs. Options and their values, which may be secrets, are left out. */
export function nameTrellis(words: readonly string[]): string | null {
  const start = words.findIndex((word) => /^trellis(?:\.[jt]s)?$/.test(basename(word))) + 1;
  if (start === 0) return null;
  const end = words.findIndex((word, index) => index >= start && !/^[a-z]+$/.test(word));
  const command = words.slice(start, end === -1 ? undefined : end).join(" ");
  return command === "demo" ? "the Trellis demo" : `trellis ${command}`.trim();
}

/** A process may end while it is read, and other systems have no /proc. */
function tryRead<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
