import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { whilePasswordChanges } from '#test/changing-password.ts';
import { newAccount, newWallet, tokenOf } from '#test/external-login.ts';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { codeOf, type Protected, protectedUser, wrongCodeOf } from '#test/two-factor.ts';
import { untilLockAwaited } from '#test/waiting.ts';

/** What keeps the thief of a session from staying. Out of mock mode, but for the last test. */
const h = await harness({ mock: false });
const mock = await harness();
const FIVE_MINUTES = 5 * 60 + 1;

type Proof = { current_password?: unknown; two_fa_token?: unknown };
const codeIn = (body: { code?: string; error: { code?: string } }) => body.code ?? body.error?.code;

/** Each thing that needs a proof, done as that user: status and code of the answer. */
const DEEDS: Record<string, (on: Harness, as: Person, proof: Proof) => Promise<[number, unknown]>> =
  {
    link: async (on, as, proof) => {
      const ext_token = await tokenOf(on, newAccount());
      const [status, body] = await on.call('POST /extauth/auth/link', {
        as,
        body: { ext_token, ...proof },
      });
      return [status, status < 400 ? undefined : codeIn(body)];
    },
    'link-wallet': async (on, as, proof) => {
      const ext_token = await tokenOf(on, newAccount({ wallets: [newWallet()] }));
      const [status, body] = await on.call('POST /extauth/auth/link-wallet', {
        as,
        body: { ext_token, ...proof },
      });
      return [status, status < 400 ? undefined : codeIn(body)];
    },
    'set up 2FA': async (on, as, proof) => {
      const [status, body] = await on.call('POST /2fa/setup', { as, body: proof });
      return [status, status < 400 ? undefined : body.code];
    },
    'enable 2FA': async (on, as, proof) => {
      const fresh = await on.kernel.sessions.open(on.db, {
        user_id: as.user_id,
        method: 'password',
      });
      const [, { data }] = await on.call('POST /2fa/setup', { as: fresh, body: {} });
      const token = codeOf(on, data.secret);
      const [status, body] = await on.call('POST /2fa/enable', { as, body: { token, ...proof } });
      return [status, status < 400 ? undefined : body.code];
    },
  };

const deeds = Object.entries(DEEDS);

test.each(deeds)('%s: an old session alone is not enough', async (_, deed) => {
  const user = await h.user();
  expect((await deed(h, await h.user(), {}))[0]).toBe(200);
  await h.advance(FIVE_MINUTES);
  expect(await deed(h, user, {})).toEqual([403, 'FRESH_LOGIN_REQUIRED']);
  expect(await deed(h, user, { current_password: 'a guess' })).toEqual([400, 'INVALID_PASSWORD']);
  expect(await deed(h, user, { two_fa_token: '123456' })).toEqual([400, 'INVALID_CODE']);
  expect(await deed(h, user, { current_password: user.password })).toEqual([200, undefined]);
});

test.each(deeds)(
  '%s: a log-in of the last minutes is enough, and says nothing wrong',
  async (_, deed) => {
    const user = await h.user();
    await h.advance(FIVE_MINUTES);
    const body = { usernameoremail: user.email, password: user.password };
    const [, { data }] = await h.call('POST /auth/login', { body });
    expect(await deed(h, { ...user, token: data.token }, { current_password: 'wrong' })).toEqual([
      400,
      'INVALID_PASSWORD',
    ]);
    expect(await deed(h, { ...user, token: data.token }, {})).toEqual([200, undefined]);
  },
);

test('a code of the second factor proves it, each once', async () => {
  const user: Protected = await protectedUser(h);
  const linkBy = (two_fa_token: unknown) => DEEDS['link']?.(h, user, { two_fa_token });
  await h.advance(FIVE_MINUTES);
  const code = codeOf(h, user.secret);
  const many = await Promise.all(Array.from({ length: 6 }, () => linkBy(code)));
  expect(many.map((answer) => answer?.[0]).sort()).toEqual([200, ...Array(5).fill(400)]);
  const [backup] = user.backupCodes;
  expect(await linkBy(backup)).toEqual([200, undefined]);
  expect(await linkBy(backup)).toEqual([400, 'INVALID_CODE']);
  const body = { usernameoremail: user.email, password: user.password };
  await h.call('POST /auth/login', { body });
  // A code that was used here is none for a log-in, nor the other way round.
  const completed = await h.call('POST /auth/complete-login', {
    body: { user_id: user.user_id, two_fa_token: code },
  });
  expect(completed[0]).toBe(401);
});

test('guesses at the password and at codes are counted together, and slowed down', async () => {
  const user = await protectedUser(h);
  await h.advance(FIVE_MINUTES);
  for (let n = 0; n < 5; n += 1) {
    await DEEDS['link']?.(h, user, { two_fa_token: wrongCodeOf(h, user.secret) });
    await DEEDS['link']?.(h, user, { current_password: 'a guess' });
  }
  for (const proof of [
    { current_password: user.password },
    { two_fa_token: codeOf(h, user.secret) },
  ])
    expect(await DEEDS['link']?.(h, user, proof)).toEqual([429, 'RATE_LIMITED']);
});

test('a password that is changed while it is checked proves nothing any more', async () => {
  const user = await h.user();
  await h.advance(FIVE_MINUTES);
  const answer = await whilePasswordChanges(h, user.user_id, () =>
    h.call('POST /2fa/setup', { as: user, body: { current_password: user.password } }),
  );
  expect(answer).toMatchObject([400, { code: 'INVALID_PASSWORD' }]);
});

test('what a session was at when a reset of the password ended it does not come after that', async () => {
  for (const [name, deed] of deeds) {
    // This one needs a session of its own before.
    if (name === 'enable 2FA') continue;
    const user = await h.user();
    const { kernel } = h;
    const { answer } = await transact(h.db, async (tx) => {
      const { user_id } = user;
      await tx
        .selectFrom('users')
        .where('user_id', '=', user_id)
        .forNoKeyUpdate()
        .select('email')
        .execute();
      const acting = deed(h, user, {});
      await untilLockAwaited(h);
      await kernel.sessions.revokeOthers(tx, user_id);
      return { answer: acting };
    });
    expect(await answer).toEqual([401, 'TOKEN_INVALID']);
  }
});

test('a user without a password logs in again with another method', async () => {
  const account = newAccount();
  await h.operator();
  const enter = async () =>
    (
      await h.call('POST /extauth/auth/login', { body: { ext_token: await tokenOf(h, account) } })
    )[1];
  const [first, none] = [await enter(), { current_password: '' }];
  await h.advance(FIVE_MINUTES);
  const as = { ...first.data.user, ...first.data };
  expect(await DEEDS['set up 2FA']?.(h, as, {})).toEqual([403, 'FRESH_LOGIN_REQUIRED']);
  expect((await DEEDS['set up 2FA']?.(h, as, none))?.[0]).toBe(400);
  const again = await enter();
  expect(await DEEDS['set up 2FA']?.(h, { ...as, token: again.data.token }, {})).toEqual([
    200,
    undefined,
  ]);
});

test('refusals are in the audit log of the second factor', async () => {
  const user = await h.user();
  await h.advance(FIVE_MINUTES);
  await DEEDS['set up 2FA']?.(h, user, {});
  const [, { data }] = await h.call('GET /2fa/audit', { as: user });
  expect(data).toMatchObject([{ action: 'setup', success: false, failure_reason: 'not_proven' }]);
});

test.each(deeds)(
  '%s: in mock mode no proof is needed, but a wrong one refused',
  async (_, deed) => {
    const user = await mock.user();
    await mock.advance(FIVE_MINUTES);
    expect(await deed(mock, user, { current_password: 'wrong' })).toEqual([
      400,
      'INVALID_PASSWORD',
    ]);
    expect(await deed(mock, user, {})).toEqual([200, undefined]);
  },
);
