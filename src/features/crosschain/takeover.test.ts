import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import { expect, it } from 'vitest';
import type { EvmNetwork, Signer } from '#chains/evm/port.ts';
import { walletSigners } from '#features/crypto-wallets/crypto-wallets.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import { mover, someHash, usdcOf } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { gate } from '#test/waiting.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';
import { burn } from './burn.ts';
import { crosschainDeps } from './crosschain.ts';

// A repeated Idempotency-Key carries on the operation of an attempt that may still run elsewhere.
const h = await harness({ mock: false });
const { evm } = h.app;
const signerOf = walletSigners(h.db, h.kernel.vault);
const depsOn = (network: EvmNetwork) =>
  crosschainDeps({
    ...h.kernel,
    evm: network,
    cctp: cctp({ url: () => '', chains: {}, relayer: evm.keys.relayer.address }),
    signersOf: async () => [],
  });

/** Sepolia as it is, where what burns waits before it is signed. */
function waiting(pass: () => Promise<void>): EvmNetwork {
  const { sepolia } = evm.chains;
  const { sender } = sepolia;
  const send: typeof sender.send = async (request) => {
    await pass();
    return sender.send(request);
  };
  return {
    ...evm,
    chains: { ...evm.chains, sepolia: { ...sepolia, sender: { ...sender, send } } },
  };
}

async function begun() {
  const as = await h.user();
  const person = mover(h, as);
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = (wallet?.wallet_address ?? '') as Address;
  await fund(h, 'sepolia', address, 'native', '1');
  await fund(h, 'sepolia', address, 'USDC', '10.1');
  const log = await person.begun();
  const operation = randomUUID();
  const own = async (): Promise<Signer[]> => {
    const signer = await signerOf(address);
    return signer ? [signer] : [];
  };
  const attempt = (network: EvmNetwork, payers = own) =>
    burn(depsOn(network), { log_id: log.log_id, operation, mode: 'backend', payers });
  const held = () => heldOf(h, address);
  return { person, log, address, own, attempt, held };
}

it.each(['choosing', 'signing'] as const)(
  'a burn that another attempt has given up is not sent by one that was %s',
  async (where) => {
    const { person, log, address, own, attempt, held } = await begun();
    const before = gate();
    const slow =
      where === 'signing'
        ? attempt(waiting(before.pass))
        : attempt(evm, async () => {
            await before.pass();
            return own();
          });
    await before.reached;
    await expect(attempt(evm, () => Promise.reject(new Error('no wallets')))).rejects.toThrow();
    expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
    before.open();
    await expect(slow).rejects.toMatchObject({ code: 'NOT_READY' });
    expect(await usdcOf(h, 'sepolia', address)).toBe(10_100_000n);
    expect(await held()).toEqual([]);
  },
);

it('an attempt that fails gives nothing up that another one has taken over', async () => {
  const { person, log, address, attempt, held } = await begun();
  const [first, second] = [gate(), gate()];
  const failing = attempt(evm, async () => {
    await first.pass();
    throw new Error('no wallets');
  });
  await first.reached;
  const burning = attempt(waiting(second.pass));
  await second.reached;
  first.open();
  await expect(failing).rejects.toThrow('no wallets');
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
