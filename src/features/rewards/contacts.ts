import type { Db } from '#kernel/db/db.ts';
import { canonicalPhone } from './phone.ts';
import { putContacts } from './store.ts';

export const CONTACTS_MAX = 5000;

export interface Contact {
  readonly contact_name: string;
  readonly contact_phone: string;
}

/**
 * The contacts from now on are these and no others. An address book also holds short numbers and
 * service codes, which stay as they are; whole numbers get the form that members' numbers have.
 */
export async function replaceContacts(
  tx: Db,
  userx_id: number,
  contacts: readonly Contact[],
  dialCode: string,
): Promise<void> {
  await putContacts(tx, userx_id, {
    names: contacts.map(({ contact_name }) => contact_name.trim()),
    phones: contacts.map(
      ({ contact_phone: phone }) => canonicalPhone(phone, dialCode) ?? phone.trim(),
    ),
  });
}
