/**
 * What keeps a unique rule true when clients live in several installations. `directory`: a name that people choose or
 * have, which one place for all installations has to reserve. `outside`: a chain or a provider gives each name once.
 * `key`: a further column is a name that the platform makes, or leads to the client. `installation`: each
 * installation counts for itself.
 */
export type RuleGuard = 'directory' | 'outside' | 'key' | 'installation';

/** Each unique rule of a client's table that neither begins with the client nor with a name that the platform makes. */
export const GLOBAL_RULES: Readonly<Record<string, RuleGuard>> = {
  adjustments_reversed_once: 'key',
  approvals_of_object: 'key',
  bank_connections_token: 'outside',
  bank_top_ups_transfer: 'outside',
  caller_names_pkey: 'key',
  card_transactions_rrn: 'installation',
  clients_code_once: 'directory',
  clients_email_once: 'directory',
  conversion_jobs_deposit_once: 'outside',
  crosschain_nonce_once: 'outside',
  crosschain_transfers_bridge_transfer_key: 'key',
  ext_identities_owner: 'directory',
  ext_mappings_wallet_once: 'directory',
  idr_redeems_burn_once: 'outside',
  idr_references_pkey: 'key',
  jobs_alone: 'installation',
  jobs_waiting: 'installation',
  'ledger.accounts_once': 'key',
  list_counts_pkey: 'key',
  marketplace_payments_once: 'outside',
  mobile_codes_phone_asker_key: 'installation',
  partner_customers_customer_id_key: 'outside',
  partner_customers_idempotency_key_key: 'key',
  proven_wallets_once: 'directory',
  psp_customers_once: 'key',
  psp_customers_one_company: 'key',
  psp_customers_one_person: 'key',
  reconciliation_breaks_standing: 'installation',
  reconciliation_lines_pkey: 'installation',
  reconciliation_told_pkey: 'installation',
  wallet_addresses_once: 'outside',
  xrpl_trustlines_once: 'outside',
};
