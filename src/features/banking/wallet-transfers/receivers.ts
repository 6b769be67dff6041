import { type Static, Type } from 'typebox';
import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { clientHomeOf } from '#kernel/access/client-home.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Email, explained, IdInput } from '#kernel/http/declare/schema.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import { findByEmail, findPerson, type Payee } from './people-store.ts';

/** Whom money is for, in a request: exactly one of these. */
export const ToInput = named('TransferTo', {
  wallet_id: Type.Optional(explained(IdInput, 'A wallet of a person of the same client')),
  user_id: Type.Optional(explained(IdInput, 'A person of the same client')),
  email: Type.Optional(
    explained(Email, 'A confirmed address of a person; else they are asked to claim it'),
  ),
  phone: Type.Optional(explained(PhoneInput, 'The money is claimed by the link in a message')),
});
export type To = Static<typeof ToInput>;

/** A person who is known, or an address whose owner has to prove it. */
export type Receiver =
  | {
      readonly named_as: 'wallet' | 'user' | 'email';
      readonly person: Payee;
      readonly wallet?: FiatWallet;
    }
  | { readonly named_as: 'email' | 'phone'; readonly address: string };

/** Throws VALIDATION_ERROR, WALLET_NOT_FOUND and USER_NOT_FOUND. Nothing is found of another client. */
export async function findReceiver(
  db: Db,
  client_id: number,
  to: To,
  field = 'to',
): Promise<Receiver> {
  const { wallet_id, user_id, email, phone } = to;
  const given = Object.values(to).filter((value) => value !== undefined);
  if (given.length !== 1)
    throw wrongField(field, 'must have exactly one of wallet_id, user_id, email and phone');
  if (wallet_id !== undefined) return ownerOf(db, client_id, wallet_id);
  if (user_id !== undefined) {
    const person = await findPerson(db, client_id, user_id);
    if (!person) throw fail('USER_NOT_FOUND', 'User not found');
    return { named_as: 'user', person };
  }
  if (email !== undefined) {
    const person = await findByEmail(db, client_id, email);
    return person
      ? { named_as: 'email', person }
      : { named_as: 'email', address: email.toLowerCase() };
  }
  // Nothing proves yet whose a number is but a message to it.
  const home = await clientHomeOf(db, client_id);
  return { named_as: 'phone', address: requirePhone(phone ?? '', home, `${field}.phone`) };
}

async function ownerOf(db: Db, client_id: number, wallet_id: number): Promise<Receiver> {
  const wallet = await findFiatWallet(db, { client_id }, wallet_id);
  const person = wallet && (await findPerson(db, client_id, wallet.user_id));
  if (!wallet || !person) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  return { named_as: 'wallet', person, wallet };
}

/**
 * Throws SAME_WALLET, CURRENCY_MISMATCH, and RECIPIENT_UNAVAILABLE for a person who was stopped. A frozen wallet
 * receives.
 */
export function requireReceiver(
  receiver: Receiver,
  from: Pick<FiatWallet, 'user_id'>,
  currency: FiatWallet['currency'],
): void {
  if (!('person' in receiver)) return;
  const { person, wallet } = receiver;
  if (wallet && wallet.currency !== currency)
    throw fail(
      'CURRENCY_MISMATCH',
      `The money is in ${currency}, the wallet in ${wallet.currency}`,
    );
  // A person has one wallet of a currency.
  if (person.user_id === from.user_id)
    throw fail('SAME_WALLET', 'The money would go to the wallet that pays');
  if (!person.is_active) throw unavailable();
}

const unavailable = () =>
  fail('RECIPIENT_UNAVAILABLE', 'The receiver cannot receive money at the moment');
