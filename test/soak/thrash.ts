/** Floods in bursts, as in `npm run bench:attack`: they may take time from honest clients, and nothing else. */
import { setTimeout as sleep } from "node:timers/promises";
import { ATTACKS, type AttackTarget } from "../../bench/attack/attacks.ts";
import { openLoadConnection } from "../../bench/send-requests.ts";
import type { SeededRandom } from "../fixtures/seeded-random.ts";
import { describeFailure, type Tally } from "./tally.ts";

const CONNECTIONS = 16;
const REQUESTS_PER_CONNECTION = 20;
const PAUSE_MS = 4000;
/** Pushes would fill the disk, and no device of this run has used its refresh token twice. */
const FLOODS = ATTACKS.filter(
  ({ name, held }) => held === undefined && !/pushes|replays/.test(name),
);

export async function thrash(
  targets: readonly AttackTarget[],
  random: SeededRandom,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  let number = 0;
  while (!isOver()) {
    const target = random.pick(targets);
    const place = target.instances === null ? "one instance" : "a host";
    const flood = random.pick(FLOODS.filter(({ on }) => on === "both" || on === place));
    const count = (result: string) => tally.count(`thrash on ${place}, ${flood.name}`, result);
    const send = async () => {
      const connection = await openLoadConnection(target.port);
      try {
        for (let sent = 0; sent < REQUESTS_PER_CONNECTION; sent++) {
          const { status } = await connection.ask(flood.request(target, number++));
          count(String(status));
          if (status >= 500 && status !== 503) tally.report(`${flood.name} got ${status}`);
        }
      } finally {
        connection.socket.destroy();
      }
    };
    const sending = Array.from({ length: CONNECTIONS }, () =>
      send().catch((error: unknown) => count(describeFailure(error))),
    );
    await Promise.all(sending);
    await sleep(random.below(PAUSE_MS));
  }
}
