import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { endProcess, startAnvil } from './anvil.ts';

const started = async () => {
  const { url, identity } = await startAnvil({ chainId: 31_337 });
  return { url: new URL(url), identity };
};
/** What a browser here would find under a name that points to that address. */
const reach = async (host: string, port: string) => {
  const socket = connect({ host, port: Number(port) });
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
};

test.skipIf(process.platform === 'darwin')(
  'a node listens where no page in a browser of this machine can guess it',
  async () => {
    const [one, other] = await Promise.all([started(), started()]);
    try {
      expect(one.url.hostname).not.toBe(other.url.hostname);
      for (const { url } of [one, other]) {
        expect(await reach(url.hostname, url.port)).toBe('connected');
        for (const known of ['127.0.0.1', '::1']) {
          expect(await reach(known, url.port)).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|EAFNOSUPPORT/);
        }
      }
    } finally {
      await Promise.all([one, other].map(({ identity }) => endProcess(identity)));
    }
  },
);
