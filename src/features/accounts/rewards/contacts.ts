import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { canonicalPhone } from '#kernel/phone.ts';
import { putContacts } from './store.ts';

export const CONTACTS_MAX = 5000;

/** As in an address book: also without a name, or without a number. */
export const Contact = Type.Object({
  contact_name: Type.String({ maxLength: 200 }),
  contact_phone: Type.String({ maxLength: 50 }),
});

/**
 * Replaces all contacts that have a number; answers how many. An address book also holds short numbers and service
 * codes, which stay as they are; whole numbers get the form of members' numbers.
 */
export async function replaceContacts(
  tx: Db,
  userx_id: number,
  book: readonly Static<typeof Contact>[],
  dialCode: string,
): Promise<number> {
  const contacts = book.filter(({ contact_phone }) => contact_phone.trim() !== '');
  await putContacts(tx, userx_id, {
    names: contacts.map(({ contact_name }) => contact_name.trim()),
    phones: contacts.map(
      ({ contact_phone: phone }) => canonicalPhone(phone, { dialCode }) ?? phone.trim(),
    ),
  });
  return contacts.length;
}
