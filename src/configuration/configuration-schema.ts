/** The configuration file: its keys, their defaults, and what each is for. */
import Type, { type Static } from "typebox";
import { closedObject } from "../contract/closed-object.ts";
import { DEFAULT_EVENTS_RATE_LIMITS, type EventsRateLimits } from "../contract/events/values.ts";
import {
  BackupSection,
  instanceKeyFile,
  integer,
  listenAddress,
  name,
  onByDefault,
  seconds,
  secret,
  store,
  text,
  texts,
} from "./configuration-fields.ts";
import { type InstanceSection, SyncSection } from "./sync-section.ts";

const HttpSection = closedObject(
  {
    maxHeaderBytes: integer(8192, 1_048_576, 16_384, "Largest header section of a request"),
    headerTimeoutSeconds: seconds(15, "How long a client may take to send its headers"),
    requestTimeoutSeconds: seconds(30, "How long a client may take to send its whole request"),
    responseTimeoutSeconds: seconds(30, "How long a client may pause while it reads a response"),
    keepAliveSeconds: seconds(
      65,
      "Longer than the idle timeout of common proxies, so that they close connections first",
    ),
    maxConnections: integer(1, 1_000_000, 1024, "Open connections of each listener"),
    maxConnectionsPerNetwork: integer(
      1,
      1_000_000,
      128,
      "Of one IPv4 address or IPv6 /64 network; four times as many of a /24 or /48, sixteen times of a /16 or /32. Loopback and trusted proxies are not counted",
    ),
    stopSeconds: seconds(10, "How long running requests may take to finish after a stop signal"),
  },
  { default: {}, description: "Limits of every listener" },
);

const ReleaseSection = closedObject(
  {
    listen: listenAddress(4801),
    baseUrl: text("Public address of the API; https, or http on loopback", {
      default: "http://localhost:4801",
    }),
    smartDownload: Type.Optional(
      closedObject(
        {
          listen: listenAddress(4802),
          url: text("Public address of the smart-download origin", {
            default: "http://localhost:4802",
          }),
        },
        {
          default: {},
          description: "The origin that chooses a download by the visitor's platform",
        },
      ),
    ),
    websiteDownloadUrl: text("Where smart download redirects a visitor of unknown platform", {
      default: "http://localhost:4803/#download",
    }),
    environment: text("Shown by /health", {
      minLength: 1,
      maxLength: 64,
      default: "development",
    }),
    catalog: text("Catalogue folder", { minLength: 1, default: "./catalog" }),
    feeds: Type.Optional(
      closedObject(
        {
          electron: onByDefault("electron-updater, below /feeds/electron"),
          tauri: onByDefault("Tauri 2, below /feeds/tauri"),
          sparkle: onByDefault("Sparkle and WinSparkle, below /feeds/sparkle"),
          squirrel: onByDefault("Squirrel.Mac, below /feeds/squirrel"),
        },
        { default: {}, description: "Feeds for other updaters; false turns one off" },
      ),
    ),
    rateLimit: Type.Optional(
      closedObject(
        {
          requests: Type.Integer({
            minimum: 1,
            maximum: 1_000_000,
            description: "Requests that a client may make in a window",
          }),
          windowSeconds: Type.Integer({
            minimum: 1,
            maximum: 86_400,
            description: "Length of a window",
          }),
        },
        { description: "Per client address; absent: no limit, for use behind a CDN" },
      ),
    ),
    keyPassphrase: text("Passphrase of an encrypted signing key, for use without a terminal", {
      minLength: 1,
      ...secret,
    }),
  },
  { description: "The release service" },
);

const Client = closedObject(
  {
    id: Type.String({
      pattern: "^[\\x21-\\x7e]{1,128}$",
      description: "1 to 128 visible ASCII characters: the client_id that the app sends",
    }),
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The display name of the app",
    }),
    redirectUris: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "The redirect URIs of the app; compared as exact strings",
    }),
  },
  { description: "An app that may request access to events" },
);

const perMinute = (limit: keyof EventsRateLimits, description: string) =>
  integer(1, 1_000_000, DEFAULT_EVENTS_RATE_LIMITS[limit].requests, description);

const EventsSection = closedObject(
  {
    listen: listenAddress(4821),
    baseUrl: text("Public address, without a path; https, or http on loopback", {
      default: "http://localhost:4821",
    }),
    serviceName: name("The name of this instance on its pages", "My planner"),
    clients: Type.Optional(
      Type.Array(Client, {
        minItems: 1,
        default: [
          {
            id: "trellis-demo",
            name: "Trellis demo app",
            redirectUris: ["trellis-demo://auth/callback", "http://localhost:43823/callback"],
          },
        ],
        description: "The apps that may request access; none has a client secret",
      }),
    ),
    timeZone: text("Default time zone of accounts: an IANA name such as Europe/Berlin", {
      minLength: 1,
      default: "UTC",
    }),
    limits: Type.Optional(
      closedObject(
        {
          authorizePerMinute: perMinute(
            "authorize",
            "Authorization requests, and separately started sign-ins, per client address",
          ),
          tokenPerMinute: perMinute("token", "Token requests, per client address"),
          eventsPerMinute: perMinute("events", "Lists of events, per access token"),
        },
        { default: {}, description: "Rate limits; a request over one gets 429" },
      ),
    ),
    subscriptions: Type.Optional(
      closedObject(
        {
          allowedPrivateHosts: texts(
            "Hosts in private networks that calendars may be fetched from",
          ),
        },
        { default: {}, description: "Calendars that people subscribe to" },
      ),
    ),
    store: store("events.db"),
    instanceKeyFile,
    backup: Type.Optional(BackupSection),
  },
  { description: "The events service" },
);

export const DEFAULT_DATA_DIR = "./data";

export const OperatorSection = closedObject(
  {
    listen: listenAddress(4890),
    hosts: texts(
      "Host names that monitors use, without a port, beside loopback and IP addresses; requests for others are refused",
    ),
  },
  {
    description:
      "A listener for monitors and proxies: GET /readyz and GET /metrics; absent: none, unless `serve --operator`",
  },
);

export const ConfigurationFile = closedObject({
  $schema: Type.Optional(
    Type.String({ description: "Address of the JSON Schema, for editors; the server ignores it" }),
  ),
  dataDir: text("Private files: everything that has no path of its own", {
    minLength: 1,
    default: DEFAULT_DATA_DIR,
  }),
  trustedProxies: texts("Addresses or CIDR ranges whose X-Forwarded-For is trusted"),
  http: Type.Optional(HttpSection),
  operator: Type.Optional(OperatorSection),
  release: Type.Optional(ReleaseSection),
  sync: Type.Optional(SyncSection),
  events: Type.Optional(EventsSection),
});

/** The parts of a schema from which defaults and environment variables are derived. */
export interface SchemaNode {
  readonly type?: string;
  readonly default?: unknown;
  /** A default that depends on `dataDir`. */
  readonly "x-default"?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly "x-secret"?: boolean;
}

/** A section with every default filled in. */
type Filled<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]-?: Filled<Exclude<T[K], undefined>> }
    : T;

export type HttpConfiguration = Filled<Static<typeof HttpSection>>;
export type OperatorConfiguration = Filled<Static<typeof OperatorSection>>;
type ReleaseFile = Static<typeof ReleaseSection>;
export type ReleaseConfiguration = Filled<Omit<ReleaseFile, "rateLimit" | "keyPassphrase">> &
  Pick<ReleaseFile, "rateLimit" | "keyPassphrase">;
type BackupFile = Static<typeof BackupSection>;
export type BackupConfiguration = Filled<Omit<BackupFile, "encryptTo">> &
  Pick<BackupFile, "encryptTo">;
/** A section whose `backup` is absent when the server makes no backups. */
interface WithBackup {
  readonly backup?: BackupConfiguration;
}
type SyncFile = Static<typeof SyncSection>;
/** The settings of one instance: its address, and what differs from the settings that all instances share. */
export type InstanceSettings = Static<typeof InstanceSection>;
/**
 * The instances of a host with their settings, by name. The name is that of the folder or schema of the
 * instance.
 */
export type InstancesByName = Readonly<Record<string, InstanceSettings>>;
export type SyncConfiguration = Filled<Omit<SyncFile, "instances" | "quota" | "backup">> &
  WithBackup & {
    readonly quota: NonNullable<SyncFile["quota"]>;
    /** The instances; absent when the configuration does not list them. */
    readonly instances?: InstancesByName;
  };
/** The settings of one sync service: of the section, or of one of several instances. */
export type SyncServiceSettings = Omit<SyncConfiguration, "instances" | "listen" | "maxOpen">;
/** What the settings of an instance are checked against. */
export type InstanceRules = Pick<SyncConfiguration, "store" | "allowedSchemes">;
export type StoreSection = Pick<SyncConfiguration, "store" | "instanceKeyFile" | "backup"> &
  Partial<Pick<SyncConfiguration, "hostKeyFile">>;
export type EventsConfiguration = Filled<Omit<Static<typeof EventsSection>, "backup">> & WithBackup;

export interface Configuration {
  /** The path of the configuration file; null when only the defaults and the environment apply. */
  readonly file: string | null;
  readonly dataDir: string;
  readonly trustedProxies: readonly string[];
  readonly http: HttpConfiguration;
  /** The operator's listener; absent when it is off. */
  readonly operator?: OperatorConfiguration;
  /** Each service is absent when it is not configured. */
  readonly release?: ReleaseConfiguration;
  readonly sync?: SyncConfiguration;
  readonly events?: EventsConfiguration;
}
