import { format } from '#kernel/money/money.ts';
import { fieldOf, textOf } from './answer.ts';
import type { Effect } from './books.ts';
import { Open, Refused } from './client.ts';
import { allOf, CARDS, type Of, type Scene, step, walletIn } from './play.ts';

type Flow = Of<'charge-back'>;

/** Of wallets without other movements, so that the amount of a charge-back is always there. */
export const DISPUTED = 'INR';

/** The wallet's initial balance, in payments of the flow's size. */
const FUNDS = 5n;
const card = () => ({ card_number: CARDS.good, expiry_date: '1239', currency_code: DISPUTED });
/** The refund came second. */
const TAKEN = ['ALREADY_RETURNED', 'ALREADY_REFUNDED'];

/**
 * Payments that the network takes back in full: one untouched, one refunded in part, one being refunded at that moment;
 * and one that it returns, which only a network can (not in mock mode).
 */
export async function playChargeBack(scene: Scene, flow: Flow): Promise<void> {
  await walletIn(scene, flow, DISPUTED);
  const one = BigInt(flow.cents);
  await pay(scene, flow, { name: 'reserve', cents: one * FUNDS, fate: 'kept' });
  const plain = await pay(scene, flow, { name: 'plain', cents: one, fate: 'charged' });
  await takeBack(scene, flow, plain);
  const refunded = await pay(scene, flow, { name: 'refunded', cents: one + 1n, fate: 'charged' });
  await refund(scene, flow, { ...refunded, units: one / 4n });
  await takeBack(scene, flow, refunded);
  const raced = await pay(scene, flow, { name: 'raced', cents: one + 2n, fate: 'charged' });
  await allOf([refund(scene, flow, { ...raced, units: one / 2n }), takeBack(scene, flow, raced)]);
  if (!scene.isLive) return;
  const won = await pay(scene, flow, { name: 'won', cents: one + 3n, fate: 'won' });
  await takeBack(scene, flow, won);
  await say(scene, won.identifier, 'CHARGEBACK_REVERSED');
}

interface Payment {
  readonly name: string;
  readonly cents: bigint;
  readonly fate: Extract<Effect, { kind: 'charge-in' }>['fate'];
}
type Paid = Payment & { readonly reference_id: string; readonly identifier: string };

async function pay(scene: Scene, flow: Flow, payment: Payment): Promise<Paid> {
  const { name, cents, fate } = payment;
  const paid = await scene.ask(
    step(scene, flow, `in-${name}`, {
      path: '/card-checkout/cardcc',
      body: { ...card(), amount: inr(cents) },
      effect: { kind: 'charge-in', user: flow.user, cents, fate },
    }),
  );
  return {
    ...payment,
    reference_id: textOf(paid, 'data.reference_id'),
    identifier: textOf(paid, 'data.transaction_identifier'),
  };
}

/** The network takes it back and calls back; in mock mode, without a network, a caller does. */
async function takeBack(scene: Scene, flow: Flow, { name, identifier }: Paid): Promise<void> {
  if (scene.isLive) return say(scene, identifier, 'CHARGEBACK');
  await scene.ask(
    step(scene, flow, `back-${name}`, {
      path: '/card-checkout/card/callback',
      body: { transactionIdentifier: identifier, status: 'CHARGEBACK' },
      effect: { kind: 'nothing' },
    }),
  );
}

/** Until the service has the notification. */
async function say(scene: Scene, identifier: string, status: string): Promise<void> {
  const path = `/cards/${identifier}/status`;
  const isHeard = (said: unknown) => fieldOf(said, 'delivered') === true;
  const said = await scene.onceElsewhere(path, { status }, isHeard);
  if (!isHeard(said)) throw new Open(`${path} was not delivered`);
}

const inr = (units: bigint) => format({ asset: DISPUTED, units });

/** A refusal ends the refund and not the flow. */
async function refund(
  scene: Scene,
  flow: Flow,
  { name, reference_id, units }: Paid & { readonly units: bigint },
): Promise<void> {
  const refunding = scene.ask(
    step(scene, flow, `refund-${name}`, {
      path: '/card-checkout/card/refund',
      body: { ...card(), amount: inr(units), reference_id },
      effect: { kind: 'charge-refund', user: flow.user, cents: units, reference_id },
      ...(name === 'raced' && { excuses: TAKEN, isRefusedAnew: true }),
    }),
  );
  await refunding.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}
