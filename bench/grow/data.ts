import { past } from './past.ts';
import { rails } from './rails.ts';
import { BIG_CLIENT, people, type Sizes, SMALL_CLIENT } from './sizes.ts';
import { ADDRESS, ago, HASH, mostlyBusy, overriding, PLACE, range } from './sql.ts';

const SEPOLIA = 11_155_111;
/** All users' transfers, before those of the busy user. */
const EACH = 6;
const LETTERS = `translate(lpad(n::text, 9, '0'), '0123456789', 'ABCDEFGHIJ')`;

/** A statement for each table, in sets, with no trigger and no foreign key in its way. */
export const dataOf = (sizes: Sizes): Readonly<Record<string, string>> => ({
  ...identity(sizes),
  ...ledger(sizes),
  ...cards(sizes),
  ...chains(sizes),
  ...rewards(sizes),
  ...around(sizes),
  ...tallies(),
  ...past(sizes),
  ...rails(sizes),
});

function identity(sizes: Sizes) {
  const { users, clients, sessions } = sizes;
  const { busy, operator, smallAdmin } = people(sizes);
  const client = `case when n <= ${users / 2} then ${BIG_CLIENT}
    when n < ${smallAdmin + 20} then ${SMALL_CLIENT} when n > ${users} then 1
    else 4 + n % ${clients - 3} end`;
  return {
    clients: `insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
        phone, client_status) ${overriding}
      select n, 'CL-' || 200001 + n / 5000 || '-' || lpad((n % 5000)::text, 4, '0'),
        'c' || n || '@grown.example', 'Client ' || n, 'BUSINESS', 'US', '+15550100', 'ACTIVE' from ${range(clients)}`,
    users: `insert into users (user_id, client_id, username, email, phone, role, confirmed_at) ${overriding}
      select n, ${client}, 'u' || n, 'u' || n || '@grown.example', '+1555' || lpad(n::text, 7, '0'),
        case when n % 10 = 1 then 'admin' else 'user' end, now() from ${range(operator)}`,
    verifications: `insert into verifications (user_id, kind, status)
      select n, 'KYC', 'APPROVED' from ${range(users)}`,
    history: `insert into verification_history (user_id, kind, status, source)
      select ${busy}, 'KYC', 'PENDING', 'provider' from ${range(users / 100)}`,
    sessions: `insert into sessions (session_id, user_id, method, created_at, expires_at)
      select md5('s' || n)::uuid, case when n % 10 = 0 then ${busy} else n % ${users} + 1 end, 'password',
        now() - n % 29 * interval '1 day' - interval '2 days', now() - n % 29 * interval '1 day'
          - interval '1 day' from ${range(sessions)}`,
    failures: `insert into login_failures
      select 'a' || n, 'b', now() - n * interval '20 hours' / ${sessions / 4} from ${range(sessions / 4)}`,
  };
}

function ledger(sizes: Sizes) {
  const { users, busyTransfers } = sizes;
  const { busy } = people(sizes);
  const shared = EACH * users;
  const transfers = shared + busyTransfers;
  const [user, place] = [
    `case when n <= ${shared} then 1 + (n - 1) % ${users} else ${busy} end`,
    `case when n <= ${shared} then 1 + (n - 1) / ${users} else n - ${shared} + ${EACH} end`,
  ];
  const moved = `case when n = ${busy} then ${EACH + busyTransfers} else ${EACH} end`;
  return {
    house: `insert into ledger.accounts (account_id, owner, purpose, asset, posted, seq, moves, volume,
        min_available) overriding system value
      select 10, 'house', 'grown', 'USD', -100 * n, n, n, 100 * n, null
      from (select ${transfers}::bigint as n) t`,
    accounts: `insert into ledger.accounts (account_id, owner, purpose, asset, posted, seq, moves, volume,
        min_available) overriding system value
      select 10 + n, 'user:' || n, 'wallet', 'USD', 100 * m, m, m, 100 * m, 0
      from ${range(users)}, lateral (select ${moved} as m) t`,
    wallets: `insert into fiat_wallets (wallet_id, user_id, currency, account_id) ${overriding}
      select n, n, 'USD', 10 + n from ${range(users)}`,
    transfers: `insert into ledger.transfers (transfer_id, operation_key, digest, kind, created_at)
      select n, 'grown ' || n, md5(n::text)::uuid, 'grown', now() - (${transfers} - n) * interval '1 second'
      from ${range(transfers)}`,
    entries: `insert into ledger.entries
        (account_id, seq, transfer_id, amount, held_delta, posted_after, held_after)
      select e.account_id, e.seq, n, e.amount, 0, 100 * sign(e.amount) * e.seq, 0
      from ${range(transfers)}, lateral (values (10::bigint, n::bigint, -100),
        (10 + ${user}, ${place}, 100)) as e (account_id, seq, amount)`,
  };
}

function cards(sizes: Sizes) {
  const { users, cardTransactions } = sizes;
  const { busy } = people(sizes);
  return {
    cards: `insert into card_transactions (operation, reference_id, type, wallet_id, user_id, client_id,
        card_last4, currency, amount, platform_fee, net_amount, state, status, simulated, rrn, traced_at,
        transaction_identifier, approval_code, transmitted_at, created_at)
      select md5('c' || n)::uuid, 'TOPUP-' || ${LETTERS}, 'TOPUP', u, u, ${BIG_CLIENT}, '1111', 'USD',
        103, 3, 100, 'SETTLED', 'COMPLETED', false, lpad(n::text, 12, '0'), now(), n::text, '123456',
        '2026-01-01T00:00:00', now() - (${cardTransactions} - n) * interval '1 second'
      from ${range(cardTransactions)},
        lateral (select case when n <= ${users} then n else ${busy} end as u) t`,
  };
}

function chains(sizes: Sizes) {
  const { users, chainTransactions, crosschain } = sizes;
  const user = mostlyBusy(sizes);
  return {
    wallets_of_chains: `insert into crypto_wallets (bw_id, user_id, wallet_name, wallet_label, is_primary)
      ${overriding} select n, n, 'w', 'w', true from ${range(users / 10)}`,
    addresses: `insert into wallet_addresses (bw_id, chain_id, wallet_address, sealed_mnemonic, sealed_key)
      select n, 'sepolia', ${ADDRESS}, 'x', 'x' from ${range(users / 10)}`,
    sent: `insert into chain_transactions (chain_id, from_address, nonce, hash, raw, gas_price, purpose,
        reference, status, block_number, block_hash, gas_used, gas_fee, is_final, mined_at)
      select ${SEPOLIA}, ${ADDRESS}, n, ${HASH}, '0x' || repeat('ab', 120), 1, 'send', 'grown ' || n,
        'CONFIRMED', n, ${HASH}, 21000, 21000, true, now() from ${range(chainTransactions)}`,
    onchain: `insert into onchain_transactions (user_id, client_id, bw_id, wallet_name, wallet_label,
        amount, tx_hash, status, destination_wallet, token_symbol, chain_id, token_contract, gas_fee,
        platform_fee, created_at, updated_at, ordinal, movement)
      select u, ${BIG_CLIENT}, 1, 'w', 'w', '1', ${HASH}, 'CONFIRMED', ${ADDRESS}, 'USDC', 'sepolia',
        'native', '0', '0', ${ago('minute')}, now(), ${PLACE}, ${PLACE}
      from ${range(chainTransactions)}, ${user}`,
    crosschain: `insert into crosschain_transfers (log_id, nonce, user_id, client_id, amount, units,
        platform_fee, token, from_chain, to_chain, recipient_address, bridge_route, limit_day, status,
        burn_tx_hash, burn_proof, mint_tx_hash, created_at, updated_at, reconciled_at, ordinal, movement)
      select md5('x' || n)::uuid, 'grown ' || n, u, ${BIG_CLIENT}, '1', 1000000, 100000, 'USDC', 'sepolia',
        'amoy', ${ADDRESS}, 'BRIDGE', current_date, 'MINTED', ${HASH}, 'CHAIN', ${HASH}, ${ago('minute')},
        now(), now(), ${PLACE}, coalesce(sends, 0) + ${PLACE}
      from ${range(crosschain)}, ${user} left join
        (select user_id, count(*) as sends from onchain_transactions group by 1) o on o.user_id = u`,
    counts: COUNTS,
  };
}

/** The counts of the triggers of lists by number. */
const COUNTS = `insert into list_counts (list, owner, facet, n)
  select 'crosschain', user_id, '{}'::text[], max(ordinal) from crosschain_transfers group by user_id
  union all select 'onchain', user_id, '{}', max(ordinal) from onchain_transactions group by user_id
  union all select 'movements', user_id, '{}', max(movement) from (
    select user_id, movement from crosschain_transfers
    union all select user_id, movement from onchain_transactions) m group by user_id
  union all select 'crosschain', user_id, array[from_chain, to_chain, status], count(*)
    from crosschain_transfers group by user_id, from_chain, to_chain, status
  union all select 'onchain', user_id, array[chain_id, token_symbol, status], count(*)
    from onchain_transactions group by user_id, chain_id, token_symbol, status
  union all select 'movements', user_id, array[status], count(*) from (
    select user_id, status from crosschain_transfers
    union all select user_id, status from onchain_transactions) m group by user_id, status`;

const rewards = ({ members, notifications, hours }: Sizes) => ({
  members: `insert into userx (userx_id, phonex, usernamex, inviter_id) ${overriding}
    select n, '+62811' || lpad(n::text, 7, '0'), 'm' || n, case when n % 5 = 0 then 1 end
    from ${range(members)}`,
  notifications: `insert into userx_notifications (userx_id, title, message)
    select case when n % 10 = 0 then 1 else 1 + n % ${members} end, 'Title', 'Message'
    from ${range(notifications)}`,
  growth: `insert into wishlist_growth (hour, increment, total)
    select date_trunc('hour', now()) - (${hours} - n) * interval '1 hour', 5, 5 * n from ${range(hours)}`,
});

const around = ({ users, audit, externalLogins, keys, jobs }: Sizes) => ({
  audit: `insert into activity_log (action, client_id, actor_user_id, actor_role, at)
    select case when n % 1000 = 0 then 'ADMIN_CREATE_USER' when n % 100 = 0 then 'ADMIN_APPROVE_KYC'
        else 'CARD_TOPUP' end,
      case when n % 2 = 0 then ${BIG_CLIENT} else 4 end, 1 + n % ${users},
      case when n % 100 = 0 then 'admin' else 'user' end, now() - (${audit} - n) * interval '1 second'
    from ${range(audit)}`,
  audit_of_few: `insert into activity_log (action, client_id, actor_user_id, actor_role)
    select 'ADMIN_APPROVE_KYC', ${SMALL_CLIENT}, ${users / 2 + 1}, 'admin' from ${range(21)}`,
  identities: `insert into ext_identities select 'did:grown:' || n, n from ${range(externalLogins)}`,
  mappings: `insert into ext_mappings (ext_user_id, user_id, auth_provider, is_primary, operation,
      connected_at, last_used)
    select 'did:grown:' || n, n, case n % 3 when 0 then 'email' else 'google' end, true,
      md5('m' || n)::uuid, now() - n % 90 * interval '1 day', now() - n % 40 * interval '1 hour'
    from ${range(externalLogins)}`,
  keys: `insert into idempotency_keys (scope, fingerprint, operation, lease, lease_until, status,
      expires_at)
    select sha256(n::text::bytea), 'x', md5(n::text)::uuid, md5(n::text)::uuid, now(), 200,
      now() + interval '1 day' from ${range(keys)}`,
  jobs: `insert into jobs (name, data, due_at)
    select 'grown', '{}', now() + interval '1 day' + n * interval '1 second'
    from ${range(jobs)}`,
});

/** The rows of other triggers. */
const tallies = () => ({
  counted: `insert into tallies (subject, what, n)
    select 'rewards', 'members', count(*) from userx on conflict (subject, what) do update set n = excluded.n`,
  counted_logins: `select count(*) from (
    select tally_ext_mapping(m, 1) from ext_mappings m offset 0) t`,
  folded: `with taken as (delete from tally_changes returning *)
    insert into tallies select subject, what, sum(n), max(until) from taken group by 1, 2`,
});
