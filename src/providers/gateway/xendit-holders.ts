import { Type } from 'typebox';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import type { AccountHolder, BankAccount } from './port.ts';
import type { XenditCall } from './xendit-call.ts';

/** Of `POST /bank_account_data_requests`; a repeated request answers what was found meanwhile. */
const WireHolder = Type.Object({
  status: Type.String({ maxLength: 50 }),
  bank_account_number: Type.Optional(Type.String({ maxLength: 100 })),
  bank_account_holder_name: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()]),
  ),
});

/** A person waits for it. */
const CHECK_MS = 3000;

/** In whose name an account is, by the gateway's validator of names. */
export async function holderAtBank(
  ask: XenditCall,
  { bankCode, accountNumber }: BankAccount,
): Promise<Outcome<AccountHolder>> {
  const found = await ask(WireHolder, {
    name: 'account holder',
    method: 'POST',
    path: '/bank_account_data_requests',
    body: { bank_account_number: accountNumber, bank_code: bankCode },
    timeoutMs: CHECK_MS,
  });
  // A bank that takes part in no validation is refused by its code.
  if (found.kind === 'refused') return done('undisclosed');
  if (found.kind !== 'done') return found;
  const { status, bank_account_number: number, bank_account_holder_name: name } = found.value;
  if (number !== undefined && number !== accountNumber)
    return unknown('answered another account number');
  if (status === 'FAILURE') return done('no-account');
  if (status === 'PENDING') return unknown('the bank is still looking');
  if (status !== 'SUCCESS' || !name?.trim()) return unknown('an answer that is not understood');
  return done({ name: name.trim() });
}
