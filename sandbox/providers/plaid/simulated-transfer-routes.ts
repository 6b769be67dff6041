import type { FastifyInstance } from 'fastify';
import type {
  SandboxTransferFireWebhookRequest,
  SandboxTransferSimulateRequest,
  TransferAuthorizationCreateRequest,
  TransferCancelRequest,
  TransferCreateRequest,
  TransferEventListRequest,
  TransferEventSyncRequest,
  TransferFailure,
  TransferGetRequest,
  TransferListRequest,
} from 'plaid';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { text } from '#kernel/http/declare/schema.ts';
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
  NOT_CANCELLABLE,
  notFound,
  problem,
  SIMULATED_PLAID_PROVIDER,
} from './simulated-answers.ts';
import { findItem, type SimulatedPlaidItem } from './simulated-items.ts';
import {
  shownPlaidAuthorization,
  shownPlaidEvent,
  shownPlaidTransfer,
} from './simulated-transfer-answers.ts';
import {
  type Authorization,
  authorizeOnce,
  eventsWhile,
  findAuthorization,
  findSimulatedPlaidTransfer,
  isFresh,
  listPlaidTransfers,
  makeTransfer,
  nachaFailure,
  PLAID_STEPS,
  stepTransfer,
  transferOf,
} from './simulated-transfers.ts';
import { callBackOfEvents, signingKey } from './simulated-webhook.ts';

export function transferEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: TransferAuthorizationCreateRequest }>(
    '/transfer/authorization/create',
    async ({ body }, reply) => {
      const { access_token = '', account_id = '', amount, user, idempotency_key } = body;
      const item = await findItem(world, access_token ?? '');
      if (!item) return problem(reply, NO_ACCESS_TOKEN);
      if (item.removed) return problem(reply, ITEM_GONE);
      const account = item.accounts.find((one) => one.account_id === account_id);
      if (!account) return problem(reply, NO_ACCOUNT);
      if (body.type !== 'debit' || !/^\d{1,10}\.\d{2}$/.test(amount))
        return problem(reply, badField('only debits of dollars and cents are played here'));
      const authorization = await authorizeOnce(world, idempotency_key ?? undefined, {
        access_token: access_token ?? '',
        account_id: account.account_id,
        amount,
        legal_name: user.legal_name,
        ...decisionOn(item, Math.round((account.balances.available ?? 0) * 100), cents(amount)),
      });
      return answered({ authorization: shownPlaidAuthorization(authorization) });
    },
  );

  server.post<{ Body: TransferCreateRequest }>('/transfer/create', async ({ body }, reply) => {
    const authorization = await findAuthorization(world, body.authorization_id);
    if (!authorization || authorization.access_token !== body.access_token)
      return problem(reply, notFound('authorization not found'));
    const { amount = authorization.amount, description, metadata } = body;
    if (description.length > DESCRIPTION_MAX)
      return problem(reply, badField(`description must be at most ${DESCRIPTION_MAX} characters`));
    const known = await transferOf(world, authorization.id);
    if (known) return answered({ transfer: shownPlaidTransfer(known) });
    if ((await findItem(world, authorization.access_token))?.removed)
      return problem(reply, ITEM_GONE);
    if (authorization.decision !== 'approved' || !isFresh(world, authorization))
      return problem(reply, badField('authorization is not approved, or has expired'));
    if (body.account_id !== authorization.account_id || cents(amount) > cents(authorization.amount))
      return problem(reply, badField('not what was authorized'));
    const { transfer, isNew } = await makeTransfer(world, authorization, {
      amount,
      description,
      metadata: metadata ?? null,
    });
    if (isNew) void callBackOfEvents(world);
    return answered({ transfer: shownPlaidTransfer(transfer) });
  });

  server.post<{ Body: TransferCancelRequest }>('/transfer/cancel', async ({ body }, reply) => {
    const known = await findSimulatedPlaidTransfer(world, body.transfer_id);
    if (!known) return problem(reply, notFound('transfer not found'), 404);
    if (!(await stepTransfer(world, known.id, 'cancelled'))) return problem(reply, NOT_CANCELLABLE);
    void callBackOfEvents(world);
    return answered({});
  });
}

/** Of ACH; of other networks it is 15. */
const DESCRIPTION_MAX = 10;

/** As their own sandbox decides, by the account's balance and the state of the log-in. */
function decisionOn(
  { login_required }: SimulatedPlaidItem,
  available: number,
  wanted: number,
): Pick<Authorization, 'decision' | 'rationale'> {
  if (login_required) return { decision: 'user_action_required', rationale: 'ITEM_LOGIN_REQUIRED' };
  if (available === 0) return { decision: 'declined', rationale: 'RISK' };
  if (wanted > available) return { decision: 'declined', rationale: 'NSF' };
  return { decision: 'approved', rationale: null };
}

/** Their amounts have two decimals. */
const cents = (amount: string): number => Number(amount.replace('.', ''));

/** Between an event and its copy in a statement. */
const COPY = 1_000_000_000;
/** Events in one answer, unless fewer are wanted. */
const LIST_MAX = 25;
const SYNC_MAX = 100;

export function readingEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: TransferGetRequest }>('/transfer/get', async ({ body }, reply) => {
    const { transfer_id, authorization_id } = body;
    const found = transfer_id
      ? await findSimulatedPlaidTransfer(world, transfer_id)
      : await transferOf(world, authorization_id ?? '');
    if (!found) return problem(reply, notFound('transfer not found'), 404);
    return answered({ transfer: shownPlaidTransfer(found) });
  });

  server.post<{ Body: TransferListRequest }>('/transfer/list', async ({ body }) => {
    const [count, offset] = [body.count ?? LIST_MAX, body.offset ?? 0];
    const transfers = await listPlaidTransfers(world, offset + count);
    return answered({
      transfers: transfers.slice(offset).map(shownPlaidTransfer),
      has_more: false,
    });
  });

  server.post<{ Body: TransferEventSyncRequest }>('/transfer/event/sync', async ({ body }) => {
    const { after_id } = body;
    const count = body.count ?? SYNC_MAX;
    const later = await eventsWhile(world, ({ event_id }) => event_id > after_id);
    later.sort((one, other) => one.event_id - other.event_id);
    const transfer_events = later.slice(0, count).map(shownPlaidEvent);
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
  server.post<{ Body: TransferEventListRequest }>('/transfer/event/list', async ({ body }) => {
    const { start_date, end_date, transfer_id, event_types } = body;
    const [count, offset] = [body.count ?? LIST_MAX, body.offset ?? 0];
    const from = Date.parse(start_date ?? '1970-01-01T00:00:00Z');
    const until = end_date ? Date.parse(end_date) : Number.POSITIVE_INFINITY;
    const found = await eventsWhile(world, ({ timestamp }) => Date.parse(timestamp) >= from);
    const wanted = found.filter(
      (event) =>
        Date.parse(event.timestamp) <= until &&
        (!transfer_id || event.transfer_id === transfer_id) &&
        (event_types === undefined || event_types.some((type) => type === event.event_type)),
    );
    const page = wanted.slice(offset, offset + count);
    const told = await spoilStatement(world, SIMULATED_PLAID_PROVIDER, page, {
      // What has settled is what both sides have in their books.
      reference: (event) => (event.event_type === 'settled' ? event.transfer_id : ''),
      double: (event) => ({ ...event, event_id: event.event_id + COPY }),
      alter: (event) => ({ ...event, transfer_amount: '0.01' }),
    });
    return answered({
      transfer_events: told.map(shownPlaidEvent),
      has_more: wanted.length > offset + count,
    });
  });
}

const SimulatePayment = Type.Object({
  payment_id: Type.String({ pattern: '^payment-id-[\\w-]{1,100}$' }),
  webhook: text(500),
  status: Type.String({ pattern: '^PAYMENT_STATUS_[A-Z_]{1,40}$' }),
});

export function simulatingEndpoints(server: FastifyInstance, world: World): void {
  server.post<{ Body: SandboxTransferSimulateRequest }>(
    '/sandbox/transfer/simulate',
    async ({ body }, reply) => {
      const { transfer_id, event_type, webhook, failure_reason } = body;
      if (!(await findSimulatedPlaidTransfer(world, transfer_id)))
        return problem(reply, notFound('transfer not found'), 404);
      const event = PLAID_STEPS.find((one) => one === event_type);
      const code = failure_reason?.ach_return_code;
      const stepping = code ? { failure: { ...nachaFailure(code), ...said(failure_reason) } } : {};
      if (!event || !(await stepTransfer(world, transfer_id, event, stepping)))
        return problem(reply, BAD_STEP);
      if (webhook !== undefined) void callBackOfEvents(world, webhook);
      return answered({});
    },
  );

  server.post<{ Body: SandboxTransferFireWebhookRequest }>(
    '/sandbox/transfer/fire_webhook',
    async ({ body: { webhook } }) => {
      void callBackOfEvents(world, webhook);
      return answered({});
    },
  );

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

const said = ({ description }: TransferFailure): { description?: string } =>
  description === undefined ? {} : { description };
