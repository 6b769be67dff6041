// Long: anything is done in any order.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHAIN_KEYS, type ChainKey } from '#chains/evm/port.ts';
import {
  freshAddress,
  mover,
  outsideWallet,
  someHash,
  supplyOn,
  usdcOf,
} from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness({ mock: false });
const as = await h.user();
const person = mover(h, as);
const addresses = await walletOn(h, as, ...CHAIN_KEYS);
const outside = outsideWallet(h);
for (const [i, chain] of CHAIN_KEYS.entries())
  for (const owner of [addresses[i]?.wallet_address ?? '', outside.address]) {
    await fund(h, chain, owner, 'native', '100');
    await fund(h, chain, owner, 'USDC', '200');
  }

const supply = async () =>
  (await Promise.all(CHAIN_KEYS.map((chain) => supplyOn(h, chain)))).reduce((a, b) => a + b, 0n);

type Step = 'burn' | 'key' | 'wallet' | 'confirm' | 'fail' | 'lie' | 'mint';
const step = fc.constantFrom<Step>('burn', 'key', 'wallet', 'confirm', 'fail', 'lie', 'mint');
const route = fc
  .tuple(fc.constantFrom(...CHAIN_KEYS), fc.constantFrom(...CHAIN_KEYS))
  .filter(([from, to]) => from !== to);
const plan = fc.record({
  route,
  units: fc.bigInt({ min: 1_000_000n, max: 3_000_000n }),
  /** Steps of one group are taken at once. */
  steps: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
});

/** A hash that is this transfer's burn; sent at most once, since the bridge takes a nonce once. */
function burnOutside(from: ChainKey, log: Body): () => Promise<string> {
  let hash: Promise<string> | undefined;
  return () => {
    hash ??= outside.send(from, log.burn_calls);
    return hash;
  };
}

it('whatever is done with transfers, in whatever order, no USDC appears or disappears', async () => {
  const start = await supply();
  /** Burnt by a wallet outside and never told of, or told of after another burn. */
  let lost = 0n;
  let flying = 0n;
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 4 }), async (plans) => {
      await Promise.all(
        plans.map(async ({ route: [from_chain, to_chain], units, steps }) => {
          const recipient_address = freshAddress();
          const amount = `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`;
          const terms = { from_chain, to_chain, amount, recipient_address };
          const log = await person.begun(terms);
          let burntOutside = '';
          const burn = burnOutside(from_chain, log);
          const outsideHash = async () => {
            burntOutside = await burn();
            return burntOutside;
          };
          const does: Record<Step, () => Promise<[number, Body]>> = {
            burn: () => person.burn(log),
            key: () => person.burnWith(log, outside.key),
            wallet: async () =>
              person.burn(log, { mode: 'external_wallet', tx_hash: await outsideHash() }),
            confirm: async () => person.confirm(log, 'BURNED', await outsideHash()),
            fail: () => person.confirm(log, 'FAILED', someHash()),
            lie: () => person.confirm(log, 'BURNED', someHash()),
            mint: () => person.mint(log),
          };
          for (const together of steps)
            await Promise.all(together.map((name) => does[name]().catch(() => undefined)));
          const [, { data }] = await person.details(log);
          const { status, burn_tx_hash } = data.transaction;
          if (status === 'BURNED') flying += units;
          if (burntOutside !== '' && burntOutside !== burn_tx_hash) lost += units;
          const received = await usdcOf(h, to_chain, recipient_address);
          expect(received).toBe(status === 'MINTED' ? units : 0n);
        }),
      );
      expect(await supply()).toBe(start - flying - lost);
    }),
    { numRuns: 25, endOnFailure: true },
  );
  expect(flying).toBeGreaterThan(0n);
  // What is kept is what counting comes to.
  const { rows } = await h.kernel.pool.query(`
    select b.chain_id, b.units, b.changes >= count(t.log_id) as is_counted,
      coalesce(sum(t.units) filter (where t.bridge_route = 'BRIDGE'
        and t.burn_proof is distinct from 'WORD'), 0) as found
    from crosschain_burnt b left join crosschain_transfers t
      on t.from_chain = b.chain_id and t.burn_tx_hash is not null
    group by b.chain_id`);
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(row).toMatchObject({ units: row.found, is_counted: true });
});
