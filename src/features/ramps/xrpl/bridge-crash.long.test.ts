// Long: a process dies at every step.

import { expect, test } from 'vitest';
import { Wallet } from 'xrpl';
import { balanceByName, houseAccount } from '#kernel/ledger/accounts.ts';
import { bridgeCrashes, expectEachOnce } from '#test/bridge-crash.ts';
import { doneBy } from '#test/xrpl.ts';

const crashes = await bridgeCrashes();
const { h } = crashes;
const { xrpl } = h.app.providers;
doneBy(await xrpl.prepare());

test('a transfer to the XRP Ledger whose process is killed arrives once, wherever it died', async () => {
  await expectEachOnce(crashes, {
    to_chain: 'xrpl',
    near: 'take',
    async recipient() {
      const { address } = Wallet.generate();
      doneBy(await xrpl.openLine(address));
      return address;
    },
    async arrived(all) {
      let sum = 0n;
      for (const address of all) {
        const { balances } = doneBy(await xrpl.chain.view.address(address));
        sum += balances.find(({ asset }) => asset === 'USDC')?.units ?? 0n;
      }
      return sum;
    },
  });
  const { posted } = await balanceByName(h.db, houseAccount('xrpl', 'USDC'));
  expect(doneBy(await xrpl.balance())).toBe(-posted);
});
