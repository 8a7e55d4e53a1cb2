import type { Release } from "../../../contract/release/schemas.ts";
import { expectEach, violate } from "../../expect.ts";
import type { ReleaseCase } from "../../release/target.ts";
import { compareVersions } from "../../release/version-order.ts";

const CHECKED_RELEASES = 20;

export const releasesAreCoherent: ReleaseCase = {
  id: "releases-are-coherent",
  title: "The parts of a release fit together: distributions, files, media, supported version",
  section: "release contract, ReleaseArtifact and Release; Trellis decision: catalogue validation",
  async run(target) {
    const published = await target.published();
    await expectEach(published.slice(0, CHECKED_RELEASES), async ({ version }) => {
      const release = await target.release(version);
      for (const fault of findErrors(release)) {
        violate(`GET /api/v1/releases/${version}`, "a coherent release", fault);
      }
    });
  },
};

function findErrors({ version, minimumSupportedVersion, artifacts, media, ...rest }: Release) {
  const faults: string[] = [];
  if (compareVersions(minimumSupportedVersion, version) > 0) {
    faults.push(`one that supports clients from ${minimumSupportedVersion} only`);
  }
  const files = new Set<string>();
  for (const { platform, architecture, fileName, distribution } of artifacts) {
    if ((platform === "android") !== (distribution !== undefined)) {
      faults.push(`${fileName} for ${platform} with distribution ${distribution ?? "absent"}`);
    }
    const file = `${platform} ${architecture} ${fileName}`;
    if (files.has(file)) faults.push(`${file} twice`);
    files.add(file);
  }
  const mediaIds = new Set(media?.map(({ id }) => id));
  for (const { highlights } of Object.values(rest.presentation ?? {})) {
    for (const { id, mediaId } of highlights) {
      if (mediaId === undefined || mediaIds.has(mediaId)) continue;
      faults.push(`highlight ${id} that shows media ${mediaId}, which there is not`);
    }
  }
  return faults;
}
