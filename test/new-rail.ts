/** The wiring of a rail: Teapot pays out. A real one adds tables, events, audit, settings, a simulator, chaos and tests. */
import { createHmac } from 'node:crypto';
import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { flowHolds } from '#kernel/effects/flow-holds.ts';
import { defineInbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { type Machine, machineOf, type Saga } from '#kernel/effects/saga-machine.ts';
import type { Feature } from '#kernel/feature.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { capture, hold, type Leg, release } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { money } from '#kernel/money/money.ts';
import { callHttp, type ProviderReply } from '#kernel/provider-call.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';

type Answer = { readonly status: 'PENDING' | 'PAID' | 'RETURNED' };
export interface Teapot {
  /** Once for a reference, for any number of calls. */
  pay(reference: string, units: string): Promise<Outcome<Answer>>;
  find(reference: string): Promise<Outcome<Answer | undefined>>;
  isGenuine(raw: Buffer, headers: Readonly<Record<string, unknown>>): boolean;
}

/** The provider over HTTP. */
export function teapot(url: () => string, secret: string): Teapot {
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    callHttp({ name: 'teapot', method, url: `${url()}${path}`, ...(body && { body }) });
  const read = (reply: ProviderReply): Outcome<Answer> => {
    if ('lost' in reply) return unknown(reply.lost);
    if (reply.status === 422) return refused('RETURNED', 'Teapot refused the pay-out');
    return reply.status === 200 ? done(reply.json as Answer) : unknown(`status ${reply.status}`);
  };
  return {
    pay: async (reference, units) => read(await call('POST', '/payouts', { reference, units })),
    async find(reference) {
      const reply = await call('GET', `/payouts/${reference}`);
      return 'status' in reply && reply.status === 404 ? done(undefined) : read(reply);
    },
    isGenuine: (raw, { 'x-teapot-signature': told }) =>
      sameSecret(String(told), createHmac('sha256', secret).update(raw).digest('hex')),
  };
}

type Payout = { readonly payer: number; readonly house: number; readonly units: string };

/** Posts on the way into a state. */
const post = (name: string, legsOf: (payout: Payout, units: bigint) => Leg[]) =>
  async function enter(tx: Db, { id, data }: Saga<Payout>) {
    const legs = legsOf(data, BigInt(data.units));
    await postWithin(tx, { key: `${id}:${name}`, kind: name, legs, meta: { hold: id } });
    return undefined;
  };
const leads = (_: unknown, { status }: Answer) =>
  (({ PAID: 'paid', RETURNED: 'back', PENDING: 'wait' }) as const)[status];

const { step, wait, final, machine } = machineOf<Payout>();

/** Held, requested, waited for; then paid, or refunded. An unknown outcome is looked up, never guessed. */
export const payoutMachine = ({ pay, find }: Teapot): Machine<Payout> =>
  machine({
    type: 'teapot',
    initial: 'send',
    states: {
      send: step({
        enter: post('hold', ({ payer }, units) => hold(payer, units)),
        call: ({ id, data }) => pay(id, data.units),
        lookUp: ({ id }) => find(id),
        next: leads,
        onRefused: 'back',
      }),
      wait: wait({ wait: 'told', timeoutMs: 3_600_000, onEvent: leads, onTimeout: 'ask' }),
      ask: step({ call: ({ id }) => find(id), next: leads, onRefused: 'back' }),
      paid: final(post('paid', ({ payer, house }, u) => capture(payer, house, u))),
      back: final(post('back', ({ payer }, units) => release(payer, units))),
    },
  });

/** The area: an endpoint that pays out, and the webhook with its outcome. */
export function createTeapot({ db, sagas, inboxes }: Kernel, provider: Teapot): Feature {
  const endpoint = endpoints(errorEnvelope);
  const machine = payoutMachine(provider);
  const inbox = defineInbox<{ reference: string; status: string }>({
    source: 'teapot',
    keptMs: 30 * 24 * 3_600_000,
    handle: async (tx, told, { id }) =>
      String(await sagas.signal(tx, told.reference, 'told', id, told)),
  });
  const pay = endpoint('POST /teapot/payouts', {
    name: 'teapots.payOut',
    auth: 'user',
    summary: 'Pays out of the wallet',
    errors: ['INSUFFICIENT_BALANCE'],
    body: Type.Object({ amount: Type.String() }),
    reply: { 200: Type.Object({ reference: Type.String(), state: Type.String() }) },
    async handler({ caller, body, operation }) {
      const id = `teapot-${operation}`;
      const wallet = { owner: `user:${caller.user_id}`, purpose: 'wallet', asset: 'USD' } as const;
      const payer = await openAccount(db, wallet);
      const house = await openAccount(db, houseAccount('teapot', 'USD'));
      const data = { payer, house, units: `${money('USD', body.amount).units}` };
      await transact(db, (tx) => sagas.start(tx, machine, { id, data, drivenForMs: 60_000 }));
      const { state } = await sagas.drive(id, { patienceMs: 5000 });
      return { reference: id, state };
    },
  });
  const webhook = endpoint('POST /teapot/webhook', {
    name: 'teapots.receiveWebhook',
    auth: 'public',
    summary: 'Teapot tells of a pay-out; its signature proves the call',
    signed: provider.isGenuine,
    reply: { 200: Type.Object({ ok: Type.Boolean() }) },
    async handler({ request }) {
      const { event, ...told } = JSON.parse(request.raw.toString('utf8'));
      return { ok: await transact(db, (tx) => inboxes.receive(tx, inbox, event, told)) };
    },
  });
  const holds = [flowHolds('hold', 'Teapot answers')];
  return { name: 'teapot', routes: [pay, webhook], machines: [machine], inboxes: [inbox], holds };
}
