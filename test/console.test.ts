import { expect, test } from 'vitest';
import type { Route } from '#kernel/http/declare/route.ts';
import { OWN_PAGE } from './console.ts';
import { harness } from './harness.ts';

/** Every endpoint, called with the console's cookie, and those that need a fresh proof there. */
const h = await harness({ mock: false });
const operator = await h.operator();
const { routes } = h.app.features;

/** Endpoints of users and keys that the console opens; all others are for admins. */
const OWN = [
  'DELETE /users/{user_id}/pending-changes/{change_id}',
  'DELETE /sessions',
  'DELETE /sessions/{session_id}',
  'GET /2fa/status',
  'GET /payments',
  'GET /payments/{payment_id}',
  'GET /payments/{payment_id}/timeline',
  'GET /request-logs',
  'GET /request-logs/{request_id}',
  'GET /sessions',
  'GET /wallets/fiat/{user_id}',
  'DELETE /webhook-endpoints/{endpoint_id}',
  'GET /batches',
  'GET /batches/{batch_id}',
  'GET /batches/{batch_id}/items',
  'GET /events',
  'GET /events/{event_id}',
  'GET /keys/sdk-key',
  'GET /payment-gateway/invoices',
  'GET /payment-gateway/invoices/{invoice_id}',
  'GET /payment-gateway/invoices/{invoice_id}/refunds',
  'GET /payment-gateway/links',
  'GET /payment-gateway/links/{link_id}',
  'GET /wallets/fiat/{wallet_id}/explain',
  'GET /wallets/fiat/{wallet_id}/transactions',
  'GET /wallets/fiat/{wallet_id}/withdrawals',
  'GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}',
  'GET /webhook-endpoints',
  'GET /webhook-endpoints/{endpoint_id}',
  'GET /webhook-endpoints/{endpoint_id}/attempts',
  'GET /webhook-endpoints/{endpoint_id}/attempts/{attempt_id}',
  'GET /webhook-endpoints/{endpoint_id}/deliveries',
  'PATCH /payment-gateway/links/{link_id}',
  'POST /batches/{batch_id}/cancel',
  'POST /events/{event_id}/resend',
  'POST /keys/sdk-key',
  'POST /payment-gateway/invoices/{invoice_id}/cancel',
  'POST /payment-gateway/invoices/{invoice_id}/refunds',
  'POST /payment-gateway/links',
  'POST /webhook-endpoints',
  'POST /webhook-endpoints/{endpoint_id}/pause',
  'POST /webhook-endpoints/{endpoint_id}/resume',
  'POST /webhook-endpoints/{endpoint_id}/rotate-secret',
  'POST /webhook-endpoints/{endpoint_id}/test',
  'PATCH /payments/{payment_id}/metadata',
  'POST /2fa/enable',
  'POST /2fa/setup',
];

const codeOf = (body: { code?: string; error?: { code?: string }; error_code?: string }) =>
  body?.error?.code ?? body?.code ?? body?.error_code;

async function called({ id, endpoint }: Route, more: Record<string, string> = OWN_PAGE) {
  const { user_id } = operator;
  const opened = { user_id, method: 'console', console: true } as const;
  const { token } = await h.kernel.sessions.open(h.db, opened);
  const params = Object.fromEntries(
    [...id.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '2000000000']),
  );
  const headers = { ...more, cookie: `archipay-console=${token}` };
  const body = endpoint.body ? { body: {} } : {};
  return h.send(id, { as: 'nobody', headers, params, ...body });
}

test.each(routes.filter(({ endpoint }) => endpoint.auth !== 'public').map((one) => [one.id, one]))(
  '%s opens to the console’s cookie only where it says so, and to its own page alone',
  async (id, route) => {
    const { auth } = (route as Route).endpoint;
    const { status, body } = await called(route as Route);
    expect(status, JSON.stringify(body)).not.toBe(500);
    const isOpen = auth === 'admin' || OWN.includes(String(id));
    expect([id, codeOf(body) === 'API_KEY_MISSING' || codeOf(body) === 'TOKEN_MISSING']).toEqual([
      id,
      !isOpen,
    ]);
    const foreign = await called(route as Route, { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' });
    expect([id, foreign.status]).toEqual([id, 401]);
  },
);

/** Changes that admins make at the console without another proof, with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'DELETE /console/session': 'nothing is gained by it',
  'DELETE /sessions': 'nothing is gained by it',
  'DELETE /sessions/{session_id}': 'nothing is gained by it',
  'DELETE /users/{user_id}/pending-changes/{change_id}': 'it stops what somebody has ordered',
  'PATCH /payments/{payment_id}/metadata': 'what people call it',
  'POST /2fa/setup': 'what is set up counts once it is enabled',
  'POST /2fa/enable': 'its body holds a code',
  'POST /webhook-endpoints/{endpoint_id}/pause': 'it keeps its place',
  'POST /webhook-endpoints/{endpoint_id}/resume': 'it gets what it would have got',
  'POST /webhook-endpoints/{endpoint_id}/test': 'a message without contents',
  'POST /events/{event_id}/resend': 'the same event, to where it goes anyway',
  'POST /console/session/prove': 'it is the proof',
  'POST /adjustments': 'nothing is moved before another admin approves it',
  'POST /adjustments/{adjustment_id}/reject': 'nothing is moved by it',
  'POST /adjustments/{adjustment_id}/withdraw': 'nothing is moved by it',
  'POST /policies': 'a draft decides nothing before another admin publishes it',
  'PATCH /policies/{policy_id}': 'the same',
  'DELETE /policies/{policy_id}': 'the same',
  'PATCH /policies/{policy_id}/metadata': 'what people call it',
  'POST /policies/simulate': 'nothing is done by it',
  'POST /policies/{policy_id}/backtest': 'nothing is done by it',
  'DELETE /team/invitations/{invitation_id}': 'a link loses its worth',
  'POST /clients/create-instance': 'a name',
  'PUT /clients/{instance_id}/update-alias': 'a name',
  'DELETE /clients/clients/{instance_id}': 'a name',
  'POST /reconciliation/breaks/{break_id}/explain': 'a note',
  'POST /exchange/conversion/run-daily': 'a schedule does the same',
  'POST /exchange/conversion/poll-balance': 'a schedule does the same',
  'POST /exchange/conversion/run-trades': 'a schedule does the same',
  'POST /exchange/conversion/poll-job/{job_id}': 'a schedule does the same',
  'POST /marketplace/orders/{order_id}/fulfilment': 'what a shop has said',
};

test('each change at the console needs a fresh proof, unless it is harmless', () => {
  const unproven = routes.filter(
    ({ id, endpoint }) =>
      (endpoint.auth === 'admin' || OWN.includes(id)) &&
      !id.startsWith('GET ') &&
      !(endpoint.proof || endpoint.console === 'proof'),
  );
  expect(unproven.map(({ id }) => id).sort()).toEqual(Object.keys(HARMLESS).sort());
});
