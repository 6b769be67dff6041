import { format } from '#kernel/money/money.ts';
import type { Operation } from './books.ts';
import { Refused } from './client.ts';
import { allOf, CARDS, type Of, type Scene, step, walletIn } from './play.ts';

/** Of wallets without other payments, so that a freeze refuses no other flow. */
export const SAVINGS = 'AUD';

/** The wallet's initial balance, in payments of the flow's size. */
const FUNDS = 10n;

/**
 * Money comes in; an admin freezes the wallet while a payment leaves it, which is made or refused; the next
 * payment is refused; money still comes in; and once the wallet is released, money leaves it again.
 */
export async function playFreeze(scene: Scene, flow: Of<'freeze'>): Promise<void> {
  const wallet_id = await walletIn(scene, flow, SAVINGS);
  const one = BigInt(flow.cents);
  await payIn(scene, flow, { name: 'first', cents: one * FUNDS });
  const frozen = { name: 'freeze', what: 'stopped', wallet_id } as const;
  const between = { name: 'between', cents: one, rest: { excuses: [FROZEN] } };
  await allOf([turn(scene, flow, frozen), payOut(scene, flow, between)]);
  await payOut(scene, flow, { name: 'frozen', cents: one, rest: { refusal: FROZEN } });
  await payIn(scene, flow, { name: 'second', cents: one * 2n });
  await turn(scene, flow, { name: 'unfreeze', what: 'let_in', wallet_id });
  await payOut(scene, flow, { name: 'last', cents: one * 3n });
}

const FROZEN = 'WALLET_FROZEN';

interface Turning {
  readonly name: 'freeze' | 'unfreeze';
  readonly what: 'stopped' | 'let_in';
  readonly wallet_id: number;
}

async function turn(scene: Scene, flow: Of<'freeze'>, turning: Turning): Promise<void> {
  const { name, what, wallet_id } = turning;
  await scene.ask(
    step(scene, flow, name, {
      path: `/wallets/fiat/${wallet_id}/${name}`,
      token: scene.admin,
      body: { reason: flow.name },
      effect: { kind: 'freeze', user: flow.user, what },
    }),
  );
}

interface Payment {
  readonly name: string;
  readonly cents: bigint;
  readonly rest?: Pick<Operation, 'excuses' | 'refusal'>;
}

const sgd = (cents: bigint) => format({ asset: SAVINGS, units: cents });

async function payIn(scene: Scene, flow: Of<'freeze'>, { name, cents }: Payment): Promise<void> {
  await scene.ask(
    step(scene, flow, `in-${name}`, {
      path: '/card-checkout/cardcc',
      body: {
        card_number: CARDS.good,
        expiry_date: '1239',
        currency_code: SAVINGS,
        amount: sgd(cents),
      },
      effect: { kind: 'savings-in', user: flow.user, cents },
    }),
  );
}

/** A refusal ends the payment and not the flow. */
async function payOut(scene: Scene, flow: Of<'freeze'>, payment: Payment): Promise<void> {
  const { name, cents, rest } = payment;
  const paid = scene.ask(
    step(scene, flow, `out-${name}`, {
      path: '/card-checkout/card/manual_refund',
      body: {
        card_number: CARDS.good,
        recipient_name: 'Ann Other',
        currency_code: SAVINGS,
        amount: sgd(cents),
      },
      effect: { kind: 'savings-out', user: flow.user, cents },
      ...rest,
    }),
  );
  await paid.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}
