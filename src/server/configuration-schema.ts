/** The configuration file: its keys, their defaults, and what each is for. */
import Type, { type Static } from "typebox";
import { EventsSection } from "./sections/events-section.ts";
import { HttpSection } from "./sections/http-section.ts";
import { ReleaseSection } from "./sections/release-section.ts";
import { closed, withDefault } from "./sections/settings.ts";
import { SyncSection } from "./sections/sync-section.ts";

export const ConfigurationFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    dataDir: Type.Optional(
      Type.String({
        minLength: 1,
        ...withDefault("./data"),
        description: "Private files: keys and databases",
      }),
    ),
    trustedProxies: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        ...withDefault([]),
        description: "Addresses or CIDR ranges whose X-Forwarded-For is believed",
      }),
    ),
    http: Type.Optional(HttpSection),
    release: Type.Optional(ReleaseSection),
    sync: Type.Optional(SyncSection),
    events: Type.Optional(EventsSection),
  },
  closed,
);

/** Every default filled in. */
export type Filled<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]-?: Filled<Exclude<T[K], undefined>> }
    : T;

export type HttpLimits = Filled<Static<typeof HttpSection>>;
type ReleaseFile = Static<typeof ReleaseSection>;
export type ReleaseConfiguration = Filled<Omit<ReleaseFile, "rateLimit" | "keyPassphrase">> &
  Pick<ReleaseFile, "rateLimit" | "keyPassphrase">;
export type SyncConfiguration = Filled<Static<typeof SyncSection>>;
export type EventsConfiguration = Filled<Static<typeof EventsSection>>;
