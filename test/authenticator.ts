import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Body } from './harness.ts';

/** An authenticator in software: it makes passkeys and signs challenges, also wrongly where a test wants that. */
export interface TestAuthenticator {
  readonly id: string;
  register(options: Body, wrong?: Wrong): Body;
  sign(options: Body, wrong?: Wrong): Body;
}

interface Wrong {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly count?: number;
  /** Without the fingerprint or PIN of its user. */
  readonly unverified?: true;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

export function testAuthenticator(origin: string): TestAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credential = randomBytes(32);
  const id = credential.toString('base64url');
  let count = 0;
  const dataOf = (rpId: string, flags: number, n: number) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(n);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  };
  const clientData = (type: string, challenge: string, wrong: Wrong): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const shown = (response: Body) => ({
    id,
    rawId: id,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });
  return {
    id,
    register(options, wrong = {}) {
      const key = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const flags = wrong.unverified ? 0x41 : 0x45;
      const data = Buffer.concat([
        dataOf(wrong.rpId ?? options.rp.id, flags, count),
        Buffer.alloc(16),
        length,
        credential,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), cborBytes(data)],
      ]);
      return shown({
        clientDataJSON: clientData('webauthn.create', options.challenge, wrong).toString(
          'base64url',
        ),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    sign(options, wrong = {}) {
      count = wrong.count ?? count + 1;
      const flags = wrong.unverified ? 0x01 : 0x05;
      const data = dataOf(wrong.rpId ?? options.rpId, flags, count);
      const client = clientData('webauthn.get', options.challenge, wrong);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return shown({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

/** As little of CBOR as a key and an attestation need. */
const cborHead = (kind: number, n: number): Buffer => {
  if (n < 24) return Buffer.from([(kind << 5) | n]);
  if (n < 256) return Buffer.from([(kind << 5) | 24, n]);
  return Buffer.from([(kind << 5) | 25, n >> 8, n & 0xff]);
};
const cborInt = (n: number): Buffer => (n < 0 ? cborHead(1, -1 - n) : cborHead(0, n));
const cborBytes = (data: Buffer): Buffer => Buffer.concat([cborHead(2, data.length), data]);
const cborText = (text: string): Buffer =>
  Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [number, number | Buffer])[]): Buffer =>
  Buffer.concat([
    cborHead(5, entries.length),
    ...entries.flatMap(([name, value]) => [
      cborInt(name),
      typeof value === 'number' ? cborInt(value) : cborBytes(value),
    ]),
  ]);
