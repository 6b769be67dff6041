import type { Control } from './controls.ts';

/** Entries of the ledgers of Cardano and XRP that users' books lack; and the other way round. */
export const cardanoControls: readonly Control[] = [
  {
    name: 'cardano-mint-unasked',
    finds: 'unasked',
    where: /^Cardano$/,
    spoil: ({ sql }) =>
      sql(
        `insert into sandbox.records (provider, kind, id, data)
         values ('cardano', 'move', 'control', '{"minted": "1"}')`,
      ),
  },
  {
    name: 'cardano-burn-gone',
    finds: 'lost',
    where: /^Cardano$/,
    spoil: ({ sql }) =>
      sql(`delete from sandbox.records where seq = (
             select max(seq) from sandbox.records
             where provider = 'cardano' and kind = 'move' and data ->> 'minted' like '-%')`),
  },
  {
    name: 'cardano-payout-more',
    finds: 'wrong',
    where: /^SGD of user/,
    spoil: ({ sql }) =>
      sql(`update ledger.accounts set posted = posted + 1 where account_id = (
             select min(account_id) from ledger.accounts
             where purpose = 'wallet' and asset = 'SGD' and posted > 0)`),
  },
];

/** The gateway's movements and the buyers' view of tokens, one too many or one too few. */
export const rupiahControls: readonly Control[] = [
  {
    name: 'rupiah-purchase-gone',
    finds: 'lost',
    where: /^rupiah tokens of user/,
    spoil: ({ sql }) =>
      sql('delete from idr_mints where mint_id = (select max(mint_id) from idr_mints)'),
  },
  {
    name: 'rupiah-paid-out-twice',
    finds: 'doubled',
    where: /^gateway$/,
    spoil: ({ sql }) =>
      sql(`insert into sandbox.records (provider, kind, id, data)
           select provider, kind, 'control', data from sandbox.records
           where provider = 'gateway' and kind = 'transaction'
             and data ->> 'type' = 'DISBURSEMENT' limit 1`),
  },
];

export const xrplControls: readonly Control[] = [
  {
    name: 'xrpl-history-gone',
    finds: 'lost',
    where: /^XRPL history/,
    spoil: ({ sql }) =>
      sql('delete from xrpl_transactions where id = (select max(id) from xrpl_transactions)'),
  },
  {
    name: 'xrpl-balance-off',
    finds: 'wrong',
    where: /^XRPL balance/,
    spoil: ({ sql }) =>
      sql(`update ledger.accounts set posted = posted + 1 where account_id = (
             select min(account_id) from ledger.accounts
             where purpose = 'xrpl' and owner like 'user:%' and posted > 0)`),
  },
  {
    name: 'xrpl-ledger-off',
    finds: 'wrong',
    where: /^XRP Ledger$/,
    // Away from zero, for either holder.
    spoil: ({ sql }) =>
      sql(`update sandbox.records
           set data = jsonb_set(data, '{balance}', to_jsonb(((data ->> 'balance')::numeric * 2)::text))
           where seq = (select min(seq) from sandbox.records
             where provider = 'xrpl' and kind = 'line' and data ->> 'balance' <> '0')`),
  },
];
