/** Says which ports are taken, by which program, and which are used in their place. */
import type { MovedPort } from "../server/reserve-ports.ts";
import { findPortHolder } from "./find-port-holder.ts";

export function describeMovedPorts(moved: readonly MovedPort[]): string[] {
  const byHolder = Map.groupBy(moved, ({ usual }) => findPortHolder(usual));
  return [...byHolder].map(([holder, ports]) => {
    const [usual, used] = [ports.map((port) => port.usual), ports.map((port) => port.used)];
    const by = holder === null ? "" : ` by ${holder}`;
    return ports.length === 1
      ? `Port ${usual.join()} is taken${by}, so ${used.join()} is used`
      : `Ports ${usual.join(", ")} are taken${by}, so ${used.join(", ")} are used`;
  });
}
