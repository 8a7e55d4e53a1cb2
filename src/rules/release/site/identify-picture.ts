/** What kind of picture a file is, and how large, by its bytes: its name may be wrong. */

export const PICTURE_TYPES = {
  "image/png": { name: "PNG", extensions: ["png"] },
  "image/jpeg": { name: "JPEG", extensions: ["jpg", "jpeg"] },
  "image/webp": { name: "WebP", extensions: ["webp"] },
  "image/avif": { name: "AVIF", extensions: ["avif"] },
  "image/svg+xml": { name: "SVG", extensions: ["svg"] },
} as const;

export type PictureType = keyof typeof PICTURE_TYPES;

export interface IdentifiedPicture {
  readonly mediaType: PictureType;
  /** The size in pixels; null for a drawing, which has any size. */
  readonly size: PictureSize | null;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Null for anything that browsers would not show, a truncated header included. */
export function identifyPicture(bytes: Uint8Array): IdentifiedPicture | null {
  for (const [mediaType, measure] of RASTER_FORMATS) {
    const size = measure(bytes);
    if (size !== null && size.width > 0 && size.height > 0) return { mediaType, size };
  }
  return looksLikeSvg(bytes) ? { mediaType: "image/svg+xml", size: null } : null;
}

type Measure = (bytes: Uint8Array) => PictureSize | null;

const RASTER_FORMATS: readonly (readonly [PictureType, Measure])[] = [
  ["image/png", measurePng],
  ["image/jpeg", measureJpeg],
  ["image/webp", measureWebp],
  ["image/avif", measureAvif],
];

/** PNG (Third Edition) 5.2 and 11.2.1. */
function measurePng(bytes: Uint8Array): PictureSize | null {
  if (bytes.length < 24 || ascii(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  if (ascii(bytes, 12, 4) !== "IHDR") return null;
  const view = viewOf(bytes);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** ITU-T T.81 B.1.1: segments with their lengths, until the one that begins a frame. */
function measureJpeg(bytes: Uint8Array): PictureSize | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    // C4, C8 and CC in this range are tables and no frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** RFC 9649 2.4 to 2.7: a lossy, a lossless or an extended file. */
function measureWebp(bytes: Uint8Array): PictureSize | null {
  if (bytes.length < 30 || ascii(bytes, 0, 4) !== "RIFF" || ascii(bytes, 8, 4) !== "WEBP") {
    return null;
  }
  const view = viewOf(bytes);
  switch (ascii(bytes, 12, 4)) {
    case "VP8 ":
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 };
    default:
      return null;
  }
}

/** ISO/IEC 23008-12 6.5.3: the extent of the image is in an `ispe` box; the first is the largest item. */
function measureAvif(bytes: Uint8Array): PictureSize | null {
  if (bytes.length < 16 || ascii(bytes, 4, 4) !== "ftyp") return null;
  const brandsEnd = Math.min(viewOf(bytes).getUint32(0), HEADER_BYTES);
  if (!/avif|avis/.test(ascii(bytes, 8, brandsEnd - 8))) return null;
  const at = ascii(bytes, 0, HEADER_BYTES).indexOf("ispe");
  if (at < 0 || at + 16 > bytes.length) return null;
  const view = viewOf(bytes);
  return { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
}

const HEADER_BYTES = 4096;

/** What follows the start is not checked: pages show a drawing only as an image, where nothing in it runs. */
function looksLikeSvg(bytes: Uint8Array): boolean {
  // A byte order mark has three bytes.
  const start = ascii(bytes, 0, HEADER_BYTES).replace("\xef\xbb\xbf", "").trimStart();
  return /^<(?:svg\b|\?xml\b|!--|!DOCTYPE svg\b)/i.test(start) && start.includes("<svg");
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function uint24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
