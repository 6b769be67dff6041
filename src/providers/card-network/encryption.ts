import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { machineMs } from '#kernel/clock.ts';
import { type callHttp, parsed } from '../../kernel/provider-call.ts';

type Send = typeof callHttp;

export interface MessageKeys {
  /** The network's id of this pair of keys. */
  readonly keyId: string;
  /** PEM file of the network's certificate, for which requests are encrypted. */
  readonly networkCertFile: string;
  /** PEM file of our RSA key, for which answers are encrypted. */
  readonly keyFile: string;
}

const KEY_ALGORITHM = 'RSA-OAEP-256';
const CONTENT_ALGORITHM = 'A128GCM';
const Encrypted = Type.Object({ encData: Type.String() });

/**
 * Visa's message-level encryption: bodies travel as JWE, so that a proxy that ends TLS sees no card.
 * An error may come in the clear; any other unreadable answer leaves the outcome unknown.
 */
export function encrypted(send: Send, { keyId, networkCertFile, keyFile }: MessageKeys): Send {
  const networkKey = createPublicKey(readFileSync(networkCertFile));
  const ownKey = createPrivateKey(readFileSync(keyFile));

  return async (call) => {
    const { body } = call;
    const reply = await send({
      ...call,
      headers: { ...call.headers, keyId },
      ...(body === undefined ? {} : { body: { encData: await encrypt(body) } }),
    });
    if ('lost' in reply) return reply;
    if (!Value.Check(Encrypted, reply.json))
      return reply.status < 300 ? { lost: 'NOT_ENCRYPTED' } : reply;
    const text = await decrypt(reply.json.encData).catch(() => undefined);
    return text === undefined ? { lost: 'UNREADABLE' } : { ...reply, text, json: parsed(text) };
  };

  function encrypt(body: string | object): Promise<string> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({
        alg: KEY_ALGORITHM,
        enc: CONTENT_ALGORITHM,
        kid: keyId,
        // In milliseconds, as the network has it; it refuses messages older than two minutes.
        iat: machineMs(),
      })
      .encrypt(networkKey);
  }

  async function decrypt(sealed: string): Promise<string> {
    const { plaintext } = await compactDecrypt(sealed, ownKey, {
      keyManagementAlgorithms: [KEY_ALGORITHM],
      contentEncryptionAlgorithms: [CONTENT_ALGORITHM, 'A256GCM'],
    });
    return Buffer.from(plaintext).toString('utf8');
  }
}
