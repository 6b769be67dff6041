import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { money } from '#kernel/money/money.ts';
import { card, GOOD } from '#test/test-network.ts';
import { cardNetwork, cardSettings } from './adapter.ts';
import { certified } from './channel.ts';
import { traceOf } from './port.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('a network that asks for a client certificate', () => {
  const dir = mkdtempSync(join(tmpdir(), 'card-channel-'));
  const [certFile, keyFile] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const seen: string[] = [];
  let server: ReturnType<typeof createServer>;
  let url = '';

  beforeAll(async () => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const files = ['-keyout', keyFile, '-out', certFile, '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...files, ...subject], { stdio: 'pipe' });
    const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
    const tls = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true };
    server = createServer(tls, (request, response) => {
      seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      const approval = { actionCode: '00', approvalCode: '123456' };
      const transmissionDateTime = '2026-11-20T10:00:00.000Z';
      const body = { ...approval, transactionIdentifier: 123456789012345, transmissionDateTime };
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('is shown ours', async () => {
    const network = cardNetwork({
      url: () => url,
      user: 'u',
      password: 'p',
      acquiringBin: '408999',
      certificate: { certFile, keyFile, caFile: certFile },
    });
    const at = new Date('2026-11-20T10:00:00Z');
    const charge = { trace: traceOf(1, at), card: card(GOOD), money: money('USD', '1.00') };
    expect(await network.pull(charge)).toEqual({
      kind: 'done',
      value: {
        transactionIdentifier: '123456789012345',
        approvalCode: '123456',
        transmittedAt: '2026-11-20T10:00:00',
      },
    });
    expect(seen).toEqual(['localhost']);
  });

  test('gets nothing from us when we do not trust it', async () => {
    const call = { name: 'card-network test', method: 'GET', url } as const;
    expect(await certified({ certFile, keyFile })(call)).toHaveProperty('lost');
    expect(seen).toHaveLength(1);
  });

  test('half a certificate is no configuration', () => {
    const config = loadConfig({ NODE_ENV: 'test', CARD_NETWORK_CERT_FILE: certFile });
    expect(() => cardSettings(config, () => url)).toThrow('set together');
    const whole = { ...config, CARD_NETWORK_KEY_FILE: keyFile };
    expect(cardSettings(whole, () => url).certificate).toEqual({ certFile, keyFile });
  });

  test('a certificate that cannot be read stops the start', () => {
    expect(() => certified({ certFile: join(dir, 'none.pem'), keyFile })).toThrow('ENOENT');
  });
});
