import { BIG_CLIENT, type Sizes } from './sizes.ts';
import { ADDRESS, ago, HASH, mostlyBusy, overriding, PLACE, range, uuid } from './sql.ts';

/** Work that ended long ago, which schedules and sweeps skip; and events, whose last are read. */
export const past = (sizes: Sizes): Readonly<Record<string, string>> => ({
  ...work(sizes),
  ...orders(sizes),
  ...events(sizes),
  ...verified,
});

/** Up to the retention: the oldest is eighty days old. */
const days = (most: number) => `now() - n % ${most} * interval '1 day' - interval '1 day'`;

const work = ({ ended, users, keys }: Sizes) => ({
  effects: `insert into effects (kind, id, state, opened_at, ended_at, calls)
    select 'grown', n::text, 'SETTLED', ${days(80)}, ${days(80)}, 1 from ${range(ended)}`,
  inbox: `insert into inbox (source, id, event, received_at, processed_at, outcome)
    select 'grown', n::text, '{}', ${days(25)}, ${days(25)}, 'done' from ${range(ended)}`,
  sagas: `insert into sagas (id, type, state, version, finished)
    select 'grown ' || n, 'grown', 'done', 3, true from ${range(ended)}`,
  messages: `insert into messages (message_id, channel, recipient, purpose, user_id, status, attempts,
      created_at, sent_at)
    select ${uuid('e')}, 'email', 'u' || n || '@grown.example', 'notice', 1 + n % ${users}, 'sent', 1,
      ${days(20)}, ${days(20)} from ${range(ended)}`,
  api_keys: `insert into api_keys (key_hash, key_prefix, key_suffix, user_id, client_id, last_used, expires_at)
    select sha256(('k' || n)::bytea), 'ak_live_xx', 'xxxx', 1 + n % ${users}, ${BIG_CLIENT}, now(),
      now() + interval '1 year' from ${range(keys)}`,
  networks: `insert into user_networks (user_id, network, last_seen)
    select n, '10.0.0.0/24', now() - n % 80 * interval '1 day' from ${range(users)}`,
  partners: `insert into partner_customers (user_id, idempotency_key, keyed_at, customer_type, name, email,
      customer_id, snapshot, synced_at)
    select n, ${uuid('p')}, now(), 'individual', 'Ada', 'u' || n || '@grown.example', 'grown ' || n, '{}',
      now() from ${range(users / 10, 10)}`,
});

const orders = (sizes: Sizes) => {
  const { ended, users } = sizes;
  const owner = `1 + n % ${users}`;
  return {
    sends: `insert into onchain_sends (operation, user_id, client_id, bw_id, wallet_name, wallet_label,
        wallet_address, chain_id, token_symbol, token_contract, destination, units, fee_units, treasury,
        gas_points, status, fee_status, is_settled, created_at)
      select ${uuid('o')}, ${owner}, ${BIG_CLIENT}, 1, 'w', 'w', ${ADDRESS}, 'sepolia', 'ETH', 'native',
        ${ADDRESS}, 1, 0, ${ADDRESS}, 10000, 'CONFIRMED', 'NONE', true, ${ago('minute')}
      from ${range(ended)}`,
    payouts: `insert into payouts (reference, payer, client_id, units, state, gateway_id, asked_at, paid_at,
        look_at)
      select 'grown-' || n, 'idr-token', ${BIG_CLIENT}, 100, 'PAID', 'g' || n, ${ago('minute')},
        ${ago('minute')}, null from ${range(ended)}`,
    purchases: `insert into purchase_orders (order_id, operation, user_id, client_id, version, status,
        chain_id, wallet_address, chain_info, product, recipient, price_asset, price_units, usdc_units, rate,
        rates_source, rates_at, failure, created_at, expires_at)
      select 'MCP-' || lpad(n::text, 13, '0') || '-' || upper(substr(md5(n::text), 1, 8)), ${uuid('q')},
        ${owner}, ${BIG_CLIENT}, 'v2', 'FAILED', 'sepolia', ${ADDRESS}, '{}', '{}', '{}', 'USD', 100,
        1000000, '1', 'grown', now(), 'grown', ${ago('minute')}, now() + interval '1 hour'
      from ${range(ended)}`,
    mints: `insert into idr_mints (mint_id, reference_id, operation, user_id, client_id, amount_idr, amount_token,
        fee_amount, total_amount_idr, payment_method, chain_id, wallet_address, status, payment_status,
        expired_at, created_at, updated_at, ordinal) ${overriding}
      select ${ended} - n + 1, 'MINT-' || n || '-1', ${uuid('i')}, u, ${BIG_CLIENT}, 2000000, 2000000, 0,
        2000000, 'QRIS', 'sepolia', ${ADDRESS}, 'CANCELLED', 'EXPIRED', ${ago('minute')}, ${ago('minute')},
        ${ago('minute')}, ${PLACE}
      from ${range(ended)}, ${mostlyBusy(sizes)}`,
    market: `insert into marketplace_orders (serial, order_id, operation, user_id, client_id, ordinal, source,
        product, vendor, recipient, is_known, original_units, original_currency, usd_units, shipping_units,
        total_units, units, chain_id, wallet_address, contract_address, token_address, page_key,
        payment_status, blockchain_tx_hash, vendor_reference, expires_at, created_at, paid_at, completed_at)
        ${overriding}
      select ${ended} - n + 1, 'MKT-' || lpad(n::text, 13, '0') || '-' || substr(md5(n::text), 1, 8),
        ${uuid('k')}, u, ${BIG_CLIENT}, ${PLACE}, 'marketplace_1', '${PRODUCT}', '${VENDOR}', '${RECIPIENT}',
        true, 100, 'USD', 100, 0, 100, 1000000, 'sepolia', ${ADDRESS}, ${ADDRESS}, ${ADDRESS}, md5(n::text),
        'COMPLETED', ${HASH}, 'v' || n, ${ago('minute')}, ${ago('minute')}, ${ago('minute')}, ${ago('minute')}
      from ${range(ended)}, ${mostlyBusy(sizes)}`,
    order_counts: `insert into list_counts (list, owner, facet, n)
      select 'idr_mints', user_id, '{}'::text[], count(*) from idr_mints group by 2
      union all select 'idr_mints', user_id, array[status], count(*) from idr_mints group by 2, status
      union all select 'marketplace_orders', user_id, '{}', count(*) from marketplace_orders group by 2
      union all select 'marketplace_orders', user_id, array[payment_status], count(*)
        from marketplace_orders group by 2, payment_status`,
  };
};

const PRODUCT = JSON.stringify({
  id: '1',
  title: 'Lamp',
  description: 'A lamp',
  image: null,
  url: 'https://shop.example/1',
  source: 'marketplace_1',
});
const VENDOR = JSON.stringify({
  name: 'Shop',
  marketplace: 'marketplace_1',
  shop_name: 'Shop',
  shop_url: 'https://shop.example',
});
const RECIPIENT = JSON.stringify({
  name: 'Ada',
  phone: null,
  address: '1 Street',
  email: null,
  notes: null,
});

/** Half of them belong to the big client, and to its busy user. */
const events = ({ events: n }: Sizes) => ({
  room_for_events: `select events.provide(0, ${n} + 100000)`,
  events: `insert into events.log (position, event_id, client_id, seq, user_id, type, schema_version,
      object_type, object_id, data, at, actor)
    select n, ${uuid('v')}, case n % 2 when 0 then ${BIG_CLIENT} else 4 end, (n + 1) / 2,
      case n % 2 when 0 then 2 end, 'payment.succeeded', 1, 'payment', 'grown-' || n, '{}',
      now() - (${n} - n) * interval '2 seconds', 'service' from ${range(n)}`,
  minutes: `insert into events.minutes
    select date_trunc('minute', at), min(position), min(at) from events.log group by 1`,
  head: `update events.head set position = ${n}`,
  client_heads: `insert into events.client_head
    select client_id, max(seq) from events.log group by client_id`,
});

/** As the service has verified its ledger by then. */
const verified = {
  verified_accounts: `insert into ledger.verified_accounts (account_id, seq, posted, held, moves, volume)
    select account_id, seq, posted, held, moves, volume from ledger.accounts where seq > 0`,
  verified: `update ledger.verification set upto = m, decided = m, next_decided = m
    from (select max(transfer_id) as m from ledger.transfers) t`,
};
