/** What differs between one installation of the app and another, read from its own origin. */
import type { UpdateClientOptions } from "trellis/client";
import { LoadError } from "./start-error.ts";

export interface Config {
  /** Of the database in this browser, and of what else the app keeps here. */
  readonly storageName: string;
  /** The name of the device in its owner's list, until the owner gives it another one. */
  readonly deviceName: string;
  readonly sync: { readonly baseUrl: string };
  readonly events: EventsConfig | null;
  readonly release: ReleaseConfig | null;
  /** The page that may show the app in a frame and talk to it. */
  readonly parentOrigin?: string;
}

export interface EventsConfig {
  /** The app's client id at every service. */
  readonly clientId: string;
  /** Null: the person types the address of their service. */
  readonly service: PlannerService | null;
}

export interface PlannerService {
  /** A public name such as https://planner.example.org. */
  readonly origin: string;
  /** For people; by default the host. */
  readonly name?: string;
  /** Where it really is while it runs on this machine; see `planner-address.ts`. */
  readonly developmentAddress?: string;
}

export type ReleaseConfig = Pick<
  UpdateClientOptions,
  "baseUrl" | "product" | "keys" | "platform" | "architecture" | "current"
>;

export async function fetchConfig(): Promise<Config> {
  const response = await fetch("/config.json").catch((cause: unknown) => {
    throw new LoadError("unreachable", cause);
  });
  if (!response.ok) throw new LoadError("no-config", `config.json returned ${response.status}`);
  return (await response.json()) as Config;
}
