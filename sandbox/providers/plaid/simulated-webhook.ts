import { createHash } from 'node:crypto';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import { WEBHOOK_HEADER, type WireKey } from '#providers/plaid/wire.ts';
import type { World } from '#sandbox/simulator.ts';
import { SIMULATED_PLAID_PROVIDER } from './simulated-answers.ts';

interface SigningKey {
  readonly privateJwk: JWK;
  readonly shown: WireKey;
}

/** Made once and kept. Of several that make one the first wins. */
export async function signingKey(world: World): Promise<SigningKey> {
  const known = await world.records.get<SigningKey>(SIMULATED_PLAID_PROVIDER, 'key', 'signing');
  if (known) return known;
  const pair = await generateKeyPair('ES256', { extractable: true });
  const { x = '', y = '', ...rest } = await exportJWK(pair.publicKey);
  const shown: WireKey = {
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
  world.callbacks.deliver(SIMULATED_PLAID_PROVIDER, async () => {
    const body = JSON.stringify({
      environment: 'sandbox',
      webhook_code: 'TRANSFER_EVENTS_UPDATE',
      webhook_type: 'TRANSFER',
    });
    const { privateJwk, shown } = await signingKey(world);
    const request_body_sha256 = createHash('sha256').update(body).digest('hex');
    const token = await new SignJWT({ request_body_sha256 })
      .setProtectedHeader({ alg: 'ES256', kid: shown.kid, typ: 'JWT' })
      .setIssuedAt(world.clock.seconds())
      .sign(await importJWK(privateJwk, 'ES256'));
    return {
      url: url ?? `${world.serviceUrl()}/banklink/webhook`,
      headers: { [WEBHOOK_HEADER]: token },
      body,
    };
  });
