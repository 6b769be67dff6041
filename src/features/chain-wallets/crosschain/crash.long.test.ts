// Long: a process dies at every step.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EvmChain, EvmNetwork } from '#chains/evm/port.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import { freshAddress, mover, someHash, usdcOf } from '#test/crosschain.ts';
import { harness, type Person } from '#test/harness.ts';
import { gate } from '#test/waiting.ts';
import { burn } from './burn/effect.ts';
import { crosschainDeps } from './crosschain.ts';
import type { CrosschainDeps } from './deps.ts';
import { mint } from './mint/effect.ts';
import { findCrosschainTransfer } from './read-store.ts';
import { mintId } from './store.ts';

/**
 * What transfers promise where a process dies in the middle of a burn or mint: their status, who may end
 * them, the tokens. The death is a call that never comes back, which leaves the same behind; that nothing
 * more is needed of a dead process is shown by the crash matrix of the effects.
 */
const h = await harness();
await h.drain();
const { evm } = h.app;

const depsOn = (network: EvmNetwork) =>
  crosschainDeps({
    ...h.kernel,
    evm: network,
    cctp: cctp({ url: () => '', chains: {}, relayer: () => evm.keys.relayer.address }),
    signersOf: async () => [],
  });
const deps = depsOn(evm);

type Step = 'burn' | 'mint';
/** Before anything is sent, or after it was sent. */
type Death = 'before' | 'sent';

/** Begins it, and lets it stay for ever where it says. */
async function beginAndDie(log_id: string, step: Step, dies: Death): Promise<string> {
  const there = gate();
  const hanging = (chain: EvmChain): EvmChain => ({
    ...chain,
    sender: {
      ...chain.sender,
      async send(outgoing) {
        if (dies === 'before') await there.pass();
        const row = await chain.sender.send(outgoing);
        await there.pass();
        return row;
      },
    },
  });
  const { chains } = evm;
  const sepolia = hanging(chains.sepolia);
  const amoy = hanging(chains.amoy);
  const operation = randomUUID();
  void start(depsOn({ ...evm, chains: { ...chains, sepolia, amoy } }), log_id, step, operation);
  await there.reached;
  return operation;
}

async function start(deps: CrosschainDeps, log_id: string, step: Step, operation: string) {
  const transfer = await found(log_id);
  const order = { operation, asked: { caller: transfer } };
  if (step === 'mint') return mint(deps, transfer, order);
  return burn(deps, { ...order, log_id, mode: 'backend', payers: [] });
}

async function found(log_id: string) {
  const transfer = await findCrosschainTransfer(h.db, { log_id });
  if (transfer === undefined) throw new Error('No transfer');
  return transfer;
}

/** What the same request does when it is repeated after that; answers the status. */
const repeat = async (log_id: string, step: Step, operation: string) =>
  (await start(deps, log_id, step, operation)).status;

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

it.each(['before', 'sent'] as const)(
  'a burn whose process dies (%s) happens once, with or without a repetition',
  async (dies) => {
    const person = await again(await h.user());
    const recipient_address = freshAddress();
    const [left, repeated] = [
      await person.begun({ recipient_address }),
      await person.begun({ recipient_address }),
    ];
    const [, operation] = await Promise.all([
      beginAndDie(left.log_id, 'burn', dies),
      beginAndDie(repeated.log_id, 'burn', dies),
    ]);
    // It may have been sent, so that meanwhile no caller may say how it ended.
    for (const status of ['FAILED', 'BURNED'])
      expect((await person.confirm(left, status, someHash()))[0]).toBe(503);
    // The repeated request goes on at once, wherever the first one was.
    expect(await repeat(repeated.log_id, 'burn', operation)).toBe('BURNED');
    expect((await person.burn(repeated))[0]).toBe(400);
    await later();

    const wasSent = dies === 'sent';
    expect(await statusOf(person, left)).toBe(wasSent ? 'BURNED' : 'INITIATED');
    if (!wasSent) expect((await person.burn(left))[0]).toBe(200);
    for (const log of [left, repeated]) {
      expect(await mined(`burn:${log.nonce}`)).toEqual(['CONFIRMED']);
      expect((await person.mint(log))[0]).toBe(200);
    }
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);
  },
);

it.each(['before', 'sent'] as const)(
  'a mint whose process dies (%s) happens once, with or without a repetition',
  async (dies) => {
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
      logs.map(({ log_id }) => beginAndDie(log_id, 'mint', dies)),
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
  const operation = await beginAndDie(log.log_id, 'mint', 'before');
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
