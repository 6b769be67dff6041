import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { lazy } from '#kernel/lazy.ts';
import type { Vault } from '#kernel/secrets/vault.ts';

/** A public key as JSON Web Keys are written (RFC 8037). */
export interface QuoteKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** Signs what the platform promises, so that its holder can show it to others. */
export interface QuoteSigner {
  /** A JSON Web Signature in its compact form over these terms. The same terms have the same signature. */
  sign(terms: object): string;
  key(): QuoteKey;
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS 8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The key hangs on the oldest master key, so that rotating those leaves old quotes verifiable. */
export function createQuoteSigner(vault: Pick<Vault, 'derive'>): QuoteSigner {
  const keys = lazy(() => keysOf(vault));
  return {
    key: () => keys().shown,
    sign(terms) {
      const { secret, shown } = keys();
      const head = encoded({ alg: 'EdDSA', kid: shown.kid, typ: 'quote+jws' });
      const signed = `${head}.${encoded(terms)}`;
      return `${signed}.${sign(null, Buffer.from(signed), secret).toString('base64url')}`;
    },
  };
}

function keysOf(vault: Pick<Vault, 'derive'>): { secret: KeyObject; shown: QuoteKey } {
  const der = Buffer.concat([PKCS8, vault.derive('archipay quote signature')]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' });
  const kid = createHash('sha256').update(x).digest('base64url').slice(0, 16);
  return { secret, shown: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}
