// Long: another process takes over at every step.

import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { ChainError, type EvmNetwork } from '#chains/evm/port.ts';
import { walletSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import { mover, someHash, usdcOf } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { gate } from '#test/waiting.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';
import { burn } from './burn/effect.ts';
import { crosschainDeps } from './crosschain.ts';

// A repeated Idempotency-Key carries on the operation of an attempt that may still run elsewhere.
const h = await harness({ mock: false });
const { evm } = h.app;
const signerOf = walletSigners(h.db, h.kernel.vault);
const depsOn = (network: EvmNetwork) =>
  crosschainDeps({
    ...h.kernel,
    evm: network,
    cctp: cctp({ url: () => '', chains: {}, relayer: () => evm.keys.relayer.address }),
    signersOf: async () => [],
  });

type Sending = (typeof evm.chains.sepolia)['sender'];

/** Sepolia as it is, but for what its sender does first, or instead. */
function sepoliaWith(change: (sender: Sending) => Partial<Sending>): EvmNetwork {
  const { sepolia } = evm.chains;
  const sender = { ...sepolia.sender, ...change(sepolia.sender) };
  return { ...evm, chains: { ...evm.chains, sepolia: { ...sepolia, sender } } };
}

/** Where what burns waits before it is priced, or before it is signed. */
const waiting = (where: 'choosing' | 'signing', pass: () => Promise<void>): EvmNetwork =>
  sepoliaWith(({ quote, send }) =>
    where === 'choosing'
      ? { quote: (call) => pass().then(() => quote(call)) }
      : { send: (request) => pass().then(() => send(request)) },
  );

const gone = () => Promise.reject(new ChainError('unreachable', 'The node is away'));

async function begun() {
  const as = await h.user();
  const person = mover(h, as);
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = (wallet?.wallet_address ?? '') as Address;
  await fund(h, 'sepolia', address, 'native', '1');
  await fund(h, 'sepolia', address, 'USDC', '10.1');
  const log = await person.begun();
  const operation = randomUUID();
  const signer = await signerOf(address);
  const attempt = (network: EvmNetwork, payers = signer ? [signer] : []) =>
    burn(depsOn(network), {
      log_id: log.log_id,
      operation,
      mode: 'backend',
      payers,
      asked: { caller: as },
    });
  const held = () => heldOf(h, address);
  return { person, log, address, attempt, held };
}

it.each(['choosing', 'signing'] as const)(
  'a burn that another attempt has given up is not sent by one that was %s',
  async (where) => {
    const { person, log, address, attempt, held } = await begun();
    const before = gate();
    const slow = attempt(waiting(where, before.pass));
    await before.reached;
    const poor = { code: 'INSUFFICIENT_FUNDS' };
    await expect(attempt(evm, [])).rejects.toMatchObject(poor);
    expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
    before.open();
    // The request that both are attempts of is told the same twice.
    await expect(slow).rejects.toMatchObject(poor);
    expect(await usdcOf(h, 'sepolia', address)).toBe(10_100_000n);
    expect(await held()).toEqual([]);
  },
);

it('an attempt that fails gives nothing up that another one has taken over', async () => {
  const { person, log, address, attempt, held } = await begun();
  const [first, second] = [gate(), gate()];
  const failing = attempt(
    waiting('choosing', async () => {
      await first.pass();
      throw new ChainError('refused', 'not today');
    }),
  );
  await first.reached;
  const burning = attempt(waiting('signing', second.pass));
  await second.reached;
  first.open();
  await expect(failing).rejects.toMatchObject({ code: 'NOT_READY' });
  expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(503);
  expect(await held()).toHaveLength(2);
  second.open();
  expect((await burning).status).toBe('BURNED');
  await h.drain();
  expect(await usdcOf(h, 'sepolia', address)).toBe(0n);
  expect(await held()).toEqual([]);
});

it('whichever attempt writes a burn down, both are told', async () => {
  const { attempt } = await begun();
  const results = await Promise.allSettled([attempt(evm), attempt(evm), attempt(evm)]);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'NOT_READY' });
    else expect(result.value.status).toBe('BURNED');
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
});

it('a burn whose chain cannot be asked is none, and is told so', async () => {
  const { person, log, attempt, held } = await begun();
  await expect(attempt(sepoliaWith(() => ({ quote: gone })))).rejects.toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
    retryAfter: 5,
  });
  expect(await held()).toEqual([]);
  expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
});

it('a burn that was sent and not answered is found at once', async () => {
  const { attempt, address } = await begun();
  const lost = sepoliaWith(({ send }) => ({ send: (request) => send(request).then(gone) }));
  expect((await attempt(lost)).status).toBe('BURNED');
  expect(await usdcOf(h, 'sepolia', address)).toBe(100_000n);
});

it('while nobody knows whether it was sent, nobody calls it off, and whoever asks finds out', async () => {
  const { person, log, attempt, address, held } = await begun();
  await expect(attempt(sepoliaWith(() => ({ send: gone })))).rejects.toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
  });
  expect(await held()).toHaveLength(2);
  expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(503);
  // Another request sets it free, and burns it then.
  expect((await person.burn(log))[0]).toBe(200);
  await expect(attempt(evm)).rejects.toThrow('Burn already executed');
  expect(await usdcOf(h, 'sepolia', address)).toBe(100_000n);
});
