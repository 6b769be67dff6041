import type { Hash } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { run } from '#kernel/db/db.ts';
import { silentLog, type TestNetwork, testNetwork } from '#test/evm.ts';
import { node, stranger } from '#test/strangers.ts';
import { mintTokenCall } from '../contracts/calls.ts';
import type { ManagedChain } from '../network.ts';
import { caughtUpAt } from './cursor.ts';
import { type EvmFollower, type FollowOptions, followEvents } from './follower.ts';
import { paymentSources, seenPayment } from './payments.ts';

describe('following a contract', () => {
  let test: TestNetwork;
  let chain: ManagedChain;
  let payer: Awaited<ReturnType<typeof stranger>>;
  let name = 'test-0';
  let count = 0;

  beforeAll(async () => {
    test = await testNetwork();
    chain = test.network.chains.sepolia;
    await run(test.database.db, 'create table heard (hash text primary key, block bigint)', []);
    payer = await stranger(chain);
    await chain.sender.execute({
      signer: test.network.keys.hot,
      reference: 'mint',
      purpose: 'test',
      ...mintTokenCall(chain.contracts.usdc, payer.address, 1_000_000n),
    });
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    count += 1;
    name = `test-${count}`;
    await run(test.database.db, 'delete from heard', []);
  });

  const undone: bigint[] = [];
  const follower = (over: Partial<EvmFollower> = {}): EvmFollower => ({
    name,
    contract: ({ contracts }) => contracts.marketplace,
    sources: paymentSources,
    since: async () => new Date(0),
    async seen(tx, _chain, events) {
      for (const { hash, block } of events.map(seenPayment))
        await run(tx, 'insert into heard values ($1, $2)', [hash, `${block}`]);
    },
    async undone(tx, _chain, above) {
      undone.push(above);
      await run(tx, 'delete from heard where block > $1', [`${above}`]);
    },
    reached: async () => undefined,
    ...over,
  });
  const pass = (over: Partial<EvmFollower> = {}, options: FollowOptions = {}) =>
    followEvents(
      { db: test.database.db, clock: createClock(), log: silentLog },
      follower(over),
      chain,
      options,
    );
  const heard = async () =>
    (await run<{ hash: Hash }>(test.database.db, 'select hash from heard order by block', [])).map(
      ({ hash }) => hash,
    );

  it('tells every payment once, however narrow the questions and however often it reads', async () => {
    await pass();
    const before = await heard();
    const paid: Hash[] = [];
    for (const units of [1n, 2n, 3n]) {
      paid.push(await payer.pay(`order-${name}-${units}`, units));
      paid.push(await payer.transfer(units));
    }
    await pass({}, { step: 1n });
    await pass({}, { step: 2n });
    expect(await heard()).toEqual([...before, ...paid]);
  });

  it('another process goes on from where one has stopped, also in the middle of a pass', async () => {
    await pass();
    await node(chain, 'anvil_mine', '0x20');
    const paid = await payer.transfer(5n);
    const dying = async () => {
      throw new Error('killed here');
    };
    await expect(pass({ reached: dying }, { step: 10n })).rejects.toThrow();
    const enough = new AbortController();
    const reached = async () => enough.abort();
    expect(await pass({ reached }, { step: 10n, signal: enough.signal })).toMatchObject({
      isHead: false,
    });
    expect(await heard()).not.toContain(paid);
    expect(await pass()).toMatchObject({ isHead: true });
    expect(await heard()).toContain(paid);
  });

  it('several that read at once tell each payment once', async () => {
    const paid: Hash[] = [];
    for (let i = 0; i < 5; i += 1) paid.push(await payer.transfer(1n));
    await Promise.all(Array.from({ length: 8 }, () => pass({}, { step: 3n })));
    expect((await heard()).slice(-5)).toEqual(paid);
  });

  it('a reorganisation undoes what was in the dropped blocks, and what comes instead is read', async () => {
    const kept = await payer.transfer(7n);
    await pass();
    const checkpoint = await node(chain, 'evm_snapshot');
    const dropped = [await payer.transfer(8n), await payer.transfer(9n)];
    await pass();
    expect(await heard()).toEqual(expect.arrayContaining([kept, ...dropped]));
    await node(chain, 'evm_revert', checkpoint);
    const instead = await payer.transfer(10n);
    await node(chain, 'anvil_mine', '0x5');
    undone.length = 0;
    await pass();
    expect(undone).toHaveLength(1);
    const now = await heard();
    expect(now).toEqual(expect.arrayContaining([kept, instead]));
    for (const hash of dropped) expect(now).not.toContain(hash);
  });

  it('a chain that is shorter than what was read, or that nothing is known of, is read anew', async () => {
    const checkpoint = await node(chain, 'evm_snapshot');
    const dropped = await payer.transfer(11n);
    await pass();
    await run(test.database.db, 'delete from chain_follower_marks', []);
    await node(chain, 'evm_revert', checkpoint);
    await pass();
    const all = await heard();
    expect(all).not.toContain(dropped);
    expect(all.length).toBeGreaterThan(5);
  });

  it('it says to have read no further than what was on chain when that was asked', async () => {
    await pass();
    await node(chain, 'anvil_mine', '0x1');
    let paying: Promise<Hash> | undefined;
    let before = Number.POSITIVE_INFINITY;
    // Paid after the newest block was asked for, and before anything is booked.
    const client = async () => {
      const asked = await chain.client();
      const getLogs: typeof asked.getLogs = async (filter) => {
        before = Math.min(before, Date.now());
        paying ??= payer.transfer(1n);
        await paying;
        return asked.getLogs(filter);
      };
      return { ...asked, getLogs };
    };
    const deps = { db: test.database.db, clock: createClock(), log: silentLog };
    await followEvents(deps, follower(), { ...chain, contracts: chain.contracts, client });
    expect(await heard()).not.toContain(await paying);
    const contract = chain.contracts.marketplace;
    const upTo = await caughtUpAt(test.database.db, { follower: name, chain: 'sepolia', contract });
    expect(upTo?.getTime()).toBeLessThanOrEqual(before);
  });

  it('nothing is asked for while there is nothing to follow', async () => {
    expect(await pass({ since: async () => undefined })).toBeUndefined();
  });
});
