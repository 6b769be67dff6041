// Long: a process dies at every step.

import { expect, test } from 'vitest';
import { CIRCULATION } from '#chains/cardano/port.ts';
import { balanceByName, houseAccount } from '#kernel/ledger/accounts.ts';
import { doneOf } from '#test/bridge.ts';
import { bridgeCrashes, expectEachOnce } from '#test/bridge-crash.ts';
import { ELSEWHERE } from '#test/cardano.ts';

const crashes = await bridgeCrashes();
const { h } = crashes;
const { cardano } = h.app.providers;

test('a transfer to Cardano whose process is killed arrives once, wherever it died', async () => {
  await expectEachOnce(crashes, {
    to_chain: 'cardano',
    near: 'take',
    recipient: async () => ELSEWHERE,
    arrived: async () => doneOf(await cardano.holdings(ELSEWHERE)).usdc,
  });
  const { posted } = await balanceByName(h.db, houseAccount(CIRCULATION, 'USDC'));
  expect(doneOf(await cardano.supply())).toBe(posted);
});
