import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { forgetReleased, type Hold, holdSpending, releaseHold } from './holds-store.ts';

const h = await harness();
const { amoy } = h.app.evm.chains;
const { usdc } = amoy.contracts;
const WEI = 10n ** 18n;

let serial = 0;
const of = (token_contract: string, units: bigint, gas = 0n): Hold => {
  serial += 1;
  return { reference: `hold:${serial}`, token_contract, units, gas };
};

async function wallet({ native = '1', tokens = '10' } = {}) {
  const as = await h.user();
  const [made] = await walletOn(h, as, 'amoy');
  const address = (made?.wallet_address ?? '') as Address;
  await fund(h, 'amoy', address, 'native', native);
  await fund(h, 'amoy', address, 'USDC', tokens);
  const take = (...holds: Hold[]) =>
    holdSpending({ db: h.db, chain: amoy, address }, holds, async () => 'written');
  const remove = async () =>
    (
      await h.call('POST /manual/wallets/crypto/{bw_id}/delete', {
        as,
        params: { bw_id: made?.bw_id ?? 0 },
        body: { confirmation: 'delete', user_id: as.user_id },
      })
    )[0];
  return { address, take, remove };
}
const held = { held: 'written' };

test('what is held is there for nobody else, and again when it is let go', async () => {
  const { take } = await wallet();
  const first = of(usdc, 7_000_000n);
  expect(await take(first)).toEqual(held);
  expect(await take(of(usdc, 4_000_000n))).toEqual({
    short: { token_contract: usdc, required: 4_000_000n, available: 3_000_000n },
  });
  expect(await take(of(usdc, 3_000_000n))).toEqual(held);
  await releaseHold(h.db, [first.reference]);
  expect(await take(of(usdc, 7_000_000n))).toEqual(held);
});

test('of twenty at once as many hold as the wallet can pay, never more', async () => {
  const { take } = await wallet();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => take(of(usdc, 2_000_000n), of(usdc, 1_000_000n))),
  );
  expect(answers.filter((answer) => typeof answer === 'object' && 'held' in answer)).toHaveLength(
    3,
  );
});

test('gas is taken from the coins, whatever the token is', async () => {
  const { take } = await wallet();
  expect(await take(of(usdc, 1n, WEI / 2n))).toEqual(held);
  expect(await take(of('native', WEI / 4n, WEI / 2n))).toEqual({
    short: { token_contract: 'native', required: (WEI * 3n) / 4n, available: WEI / 2n },
  });
});

test('the same reference again takes the place of the first', async () => {
  const { take } = await wallet();
  const again = of(usdc, 10_000_000n);
  expect(await take(again)).toEqual(held);
  expect(await take(again)).toEqual(held);
  await releaseHold(h.db, [again.reference]);
  expect(await take(again)).toEqual(held);
  expect(await take(of(usdc, 1n))).toHaveProperty('short');
});

test('what is mined already is not missing twice', async () => {
  const { address, take } = await wallet({ native: '2' });
  const { faucet } = h.app.evm.keys;
  const spent = of(usdc, 6_000_000n);
  expect(await take(spent)).toEqual(held);
  // Stands in for the transaction itself, which the journal knows by the reference of the hold.
  await amoy.sender.execute({
    signer: faucet,
    to: address,
    value: 1n,
    reference: spent.reference,
    purpose: 'test',
  });
  expect(await take(of(usdc, 10_000_000n))).toEqual(held);
});

test('a wallet is not deleted while something of it is held, and nothing is held of none', async () => {
  const { take, remove } = await wallet();
  const one = of(usdc, 1n);
  await take(one);
  expect(await remove()).toBe(409);
  await releaseHold(h.db, [one.reference]);
  expect(await remove()).toBe(200);
  expect(await take(of(usdc, 1n))).toBe('unmanaged');
});

test('nothing is held when what it is for was not written', async () => {
  const { address, take } = await wallet();
  const failing = holdSpending({ db: h.db, chain: amoy, address }, [of(usdc, 10_000_000n)], () =>
    Promise.reject(new Error('not written')),
  );
  await expect(failing).rejects.toThrow('not written');
  expect(await take(of(usdc, 10_000_000n))).toEqual(held);
});

test('only what was let go long ago is forgotten', async () => {
  const { take } = await wallet();
  const [open, fresh, old] = [of(usdc, 1n), of(usdc, 1n), of(usdc, 1n)];
  await take(open, fresh, old);
  await releaseHold(h.db, [fresh.reference, old.reference]);
  await h.db
    .updateTable('wallet_holds')
    .set({ released_at: '2020-01-01T00:00:00Z' })
    .where('reference', '=', old.reference)
    .execute();
  await forgetReleased(h.db);
  const left = await h.db
    .selectFrom('wallet_holds')
    .select('reference')
    .where('reference', 'in', [open.reference, fresh.reference, old.reference])
    .orderBy('held_at')
    .execute();
  expect(left.map(({ reference }) => reference).sort()).toEqual(
    [open.reference, fresh.reference].sort(),
  );
});
