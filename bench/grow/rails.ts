import { BIG_CLIENT, type Sizes } from './sizes.ts';
import { ADDRESS, HASH, mostlyBusy, overriding, range, uuid } from './sql.ts';

/** Work in flight, the same at each scale: only finished work grows beside it. */
const OPEN = 900;
/** A run looks each of these up at its provider. */
const WAITING = 400;

/** Bank top-ups, conversions, Cardano, the XRP Ledger and orders: years of finished ones, and those in flight. */
export const rails = (sizes: Sizes): Readonly<Record<string, string>> => ({
  ...rupiahWallets(sizes),
  ...bankLinks(sizes),
  ...conversions(sizes),
  ...cardano(sizes),
  ...xrpl(sizes),
  ...underWay(sizes),
});

/** Before the window of reconciliation, since no provider here has them. */
const LATELY = `now() - interval '9 days'`;
/** The nth of so many over that many days, up to then. */
const within = (days: number, all: number) =>
  `least(${LATELY}, ${LATELY} - (${all} - n) * interval '${days} days' / ${all})`;
/** Of an Ethereum transaction without its prefix, as other chains write theirs. */
const PLAIN_HASH = `substr(${HASH}, 3)`;

/** Empty ones, of users with the daily conversion. */
const rupiahWallets = ({ users }: Sizes) => ({
  rupiah_accounts: `insert into ledger.accounts (account_id, owner, purpose, asset) overriding system value
    select ${rupiahOf(users)}, 'user:' || n, 'wallet', 'IDR' from ${range(users / 10)}`,
  rupiah_wallets: `insert into fiat_wallets (wallet_id, user_id, currency, account_id) ${overriding}
    select ${rupiahOf(users)}, n, 'IDR', ${rupiahOf(users)} from ${range(users / 10)}`,
  exchange_wallets: `insert into exchange_wallets (user_id, network, wallet_address, is_primary)
    select n, 'POLYGON', ${ADDRESS}, true from ${range(users / 10)}`,
});

/** After all accounts and wallets in dollars. */
const rupiahOf = (users: number, n = 'n') => `${2 * users} + ${n}`;

function bankLinks({ users, moved }: Sizes) {
  const linked = users / 10;
  const columns = `top_up_id, wallet_id, user_id, connection_id, account_id, amount, simulated, transfer_id,
    status, settled_at, returned_at, owed, created_at`;
  const owner = `1 + n % ${linked} as u`;
  return {
    connections: `insert into bank_connections (connection_id, wallet_id, user_id, state, item_id,
        sealed_token, token_print)
      select ${uuid('l')}, n, n, 'CONNECTED', 'i' || n, 'x', sha256(n::text::bytea) from ${range(linked)}`,
    top_ups: `insert into bank_top_ups (${columns})
      select ${uuid('t')}, u, u, md5('l' || u)::uuid, 10 + u, 100, false, 't' || n, 'SUCCESS_RECEIVED',
        ${within(700, moved)}, null, 0, ${within(700, moved)}
      from ${range(moved)}, lateral (select ${owner}) o`,
    top_ups_pending: `insert into bank_top_ups (${columns})
      select ${uuid('tp')}, u, u, md5('l' || u)::uuid, 10 + u, 100, false, 'tp' || n, 'PENDING',
        null, null, 0, now() from ${range(OPEN)}, lateral (select ${owner}) o`,
    top_ups_owing: `insert into bank_top_ups (${columns})
      select ${uuid('to')}, u, u, md5('l' || u)::uuid, ${rupiahOf(users, 'u')}, 100, false, 'to' || n,
        'RETURNED', ${LATELY}, ${LATELY}, 100, ${LATELY}
      from ${range(OPEN)}, lateral (select ${owner}) o`,
    bank_events: `insert into bank_transfer_events (event_id, transfer_id, event_type, happened_at, received_at)
      select n, 't' || n, 'settled', ${within(380, moved)}, ${within(380, moved)} from ${range(moved)}`,
    bank_cursor: `update bank_transfer_cursor set last_id = ${moved}`,
  };
}

function conversions({ users, moved }: Sizes) {
  const names = `select 'ARC-DISB-' || n || '-1' as reference, 1 + n % ${users / 10} as u`;
  const job = `job_id, reference_id, user_id, client_id, account_id, amount, status, reconciliation_id,
    disbursement_id, disbursed_at, paid_out_at, created_at`;
  const at = within(700, moved);
  const rows = (from: number, to: number) => `${range(to, from)}, lateral (${names}) o`;
  const open = moved + WAITING;
  return {
    conversion_checks: `insert into conversion_reconciliations (ledger_balance, psp_balance, difference_amount,
        going_out, coming_in, tolerance, status, requires_admin_attention)
      select 0, 0, 0, 0, 0, 0, 'MATCHED', false from ${range(moved)}`,
    conversions: `insert into conversion_jobs (${job}, day, confirmed_at, deposit_id, spent, bought)
      select n, reference, u, ${BIG_CLIENT}, ${rupiahOf(users, 'u')}, 1000, 'COMPLETED', n, 'd' || n, ${at},
        ${at}, ${at}, to_char(current_date - 1 - n / ${users / 10}, 'YYYY-MM-DD'), ${at}, 'e' || n, 1000, 1
      from ${rows(1, moved)}`,
    conversions_waiting: `insert into conversion_jobs (${job}, waiting_since)
      select n, reference, u, ${BIG_CLIENT}, ${rupiahOf(users, 'u')}, 1000, 'WAITING_EXCHANGE', 1, 'd' || n,
        ${LATELY}, ${LATELY}, ${LATELY}, now() from ${rows(moved + 1, open)}`,
    conversions_held: `insert into conversion_jobs (${job}, confirmed_at, reason, try_at)
      select n, reference, u, ${BIG_CLIENT}, ${rupiahOf(users, 'u')}, 1000, 'TRADING', 1, 'd' || n,
        ${LATELY}, ${LATELY}, ${LATELY}, ${LATELY}, 'SLIPPAGE', now() + interval '1 year'
      from ${rows(open + 1, open + OPEN)}`,
    conversion_payouts: `insert into payouts (reference, payer, client_id, units, state, gateway_id, asked_at,
        paid_at, look_at)
      select reference, 'conversions', ${BIG_CLIENT}, 1000, 'PAID', 'd' || n, ${at}, ${at}, null
      from ${rows(1, open)}`,
    trades: `insert into conversion_orders (job_id, reference, amount, state, exchange_id, spent, bought,
        fee_idr, fee_usdc, ended_at)
      select n, 'ARC-T-' || n, 1000, 'FILLED', 'x' || n, 1000, 1, 0, 0, ${at} from ${range(moved)}`,
    withdrawals: `insert into conversion_withdrawals (job_id, reference, network, wallet_address, amount, state,
        exchange_id, arrived, fee, ended_at)
      select n, 'ARC-W-' || n, 'POLYGON', ${ADDRESS}, 1, 'COMPLETED', 'w' || n, 1, 0, ${at}
      from ${range(moved)}`,
  };
}

function cardano(sizes: Sizes) {
  const { moved } = sizes;
  const signed = `seq, hash, network, reference, kind, units, recipient, raw, fee, sent, ttl, state,
    confirmed_at, booked_at, created_at, is_final`;
  const one = `n, ${PLAIN_HASH}, 'preprod', 'grown ' || n, 'mint', 1000000, 'addr_test1',
    convert_to(repeat('ab', 150), 'UTF8'), 1, 1, n, 'CONFIRMED'`;
  const at = within(75, moved);
  return {
    cardano_final: `insert into cardano_transactions (${signed}) ${overriding}
      select ${one}, ${at}, ${at}, ${at}, true from ${range(moved)}`,
    cardano_open: `insert into cardano_transactions (${signed}) ${overriding}
      select ${one}, ${LATELY}, ${LATELY}, ${LATELY}, false from ${range(moved + WAITING, moved + 1)}`,
    cardano_outputs: `insert into cardano_outputs (network, tx_hash, index, lovelace, usdc, spent_by)
      select 'preprod', ${PLAIN_HASH}, i, 1000000, 0, case i when 0 then ${PLAIN_HASH} end
      from ${range(moved + WAITING, moved + 1)}, generate_series(0, 1) i`,
    cardano_orders: `insert into cardano_orders (order_id, operation, user_id, client_id, source, target,
        wallet_from_id, to_address, currency_from, fiat_amount, onramp_fee, usdc, rate_in, rate_out,
        rates_source, rates_at, simulated, status, mint_hash, created_at)
      select ${uuid('ca')}, ${uuid('cb')}, u, ${BIG_CLIENT}, 'WALLET', 'ADDRESS', u, 'addr_test1', 'USD', 100,
        1, 1000000, '1', '1', 'grown', ${at}, false, 'DONE', ${PLAIN_HASH}, ${at}
      from ${range(moved)}, ${mostlyBusy(sizes)}`,
    cardano_steps: `insert into cardano_steps (step_id, order_id, user_id, step, tx_hash, status, created_at)
        ${overriding}
      select 2 * n + i, ${uuid('ca')}, u, case i when 0 then 'WALLET_OUT' else 'MINT' end,
        case i when 1 then ${PLAIN_HASH} end, 'SUCCESS_RECEIVED', ${at}
      from ${range(moved)}, ${mostlyBusy(sizes)}, generate_series(0, 1) i`,
    cardano_volumes: `insert into cardano_volumes
      select user_id, created_at::date, sum(usdc) from cardano_orders group by 1, 2`,
  };
}

function xrpl(sizes: Sizes) {
  const { moved } = sizes;
  const at = within(75, moved);
  return {
    xrpl_journal: `insert into xrpl_journal (reference, purpose, account, sequence, hash, blob, first_ledger,
        last_ledger, status, result, ledger_index, delivered, response, signed_at, ended_at)
      select 'grown ' || n, 'onramp', 'rGrown', n, upper(${PLAIN_HASH}), repeat('AB', 150), n, n + 20,
        'VALIDATED', 'tesSUCCESS', n, 1000000, '{}', ${at}, ${at} from ${range(moved)}`,
    xrpl_transactions: `insert into xrpl_transactions (id, user_id, operation, tx_type, currency_code, units,
        status, tx_hash, destination_address, created_at, updated_at) ${overriding}
      select n, u, 'grown ' || n, 'ONRAMP', 'USDC', 1000000, 'tesSUCCESS', upper(${PLAIN_HASH}), 'rGrown',
        ${at}, ${at} from ${range(moved)}, ${mostlyBusy(sizes)}`,
  };
}

/** Payable orders and purchases, of users without others; and lapsed orders. */
function underWay({ ended, moved }: Sizes) {
  const owner = 'select 1 + 10 * n as u';
  const purchase = `purchase_orders (order_id, operation, user_id, client_id, version, status, chain_id,
    wallet_address, chain_info, product, recipient, price_asset, price_units, usdc_units, rate, rates_source,
    rates_at, created_at, expires_at)`;
  const ordered = (
    letter: string,
  ) => `'MCP-' || 1e12::bigint + n || '-' || upper(substr(md5('${letter}' || n), 1, 8)),
    ${uuid(letter)}, u, ${BIG_CLIENT}, 'v2'`;
  const bought = `'sepolia', ${ADDRESS}, '{}', '{}', '{}', 'USD', 100, 1000000, '1', 'grown', now()`;
  return {
    purchases_lapsed: `insert into ${purchase}
      select ${ordered('ql')}, 'EXPIRED', ${bought}, ${within(75, moved)} - interval '1 hour', ${within(75, moved)}
      from ${range(moved)}, lateral (select 3 + n % 1000 as u) o`,
    purchases_open: `insert into ${purchase}
      select ${ordered('qo')}, 'CREATED', ${bought}, now(), now() + interval '1 year'
      from ${range(OPEN)}, lateral (${owner}) o`,
    market_open: `insert into marketplace_orders (serial, order_id, operation, user_id, client_id, ordinal,
        source, product, vendor, recipient, is_known, original_units, original_currency, usd_units,
        shipping_units, total_units, units, chain_id, wallet_address, contract_address, token_address, page_key,
        payment_status, expires_at, created_at) ${overriding}
      select ${2 * ended} + n, 'MKT-' || 1e12::bigint + n || '-' || substr(md5('mo' || n), 1, 8), ${uuid('mo')}, u,
        ${BIG_CLIENT}, 1, 'marketplace_1', '{}', '{}', '{}', true, 100, 'USD', 100, 0, 100, 1000000, 'sepolia',
        ${ADDRESS}, ${ADDRESS}, ${ADDRESS}, md5(n::text), 'PENDING', now() + interval '1 year', now()
      from ${range(OPEN)}, lateral (${owner}) o`,
    mints_paid: `insert into idr_mints (mint_id, reference_id, operation, user_id, client_id, amount_idr,
        amount_token, fee_amount, total_amount_idr, paid_amount_idr, payment_method, chain_id, wallet_address,
        status, payment_status, paid_at, expired_at, created_at, updated_at, ordinal) ${overriding}
      select ${2 * ended} + n, 'MINT-' || ${2 * ended} + n || '-1', ${uuid('mp')}, u, ${BIG_CLIENT}, 2000000, 2000000,
        0, 2000000, 2000000, 'QRIS', 'sepolia', ${ADDRESS}, 'PAID', 'PAID', ${LATELY}, now(), ${LATELY}, now(), 1
      from ${range(OPEN)}, lateral (${owner}) o`,
  };
}
