/** An attacker in a process of its own: a flood over some connections, or connections that are held. */
import { setTimeout as sleep } from "node:timers/promises";
import { handleOrders } from "../processes.ts";
import { openLoadConnection, type Connection } from "../send-requests.ts";
import { ATTACKS, CONTROL, type Attack, type AttackTarget } from "./attacks.ts";

export interface AttackOrder {
  readonly attack: string;
  readonly target: AttackTarget;
  readonly connections: number;
  readonly seconds: number;
}

export interface AttackResult {
  /** The number of responses, or of connections that were held. */
  readonly count: number;
}

/** The numbers go on from order to order: no two pushes of a run are the same. */
let number = 0;

handleOrders(run);

function run({ attack: name, target, connections, seconds }: AttackOrder): Promise<AttackResult> {
  const attack = [CONTROL, ...ATTACKS].find((known) => known.name === name);
  if (attack === undefined) throw new Error(`There is no attack "${name}"`);
  return attack.held === undefined
    ? flood(attack, target, connections, seconds)
    : hold(attack, attack.held, target, seconds);
}

async function flood(
  attack: Attack,
  target: AttackTarget,
  connections: number,
  seconds: number,
): Promise<AttackResult> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const sendUntilOver = async () => {
    let connection: Connection | null = null;
    while (performance.now() < until) {
      try {
        connection ??= await openLoadConnection(target.port);
        await connection.ask(attack.request(target, number++));
        count++;
      } catch {
        // The server closed the connection, which may be its defence: the attacker comes again.
        connection?.socket.destroy();
        connection = null;
      }
    }
    connection?.socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, sendUntilOver));
  return { count };
}

/** Nothing is read, so that a response fills the buffers between the two sides. */
async function hold(
  attack: Attack,
  connections: number,
  target: AttackTarget,
  seconds: number,
): Promise<AttackResult> {
  const opened = await Promise.all(
    Array.from({ length: connections }, () => openLoadConnection(target.port)),
  );
  for (const { socket } of opened) {
    socket.pause();
    socket.write(attack.request(target, number++));
  }
  await sleep(seconds * 1000);
  for (const { socket } of opened) socket.destroy();
  return { count: connections };
}
