/** Tables that stay small with time and users. All others grow. */
const SMALL: Readonly<Record<string, string>> = {
  psps: 'the providers that there are',
  policies: 'rules that people write, a few hundred of a client at most',
  fee_rows: 'two hundred of a client at most',
  fee_versions: 'one for each client that has fees of its own',
  fx_spreads: 'one of a client for each pair and time at most',
  fx_spread_versions: 'one for each client that has spreads of its own',
  fx_limits: 'the currencies that there are',
  fx_limit_versions: 'one row',
  chains: 'the chains that there are',
  network_states: 'one for each network',
  bridge_routes: 'one for each pair of chains',
  bridge_modes: 'two for each of those at most',
  chain_families: 'the kinds of chains that there are',
  migrations: 'one for each change of the schema',
  job_schedules: 'one for each schedule in the code',
  service_state: 'one row',
  balance_monitor_progress: 'one row',
  'events.head': 'one row',
  payment_speeds: 'one for each rail',
  conversion_confirmations: 'one row',
  idr_supply: 'one for each chain',
  payout_sums: 'sixteen stripes',
  reconciliation_sides: 'two for each provider and chain',
  bank_transfer_cursor: 'one row',
  read_fence: 'a fixed number of places',
  'ledger.assets': 'the currencies and tokens that there are',
  'ledger.verification': 'one row',
  activity_sealing: 'one row',
};
const CATALOG = /^pg_catalog\./;

export const isSmall = (table: string): boolean => table in SMALL || CATALOG.test(table);
