/** Enters a picture of the release story in a draft. */
import type { ReleaseMedia } from "../../contract/release/schemas.ts";
import { refuse, type Change, type CatalogContext } from "./change-catalog.ts";
import { changeDraft } from "./change-draft.ts";
import { hashFile, type HashProgress } from "./hash-file.ts";
import { warnAboutUrl } from "./warn-about-url.ts";

export interface NewMedia {
  readonly version: string;
  readonly path: string;
  readonly id: string;
  readonly url: string;
}

export interface AddedMedia {
  readonly media: ReleaseMedia;
  readonly change: "added" | "replaced";
  readonly warnings: readonly string[];
}

export async function addMedia(
  bench: CatalogContext,
  wanted: NewMedia,
  onProgress?: HashProgress,
): Promise<Change<AddedMedia>> {
  const hashed = await hashFile(wanted.path, onProgress);
  if (hashed.kind === "refused") return hashed;
  const mimeType = detectMediaType(hashed.start);
  if (mimeType === null) {
    return refuse(`"${wanted.path}" is no AVIF, JPEG, PNG or WebP picture`);
  }
  const media: ReleaseMedia = {
    id: wanted.id,
    fileName: hashed.fileName,
    mimeType,
    url: wanted.url,
    sha256: hashed.sha256,
    size: hashed.size,
  };
  return changeDraft<AddedMedia>(bench, wanted.version, (draft) => {
    const list = [...(draft.media ?? [])];
    const before = list.findIndex(({ id }) => id === media.id);
    list.splice(before < 0 ? list.length : before, before < 0 ? 0 : 1, media);
    const change = before < 0 ? "added" : "replaced";
    const { artifacts, ...rest } = draft;
    return {
      draft: { ...rest, media: list, artifacts },
      result: { media, change, warnings: warnAboutUrl(media) },
    };
  });
}

/** By the first bytes, because a file's ending proves nothing. */
export function detectMediaType(start: Uint8Array): ReleaseMedia["mimeType"] | null {
  const text = Buffer.from(start).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  // ISO 23000-22: an ISO media file whose brands name AV1 images.
  if (text.slice(4, 8) === "ftyp" && /avif|avis/.test(text.slice(8))) return "image/avif";
  return null;
}
