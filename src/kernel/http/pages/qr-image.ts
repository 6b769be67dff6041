import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** Of pixels on each side, at the least: phones read smaller ones badly. */
const SIZE_MIN = 264;
/** What the standard wants to be left white around a code, in modules. */
const QUIET_ZONE = 4;

/**
 * The text as a QR code: a PNG as a data URL, so that no page loads anything and whatever shows pictures shows it.
 * Each module is a whole number of pixels.
 */
export function qrImage(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const scale = Math.ceil(SIZE_MIN / modules.length);
  return `data:image/png;base64,${pngOf(modules, scale).toString('base64')}`;
}

/** Black where true; one bit for a pixel. The encoder draws GIF and SVG, which not every app shows. */
function pngOf(modules: readonly (readonly boolean[])[], scale: number): Buffer {
  const size = modules.length * scale;
  const rows = modules.flatMap((row) => {
    const line = Buffer.alloc(1 + Math.ceil(size / 8));
    for (let x = 0; x < size; x++) {
      if (!row[Math.floor(x / scale)])
        line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    return Array.from({ length: scale }, () => line);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1; // bit for a pixel, and grey: 1 is white
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
