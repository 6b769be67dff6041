import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';

/** Where a client's system is asked whether a card pays. */
export type DecisionWebhook = Omit<Row<'card_decision_webhooks'>, 'fallback_currency'> & {
  readonly fallback_currency: Currency | null;
};
export type DecisionWebhookSettings = Pick<
  DecisionWebhook,
  'client_id' | 'url' | 'timeout_ms' | 'fallback_amount' | 'fallback_currency' | 'secrets_sealed'
>;

/** Of the secrets of a client's webhook. */
export const decisionSecretContext = (client_id: number): string =>
  `card decision webhook:${client_id}`;

export const SEALED_DECISION_WEBHOOKS: SealedKind = {
  what: 'secrets of card decision webhooks',
  text: `select secrets_sealed as sealed, 'card decision webhook:' || client_id as context, null::bytea as mark
    from card_decision_webhooks`,
};

const one = async (db: Db, text: string, values: readonly unknown[]) =>
  (await run<DecisionWebhook>(db, text, values))[0];

export const findDecisionWebhook = (
  db: Db,
  client_id: number,
): Promise<DecisionWebhook | undefined> =>
  one(db, 'select * from card_decision_webhooks where client_id = $1', [client_id]);

/** Locks it until the transaction ends. */
export const lockDecisionWebhook = (
  tx: Db,
  client_id: number,
): Promise<DecisionWebhook | undefined> =>
  one(tx, 'select * from card_decision_webhooks where client_id = $1 for update', [client_id]);

const values = (row: DecisionWebhookSettings) => [
  ...[row.client_id, row.url, row.timeout_ms, row.fallback_amount?.toString() ?? null],
  ...[row.fallback_currency, row.secrets_sealed],
];

/** Undefined where another request has made one meanwhile. */
export const insertDecisionWebhook = (
  tx: Db,
  row: DecisionWebhookSettings,
): Promise<DecisionWebhook | undefined> =>
  one(
    tx,
    `insert into card_decision_webhooks (client_id, url, timeout_ms, fallback_amount, fallback_currency, secrets_sealed)
     values ($1, $2, $3, $4::numeric, $5, $6) on conflict (client_id) do nothing returning *`,
    values(row),
  );

/** Changes one that is locked, and counts its version. */
export const changeDecisionWebhook = (
  tx: Db,
  row: DecisionWebhookSettings,
): Promise<DecisionWebhook | undefined> =>
  one(
    tx,
    `update card_decision_webhooks set url = $2, timeout_ms = $3, fallback_amount = $4::numeric,
       fallback_currency = $5, secrets_sealed = $6, version = version + 1, updated_at = service_now()
     where client_id = $1 returning *`,
    values(row),
  );

export async function deleteDecisionWebhook(tx: Db, client_id: number): Promise<void> {
  await run(tx, 'delete from card_decision_webhooks where client_id = $1', [client_id]);
}
