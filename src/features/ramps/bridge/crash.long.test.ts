// Long: a process dies at every step.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bridgeBooks, bridger, cutOff, readBridge } from '#test/bridge.ts';
import { bridgeCaller, bridgeCrashes, expectEachOnce, later } from '#test/bridge-crash.ts';
import { freshAddress, usdcOf } from '#test/crosschain.ts';
import type { Person } from '#test/harness.ts';

const crashes = await bridgeCrashes();
const { h, killed } = crashes;

test('a transfer whose process is killed arrives once, wherever it died', () =>
  expectEachOnce(crashes, {
    to_chain: 'amoy',
    near: 'burn',
    recipient: async () => freshAddress(),
    async arrived(all) {
      const each = await Promise.all(all.map((address) => usdcOf(h, 'amoy', address)));
      return each.reduce((sum, units) => sum + units, 0n);
    },
  }));

test.each(['before', 'after'] as const)(
  'a payment ahead whose process is killed (%s) is made once',
  async (hangs) => {
    const person = await bridger(h, { usdc: '30' });
    const back = cutOff(h, 'amoy');
    const made = await person.moved({ recipient_address: freshAddress() });
    await h.advance(2 * 86_400);
    await h.drain();
    const { bridge_transfer_id: id, received } = made;
    const params = { bridge_transfer_id: id };
    const act = (what: 'advance' | 'advance/approve', as: Person, body: object) =>
      h.call(`POST /bridge/transfers/{bridge_transfer_id}/${what}`, { as, params, body });
    const [, proposed] = await act('advance', await h.operator(), { reason: 'It is away' });
    const { version } = proposed.data;
    const { address } = h.app.evm.keys.treasury;
    const given = { chain: 'sepolia', address, asset: 'USDC', amount: '50' };
    await h.sandbox('POST', '/faucet', given);
    await act('advance/approve', await h.operator(), { version });
    const operation = randomUUID();
    const own = { operation, caller: bridgeCaller(person.as), source: person.address };
    await killed([{ ...own, quote_id: id, advances: `${id}:1`, at: 'advance', hangs }]);
    back();
    await later(h);
    expect((await readBridge(h, id)).status).toBe('ADVANCED');
    const ahead = BigInt(received.replace('.', ''));
    expect(await usdcOf(h, 'sepolia', person.address)).toBe(5_000_000n + ahead);
    expect(await bridgeBooks(h)).toMatchObject({ owed: 0n, transit: 0n });
  },
);
