import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { cctp } from '#providers/cctp/adapter.ts';
import { killWhereItHangs } from '#test/child.ts';
import { freshAddress, mover, someHash, usdcOf } from '#test/crosschain.ts';
import type { Orders } from '#test/crosschain-child.ts';
import { TEST_MNEMONIC } from '#test/evm.ts';
import { harness, type Person } from '#test/harness.ts';
import { burn } from './burn.ts';
import { crosschainDeps } from './crosschain.ts';
import { mint } from './mint.ts';
import { findTransfer } from './read-store.ts';
import { mintId } from './store.ts';

const h = await harness();
await h.drain();
const { sepolia, amoy } = h.app.evm.chains;
const rpcUrls = { sepolia: await sepolia.url(), amoy: await amoy.url() };

/** Begins it in another process, and kills that where it hangs. */
async function beginAndKill(
  log_id: string,
  step: Orders['step'],
  hangs: Orders['hangs'],
): Promise<string> {
  const orders: Orders = {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    dataDir: h.dataDir,
    mnemonic: TEST_MNEMONIC,
    rpcUrls,
    aheadMs: h.clock.offsetMs,
    step,
    hangs,
    log_id,
    operation: randomUUID(),
  };
  await killWhereItHangs('crosschain-child.ts', orders);
  return orders.operation;
}

const deps = crosschainDeps({
  ...h.kernel,
  evm: h.app.evm,
  cctp: cctp({ url: () => '', chains: {}, relayer: h.app.evm.keys.relayer.address }),
  signersOf: async () => [],
});

async function found(log_id: string) {
  const transfer = await findTransfer(h.db, { log_id });
  if (transfer === undefined) throw new Error('No transfer');
  return transfer;
}

/** What the same request does when it is repeated after the crash. */
async function repeat(log_id: string, step: Orders['step'], operation: string): Promise<string> {
  const transfer = await found(log_id);
  const order = { operation, asked: { caller: transfer } };
  if (step === 'mint') return (await mint(deps, transfer, order)).status;
  return (await burn(deps, { ...order, log_id, mode: 'backend', payers: [] })).status;
}

/** The clock passes every lease, and the schedules have run. */
async function later(): Promise<void> {
  await h.advance(5 * 60);
  await h.drain();
}

const mined = async (like: string) =>
  (
    await h.db
      .selectFrom('chain_transactions')
      .select('status')
      .where('reference', 'like', like)
      .execute()
  ).map(({ status }) => status);

const statusOf = async (person: ReturnType<typeof mover>, log: { log_id: string }) =>
  (await person.details(log))[1].data.transaction.status;

/** A log-in that has not lapsed by the clock of the moment. */
const again = async (as: Person) => {
  const { user_id } = as;
  return mover(h, {
    ...as,
    ...(await h.kernel.sessions.open(h.db, { user_id, method: 'password' })),
  });
};

it.each(['before', 'sent', 'done'] as const)(
  'a burn whose process is killed (%s) happens once, with or without a repetition',
  async (hangs) => {
    const person = await again(await h.user());
    const recipient_address = freshAddress();
    const [left, repeated] = [
      await person.begun({ recipient_address }),
      await person.begun({ recipient_address }),
    ];
    const [, operation] = await Promise.all([
      beginAndKill(left.log_id, 'burn', hangs),
      beginAndKill(repeated.log_id, 'burn', hangs),
    ]);
    if (hangs !== 'done')
      // It may have been sent, so nobody may say meanwhile how it ended.
      for (const status of ['FAILED', 'BURNED'])
        expect((await person.confirm(left, status, someHash()))[0]).toBe(503);
    // The repeated request goes on at once, wherever the first one was.
    expect(await repeat(repeated.log_id, 'burn', operation)).toBe('BURNED');
    expect((await person.burn(repeated))[0]).toBe(400);
    await later();

    const wasSent = hangs !== 'before';
    expect(await statusOf(person, left)).toBe(wasSent ? 'BURNED' : 'INITIATED');
    if (!wasSent) expect((await person.burn(left))[0]).toBe(200);
    for (const log of [left, repeated]) {
      expect(await mined(`burn:${log.nonce}`)).toEqual(['CONFIRMED']);
      expect((await person.mint(log))[0]).toBe(200);
    }
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);
  },
);

it.each(['before', 'sent', 'done'] as const)(
  'a mint whose process is killed (%s) happens once, with or without a repetition',
  async (hangs) => {
    const person = await again(await h.user());
    const recipient_address = freshAddress();
    const logs = [];
    for (let i = 0; i < 2; i += 1) {
      const log = await person.begun({ recipient_address });
      expect((await person.burn(log))[0]).toBe(200);
      logs.push(log);
    }
    const [left, repeated] = logs;
    const [, operation = ''] = await Promise.all(
      logs.map(({ log_id }) => beginAndKill(log_id, 'mint', hangs)),
    );
    expect(await repeat(repeated.log_id, 'mint', operation)).toBe('MINTED');
    expect((await person.mint(repeated))[0]).toBe(400);
    await later();
    for (const log of [left, repeated]) {
      expect(await statusOf(person, log)).toBe('MINTED');
      expect(await mined(`mint:${log.nonce}`)).toEqual(['CONFIRMED']);
    }
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);
  },
);

it('a repeated mint is told of it too when the job ends it in the same moment', async () => {
  const person = await again(await h.user());
  const log = await person.begun({ recipient_address: freshAddress() });
  expect((await person.burn(log))[0]).toBe(200);
  const operation = await beginAndKill(log.log_id, 'mint', 'before');
  // As the repetition has read it, just before.
  const transfer = await found(log.log_id);
  const mintBy = (one: string) =>
    mint(deps, transfer, { operation: one, asked: { caller: transfer } });
  expect(await h.kernel.effects.drive(deps.mints, mintId(transfer))).toMatchObject({
    state: 'settled',
  });
  const { mint_tx_hash } = await found(log.log_id);
  expect(await mintBy(operation)).toMatchObject({ status: 'MINTED', mint_tx_hash });
  await expect(mintBy(randomUUID())).rejects.toThrow('Already minted');
});
