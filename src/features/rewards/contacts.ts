import { type Db, run } from '#kernel/db/db.ts';
import { canonicalPhone } from './phone.ts';

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
  await tx.deleteFrom('userx_contacts').where('userx_id', '=', userx_id).execute();
  await run(
    tx,
    `insert into userx_contacts (userx_id, position, contact_name, contact_phone)
     select $1, c.position, c.name, c.phone
       from unnest($2::text[], $3::text[]) with ordinality c(name, phone, position)`,
    [
      userx_id,
      contacts.map(({ contact_name }) => contact_name.trim()),
      contacts.map(({ contact_phone: phone }) => canonicalPhone(phone, dialCode) ?? phone.trim()),
    ],
  );
}
