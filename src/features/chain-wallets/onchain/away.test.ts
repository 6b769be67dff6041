import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ChainError, type EvmChain } from '#chains/evm/port.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import { harness } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { gate } from '#test/waiting.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { createSends } from './sends.ts';

const h = await harness();
await h.drain();
const { evm } = h.app;
const fx = exchangeRates({ url: () => `${h.app.sandboxUrl()}/fx`, clock: h.clock });
const gone = () => Promise.reject(new ChainError('unreachable', 'gone'));

/** The chains as they are, but one. */
const withChain = (key: 'amoy' | 'sepolia', some: Partial<EvmChain>) => ({
  ...evm,
  chains: { ...evm.chains, [key]: { ...evm.chains[key], ...some } },
});

/** Written down by somebody who did not come to sign it. */
async function leave(chain_id: 'amoy' | 'sepolia', token_symbol: 'POL' | 'ETH'): Promise<string> {
  const as = await h.user();
  const [address] = await walletOn(h, as, chain_id);
  const { wallet_address } = address ?? { wallet_address: '' };
  await fund(h, chain_id, wallet_address, 'native', '2');
  const there = gate();
  const { sender } = evm.chains[chain_id];
  const hanging: typeof sender = {
    ...sender,
    async execute(outgoing) {
      await there.pass();
      return sender.execute(outgoing);
    },
  };
  const operation = randomUUID();
  void createSends({ ...h.kernel, evm: withChain(chain_id, { sender: hanging }), fx }).send(
    as.user_id,
    operation,
    {
      wallet_address,
      chain_id,
      token_symbol,
      token_contract: 'native',
      amount: '0.5',
      to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
  );
  // Were time moved on before it hangs there, it would say that it is too late to sign.
  await there.reached;
  expect(await statusOf(operation)).toBe('PENDING');
  return operation;
}

const statusOf = async (operation: string) =>
  (
    await h.db
      .selectFrom('onchain_sends')
      .select('status')
      .where('operation', '=', operation)
      .executeTakeFirst()
  )?.status;

/** A process of the service that sees the chains like that; answers what runs all that is due there. */
async function worker(network: typeof evm) {
  const jobs = createJobs({ ...h.kernel });
  const effects = createEffects({ ...h.kernel, jobs });
  const sends = createSends({ ...h.kernel, effects, evm: network, fx });
  effects.register(sends.effects);
  jobs.register([], sends.schedules);
  return jobs;
}

test('a chain that is away is asked once in a round, and keeps no other waiting', async () => {
  const away = [await leave('amoy', 'POL'), await leave('amoy', 'POL')];
  const other = await leave('sepolia', 'ETH');
  await h.advance(180);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return gone();
  };
  const sender = { ...evm.chains.amoy.sender, execute: ask };
  const elsewhere = await worker(withChain('amoy', { monitorOpen: ask, client: ask, sender }));
  await elsewhere.drain();
  await elsewhere.stop();
  expect(asked).toBe(1);
  expect(await Promise.all(away.map(statusOf))).toEqual(['PENDING', 'PENDING']);
  expect(await statusOf(other)).toBe('CONFIRMED');
  await h.advance(600);
  const confirmed = ['CONFIRMED', 'CONFIRMED'];
  await until(h, async () => `${await Promise.all(away.map(statusOf))}` === `${confirmed}`);
  expect(await Promise.all(away.map(statusOf))).toEqual(confirmed);
});
