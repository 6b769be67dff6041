import { expect, test } from 'vitest';
import { correcting } from '#test/adjustments.ts';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { mailTo } from '#test/mails.ts';

/** Two people means two people: an account that one can create or take over is no second person. */
const live = await harness({
  mock: false,
  config: { PROFILE_OTP: 'off', CORRECTIONS_DAY_USD: '30' },
});
const strict = await harness({
  mock: false,
  config: { PROFILE_OTP: 'off', OPERATOR_2FA: 'required' },
});
const DAY_MS = 24 * 3600_000;
const REFUSED = [403, 'SECOND_PERSON_REQUIRED'];

const codeIn = ([status, body]: readonly [number, { error?: { code: string } }]) => [
  status,
  body.error?.code,
];

/** An admin of the operator whose account is that many days old. */
async function aged(h: Harness, person: Person, days: number): Promise<Person> {
  const created = new Date(h.clock.now().getTime() - days * DAY_MS).toISOString();
  await h.db.updateTable('users').set({ created }).where('user_id', '=', person.user_id).execute();
  return person;
}

async function team(h: Harness) {
  const all = await correcting(h);
  await aged(h, all.ben, 8);
  const wish = async (amount: string) => {
    const { wallet_id, currency } = await all.walletOf(await h.user());
    return { kind: 'adjustment', direction: 'credit', wallet_id, currency, amount };
  };
  const proposed = async (amount = '1', by = all.ada) =>
    (await all.propose(by, await wish(amount)))[1].data;
  return { ...all, proposed };
}

/** What a proposal says that its reader may do. */
async function actsOf(as: Person, { adjustment_id }: { adjustment_id: string }) {
  const params = { adjustment_id };
  const [, { data }] = await live.call('GET /adjustments/{adjustment_id}', { as, params });
  return data.you_may;
}

const newOperator = (h: Harness, as: Person, email: string) =>
  h.call('POST /admins/users', {
    as,
    body: {
      client_id: 1,
      username: email.split('@')[0],
      email,
      phone: '+12025550143',
      country_code: 'SG',
      role: 'admin',
    },
  });

test('an account has to be a week older than the proposal that it approves', async () => {
  const { ada, ben, decide, proposed } = await team(live);
  const young = await aged(live, await live.operator(), 6);
  const first = await proposed();
  const acts = { young: await actsOf(young, first), ben: await actsOf(ben, first) };
  expect(acts).toEqual({ young: ['reject'], ben: ['approve', 'reject'] });
  expect(await actsOf(ada, first)).toEqual(['withdraw']);
  expect(codeIn(await decide(young, 'approve', first))).toEqual(REFUSED);
  const [, body] = await decide(young, 'approve', first);
  expect(body.error.hint).toMatch(/7 days old/);
  expect((await decide(ben, 'approve', first))[0]).toBe(200);
  expect(await actsOf(ada, first)).toEqual([]);
});

test('an account that the proposer reinstated or moved cannot approve their proposals', async () => {
  const { ada, ben, decide, proposed } = await team(live);
  const params = { user_id: ben.user_id };
  const reason = 'A test';
  const [status] = await live.call('POST /admins/users/{user_id}/move-address', {
    as: ada,
    params,
    body: { email: `moved-${ben.email}`, reason, current_password: ada.password },
  });
  expect(status).toBe(202);
  const theirs = await proposed();
  expect(codeIn(await decide(ben, 'approve', theirs))).toEqual(REFUSED);
  // Another admin's proposal is unaffected.
  const other = await proposed('1', await live.operator());
  expect((await decide(ben, 'approve', other))[0]).toBe(200);
});

test('a suspension or correction of an admin does not bar their approval', async () => {
  const { ada, ben, decide, proposed, propose, walletOf } = await team(live);
  const { wallet_id, currency } = await walletOf(ben);
  const wish = { kind: 'adjustment', direction: 'credit', wallet_id, currency, amount: '1' };
  expect((await propose(ada, wish))[0]).toBe(201);
  expect((await decide(ben, 'approve', await proposed()))[0]).toBe(200);
});

test('where a second factor is required the second person has one', async () => {
  const ada = await withFactor(await strict.operator());
  const ben = await withFactor(await aged(strict, await strict.operator(), 8));
  const { wallet_id, currency } = await (await correcting(strict)).walletOf(await strict.user());
  const wish = { kind: 'adjustment', direction: 'credit', wallet_id, currency, amount: '1' };
  const body = { reason: 'A test', ...wish };
  const [, { data }] = await strict.call('POST /adjustments', { as: ada, body });
  const approve = () =>
    strict.call('POST /adjustments/{adjustment_id}/approve', {
      as: ben,
      params: { adjustment_id: data.adjustment_id },
      body: {},
    });
  const has = (twofa_enabled: boolean) =>
    strict.db
      .updateTable('users')
      .set({ twofa_enabled })
      .where('user_id', '=', ben.user_id)
      .execute();
  await has(false);
  strict.kernel.credentials.forget('user', ben.user_id);
  expect(codeIn(await approve())).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
  await has(true);
  strict.kernel.credentials.forget('user', ben.user_id);
  expect((await approve())[0]).toBe(200);
});

async function withFactor(person: Person): Promise<Person> {
  const { user_id } = person;
  await strict.db
    .updateTable('users')
    .set({ twofa_enabled: true })
    .where('user_id', '=', user_id)
    .execute();
  const { token } = await strict.kernel.sessions.open(strict.db, { user_id, method: 'totp' });
  return { ...person, token };
}

test('the other admins get a mail for a new admin and for a booked correction', async () => {
  const { ada, ben, decide, proposed } = await team(live);
  const email = `new-${ada.user_id}@example.test`;
  expect((await newOperator(live, ada, email))[0]).toBe(201);
  expect((await mailTo(live, ben.email, /new admin/)).text).toContain(String(ada.user_id));
  const waiting = await proposed();
  expect((await decide(ben, 'approve', waiting))[0]).toBe(200);
  expect((await mailTo(live, ada.email, /correction of the ledger/)).text).toContain(
    waiting.adjustment_id,
  );
});

test('corrections have a ceiling a day, which concurrent approvals do not pass', async () => {
  await live.advance(25 * 3600);
  const { ben, decide, proposed, logInAgain } = await team(live);
  await logInAgain();
  const waiting = [await proposed('20'), await proposed('20'), await proposed('20')];
  const answers = await Promise.all(waiting.map((one) => decide(ben, 'approve', one)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, 400, 400]);
  const refused = answers.filter(([status]) => status === 400);
  for (const [, body] of refused)
    expect(body.error).toMatchObject({ code: 'LIMIT_EXCEEDED', hint: expect.any(String) });
  await live.advance(25 * 3600);
  await logInAgain();
  const left = waiting.filter((_, i) => answers[i]?.[0] === 400);
  expect((await decide(ben, 'approve', left[0]))[0]).toBe(200);
});
