import { refuseDryRun } from '#kernel/dry-run.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BankHost, PayeeCheck } from '#providers/bank-host/port.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { RecipientDetails } from './details.ts';
import { compareHolder } from './holder-names.ts';
import type { RecipientRail } from './requirements.ts';
import type { PaidRecipient } from './store.ts';

export interface VerifyDeps extends Pick<Kernel, 'clock'> {
  readonly gateway: Pick<Gateway, 'holderOf'>;
  readonly bankHost: Pick<BankHost, 'verifyPayee' | 'currencies'>;
}

/** What a bank has said of a name, for the row of its recipient. */
export type CheckedPayee = Pick<
  PaidRecipient,
  'result' | 'suggested_name' | 'source' | 'checked_at' | 'is_asked_again'
>;

const UNCHECKED: CheckedPayee = {
  result: null,
  suggested_name: null,
  source: null,
  checked_at: null,
  is_asked_again: false,
};

/** Asks whether an account is in a name. Without an answer in time it is not possible, and is asked again later. */
export async function verifyPayeeOf(
  deps: VerifyDeps,
  rail: Pick<RecipientRail, 'kind' | 'currency'>,
  { name, details }: { readonly name: string; readonly details: RecipientDetails },
): Promise<CheckedPayee> {
  if (rail.kind !== 'bank') return UNCHECKED;
  const source = rail.currency === 'IDR' ? 'gateway' : 'bank-host';
  refuseDryRun(`${source} verify payee`);
  const found = await checkAt(deps, rail, { name, details });
  return {
    result: found?.result ?? 'NOT_POSSIBLE',
    suggested_name: found?.suggestedName ?? null,
    source,
    checked_at: deps.clock.now().toISOString(),
    is_asked_again: found === undefined,
  };
}

/** Undefined where it is not known. */
async function checkAt(
  { gateway, bankHost }: VerifyDeps,
  { currency }: Pick<RecipientRail, 'currency'>,
  { name, details }: { readonly name: string; readonly details: RecipientDetails },
): Promise<PayeeCheck | undefined> {
  const [bankCode, accountNumber] = [
    String(details['bank_code']),
    String(details['account_number']),
  ];
  if (currency === 'IDR') {
    const asked = await gateway.holderOf({ bankCode, accountNumber, accountName: name });
    if (asked.kind !== 'done') return undefined;
    const { value } = asked;
    if (value === 'no-account') return { result: 'NO_MATCH' };
    return value === 'undisclosed' ? { result: 'NOT_POSSIBLE' } : compareHolder(name, value.name);
  }
  const served = bankHost.currencies.find((one) => one === currency);
  if (served === undefined) return { result: 'NOT_POSSIBLE' };
  const asked = await bankHost.verifyPayee(served, { bankCode, accountNumber }, name);
  return asked.kind === 'done' ? asked.value : undefined;
}
