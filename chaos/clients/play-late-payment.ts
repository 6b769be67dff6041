import { setTimeout as pause } from 'node:timers/promises';
import { type Flow as AnyFlow, addressOf } from '../plan/workload.ts';
import { listOf, numberOf, textOf } from './answer.ts';
import { Open, Refused } from './client.ts';
import type { LateAct } from './extra-effects.ts';
import { type Of, type Scene, step } from './play.ts';

type Flow = Of<'late-payment'>;

/** The rupiah paid too much or too little. */
const OFF = 4_000;
const ASSIGNS = 40;
const ASSIGN_MS = 250;
const LOOKS = 8;
const LOOK_MS = 400;

/** The final number of tokens: fewer, by agreement, if too little was paid. */
export const mintedOf = ({ how, rupiah }: Pick<Flow, 'how' | 'rupiah'>): number =>
  how === 'under' ? rupiah - OFF : rupiah;

/** The receiver of the tokens, unique in the run. */
const receiverOf = (seed: number, { name }: Pick<AnyFlow, 'name'>) => addressOf(`${seed} ${name}`);

/**
 * Tokens are bought, and paid too late, with another sum, or twice; in mock mode, where a purchase is paid by itself,
 * always twice. The operator then settles each unmatched payment.
 */
export async function playLatePayment(scene: Scene, flow: Flow): Promise<void> {
  const { user, rupiah } = flow;
  const how = scene.isLive ? flow.how : 'twice';
  const to = receiverOf(scene.seed, flow);
  const begun = await scene.ask(
    step(scene, flow, 'buy', {
      path: '/idrtoken/onramp/initiate',
      body: { amount: rupiah, paymentMethod: 'QRIS', walletAddress: to },
      effect: { kind: 'late-payment', user, rupiah, to, how },
    }),
  );
  const reference = textOf(begun, 'data.referenceId');
  await payWrongly(scene, { reference, price: numberOf(begun, 'data.totalAmount'), how });
  await decide(scene, flow, { reference, how });
}

interface Wrong {
  readonly reference: string;
  readonly price: number;
  readonly how: Flow['how'];
}

/** A payer with a lost answer pays again: that is another payment. */
async function payWrongly(scene: Scene, { reference, price, how }: Wrong): Promise<void> {
  const path = `/gateway/payments/${reference}`;
  if (how === 'late') await scene.onceElsewhere(`${path}/expire`);
  if (how === 'twice') await scene.onceElsewhere(`${path}/pay`);
  const amount = price + (how === 'over' ? OFF : how === 'under' ? -OFF : 0);
  await scene.onceElsewhere(`${path}/pay`, { amount });
}

/** The action on the first payment of a purchase, so that no purchase waits for a day; the others are refunded. */
function endOf({ how, rupiah }: Flow): LateAct {
  if (how === 'twice') return rupiah % 2 === 0 ? 'refund' : 'mark-refunded';
  return how === 'late' && rupiah % 8 > 0 ? 'refund' : 'assign';
}

/** Polls the desk until it lists payments, and settles all of them. Open actions are repeated first. */
async function decide(scene: Scene, flow: Flow, of: Omit<Wrong, 'price'>): Promise<void> {
  const [operator] = scene.correctors;
  const plan = scene.desk.get(of.reference) ?? new Map<number, LateAct>();
  scene.desk.set(of.reference, plan);
  for (const [payment_id, act] of plan) await end(scene, flow, { ...of, payment_id, act });
  for (let looks = LOOKS; looks > 0; looks -= 1) {
    const page = await scene.look('/idrtoken/payments?limit=200', operator.token);
    const owed = listOf(page, 'data')
      .filter((one) => textOf(one, 'reference_id') === of.reference)
      .map((one) => numberOf(one, 'payment_id'))
      .sort((a, b) => a - b);
    for (const payment_id of owed) {
      const act = plan.size === 0 ? endOf({ ...flow, how: of.how }) : 'refund';
      if (!plan.has(payment_id)) plan.set(payment_id, act);
      await end(scene, flow, { ...of, payment_id, act: plan.get(payment_id) ?? act });
    }
    if (plan.size > 0) return;
    await pause(LOOK_MS);
  }
  throw new Open(`nothing is on the desk for ${of.reference}`);
}

interface Ending extends Omit<Wrong, 'price'> {
  readonly payment_id: number;
  readonly act: LateAct;
}

/** The excess over the price is refunded. */
async function end(scene: Scene, flow: Flow, ending: Ending): Promise<void> {
  if (ending.act !== 'assign') return act(scene, flow, ending);
  await assign(scene, flow, ending);
  if (ending.how === 'over') await act(scene, flow, { ...ending, act: 'refund' });
}

/** It is refused while the service polls the gateway about the purchase. */
async function assign(scene: Scene, flow: Flow, ending: Ending): Promise<void> {
  for (let n = 1; n <= ASSIGNS; n += 1) {
    const isDone = await act(scene, flow, ending, n).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        return false;
      },
    );
    if (isDone) return;
    await pause(ASSIGN_MS);
  }
  throw new Open(`${ending.reference} cannot be assigned to at the moment`);
}

/** The note, or the agreed amount if too little came. */
const bodyOf = ({ name, rupiah }: Flow, { act: what, how }: Ending) => ({
  ...(what === 'mark-refunded' && { note: name }),
  ...(what === 'assign' && how === 'under' && { amount: String(mintedOf({ how, rupiah })) }),
});

async function act(scene: Scene, flow: Flow, ending: Ending, n = 1): Promise<void> {
  const { reference, payment_id, act: what } = ending;
  const [operator] = scene.correctors;
  await operator.prove();
  await scene.ask(
    step(scene, flow, `${what}-${payment_id}-${n}`, {
      path: `/idrtoken/payments/${payment_id}/${what}`,
      token: operator.token,
      body: bodyOf(flow, ending),
      effect: { kind: 'late-act', user: flow.user, reference, payment_id, act: what },
      ...(what === 'assign' && { excuses: ['CONFLICT'] }),
    }),
  );
}
