import assert from "node:assert/strict";
import { test } from "node:test";
import { identifyPicture } from "./identify-picture.ts";

// 37 × 21 pixels of one colour, encoded by Chromium, without their colour profile.
const PNG = base64(
  "iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAYAAADB5CeuAAAARklEQVR4AezSMQ0AQAgEwQ823hBO8K8ALGx5xZLQXUGGqz+9aVsvcDyKPkUppagAzdkppagAzdkppagAzdkppagAzUV26gAAAP//eJ0cuwAAAAZJREFUAwAwRkI42BP3pAAAAABJRU5ErkJggg==",
);
const JPEG = base64(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAVACUDASIAAhEBAxEB/9k=",
);
const LOSSY = base64(
  "VlA4IDAAAAAwAwCdASolABUAP3G202G0ryqmJWgCkC4JZwDSNA8KmggAAP7gqx3uWihXin2gAAAA",
);
const LOSSLESS = base64("VlA4TBEAAAAvJAAFAAfQs24Uqf+BiOh/AAA=");
const EXTENDED = base64("VlA4WAoAAAAgAAAAJAAAFAAASUNDUA==");

function base64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function webp(chunk: Uint8Array): Uint8Array {
  return Buffer.concat([text("RIFF"), Buffer.from([30, 0, 0, 0]), text("WEBP"), chunk]);
}

/** The boxes before the image data, as far as a reader of the size needs them. */
function avif(brand: string): Uint8Array {
  const box = (type: string, ...parts: readonly Uint8Array[]) => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length + 8);
    return Buffer.concat([head, text(type), body]);
  };
  const size = Buffer.from([0, 0, 0, 0, 0, 0, 0, 37, 0, 0, 0, 21]);
  const properties = box("iprp", box("ipco", box("ispe", size)));
  return Buffer.concat([
    box("ftyp", text(`${brand}\0\0\0\0mif1`)),
    box("meta", Buffer.alloc(4), properties),
  ]);
}

test("a picture is known by its bytes, with its size", () => {
  const size = { width: 37, height: 21 };
  for (const [mediaType, bytes] of [
    ["image/png", PNG],
    ["image/jpeg", JPEG],
    ["image/webp", webp(LOSSY)],
    ["image/webp", webp(LOSSLESS)],
    ["image/webp", webp(EXTENDED)],
    ["image/avif", avif("avif")],
  ] as const) {
    assert.deepEqual(identifyPicture(bytes), { mediaType, size }, mediaType);
  }
});

test("a drawing is known by its root element", () => {
  for (const drawing of [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\ufeff<?xml version="1.0"?>\n<!-- a > b -->\n<svg >',
    "\n<!-- made by hand --><svg>",
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>',
  ]) {
    assert.deepEqual(identifyPicture(text(drawing)), { mediaType: "image/svg+xml", size: null });
  }
});

test("anything else is no picture", () => {
  for (const bytes of [
    new Uint8Array(),
    text("<html><svg></svg></html>"),
    text("<?xml version='1.0'?><html/>"),
    text("<svgx/>"),
    text("GIF89a"),
    avif("heic"),
    PNG.subarray(0, 20),
    JPEG.subarray(0, 20),
    webp(LOSSY).subarray(0, 20),
  ]) {
    assert.equal(identifyPicture(bytes), null, Buffer.from(bytes).toString("latin1"));
  }
});

test("a header that claims to be as long as the file is no exception", () => {
  const bytes = new Uint8Array(2_000_000);
  bytes.set(text("\x7f\x7f\x7f\x7fftypheic"));
  assert.equal(identifyPicture(bytes), null);
});

test("a cut or damaged file is never an exception", () => {
  for (const picture of [PNG, JPEG, webp(LOSSY), webp(LOSSLESS), webp(EXTENDED), avif("avif")]) {
    for (let length = 0; length < picture.length; length++) {
      identifyPicture(picture.subarray(0, length));
      const damaged = picture.slice();
      damaged[length] = 255;
      identifyPicture(damaged);
    }
  }
});
