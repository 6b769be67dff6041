import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Seals what must be kept but not read from the database, under versioned keys. */
export interface Vault {
  /** Sealed text opens only with the same `context` (`mnemonic:12`), so rows can't be swapped. */
  seal(text: string, context: string): string;
  /** Throws when the text was changed, belongs elsewhere, or its key is not configured. */
  open(sealed: string, context: string): string;
  /** 32 bytes that stand for a text that must not be stored; the same for the same text and context. */
  fingerprint(text: string | Buffer, context: string): Buffer;
  /** A text for a key of its own purpose, such as signing tokens; stable for a master key. */
  derive(purpose: string): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Of random bytes most of the cost is in the asking. */
const NONCES_AT_ONCE = 256;

/** Each is given once. */
function createNonces(): () => Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at === bytes.length) {
      bytes = randomBytes(NONCE_BYTES * NONCES_AT_ONCE);
      at = 0;
    }
    const nonce = bytes.subarray(at, at + NONCE_BYTES);
    at += NONCE_BYTES;
    return nonce;
  };
}
const nextNonce = createNonces();

/** `masterKey` is `version:base64` pairs, the one to seal with first (decisions: Who may do what). */
export function createVault(masterKey: string): Vault {
  // As objects: made of bytes each time, a key costs several times what is done with it.
  const keys = new Map(
    masterKey.split(',').map((entry): [string, KeyObject] => {
      const [version = '', encoded = ''] = entry.split(':');
      return [version, createSecretKey(Buffer.from(encoded, 'base64'))];
    }),
  );
  const [current] = keys.keys();
  const oldest = [...keys.values()].at(-1);
  if (current === undefined || oldest === undefined) throw new Error('MASTER_KEY is empty');
  // Fingerprints must not change when a key is rotated in, so they hang on the oldest one.
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', oldest, '', purpose, 32));
  const fingerprintKey = createSecretKey(derive('archipay fingerprint'));

  return {
    seal(text, context) {
      const nonce = nextNonce();
      const cipher = createCipheriv('aes-256-gcm', keyOf(current), nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v${current}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`;
    },
    open(sealed, context) {
      const [, version, encoded] = /^v(\d+)\.(.+)$/.exec(sealed) ?? [];
      if (version === undefined || encoded === undefined) throw new Error('Not a sealed text');
      const bytes = Buffer.from(encoded, 'base64');
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyOf(version),
        bytes.subarray(0, NONCE_BYTES),
        // Otherwise a shorter tag would do, which is easier to guess.
        { authTagLength: TAG_BYTES },
      );
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    fingerprint: (text, context) =>
      createHmac('sha256', fingerprintKey).update(context).update('\0').update(text).digest(),
    derive,
  };

  function keyOf(version: string): KeyObject {
    const key = keys.get(version);
    if (!key) throw new Error(`MASTER_KEY has no version ${version}`);
    return key;
  }
}
