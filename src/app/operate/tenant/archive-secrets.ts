import { createHash } from 'node:crypto';
import { CompactEncrypt, type CryptoKey, importJWK, type JWK } from 'jose';
import type { Db } from '#kernel/db/db.ts';
import { run } from '#kernel/db/db.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';

/** A public key of the receiver: X25519, as a JWK. */
export async function recipientKey(text: string): Promise<CryptoKey> {
  let jwk: JWK;
  try {
    jwk = JSON.parse(text) as JWK;
  } catch {
    throw new Error('The recipient’s key is not a JWK');
  }
  if (jwk.kty !== 'OKP' || jwk.crv !== 'X25519' || jwk.d !== undefined)
    throw new Error('The recipient’s key must be a public JWK of X25519');
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
}

const ALGORITHM = 'ECDH-ES';
const BATCH = 500;
/** Columns of sealed texts. */
const SEALED_COLUMN = /^sealed_|_sealed$/;

/** By which the row's sealed text names its secret. */
export const sealedHash = (sealed: string): string =>
  createHash('sha256').update(sealed).digest('hex');

/** The hashes of the sealed texts in a row, which `vault` has to open for the receiver. */
export function sealedIn(line: string): string[] {
  return Object.entries(JSON.parse(line) as Record<string, unknown>).flatMap(([column, value]) =>
    SEALED_COLUMN.test(column) && typeof value === 'string' && value.startsWith('v')
      ? [sealedHash(value)]
      : [],
  );
}

interface SecretsOptions {
  readonly vault: Vault;
  readonly kinds: readonly SealedKind[];
  /** Of the rows that were exported; those that are found are taken out of it. */
  readonly wanted: Set<string>;
  readonly recipient: CryptoKey;
}

/**
 * Opens the sealed texts of exported rows by the platform's key, and encrypts each to the receiver's key as a JWE.
 * A line has the hash of the sealed text, its context, and the JWE.
 */
export async function* secretsOf(
  tx: Db,
  { vault, kinds, wanted, recipient }: SecretsOptions,
): AsyncGenerator<readonly string[]> {
  for (const { text } of kinds) {
    await run(tx, `declare sealed_texts no scroll cursor for ${text}`, []);
    for (;;) {
      const rows = await run<{ sealed: string; context: string }>(
        tx,
        `fetch ${BATCH} from sealed_texts`,
        [],
      );
      const lines: string[] = [];
      for (const { sealed, context } of rows) {
        const hash = sealedHash(sealed);
        if (!wanted.delete(hash)) continue;
        const jwe = await encrypt(vault.open(sealed, context), recipient);
        lines.push(JSON.stringify({ sealed: hash, context, jwe }));
      }
      if (lines.length > 0) yield lines;
      if (rows.length < BATCH) break;
    }
    await run(tx, 'close sealed_texts', []);
  }
}

const encrypt = (text: string, recipient: CryptoKey): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: ALGORITHM, enc: 'A256GCM' })
    .encrypt(recipient);
