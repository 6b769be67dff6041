import { expect } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import type { Body, Harness, Person } from '../harness.ts';
import type { Operation } from './operations.ts';
import { sampleOf } from './operations.ts';
import type { Ids } from './placements.ts';

/** A marker in all names of the victims and their things; no stranger may read it. */
export const MARK = 'owner-of-things';

export interface World {
  readonly owner: Person;
  /** An admin of the owner's client. */
  readonly chief: Person;
  /** A member of the rewards app with things of their own. */
  readonly member: { readonly token: string };
  /** Ids of the victims' things, by the names that fields have for them. */
  readonly foreign: Ids['foreign'];
}

/** A user with one thing of every kind. */
export async function makeWorld(h: Harness, operations: readonly Operation[]): Promise<World> {
  const owner = await h.user({ username: MARK, ekyc_status: 'APPROVED', phone: '+15557770001' });
  const { client_id } = owner;
  const chief = await h.user({ role: 'admin', client_id, username: `${MARK}-chief` });
  const ask = async (id: RouteId, as: { token: string }, rest: object): Promise<Body> => {
    const [status, body] = await h.call(id, { as, ...rest });
    expect(status, `${id}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  };
  await ask('POST /clients/create-instance', chief, { body: { instance_name: MARK } });
  const key = await ask('POST /keys/sdk-key', owner, { body: {} });
  const { data: crypto } = await ask('POST /manual/wallets/crypto', owner, {
    body: { user_id: owner.user_id, wallet_name: MARK, chain_id: 'sepolia' },
  });
  const card = { card_number: '4111111111111111', expiry_date: '1239', amount: 100 };
  const { data: topUp } = await ask('POST /card-checkout/cardcc', owner, {
    body: { ...card, currency_code: 'USD' },
  });
  const { data: transfer } = await ask('POST /crosschain/initiate', owner, {
    body: {
      user_id: owner.user_id,
      amount: '10',
      from_chain: 'sepolia',
      to_chain: 'amoy',
      token: 'USDC',
      recipient_address: '0x00000000000000000000000000000000000a11ce',
    },
  });
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone: '+628120007770' } });
  const member = { token };
  const made = {
    user_id: owner.user_id,
    userId: owner.user_id,
    client_id,
    api_key: key.api_key,
    bw_id: crypto.bw_id,
    wallet_id: topUp.wallet_id,
    reference_id: topUp.reference_id,
    reference: topUp.reference_id,
    log_id: transfer.log_id,
    nonce: transfer.nonce,
  };
  const read = await harvest(h, operations, [owner, chief], made);
  return { owner, chief, member, foreign: { ...read, ...made } };
}

/** The values of that id's name in the victims' own answers. */
async function harvest(
  h: Harness,
  operations: readonly Operation[],
  people: readonly Person[],
  made: Ids['foreign'],
): Promise<Record<string, string | number>> {
  const found: Record<string, string | number> = {};
  for (const as of people)
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const known: Record<string, string | number> = { ...found, ...made };
      const params = Object.fromEntries(
        [...operation.params].map(([name, schema]) => [
          name,
          known[name] ?? String(sampleOf(schema)),
        ]),
      );
      const [, body] = await h.call(operation.id as RouteId, { as, params });
      collect(body, found);
    }
  return found;
}

const ID = /^(?:\w+_id|\w+Id|session_id|nonce)$/;
const NOT_THEIRS = new Set(['request_id', 'psp_id', 'chain_id', 'chainId', 'merchant_id']);

function collect(value: unknown, into: Record<string, string | number>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const isId = ID.test(name) && !NOT_THEIRS.has(name);
    if (isId && (typeof part === 'string' || typeof part === 'number')) into[name] ??= part;
    collect(part, into);
  }
}

/** One text that changes with any row of the owner, their client or their ledger accounts. */
export async function standingOf(h: Harness, { user_id, client_id }: Person): Promise<string> {
  const { rows } = await h.kernel.pool.query(await statement(h), [user_id, client_id]);
  return JSON.stringify(rows);
}

let known: string | undefined;

/**
 * Failed attempts are stored on purpose, and keys count their uses. Jobs and figures are counted by client: another user
 * of the client has their own.
 */
const NOISE = [
  ...['login_failures', 'two_factor_audit', 'activity_log', 'jobs'],
  ...['payment_days', 'payment_day_changes'],
];

async function statement(h: Harness): Promise<string> {
  if (known !== undefined) return known;
  const { rows } = await h.kernel.pool.query(`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name,
           array_agg(column_name::text) as columns
      from information_schema.columns
     where table_schema in ('public', 'ledger')
       and column_name in ('user_id', 'client_id', 'owner')
       and not (column_name = 'owner' and data_type <> 'text')
     group by 1`);
  known = (rows as { name: string; columns: string[] }[])
    .filter(({ name }) => !NOISE.some((noise) => name.endsWith(`.${noise}`)))
    .map(({ name, columns }) => {
      const mine = columns.includes('user_id')
        ? 't.user_id = $1'
        : columns.includes('owner')
          ? `t.owner = 'user:' || $1`
          : 't.client_id = $2';
      return `select '${name}' as name, count(*) as n,
        md5(string_agg((to_jsonb(t) - '{last_used,last_used_at,usage_count}'::text[])::text, ','
          order by to_jsonb(t)::text)) as digest
        from ${name} t where ${mine}`;
    })
    .join(' union all ');
  known = `with given as (select $1::integer, $2::integer) ${known} order by 1`;
  return known;
}
