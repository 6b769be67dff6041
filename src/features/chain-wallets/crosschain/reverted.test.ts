import { expect, it } from 'vitest';
import type { EvmChain } from '#chains/evm/port.ts';
import { freshAddress, mover, usdcOf } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';

const h = await harness({ mock: false });
const { chains, keys } = h.app.evm;
const { deployer } = keys;

/** While it does, blocks are made only when it says so. */
async function holdingBlocks<T>(chain: EvmChain, work: () => Promise<T>): Promise<T> {
  const client = await chain.client();
  const automine = (on: boolean) =>
    client.request({ method: 'evm_setAutomine', params: [on] } as never);
  await automine(false);
  try {
    return await work();
  } finally {
    await client.request({ method: 'evm_mine', params: [] } as never);
    await automine(true);
  }
}

async function waiting(like: string, count: number): Promise<void> {
  const rows = h.db
    .selectFrom('chain_transactions')
    .select('status')
    .where('reference', 'like', like)
    .where('status', '=', 'PENDING');
  await expect.poll(() => rows.execute()).toHaveLength(count);
}

const journal = async (like: string) =>
  (
    await h.db
      .selectFrom('chain_transactions')
      .select(['reference', 'status'])
      .where('reference', 'like', like)
      .orderBy('transaction_id')
      .execute()
  ).map(({ reference, status }) => [reference, status]);

const paused = (chain: EvmChain, isPaused: boolean, name: string) => ({
  signer: deployer,
  to: chain.contracts.bridge,
  data: isPaused ? ('0x8456cb59' as const) : ('0x3f4ba83a' as const),
  reference: `${isPaused ? 'pause' : 'unpause'}:${name}`,
  purpose: 'pause',
  // Blocks begin with whoever pays most.
  gasPricePoints: 100_000n,
});

async function walletOwner(usdc: string) {
  const as = await h.user();
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = wallet?.wallet_address ?? '';
  await fund(h, 'sepolia', address, 'native', '1');
  await fund(h, 'sepolia', address, 'USDC', usdc);
  return { ...mover(h, as), address };
}

const held = (wallet_address: string) => heldOf(h, wallet_address);

it('a burn that the chain undoes is none: the transfer is free, and its next try another one', async () => {
  const person = await walletOwner('50');
  const log = await person.begun();
  const answer = await holdingBlocks(chains.sepolia, async () => {
    const burn = person.burn(log);
    await waiting(`burn:${log.nonce}%`, 1);
    await chains.sepolia.sender.send(paused(chains.sepolia, true, log.nonce));
    return { burn };
  });
  expect(await answer.burn).toMatchObject([
    400,
    { code: 'PROVIDER_REJECTED', error: 'The burn was reverted on chain' },
  ]);
  expect((await person.details(log))[1].data.transaction.status).toBe('INITIATED');
  expect(await held(person.address)).toEqual([]);
  expect(await person.burn(log)).toMatchObject([400, { code: 'PROVIDER_REJECTED' }]);
  await chains.sepolia.sender.execute(paused(chains.sepolia, false, log.nonce));
  expect((await person.burn(log))[0]).toBe(200);
  expect(await journal(`burn:${log.nonce}%`)).toEqual([
    [`burn:${log.nonce}`, 'REVERTED'],
    [`burn:${log.nonce}:2`, 'CONFIRMED'],
  ]);
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(40_000_000n);
});

it('a mint that the chain undoes is none, and a later one mints once', async () => {
  const person = await walletOwner('50');
  const recipient_address = freshAddress();
  const log = await person.begun({ recipient_address });
  expect((await person.burn(log))[0]).toBe(200);
  const answer = await holdingBlocks(chains.amoy, async () => {
    const mint = person.mint(log);
    await waiting(`mint:${log.nonce}%`, 1);
    await chains.amoy.sender.send(paused(chains.amoy, true, log.nonce));
    return { mint };
  });
  expect(await answer.mint).toMatchObject([503, { code: 'NOT_READY' }]);
  expect((await person.mint(log))[0]).toBe(503);
  await chains.amoy.sender.execute(paused(chains.amoy, false, log.nonce));
  const mints = await Promise.all(Array.from({ length: 10 }, () => person.mint(log)));
  expect(mints.filter(([status]) => status === 200)).toHaveLength(1);
  expect(await journal(`mint:${log.nonce}%`)).toEqual([
    [`mint:${log.nonce}`, 'REVERTED'],
    [`mint:${log.nonce}:2`, 'CONFIRMED'],
  ]);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
});

it('money for one burn, asked for two at once, pays one', async () => {
  const person = await walletOwner('15');
  const logs = [await person.begun(), await person.begun()];
  const answers = await Promise.all(logs.map((log) => person.burn(log)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, 400]);
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(5_000_000n);
  await fund(h, 'sepolia', person.address, 'USDC', '6');
  const refused = logs[answers.findIndex(([status]) => status === 400)];
  expect((await person.burn(refused))[0]).toBe(200);
});
