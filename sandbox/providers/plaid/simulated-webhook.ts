import { createHash } from 'node:crypto';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import type { JWKPublicKey, PlaidError } from 'plaid';
import type { World } from '#sandbox/simulator.ts';
import { SIMULATED_PLAID_PROVIDER } from './simulated-answers.ts';

/** Where the signature of a call-back stands. */
const HEADER = 'plaid-verification';

interface SigningKey {
  readonly privateJwk: JWK;
  readonly shown: JWKPublicKey;
}

/** Made once and kept. Of several that make one the first wins. */
export async function signingKey(world: World): Promise<SigningKey> {
  const known = await world.records.get<SigningKey>(SIMULATED_PLAID_PROVIDER, 'key', 'signing');
  if (known) return known;
  const pair = await generateKeyPair('ES256', { extractable: true });
  const { x = '', y = '', ...rest } = await exportJWK(pair.publicKey);
  const shown: JWKPublicKey = {
    alg: 'ES256',
    crv: 'P-256',
    kid: await calculateJwkThumbprint({ ...rest, x, y }),
    kty: 'EC',
    use: 'sig',
    x,
    y,
    created_at: world.clock.seconds(),
    expired_at: null,
  };
  const privateJwk = await exportJWK(pair.privateKey);
  await world.records.insert(SIMULATED_PLAID_PROVIDER, 'key', 'signing', { privateJwk, shown });
  return signingKey(world);
}

/** Tells that there are new events; not which. Answers whether the service took it. */
export const callBackOfEvents = (world: World, url?: string): Promise<boolean> =>
  callBack(world, url, { webhook_code: 'TRANSFER_EVENTS_UPDATE', webhook_type: 'TRANSFER' });

/** Reports what is wrong with a log-in. */
export const callBackOfItem = (
  world: World,
  item_id: string,
  error: PlaidError,
): Promise<boolean> =>
  callBack(world, undefined, { webhook_code: 'ERROR', webhook_type: 'ITEM', item_id, error });

const callBack = (world: World, url: string | undefined, news: object): Promise<boolean> =>
  world.callbacks.deliver(SIMULATED_PLAID_PROVIDER, async () => {
    const body = JSON.stringify({ environment: 'sandbox', ...news });
    const { privateJwk, shown } = await signingKey(world);
    const request_body_sha256 = createHash('sha256').update(body).digest('hex');
    const token = await new SignJWT({ request_body_sha256 })
      .setProtectedHeader({ alg: 'ES256', kid: shown.kid, typ: 'JWT' })
      .setIssuedAt(world.clock.seconds())
      .sign(await importJWK(privateJwk, 'ES256'));
    return {
      url: url ?? `${world.serviceUrl()}/banklink/webhook`,
      headers: { [HEADER]: token },
      body,
    };
  });
