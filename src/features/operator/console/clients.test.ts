import { expect, test } from 'vitest';
import { ask, signIn } from '#test/console.ts';
import { harness } from '#test/harness.ts';

/** The console of a client's people, beside the operator's. */
const h = await harness({ mock: false });
const closed = await harness({ config: { CONSOLE_CLIENTS: 'off' } });
const strict = await harness({ mock: false, config: { OPERATOR_2FA: 'required' } });

test('a client’s admin gets in, and is shown what their role opens', async () => {
  const admin = await h.user({ role: 'admin' });
  await h.db
    .updateTable('users')
    .set({ team_role: 'support' })
    .where('user_id', '=', admin.user_id)
    .execute();
  const { status, cookie } = await signIn(h, admin);
  expect(status).toBe(200);
  const [, { data }] = await ask(h, 'GET /console/me', cookie);
  expect(data).toMatchObject({
    user: { client_id: admin.client_id },
    home: 'client',
    organisation: expect.stringContaining('Client'),
    team_role: 'support',
  });
  expect(data.may).toEqual(expect.arrayContaining(['payments:read', 'freezes:write']));
  expect(data.may).not.toContain('payments:write');
  expect(data.may.filter((mark: string) => mark.startsWith('team:'))).toEqual([]);
});

test('the cookie reaches the own client alone, and nothing that is the operator’s', async () => {
  const admin = await h.user({ role: 'admin' });
  const mine = await h.user({ client_id: admin.client_id });
  const foreign = await h.user();
  const { cookie } = await signIn(h, admin);
  const wallets = (user_id: number) =>
    ask(h, 'GET /wallets/fiat/{user_id}', cookie, { params: { user_id } });
  expect((await wallets(mine.user_id))[0]).toBe(200);
  expect((await wallets(foreign.user_id))[0]).toBe(404);
  for (const id of ['GET /desk/work', 'GET /adjustments', 'GET /desk/orders'] as const)
    expect([id, (await ask(h, id, cookie))[0]]).toEqual([id, 403]);
  const [status, { data }] = await ask(h, 'GET /team', cookie);
  expect([status, data.members.length]).toEqual([200, 1]);
});

test('CONSOLE_CLIENTS=off shuts it for clients, also for a session that is open', async () => {
  const admin = await closed.user({ role: 'admin' });
  const refused = await signIn(closed, admin);
  expect([refused.status, refused.set]).toEqual([403, '']);
  const { user_id } = admin;
  const opened = { user_id, method: 'console', console: true } as const;
  const { token } = await closed.kernel.sessions.open(closed.db, opened);
  expect((await ask(closed, 'GET /team', `archipay-console=${token}`))[0]).toBe(403);
  expect((await signIn(closed, await closed.operator())).status).toBe(200);
});

test('where the operator needs a second factor, so does the console of clients', async () => {
  const admin = await strict.user({ role: 'admin' });
  const { body, cookie } = await signIn(strict, admin);
  expect(body.data.state).toBe('set_up_second_factor');
  const [status, { error }] = await ask(strict, 'GET /team', cookie);
  expect([status, error.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
  expect((await ask(strict, 'GET /console/me', cookie))[0]).toBe(200);
  // By key and token nothing changes for them.
  expect((await strict.call('GET /team', { as: admin }))[0]).toBe(200);
});

test('numbers of people have names: of the own client, and for the operator of all', async () => {
  const admin = await h.user({ role: 'admin', username: 'Olga' });
  const foreign = await h.user({ username: 'Fritz' });
  const query = { ids: `${admin.user_id},${foreign.user_id},999999999` };
  const names = async (as: { email: string; password: string }) => {
    const { cookie } = await signIn(h, as);
    const [status, { data }] = await ask(h, 'GET /console/people', cookie, { query });
    expect(status).toBe(200);
    return data.people.map(({ username }: { username: string }) => username);
  };
  expect(await names(admin)).toEqual(['Olga']);
  expect(await names(await h.operator())).toEqual(['Olga', 'Fritz']);
});
