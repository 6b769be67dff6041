import { expect } from 'vitest';
import { Wallet } from 'xrpl';
import { balanceOf, houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { Body, Harness, Person } from './harness.ts';
import { doneBy } from './xrpl.ts';

/** On- and off-ramps of a harness, and the books beside them. */
export function ramps(h: Harness) {
  const { db } = h;
  const posted = async (owner: string, purpose: string, asset: Asset) => {
    const mayGoNegative = owner === 'house';
    const account = await openAccount(db, { owner, purpose, asset, mayGoNegative });
    const { posted: units, held } = await balanceOf(db, account);
    return { units, held };
  };
  const house = async (purpose: string, asset: Asset) =>
    (await posted('house', purpose, asset)).units;

  return {
    house,
    usdcOf: ({ user_id }: Person) => posted(`user:${user_id}`, 'xrpl', 'USDC'),
    fiatOf: ({ user_id }: Person, asset: Asset) => posted(`user:${user_id}`, 'wallet', asset),
    /** Posts new money, in units. */
    async fund({ user_id }: Person, asset: Asset, units: bigint) {
      const wallet = { owner: `user:${user_id}`, purpose: 'wallet', asset };
      const [from, to] = [
        await openAccount(db, houseAccount('test', asset)),
        await openAccount(db, wallet),
      ];
      const key = `fund-${user_id}-${asset}-${units}`;
      await postWithin(db, { key, kind: 'test', legs: transfer(from, to, units) });
    },
    on: (as: Person, body: object, headers: Record<string, string> = {}) =>
      h.call('POST /xrpl/onramp/init', { as, body, headers }) as Promise<[number, Body]>,
    off: (as: Person, body: object, headers: Record<string, string> = {}) =>
      h.call('POST /xrpl/offramp/init', { as, body, headers }) as Promise<[number, Body]>,
    status: (as: Person, way: 'on' | 'off', txid: string | number) =>
      h.call(way === 'on' ? 'GET /xrpl/onramp/status/{txid}' : 'GET /xrpl/offramp/status/{txid}', {
        as,
        params: { txid },
      }) as Promise<[number, Body]>,
    fault: (kind: string, times = 1, ms = 0) =>
      h.sandbox('POST', '/faults', { provider: 'xrpl', kind, times, ms }),
    /** An address outside with a trust line for USDC. */
    async outside(): Promise<string> {
      const { address } = Wallet.generate();
      await h.sandbox('POST', '/xrpl/trust-lines', { address });
      return address;
    },
    /** The platform address's balance on the ledger. */
    onChain: async () => doneBy(await h.app.xrpl.balance()),
    /** Every asset sums to zero, the books match the chain, and both have the same lines. */
    async agree() {
      expect(await verifyLedger(db)).toMatchObject({ broken: [] });
      expect(await house('xrpl', 'USDC')).toBe(-doneBy(await h.app.xrpl.balance()));
      const window = { from: new Date(0), to: new Date(h.clock.now().getTime() + 60_000) };
      const rail = h.app.features.rails.find(({ name }) => name === 'xrpl');
      const theirs = doneBy((await rail?.theirs(window)) ?? { kind: 'unknown', cause: 'no rail' });
      const ours = await rail?.ours(db, window);
      const keysOf = (lines: readonly { reference: string; kind: string; units: bigint }[] = []) =>
        lines.map(({ reference, kind, units }) => `${reference} ${kind} ${units}`).sort();
      expect(keysOf(ours?.lines)).toEqual(keysOf(theirs.lines));
    },
  };
}
