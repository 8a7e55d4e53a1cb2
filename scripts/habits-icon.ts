/**
 * Draws the icon of the example app: a check mark on a plain ground, as SVG and as PNG. The PNG is not
 * compressed, because the output of a compressor depends on the machine and generated files must not.
 */
import { pngChunk } from "./png-chunk.ts";

const GROUND = [0x1b, 0x67, 0x48] as const;
const MARK = [0xff, 0xff, 0xff] as const;
/** Within the circle that every launcher shows; the side of the icon is 1. */
const CHECK = [
  [0.28, 0.53],
  [0.44, 0.68],
  [0.73, 0.35],
] as const;
const STROKE = 0.1;
/** Steps between the colours of ground and mark: four bits for each pixel. */
const SHADES = 16;

export function drawIconSvg(): string {
  const points = CHECK.map(([x, y]) => `${round(x * 192)} ${round(y * 192)}`).join(" L");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><rect width="192" height="192" rx="44" fill="${toHex(GROUND)}"/><path d="M${points}" fill="none" stroke="${toHex(MARK)}" stroke-width="${round(STROKE * 192)}" stroke-linecap="round" stroke-linejoin="round"/></svg>\n`;
}

/** Without transparency and without round corners: launchers cut the shape themselves. */
export function drawIconPng(size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = Math.log2(SHADES);
  header[9] = 3; // a palette
  const palette = Buffer.from(
    Array.from({ length: SHADES }, (_, shade) => mix(shade / (SHADES - 1))).flat(),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    pngChunk("PLTE", palette),
    pngChunk("IDAT", storeAsZlib(drawPixels(size))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Rows of two pixels a byte, each after the number of its filter, which is none. */
function drawPixels(size: number): Buffer {
  const rowBytes = 1 + Math.ceil(size / 2);
  const pixels = Buffer.alloc(rowBytes * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = distanceToCheck((x + 0.5) / size, (y + 0.5) / size);
      // The edge is one pixel wide.
      const cover = Math.min(Math.max((STROKE / 2 - distance) * size + 0.5, 0), 1);
      const shade = Math.round(cover * (SHADES - 1));
      const index = y * rowBytes + 1 + (x >> 1);
      pixels[index] = (pixels[index] ?? 0) | (x % 2 === 0 ? shade << 4 : shade);
    }
  }
  return pixels;
}

function distanceToCheck(x: number, y: number): number {
  const [a, b, c] = CHECK;
  return Math.min(distanceToLine(x, y, a, b), distanceToLine(x, y, b, c));
}

type Point = readonly [x: number, y: number];

function distanceToLine(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const part = Math.min(Math.max(along, 0), 1);
  return Math.sqrt((x - ax - part * dx) ** 2 + (y - ay - part * dy) ** 2);
}

function mix(part: number): number[] {
  return GROUND.map((value, index) => Math.round(value + ((MARK[index] ?? 0) - value) * part));
}

/** RFC 1950 around stored blocks of RFC 1951. */
function storeAsZlib(data: Buffer): Buffer {
  const maxBlock = 0xffff;
  const blocks: Buffer[] = [Buffer.from([0x78, 0x01])];
  for (let from = 0; from < data.length; from += maxBlock) {
    const block = data.subarray(from, from + maxBlock);
    const head = Buffer.alloc(5);
    head[0] = from + maxBlock >= data.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & maxBlock, 3);
    blocks.push(head, block);
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(adler32(data));
  return Buffer.concat([...blocks, checksum]);
}

function adler32(data: Buffer): number {
  let [a, b] = [1, 0];
  for (const byte of data) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

function toHex(color: readonly number[]): string {
  return `#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
