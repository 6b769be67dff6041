import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { EVENT_PAGE, SIMULATED_EVENTS } from '#providers/plaid/port.ts';
import type { World } from '#sandbox/simulator.ts';
import { spoilStatement } from '#sandbox/statement-faults.ts';
import {
  answered,
  BAD_STEP,
  badField,
  ITEM_GONE,
  NO_ACCESS_TOKEN,
  NO_ACCOUNT,
  NO_KEY,
  notFound,
  problem,
  SIMULATED_PLAID_PROVIDER,
} from './simulated-answers.ts';
import { findItem } from './simulated-items.ts';
import {
  type Authorization,
  authorizeOnce,
  eventsWhile,
  findAuthorization,
  findSimulatedPlaidTransfer,
  isFresh,
  makeTransfer,
  type StoredEvent,
  type StoredTransfer,
  stepTransfer,
  transferOf,
} from './simulated-transfers.ts';
import { callBackOfEvents, signingKey } from './simulated-webhook.ts';

const Amount = Type.String({ pattern: '^[0-9]{1,10}\\.[0-9]{2}$' });
const AuthorizationRequest = Type.Object({
  access_token: text(200),
  account_id: text(200),
  type: oneOfWords(['debit']),
  network: oneOfWords(['ach', 'same-day-ach']),
  ach_class: oneOfWords(['ppd', 'web', 'ccd', 'tel']),
  amount: Amount,
  user: Type.Object({ legal_name: text(200) }),
  idempotency_key: Type.Optional(text(50)),
});
const TransferRequest = Type.Object({
  access_token: text(200),
  account_id: text(200),
  authorization_id: text(200),
  amount: Type.Optional(Amount),
  description: text(10),
  metadata: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), text(500))),
});

export function transferEndpoints(server: FastifyInstance, world: World): void {
  server.post('/transfer/authorization/create', async ({ body }, reply) => {
    if (!Value.Check(AuthorizationRequest, body))
      return problem(reply, badField('invalid request'));
    const { access_token, account_id, amount, user, idempotency_key } = body;
    const item = await findItem(world, access_token);
    if (!item) return problem(reply, NO_ACCESS_TOKEN);
    if (item.removed) return problem(reply, ITEM_GONE);
    const account = item.accounts.find((one) => one.account_id === account_id);
    if (!account) return problem(reply, NO_ACCOUNT);
    const isEnough = cents(amount) <= Math.round((account.balances.available ?? 0) * 100);
    const authorization = await authorizeOnce(world, idempotency_key, {
      access_token,
      account_id,
      amount,
      legal_name: user.legal_name,
      decision: isEnough ? 'approved' : 'declined',
    });
    return answered({ authorization: shownAuthorization(authorization) });
  });

  server.post('/transfer/create', async ({ body }, reply) => {
    if (!Value.Check(TransferRequest, body)) return problem(reply, badField('invalid request'));
    const authorization = await findAuthorization(world, body.authorization_id);
    if (!authorization || authorization.access_token !== body.access_token)
      return problem(reply, notFound('authorization not found'));
    const { amount = authorization.amount, description, metadata = null } = body;
    const known = await transferOf(world, authorization.id);
    if (known) return answered({ transfer: shownTransfer(known) });
    if ((await findItem(world, body.access_token))?.removed) return problem(reply, ITEM_GONE);
    if (authorization.decision !== 'approved' || !isFresh(world, authorization))
      return problem(reply, badField('authorization is not approved, or has expired'));
    if (body.account_id !== authorization.account_id || cents(amount) > cents(authorization.amount))
      return problem(reply, badField('not what was authorized'));
    const { transfer, isNew } = await makeTransfer(world, authorization, {
      amount,
      description,
      metadata,
    });
    if (isNew) void callBackOfEvents(world);
    return answered({ transfer: shownTransfer(transfer) });
  });
}

/** Their amounts have two decimals. */
const cents = (amount: string): number => Number(amount.replace('.', ''));

const TransferQuestion = Type.Object({
  transfer_id: Type.Optional(text(200)),
  authorization_id: Type.Optional(text(200)),
});
const SyncQuestion = Type.Object({
  after_id: Type.Integer({ minimum: 0 }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});
const Moment = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' });
/** Between an event and its copy in a statement. */
const COPY = 1_000_000_000;
const ListQuestion = Type.Object({
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
  transfer_id: Type.Optional(text(200)),
  event_types: Type.Optional(Type.Array(text(60))),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: EVENT_PAGE })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
});

export function readingEndpoints(server: FastifyInstance, world: World): void {
  server.post('/transfer/get', async ({ body }, reply) => {
    if (!Value.Check(TransferQuestion, body)) return problem(reply, badField('invalid request'));
    const { transfer_id, authorization_id = '' } = body;
    const found =
      transfer_id === undefined
        ? await transferOf(world, authorization_id)
        : await findSimulatedPlaidTransfer(world, transfer_id);
    if (!found) return problem(reply, notFound('transfer not found'), 404);
    return answered({ transfer: shownTransfer(found) });
  });

  server.post('/transfer/event/sync', async ({ body }, reply) => {
    if (!Value.Check(SyncQuestion, body)) return problem(reply, badField('invalid request'));
    const { after_id, count = 25 } = body;
    const later = await eventsWhile(world, ({ event_id }) => event_id > after_id);
    later.sort((one, other) => one.event_id - other.event_id);
    const transfer_events = later.slice(0, count).map(shownEvent);
    return answered({ transfer_events, has_more: later.length > count });
  });

  listEndpoint(server, world);

  server.post<{ Body: { key_id?: unknown } }>(
    '/webhook_verification_key/get',
    async ({ body }, reply) => {
      const { shown } = await signingKey(world);
      return body.key_id === shown.kid ? answered({ key: shown }) : problem(reply, NO_KEY);
    },
  );
}

/** Its statement, with what `POST /statements/plaid/faults` has spoilt. */
function listEndpoint(server: FastifyInstance, world: World): void {
  server.post('/transfer/event/list', async ({ body }, reply) => {
    if (!Value.Check(ListQuestion, body)) return problem(reply, badField('invalid request'));
    const { start_date, end_date, transfer_id, event_types, count = EVENT_PAGE, offset = 0 } = body;
    const from = Date.parse(start_date ?? '1970-01-01T00:00:00Z');
    const until = end_date === undefined ? Number.POSITIVE_INFINITY : Date.parse(end_date);
    const found = await eventsWhile(world, ({ timestamp }) => Date.parse(timestamp) >= from);
    const wanted = found.filter(
      (event) =>
        Date.parse(event.timestamp) <= until &&
        (transfer_id === undefined || event.transfer_id === transfer_id) &&
        (event_types === undefined || event_types.includes(event.event_type)),
    );
    const page = wanted.slice(offset, offset + count);
    const told = await spoilStatement(world, SIMULATED_PLAID_PROVIDER, page, {
      // What has settled is what both sides have in their books.
      reference: (event) => (event.event_type === 'settled' ? event.transfer_id : ''),
      double: (event) => ({ ...event, event_id: event.event_id + COPY }),
      alter: (event) => ({ ...event, transfer_amount: '0.01' }),
    });
    return answered({
      transfer_events: told.map(shownEvent),
      has_more: wanted.length > offset + count,
    });
  });
}

const SimulateTransfer = Type.Object({
  transfer_id: text(200),
  event_type: oneOfWords(SIMULATED_EVENTS),
  webhook: Type.Optional(text(500)),
});
const SimulatePayment = Type.Object({
  payment_id: Type.String({ pattern: '^payment-id-[\\w-]{1,100}$' }),
  webhook: text(500),
  status: Type.String({ pattern: '^PAYMENT_STATUS_[A-Z_]{1,40}$' }),
});

export function simulatingEndpoints(server: FastifyInstance, world: World): void {
  server.post('/sandbox/transfer/simulate', async ({ body }, reply) => {
    if (!Value.Check(SimulateTransfer, body)) return problem(reply, badField('invalid request'));
    const { transfer_id, event_type, webhook } = body;
    if (!(await findSimulatedPlaidTransfer(world, transfer_id)))
      return problem(reply, notFound('transfer not found'), 404);
    if (!(await stepTransfer(world, transfer_id, event_type))) return problem(reply, BAD_STEP);
    if (webhook !== undefined) void callBackOfEvents(world, webhook);
    return answered({});
  });

  // Payments are made in a product that is not played here: any id of their form is one.
  server.post('/sandbox/payment/simulate', async ({ body }, reply) => {
    if (!Value.Check(SimulatePayment, body)) return problem(reply, badField('invalid request'));
    const { payment_id, status } = body;
    const first = { status: 'PAYMENT_STATUS_INITIATED' };
    await world.records.insert(SIMULATED_PLAID_PROVIDER, 'payment', payment_id, first);
    let old_status = first.status;
    await world.records.update<typeof first>(
      SIMULATED_PLAID_PROVIDER,
      'payment',
      payment_id,
      (payment) => {
        old_status = payment.status;
        return { status };
      },
    );
    return answered({ old_status, new_status: status });
  });
}

const owner = (legal_name: string) => ({
  legal_name,
  phone_number: null,
  email_address: null,
  address: null,
});

const shownAuthorization = (authorization: Authorization) => ({
  id: authorization.id,
  created: new Date(authorization.created_at * 1000).toISOString(),
  decision: authorization.decision,
  decision_rationale:
    authorization.decision === 'approved'
      ? null
      : { code: 'NSF', description: 'Transaction likely to result in a return' },
  guarantee_decision: null,
  guarantee_decision_rationale: null,
  payment_risk: null,
  proposed_transfer: {
    account_id: authorization.account_id,
    type: 'debit',
    network: 'ach',
    ach_class: 'web',
    amount: authorization.amount,
    user: owner(authorization.legal_name),
    iso_currency_code: 'USD',
  },
});

const shownTransfer = ({ legal_name, ...transfer }: StoredTransfer) => ({
  ...transfer,
  ach_class: 'web',
  type: 'debit',
  network: 'ach',
  user: owner(legal_name),
  cancellable: transfer.status === 'pending',
  iso_currency_code: 'USD',
  refunds: [],
  recurring_transfer_id: null,
});

const shownEvent = (event: StoredEvent) => ({
  ...event,
  funding_account_id: null,
  origination_account_id: null,
  originator_client_id: null,
  sweep_id: null,
  sweep_amount: null,
  refund_id: null,
});
