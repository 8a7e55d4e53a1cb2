/** What the cases of the client share: the server, new entities, and devices that end with their case. */
import { toCases, type ConformanceCase } from "../../case.ts";
import { ignoreConformanceErrors } from "../../check.ts";
import type { SyncServerUnderTest } from "../server-under-test.ts";
import { openTestClient, type TestClient, type TestClientOptions } from "./test-client.ts";

export type SyncClientCase = ConformanceCase<ClientRun>;
export const syncClientCases = toCases<ClientRun>;

export interface ClientRun {
  readonly server: SyncServerUnderTest;
  newHabit(): string;
  newSetting(): string;
  /** Opens clients for the work, and signs them out and closes them after it. */
  withClients<T>(work: (open: OpenClients) => Promise<T>): Promise<T>;
  /** Signs in two devices, which have synced. */
  withDevices(work: (one: TestClient, other: TestClient) => Promise<void>): Promise<void>;
  /** Deletes the entities of the run. */
  cleanUp(): Promise<void>;
}

export interface OpenClients {
  /** A client that is not signed in. */
  open(options?: TestClientOptions): Promise<TestClient>;
  signIn(options?: TestClientOptions): Promise<TestClient>;
}

export function createClientRun(server: SyncServerUnderTest): ClientRun {
  const entities: string[] = [];
  const remember = (entityId: string) => {
    entities.push(entityId);
    return entityId;
  };

  async function withClients<T>(work: (clients: OpenClients) => Promise<T>): Promise<T> {
    const opened: TestClient[] = [];
    const open = async (options?: TestClientOptions) => {
      const device = await openTestClient(server, options);
      opened.push(device);
      return device;
    };
    const signIn = async (options?: TestClientOptions) => {
      const device = await open(options);
      await device.signIn();
      return device;
    };
    try {
      return await work({ open, signIn });
    } finally {
      for (const { client, network } of opened) {
        network.disturb(null);
        await client.signOut();
        await client.close();
      }
    }
  }

  return {
    server,
    newHabit: () => remember(server.newHabit()),
    newSetting: () => remember(server.newSetting()),
    withClients,
    withDevices: (work) =>
      withClients(async ({ signIn }) => {
        const [one, other] = [await signIn(), await signIn()];
        await one.sync();
        await other.sync();
        await work(one, other);
      }),
    cleanUp: () =>
      withClients(async ({ signIn }) => {
        // A client deletes the entities, because its clock is beyond every sequence of the run.
        await ignoreConformanceErrors(async () => {
          const device = await signIn();
          await device.sync();
          for (const entityId of entities) await device.client.remove(entityId);
          await device.sync();
        });
        await ignoreConformanceErrors(server.cleanUp);
      }),
  };
}
