import type { SourceRelease } from "../../../contract/release/catalog.ts";
import type { Rollout } from "../../../contract/release/schemas.ts";
import { EVERYBODY_PERCENT } from "../../../contract/release/values.ts";
import { percentOf, rolloutsToSign } from "../../../rules/release/rollouts.ts";
import { defineCommand } from "../../command.ts";
import { formatTable } from "../../format.ts";
import { readConfiguredCatalog } from "./catalog-context.ts";

export const command = defineCommand({
  description: "Newest build first, with drafts and withdrawn releases.",
  async run(context) {
    const catalog = await readConfiguredCatalog(context);
    const rollouts = rolloutsToSign(catalog.releases, catalog.settings.rollouts ?? []);
    const releases = catalog.releases.map((release) => summarise(release, rollouts));
    if (releases.length === 0) {
      context.print("There are no releases yet: `trellis release new VERSION --build N` makes one");
    } else {
      context.print(...formatTable([HEADINGS, ...releases.map(toRow)]));
    }
    context.json({ releases });
  },
});

const HEADINGS = ["VERSION", "BUILD", "CHANNEL", "STATUS", "PUBLISHED", "PLATFORMS"];

type Summary = ReturnType<typeof summarise>;

function summarise(release: SourceRelease, rollouts: readonly Rollout[]) {
  const { version, buildNumber, channel, status, publishedAt = null, artifacts } = release;
  const platforms = [
    ...new Set(artifacts.map(({ platform, architecture }) => `${platform}/${architecture}`)),
  ];
  const rollout = status === "published" ? percentOf(rollouts, version) : null;
  return { version, buildNumber, channel, status, rollout, publishedAt, platforms };
}

function toRow(release: Summary): string[] {
  const { version, buildNumber, channel, rollout, publishedAt, platforms } = release;
  const isStaged = rollout !== null && rollout < EVERYBODY_PERCENT;
  const status = isStaged ? `${release.status} (${rollout} %)` : release.status;
  const day = publishedAt === null ? "-" : new Date(publishedAt).toISOString().slice(0, 10);
  return [version, String(buildNumber), channel, status, day, platforms.join(", ") || "-"];
}
