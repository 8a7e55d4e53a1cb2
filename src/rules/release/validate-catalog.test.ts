import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createRelease, FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import { formatFileError } from "./catalog-file-error.ts";
import { releaseFile } from "./catalog-files.ts";
import { validateCatalog, type CatalogFiles } from "./validate-catalog.ts";

const KEY = "A".repeat(43);
const KEYS = { "release-2026-01": KEY, "release-2026-02": KEY };
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/** Anything a test may do to a parsed file. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

function releaseNumber(build: number, betaEvery = 0): Loose {
  return structuredClone(createRelease(build, betaEvery, START + build * DAY));
}

function draftNumber(build: number): Loose {
  return { ...releaseNumber(build), status: "draft", publishedAt: null };
}

function withdrawnNumber(build: number, replacedBy?: string): Loose {
  return {
    ...releaseNumber(build),
    status: "withdrawn",
    withdrawal: { at: "2026-06-01T00:00:00Z", reason: "Loses data", replacedBy },
  };
}

function filesOf(releases: Loose[], change: Partial<CatalogFiles> = {}): CatalogFiles {
  return {
    catalog: FIXTURE_SETTINGS,
    keys: KEYS,
    releases: releases.map((value) => ({ file: releaseFile(value.version), value })),
    ...change,
  };
}

function errorsOf(files: CatalogFiles): string[] {
  const result = validateCatalog(files);
  return result.kind === "valid" ? [] : result.errors.map(({ file, path }) => `${file} ${path}`);
}

function errorsAfter(change: (release: Loose) => void, release = releaseNumber(1)): string[] {
  change(release);
  return errorsOf(filesOf([release]));
}

const FILE = "releases/1.0.1.json";

test("a catalogue of drafts, published and withdrawn releases is valid, newest build first", () => {
  const result = validateCatalog(
    filesOf([withdrawnNumber(2, "1.0.3"), releaseNumber(1), draftNumber(4), releaseNumber(3)]),
  );
  assert.equal(result.kind, "valid");
  assert.deepEqual(
    result.kind === "valid" && result.catalog.releases.map(({ buildNumber }) => buildNumber),
    [4, 3, 2, 1],
  );
});

test("a draft may lack where its files are, what is in them, and every artifact", () => {
  const draft = draftNumber(1);
  draft.artifacts = [{ platform: "linux", architecture: "x64", fileName: "a.deb", signed: false }];
  assert.deepEqual(errorsOf(filesOf([draft, { ...draftNumber(2), artifacts: [] }])), []);
});

describe("each error names its file and the path in it", () => {
  test("a file that is no object, or has no known status", () => {
    const at = (value: unknown) => errorsOf(filesOf([], { releases: [{ file: FILE, value }] }));
    assert.deepEqual(at(null), [`${FILE} `]);
    assert.deepEqual(at([]), [`${FILE} `]);
    assert.deepEqual(at({ status: "ready" }), [`${FILE} status`]);
    assert.deepEqual(at({ status: "toString" }), [`${FILE} status`]);
  });

  test('a status "published" that was set by hand, and what to do instead', () => {
    for (const publishedAt of [null, undefined]) {
      const files = filesOf([{ ...releaseNumber(1), publishedAt, artifacts: [] }]);
      const result = validateCatalog(files);
      assert.ok(result.kind === "invalid");
      const [error, ...others] = result.errors;
      assert.deepEqual(others, []);
      assert.equal(`${error?.file} ${error?.path}`, `${FILE} status`);
      assert.match(error?.problem ?? "", /has no publishedAt: it was set by hand/);
      assert.match(error?.remedy ?? "", /back to "draft".*`trellis release publish 1\.0\.1`/);
    }
  });

  test("missing, unknown and malformed members", () => {
    const release = releaseNumber(1);
    delete release.notes.security;
    release.colour = "red";
    release.artifacts[0].sha256 = "ABC";
    release.publishedAt = "2026-02-30T00:00:00Z";
    assert.deepEqual(
      new Set(errorsOf(filesOf([release]))),
      new Set([
        `${FILE} notes.security`,
        `${FILE} colour`,
        `${FILE} artifacts[0].sha256`,
        `${FILE} publishedAt`,
      ]),
    );
  });

  test("a published artifact without address, digest or size", () => {
    for (const field of ["url", "sha256", "size"]) {
      assert.deepEqual(
        errorsAfter((release) => delete release.artifacts[2][field]),
        [`${FILE} artifacts[2].${field}`],
      );
    }
  });

  test("a published release without artifacts, and one with six highlights", () => {
    assert.deepEqual(
      errorsAfter((release) => (release.artifacts = [])),
      [`${FILE} artifacts`],
    );
    assert.deepEqual(
      errorsAfter((release) => {
        const [first] = release.presentation.de.highlights;
        release.presentation.de.highlights = Array.from({ length: 6 }, () => first);
      }),
      [`${FILE} presentation.de.highlights`],
    );
  });

  test("a version that is not the file's name", () => {
    const releases = [{ file: "releases/9.9.9.json", value: releaseNumber(1) }];
    assert.deepEqual(errorsOf(filesOf([], { releases })), ["releases/9.9.9.json version"]);
  });

  test("a version used twice is an error of the second file", () => {
    const releases = [
      { file: FILE, value: releaseNumber(1) },
      { file: "releases/copy.json", value: { ...releaseNumber(1), buildNumber: 2 } },
    ];
    assert.ok(errorsOf(filesOf([], { releases })).includes("releases/copy.json version"));
  });

  test("a build number used twice, also by a draft", () => {
    const errors = errorsOf(filesOf([releaseNumber(1), { ...draftNumber(2), buildNumber: 1 }]));
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? "", /buildNumber$/);
  });

  test("build and size beyond the integers that every client reads alike", () => {
    const huge = 2 ** 53;
    assert.deepEqual(
      errorsAfter((release) => (release.buildNumber = huge)),
      [`${FILE} buildNumber`],
    );
    assert.deepEqual(
      errorsAfter((release) => (release.artifacts[1].size = huge)),
      [`${FILE} artifacts[1].size`],
    );
    assert.deepEqual(
      errorsAfter((release) => (release.media[0].size = huge)),
      [`${FILE} media[0].size`],
    );
  });

  test("a minimum supported version newer than the release", () => {
    assert.deepEqual(
      errorsAfter((release) => (release.minimumSupportedVersion = "1.0.10")),
      [`${FILE} minimumSupportedVersion`],
    );
  });

  test("an android artifact without a distribution, another with one", () => {
    assert.deepEqual(
      errorsAfter((release) => delete release.artifacts[0].distribution),
      [`${FILE} artifacts[0].distribution`],
    );
    assert.deepEqual(
      errorsAfter((release) => (release.artifacts[2].distribution = "direct")),
      [`${FILE} artifacts[2].distribution`],
    );
  });

  test("the same file twice", () => {
    assert.deepEqual(
      errorsAfter((release) => release.artifacts.push({ ...release.artifacts[3] })),
      [`${FILE} artifacts[5]`],
    );
  });

  test("a store bundle before the direct download", () => {
    assert.deepEqual(
      errorsAfter((release) => release.artifacts.unshift(...release.artifacts.splice(1, 1))),
      [`${FILE} artifacts[1]`],
    );
  });

  test("an artifact on a host that is not allowed, or behind user information", () => {
    for (const url of ["https://elsewhere.example/a", "https://user@downloads.example.com/a"]) {
      assert.deepEqual(
        errorsAfter((release) => (release.artifacts[0].url = url)),
        [`${FILE} artifacts[0].url`],
        url,
      );
    }
  });

  test("every https host is allowed when none is listed, and one may carry a port", () => {
    const release = releaseNumber(1);
    release.artifacts[0].url = "https://elsewhere.example:8443/a";
    const listing = (artifactHosts: string[]) =>
      errorsOf(filesOf([release], { catalog: { ...FIXTURE_SETTINGS, artifactHosts } }));
    assert.deepEqual(listing([]), []);
    assert.equal(listing(["elsewhere.example"]).includes(`${FILE} artifacts[0].url`), false);
    assert.equal(listing(["elsewhere.example:8443"]).includes(`${FILE} artifacts[0].url`), false);
    assert.equal(listing(["elsewhere.example:443"]).includes(`${FILE} artifacts[0].url`), true);
  });

  test("what other updaters check an artifact by", () => {
    const signature = [
      "untrusted comment: x",
      `RUQ${"A".repeat(96)}=`,
      "trusted comment: x",
      `${"A".repeat(86)}==`,
    ].join("\n");
    const good = {
      sha512: `${"a".repeat(86)}==`,
      signatures: { minisign: btoa(signature), sparkle: `${"A".repeat(86)}==` },
      minimumOs: "10.0.17763",
    };
    const errors = (members: Loose, release = releaseNumber(1)) =>
      errorsAfter(({ artifacts }) => Object.assign(artifacts[2], good, members), release);
    assert.deepEqual(errors({}), []);
    assert.deepEqual(errors({}, draftNumber(1)), []);
    assert.deepEqual(errors({}, withdrawnNumber(1)), []);
    for (const [path, members] of [
      ["sha512", { sha512: "a".repeat(88) }],
      ["sha512", { sha512: "a".repeat(128) }],
      ["minimumOs", { minimumOs: "Windows 10" }],
      ["minimumOs", { minimumOs: "1.2.3.4.5" }],
      ["signatures.sparkle", { signatures: { sparkle: "AAAA" } }],
      ["signatures.minisign", { signatures: { minisign: "not Base64" } }],
      ["signatures.minisign", { signatures: { minisign: btoa("hello") } }],
      ["signatures.minisign", { signatures: { minisign: btoa(signature.slice(0, 200)) } }],
      ["signatures.pgp", { signatures: { pgp: "x" } }],
    ] as const) {
      for (const release of [releaseNumber(1), draftNumber(1), withdrawnNumber(1)]) {
        assert.deepEqual(errors(members, release), [`${FILE} artifacts[2].${path}`]);
      }
    }
  });

  test("a media id used twice, and one that no media has", () => {
    assert.deepEqual(
      errorsAfter((release) => release.media.push({ ...release.media[0] })),
      [`${FILE} media[1].id`],
    );
    assert.deepEqual(
      errorsAfter((release) => (release.presentation.en.highlights[1].mediaId = "nowhere")),
      [`${FILE} presentation.en.highlights[1].mediaId`],
    );
  });

  test("a publication before that of a lower build", () => {
    const second = { ...releaseNumber(2), publishedAt: "2025-01-01T00:00:00Z" };
    assert.deepEqual(errorsOf(filesOf([releaseNumber(1), second])), [
      "releases/1.0.2.json publishedAt",
    ]);
  });

  test("releases that are published in one moment are in order", () => {
    const { publishedAt } = releaseNumber(1);
    assert.deepEqual(
      errorsOf(filesOf([releaseNumber(1), { ...releaseNumber(2), publishedAt }])),
      [],
    );
  });

  test("times are compared as instants, whatever their offsets", () => {
    const first = { ...releaseNumber(1), publishedAt: "2026-01-01T12:00:00+02:00" };
    const second = { ...releaseNumber(2), publishedAt: "2026-01-01T10:30:00Z" };
    assert.deepEqual(errorsOf(filesOf([first, second])), []);
  });

  test("a higher build of an older version in the same channel, but not in another", () => {
    const older = { ...releaseNumber(3), version: "1.0.0", minimumSupportedVersion: "1.0.0" };
    assert.deepEqual(errorsOf(filesOf([releaseNumber(2), older])), [
      "releases/1.0.0.json buildNumber",
    ]);
    assert.deepEqual(errorsOf(filesOf([releaseNumber(2), { ...older, channel: "beta" }])), []);
  });

  test("a withdrawal replaced by itself, by a draft, or by nothing that exists", () => {
    for (const replacedBy of ["1.0.1", "1.0.2", "7.0.0"]) {
      const files = filesOf([withdrawnNumber(1, replacedBy), draftNumber(2)]);
      assert.deepEqual(errorsOf(files), [`${FILE} withdrawal.replacedBy`], replacedBy);
    }
  });

  test("a rollout of no release, of a draft, named twice, or of no percent", () => {
    const releases = [releaseNumber(1), withdrawnNumber(2, "1.0.1"), draftNumber(3)];
    const at = (...rollouts: readonly (readonly [string, unknown])[]) => {
      const entries = rollouts.map(([version, percent]) => ({ version, percent }));
      return errorsOf(filesOf(releases, { catalog: { ...FIXTURE_SETTINGS, rollouts: entries } }));
    };
    for (const percent of [0, 1, 99, 100]) {
      assert.deepEqual(at(["1.0.1", percent], ["1.0.2", percent]), []);
    }
    assert.deepEqual(at(["7.0.0", 25]), ["catalog.json rollouts[0].version"]);
    assert.deepEqual(at(["1.0.1", 25], ["1.0.3", 25]), ["catalog.json rollouts[1].version"]);
    assert.deepEqual(at(["1.0.1", 25], ["1.0.1", 50]), ["catalog.json rollouts[1].version"]);
    for (const percent of [-1, 101, 2.5, "25", null]) {
      assert.deepEqual(at(["1.0.1", percent]), ["catalog.json rollouts[0].percent"]);
    }
  });

  test("a signing key that the ring does not have, once there is a ring", () => {
    const settings = { ...FIXTURE_SETTINGS, signing: { active: "release-2026-01", standby: "xx" } };
    assert.deepEqual(errorsOf(filesOf([], { catalog: settings })), [
      "catalog.json signing.standby",
    ]);
    assert.deepEqual(errorsOf(filesOf([], { catalog: settings, keys: {} })), []);
  });

  test("a key of another updater that is malformed, or has the id or the bytes of another key", () => {
    const publicKey = `RWQ${"B".repeat(53)}`;
    const minisign = { keyId: "minisign-2026-01", publicKey };
    const sparkle = { keyId: "sparkle-2026-01", publicKey: `${"B".repeat(42)}A=` };
    const errors = (updaterKeys: Loose, signing: Loose = {}) =>
      errorsOf(
        filesOf([], {
          catalog: {
            ...FIXTURE_SETTINGS,
            updaterKeys,
            signing: { ...FIXTURE_SETTINGS.signing, ...signing },
          },
        }),
      );
    assert.deepEqual(errors({ minisign, sparkle }), []);
    assert.deepEqual(errors({}), []);
    const at = (kind: string) => [`catalog.json updaterKeys.${kind}`];
    assert.deepEqual(errors({ gpg: minisign }), at("gpg"));
    assert.deepEqual(errors({ minisign: { ...minisign, publicKey: "RWQ" } }), [
      "catalog.json updaterKeys.minisign.publicKey",
    ]);
    assert.deepEqual(errors({ sparkle: { ...sparkle, publicKey } }), [
      "catalog.json updaterKeys.sparkle.publicKey",
    ]);
    assert.deepEqual(
      errors({ minisign, sparkle: { ...sparkle, keyId: minisign.keyId } }),
      at("sparkle"),
    );
    assert.deepEqual(errors({ sparkle: { ...sparkle, keyId: "release-2026-01" } }), at("sparkle"));
    assert.deepEqual(errors({ minisign }, { revoked: [minisign.keyId] }), at("minisign"));
    // The ring's keys are 32 zero bytes.
    assert.deepEqual(
      errors({ sparkle: { ...sparkle, publicKey: `${"A".repeat(43)}=` } }),
      at("sparkle"),
    );
    assert.deepEqual(
      errors({ minisign: { ...minisign, publicKey: `RWQ${"A".repeat(53)}` } }),
      at("minisign"),
    );
  });

  test("a key that is no 32 bytes, and settings of another schema", () => {
    assert.deepEqual(errorsOf(filesOf([], { keys: { ...KEYS, extra: "short" } })), [
      "keys.json extra",
    ]);
    assert.deepEqual(
      errorsOf(filesOf([], { catalog: { ...FIXTURE_SETTINGS, schemaVersion: 2 } })),
      ["catalog.json schemaVersion"],
    );
  });
});

test("every error says what to do, in one line", () => {
  const result = validateCatalog(filesOf([{ version: "1.0.1", status: "published" }], { keys: 5 }));
  assert.equal(result.kind, "invalid");
  for (const error of result.kind === "invalid" ? result.errors : []) {
    assert.match(formatFileError(error), /^\S+\.json(: \S+)? .+; .+$/);
    assert.equal(formatFileError(error).includes("\n"), false);
  }
});

/** Catalogues as makers have them: a history, perhaps a withdrawal, perhaps drafts on top. */
const catalogs = fc
  .record({
    published: fc.integer({ min: 2, max: 12 }),
    drafts: fc.integer({ min: 0, max: 3 }),
    betaEvery: fc.integer({ min: 0, max: 4 }),
    withdrawn: fc.option(fc.integer({ min: 2, max: 12 })),
    notes: fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ published, drafts, betaEvery, withdrawn, notes, order }) => {
    const releases: Loose[] = [];
    for (let build = 1; build <= published; build++) {
      const release = releaseNumber(build, betaEvery);
      release.notes.added = notes;
      if (build === withdrawn) {
        release.status = "withdrawn";
        release.withdrawal = { at: "2026-06-01T00:00:00Z", reason: "x", replacedBy: "1.0.1" };
      }
      releases.push(release);
    }
    for (let build = published + 1; build <= published + drafts; build++)
      releases.push(draftNumber(build));
    return releases
      .map((value) => ({ value, at: order.next().value as number }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ value }) => value);
  });

test("any such catalogue is valid, in whatever order its files are listed", () => {
  fc.assert(
    fc.property(catalogs, (releases) => void assert.deepEqual(errorsOf(filesOf(releases)), [])),
  );
});

/** One mutation of one published or withdrawn release, and the path at which it must be found. */
const mutations: readonly (readonly [string, (release: Loose, first: Loose) => void])[] = [
  ["version", (release) => (release.version = "v1")],
  ["buildNumber", (release, first) => (release.buildNumber = first.buildNumber)],
  ["buildNumber", (release) => (release.buildNumber = 0)],
  ["channel", (release) => (release.channel = "nightly")],
  ["publishedAt", (release) => (release.publishedAt = "yesterday")],
  ["publishedAt", (release) => (release.publishedAt = "2000-01-01T00:00:00Z")],
  ["mandatoryAfter", (release) => delete release.mandatoryAfter],
  ["minimumSupportedVersion", (release) => (release.minimumSupportedVersion = "99.0.0")],
  ["notes.fixed[0]", (release) => (release.notes.fixed[0] = "")],
  ["artifacts[3].url", (release) => (release.artifacts[3].url = "http://downloads.example.com/a")],
  ["artifacts[3].sha256", (release) => delete release.artifacts[3].sha256],
  ["artifacts[4].fileName", (release) => (release.artifacts[4].fileName = "../evil")],
  ["artifacts[0].distribution", (release) => delete release.artifacts[0].distribution],
  ["artifacts[1].sha512", (release) => (release.artifacts[1].sha512 = "x")],
  [
    "artifacts[1].signatures.minisign",
    (release) => (release.artifacts[1].signatures = { minisign: "AAAA" }),
  ],
  ["media[0].mimeType", (release) => (release.media[0].mimeType = "image/svg+xml")],
  ["media[0].id", (release) => (release.media[0].id = "Not An Id")],
  ["extra", (release) => (release.extra = true)],
];

test("any single mutation of any published or withdrawn release is found in its file and at its path", () => {
  fc.assert(
    fc.property(catalogs, fc.nat(), fc.constantFrom(...mutations), (releases, pick, mutation) => {
      const published = releases
        .filter(({ status }) => status !== "draft")
        .toSorted((a, b) => a.buildNumber - b.buildNumber);
      const victim = published[1 + (pick % (published.length - 1))];
      const [path, mutate] = mutation;
      const files = filesOf(releases);
      const { file } = files.releases.find(({ value }) => value === victim) ?? { file: "" };
      mutate(victim, published[0]);
      const errors = errorsOf(files);
      const places = path === "buildNumber" ? [file, releaseFile(published[0].version)] : [file];
      assert.ok(
        places.some((place) => errors.includes(`${place} ${path}`)),
        `${file} ${path} not in ${JSON.stringify(errors)}`,
      );
    }),
  );
});

describe("what apps call themselves", () => {
  const named = (build: number, appVersion: string, betaEvery = 0) => ({
    ...releaseNumber(build, betaEvery),
    appVersion,
  });

  test("is any SemVer", () => {
    assert.deepEqual(
      errorsAfter((release) => (release.appVersion = "1.3.0-beta.3+7")),
      [],
    );
    for (const wrong of ["1.3", "v1.3.0", "1.3.0-01", "", null]) {
      const errors = errorsAfter((release) => (release.appVersion = wrong));
      assert.deepEqual(errors, [`${FILE} appVersion`], String(wrong));
    }
  });

  test("is not used twice, by drafts or in other channels either", () => {
    const twice = ["releases/1.0.1.json appVersion"];
    const beta = { ...named(2, "1.3.0-beta.3"), channel: "beta" };
    assert.deepEqual(errorsOf(filesOf([named(1, "1.3.0-beta.3"), beta])), twice);
    const draft = { ...draftNumber(2), appVersion: "1.3.0-beta.3+9" };
    assert.deepEqual(errorsOf(filesOf([named(1, "1.3.0-beta.3+7"), draft])), twice);
    const plain = { ...draftNumber(2), appVersion: "1.0.1" };
    assert.deepEqual(errorsOf(filesOf([releaseNumber(1), plain])), twice);
  });

  test("grows with the build number inside a channel", () => {
    const errors = ["releases/1.0.2.json appVersion"];
    assert.deepEqual(errorsOf(filesOf([named(1, "1.3.0-beta.3"), releaseNumber(2)])), errors);
    const older = filesOf([named(1, "1.3.0-beta.10"), named(2, "1.3.0-beta.9")]);
    assert.deepEqual(errorsOf(older), errors);
    const newer = filesOf([named(1, "1.3.0-beta.9"), named(2, "1.3.0-beta.10")]);
    assert.deepEqual(errorsOf(newer), []);
    const other = { ...named(1, "1.3.0-beta.3"), channel: "beta" };
    assert.deepEqual(errorsOf(filesOf([other, releaseNumber(2)])), []);
  });
});
