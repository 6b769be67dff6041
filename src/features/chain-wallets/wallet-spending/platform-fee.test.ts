import { randomUUID } from 'node:crypto';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { transferCall } from '#chains/evm/contracts/port.ts';
import { ChainError, type EvmNetwork, keySigner } from '#chains/evm/port.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';
import {
  createPlatformFee,
  type Fee,
  type FeeEnd,
  type FeeOwner,
  holdSpending,
} from './wallet-spending.ts';

const h = await harness();
const { evm } = h.app;
const { amoy } = evm.chains;
const { usdc } = amoy.contracts;
const treasury = evm.keys.treasury.address;

// A feature with fees: what it is owed, and what it was told of that.
const owed = new Map<string, Fee>();
const told: { id: string; end: FeeEnd }[] = [];
const owner: FeeOwner = {
  name: 'test',
  async find(_db, id) {
    const one = owed.get(id);
    return one && { ...one, isDue: !told.some((end) => end.id === id) };
  },
  ended: async (_tx, id, _fee, end) => void told.push({ id, end }),
};
const endsOf = (id: string) => told.filter((one) => one.id === id).map(({ end }) => end.status);

const jobs = createJobs(h.kernel);
const effects = createEffects({ ...h.kernel, jobs });
const feeOn = (network: EvmNetwork) => createPlatformFee({ ...h.kernel, evm: network }, owner);
const fee = feeOn(evm);
effects.register([fee]);
afterAll(() => jobs.stop());

/** What a fee of a tenth of a USDC is owed for: a transaction that has happened. */
async function due({ tokens = '1', paidFor = 'happened' }: { tokens?: string; paidFor?: string }) {
  const as = await h.user();
  const [made] = await walletOn(h, as, 'amoy');
  const address = (made?.wallet_address ?? '') as Address;
  await fund(h, 'amoy', address, 'native', '1');
  if (tokens !== '0') await fund(h, 'amoy', address, 'USDC', tokens);
  const id = randomUUID();
  const row: Fee = {
    reference: `test-fee:${id}`,
    paidFor: `test:${id}`,
    purpose: 'test',
    chain_id: 'amoy',
    wallet_address: address,
    token_contract: usdc,
    units: 100_000n,
    treasury,
  };
  owed.set(id, row);
  const signer = evm.keys.faucet;
  const main = { signer, reference: row.paidFor, purpose: 'test' };
  if (paidFor === 'happened') await amoy.sender.execute({ ...main, to: address, value: 1n });
  if (paidFor === 'undone') {
    // More than there is, which nobody has simulated.
    const quote = { gas: 100_000n, gasPrice: 10n ** 10n, maxGasFee: 10n ** 15n };
    const call = transferCall(usdc, address, parseEther('1'));
    await amoy.sender.execute({ ...main, ...call, quote }).catch(() => undefined);
  }
  const holds = [{ reference: row.reference, token_contract: usdc, units: 100_000n, gas: 1n }];
  if (tokens !== '0')
    await holdSpending({ db: h.db, chain: amoy, address }, holds, async () => true);
  await transact(h.db, (tx) => effects.begin(tx, fee, id, { left: {} }));
  return { id, row, address, held: () => heldOf(h, address) };
}

test('however many ask for a fee at once, it is taken once', async () => {
  const { id, row, held } = await due({});
  await Promise.all([jobs.drain(), ...Array.from({ length: 5 }, () => effects.drive(fee, id))]);
  await jobs.drain();
  const paid = await amoy.sender.find(row.reference);
  expect(paid).toMatchObject({ status: 'CONFIRMED', is_final: true });
  expect(told.filter((one) => one.id === id)).toEqual([
    { id, end: { status: 'PAID', hash: paid?.hash } },
  ]);
  expect(await held()).toEqual([]);
  // What has ended is left alone, and can be told still.
  expect(await fee.open(h.db, id)).toBeUndefined();
  expect(await fee.find?.(h.db, id)).toMatchObject(row);
});

test('nothing is taken for what has not happened yet', async () => {
  const { id, row, address, held } = await due({ paidFor: 'on its way' });
  expect(await effects.drive(fee, id)).toMatchObject({ state: 'open' });
  expect(await amoy.sender.find(row.reference)).toBeUndefined();
  expect(await held()).toHaveLength(1);
  const { faucet: signer } = evm.keys;
  const main = { signer, reference: row.paidFor, purpose: 'test' };
  await amoy.sender.execute({ ...main, to: address, value: 1n });
  expect(await effects.drive(fee, id)).toMatchObject({ state: 'settled' });
});

test('nothing is taken for what never will have happened', async () => {
  const { id, row, held } = await due({ paidFor: 'undone' });
  expect(await amoy.sender.find(row.paidFor)).toMatchObject({ status: 'REVERTED' });
  expect(await effects.drive(fee, id)).toMatchObject({ state: 'refused' });
  expect(endsOf(id)).toEqual(['UNPAID']);
  expect(await held()).toEqual([]);
});

test('a fee that is owed no more is left alone', async () => {
  const { id, row } = await due({});
  owed.delete(id);
  await jobs.drain();
  expect((await effects.find(h.db, fee.kind, id))?.state).toBe('REFUSED');
  expect([endsOf(id), await amoy.sender.find(row.reference)]).toEqual([[], undefined]);
});

test('a fee that somebody has signed is not written off, whatever another attempt was told', async () => {
  const { id, row, held } = await due({});
  const { sender } = amoy;
  const away: EvmNetwork = {
    ...evm,
    chains: {
      ...evm.chains,
      amoy: {
        ...amoy,
        sender: {
          ...sender,
          async execute(request) {
            await sender.execute(request);
            throw new ChainError('refused', 'It said no');
          },
          find: async (reference) =>
            reference === row.reference ? undefined : sender.find(reference),
        },
      },
    },
  };
  await h.advance(25 * 3600);
  expect(await effects.drive(feeOn(away), id)).toMatchObject({ state: 'open' });
  expect([endsOf(id), (await held()).length]).toEqual([[], 1]);
  expect(await effects.drive(fee, id)).toMatchObject({ state: 'settled' });
  expect(endsOf(id)).toEqual(['PAID']);
});

test('a key that is not kept pays at once, or never', async () => {
  const signer = keySigner(generatePrivateKey());
  const from = signer.address;
  await fund(h, 'amoy', from, 'native', '1');
  const begin = async () => {
    const { id, row } = await due({ tokens: '0', paidFor: 'on its way' });
    owed.set(id, { ...row, wallet_address: from });
    return id;
  };
  const short = await begin();
  expect(await effects.drive(fee, short, { secret: signer })).toMatchObject({ state: 'refused' });
  expect(endsOf(short)).toEqual(['UNPAID']);

  await fund(h, 'amoy', from, 'USDC', '0.1');
  const paid = await begin();
  expect(await effects.drive(fee, paid, { secret: signer })).toMatchObject({ state: 'settled' });
  // What the request did not come to do nobody else can.
  const left = await begin();
  await jobs.drain();
  expect([endsOf(paid), endsOf(left)]).toEqual([['PAID'], ['UNPAID']]);
});
