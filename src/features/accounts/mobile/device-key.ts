import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { type Static, Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';

const Coordinate = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });

/** The public key of a device: P-256, as a JWK. */
export const DeviceKey = named('DeviceKey', {
  kty: Type.Literal('EC'),
  crv: Type.Literal('P-256'),
  x: Coordinate,
  y: Coordinate,
});
export type DeviceKey = Static<typeof DeviceKey>;

/** The thumbprint of a key (RFC 7638). Throws VALIDATION_ERROR where the point is not on the curve. */
export async function thumbprintOf({ kty, crv, x, y }: DeviceKey): Promise<string> {
  const jwk = { kty, crv, x, y };
  try {
    createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw wrongField('device.public_key', 'must be a point of P-256');
  }
  return calculateJwkThumbprint(jwk, 'sha256');
}

/** A proof that the sender of a request holds a key (RFC 9449). */
export interface DeviceProof {
  readonly thumbprint: string;
  /** The same for the same proof: each counts once. */
  readonly mark: Buffer;
  readonly expires_at: Date;
}

export type DeviceProofDeps = Pick<Kernel, 'clock' | 'publicUrl'> & {
  readonly config: Pick<Config, 'MOCK_MODE'>;
};

const LEEWAY_S = 60;
const PROOF_MAX = 4096;
const JTI = /^[\x21-\x7e]{1,200}$/;

export const wrongProof = () =>
  fail('DEVICE_PROOF_INVALID', 'The proof of the device’s key is missing or wrong', {
    hint: 'Send a DPoP header (RFC 9449), signed with ES256 by the device’s key, for this method and address.',
  });

/** The proof of a request to `POST <path>`. Throws DEVICE_PROOF_INVALID. */
export async function readDeviceProof(
  deps: DeviceProofDeps,
  { headers }: RequestFacts,
  path: string,
): Promise<DeviceProof> {
  const sent = headers['dpop'];
  if (typeof sent !== 'string' || sent.length > PROOF_MAX) throw wrongProof();
  const read = await verified(sent, deps.clock.now());
  const now_s = deps.clock.now().getTime() / 1000;
  const { jti, iat = 0, htm, htu } = read.payload;
  const isOurs =
    typeof jti === 'string' &&
    JTI.test(jti) &&
    Math.abs(now_s - iat) <= LEEWAY_S &&
    htm === 'POST' &&
    isAddress(htu, originsOf(deps, headers.host), `${API_PREFIX}${path}`);
  if (!isOurs) throw wrongProof();
  return {
    thumbprint: read.thumbprint,
    mark: digestOf(`${read.thumbprint} ${jti}`),
    expires_at: new Date((iat + 2 * LEEWAY_S) * 1000),
  };
}

async function verified(sent: string, currentDate: Date) {
  try {
    const { payload, protectedHeader } = await jwtVerify(sent, EmbeddedJWK, {
      algorithms: ['ES256'],
      typ: 'dpop+jwt',
      currentDate,
      requiredClaims: ['jti', 'iat', 'htm', 'htu'],
    });
    const { jwk = {} } = protectedHeader;
    return { payload, thumbprint: await calculateJwkThumbprint(jwk, 'sha256') };
  } catch {
    throw wrongProof();
  }
}

/** Where the service is called. In mock mode also the address that the caller used: there it has several names. */
function originsOf({ config, publicUrl }: DeviceProofDeps, host: string | undefined): string[] {
  const known = new URL(publicUrl()).origin;
  return config.MOCK_MODE && host !== undefined ? [known, `http://${host}`] : [known];
}

/** Query and fragment do not count (RFC 9449, 4.3). */
function isAddress(htu: unknown, origins: readonly string[], path: string): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false;
  const { origin, pathname } = new URL(htu);
  return origins.includes(origin) && pathname === path;
}
