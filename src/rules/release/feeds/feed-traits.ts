/**
 * Everything that decides which systems a feed offers a file to, as a text: releases with the same
 * text have the same places (`feedPlaces`). It takes a fraction of the time, which counts where thousands
 * of releases are read and few of them matter to a feed.
 */
import type { SourceArtifact } from "../../../contract/release/types.ts";
import { namedArchitectures } from "./electron-feed.ts";
import { lastExtensions } from "./feed-file.ts";

export function feedTraits(artifacts: readonly SourceArtifact[]): string {
  return artifacts.map(fileTraits).join("\n");
}

function fileTraits(artifact: SourceArtifact): string {
  const { platform, architecture, distribution, sha512, signatures } = artifact;
  const words = namedArchitectures(artifact.url).join();
  const has = [sha512, signatures?.minisign, signatures?.sparkle].map((text) => text !== undefined);
  return `${platform}/${architecture}/${distribution}/${lastExtensions(artifact)}/${words}/${has.join()}`;
}
