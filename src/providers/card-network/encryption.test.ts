import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { card, DECLINED, doneBy, GOOD, testNetwork, usd } from '#test/test-network.ts';
import { cardNetwork, cardSettings } from './adapter.ts';

const dir = mkdtempSync(join(tmpdir(), 'card-mle-'));
const keyId = 'key-1';
const [network, ours] = [pair('network'), pair('ours')];
const { close, settings, trace } = await testNetwork();
/** The messages as they were on the wire, and the fault of the next answer. */
const seen: { path: string; body: string; keyId: unknown; header: { iat?: number } }[] = [];
let spoil: 'plain' | 'garbage' | undefined;
let gate: ReturnType<typeof createServer>;

const encrypting = () =>
  cardNetwork({
    ...settings,
    url: () => `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    messageKeys: { keyId, networkCertFile: network.publicFile, keyFile: ours.privateFile },
  });

/** Opens requests, calls the network's simulator, and seals its answers. */
beforeAll(async () => {
  gate = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    let clear: string | undefined;
    let header = {};
    if (body !== '') {
      const opened = await compactDecrypt(JSON.parse(body).encData, network.privateKey);
      clear = new TextDecoder().decode(opened.plaintext);
      header = opened.protectedHeader;
    }
    seen.push({ path: url, body, keyId: headers['keyid'], header });
    const reply = await fetch(settings.url() + url, {
      method,
      headers: {
        authorization: String(headers.authorization),
        ...(clear === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(clear === undefined ? {} : { body: clear }),
    });
    const answer = await reply.text();
    response.statusCode = reply.status;
    response.setHeader('content-type', 'application/json');
    if (spoil === 'plain' || reply.status === 400) return response.end(answer);
    const sealed = await new CompactEncrypt(new TextEncoder().encode(answer))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A128GCM', kid: keyId })
      .encrypt(spoil === 'garbage' ? network.publicKey : ours.publicKey);
    response.end(JSON.stringify({ encData: sealed }));
  });
  await new Promise<void>((listening) => gate.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  gate.close();
  rmSync(dir, { recursive: true, force: true });
  await close();
});

test('no card is on the wire, and the network still reads it', async () => {
  const charge = { trace: trace(), card: card(GOOD), money: usd('12.00') };
  const movement = doneBy(await encrypting().pull(charge));
  expect(doneBy(await encrypting().find(charge.trace))).toMatchObject({
    transactionIdentifier: movement.transactionIdentifier,
  });
  const [pulled, found] = seen;
  expect(pulled).toMatchObject({ keyId, header: { alg: 'RSA-OAEP-256', kid: keyId } });
  // Milliseconds, not the seconds of a JWT.
  expect(Math.abs((pulled?.header.iat ?? 0) - Date.now())).toBeLessThan(600_000);
  expect(found).toMatchObject({ body: '', keyId });
  expect(seen.map(({ path, body }) => path + body).join()).not.toContain(GOOD);
});

test('a decline is a decline, sealed or not', async () => {
  const charge = { trace: trace(), card: card(DECLINED), money: usd('5.00') };
  expect(await encrypting().pull(charge)).toMatchObject({ kind: 'refused', code: 'DECLINED' });
});

test('an answer that is in the clear or cannot be opened leaves it unknown', async () => {
  for (const kind of ['plain', 'garbage'] as const) {
    const charge = { trace: trace(), card: card(GOOD), money: usd('3.00') };
    spoil = kind;
    expect(await encrypting().pull(charge)).toMatchObject({ kind: 'unknown' });
    spoil = undefined;
    expect(await encrypting().find(charge.trace)).toMatchObject({ kind: 'done' });
  }
});

test('an error in the clear counts', async () => {
  const charge = { trace: trace(), card: card(GOOD), money: usd('0.00') };
  expect(await encrypting().pull(charge)).toMatchObject({ kind: 'refused' });
});

test('a part of the keys is no configuration', () => {
  const config = loadConfig({ NODE_ENV: 'test', CARD_NETWORK_MLE_KEY_ID: keyId });
  expect(() => cardSettings(config, settings.url)).toThrow('set together');
  const whole = {
    ...config,
    CARD_NETWORK_MLE_CERT_FILE: network.publicFile,
    CARD_NETWORK_MLE_KEY_FILE: ours.privateFile,
  };
  expect(cardSettings(whole, settings.url).messageKeys).toMatchObject({ keyId });
});

function pair(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const [publicFile, privateFile] = [join(dir, `${name}.pub.pem`), join(dir, `${name}.pem`)];
  writeFileSync(publicFile, publicKey);
  writeFileSync(privateFile, privateKey);
  const keys = { publicKey: createPublicKey(publicKey), privateKey: createPrivateKey(privateKey) };
  return { publicFile, privateFile, ...keys };
}
