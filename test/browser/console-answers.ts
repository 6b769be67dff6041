import type { Body, Harness } from '../harness.ts';
import type { Protected } from '../two-factor.ts';

export type Reply = [status: number, body: object];
export const refused = (status: number, code: string, message: string): Reply => [
  status,
  { success: false, error: { code, message, hint: 'Said by the test' }, request_id: 'request-1' },
];

export interface Asked {
  readonly id: string;
  readonly url: string;
  readonly body: Body;
}

/** What is asked of the service itself goes to it; the rest is kept here, in the shapes that it has. */
export async function answerOf(h: Harness, person: Protected, asked: Asked): Promise<Reply> {
  const { id, body } = asked;
  const [, kind, number, verb] =
    /^POST \/(clients|users)\/(\d+)\/(stop|let-in)$/.exec(id) ?? ([] as string[]);
  if (kind) return stopped(h, kind, Number(number), verb === 'stop' ? body.reason : undefined);
  if (/ \/adjustments\b/.test(id)) return adjusted(person, asked);
  const [status, answer] = await passOn(h, person, asked);
  if (id === 'GET /desk/timeline' && status === 200)
    answer.data = { ...answer.data, ...(await standing(h, answer.data.people)) };
  return [status, answer];
}

async function passOn(
  h: Harness,
  { token }: Protected,
  { id, url, body }: Asked,
): Promise<[number, Body]> {
  const reply = await fetch(h.app.apiUrl() + url.replace('/api', ''), {
    method: id.split(' ')[0] ?? '',
    headers: {
      'x-api-key': h.key,
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return [reply.status, await reply.json()];
}

const reasons = new Map<string, string>();
const stopOf = (name: string) => ({
  is_stopped: reasons.has(name),
  reason: reasons.get(name) ?? null,
  stopped_by: reasons.has(name) ? 2 : null,
  stopped_at: reasons.has(name) ? '2026-11-23T07:00:00.000Z' : null,
});

async function standing(h: Harness, people: readonly Body[]): Promise<object> {
  const clients = await h.db
    .selectFrom('clients')
    .select(['client_id', 'client_code', 'client_alias', 'email', 'client_status'])
    .where('client_id', 'in', [0, ...people.map(({ client_id }) => client_id)])
    .execute();
  return {
    people: people.map((one) => ({ ...one, ...stopOf(`users ${one.user_id}`) })),
    clients: clients.map((one) => ({ ...one, ...stopOf(`clients ${one.client_id}`) })),
  };
}

async function stopped(h: Harness, kind: string, id: number, reason?: string): Promise<Reply> {
  if (reason === undefined) reasons.delete(`${kind} ${id}`);
  else reasons.set(`${kind} ${id}`, reason);
  if (kind === 'clients') {
    const client_status = reason === undefined ? 'ACTIVE' : 'SUSPENDED';
    await h.db.updateTable('clients').set({ client_status }).where('client_id', '=', id).execute();
  } else {
    const user_status = reason === undefined ? 'ACTIVE' : 'INACTIVE';
    await h.db.updateTable('users').set({ user_status }).where('user_id', '=', id).execute();
  }
  return [200, { success: true, data: stopOf(`${kind} ${id}`) }];
}

const adjustments: Body[] = [];

/** One that somebody else has proposed. */
export const proposedByAnother = (fields: object): string => {
  adjustments.unshift(adjustmentOf(fields, 77));
  return adjustments[0].adjustment_id;
};

const adjustmentOf = (body: Body, proposed_by: number): Body => ({
  ...{
    adjustment_id: crypto.randomUUID(),
    status: 'PROPOSED',
    of: null,
    user_id: 3,
    wallet_id: null,
  },
  ...{ direction: null, amount: '97.00', currency: 'USD', reference: null, proposed_by },
  ...{ created_at: '2026-11-23T07:00:00.000Z', expires_at: '2026-11-30T07:00:00.000Z' },
  ...{ decided_by: null, decided_at: null, decision_note: null },
  entries: [
    { account: 'adjustments', amount: '-10.00' },
    { account: 'user:3 wallet 1', amount: '10.00' },
  ],
  ...body,
});

function adjusted({ user_id }: Protected, { id, url, body }: Asked): Reply {
  const [, one, verb] = / \/adjustments\/([\w-]+)(?:\/(\w+))?$/.exec(id) ?? [];
  const found = adjustments.find(({ adjustment_id }) => adjustment_id === one);
  if (id === 'POST /adjustments') {
    adjustments.unshift(adjustmentOf(body, user_id));
    return [201, { success: true, data: adjustments[0] }];
  }
  if (one === undefined) {
    const status = new URL(url, 'http://console').searchParams.get('status');
    const shown = adjustments.filter((a) => status === null || a.status === status);
    return [200, { data: { adjustments: shown, pagination: { next_before: null } } }];
  }
  if (!found) return refused(404, 'NOT_FOUND', 'Adjustment not found');
  if (verb !== undefined) {
    if ((found.proposed_by === user_id) !== (verb === 'withdraw'))
      return refused(403, 'SECOND_PERSON_REQUIRED', 'Somebody else has to decide');
    const status = { approve: 'BOOKED', reject: 'REJECTED', withdraw: 'WITHDRAWN' }[verb];
    Object.assign(found, { status, decided_by: user_id, decided_at: '2026-11-23T07:30:00.000Z' });
    Object.assign(found, { decision_note: body?.reason ?? null, reference: `adjustment:${one}` });
  }
  return [200, { success: true, data: found }];
}
