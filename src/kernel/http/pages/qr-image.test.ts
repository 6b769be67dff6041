import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrImage } from './qr-image.ts';

/** The pixels of a PNG of one bit each whose lines are not filtered. */
function pixelsOf(url: string) {
  const png = Buffer.from(url.replace(/^data:image\/png;base64,/, ''), 'base64');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const at = png.indexOf('IDAT');
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const data = new Uint8Array(width * height * 4).fill(255);
  const line = 1 + Math.ceil(width / 8);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const isWhite = ((lines[y * line + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
    data.fill(isWhite ? 255 : 0, 4 * i, 4 * i + 3);
  }
  return { width, height, data };
}

test.each([
  ['a', 'a short text'],
  ['otpauth://totp/Archipay:ada%40example.com?issuer=Archipay&secret=JBSWY3DPEHPK3PXP', 'a key'],
  ['ethereum:0x70997970C51812dc3A010C7d01b50e0d17dc79C8@80002/transfer?uint256=1', 'a payment'],
  ['Zürich → 東京 '.repeat(20), 'much that is not ASCII'],
])('a reader reads off the picture what it was made of: %s', (text) => {
  const picture = pixelsOf(qrImage(text));
  expect(decodeQR(picture)).toBe(text);
  expect(picture.width).toBeGreaterThanOrEqual(264);
  expect(picture.height).toBe(picture.width);
});

test('there is white around it, as wide as four of its modules', () => {
  const { width, data } = pixelsOf(qrImage('a'));
  const isWhite = (x: number, y: number) => data[4 * (y * width + x)] === 255;
  const first = Array.from({ length: width }, (_, i) => i).find((i) => !isWhite(i, i)) ?? 0;
  // The smallest code has 21 modules, its finder starts where the quiet zone ends.
  expect(first).toBe((4 * width) / (21 + 8));
});
