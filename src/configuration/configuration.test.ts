import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ConfigurationError } from "./configuration-error.ts";
import { createAgeKeys } from "../../test/fixtures/age-keys.ts";
import { loadConfiguration } from "./configuration.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-configuration-"));
});
after(() => rm(folder, { recursive: true, force: true }));

type Env = Readonly<Record<string, string>>;

async function load(content: unknown, env: Env = {}) {
  const path = join(folder, "trellis.config.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return loadConfiguration({ path, isRequired: true, env });
}

async function errorsOf(content: unknown, env: Env = {}): Promise<readonly string[]> {
  const error: unknown = await load(content, env).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConfigurationError, String(error));
  for (const message of error.errors) assert.ok(error.message.includes(message));
  assert.ok(error.message.startsWith(`Cannot use the configuration "${folder}`), error.message);
  return error.errors;
}

test("an empty section has every default, and paths are relative to the file", async () => {
  const configuration = await load({ release: {} });
  assert.deepEqual(configuration, {
    file: join(folder, "trellis.config.json"),
    dataDir: join(folder, "data"),
    trustedProxies: [],
    http: {
      maxHeaderBytes: 16_384,
      headerTimeoutSeconds: 15,
      requestTimeoutSeconds: 30,
      responseTimeoutSeconds: 30,
      keepAliveSeconds: 65,
      maxConnections: 1024,
      maxConnectionsPerNetwork: 128,
      stopSeconds: 10,
    },
    release: {
      listen: { host: "127.0.0.1", port: 4801 },
      baseUrl: "http://localhost:4801",
      smartDownload: {
        listen: { host: "127.0.0.1", port: 4802 },
        url: "http://localhost:4802",
      },
      websiteDownloadUrl: "http://localhost:4803/#download",
      environment: "development",
      catalog: join(folder, "catalog"),
      feeds: { electron: true, tauri: true, sparkle: true, squirrel: true },
    },
  });
});

test("a service without a section is not configured", async () => {
  assert.equal((await load({})).release, undefined);
});

test("given values are kept, and defaults fill in the rest", async () => {
  const { release, dataDir } = await load({
    $schema: "./x.json",
    dataDir: "/var/lib/trellis",
    release: {
      listen: { port: 0 },
      catalog: "../catalog",
      rateLimit: { requests: 5, windowSeconds: 60 },
    },
  });
  assert.equal(dataDir, "/var/lib/trellis");
  assert.deepEqual(release?.listen, { host: "127.0.0.1", port: 0 });
  assert.deepEqual(release?.rateLimit, { requests: 5, windowSeconds: 60 });
  assert.equal(release?.catalog, join(folder, "../catalog"));
});

test("two loaded configurations share no objects", async () => {
  const first = await load({ release: {} });
  (first.trustedProxies as string[]).push("10.0.0.0/8");
  assert.deepEqual((await load({ release: {} })).trustedProxies, []);
});

test("a byte order mark is ignored", async () => {
  assert.equal((await load('\uFEFF{"release":{}}')).release?.environment, "development");
});

test("every error names its key and what was expected", async () => {
  const errors = await errorsOf({
    dataDir: "",
    trustedProxies: "10.0.0.1",
    http: { maxConnections: 0, stopSeconds: 4000, keepAliveSeconds: "65" },
    release: {
      listen: { port: 65_536, hots: "x" },
      environment: "x".repeat(65),
      rateLimit: { requests: 1.5 },
    },
    relaese: {},
  });
  const find = (key: string) => errors.find((message) => message.startsWith(`${key} `)) ?? "";
  assert.equal(find("dataDir"), 'dataDir must be text that is not empty, not ""');
  assert.equal(find("trustedProxies"), 'trustedProxies must be a list, not "10.0.0.1"');
  assert.equal(
    find("http.maxConnections"),
    "http.maxConnections must be an integer from 1 to 1000000, not 0",
  );
  assert.match(find("http.stopSeconds"), /from 1 to 3600, not 4000$/);
  assert.match(find("http.keepAliveSeconds"), /integer from 1 to 3600, not "65"$/);
  assert.match(find("release.listen.port"), /integer from 0 to 65535, not 65536$/);
  assert.equal(
    find("release.listen.hots"),
    "release.listen.hots is not known here; known are host, port",
  );
  assert.match(find("release.environment"), /text of 1 to 64 characters/);
  assert.match(find("release.rateLimit.requests"), /integer from 1 to 1000000, not 1.5$/);
  assert.match(find("release.rateLimit.windowSeconds"), /is missing; expected an integer from 1/);
  assert.match(find("relaese"), /is not known here; known are .*release/);
  assert.equal(errors.length, 11);
});

test("public addresses are https, or http on loopback", async () => {
  const check = (baseUrl: string) => load({ release: { baseUrl } });
  for (const baseUrl of [
    "https://releases.example.com",
    "https://example.com/releases",
    "http://localhost:4801",
    "http://releases.localhost:4801",
    "http://127.0.0.1",
    "http://127.8.9.1:80",
    "http://[::1]:4801",
  ]) {
    assert.equal((await check(baseUrl)).release?.baseUrl, baseUrl);
  }
  for (const [baseUrl, expected] of [
    ["http://releases.example.com", /must be https \(http only on loopback\)/],
    ["http://127.0.0.1.example.com", /must be https/],
    ["http://localhost.example.com", /must be https/],
    ["ftp://releases.example.com", /must be https/],
    ["javascript:alert(1)", /must be https/],
    ["releases.example.com", /must be an absolute address/],
    ["/releases", /must be an absolute address/],
    ["", /must be an absolute address/],
    ["https://a.example/", /must not end with a slash: use "https:\/\/a.example"/],
    ["https://a.example//", /use "https:\/\/a.example"/],
    ["https://user:pass@a.example", /no user information, query or fragment/],
    ["https://a.example?x", /no user information, query or fragment/],
    ["https://a.example#x", /no user information, query or fragment/],
    // These characters would be sent in a header unchanged.
    ["https://a.example/\nX-Evil: 1", /printable ASCII/],
    [" https://a.example", /printable ASCII/],
    ["https://m\u00fcller.example", /printable ASCII.*xn--mller-kva/],
    ["https://a.example/\u4e2d", /printable ASCII.*%E4%B8%AD/],
  ] as const) {
    const errors = await errorsOf({ release: { baseUrl } });
    assert.equal(errors.length, 1, baseUrl);
    assert.match(errors[0] ?? "", /^release\.baseUrl must/);
    assert.match(errors[0] ?? "", expected);
  }
});

test("the same rules apply to the other addresses", async () => {
  const errors = await errorsOf({
    release: {
      smartDownload: { url: "http://download.example.com" },
      websiteDownloadUrl: "javascript:alert(1)",
    },
  });
  assert.equal(errors.length, 2);
  assert.match(errors[0] ?? "", /^release\.smartDownload\.url must be https/);
  assert.match(errors[1] ?? "", /^release\.websiteDownloadUrl must be an absolute http or https/);
  for (const websiteDownloadUrl of ["https://a.example/\u{1F600}", "https://a.example/\r\nX: 1"]) {
    const [message = ""] = await errorsOf({ release: { websiteDownloadUrl } });
    assert.match(message, /^release\.websiteDownloadUrl must be .*printable ASCII/);
  }
});

test("trusted proxies are addresses or ranges", async () => {
  const right = ["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"];
  assert.deepEqual((await load({ trustedProxies: right })).trustedProxies, right);
  const wrong = [
    "localhost",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "::/129",
    "10.0.0",
    "1.1.1.1/-1",
  ];
  const errors = await errorsOf({ trustedProxies: wrong });
  assert.equal(errors.length, wrong.length);
  for (const [index, message] of errors.entries()) {
    assert.match(message, /must be an IP address or a CIDR range/);
    assert.ok(message.startsWith(`trustedProxies[${index}] `));
  }
});

test("a missing file, invalid JSON and a value that is not an object are reported", async () => {
  const path = join(folder, "missing.json");
  await assert.rejects(
    loadConfiguration({ path, isRequired: true, env: {} }),
    /missing\.json":\n {2}there is no such file; check --config/,
  );
  await assert.rejects(
    loadConfiguration({ path: folder, isRequired: true, env: {} }),
    /it cannot be read \(EISDIR\)/,
  );
  for (const text of ["[]", "null", "7", '"x"']) {
    assert.deepEqual(await errorsOf(text), ["it must be a JSON object"]);
  }
});

test("a JSON syntax error names its line and column, and quotes nothing of the file", async () => {
  for (const [text, place] of [
    ['{"release":\n  {"keyPassphrase": hunter2}}', "line 2, column 21"],
    ['{"release": {"keyPassphrase": "hunter2" "x": 1}}', "line 1, column 41"],
    ['{"release": {"keyPassphrase": "hunter2"}', "line 1, column 41"],
    ['{"release": {"keyPassphrase": "hunter2}}\n', "line 1, column 31"],
    ["", "line 1, column 1"],
    ["{'a': 'hunter2'}", "line 1, column 2"],
  ] as const) {
    const [message = ""] = await errorsOf(text);
    assert.ok(message.startsWith("it is not JSON: "), message);
    assert.ok(message.includes(place), `${text}: ${message}`);
    assert.doesNotMatch(message, /hunter|keyPass/);
  }
});

test("without a file the environment and the defaults apply", async () => {
  const path = join(folder, "none.json");
  const configuration = await loadConfiguration({
    path,
    isRequired: false,
    env: { TRELLIS_RELEASE_BASE_URL: "https://a.example", PATH: "/bin" },
  });
  assert.equal(configuration.file, null);
  assert.equal(configuration.release?.baseUrl, "https://a.example");
  await assert.rejects(
    loadConfiguration({ path, isRequired: false, env: { TRELLIS_RELEASE_BASE_URL: "x" } }),
    /^ConfigurationError: Cannot use the configuration from the environment:/,
  );
});

test("environment variables override the file", async () => {
  const configuration = await load(
    { release: { environment: "file", listen: { port: 1 } } },
    {
      TRELLIS_RELEASE_ENVIRONMENT: "variable",
      TRELLIS_RELEASE_LISTEN_PORT: "8080",
      TRELLIS_RELEASE_SMART_DOWNLOAD_LISTEN_PORT: "8081",
      TRELLIS_RELEASE_SMART_DOWNLOAD_URL: "https://get.example",
      TRELLIS_RELEASE_CATALOG: "other",
      TRELLIS_TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      TRELLIS_HTTP_MAX_CONNECTIONS: "5",
      TRELLIS_RELEASE_RATE_LIMIT_REQUESTS: "10",
      TRELLIS_RELEASE_RATE_LIMIT_WINDOW_SECONDS: "60",
    },
  );
  const { release, trustedProxies, http } = configuration;
  assert.equal(release?.environment, "variable");
  assert.equal(release?.listen.port, 8080);
  assert.equal(release?.smartDownload.listen.port, 8081);
  assert.equal(release?.smartDownload.url, "https://get.example");
  assert.equal(release?.catalog, join(folder, "other"));
  assert.deepEqual(release?.rateLimit, { requests: 10, windowSeconds: 60 });
  assert.deepEqual(trustedProxies, ["10.0.0.0/8", "::1"]);
  assert.equal(http.maxConnections, 5);
});

test("a list variable may be JSON or empty", async () => {
  const read = async (text: string) =>
    (await load({}, { TRELLIS_TRUSTED_PROXIES: text })).trustedProxies;
  assert.deepEqual(await read('["10.0.0.1"]'), ["10.0.0.1"]);
  assert.deepEqual(await read(""), []);
});

test("a variable of the wrong type is reported with its key", async () => {
  const errors = await errorsOf(
    { release: {} },
    {
      TRELLIS_RELEASE_LISTEN_PORT: "0x50",
      TRELLIS_HTTP_STOP_SECONDS: "010",
      TRELLIS_TRUSTED_PROXIES: "[broken",
    },
  );
  assert.deepEqual(errors.map((message) => message.split(" ")[0]).sort(), [
    "http.stopSeconds",
    "release.listen.port",
    "trustedProxies",
  ]);
});

test("an unknown TRELLIS_ variable is an error that names a near one, or lists all", async () => {
  assert.deepEqual(await errorsOf({}, { TRELLIS_RELAESE_BASE_URL: "secret-value" }), [
    "TRELLIS_RELAESE_BASE_URL is not a known variable: did you mean TRELLIS_RELEASE_BASE_URL?",
  ]);
  const [file = ""] = await errorsOf({}, { TRELLIS_RELEASE_BASE_URL_FILE: "/etc/passwd" });
  assert.match(
    file,
    /^TRELLIS_RELEASE_BASE_URL_FILE is not a known variable; the known ones are TRELLIS_DATA_DIR, /,
  );
});

test("a secret may be read from a file, without its line end", async () => {
  const path = join(folder, "passphrase");
  for (const [content, expected] of [
    ["hunter2\n", "hunter2"],
    ["hunter2\r\n", "hunter2"],
    [" hunter2 ", " hunter2 "],
    ["two\n\n", "two\n"],
  ] as const) {
    await writeFile(path, content);
    const { release } = await load({ release: {} }, { TRELLIS_RELEASE_KEY_PASSPHRASE_FILE: path });
    assert.equal(release?.keyPassphrase, expected);
  }
  const [message = ""] = await errorsOf(
    {},
    { TRELLIS_RELEASE_KEY_PASSPHRASE_FILE: join(folder, "nowhere") },
  );
  assert.equal(
    message,
    "TRELLIS_RELEASE_KEY_PASSPHRASE_FILE names a file that cannot be read (ENOENT)",
  );
});

test("an error about a secret never quotes it", async () => {
  const errors = await errorsOf({ release: { keyPassphrase: 12_345_678, port: 1 } });
  assert.equal(errors.length, 2);
  assert.doesNotMatch(errors.join("\n"), /12345678/);
});

test("an empty events section has every default", async () => {
  const { events } = await load({ events: {} });
  assert.deepEqual(events, {
    listen: { host: "127.0.0.1", port: 4821 },
    baseUrl: "http://localhost:4821",
    serviceName: "My planner",
    clients: [
      {
        id: "trellis-demo",
        name: "Trellis demo app",
        redirectUris: ["trellis-demo://auth/callback", "http://localhost:43823/callback"],
      },
    ],
    timeZone: "UTC",
    limits: { authorizePerMinute: 60, tokenPerMinute: 30, eventsPerMinute: 120 },
    subscriptions: { allowedPrivateHosts: [] },
    store: `sqlite:${join(folder, "data/events.db")}`,
    instanceKeyFile: join(folder, "data/instance.key"),
  });
});

test("dataDir moves everything that has no path of its own", async () => {
  const own = { sync: { store: "sqlite:./own.db" }, events: { instanceKeyFile: "./own.key" } };
  for (const [settings, env] of [
    [{ dataDir: "/var/lib/trellis", ...own }, {}],
    [own, { TRELLIS_DATA_DIR: "/var/lib/trellis" }],
  ] as const) {
    const { dataDir, sync, events } = await load(settings, env);
    assert.equal(dataDir, "/var/lib/trellis");
    assert.equal(sync?.store, `sqlite:${join(folder, "own.db")}`);
    assert.equal(sync?.instanceKeyFile, "/var/lib/trellis/instance.key");
    assert.equal(events?.store, "sqlite:/var/lib/trellis/events.db");
    assert.equal(events?.instanceKeyFile, join(folder, "own.key"));
  }
  const { events } = await load({ dataDir: "./elsewhere $& here", events: {} });
  assert.equal(events?.store, `sqlite:${join(folder, "elsewhere $& here/events.db")}`);
});

test("errors of the events section name their keys", async () => {
  const client = { id: "app", name: "App", redirectUris: ["https://app.example.com/back"] };
  const shape = await errorsOf({
    events: {
      limits: { tokenPerMinute: 0 },
      clients: [{ id: "with space", redirectUris: [], secret: "x" }],
    },
  });
  const place = (key: string) => shape.find((message) => message.startsWith(`${key} `)) ?? "";
  assert.match(place("events.limits.tokenPerMinute"), /integer from 1 to 1000000, not 0$/);
  assert.match(place("events.clients[0].id"), /1 to 128 visible ASCII characters/);
  assert.match(place("events.clients[0].name"), /is missing/);
  assert.match(place("events.clients[0].redirectUris"), /list/);
  assert.match(place("events.clients[0].secret"), /is not known here/);
  assert.deepEqual(
    await errorsOf({
      events: {
        baseUrl: "https://planner.example.com/events",
        clients: [
          client,
          {
            ...client,
            redirectUris: ["http://app.example.com/", "javascript:alert(1)", "my-app://x#y"],
          },
        ],
        timeZone: "Europe/Atlantis",
        subscriptions: { allowedPrivateHosts: ["calendar.lan", "::1", "calendar.lan:8443"] },
        store: "mysql://secret@db",
      },
    }),
    [
      'events.baseUrl must have no path: use "https://planner.example.com"',
      'events.clients[1].id "app" is used by another client',
      'events.clients[1].redirectUris[0] "http://app.example.com/": http is only for loopback; use https',
      'events.clients[1].redirectUris[1] "javascript:alert(1)": the scheme "javascript:" is never allowed',
      'events.clients[1].redirectUris[2] "my-app://x#y": it must have no fragment',
      'events.timeZone must be an IANA name such as Europe/Berlin or UTC, not "Europe/Atlantis"',
      'events.subscriptions.allowedPrivateHosts[2] must be a host name or an IP address such as calendar.internal, not "calendar.lan:8443"',
      "events.store must be sqlite:PATH or a postgres:// address",
    ],
  );
});

test("an origin has no path, no default port, no capital letter and no user", async () => {
  const near = [
    "https://app.example.com/",
    "https://app.example.com:443",
    "https://App.example.com",
    "https://ada@app.example.com",
    "null",
  ];
  const sync = { baseUrl: "https://sync.example.com" };
  assert.deepEqual(
    await errorsOf({ sync: { ...sync, corsOrigins: [...near, "https://app.example.com"] } }),
    near.map(
      (origin, index) =>
        `sync.corsOrigins[${index}] must be an exact origin such as https://app.example.com, not "${origin}"`,
    ),
  );
});

test("the address of a store is checked without being quoted", async () => {
  assert.deepEqual(
    await errorsOf({
      sync: {
        baseUrl: "https://sync.example.com",
        store: "postgres://ada:s3cret@a,b/d?target_session_attrs=standby",
      },
    }),
    [
      "sync.store is invalid: target_session_attrs of the store's address must be one of any, read-write, primary",
    ],
  );
});

test("environment variables set the keys of the events section", async () => {
  const { events } = await load(
    { events: {} },
    {
      TRELLIS_EVENTS_BASE_URL: "https://planner.example.com",
      TRELLIS_EVENTS_TIME_ZONE: "Europe/Berlin",
      TRELLIS_EVENTS_LIMITS_AUTHORIZE_PER_MINUTE: "10",
      TRELLIS_EVENTS_SUBSCRIPTIONS_ALLOWED_PRIVATE_HOSTS: "calendar.lan, 10.0.0.7",
      TRELLIS_EVENTS_CLIENTS:
        '[{"id":"app","name":"App","redirectUris":["com.example.app:/callback"]}]',
    },
  );
  assert.equal(events?.baseUrl, "https://planner.example.com");
  assert.equal(events?.timeZone, "Europe/Berlin");
  assert.equal(events?.limits.authorizePerMinute, 10);
  assert.deepEqual(events?.subscriptions.allowedPrivateHosts, ["calendar.lan", "10.0.0.7"]);
  assert.deepEqual(
    events?.clients.map(({ id }) => id),
    ["app"],
  );
});

test("the instances of a sync server are listed with every error", async () => {
  const valid = { ada: { baseUrl: "https://ada.example.com", quota: { devices: 3 } } };
  const { sync } = await load({ sync: { instances: valid } });
  assert.deepEqual(sync?.instances, valid);
  assert.equal(sync?.maxOpen, 500);
  const fromEnvironment = await load(
    { sync: {} },
    { TRELLIS_SYNC_INSTANCES: JSON.stringify(valid) },
  );
  assert.deepEqual(fromEnvironment.sync?.instances, valid);
  assert.deepEqual(
    await errorsOf({
      sync: {
        instances: {
          ...valid,
          bob: { baseUrl: "https://ADA.example.com:443" },
          cleo: { baseUrl: "http://cleo.example.com", redirectUris: ["javascript:alert(1)"] },
          dora: { baseUrl: "https://dora.example.com/sync", corsOrigins: ["*"] },
        },
      },
    }),
    [
      'sync.instances.bob.baseUrl has the host of the instance "ada": give it one of its own',
      'sync.instances.cleo.redirectUris[0] "javascript:alert(1)": the scheme "javascript:" is never allowed',
      'sync.instances.cleo.baseUrl must be https (http only on loopback), not "http://cleo.example.com"',
      'sync.instances.dora.corsOrigins[0] must be an exact origin such as https://app.example.com, not "*"',
      'sync.instances.dora.baseUrl must have no path: use "https://dora.example.com"',
    ],
  );
  const misnamed = await errorsOf({ sync: { instances: { "Ada L": valid.ada, x: {} } } });
  assert.ok(misnamed.some((error) => error.startsWith("sync.instances.Ada L ")));
  assert.ok(misnamed.some((error) => error.startsWith("sync.instances.x.baseUrl is missing")));
});

test("backups are off by default, and an empty section has every default", async () => {
  const { sync, events } = await load({ sync: {}, events: { backup: {} } });
  assert.equal(sync?.backup, undefined);
  assert.deepEqual(events?.backup, {
    every: "day",
    keep: { daily: 7, weekly: 5, monthly: 12 },
    to: join(folder, "backups"),
  });
});

test("backups are encrypted to public keys of age, and to nothing else", async () => {
  const { identity, recipient } = await createAgeKeys();
  const encryptTo = [recipient, recipient];
  const { sync } = await load({ sync: { backup: { encryptTo } } });
  assert.deepEqual(sync?.backup?.encryptTo, encryptTo);
  const named = await load({ sync: {} }, { TRELLIS_EVENTS_BACKUP_ENCRYPT_TO: recipient });
  assert.deepEqual(named.events?.backup?.encryptTo, [recipient]);
  const backup = { encryptTo: [recipient, "age1mistyped"] };
  await assert.rejects(
    load({ sync: { backup }, events: { backup: { encryptTo: [identity] } } }),
    (error: Error) => {
      assert.match(error.message, /sync\.backup\.encryptTo\[1\] must be .+ not "age1mistyped"/);
      assert.match(error.message, /events\.backup\.encryptTo\[0\] is a secret identity/);
      assert.ok(!error.message.includes(identity));
      return true;
    },
  );
  // An empty list would be taken for encryption that is on.
  await assert.rejects(load({ sync: { backup: { encryptTo: [] } } }), /sync\.backup\.encryptTo/);
});

test("backups go to a folder or a bucket, and to nothing that only looks like one", async () => {
  const backup = { to: "s3://backups/of/ada" };
  const { sync } = await load({ sync: { backup } }, { TRELLIS_SYNC_BACKUP_KEEP_DAILY: "30" });
  assert.equal(sync?.backup?.to, "s3://backups/of/ada");
  assert.equal(sync?.backup?.keep.daily, 30);
  for (const to of ["s3:///prefix", "S3://backups", "https://backups.example.com"]) {
    assert.deepEqual(await errorsOf({ sync: { backup: { to } } }), [
      `sync.backup.to must be a folder or s3://bucket/prefix, not "${to}"`,
    ]);
  }
  const [error = ""] = await errorsOf({ events: { backup: { every: "month" } } });
  assert.match(error, /^events\.backup\.every /);
});
