import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';
import { acceptInvitation, freshly, invitationToken, invite, joined, refusal } from '#test/team.ts';

const h = await harness({
  mock: false,
  features: () => [
    {
      name: 'things',
      approvals: [
        { object: 'thing', approved: async () => undefined, cancelled: async () => undefined },
      ],
    },
  ],
});
const { client_id, ada, ben, publish } = await clientWithPolicies(h);
const user = await h.user({ client_id });
await publish({ applies_to: ['transfer'], then: { approve: { count: 2 } } });

const setRole = (as: Person, user_id: number, team_role: string) =>
  h.call('PATCH /team/{user_id}', { as, params: { user_id }, body: { team_role } });
const remove = (as: Person, user_id: number, query = { keys: 'stop', endpoints: 'stop' }) =>
  h.call('DELETE /team/{user_id}', { as, params: { user_id }, query });
const members = async (as: Person): Promise<Body[]> =>
  (await h.call('GET /team', { as }))[1].data.members;

/** Something that waits for two people. */
async function waiting(id: string): Promise<Body> {
  await transact(h.db, (tx) =>
    h.kernel.policies.decide(tx, {
      kind: 'transfer',
      op: 'a_test',
      operation: id,
      client_id,
      user_id: user.user_id,
      amount: { asset: 'USD', units: 100n },
      object: { type: 'thing', id, summary: `Thing ${id}`, content: { amount: '1.00' } },
    }),
  );
  return read(id);
}

async function read(id: string): Promise<Body> {
  const as = await freshly(h, ada);
  const [, { data }] = await h.call('GET /approvals', { as, query: { limit: 100 } });
  return data.items.find(({ object }: Body) => object.id === id);
}

const approve = (as: Person, { approval_id, content_hash, version }: Body) =>
  h.call('POST /approvals/{approval_id}/approve', {
    as,
    params: { approval_id },
    body: { version, content_hash },
  });

test('admins from before there were roles are owners', async () => {
  const listed = await members(await freshly(h, ada));
  expect(listed).toMatchObject([
    { user_id: ben.user_id, team_role: 'owner' },
    { user_id: ada.user_id, team_role: 'owner', role_since: null, approves_from: null },
  ]);
});

test('another role ends the log-ins, and is mailed to all owners', async () => {
  const as = await freshly(h, ada);
  const member = await joined(h, as, 'viewer');
  expect((await h.call('GET /payments', { as: member }))[0]).toBe(200);
  const [status, { data }] = await setRole(as, member.user_id, 'developer');
  expect([status, data.team_role]).toEqual([200, 'developer']);
  expect((await h.call('GET /payments', { as: member }))[0]).toBe(401);
  for (const owner of [ada, ben]) {
    await h.drain();
    const texts = (await h.messages(owner.email)).map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringContaining('is developer now and was viewer'));
  }
  expect(await emittedTypes(h, 'team_member', member.user_id)).toEqual([
    'team_member.joined',
    'team_member.role_changed',
  ]);
});

test('owners change or remove neither themselves nor people of another team', async () => {
  const as = await freshly(h, ada);
  for (const role of ['viewer', 'owner'])
    expect(refusal(await setRole(as, ada.user_id, role))).toBe('FORBIDDEN');
  expect(refusal(await remove(as, ada.user_id))).toBe('FORBIDDEN');
  const stranger = await h.user({ role: 'admin' });
  for (const { user_id } of [stranger, user]) {
    expect((await setRole(as, user_id, 'viewer'))[0]).toBe(404);
    expect((await remove(as, user_id))[0]).toBe(404);
  }
  const finance = await joined(h, as, 'finance');
  expect(refusal(await setRole(finance, finance.user_id, 'owner'))).toBe('FORBIDDEN');
  expect(refusal(await setRole(finance, ada.user_id, 'viewer'))).toBe('FORBIDDEN');
});

test('of two owners who remove one another at once, one stays an owner', async () => {
  const one = await h.user({ role: 'admin' });
  const two = await h.user({ role: 'admin', client_id: one.client_id });
  const both = await Promise.all([remove(one, two.user_id), setRole(two, one.user_id, 'viewer')]);
  expect(both.map(([status]) => status === 200).sort()).toEqual([false, true]);
  const left = await h.db
    .selectFrom('users')
    .select('user_id')
    .where('client_id', '=', one.client_id)
    .where('role', '=', 'admin')
    .where('team_role', 'is', null)
    .execute();
  expect(left).toHaveLength(1);
});

test('a change needs a log-in of the last five minutes, or another proof', async () => {
  const as = await freshly(h, ada);
  const { user_id } = await joined(h, as, 'viewer');
  await h.advance(5 * 60 + 1);
  expect(refusal(await setRole(as, user_id, 'owner'))).toBe('FRESH_LOGIN_REQUIRED');
  expect(refusal(await remove(as, user_id))).toBe('FRESH_LOGIN_REQUIRED');
  const body = { team_role: 'support', current_password: ada.password };
  const [status] = await h.call('PATCH /team/{user_id}', { as, params: { user_id }, body });
  expect(status).toBe(200);
});

test('a new approver counts a day later, and with a second factor alone', async () => {
  const as = await freshly(h, ada);
  const member = await joined(h, as, 'finance');
  const early = await waiting('early');
  expect(refusal(await approve(member, early))).toBe('SECOND_PERSON_REQUIRED');
  await h.advance(24 * 3600 + 1);
  const now = await freshly(h, member);
  expect(refusal(await approve(now, await waiting('no factor')))).toBe('SECOND_PERSON_REQUIRED');
  const enabled = h.db.updateTable('users').set({ twofa_enabled: true });
  await enabled.where('user_id', '=', member.user_id).execute();
  expect((await approve(now, await waiting('later')))[0]).toBe(200);
});

test('an admin whom an owner has made by the API approves only what was asked later', async () => {
  const as = await freshly(h, ada);
  const body = {
    client_id,
    username: 'second',
    email: 'second@example.test',
    role: 'admin',
    phone: '+12025550177',
    country_code: 'US',
  };
  const before = await waiting('before');
  const [status, { user: made }] = await h.call('POST /admins/users', { as, body });
  expect(status).toBe(201);
  const { token } = await h.kernel.sessions.open(h.db, {
    user_id: made.user_id,
    method: 'password',
  });
  const second = { ...ada, user_id: made.user_id, token };
  expect(refusal(await approve(second, before))).toBe('SECOND_PERSON_REQUIRED');
  expect((await approve(second, await waiting('made')))[0]).toBe(200);
});

test('approvals of somebody who approves no more count no more', async () => {
  const asked = await waiting('lowered');
  expect((await approve(await freshly(h, ben), asked))[0]).toBe(200);
  expect((await read('lowered')).approvals).toHaveLength(1);
  expect((await setRole(await freshly(h, ada), ben.user_id, 'viewer'))[0]).toBe(200);
  expect((await read('lowered')).approvals).toHaveLength(0);
  expect(refusal(await approve(await freshly(h, ben), await read('lowered')))).toBe('FORBIDDEN');
});

test('keys of somebody who goes stop, or stay with no more than their maker’s role', async () => {
  const as = await freshly(h, ada);
  for (const keys of ['stop', 'keep']) {
    const member = await joined(h, as, 'developer');
    const { user_id } = member;
    const key = await h.apiKey({ client_id, user_id });
    const list = () => h.call('GET /events', { key, as: as });
    expect([keys, (await list())[0]]).toEqual([keys, 200]);
    const [status, { data }] = await remove(as, user_id, { keys, endpoints: 'stop' });
    expect([status, data.keys_are, data.keys.length]).toEqual([200, keys, 1]);
    expect([keys, (await list())[0]]).toEqual([keys, keys === 'keep' ? 200 : 401]);
    const people = await h.call('GET /batches', { key, as });
    expect([keys, people[0]]).toEqual([keys, keys === 'keep' ? 403 : 401]);
    expect(await emittedTypes(h, 'team_member', user_id)).toEqual([
      'team_member.joined',
      'team_member.removed',
    ]);
  }
});

test('who goes is out at once, stays a user, and their invitations are void', async () => {
  const as = await freshly(h, ada);
  const member = await joined(h, as, 'owner');
  await invite(h, member, 'friend@example.test', 'viewer');
  const token = await invitationToken(h, 'friend@example.test');
  const [, { data }] = await remove(as, member.user_id, { keys: 'keep', endpoints: 'keep' });
  expect(data.invitations_revoked).toBe(1);
  expect((await h.call('GET /team', { as: member }))[0]).toBe(401);
  expect(refusal(await acceptInvitation(h, token))).toBe('INVALID_TOKEN');
  const again = await freshly(h, member);
  expect((await h.call('GET /sessions', { as: again }))[0]).toBe(200);
  expect(refusal(await h.call('GET /team', { as: again }))).toBe('FORBIDDEN');
  expect((await remove(as, member.user_id))[0]).toBe(404);
});

test('support suspends users, and no colleague', async () => {
  const as = await freshly(h, ada);
  const support = await joined(h, as, 'support');
  const stop = (user_id: number) =>
    h.call('POST /admins/users/{user_id}/stop', {
      as: support,
      params: { user_id },
      body: { reason: 'Asked for by its owner' },
    });
  expect((await stop(ada.user_id))[0]).toBe(403);
  const other = await h.user({ client_id });
  expect((await stop(other.user_id))[0]).toBe(200);
});
