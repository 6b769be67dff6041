import { once } from 'node:events';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, inject, test } from 'vitest';
import { harness } from './harness.ts';

const h = await harness({ config: { HOST: '0.0.0.0' } });

/** An address of this machine other than the loopback. */
const beyond =
  Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address ?? '127.0.0.2';

async function isOpen(host: string, { port }: URL): Promise<boolean> {
  const socket = createConnection({ host, port: Number(port) });
  const open = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return open;
}

test('with any HOST, only the API can be reached from other machines', async () => {
  const { providers } = await h.sandbox('GET', '/index.json');
  const mail = providers.find(({ provider }: { provider: string }) => provider === 'email');
  const local = {
    sandbox: h.app.sandboxUrl(),
    mail: mail.url,
    chain: await h.app.evm.chains.amoy.url(),
    database: inject('testServer'),
  };
  expect(await isOpen(beyond, new URL(h.app.apiUrl()))).toBe(true);
  for (const [name, address] of Object.entries(local)) {
    expect(await isOpen(new URL(address).hostname, new URL(address)), name).toBe(true);
    expect(await isOpen(beyond, new URL(address)), name).toBe(false);
  }
});
