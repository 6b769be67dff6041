import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import type { Requester } from '../access/requester.ts';
import { createMessageQuotas, type MessageToSend, readMessagesOfDay } from './message-quotas.ts';
import { createQuotas } from './quota.ts';

const DAY_MS = 24 * 3600_000;
const database = await testDatabase();
const { db, close } = openDatabase(database.url);
const clock = createClock();
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
afterAll(async () => {
  await close();
  await database.close();
});

const configOf = (settings: Record<string, string> = {}) =>
  loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false', ...settings });

/** Whether each is sent, left out or refused, one after the other. */
async function sent(toSend: readonly MessageToSend[], settings: Record<string, string> = {}) {
  const config = configOf(settings);
  const messageQuotas = createMessageQuotas(config, createQuotas({ clock, log, config }));
  const answers: string[] = [];
  for (const sending of toSend)
    answers.push(
      await transact(db, (tx) => messageQuotas.admit(tx, sending)).then(
        (isSent) => (isSent ? 'sent' : 'left out'),
        (error) => (error instanceof AppError ? error.code : String(error)),
      ),
    );
  return answers;
}
const many = (n: number, sendingOf: (n: number) => MessageToSend) =>
  Array.from({ length: n }, (_, i) => sendingOf(i));
const times = (answers: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
};

let serial = 0;
const another = () => {
  serial += 1;
  return serial;
};
const newPhone = (code = '62') => `+${code}8${String(another()).padStart(8, '0')}`;
const newMail = () => `somebody-${another()}@example.test`;
const newNetwork = () => {
  const n = another();
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
};
const stranger = (over: Partial<Requester> = {}): Requester => ({
  ip: newNetwork(),
  key_id: another(),
  client_id: null,
  user_id: null,
  ...over,
});

async function clientOf(client_status: string): Promise<number> {
  const n = another();
  const [row] = await run<{ client_id: number }>(
    db,
    `insert into clients
       (client_code, email, client_alias, client_type, client_status, country_code, phone)
     values ($1, $2, 'A', 'BUSINESS', $3, 'US', '+1') returning client_id`,
    [`CL-200001-${String(n).padStart(4, '0')}`, `${n}@example.test`, client_status],
  );
  return row?.client_id ?? 0;
}
const approved = async () => stranger({ client_id: await clientOf('ACTIVE') });
/** One of the only client that is approved. */
async function alone(): Promise<Requester> {
  await run(db, `update clients set client_status = 'PENDING' where client_id <> 1`, []);
  return approved();
}

const sms = (by: Requester, to = newPhone()): MessageToSend => ({
  kind: 'code',
  channel: 'sms',
  to,
  by,
});
const invitation = (by: Requester, to = newMail()): MessageToSend => ({
  kind: 'invitation',
  channel: 'email',
  to,
  by,
});

/** The ceilings are a day's, so every test has its own. */
beforeEach(() => clock.advance(DAY_MS - (clock.now().getTime() % DAY_MS)));

describe('a key without a client', () => {
  test('has 30 codes sent from one network in a quarter of an hour, to whomever', async () => {
    const by = stranger();
    expect(times(await sent(many(35, () => sms(by))))).toEqual({ sent: 30, RATE_LIMITED: 5 });
    clock.advance(15 * 60_000);
    expect(await sent([sms(by)])).toEqual(['sent']);
  });

  test('has 300 sent in a day, from wherever', async () => {
    const { key_id = 0 } = stranger();
    const answers = await sent(many(310, () => sms(stranger({ key_id }))));
    expect(times(answers)).toEqual({ sent: 300, RATE_LIMITED: 10 });
  });

  test('is no better as that of a client that is not approved', async () => {
    const client_id = await clientOf('PENDING');
    const answers = await sent(many(310, () => sms(stranger({ client_id }))));
    expect(times(answers)).toEqual({ sent: 300, RATE_LIMITED: 10 });
  });

  test('is no better as that of a user of the operator’s who is no admin', async () => {
    await run(
      db,
      `insert into clients (client_id, client_code, email, client_alias, client_type, client_status,
         country_code, phone)
       values (1, 'CL-200000-0001', 'o@example.test', 'O', 'BUSINESS', 'ACTIVE', 'SG', '+65')`,
      [],
    );
    const userOf = async (role: string) => {
      const [row] = await run<{ user_id: number }>(
        db,
        `insert into users (client_id, username, email, role) values (1, $1, $2, $3)
         returning user_id`,
        [role, `${role}@operator.test`, role],
      );
      return row?.user_id ?? 0;
    };
    const codesOf = async (role: string) => {
      const by = stranger({ client_id: 1, user_id: await userOf(role) });
      return times(await sent(many(40, () => sms(by))));
    };
    expect(await codesOf('user')).toEqual({ sent: 30, RATE_LIMITED: 10 });
    expect(await codesOf('admin')).toEqual({ sent: 40 });
  });
});

test('an approved client has ten times as many sent from one network', async () => {
  const by = await approved();
  expect(times(await sent(many(305, () => sms(by))))).toEqual({ sent: 300, RATE_LIMITED: 5 });
});

describe('one receiver', () => {
  test('is one however the address is spelled, and gets 30 invitations an hour', async () => {
    const n = another();
    const spelled = (i: number) => (i % 2 === 0 ? `bomb-${n}+${i}@V.test` : `BOMB-${n}@v.test`);
    const answers = await sent(many(40, (i) => invitation(stranger(), spelled(i))));
    expect(times(answers)).toEqual({ sent: 30, RATE_LIMITED: 10 });
  });

  test('gets ten codes from one network in a quarter of an hour, and 30 an hour from all', async () => {
    const by = stranger();
    const to = newPhone();
    const spaced = to.replace('8', ' 8-');
    const near = await sent(many(12, (i) => sms(by, i % 2 === 0 ? to : spaced)));
    expect(times(near)).toEqual({ sent: 10, RATE_LIMITED: 2 });
    const far = await sent(many(30, () => sms(stranger(), to)));
    expect(times(far)).toEqual({ sent: 20, RATE_LIMITED: 10 });
  });

  test('still gets links and notices when strangers have used up its codes', async () => {
    const to = newMail();
    await sent(many(31, () => ({ ...invitation(stranger(), to), kind: 'code' })));
    const owner = { channel: 'email', to, by: { ip: newNetwork(), actor: 'user:1' } } as const;
    expect(
      await sent([
        { ...owner, kind: 'reset' },
        { ...owner, kind: 'notice' },
      ]),
    ).toEqual(['sent', 'sent']);
  });
});

describe('the ceiling of a day', () => {
  const few = { DAILY_SMS: '10' };

  test('is half open to strangers, and the rest is for approved clients', async () => {
    const strangers = await sent(
      many(8, () => sms(stranger())),
      few,
    );
    expect(times(strangers)).toEqual({ sent: 5, RATE_LIMITED: 3 });
    const by = await approved();
    const known = await sent(
      many(8, () => sms(by)),
      few,
    );
    expect(times(known)).toEqual({ sent: 5, RATE_LIMITED: 3 });
    clock.advance(DAY_MS);
    expect(await sent([sms(stranger())], few)).toEqual(['sent']);
  });

  test('is half one approved client’s while there is another, and the answer says so', async () => {
    const [one, other] = [await alone(), await approved()];
    const by = ({ client_id = null }: Requester) => many(8, () => sms(stranger({ client_id })));
    expect(times(await sent(by(one), few))).toEqual({ sent: 5, RATE_LIMITED: 3 });
    const config = configOf(few);
    const messageQuotas = createMessageQuotas(config, createQuotas({ clock, log, config }));
    await expect(transact(db, (tx) => messageQuotas.admit(tx, sms(one)))).rejects.toMatchObject({
      message: 'Too many codes requested, try again later',
      hint: expect.stringMatching(/^Your client has used up its part of .* sms a day, 5 of 10/),
    });
    expect(times(await sent(by(other), few))).toEqual({ sent: 5, RATE_LIMITED: 3 });
  });

  test('is logged at four fifths and when it is reached, and read by the metrics', async () => {
    const by = await alone();
    lines.length = 0;
    await sent(
      many(11, () => sms(by)),
      { DAILY_SMS: '10' },
    );
    const told = lines.map((line) => JSON.parse(line));
    const of = (budget: string) =>
      told.filter((line) => line.budget === budget).map(({ level, msg }) => [level, msg]);
    expect(of('sms a day')).toEqual([
      ['error', 'a ceiling is nearly reached'],
      ['error', 'a ceiling is reached: no more today'],
    ]);
    expect(await readMessagesOfDay(db, configOf(few), clock.now())).toContainEqual({
      channel: 'sms',
      sent: 10,
      ceiling: 10,
    });
  });

  test('is a quarter of it for one country, unless it is the app’s own or listed', async () => {
    const by = await alone();
    const to = async (code: string, settings: Record<string, string>) => {
      clock.advance(DAY_MS);
      const codes = many(25, () => sms(by, newPhone(code)));
      return times(await sent(codes, { DAILY_SMS: '20', ...settings }))['sent'];
    };
    expect(await to('44', {})).toBe(5);
    expect(await to('62', {})).toBe(20);
    expect(await to('44', { DIAL_CODES: '44' })).toBe(20);
    expect(await to('44', { DIAL_CODES: '62,44:7' })).toBe(7);
  });

  test('holds no notice back, and leaves news out without a word', async () => {
    const none = { DAILY_EMAILS: '0', DAILY_PUSHES: '0' };
    const by = { ip: newNetwork(), actor: 'user:1' };
    const mail = { channel: 'email', to: newMail(), by } as const;
    const push: MessageToSend = { kind: 'news', channel: 'push', to: 'device-1', by };
    const toSend: MessageToSend[] = [
      { ...mail, kind: 'notice' },
      { ...mail, kind: 'invitation' },
      { ...mail, kind: 'reset' },
      push,
    ];
    expect(await sent(toSend, none)).toEqual(['sent', 'RATE_LIMITED', 'left out', 'left out']);
  });
});

test('what goes nowhere is refused before anything is counted', async () => {
  const by = stranger();
  expect(await sent(many(40, () => sms(by, newPhone('882'))))).toEqual(
    Array(40).fill('NUMBER_NOT_SERVED'),
  );
  expect(await sent([sms(by)])).toEqual(['sent']);
});

test('in mock mode nobody is a stranger, and one receiver still gets no more than 30 an hour', async () => {
  const mock = { MOCK_MODE: 'true' };
  const by = stranger();
  const codes = await sent(
    many(60, () => sms(by)),
    mock,
  );
  expect(times(codes)).toEqual({ sent: 60 });
  const to = newMail();
  const mails = await sent(
    many(40, () => invitation(by, to)),
    mock,
  );
  expect(times(mails)).toEqual({ sent: 30, RATE_LIMITED: 10 });
});
