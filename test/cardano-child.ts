/** A process of its own for the crash tests of the ramps: begins one, and hangs at the given point. */

import type { CardPulls } from '#features/fiat/cards/cards.ts';
import { createCardMoney } from '#features/fiat/cards/cards.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import type { CardanoOrderInput } from '#features/ramps/cardano/begin.ts';
import { fromCard, fromWallet } from '#features/ramps/cardano/execute.ts';
import { rampMachines } from '#features/ramps/cardano/machine.ts';
import { cardanoBankFlow } from '#features/ramps/cardano/payout.ts';
import { payoutAccountOf } from '#features/ramps/idr-token/idr-token.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { createKernel, type KernelSecrets } from '#kernel/kernel.ts';
import { createLog } from '#kernel/log.ts';
import { sandboxDoor } from '#sandbox/door.ts';
import { openChains } from '#src/app/chains.ts';
import { createProviders } from '#src/app/providers.ts';

export interface RampOrders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly secrets: KernelSecrets;
  readonly settings: Readonly<Record<string, string>>;
  readonly aheadMs: number;
  readonly wish: Omit<CardanoOrderInput, 'request'>;
  readonly cardNumber: string;
  /** Before the other side gets that step, or after it has done it. */
  readonly hangs: `${'pull' | 'mint' | 'burn' | 'payout'}-${'before' | 'after'}`;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as RampOrders;
const { databaseUrl, secrets, wish } = orders;
const config = loadConfig(orders.settings);
const [clock, log] = [createClock(orders.aheadMs), createLog('silent')];
const kernel = await createKernel({ config, secrets, databaseUrl, clock, log });
const sandbox = () => orders.sandboxUrl;
const chains = openChains(kernel, secrets.EVM_MNEMONIC, {
  url: sandbox,
  sandbox: sandboxDoor.chains,
  otherContracts: [],
});
const chain = chains.cardano;
const places = { url: sandbox, smtpUrl: () => '', mockMode: sandboxDoor.mockMode };
const real = createProviders(kernel, places, chains);

async function at<T>(step: string, call: () => Promise<T>): Promise<T> {
  if (orders.hangs === `${step}-before`) await hang();
  const answer = await call();
  if (orders.hangs === `${step}-after`) await hang();
  return answer;
}

async function hang(): Promise<never> {
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  return new Promise(() => undefined);
}

const money = createCardMoney({
  ...kernel,
  attempts: createAttempts(kernel),
  fx: real.fx,
  network: real.cards,
});
const cards: CardPulls = {
  ...money.pulls,
  pull: (request) => at('pull', () => money.pulls.pull(request)),
};
const payouts = createPayouts({
  ...kernel,
  gateway: {
    ...real.gateway,
    createPayout: (request) => at('payout', () => real.gateway.createPayout(request)),
  },
});
const deps = {
  ...kernel,
  fx: real.fx,
  cards,
  payouts,
  payoutAccountOf,
  cardano: {
    ...real.cardano,
    send: (order: Parameters<typeof chain.send>[0]) =>
      at(order.kind, () => real.cardano.send(order)),
  },
};
const machines = rampMachines(deps, cardanoBankFlow(deps.sagas));
kernel.effects.register([money.transactions.effect]);
kernel.sagas.register([machines.fromCard, machines.fromWallet]);
const request = { id: 'child', ip: '127.0.0.1', userAgent: '', headers: {}, raw: Buffer.alloc(0) };
if (wish.source === 'CARD')
  await fromCard({ ...deps, machines }, { ...wish, request }, { cardNumber: orders.cardNumber });
else await fromWallet({ ...deps, machines }, { ...wish, request });
await hang();
