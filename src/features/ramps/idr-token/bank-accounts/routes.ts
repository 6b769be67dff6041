import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { flat, Id, IdInput, nameInput, Timestamp } from '#kernel/http/declare/schema.ts';
import { idrTokenEndpoint } from '../envelope.ts';
import { addBank, removeBank } from './banks.ts';
import { activeBanks } from './store.ts';

const Bank = named('BankAccount', {
  token_bank_id: Id,
  bank_name: Type.String(),
  bank_code: Type.String(),
  bank_account_number: Type.String(),
  bank_account_name: Type.String(),
  is_primary: Type.Boolean(),
  status: Type.String(),
});
const Listed = named('ListedBankAccount', { ...Bank.properties, created_at: Timestamp });

/** As banks and gateways write it; blanks and dashes are how people do. */
const AccountNumber = Type.String({
  pattern: '^[0-9](?:[ -]?[0-9]){4,29}$',
  description: '5 to 30 digits',
  examples: ['1234567890'],
});
const BankCode = Type.String({
  pattern: '^[A-Za-z0-9_]{2,30}$',
  description: 'the gateway’s code of the bank',
  examples: ['BCA'],
});

/** Bank accounts that rupiah are paid out to (contract part 3, IDR token). */
export const bankRoutes = (): Route[] => [
  idrTokenEndpoint('POST /idrtoken/banks/add', {
    name: 'idrTokens.addBank',
    creates: { kind: 'idr_bank_account', object: 'bank_account' },
    movesMoney: true,
    auth: 'user',
    errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    summary: 'Registers a bank account in the name of the caller',
    atomic: true,
    body: Type.Object({
      bankName: nameInput(100),
      bankCode: BankCode,
      accountNumber: AccountNumber,
      accountName: nameInput(200),
      isPrimary: Type.Optional(Type.Boolean()),
    }),
    // The name of the demo's user, who was verified without one.
    example: { accountName: 'demo-user' },
    reply: { 200: flat({ data: Bank, message: Type.String() }) },
    invalid: 'Missing required fields: bankName, bankCode, accountNumber, accountName',
    fault: 'Failed to add bank account',
    async handler({ caller, body, db, request }) {
      const wanted = {
        bank_name: body.bankName.trim(),
        bank_code: body.bankCode.toUpperCase(),
        bank_account_number: body.accountNumber.replace(/\D/g, ''),
        bank_account_name: body.accountName.trim(),
        is_primary: body.isPrimary ?? false,
      };
      const data = await addBank(db, wanted, { caller, request });
      return { data, message: 'Bank account added successfully' };
    },
  }),

  idrTokenEndpoint('GET /idrtoken/banks/list', {
    name: 'idrTokens.listBanks',
    auth: 'user',
    summary: "The caller's bank accounts in use, the primary one first",
    reply: { 200: flat({ data: Type.Array(Listed) }) },
    fault: 'Failed to list bank accounts',
    handler: async ({ caller, db }) => ({ data: await activeBanks(db, caller.user_id) }),
  }),

  idrTokenEndpoint('DELETE /idrtoken/banks/{bank_id}', {
    name: 'idrTokens.removeBank',
    auth: 'user',
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    summary: 'Ends the use of a bank account that is neither the primary nor the last one',
    atomic: true,
    params: Type.Object({ bank_id: IdInput }),
    reply: { 200: flat({ message: Type.String() }) },
    fault: 'Failed to delete bank account',
    async handler({ caller, params, db, request }) {
      await removeBank(db, params.bank_id, { caller, request });
      return { message: 'Bank account deleted successfully' };
    },
  }),
];
