/** The configuration file: its keys, their defaults, and what each is for. */
import Type, { type Static } from "typebox";
import { DEFAULT_EVENTS_RATE_LIMITS, type EventsRateLimits } from "../contract/events/values.ts";
import { SYNC_PROFILES } from "../contract/sync/operation-limits.ts";
import { DEFAULT_SYNC_LIMITS, SYNC_LIMIT_RANGES } from "../contract/sync/values.ts";

const closed = { additionalProperties: false } as const;

/** Marks a value that stays out of every output and may be given as a file. */
const secret = { "x-secret": true } as const;

interface TextOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string;
  readonly "x-default"?: string;
  readonly "x-secret"?: true;
}

const text = (description: string, options: TextOptions) =>
  Type.Optional(Type.String({ ...options, description }));

const name = (description: string, value: string) =>
  text(description, { minLength: 1, maxLength: 100, default: value });

const texts = (
  description: string,
  value: string[],
  options: { readonly minItems?: number } = {},
) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { ...options, default: value, description }),
  );

const integer = (minimum: number, maximum: number, value: number, description?: string) =>
  Type.Optional(
    Type.Integer({
      minimum,
      maximum,
      default: value,
      ...(description !== undefined && { description }),
    }),
  );

const flag = (description: string) => Type.Optional(Type.Boolean({ default: true, description }));

const seconds = (value: number, description: string) => integer(1, 3600, value, description);

const listenAddress = (port: number) =>
  Type.Optional(
    Type.Object(
      {
        host: Type.Optional(Type.String({ minLength: 1, default: "127.0.0.1" })),
        port: integer(0, 65_535, port, "0 takes any free port"),
      },
      { ...closed, default: {}, description: "The address that the listener binds" },
    ),
  );

/** A default inside `dataDir`, so that `dataDir` alone moves all private files. */
const inDataDir = (value: string) => ({ "x-default": value, minLength: 1 });

const store = (file: string) =>
  text(`sqlite:PATH or a postgres:// address (default: ${file} in dataDir)`, {
    ...inDataDir(`sqlite:{dataDir}/${file}`),
    ...secret,
  });

const instanceKeyFile = text(
  "32 secret bytes, created on first use; never inside the database that it protects (default: instance.key in dataDir)",
  inDataDir("{dataDir}/instance.key"),
);

const kept = (value: number, period: string) =>
  integer(0, 1000, value, `The last backup of so many ${period}`);

const BackupSection = Type.Object(
  {
    every: Type.Optional(
      Type.Enum(["hour", "day", "week"], {
        type: "string",
        default: "day",
        description: "One in each hour, day or week (from Monday) in UTC",
      }),
    ),
    keep: Type.Optional(
      Type.Object(
        { daily: kept(7, "days"), weekly: kept(5, "weeks"), monthly: kept(12, "months") },
        {
          ...closed,
          default: {},
          description: "Others are deleted once they are a day old; the newest one never",
        },
      ),
    ),
    to: text(
      "A folder, or s3://bucket/prefix with the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
      { minLength: 1, default: "./backups" },
    ),
  },
  { ...closed, description: "Backups that the server makes while it runs; absent: none" },
);

const HttpSection = Type.Object(
  {
    maxHeaderBytes: integer(8192, 1_048_576, 16_384),
    headerTimeoutSeconds: seconds(15, "How long a client may take to send its headers"),
    requestTimeoutSeconds: seconds(30, "How long a client may take to send its whole request"),
    responseTimeoutSeconds: seconds(30, "How long a client may take to read on in a response"),
    keepAliveSeconds: seconds(
      65,
      "Longer than the idle timeout of common proxies, so that they close connections first",
    ),
    maxConnections: integer(1, 1_000_000, 1024),
    maxConnectionsPerNetwork: integer(
      1,
      1_000_000,
      128,
      "Of one IPv4 address or IPv6 /64 network; four times as many of a /24 or /48, sixteen times of a /16 or /32. Loopback and trusted proxies are not counted",
    ),
    stopSeconds: seconds(10, "How long running requests may take to finish after a stop signal"),
  },
  { ...closed, default: {}, description: "Limits of every listener" },
);

const ReleaseSection = Type.Object(
  {
    listen: listenAddress(4801),
    baseUrl: text("Public address of the API; https, or http on loopback", {
      default: "http://localhost:4801",
    }),
    smartDownload: Type.Optional(
      Type.Object(
        {
          listen: listenAddress(4802),
          url: text("Public address of the smart-download origin", {
            default: "http://localhost:4802",
          }),
        },
        { ...closed, default: {} },
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
      Type.Object(
        {
          electron: flag("electron-updater, below /feeds/electron"),
          tauri: flag("Tauri 2, below /feeds/tauri"),
          sparkle: flag("Sparkle and WinSparkle, below /feeds/sparkle"),
          squirrel: flag("Squirrel.Mac, below /feeds/squirrel"),
        },
        { ...closed, default: {}, description: "Feeds for other updaters; false turns one off" },
      ),
    ),
    rateLimit: Type.Optional(
      Type.Object(
        {
          requests: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
          windowSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
        },
        { ...closed, description: "Per client address; absent: no limit, for use behind a CDN" },
      ),
    ),
    keyPassphrase: text("Passphrase of an encrypted signing key, for use without a terminal", {
      minLength: 1,
      ...secret,
    }),
  },
  { ...closed, description: "The release service" },
);

const RedirectUri = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      uri: Type.String({ minLength: 1 }),
      delivery: Type.Enum(["query", "fragment"], { type: "string" }),
    },
    closed,
  ),
]);

const syncLimit = (limit: keyof typeof SYNC_LIMIT_RANGES, description: string) => {
  const { minimum, maximum } = SYNC_LIMIT_RANGES[limit];
  return integer(minimum, maximum, DEFAULT_SYNC_LIMITS[limit], description);
};

const SyncLimitsSection = Type.Object(
  {
    maxBodyBytes: syncLimit("maxBodyBytes", "Largest request body"),
    maxPushOperations: syncLimit("maxPushOperations", "Operations in a push"),
    maxPullOperations: syncLimit("maxPullOperations", "Operations on a page"),
    authorizePerMinute: syncLimit(
      "authorizePerMinute",
      "Sign-ins begun in a minute, per client network or known browser",
    ),
  },
  { ...closed, default: {} },
);

const quotaLimit = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

const QuotaSection = Type.Object(
  {
    bytes: quotaLimit(
      Number.MAX_SAFE_INTEGER,
      "Size of the store from which pushes are refused; absent: no limit",
    ),
    devices: quotaLimit(100_000, "Devices that may be signed in; absent: no limit"),
  },
  { ...closed, default: {}, description: "What an instance may use" },
);

const redirectUris = (rules: { readonly default?: string[] }) =>
  Type.Optional(
    Type.Array(RedirectUri, {
      minItems: 1,
      ...rules,
      description: "Where a sign-in may end; compared as exact strings",
    }),
  );

/** What differs between the instances of one server; the rest is that of `sync`. */
const InstanceSection = Type.Object(
  {
    baseUrl: Type.String({
      description:
        "Public address, without a path; its host chooses the instance. https, or http on loopback",
    }),
    displayName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "The name of the instance on its sign-in page (default: that of sync)",
      }),
    ),
    redirectUris: redirectUris({}),
    corsOrigins: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    ownerPage: Type.Optional(
      Type.Boolean({
        description: "Whether / is a page for the owner (default: that of sync)",
      }),
    ),
    limits: Type.Optional(SyncLimitsSection),
    quota: Type.Optional(QuotaSection),
    suspended: Type.Optional(
      Type.Boolean({ description: "Devices are told to come back later; nothing is removed" }),
    ),
  },
  { ...closed, description: "A personal instance" },
);

export const INSTANCE_NAME_PATTERN = "^[a-z0-9][a-z0-9-]{0,62}$";

/** By name, which is also that of its folder. */
export const Instances = Type.Record(
  Type.String({ pattern: INSTANCE_NAME_PATTERN }),
  InstanceSection,
  {
    ...closed,
    description:
      "Personal instances by name (lower-case letters, digits and hyphens), chosen by the host of a request; absent: those of `trellis sync instance add`, or one instance without a name",
  },
);

const SyncSection = Type.Object(
  {
    listen: listenAddress(4811),
    baseUrl: text("Public address; https, or http on loopback", {
      default: "http://localhost:4811",
    }),
    displayName: name("The name of this instance on the sign-in page", "My sync"),
    redirectUris: redirectUris({ default: ["http://localhost:43823/callback"] }),
    allowedSchemes: texts("Private-use schemes without a dot that redirect URIs may use", []),
    corsOrigins: texts("Exact origins of pages that may use the service", []),
    headerPrefix: text("letters, digits and hyphens: Service makes X-Service-CSRF", {
      pattern: "^[A-Za-z0-9-]{1,64}$",
      default: "Service",
    }),
    limits: Type.Optional(SyncLimitsSection),
    quota: Type.Optional(QuotaSection),
    profile: Type.Optional(
      Type.Enum([...SYNC_PROFILES], {
        type: "string",
        default: "habits",
        description: "Which entities are accepted; open accepts any",
      }),
    ),
    ownerPage: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Whether / is a page for the owner: devices, storage, export, password",
      }),
    ),
    store: store("sync.db"),
    instanceKeyFile,
    instances: Type.Optional(Instances),
    maxOpen: integer(
      1,
      100_000,
      500,
      "Instances whose stores are open at once; one that is idle is closed for another",
    ),
    backup: Type.Optional(BackupSection),
  },
  { ...closed, description: "The personal sync service" },
);

const Client = Type.Object(
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
  { ...closed, description: "An app that may request access to events" },
);

const perMinute = (limit: keyof EventsRateLimits, description: string) =>
  integer(1, 1_000_000, DEFAULT_EVENTS_RATE_LIMITS[limit].requests, description);

const EventsSection = Type.Object(
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
    timeZone: text(
      "Time zone of accounts that have chosen none: an IANA name such as Europe/Berlin",
      {
        minLength: 1,
        default: "UTC",
      },
    ),
    limits: Type.Optional(
      Type.Object(
        {
          authorizePerMinute: perMinute(
            "authorize",
            "Authorization requests, and separately started sign-ins, per client address",
          ),
          tokenPerMinute: perMinute("token", "Token requests, per client address"),
          eventsPerMinute: perMinute("events", "Lists of events, per access token"),
        },
        { ...closed, default: {} },
      ),
    ),
    subscriptions: Type.Optional(
      Type.Object(
        {
          allowedPrivateHosts: texts(
            "Hosts in private networks that calendars may be fetched from",
            [],
          ),
        },
        { ...closed, default: {} },
      ),
    ),
    store: store("events.db"),
    instanceKeyFile,
    backup: Type.Optional(BackupSection),
  },
  { ...closed, description: "The events service" },
);

export const DEFAULT_DATA_DIR = "./data";

export const OperatorSection = Type.Object(
  { listen: listenAddress(4890) },
  {
    ...closed,
    description:
      "A listener for monitors and proxies: GET /readyz and GET /metrics; absent: none, unless `serve --operator`",
  },
);

export const ConfigurationFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    dataDir: text("Private files: everything that has no path of its own", {
      minLength: 1,
      default: DEFAULT_DATA_DIR,
    }),
    trustedProxies: texts("Addresses or CIDR ranges whose X-Forwarded-For is trusted", []),
    http: Type.Optional(HttpSection),
    operator: Type.Optional(OperatorSection),
    release: Type.Optional(ReleaseSection),
    sync: Type.Optional(SyncSection),
    events: Type.Optional(EventsSection),
  },
  closed,
);

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

/** Every default filled in. */
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
export type BackupConfiguration = Filled<Static<typeof BackupSection>>;
/** Absent when the server makes no backups. */
interface WithBackup {
  readonly backup?: BackupConfiguration;
}
type SyncFile = Static<typeof SyncSection>;
export type InstanceSettings = Static<typeof InstanceSection>;
export type InstancesByName = Readonly<Record<string, InstanceSettings>>;
export type SyncConfiguration = Filled<Omit<SyncFile, "instances" | "quota" | "backup">> &
  WithBackup & {
    readonly quota: NonNullable<SyncFile["quota"]>;
    /** Absent when the configuration does not list them. */
    readonly instances?: InstancesByName;
  };
export type EventsConfiguration = Filled<Omit<Static<typeof EventsSection>, "backup">> & WithBackup;

export interface Configuration {
  /** Null when there is no file, and only the defaults and the environment apply. */
  readonly file: string | null;
  readonly dataDir: string;
  readonly trustedProxies: readonly string[];
  readonly http: HttpConfiguration;
  /** Absent when the operator's listener is off. */
  readonly operator?: OperatorConfiguration;
  /** Absent when the service is not configured. */
  readonly release?: ReleaseConfiguration;
  readonly sync?: SyncConfiguration;
  readonly events?: EventsConfiguration;
}
