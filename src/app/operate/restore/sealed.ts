import { SEALED_FACTORS } from '#features/accounts/two-factor/two-factor.ts';
import { SEALED_PASSWORDS } from '#features/accounts/users/users.ts';
import { SEALED_BATCH_ITEMS } from '#features/banking/batches/batches.ts';
import { SEALED_DECISION_WEBHOOKS } from '#features/banking/card-decision-webhook/card-decision-webhook.ts';
import { SEALED_RECIPIENTS } from '#features/banking/recipients/recipients.ts';
import { SEALED_WITHDRAWALS } from '#features/banking/withdrawals/withdrawals.ts';
import { SEALED_WALLETS } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { SEALED_CONVERSATIONS } from '#features/commerce/agent/agent.ts';
import {
  SEALED_REFUND_PAYEES,
  SEALED_RETURN_SECRETS,
} from '#features/commerce/invoices/invoices.ts';
import { SEALED_TOKENS } from '#features/fiat/bank-link/bank-link.ts';
import { SEALED_FILES } from '#features/messaging/files/files.ts';
import { SEALED_MESSAGES } from '#features/messaging/messages/messages.ts';
import { SEALED_ENDPOINTS } from '#features/messaging/webhooks/webhooks.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { SEALED_ANSWERS } from '#kernel/http/answer/idempotency.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { ok, type RestoreFindings, wrong } from './finding.ts';

/** Every kind of sealed text that the database keeps. */
export const SEALED: readonly SealedKind[] = [
  ...SEALED_WALLETS,
  ...SEALED_TOKENS,
  ...SEALED_ENDPOINTS,
  ...SEALED_FACTORS,
  SEALED_PASSWORDS,
  SEALED_MESSAGES,
  SEALED_FILES,
  SEALED_ANSWERS,
  SEALED_CONVERSATIONS,
  SEALED_RECIPIENTS,
  SEALED_WITHDRAWALS,
  SEALED_REFUND_PAYEES,
  SEALED_BATCH_ITEMS,
  SEALED_DECISION_WEBHOOKS,
  SEALED_RETURN_SECRETS,
];

/** So many of each kind and version of the key are opened. */
const SAMPLE = 20;

interface Sample {
  readonly version: string | null;
  readonly sealed: string;
  readonly context: string;
  readonly mark: Buffer | null;
  /** How many of that version there are. */
  readonly of: number;
}

/**
 * Whether the master keys open what was sealed: some of each kind under each version of the key. Nothing that
 * is opened leaves this function.
 */
export async function checkSealed(db: Db, vault: Vault): Promise<RestoreFindings[]> {
  const rows: { kind: string; key: string; sealed: number; opened: number }[] = [];
  const failures: { kind: string; key: string; why: string }[] = [];
  for (const kind of SEALED) {
    const samples = await run<Sample>(db, sampleOf(kind), [SAMPLE]);
    for (const [key, some] of Map.groupBy(samples, ({ version }) => version ?? 'unknown')) {
      const faults = some.flatMap((sample) => faultOf(vault, kind, sample) ?? []);
      const [why] = faults;
      if (why !== undefined) failures.push({ kind: kind.what, key, why });
      rows.push({
        kind: kind.what,
        key,
        sealed: some[0]?.of ?? 0,
        opened: some.length - faults.length,
      });
    }
  }
  if (failures.length > 0)
    return [wrong('MASTER_KEY does not open what was sealed here', failures), ok('Sealed', rows)];
  if (rows.length === 0) return [ok('Nothing is sealed here yet')];
  return [ok('MASTER_KEY opens a sample of each kind', rows)];
}

const sampleOf = ({ text }: SealedKind): string => `
  select version, sealed, context, mark, of
  from (select *, count(*) over (partition by version)::integer as of,
      row_number() over (partition by version order by hashtextextended(context, 0)) as nth
    from (select substring(sealed from '^v(\\d+)\\.') as version, sealed, context, mark
      from (${text}) k) v) s
  where nth <= $1 order by version`;

function faultOf(vault: Vault, kind: SealedKind, sample: Sample): string | undefined {
  const { sealed, context, mark } = sample;
  try {
    const opened = vault.open(sealed, context);
    if (mark === null || kind.markOf?.(vault, opened, context).equals(mark) !== false)
      return undefined;
    return 'opens, but is found no more: the oldest key is not the one that there was';
  } catch (error) {
    const { message } = error as Error;
    return message.startsWith('MASTER_KEY') ? message : 'was sealed under another key, or changed';
  }
}
