import { Buffer } from 'node:buffer';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface AnswerLimits {
  /** Bytes as they come over the wire. */
  readonly wireMax: number;
  /** Bytes once decompressed. */
  readonly plainMax: number;
}

export interface AnswerBody {
  readonly bytes: Buffer;
  /** Whether there was more than the limits allow; the rest was not read. */
  readonly cut: boolean;
}

/** What was begun and then cut still has a beginning. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  deflate: () => createInflate(LENIENT),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

export const ACCEPTED_ENCODINGS = 'gzip, br';

/** Reads as much of an answer as the limits allow, and hangs up on the rest. */
export async function readAnswer(
  body: Readable,
  encoding: string | undefined,
  { wireMax, plainMax }: AnswerLimits,
): Promise<AnswerBody> {
  // A hang-up is an error event, which would end the process without a listener.
  body.on('error', () => {});
  const wire = upTo(wireMax);
  if (encoding === undefined || encoding === 'identity') {
    const bytes = await collect(wire.of(body));
    return { bytes, cut: wire.cut };
  }
  const decoder = DECODERS[encoding.toLowerCase()]?.();
  if (decoder === undefined) {
    body.destroy();
    throw new Error('UNKNOWN_ENCODING');
  }
  const plain = upTo(plainMax);
  let bytes: Buffer = Buffer.alloc(0);
  const read = pipeline(wire.of(body), decoder, async (source) => {
    bytes = await collect(plain.of(source));
  });
  await read.catch((error) => {
    // A reader who stops in the middle gets an error for the rest.
    if (!plain.cut) throw error;
  });
  return { bytes, cut: wire.cut || plain.cut };
}

interface Limited {
  readonly cut: boolean;
  of(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

function upTo(max: number): Limited {
  let left = max;
  let cut = false;
  return {
    get cut() {
      return cut;
    },
    async *of(source) {
      for await (const part of source) {
        cut = part.length > left;
        yield part.subarray(0, left);
        left -= part.length;
        if (cut) return;
      }
    },
  };
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}
