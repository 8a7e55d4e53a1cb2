/** Makes a screenshot small: one byte for each pixel, from a palette of at most 64 colours. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel. */
  readonly colours: Uint8Array;
}

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const MAX_COLOURS = 64;

/** Of a picture as browsers write it: eight bits for each channel, not interlaced. */
export function reducePng(png: Uint8Array): Uint8Array {
  return encode(decode(Buffer.from(png)));
}

function decode(png: Buffer): Picture {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 3];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    }
    if (name === "IDAT") data.push(body);
    at += length + 12;
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const colours = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    colours.set(rows.subarray(pixel * channels, pixel * channels + 3), pixel * 3);
  }
  return { width, height, colours };
}

/** Each row is relative to its neighbours (PNG 9.2). */
function unfilter(filtered: Buffer, rowBytes: number, pixelBytes: number): Uint8Array {
  const height = filtered.length / (rowBytes + 1);
  const bytes = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (rowBytes + 1)];
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column < pixelBytes ? 0 : (bytes[at - pixelBytes] ?? 0);
      const up = row === 0 ? 0 : (bytes[at - rowBytes] ?? 0);
      const corner =
        row === 0 || column < pixelBytes ? 0 : (bytes[at - rowBytes - pixelBytes] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter ?? 0];
      bytes[at] = (filtered[row * (rowBytes + 1) + 1 + column] ?? 0) + (predicted ?? 0);
    }
  }
  return bytes;
}

function nearest(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function encode({ width, height, colours }: Picture): Uint8Array {
  const { palette, indexes } = choosePalette(colours);
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    pngChunk("IHDR", header),
    pngChunk("PLTE", Uint8Array.from(palette)),
    pngChunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** The most frequent colours stay exactly as they are, and each other one becomes the nearest of them. */
function choosePalette(colours: Uint8Array): { palette: number[]; indexes: Uint8Array } {
  const counts = new Map<number, number>();
  for (let at = 0; at < colours.length; at += 3) {
    const colour = colourAt(colours, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const kept = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_COLOURS);
  const palette = kept.map(([colour]) => toChannels(colour));
  const indexByColour = new Map([...counts.keys()].map((colour) => [colour, closest(colour)]));
  const indexes = new Uint8Array(colours.length / 3);
  for (let pixel = 0; pixel < indexes.length; pixel++) {
    indexes[pixel] = indexByColour.get(colourAt(colours, pixel * 3)) ?? 0;
  }
  return { palette: palette.flat(), indexes };

  function closest(colour: number): number {
    const [red, green, blue] = toChannels(colour);
    const distances = palette.map(
      ([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2,
    );
    return distances.indexOf(Math.min(...distances));
  }
}

function toChannels(colour: number): [red: number, green: number, blue: number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function colourAt(colours: Uint8Array, at: number): number {
  return ((colours[at] ?? 0) << 16) | ((colours[at + 1] ?? 0) << 8) | (colours[at + 2] ?? 0);
}

/** One part of a PNG file, with its length before it and its checksum after it. */
function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
