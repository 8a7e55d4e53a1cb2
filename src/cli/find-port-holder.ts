/** Names the program that listens on a port. Linux shows it in /proc; other systems do not. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isIPv4 } from "node:net";
import { basename } from "node:path";
import { SERVICES } from "../configuration/configuration.ts";

/**
 * Words for a sentence, such as `nginx (process 812, in /)`; null when the system does not show it. Another program
 * may listen on the port at another address of this machine, so `address` is the one that is wanted.
 */
export function findPortHolder(port: number, address = "127.0.0.1"): string | null {
  const sockets = listListeningSockets(port, address);
  if (sockets.length === 0) return null;
  const pid = listProcesses().find((id) => hasSocket(id, sockets));
  return pid === undefined ? "a program of another user" : describeProcess(pid);
}

const LISTENING = "0A";

/** What a link in /proc/PID/fd leads to, for each socket that keeps the address from being listened on. */
function listListeningSockets(port: number, address: string): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const wanted = toHexAddress(address);
  const isInTheWay = (local: string) => {
    const at = local.slice(0, -end.length);
    return local.endsWith(end) && (wanted === null || at === wanted || /^0+$/.test(at));
  };
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((path) => tryRead(() => readFileSync(path, "utf8").split("\n")) ?? [])
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => state === LISTENING && isInTheWay(local))
    .map((fields) => `socket:[${fields[9]}]`);
}

/** As /proc writes an IPv4 address, its bytes in reverse; null for others and the wildcard, which any one is in the way of. */
function toHexAddress(address: string): string | null {
  if (!isIPv4(address) || address === "0.0.0.0") return null;
  return Buffer.from(address.split(".").map(Number).toReversed()).toString("hex").toUpperCase();
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

/**
 * Null for other programs: only the program itself, or the script that Node runs, can be Trellis. No word is shown
 * but the name of a command: the others may be secrets.
 */
export function nameTrellis(words: readonly string[]): string | null {
  const program = /^node(?:-MainThread)?$/.test(basename(words[0] ?? ""))
    ? words.findIndex((word, index) => index > 0 && !word.startsWith("-"))
    : 0;
  if (!/^trellis(?:\.[jt]s)?$/.test(basename(words[program] ?? ""))) return null;
  const [command = "", ...services] = words.slice(program + 1);
  if (command === "demo") return "the Trellis demo";
  if (command === "dev") return "trellis dev";
  if (command !== "serve") return "trellis";
  const served = services.filter((word) => SERVICES.some((name) => name === word));
  return ["trellis serve", ...served].join(" ");
}

/** A process may end while it is read, and other systems have no /proc. */
function tryRead<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
