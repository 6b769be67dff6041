import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardUser } from './cards.ts';
import { harness } from './harness.ts';
import { walletOn } from './wallets.ts';

const h = await harness();

/**
 * Columns with the database's own time: leases, queues and chain data. They are compared only with that clock and
 * with chains, which the sandbox can't move, and callers never see them.
 */
const MACHINE = [
  'chain_nonces',
  'chain_replacements',
  'chain_transactions',
  'jobs',
  'migrations',
  'saga_events',
  'sagas',
  'wallet_holds',
];
/** The queue's functions, which use that time; and the service's time, which is derived from it. */
const ASKING = ['jobs_in_turn', 'service_clock', 'service_time', 'turn_jobs'];

test('every timestamp of the database itself uses the service’s clock', async () => {
  const clock = "'\\m(now|current_timestamp|(clock|statement|transaction)_timestamp)\\M'";
  const defaults = await run<{ found: string }>(
    h.db,
    `select distinct c.table_name as found from information_schema.columns c
     where c.table_schema in ('public', 'ledger', 'sandbox') and lower(c.column_default) ~ ${clock}
     order by 1`,
    [],
  );
  expect(defaults.map(({ found }) => found)).toEqual(MACHINE);
  const asking = await run<{ found: string }>(
    h.db,
    `select viewname as found from pg_views
     where schemaname in ('public', 'ledger', 'sandbox') and lower(definition) ~ ${clock}
     union all select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'ledger', 'sandbox')
       and case p.prokind when 'f' then lower(pg_get_functiondef(p.oid)) ~ ${clock} end order by 1`,
    [],
  );
  expect(asking.map(({ found }) => found)).toEqual(ASKING);
});

const MONTH_S = 30 * 86_400;

test('after a move of the clock, new rows have the moved time in every column', async () => {
  await h.operator();
  const [{ at: before } = { at: '' }] = await run<{ at: string }>(
    h.db,
    'select clock_timestamp()::text as at',
    [],
  );
  await h.advance(MONTH_S);
  await useEverything();
  const columns = await run<{ name: string; column_name: string }>(
    h.db,
    `select format('%I.%I', c.table_schema, c.table_name) as name, c.column_name
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema in ('public', 'ledger', 'sandbox') and t.table_type = 'BASE TABLE'
       and c.data_type = 'timestamp with time zone' and c.table_name <> all($1) order by 1, 2`,
    [MACHINE],
  );
  const counted: Record<string, number> = {};
  for (const { name, column_name: column } of columns) {
    const [row] = await run<{ left: number; all: number }>(
      h.db,
      `select count(*) filter (where ${column} between $1::timestamptz and clock_timestamp())
         as left, count(${column}) as all from ${name}`,
      [before],
    );
    counted[`${name}.${column}`] = row?.all ?? 0;
    expect(row?.left, `${name}.${column}`).toBe(0);
  }
  for (const used of [
    'public.users.created',
    'ledger.transfers.created_at',
    'public.api_keys.last_used',
  ])
    expect(counted[used], used).toBeGreaterThan(0);
});

/** One request of every area, so that as many tables as possible have rows. */
async function useEverything(): Promise<void> {
  const body = {
    email: 'one-clock@example.test',
    client_alias: 'One Clock',
    client_type: 'BUSINESS',
    country_code: 'ID',
    phone: '+628111222333',
  };
  const made = await h.call('POST /clients/create_with_admin', { body });
  expect(made[0]).toBe(201);
  const { client_id } = made[1].client;
  const admin = await h.user({ role: 'admin', client_id });
  const user = await h.user({ client_id, ekyc_status: 'PENDING' });
  const as = user;
  const params = { user_id: user.user_id };
  const person = { client_id, username: 'New', email: 'new@example.test', phone: '+62811222444' };
  const calls: [number, unknown][] = [
    await h.call('POST /admins/users', { as: admin, body: { ...person, country_code: 'ID' } }),
    await h.call('POST /clients/create-instance', { as: admin, body: { instance_name: 'Shop' } }),
    await h.call('POST /admins/approve-kyc/{user_id}', { as: admin, params }),
    await h.call('POST /auth/login', {
      body: { usernameoremail: user.email, password: user.password },
    }),
    await h.call('PUT /users/update_profile/{user_id}', {
      as,
      params,
      body: { phone: '+62811222555', current_password: user.password },
    }),
    await h.call('POST /keys/sdk-key', { as, headers: { 'idempotency-key': 'one' }, body: {} }),
    await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } }),
    await h.call('POST /2fa/setup', { as, body: {} }),
    await h.call('POST /pspb/customers', { as: admin, body: { user_id: user.user_id } }),
    await h.call('POST /xusers/login', { body: { phone: '+628123456789' } }),
    await h.call('POST /xotp/request', {
      body: { phone_number: '+628123456789', purpose: 'login' },
    }),
  ];
  expect(calls.map(([status, answer]) => status >= 300 && answer).filter(Boolean)).toEqual([]);
  const cards = cardUser(h, as);
  const [, { data }] = await cards.topUp('20.00');
  await cards.refund(data.reference_id, '5.00');
  await cards.push('5.00');
  await walletOn(h, as, 'sepolia');
  await h.sandbox('POST', '/identity/reviews', {
    externalUserId: String(user.user_id),
    type: 'KYC',
    reviewAnswer: 'GREEN',
  });
  await h.drain();
  await h.kernel.keyUsage.flush();
}
