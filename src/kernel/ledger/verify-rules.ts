/** What must hold of the ledger, and the query that finds what breaks it, as a text per break. */
export interface Rule {
  readonly rule: string;
  readonly breaks: string;
}

/** Of the accounts $1. */
export const ACCOUNT_RULES: readonly Rule[] = [
  {
    rule: 'every account is the sum of its entries',
    breaks: `select format('account %s says %s (held %s), its entries %s (held %s)', a.account_id,
        a.posted, a.held, coalesce(e.posted, 0), coalesce(e.held, 0))
      from ledger.accounts a
      left join (select account_id, sum(amount) as posted, sum(held_delta) as held
        from ledger.entries where account_id = any($1) group by account_id) e using (account_id)
      where a.account_id = any($1)
        and (a.posted <> coalesce(e.posted, 0) or a.held <> coalesce(e.held, 0))`,
  },
  {
    rule: 'every account has counted what moved it, and how much',
    breaks: `select format('account %s has counted %s moves of %s, its entries are %s of %s',
        a.account_id, a.moves, a.volume, coalesce(e.moves, 0), coalesce(e.volume, 0))
      from ledger.accounts a
      left join (select account_id, count(*) as moves, sum(abs(amount)) as volume
        from ledger.entries where account_id = any($1) and amount <> 0
        group by account_id) e using (account_id)
      where a.account_id = any($1)
        and (a.moves <> coalesce(e.moves, 0) or a.volume <> coalesce(e.volume, 0))`,
  },
  {
    rule: 'the entries of an account are numbered without a gap',
    breaks: `select format('account %s counts %s entries, has %s, numbered %s to %s', a.account_id,
        a.seq, coalesce(e.entries, 0), e.first, e.last)
      from ledger.accounts a
      left join (select account_id, count(*) as entries, min(seq) as first, max(seq) as last
        from ledger.entries where account_id = any($1) group by account_id) e using (account_id)
      where a.account_id = any($1) and (a.seq <> coalesce(e.entries, 0)
        or (a.seq > 0 and (e.first <> 1 or e.last <> a.seq)))`,
  },
  {
    rule: 'every entry continues the balance of the one before',
    breaks: `select format('account %s, entry %s: %s and %s do not follow', account_id, seq,
        posted_after, held_after)
      from (select account_id, seq, amount, held_delta, posted_after, held_after,
          lag(posted_after, 1, 0::numeric) over w as posted,
          lag(held_after, 1, 0::numeric) over w as held
        from ledger.entries where account_id = any($1)
        window w as (partition by account_id order by seq)) e
      where posted + amount <> posted_after or held + held_delta <> held_after`,
  },
];

/** Of the transfers $1. */
export const TRANSFER_RULES: readonly Rule[] = [
  {
    rule: 'every transfer sums to zero in each asset',
    breaks: `select format('transfer %s is off by %s %s', e.transfer_id, sum(e.amount), a.asset)
      from ledger.entries e join ledger.accounts a using (account_id)
      where e.transfer_id = any($1)
      group by e.transfer_id, a.asset having sum(e.amount) <> 0`,
  },
  {
    rule: 'every entry has its account and its transfer, every transfer its entries',
    breaks: `select format('account %s, entry %s hangs in the air', e.account_id, e.seq)
      from ledger.entries e
      left join ledger.accounts a using (account_id)
      left join ledger.transfers t using (transfer_id)
      where e.transfer_id = any($1) and (a.account_id is null or t.transfer_id is null)
      union all
      select format('transfer %s has no entries', transfer_id) from ledger.transfers t
      where t.transfer_id = any($1)
        and not exists (select from ledger.entries e where e.transfer_id = t.transfer_id)`,
  },
];

/** Of the accounts as they stand. */
export const STANDING_RULES: readonly Rule[] = [
  {
    rule: 'no account is overdrawn or holds less than nothing',
    breaks: `select format('account %s has %s, %s of it held', account_id, posted, held)
      from ledger.accounts where posted - held < min_available or held < 0`,
  },
  {
    rule: 'every account says how much of it may be converted',
    breaks: `select format('account %s says %s, and has %s, %s of it held', account_id, to_convert, posted, held)
      from ledger.accounts
      where to_convert <> ledger.to_convert(asset, min_available, posted - held)`,
  },
  {
    rule: 'what an account holds is the sum of its holds',
    breaks: `select format('account %s holds %s, and its holds come to %s', account_id, a.held, h.units)
      from ledger.accounts a
      full join (select account_id, sum(units) as units
        from ledger.holds where freed_seq is null group by account_id) h using (account_id)
      where coalesce(a.held, 0) <> coalesce(h.units, 0)`,
  },
  {
    rule: 'all accounts of an asset sum to zero',
    breaks: `select format('%s is off by %s', asset, sum(posted))
      from ledger.accounts group by asset having sum(posted) <> 0`,
  },
];

/** What an entry left behind, as a number that hardly any other has. */
const hashed = (seq: string, posted: string, held: string) =>
  `hash_numeric_extended(${posted}, hash_numeric_extended(${held}, ${seq}))`;

/**
 * Of each asset how many accounts and entries there are, at most $1 accounts of which a rule may not hold, and whether
 * a transfer may be off, in one pass over the entries in whatever order they lie. An account: what all its entries leave
 * behind must be what all of them found, but for the first and the last. A transfer: every amount is counted as often as
 * a number says that is its transfer's alone in this run, by $2; where each sums to zero, so does all that, and where one
 * does not, all of it would by a chance of one in 2^60. Nothing has to be gathered by transfer, which takes twice as long.
 */
export const SUSPECT_ACCOUNTS = `
  with e as (
    select account_id, count(*) as entries, min(seq) as first, max(seq) as last,
      sum(amount) as posted, sum(held_delta) as held,
      count(*) filter (where amount <> 0) as moves, sum(abs(amount)) as volume,
      sum(${hashed('seq', 'posted_after', 'held_after')}) as after,
      sum(${hashed('seq - 1', 'posted_after - amount', 'held_after - held_delta')}) as before,
      sum(amount * hashint8extended(transfer_id, $2::bigint + (transfer_id >> 32))) as mixed
    from ledger.entries group by account_id)
  select count(a.account_id) as accounts, coalesce(sum(e.entries), 0)::bigint as entries,
    coalesce(sum(e.mixed), 0) <> 0 or a.asset is null as is_off,
    coalesce((array_agg(a.account_id) filter (where
      a.posted <> coalesce(e.posted, 0) or a.held <> coalesce(e.held, 0)
      or a.moves <> coalesce(e.moves, 0) or a.volume <> coalesce(e.volume, 0)
      or a.seq <> coalesce(e.entries, 0) or (a.seq > 0 and (e.first <> 1 or e.last <> a.seq))
      or e.before + ${hashed('a.seq', 'a.posted', 'a.held')} <> e.after + ${hashed('0', '0', '0')}
    ))[1:$1], '{}') as suspects
  from ledger.accounts a full join e using (account_id) group by a.asset`;

/** How many transfers there are, and whether they are those that entries are of: by their number and a sum of hashes. */
export const SAME_TRANSFERS = `
  select posted.n as transfers, (moved.n, moved.ids) is not distinct from (posted.n, posted.ids) as is_same
  from (select count(*) as n, sum(hashint8extended(transfer_id, 0)) as ids
      from (select distinct transfer_id from ledger.entries) d) moved,
    (select count(*) as n, sum(hashint8extended(transfer_id, 0)) as ids from ledger.transfers) posted`;

/** The sums of the transfers above $1 up to $2, each in each asset. Entries lie in the order of their transfers. */
const SUMS = `
  select e.transfer_id, a.asset, sum(e.amount) as off
  from ledger.entries e left join ledger.accounts a using (account_id)
  where e.transfer_id > $1 and e.transfer_id <= $2 group by e.transfer_id, a.asset`;

/**
 * How many transfers there are above $1 up to $2, and whether all of them are sound. That the entries' transfers
 * are those that there are is seen by their number and the sum of their hashes: joining them takes twice as long.
 */
export const SOUND_TRANSFERS = `
  with sums as (${SUMS}),
  moved as (
    select count(*) as n, sum(hashint8extended(transfer_id, 0)) as ids, bool_or(is_off) as is_off
    from (select transfer_id, bool_or(off <> 0 or asset is null) as is_off
      from sums group by transfer_id) each),
  posted as (
    select count(*) as n, sum(hashint8extended(transfer_id, 0)) as ids
    from ledger.transfers where transfer_id > $1 and transfer_id <= $2)
  select posted.n as transfers, moved.is_off is not true
    and (moved.n, moved.ids) is not distinct from (posted.n, posted.ids) as sound
  from moved, posted`;

/** Which of them are not, at most $3. */
export const SUSPECT_TRANSFERS = `
  with s as (${SUMS}),
  t as (select transfer_id from ledger.transfers where transfer_id > $1 and transfer_id <= $2)
  select (array_agg(distinct coalesce(t.transfer_id, s.transfer_id)))[1:$3] as suspects
  from s full join t using (transfer_id)
  where s.off is distinct from 0 or s.asset is null or t.transfer_id is null`;
