import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { run } from '#kernel/db/db.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { ensurePayout } from '#sandbox/providers/gateway/simulated-payouts.ts';
import { xenditSimulator } from '#sandbox/providers/gateway/xendit-simulator.ts';
import { plaidSimulator } from '#sandbox/providers/plaid/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { exchangeAdapter } from './exchange/adapter.ts';
import { bankLink } from './plaid/adapter.ts';

/**
 * The simulators live in the service's own process, which is killed in chaos: what they do in several writes
 * is done whole or not at all, as it is at a real provider. Otherwise money would be lost there for good.
 */
const config = loadConfig({ NODE_ENV: 'test' });
const { url, world, clock, control, db } = await testSandbox(
  exchangeSimulator(config, {}),
  xenditSimulator(config),
  plaidSimulator({ PLAID_CLIENT_ID: 'test-client', PLAID_SECRET: 'test-secret' }),
);

await run(
  db,
  `create function refuse_records() returns trigger language plpgsql as $$
   begin
     if new.kind = tg_argv[0] then raise exception 'killed before that'; end if;
     return new;
   end $$`,
  [],
);
/** From now on everything is stopped before it writes a record of that kind. */
const killBefore = (kind: string) =>
  run(
    db,
    `create trigger killed before insert on sandbox.records
       for each row execute function refuse_records('${kind}')`,
    [],
  );
const heal = () => run(db, 'drop trigger if exists killed on sandbox.records', []);
afterEach(heal);

test('rupiah in flight to the exchange at a kill arrive at the next start', async () => {
  const shop = exchangeAdapter({
    id: 'tokocrypto' as const,
    url: () => `${url}/exchange`,
    clock,
    isLimited: false,
    key: config.EXCHANGE_KEY,
    secret: config.EXCHANGE_SECRET,
  });
  await ensurePayout(world, {
    reference_id: 'HALF',
    amount: 70_000,
    currency: 'IDR',
    channel_code: 'ID_BCA',
    channel_properties: { account_number: '12345678', account_holder_name: 'A' },
    description: 'Test',
  });
  const arrive = () => control('POST /exchange/deposits', { reference_id: 'HALF' });
  await killBefore('deposit');
  expect((await arrive()).status).toBe(500);
  await heal();
  expect((await arrive()).status).toBe(201);
  expect((await arrive()).status).toBe(409);
  expect(await shop.balances()).toMatchObject({ kind: 'done', value: { idr: 70_000_00n } });
});

test('a bank transfer of which nothing could be told has not moved', async () => {
  const plaid = bankLink({
    url: () => `${url}/plaid`,
    clientId: 'test-client',
    secret: 'test-secret',
    clock,
  });
  const done = <T>(outcome: { kind: string; value?: T }): T => {
    if (outcome.kind !== 'done') throw new Error(`Not done: ${JSON.stringify(outcome)}`);
    return outcome.value as T;
  };
  const { body } = await control('POST /banklink/public-tokens', {});
  const { public_token, metadata } = body as {
    public_token: string;
    metadata: { account_id: string };
  };
  const { accessToken } = done(await plaid.exchange(public_token));
  const debit = { accessToken, accountId: metadata.account_id, amount: '12.34' };
  const authorize = () =>
    plaid.authorize({ ...debit, reference: 'half-way', legalName: 'Ada Lovelace' });
  await killBefore('authorization');
  expect((await authorize()).kind).toBe('unknown');
  await heal();
  const request = { ...debit, authorizationId: done(await authorize()), reference: 'ours' };

  await killBefore('event');
  expect((await plaid.createTransfer(request)).kind).toBe('unknown');
  await heal();
  const { id } = done(await plaid.createTransfer(request));
  const post = () => control(`POST /banklink/transfers/${id}/events`, { event_type: 'posted' });
  await killBefore('event');
  expect((await post()).status).toBe(500);
  await heal();
  expect((await post()).status).toBeLessThan(300);
  const told = await run<{ type: string }>(
    db,
    `select data->>'event_type' as type from sandbox.records where kind = 'event' order by (data->>'event_id')::int`,
    [],
  );
  expect(told.map(({ type }) => type)).toEqual(['pending', 'posted']);
});
