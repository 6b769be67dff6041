import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Body, CallOptions, Harness } from './harness.ts';
import { codeTo } from './mails.ts';

/** A device with a key of its own, as an app has one. */
export interface TestDevice {
  readonly description: Body;
  readonly thumbprint: string;
  /** A proof for a request; each counts once. */
  proof(path: string, claims?: Body): Promise<string>;
  /** A call with a proof. */
  call(path: string, body: Body, options?: CallOptions): Promise<[number, Body]>;
}

export async function testDevice(h: Harness, name = 'Ada’s phone'): Promise<TestDevice> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const { kty, crv, x, y } = await exportJWK(publicKey);
  const jwk = { kty, crv, x, y } as Body;
  const proof = (path: string, claims: Body = {}) => {
    const { jti = randomUUID(), iat = h.clock.seconds(), ...more } = claims;
    const htu = `${h.kernel.publicUrl()}/api${path}`;
    return new SignJWT({ jti, iat, htm: 'POST', htu, ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey);
  };
  return {
    description: { id: randomUUID(), name, platform: 'ios', public_key: jwk },
    thumbprint: await calculateJwkThumbprint(jwk, 'sha256'),
    proof,
    async call(path, body, { headers = {}, ...options } = {}) {
      const dpop = headers['dpop'] ?? (await proof(path));
      return h.call(`POST ${path}` as 'POST /mobile/login', {
        ...options,
        body,
        headers: { ...headers, dpop },
      });
    },
  };
}

/** Requests a code for a phone and reads it. */
export async function mobileCode(h: Harness, phone: string, options: CallOptions = {}) {
  const [status, { data }] = await h.call('POST /mobile/login/request', {
    ...options,
    body: { phone, channel: 'sms' },
  });
  if (status !== 200) throw new Error(`No code: ${status}`);
  return { otp_id: data.otp_id as string, otp_code: await codeTo(h, phone) };
}

/** Logs a device in by a code. */
export async function mobileLogIn(
  h: Harness,
  phone: string,
  device: TestDevice,
  options: CallOptions = {},
): Promise<Body> {
  const code = await mobileCode(h, phone, options);
  const sent = { ...code, device: device.description };
  const [status, { data }] = await device.call('/mobile/login', sent, options);
  if (status !== 200) throw new Error(`No log-in: ${status}`);
  return data;
}
