import { format } from '#kernel/money/money.ts';
import { textOf } from './answer.ts';
import type { Operation } from './books.ts';
import { Open, Refused } from './client.ts';
import type { Guest } from './guests.ts';
import { allOf, CARDS, type Of, type Scene, step, walletIn } from './play.ts';

type Flow = Of<'stop'>;

/** The wallet's initial balance, in payments of the flow's size. */
const FUNDS = 10n;
const STOPPED = 'ACCOUNT_NOT_ACTIVE';
/** The sessions of a stopped person have ended. */
const ENDED = 'TOKEN_INVALID';

/**
 * A guest pays and, as an admin of the operator, proposes and orders; in the midst of it the operator stops the guest
 * or the guest's client. Requests after the answer are refused, also those that others
 * would finish; the reinstated guest pays again, and no voided change comes back.
 */
export async function playStop(scene: Scene, flow: Flow): Promise<void> {
  const guest = guestOf(scene, flow);
  const { token } = guest;
  const one = BigInt(flow.cents);
  await payIn(scene, flow, one * FUNDS);
  const wishes = await makeWishes(scene, flow, guest);
  const between = {
    name: 'between',
    cents: one,
    rest: { token, isBrief: true, leftOpenBy: CODES },
  };
  await allOf([
    turn(scene, flow, 'stop'),
    // If refused, it is repeated after they are reinstated.
    payOut(scene, flow, between).catch(passing(Open)),
    wishes.first(),
  ]);
  // More than the balance: a late request is still refused.
  const refused = { token, isBrief: true, ...refusalOf(flow) };
  await payOut(scene, flow, { name: 'stopped', cents: one * FUNDS * 10n, rest: refused });
  await wishes.second('stopped');
  await turn(scene, flow, 'let-in');
  await wishes.second('let-in');
  const again = { token: await guest.enter() };
  await payOut(scene, flow, { ...between, rest: { ...again, isBrief: true } });
  await payOut(scene, flow, { name: 'last', cents: one * 2n, rest: again });
}

const CODES = [STOPPED, ENDED];

const refusalOf = ({ whom }: Flow) => ({ refusal: whom === 'person' ? ENDED : STOPPED });

export function guestOf({ guests }: Pick<Scene, 'guests'>, { name }: Pick<Flow, 'name'>): Guest {
  const guest = guests.get(name);
  if (guest === undefined) throw new Error(`Nobody is invited for ${name}`);
  return guest;
}

/** Ends a refused or open step, and not the flow. */
const passing = (kind: typeof Open | typeof Refused) => (error: unknown) => {
  if (!(error instanceof kind)) throw error;
};

async function turn(scene: Scene, flow: Flow, what: 'stop' | 'let-in'): Promise<void> {
  const { user_id, client_id } = guestOf(scene, flow);
  const [operator] = scene.correctors;
  const whom = flow.whom === 'person' ? `/admins/users/${user_id}` : `/clients/${client_id}`;
  await operator.prove();
  await scene.ask(
    step(scene, flow, what, {
      path: `${whom}/${what}`,
      token: operator.token,
      body: { reason: flow.name },
      effect: { kind: 'stop', guest: flow.name, what: what === 'stop' ? 'stopped' : 'let_in' },
    }),
  );
}

interface Wishes {
  /** The second person approves the first proposal, while its author is stopped. */
  first(): Promise<void>;
  /** And the other one afterwards, which must fail. */
  second(when: string): Promise<void>;
}

const NONE: Wishes = { first: async () => undefined, second: async () => undefined };

/** Two corrections and, unless it takes effect at once, a change of an account: by an admin of the operator. */
async function makeWishes(scene: Scene, flow: Flow, guest: Guest): Promise<Wishes> {
  if (flow.whom === 'client') return NONE;
  if (scene.isLive) await order(scene, flow, guest);
  const [one, other] = [BigInt(flow.cents), BigInt(flow.cents) + 100n];
  const first = await propose(scene, flow, { name: 'first', cents: one });
  const second = await propose(scene, flow, { name: 'second', cents: other });
  return {
    first: () => approve(scene, flow, { name: 'first', id: first, cents: one, excuses: [VOID] }),
    second: (when) =>
      approve(scene, flow, { name: `second-${when}`, id: second, cents: other, refusal: VOID }),
  };
}

const VOID = 'INVALID_STATUS';

async function order(scene: Scene, flow: Flow, { token, password }: Guest): Promise<void> {
  const { user_id } = scene.people[flow.user] ?? {};
  await scene.ask(
    step(scene, flow, 'order', {
      path: `/admins/users/${user_id}/move-address`,
      body: { email: `${flow.name}@moved.test`, reason: flow.name, current_password: password },
      effect: { kind: 'guest-order', guest: flow.name },
      token,
      isBrief: true,
    }),
  );
}

interface Proposal {
  readonly name: string;
  readonly cents: bigint;
}

async function propose(scene: Scene, flow: Flow, { name, cents }: Proposal): Promise<string> {
  const reason = `${flow.name} ${name}`;
  const proposed = await scene.ask(
    step(scene, flow, `propose-${name}`, {
      path: '/adjustments',
      body: {
        kind: 'adjustment',
        direction: 'credit',
        currency: 'USD',
        reason,
        wallet_id: await walletIn(scene, flow, 'USD'),
        amount: usd(cents),
      },
      effect: { kind: 'guest-proposal', guest: flow.name, reason },
      token: guestOf(scene, flow).token,
      isBrief: true,
    }),
  );
  return textOf(proposed, 'data.adjustment_id');
}

type Approval = Proposal & { readonly id: string } & Pick<Operation, 'excuses' | 'refusal'>;

async function approve(scene: Scene, flow: Flow, approval: Approval): Promise<void> {
  const { name, id, cents, ...rest } = approval;
  const [, checker] = scene.correctors;
  await checker.prove();
  const paying = scene.ask(
    step(scene, flow, `approve-${name}`, {
      path: `/adjustments/${id}/approve`,
      token: checker.token,
      body: {},
      effect: { kind: 'correction', user: flow.user, cents, entry: 'adjustment' },
      isRefusedAnew: true,
      ...rest,
    }),
  );
  await paying.catch(passing(Refused));
}

const usd = (cents: bigint) => format({ asset: 'USD', units: cents });

async function payIn(scene: Scene, flow: Flow, cents: bigint): Promise<void> {
  const card = { card_number: CARDS.good, expiry_date: '1239', currency_code: 'USD' };
  await scene.ask(
    step(scene, flow, 'in', {
      path: '/card-checkout/card',
      body: { ...card, amount: usd(cents) },
      effect: { kind: 'guest-in', guest: flow.name, cents },
      token: guestOf(scene, flow).token,
      isBrief: true,
    }),
  );
}

interface Payment extends Proposal {
  readonly rest: Partial<Operation>;
}

/** A refusal ends the payment and not the flow. */
async function payOut(scene: Scene, flow: Flow, { name, cents, rest }: Payment): Promise<void> {
  const card = { card_number: CARDS.good, recipient_name: 'Ann Other', currency_code: 'USD' };
  const paid = scene.ask(
    step(scene, flow, `out-${name}`, {
      path: '/card-checkout/card/manual_refund',
      body: { ...card, amount: usd(cents) },
      effect: { kind: 'guest-out', guest: flow.name, cents },
      ...rest,
    }),
  );
  await paid.catch(passing(Refused));
}
